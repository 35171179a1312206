import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { Options } from '../../src/cli/options.js';
import type { ArchivedDocument } from '../../src/sandbox/payroll/ledger.js';
import { startSandbox } from '../../src/sandbox/server.js';
import { type Fake, fake } from './fake-context.js';
import { freshFolder } from './run-cli.js';
import { columnOf, SAMPLE, sampleCsv, WIDE } from './sample.js';
import { adjust, check, convert, journalPurge, send } from './use-cases.js';

const UNKNOWN_CUNE = 'ab'.repeat(48);

/** A service that has accepted the sample's 25 workers, and how to call the program against it. */
async function world() {
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
  const here = (): Fake => fake({ url: box.url, token: box.token, workspace: join(folder, 'ws') });
  expect(await send(here().context, [SAMPLE], options)).toBe(0);
  box.controls.clearRequests();
  // In the order of the sample, whatever the order in which they came.
  const accepted = [...box.controls.documents()].sort((a, b) => numberOf(a) - numberOf(b));
  return { box, options, here, accepted };
}

const numberOf = ({ number }: ArchivedDocument): number => Number(number.slice('NOM'.length));

const NOTES: Options = {
  mapping: 'payroll/adjust',
  param: ['type_document_id=10', 'prefix=NA', 'issue_date=2026-11-09'],
};

/** A record of a sheet of corrections; the worker is the one of that row of the sample. */
interface Correction {
  readonly row: number;
  readonly kind?: 'Reemplazar' | 'Eliminar';
  readonly number?: string;
  readonly cune?: string;
  readonly date?: string;
  readonly cells?: Readonly<Record<string, string>>;
}

const HEAD = ['Tipo de nota', 'Documento a corregir', 'CUNE', 'Fecha del documento', 'Motivo'];

const sheet = (corrections: readonly Correction[]): Promise<string> =>
  sampleCsv((grid) => {
    const records = corrections.map(
      ({ row, kind = 'Reemplazar', number = '', cune = '', date = '', cells = {} }) => {
        const record = [...grid[row - 1]!];
        for (const [label, value] of Object.entries(cells)) record[columnOf(grid, label)] = value;
        return [kind, number, cune, date, 'Corrección', ...record];
      },
    );
    grid.splice(0, grid.length, [...HEAD, ...grid[0]!], ...records);
  });

const errors = (call: Fake) =>
  call
    .events()
    .flatMap(({ event, code, level, cell }) =>
      event === 'issue' && level === 'error' ? [`${cell ?? ''} ${code}`.trim()] : [],
    );
const notes = (call: Fake) =>
  call
    .events()
    .flatMap(({ event, code, level }) =>
      event === 'issue' && code === 'payroll/note-predecessor' ? [level] : [],
    );
const held = (list: readonly ArchivedDocument[]) =>
  list.map(({ kind, number, worker }) => `${kind} ${number} ${worker}`);

/** The bonus of row 3 was forgotten. */
const BONUS = {
  'Bonificación no salarial': '150000',
  'Total devengado': '6849081',
  'Neto a pagar': '6313155',
};

test('a sheet of corrections with all that it needs, and again: nothing', async () => {
  const { box, options, here, accepted } = await world();
  const first = accepted[1]!;
  const gone = accepted[8]!;
  const file = await sheet([
    { row: 3, number: 'NOM2', cune: first.cune, date: '2026-10-31', cells: BONUS },
    { row: 10, kind: 'Eliminar', number: 'NOM9', cune: gone.cune, date: '2026-10-31' },
  ]);
  const call = here();
  expect(await adjust(call.context, [file], { ...options, ...NOTES })).toBe(0);
  expect(held(box.controls.documents().slice(25))).toEqual([`replace NA1 ${first.worker}`, 'delete NA2 0']);
  expect(notes(call)).toEqual([]);
  expect(call.events().filter(({ event }) => event === 'change')).toMatchObject([
    {
      change: 'replace',
      predecessor: 'NOM2',
      fields: [
        { pointer: '/accrued/bonuses/0/non_salary_bonus', before: null, after: '150000.00' },
        { pointer: '/accrued/accrued_total', difference: '150000.00' },
      ],
    },
    { change: 'delete', predecessor: 'NOM9', proposed: false },
  ]);
  for (const command of [adjust, send]) {
    box.controls.clearRequests();
    const again = here();
    expect(await command(again.context, [file], { ...options, ...NOTES })).toBe(0);
    expect(box.controls.requests().count).toBe(0);
    expect(again.events().at(-1)).toMatchObject({ documents: { made: 2, accepted: 2 } });
  }
});

test('a sheet deletes what was purged, with what is left of it', async () => {
  const { box, options, here } = await world();
  await journalPurge(here().context, [], { before: '2027-01-01', yes: true });
  const call = here();
  const file = await sheet([{ row: 10, kind: 'Eliminar' }]);
  expect(await adjust(call.context, [file], { ...options, ...NOTES })).toBe(0);
  expect(held(box.controls.documents().slice(25))).toEqual(['delete NA1 0']);
});

test('what the sheet leaves blank comes from the journal; without one it is missing at its cell', async () => {
  const { box, options, here, accepted } = await world();
  const file = await sheet([
    { row: 3, cells: BONUS },
    { row: 9, number: 'NOM8', cells: { 'Número de cuenta': '1' } },
    { row: 10, kind: 'Eliminar', number: 'NOM9' },
    { row: 13, kind: 'Eliminar' },
    { row: 24, kind: 'Eliminar', cune: accepted[22]!.cune },
  ]);
  for (const command of [check, convert, send]) {
    const call = here();
    expect(await command(call.context, [file], { ...options, ...NOTES })).toBe(1);
    const missing = (row: number, columns: string) =>
      [...columns].map((column) => `${column}${row} document/required`);
    expect(errors(call).sort()).toEqual(
      [
        ...missing(2, 'BCD'),
        ...missing(3, 'CD'),
        ...missing(4, 'CD'),
        ...missing(5, 'BCD'),
        ...missing(6, 'BD'),
      ].sort(),
    );
  }
  const call = here();
  expect(await adjust(call.context, [file], { ...options, ...NOTES })).toBe(0);
  const made = box.controls.documents().slice(25);
  expect(made.map(({ root }) => root)).toEqual([1, 7, 8, 11, 22].map((index) => accepted[index]!.cune));
  expect(notes(call)).toEqual([]);
});

test('columns that the sheet does not have are no trouble where the journal knows', async () => {
  const { box, options, here, accepted } = await world();
  const file = await sampleCsv((grid) => {
    const record = [...grid[2]!];
    record[columnOf(grid, 'Número de cuenta')] = '1';
    const stranger = [...grid[4]!];
    stranger[columnOf(grid, 'Número documento')] = '7000000001';
    const rows = [record, stranger].map((cells) => ['Reemplazar', ...cells]);
    grid.splice(0, grid.length, ['Tipo de nota', ...grid[0]!], ...rows);
  });
  const call = here();
  expect(await adjust(call.context, [file], { ...options, ...NOTES, partial: true })).toBe(1);
  const pointers = call
    .events()
    .flatMap(({ code, row, pointer }) => (code === 'document/required' ? [`${row} ${pointer}`] : []));
  expect(pointers.sort()).toEqual(
    ['cune', 'issue_date', 'number'].map((field) => `3 /predecessor/predecessor_${field}`),
  );
  expect(box.controls.documents()[25]?.root).toBe(accepted[1]!.cune);
});

describe('held against the journal', () => {
  test.each<[string, (accepted: readonly ArchivedDocument[]) => Correction, string[], string[]]>([
    [
      'of another worker',
      (all) => ({ row: 3, number: 'NOM3', cune: all[2]!.cune, date: '2026-10-31' }),
      ['C2 payroll/note-predecessor'],
      ['error'],
    ],
    [
      'a deletion of another worker',
      (all) => ({ row: 3, kind: 'Eliminar', number: 'NOM3', cune: all[2]!.cune, date: '2026-10-31' }),
      ['C2 payroll/note-predecessor'],
      ['error'],
    ],
    [
      'of another number and date',
      (all) => ({ row: 3, number: 'NOM77', cune: all[1]!.cune, date: '2026-10-30' }),
      ['B2 payroll/note-predecessor', 'D2 payroll/note-predecessor'],
      ['error', 'error'],
    ],
    [
      'of another CUNE',
      () => ({ row: 3, number: 'NOM2', cune: UNKNOWN_CUNE, date: '2026-10-31' }),
      ['C2 payroll/note-predecessor'],
      ['error'],
    ],
    [
      'not known at all: only a warning',
      () => ({ row: 3, number: 'OLD7', cune: UNKNOWN_CUNE, date: '2026-10-31' }),
      ['B2 remote/rejected', 'send/predecessor-missing'],
      ['warning'],
    ],
  ])('%s', async (_, correction, expected, levels) => {
    const { options, here, accepted } = await world();
    const call = here();
    const file = await sheet([correction(accepted)]);
    expect(await adjust(call.context, [file], { ...options, ...NOTES })).toBe(1);
    expect(errors(call)).toEqual(expected);
    expect(notes(call)).toEqual(levels);
  });

  test('what the journal does not know goes by the number in the sheet, and what it came to stays open', async () => {
    const { options, here } = await world();
    const call = here();
    const file = await sheet([{ row: 3, number: 'OLD7', cune: UNKNOWN_CUNE, date: '2026-10-31' }]);
    await adjust(call.context, [file], { ...options, ...NOTES });
    const [change] = call.events().filter(({ event }) => event === 'change');
    expect(change).toMatchObject({ predecessor: '7', predecessorCode: UNKNOWN_CUNE });
    expect((change!['fields'] as { difference: unknown }[]).map(({ difference }) => difference)).toEqual([
      null,
      null,
    ]);
  });

  test('deleted, replaced since, or noted twice in one sheet', async () => {
    const { box, options, here, accepted } = await world();
    const of = (index: number) => ({
      number: `NOM${index + 1}`,
      cune: accepted[index]!.cune,
      date: '2026-10-31',
    });
    const go = async (...corrections: Correction[]) => {
      const call = here();
      box.controls.clearRequests();
      const code = await adjust(call.context, [await sheet(corrections)], { ...options, ...NOTES });
      return { code, call };
    };
    const second = { row: 3, ...of(1), cells: BONUS };
    const first = await go(second, { ...second, cells: { 'Número de cuenta': '1' } });
    expect(errors(first.call)).toEqual(['G3 row/key-repeated']);
    expect(box.controls.requests({ operation: 'sendAdjustNoteTestSet' }).count).toBe(0);

    expect((await go(second, { row: 10, kind: 'Eliminar', ...of(8) })).code).toBe(0);
    const replacedSince = await go({ ...second, cells: { 'Número de cuenta': '1' } });
    expect([replacedSince.code, notes(replacedSince.call)]).toEqual([0, ['warning']]);
    const deleted = await go({ row: 10, ...of(8), cells: { 'Número de cuenta': '1' } });
    expect([deleted.code, errors(deleted.call)]).toEqual([1, ['C2 payroll/note-predecessor']]);
  });
});

test('send makes notes of a sheet as well, with their totals in the plan', async () => {
  const { box, options, here, accepted } = await world();
  const file = await sheet([
    { row: 3, number: 'NOM2', cune: accepted[1]!.cune, date: '2026-10-31', cells: BONUS },
  ]);
  const call = here();
  expect(await send(call.context, [file], { ...options, ...NOTES, json: false })).toBe(0);
  expect(call.shown.raw()).toContain('6.849.081,00');
  expect(held(box.controls.documents().slice(25))).toEqual([`replace NA1 ${accepted[1]!.worker}`]);
});
