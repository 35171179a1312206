import { join } from 'node:path';
import ExcelJS from 'exceljs';
import { expect, onTestFinished, test } from 'vitest';
import { IssueDeduplicator } from '../../src/app/outcomes.js';
import type { SandboxOptions } from '../../src/sandbox/options.js';
import { startSandbox } from '../../src/sandbox/server.js';
import { fake } from './fake-context.js';
import { freshFolder } from './run-cli.js';
import { SAMPLE, WIDE } from './sample.js';
import { send } from './use-cases.js';

interface Issue {
  readonly event: string;
  readonly code: string;
  readonly cell: string | null;
  readonly row: number | null;
  readonly param: string | null;
  readonly mapping: string | null;
  readonly documents: number | null;
}

/** Sends the sample to a service that finds fault with it; what is said of the cause, on screen, in --json and in the files. */
async function sent(rules: readonly string[], more: SandboxOptions = {}) {
  const box = await startSandbox(more);
  onTestFinished(() => box.close());
  if (rules.length > 0) box.controls.addOutcome({ match: {}, verdict: 'reject', rules: [...rules] });
  const folder = freshFolder();
  const files = { report: join(folder, 'report.xlsx'), annotate: join(folder, 'anotado.xlsx') };
  const call = fake({ url: box.url, token: box.token, workspace: join(folder, 'ws') });
  const code = await send(call.context, [SAMPLE], {
    ...WIDE,
    ...files,
    testSet: 'set-1',
    yes: true,
    json: true,
    showValues: true,
  });
  const issues = (call.events() as unknown as Issue[]).filter(
    ({ event, code: said }) => event === 'issue' && said.startsWith('remote/'),
  );
  const rejected = call
    .events()
    .filter(({ event, state }) => event === 'outcome' && state === 'rejected').length;
  return { code, rejected, said: issues, ...files };
}

const about = ({ cell, row, param, mapping }: Issue): string =>
  [cell ?? (row === null ? '' : `row ${row}`), param, mapping].filter(Boolean).join(' ');

test.each<[rule: string, about: string, times: number]>([
  ['NIE026', 'issue_date', 1], // the issue date is a parameter, not a hiring date
  ['NIE004', 'settlement_start_date', 1],
  ['NIE010', 'prefix', 1],
  ['NIE203', 'payment_date', 1],
  ['NIE017', '', 1], // the software: a matter of the company
  ['NIE033', '', 1],
  ['NIE002', 'P2', 25],
  ['NIE061', 'L2', 25],
  ['NIE187', 'AR2', 25], // the cell that states the total
  ['NIE777', 'row 2', 25], // a rule that nobody here knows stands at the record
])('a rejection by %s is blamed on %s', async (rule, expected, times) => {
  const { code, rejected, said } = await sent([rule]);
  expect(said.length).toBe(times);
  // A fault of the company stops the run before all are sent.
  if (expected === '') expect(rejected).toBeGreaterThan(1);
  else expect([code, rejected]).toEqual([1, 25]);
  expect([about(said[0]!), said[0]!.documents]).toEqual([expected, times === 1 ? rejected : null]);
});

test('what no cell caused stands once in the report and in the annotated copy', async () => {
  const { report, annotate } = await sent(['NIE026']);
  const book = new ExcelJS.Workbook();
  await book.xlsx.readFile(report);
  const rows = book.getWorksheet('Errores')!.getSheetValues().slice(2) as ExcelJS.CellValue[][];
  expect(rows.filter((row) => JSON.stringify(row).includes('remote/rejected')).map((row) => row[1])).toEqual([
    'Fecha de emisión de los documentos',
  ]);
  const copy = new ExcelJS.Workbook();
  await copy.xlsx.readFile(annotate);
  const notes: string[] = [];
  copy.worksheets[0]!.eachRow((row) =>
    row.eachCell({ includeEmpty: true }, ({ note, address }) => {
      if (note !== undefined) notes.push(`${address} ${JSON.stringify(note)}`);
    }),
  );
  expect(notes.filter((note) => note.includes('Fecha de emisión de los documentos'))).toHaveLength(1);
  expect(notes.find((note) => note.includes('Fecha de emisión de los documentos'))).toMatch(/^[A-Z]+1 /);
});

test('a missing resolution number is blamed on its parameter', async () => {
  const range = { typeDocumentId: 9 as const, from: 1, to: 9999 };
  const resolutions = ['NOM', 'NI'].map((prefix) => ({ ...range, prefix }));
  const { said } = await sent([], { companies: [{ nit: '900123456', resolutions }] });
  expect(said.map(about)).toEqual(['resolution_number']);
  expect(said[0]!.documents).toBeGreaterThan(1);
});

test('what no leaf of the record caused stands at the record, not at its first cell', () => {
  const once = new IssueDeduplicator();
  const place = { pointer: '/consecutive' };
  once.take(
    { code: 'remote/refused', level: 'error', params: { text: 'x' }, place },
    { sheet: 'Nómina', row: 12, column: 'P', label: 'Fecha ingreso' },
  );
  expect([...once.finish()].map((issue) => issue.place)).toEqual([{ sheet: 'Nómina', row: 12, ...place }]);
});
