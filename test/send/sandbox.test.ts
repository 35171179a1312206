import { describe, expect, onTestFinished, test } from 'vitest';
import { numberAdvice } from '../../src/families/payroll/subject.js';
import { FAULT_KINDS, type FaultKind } from '../../src/sandbox/faults.js';
import type { SandboxOptions } from '../../src/sandbox/options.js';
import { type Sandbox, startSandbox } from '../../src/sandbox/server.js';
import { outcomes } from '../../src/send/documents.js';
import { allOf } from '../support/all-of.js';
import { clientOf, PIN, payroll, send as sendWithout, spool, tempJournal, workers } from './support.js';

const send: typeof sendWithout = (journal, run, client, options) =>
  sendWithout(journal, run, client, { softwarePin: PIN, ...options });

const NIT = '900123456';

async function sandbox(options: SandboxOptions = {}): Promise<Sandbox> {
  const box = await startSandbox({ now: () => new Date('2026-11-21T15:00:00Z'), ...options });
  onTestFinished(() => box.close());
  return box;
}
const production = (options: SandboxOptions = {}): Promise<Sandbox> =>
  sandbox({ companies: [{ nit: NIT, environment: 'production' }], ...options });

/** What DIAN holds and what the journal says must be the same, each number once, each number always with one body. */
async function expectAgreement(
  box: Sandbox,
  journal: Awaited<ReturnType<typeof tempJournal>>,
  run: string,
): Promise<void> {
  const accepted = (await allOf(outcomes(journal, run))).filter(({ state }) => state === 'accepted');
  const held = box.controls.documents(NIT);
  const pairs = (list: readonly { number?: string; code?: string | undefined }[]) =>
    list.map(({ number, code }) => `${number} ${code}`).sort();
  expect(
    pairs(accepted.map(({ number, documentCode: code }) => ({ ...(number && { number }), code }))),
  ).toEqual(pairs(held.map(({ number, cune: code }) => ({ number, code }))));
  const bodies = new Map<string, Set<string>>();
  for (const { number, bodyHash, operation } of box.controls.requests().requests)
    if (operation.startsWith('sendPayroll'))
      bodies.set(number!, (bodies.get(number!) ?? new Set()).add(bodyHash));
  for (const [number, hashes] of bodies) expect([number, hashes.size]).toEqual([number, 1]);
}

describe.each([undefined, 'set-1'])('test set %s', (testSet) => {
  test('25 workers are accepted, and nothing is sent for the same file again', async () => {
    const box = await (testSet === undefined ? production() : sandbox({ zipPolls: 2 }));
    const journal = await tempJournal();
    const client = clientOf(box.url, { token: box.token });
    const scope = testSet === undefined ? {} : { testSet };
    const { run } = await spool(journal, workers(25), {
      ...scope,
      numbers: { advice: numberAdvice(client, testSet) },
    });
    const { counts } = await send(journal, run, client);
    expect(counts).toEqual({ accepted: 25, rejected: 0, pending: 0, unknown: 0, unsent: 0 });
    await expectAgreement(box, journal, run);

    const before = box.controls.requests().count;
    const again = await spool(journal, workers(25), scope);
    await send(journal, again.run, client);
    expect(again).toMatchObject({ planned: 0, earlier: 25 });
    expect(box.controls.requests().count).toBe(before);
  });
});

/** These end otherwise: a batch in process for ever stays pending, redirects that go on stop the run. */
const OTHERWISE: readonly FaultKind[] = ['pending-forever', '302-html'];

describe.each(FAULT_KINDS.filter((kind) => !OTHERWISE.includes(kind)))('fault %s', (kind: FaultKind) => {
  test.each(['stock', '2026'] as const)(
    'in the %s style: every document is accepted once',
    async (errorStyle) => {
      const box = await production({ errorStyle });
      for (const number of ['NOM2', 'NOM5'])
        box.controls.addFault({ kind, match: { operation: 'sendPayroll', number }, times: 2, ms: 5 });
      const journal = await tempJournal();
      const { run } = await spool(journal, workers(8));
      const { counts, stopped } = await send(journal, run, clientOf(box.url, { token: box.token }));
      expect([counts.accepted, stopped]).toEqual([8, undefined]);
      await expectAgreement(box, journal, run);
    },
  );
});

test('redirects that go on stop the run as a wrong address, and resuming sends the rest once', async () => {
  const box = await production();
  const { id } = box.controls.addFault({
    kind: '302-html',
    match: { operation: 'sendPayroll' },
    times: 1_000,
  });
  const journal = await tempJournal();
  const { run } = await spool(journal, workers(8));
  const client = clientOf(box.url, { token: box.token });
  const { counts, stopped } = await send(journal, run, client);
  expect([stopped?.code, counts.rejected, counts.unknown]).toEqual(['send/wrong-address', 0, 8]);
  expect([counts.accepted, counts.unsent]).toEqual([0, 0]);
  box.controls.remove('faults', id);
  expect((await send(journal, run, client)).counts.accepted).toBe(8);
  await expectAgreement(box, journal, run);
});

test('a batch that never leaves the queue stays pending', async () => {
  const box = await sandbox();
  box.controls.addFault({ kind: 'pending-forever', match: { number: 'NOM2' }, times: 1_000 });
  const journal = await tempJournal();
  const { run } = await spool(journal, workers(3), { testSet: 'set-1' });
  const { counts } = await send(journal, run, clientOf(box.url, { token: box.token }));
  expect(counts).toMatchObject({ accepted: 2, pending: 1 });
});

test('a month that DIAN already has is rejected by its rule, and the next send of it gets a new number', async () => {
  const box = await production();
  const client = clientOf(box.url, { token: box.token });
  const elsewhere = await tempJournal();
  await send(elsewhere, (await spool(elsewhere, workers(1), { numbers: { first: 500 } })).run, client);
  const journal = await tempJournal();
  for (const number of ['NOM1', 'NOM2']) {
    const { run } = await spool(journal, workers(1));
    await send(journal, run, client);
    expect((await allOf(outcomes(journal, run)))[0]).toMatchObject({
      number,
      state: 'rejected',
      issues: [{ code: 'remote/rejected', params: { rule: 'NIE199' } }],
    });
  }
});

describe('numbers that someone else used are never called ours', () => {
  /** Sends two workers under the numbers of two others. */
  async function collide({ box, own, pin }: { box: Sandbox; own: number; pin?: string }) {
    const client = clientOf(box.url, { token: box.token });
    const journal = await tempJournal();
    // What was accepted without a doubt shows whether the PIN is right.
    if (own > 0)
      await send(
        journal,
        (await spool(journal, workers(9).slice(8), { numbers: { first: 90 } })).run,
        client,
      );
    const elsewhere = await tempJournal();
    await send(elsewhere, (await spool(elsewhere, workers(2), { numbers: { first: 90 + own } })).run, client);
    const accrued = { worked_days: 30, salary: '2100000.00', accrued_total: '2100000.00' };
    const poorer = [3, 4].map((worker) => payroll(worker, { accrued }));
    const { run } = await spool(journal, poorer, { numbers: { first: 90 + own } });
    const { pinIssue } = await sendWithout(
      journal,
      run,
      client,
      pin === undefined ? {} : { softwarePin: pin },
    );
    const told = (await allOf(outcomes(journal, run))).map(
      ({ state, issues }) => `${state} ${issues[0]?.code}`,
    );
    return [new Set(told).size === 1 ? told[0] : told, pinIssue?.code];
  }
  const OPEN = 'unknown send/landed-unconfirmed';
  const TAKEN = 'rejected send/number-taken';

  test.each<
    [string, SandboxOptions, Parameters<typeof collide>[0]['own'], string | undefined, string, string?]
  >([
    ['by a PIN that has made the code of others', {}, 1, PIN, TAKEN],
    ['without PIN nobody can tell', {}, 1, undefined, OPEN],
    ['a PIN that nothing has proven decides nothing', {}, 0, PIN, OPEN],
    ['a wrong PIN is found out', {}, 1, '54321', OPEN, 'send/pin-unusable'],
    ['what the service says of its own row decides', { validateBeforeSending: true }, 0, undefined, TAKEN],
  ])('%s', async (_, options, own, pin, told, trouble) => {
    const box = await production(options);
    expect(await collide({ box, own, ...(pin !== undefined && { pin }) })).toEqual([told, trouble]);
  });
});

test.each(['stock', '2026'] as const)('a wrong token, %s style', async (errorStyle) => {
  const box = await production({ errorStyle });
  const journal = await tempJournal();
  const { run } = await spool(journal, workers(50));
  const { stopped, counts } = await send(journal, run, clientOf(box.url, { token: 'wrong' }));
  expect([stopped?.code, counts.unsent]).toEqual(['send/unauthenticated', 50]);
});
