import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { open } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { journalFile } from '../../src/app/journal-access.js';
import type { Options } from '../../src/cli/options.js';
import { type Sandbox, startSandbox } from '../../src/sandbox/server.js';
import { endedUncleanly } from '../../src/send/journal.js';
import { PipelineError } from '../../src/toolkit/core/issue.js';
import { openInput } from '../../src/toolkit/tables/open.js';
import { type Fake, type FakeOptions, fake, NOW } from './fake-context.js';
import { freshFolder } from './run-cli.js';
import { columnOf, SAMPLE, sampleCsv, WIDE } from './sample.js';
import {
  journalAbandon as abandon,
  journalBackup as backup,
  journalCopy as copyJournals,
  journalExport as exportJournal,
  lawImport,
  lawRemove,
  journalPath as path,
  report,
  send,
  status,
} from './use-cases.js';

/** A service of its own, and a workspace. */
async function world(workspace = 'ws') {
  const box = await startSandbox();
  onTestFinished(() => box.close());
  const folder = freshFolder();
  const options: Options = {
    ...WIDE,
    testSet: 'set-1',
    report: join(folder, 'report.xlsx'),
    yes: true,
    json: true,
    showValues: true,
  };
  const here = (more: FakeOptions = {}): Fake =>
    fake({ url: box.url, token: box.token, workspace: join(folder, workspace), ...more });
  const journal = await journalFile(here().context, {});
  return { box, folder, options, here, journal };
}

const codeOf = async (work: Promise<unknown>): Promise<string> => {
  try {
    return String(await work);
  } catch (error) {
    if (error instanceof PipelineError) return error.issues.map(({ code }) => code).join();
    throw error;
  }
};

const rights = (file: string): number => statSync(file).mode & 0o777;
const linesOf = (file: string) =>
  readFileSync(file, 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Record<string, unknown>);

/** Every cell of a workbook as text, sheet by sheet. */
async function cellsOf(file: string): Promise<Record<string, readonly (readonly (string | undefined)[])[]>> {
  const input = await openInput(file);
  const sheets: Record<string, (readonly (string | undefined)[])[]> = {};
  for (const table of input.tables) {
    const rows: (readonly (string | undefined)[])[] = [];
    for await (const batch of table.batches()) for (const { texts } of batch) rows.push([...texts]);
    sheets[table.sheet ?? ''] = rows;
  }
  await input.close();
  return sheets;
}

/** The salary of the second worker is no number, and the third is rejected. */
async function mixed(box: Sandbox): Promise<string> {
  box.controls.addOutcome({ match: { worker: '9000100074' }, verdict: 'reject', rules: ['NIE024'] });
  return sampleCsv((grid) => {
    grid[2]![columnOf(grid, 'Sueldo mensual')] = '1.5OO.000';
  });
}

test('a year later the report is the same, from the journal alone', async () => {
  const { box, folder, options, here } = await world();
  const file = await mixed(box);
  expect(await send(here().context, [file], { ...options, partial: true })).toBe(1);
  const before = await cellsOf(options.report!);
  expect(Object.keys(before)).toHaveLength(7);
  expect(JSON.stringify(before)).toContain('NIE024');

  rmSync(dirname(file), { recursive: true });
  rmSync(options.report!);
  await box.close();
  const { context } = here();
  const later = new Date(NOW.getTime() + 366 * 86_400_000);
  const output = join(folder, 'later.xlsx');
  expect(await report({ ...context, now: () => later }, [], { output })).toBe(0);
  expect(await cellsOf(output)).toEqual(before);
});

test('a run says by which law it was checked, also once that is not used any more', async () => {
  const { box, folder, options, here } = await world();
  const figures = join(folder, 'cifras.csv');
  writeFileSync(figures, 'year,uvt\n2027,54000\n');
  expect(await lawImport(here().context, [figures], {})).toBe(0);
  await send(here().context, [await mixed(box)], { ...options, partial: true });
  expect(await lawRemove(here().context, [], { yes: true })).toBe(0);
  const output = join(folder, 'later.xlsx');
  expect(await report(here().context, [], { output })).toBe(0);
  const facts = (await cellsOf(output))['Ejecución']!;
  expect(facts.filter(([what]) => what?.startsWith('Tablas de la ley'))).toEqual([
    ['Tablas de la ley (SHA-256)', expect.stringMatching(/^[0-9a-f]{64}$/)],
    ['Tablas de la ley: cifras.csv', expect.stringMatching(/^uvt; SHA-256 [0-9a-f]{64}$/)],
  ]);
});

describe('export', () => {
  test('a private file with runs, documents, attempts and findings, and no secret', async () => {
    const { box, folder, options, here } = await world();
    await send(here().context, [await mixed(box)], { ...options, partial: true });
    const output = join(folder, 'diario.jsonl');
    const call = here();
    expect(await exportJournal(call.context, [], { output, json: true })).toBe(0);
    if (process.platform !== 'win32') expect(rights(output)).toBe(0o600);
    const lines = linesOf(output);
    expect(call.events()).toMatchObject([{ event: 'export', file: output, lines: lines.length }]);
    const of = (name: string) => lines.filter(({ record }) => record === name);
    expect(of('run')).toMatchObject([
      { state: 'closed', testSet: 'set-1', counts: { records: { read: 25 } } },
    ]);
    expect(of('document')).toHaveLength(24);
    expect(of('document').filter(({ state }) => state === 'accepted')).toHaveLength(23);
    const rejected = of('document').find(({ state }) => state === 'rejected');
    expect(rejected).toMatchObject({
      key: '9000100074',
      issues: [{ code: 'remote/rejected', params: { rule: 'NIE024' } }],
      document: { worker: { identification_number: expect.anything() } },
    });
    expect(of('attempt').length).toBeGreaterThanOrEqual(24);
    expect(of('finding').map(({ content }) => (content as { code?: string }).code)).toContain(
      'cell/not-a-number',
    );
    expect(readFileSync(output, 'utf8')).not.toContain(box.token);
  });

  test('never writes over the journal', async () => {
    const { options, here, journal } = await world();
    await send(here().context, [SAMPLE], options);
    expect(await codeOf(exportJournal(here().context, [], { output: journal }))).toBe('run/output-is-input');
    expect(await codeOf(backup(here().context, [journal], { force: true }))).toBe('run/output-is-input');
  });
});

test('a sender that came to its end leaves all in one file', async () => {
  const { options, here, journal } = await world();
  expect(await send(here().context, [SAMPLE], options)).toBe(0);
  expect(endedUncleanly(journal)).toBe(false);
});

test('a backup put in the place of the journal goes on where it was', async () => {
  const { box, folder, options, here, journal } = await world();
  await send(here().context, [SAMPLE], options);
  const copy = join(folder, 'copia.db');
  expect(await backup(here().context, [copy], {})).toBe(0);
  if (process.platform !== 'win32') expect(rights(copy)).toBe(0o600);
  expect(readdirSync(folder).filter((name) => name.includes('copia'))).toEqual(['copia.db']);
  rmSync(dirname(journal), { recursive: true });
  mkdirSync(dirname(journal), { recursive: true });
  copyFileSync(copy, journal);
  box.controls.clearRequests();
  expect(await send(here().context, [SAMPLE], options)).toBe(0);
  expect(box.controls.requests().count).toBe(0);
});

test('a copy of all journals needs one', async () => {
  const { folder, here } = await world();
  const places = [join(folder, 'nothing'), join(folder, 'copy')];
  expect(await codeOf(copyJournals(here().context, places, { all: true, yes: true }))).toBe(
    'journal/missing',
  );
});

test.skipIf(process.platform === 'win32')('rights that were widened are closed again', async () => {
  const { options, here, journal } = await world();
  await send(here().context, [SAMPLE], options);
  for (const widen of [() => status(here().context, [], {}), () => send(here().context, [SAMPLE], options)]) {
    chmodSync(dirname(journal), 0o755);
    chmodSync(journal, 0o644);
    await widen();
    expect([rights(dirname(journal)), rights(journal)]).toEqual([0o700, 0o600]);
  }
});

test('a folder that a program copies away is warned of before anything is sent', async () => {
  const { options, here } = await world(join('OneDrive - Andina SAS', 'cargue'));
  const call = here();
  await send(call.context, [SAMPLE], { ...options, dryRun: true });
  expect(call.events()[0]).toMatchObject({ event: 'issue', code: 'journal/synced-folder', level: 'warning' });
  const asked = here();
  expect(await path(asked.context, [], {})).toBe(0);
  expect(asked.shown.out()).toHaveLength(1);
  expect(asked.shown.said().join()).toContain('OneDrive');
});

test('without an address it is said where every journal is, or that of the company', async () => {
  const { folder, options, here } = await world();
  await send(here().context, [SAMPLE], { ...options, company: 'andina' });
  const said = async (company?: string): Promise<readonly string[]> => {
    const call = fake({ workspace: join(folder, 'ws') });
    expect(await path(call.context, [], { ...(company && { company }) })).toBe(0);
    return call.shown.out();
  };
  const there = here();
  await path(there.context, [], { company: 'andina' });
  expect(await said()).toEqual(there.shown.out());
  expect(await said('andina')).toEqual(there.shown.out());
  expect(await codeOf(said('otra'))).toBe('run/needs-url');
});

test('with a damaged journal nothing is sent; what can be read is shown', async () => {
  const { box, folder, options, here, journal } = await world();
  await send(here().context, [SAMPLE], options);
  const file = await open(journal, 'r+');
  // A leaf of the table of bodies: what lists the runs stands elsewhere.
  const bytes = readFileSync(journal);
  const pages = Array.from({ length: bytes.length / 4096 }, (_, at) =>
    bytes.subarray(at * 4096, (at + 1) * 4096),
  );
  const page = pages.findLastIndex((one) => one[0] === 0x0d && one.includes('identification_number'));
  await file.write(Buffer.alloc(4096, 0xff), 0, 4096, page * 4096);
  await file.close();
  box.controls.clearRequests();
  expect(await codeOf(send(here().context, [SAMPLE], options))).toBe('journal/damaged');
  expect(box.controls.requests().count).toBe(0);

  const call = here();
  expect(await status(call.context, [], { json: true })).toBe(0);
  expect(call.events()).toMatchObject([{ event: 'run', documents: { accepted: 25 } }]);
  const output = join(folder, 'rest.jsonl');
  const exported = here();
  await exportJournal(exported.context, [], { output, json: true });
  expect(existsSync(output)).toBe(true);
  expect(linesOf(output).some(({ record }) => record === 'run')).toBe(true);
});

test('what was given up makes way for the corrected file; its numbers are told', async () => {
  const { box, options, here } = await world();
  const stopped = here({ url: box.url, token: 'wrong' });
  const from = (number: number): Options => ({ ...options, param: [`first_consecutive=${number}`] });
  expect(await send(stopped.context, [SAMPLE], from(1))).toBe(3);
  const [run] = await runsOf(here());
  const corrected = await sampleCsv((grid) => {
    grid[1]![columnOf(grid, 'Número de cuenta')] = '1';
  });
  expect(await codeOf(send(here().context, [corrected], from(26)))).toBe('4');

  const asked = here({ answers: [false] });
  expect(await abandon(asked.context, [run!], {})).toBe(0);
  expect(asked.asked[0]).toContain('25');
  expect(await codeOf(abandon(here().context, [run!], {}))).toBe('run/needs-yes');
  expect(await codeOf(abandon(here().context, ['2020-01-01-1'], { yes: true }))).toBe('journal/no-such-run');
  expect(await abandon(here().context, [run!], { yes: true })).toBe(0);

  expect(await send(here().context, [corrected], from(26))).toBe(0);
  const told = here();
  await status(told.context, [run!], { json: true });
  expect(told.events().at(-1)).toMatchObject({
    rejectedNumbers: [{ typeDocumentId: 9, prefix: 'NOM', from: 1, to: 25 }],
  });
});

async function runsOf(call: Fake): Promise<readonly string[]> {
  await status(call.context, [], { json: true });
  return call.events().flatMap(({ event, run }) => (event === 'run' ? [String(run)] : []));
}

test('gaps between numbers are told', async () => {
  const { options, here } = await world();
  const one = await sampleCsv((grid) => grid.splice(2));
  const other = await sampleCsv((grid) => grid.splice(1, grid.length - 2));
  await send(here().context, [one], { ...options, param: ['first_consecutive=1'] });
  await send(here().context, [other], { ...options, param: ['first_consecutive=5'] });
  const told = here();
  await status(told.context, [], { json: true });
  expect(told.events().find(({ event }) => event === 'gaps')).toMatchObject({
    gaps: [{ typeDocumentId: 9, prefix: 'NOM', from: 2, to: 4 }],
  });
});
