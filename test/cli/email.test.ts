import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { Options } from '../../src/cli/options.js';
import type { Fake } from './fake-context.js';
import { columnOf } from './sample.js';
import { addressOf, sentRuns, WORKERS } from './sent-run.js';
import { sheetCells } from './sheet-cells.js';
import { email, report, status } from './use-cases.js';

const runs = sentRuns();
const SEND: Options = { yes: true, json: true, showValues: true };
/** All but the one without an address. */
const MAILED = WORKERS - 1;

const outbox = () => runs.sandbox.controls.outbox();
const requests = (): number => runs.sandbox.controls.requests({ operation: 'emailPayroll' }).count;
const emails = (call: Fake) => call.events().at(-1)?.['emails'];
const codes = (call: Fake) => call.events().flatMap(({ event, code }) => (event === 'issue' ? [code] : []));
const DOCUMENTS = ['9000100000', '9000100037', '9000100074', '9000100111', '990004'];

async function mail(options: Options = SEND, more: Parameters<typeof runs.here>[0] = {}) {
  const call = runs.here(more);
  const exit = await email(call.context, [], options);
  return { call, exit };
}

const NOTHING = {
  documents: WORKERS,
  mailed: 0,
  already: 0,
  unconfirmed: 0,
  refused: 0,
  noAddress: 1,
  deletions: 0,
  corrected: 0,
  notAccepted: 0,
  left: 0,
};

describe('accepted documents', () => {
  test('are mailed to the workers, once', async () => {
    await runs.sent();
    const { call, exit } = await mail();
    expect(exit).toBe(0);
    expect(emails(call)).toEqual({ ...NOTHING, mailed: MAILED });
    expect(codes(call)).toEqual(['email/no-address']);
    expect(
      outbox()
        .map(({ to }) => to)
        .sort(),
    ).toEqual(DOCUMENTS.map(addressOf));

    const again = await mail();
    expect(again.exit).toBe(0);
    expect(emails(again.call)).toEqual({ ...NOTHING, already: MAILED });
    expect(requests()).toBe(MAILED);
  });

  test('are mailed again with --again, and one by its number', async () => {
    await runs.sent();
    await mail();
    const one = await mail({ ...SEND, again: true, only: [runs.numberAt(1).toLowerCase()] });
    expect(emails(one.call)).toMatchObject({ documents: 1, mailed: 1 });
    expect(outbox().filter(({ to }) => to === addressOf(DOCUMENTS[1]!))).toHaveLength(2);
    await mail({ ...SEND, again: true });
    expect(requests()).toBe(2 * MAILED + 1);
  });

  test('go to another address with --to, which is another mail', async () => {
    await runs.sent();
    await mail();
    const { call } = await mail({ ...SEND, to: 'nomina@example.co' });
    expect(emails(call)).toMatchObject({ mailed: WORKERS, noAddress: 0 });
    expect(outbox().filter(({ to }) => to === 'nomina@example.co')).toHaveLength(WORKERS);
    expect(emails((await mail({ ...SEND, to: 'NOMINA@example.co' })).call)).toMatchObject({
      already: WORKERS,
    });
  });

  test('of the same file sent again are known to be mailed', async () => {
    await runs.sent();
    await mail();
    await runs.sent();
    expect(emails((await mail()).call)).toEqual({ ...NOTHING, already: MAILED });
    expect(requests()).toBe(0);
  });
});

test('what a later note replaced or took back is not mailed, and is marked in status and report', async () => {
  const first = await runs.sent();
  const run = String(first.events().at(-1)!['run']);
  const corrected = await runs.adjusted(
    (grid) => {
      grid.splice(WORKERS);
      grid[2]![columnOf(grid, 'Banco')] = 'BANCO DE BOGOTA';
    },
    { deleteMissing: true },
  );
  const [replaced, gone] = [runs.numberAt(1), runs.numberAt(WORKERS - 1)];
  expect(corrected.events().at(-1)).toMatchObject({ documents: { accepted: WORKERS } });

  const call = runs.here();
  await email(call.context, [run], SEND);
  expect(emails(call)).toEqual({ ...NOTHING, noAddress: 0, mailed: MAILED - 1, corrected: 2 });

  const shown = runs.here();
  await status(shown.context, [run], { json: true });
  const marked = shown
    .events()
    .flatMap(({ event, number, correctedBy }) => (event === 'outcome' && correctedBy ? [number] : []));
  expect(marked).toEqual([replaced, gone]);
  const output = join(runs.folder, 'again.xlsx');
  await report(runs.here().context, [run], { output });
  const messages = Object.values(await sheetCells(output))
    .flat(2)
    .map(String);
  expect(messages.filter((text) => text.includes('Ya no rige'))).toHaveLength(2);
});

describe('nothing is mailed', () => {
  test('without acceptance', async () => {
    const { controls } = runs.sandbox;
    const chosen = [
      controls.addOutcome({ match: { worker: DOCUMENTS[0]! }, verdict: 'reject', rules: ['NIE024'] }),
      controls.addOutcome({ match: { worker: DOCUMENTS[1]! }, verdict: 'set-accepted' }),
    ];
    await runs.sent();
    for (const { id } of chosen) controls.remove('outcomes', id);
    const { call } = await mail();
    expect(emails(call)).toMatchObject({ mailed: MAILED - 2, notAccepted: 2 });
    expect(outbox().map(({ to }) => to)).not.toContain(addressOf(DOCUMENTS[0]!));
    expect(outbox().map(({ to }) => to)).not.toContain(addressOf(DOCUMENTS[1]!));
  });

  test.each<[string, Options, readonly boolean[] | undefined, number]>([
    ['after a no', { json: true }, [false], 1],
    ['in a dry run', { json: true, dryRun: true }, undefined, 0],
  ])('%s', async (_, options, answers, asked) => {
    await runs.sent();
    const { call, exit } = await mail(options, answers === undefined ? {} : { answers });
    expect([exit, requests(), call.asked.length]).toEqual([0, 0, asked]);
    expect(emails(call)).toEqual({ ...NOTHING, left: MAILED });
  });

  test('where nobody can say yes', async () => {
    await runs.sent();
    // What is asked is said.
    const asked = { question: expect.stringMatching(/^¿Enviar \d+ correos/) };
    await expect(mail({ json: true })).rejects.toMatchObject({
      issues: [{ code: 'run/needs-yes', params: asked }],
    });
    expect(requests()).toBe(0);
  });

  test.each<[string, Options, string]>([
    ['to what is no address', { to: 'nomina' }, 'email/bad-address'],
    ['of a number that the run does not have', { only: ['NOM9'] }, 'run/unknown-name'],
  ])('%s', async (_, options, code) => {
    await runs.sent();
    await expect(mail({ ...SEND, ...options })).rejects.toMatchObject({ key: 'usage', issues: [{ code }] });
    expect(requests()).toBe(0);
  });

  test('the question names count, company and test set', async () => {
    await runs.sent();
    const { call } = await mail({ company: 'default' }, { answers: [false] });
    expect(call.asked[0]).toMatch(new RegExp(`${MAILED}.*default.*set-`));
  });
});

describe('when the service falters', () => {
  const fault = (kind: 'reset-after' | '429' | 'dian-503', times = 1) =>
    runs.sandbox.controls.addFault({ match: { operation: 'emailPayroll' }, kind, times });

  test('a lost answer is not repeated by itself', async () => {
    await runs.sent();
    fault('reset-after');
    const { call, exit } = await mail();
    expect(exit).toBe(4);
    expect(emails(call)).toMatchObject({ mailed: MAILED - 1, unconfirmed: 1 });
    expect(codes(call)).toContain('email/unconfirmed');
    expect(outbox()).toHaveLength(MAILED);

    const again = await mail();
    expect(emails(again.call)).toMatchObject({ already: MAILED - 1, unconfirmed: 1 });
    expect(outbox()).toHaveLength(MAILED);
  });

  test('too many requests are waited for, each mail leaving once', async () => {
    await runs.sent();
    fault('429', 3);
    expect(emails((await mail()).call)).toMatchObject({ mailed: MAILED });
    expect(outbox()).toHaveLength(MAILED);
  });

  test('nobody at the address: exit 3, and the next call mails', async () => {
    await runs.sent();
    const journals = { workspace: join(runs.folder, 'ws') };
    const open = runs.here(journals);
    const wrong = { ...open.context, token: 'wrong' };
    expect(await email(wrong, [], SEND)).toBe(3);
    expect(emails(open)).toMatchObject({ mailed: 0, left: MAILED });
    expect(emails((await mail()).call)).toMatchObject({ mailed: MAILED });
  });

  test('a document learnt of by asking, which the service has not marked, is marked and mailed', async () => {
    const match = { operation: 'sendPayrollTestSet', worker: DOCUMENTS[1]! } as const;
    runs.sandbox.controls.addFault({ match, kind: 'reset-after', times: 1 });
    await runs.sent({}, { softwarePin: '12345' });
    const { call } = await mail();
    expect(emails(call)).toMatchObject({ mailed: MAILED, refused: 0 });
    expect(runs.sandbox.controls.requests({ operation: 'getDocumentStatus' }).count).toBe(1);
    expect(requests()).toBe(MAILED + 1);
  });

  test('what it keeps refusing is told at the document, and the others are mailed', async () => {
    await runs.sent();
    fault('dian-503', 2);
    const { call, exit } = await mail({ ...SEND, concurrency: 1 });
    expect(exit).toBe(1);
    expect(emails(call)).toMatchObject({ mailed: MAILED - 1, refused: 1 });
    expect(call.events().find(({ code }) => code === 'email/refused')).toMatchObject({
      documentKey: DOCUMENTS[0],
      row: 2,
    });
    expect(emails((await mail()).call)).toMatchObject({ mailed: 1, already: MAILED - 1 });
  });
});

test('addresses are masked for people, and the journal is private', async () => {
  await runs.sent();
  const { call } = await mail({ yes: true });
  const said = call.shown.said().join('\n');
  for (const document of DOCUMENTS) expect(said).not.toContain(document);
  const folder = join(runs.folder, 'ws');
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) =>
    entry.isFile(),
  );
  expect(files.length).toBeGreaterThan(0);
  for (const { parentPath, name } of files)
    expect(readFileSync(join(parentPath, name)).includes(runs.sandbox.token)).toBe(false);
});
