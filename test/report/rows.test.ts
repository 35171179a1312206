import { describe, expect, test } from 'vitest';
import type { Issue } from '../../src/core/issue.js';
import {
  issueRow,
  runRows,
  type Saying,
  type SheetRows,
  sheetsOf,
  skippedRow,
  summaryRows,
} from '../../src/report/rows.js';
import { cell, issue, report } from './sample-report.js';

const es: Saying = { language: 'es', linkTo: () => undefined };
const en: Saying = { ...es, language: 'en' };

describe('issues', () => {
  test('place, what was found, what to do, code', () => {
    const suggestions = [{ value: '1500000', score: 0.9 }];
    const row = issueRow(issue({ suggestions }), es);
    expect(row.slice(0, 3)).toEqual(["Nómina 'A'!F17", 'Sueldo', '1.5OO.000']);
    expect(row.slice(5)).toEqual([
      '1500000',
      { text: 'Error', tone: 'bad' },
      '9000100037',
      undefined,
      undefined,
      'cell/not-a-number',
    ]);
  });

  const services = 'rips.usuarios[0].servicios.consultas[0]';
  test.each<
    [name: string, more: Parameters<typeof issue>[0], rule: string | undefined, path: string | undefined]
  >([
    ["the authority's rule", { params: { rule: 'NIE024' } }, 'NIE024', undefined],
    ['where it is in the document', { place: { pointer: '/accrued/salary' } }, undefined, '/accrued/salary'],
    [
      'where the authority says it is',
      { params: { rule: 'RVC019', path: services }, place: { pointer: '/document/services/0' } },
      'RVC019',
      services,
    ],
    [
      'an authority that says nothing',
      { params: { rule: '', path: '' }, place: { pointer: '/patient' } },
      undefined,
      '/patient',
    ],
  ])('%s', (_, more, rule, path) => {
    expect(issueRow(issue(more), es).slice(8)).toEqual([rule, path, 'cell/not-a-number']);
  });

  test('a known cell is linked', () => {
    expect(issueRow(issue(), { ...es, linkTo: () => 'n.xlsx#F17' })[0]).toEqual({
      text: "Nómina 'A'!F17",
      link: 'n.xlsx#F17',
    });
  });

  test('a rule is worded by its own table', () => {
    const text = { es: 'dice', en: 'says' };
    const extra = () => ({ level: 'error', title: text, message: text, fix: text }) as const;
    expect(issueRow({ ...issue(), code: 'remote/NIE999' } as unknown as Issue, { ...en, extra })[3]).toBe(
      'says',
    );
  });
});

test('skipped records say why', () => {
  expect(skippedRow({ place: cell('A', 40), note: 'TOTAL' }, es)).toEqual(["Nómina 'A'!A40", 'TOTAL']);
});

test('the summary shows every count of the accounting', () => {
  const counts = summaryRows(report(), es).map((row) => row[1]);
  expect(counts).toEqual([3, 1, 1, 1, 2, 1, 1, 1, 0, 0, 0, 0, 1, 0]);
});

test('the run sheet names inputs by their hash, and parameters given or assumed', () => {
  const rows = runRows(report(), en).map((row) => row.join(' = '));
  expect(rows).toContain(`File: nómina octubre.xlsx = SHA-256 ${'0f'.repeat(32)}`);
  expect(rows).toContain('Parameter: month = 2026-10');
  expect(rows).toContain('Default: high_risk_pension = false');
});

test.each([
  [
    es,
    [
      'En los documentos comparados dice 1.200.000,00 y suman 1.150.000,50: diferencia 49.999,50.',
      'Cuadra con los documentos: 1.150.000,50.',
    ],
  ],
  [
    en,
    [
      'In the documents compared it says 1,200,000.00 and they add up to 1,150,000.50: difference 49,999.50.',
      'Agrees with the documents: 1,150,000.50.',
    ],
  ],
])('a column of control says its amounts as the rest of the report does', async (saying, expected) => {
  const [computed, place] = ['1150000.50', { file: 'a.xlsx', label: 'Neto' }];
  const account = (stated: string, difference: string) =>
    ({ place, role: 'control', cells: 2, total: { name: 'net', stated, computed, difference } }) as const;
  const columns = [account('1200000.00', '49999.50'), account(computed, '0.00')];
  const { counts } = report();
  const sheet = sheetsOf(report({ counts: { ...counts, columns } }), saying).find(({ name }) =>
    /^Colum/.test(name),
  );
  const notes: unknown[] = [];
  for await (const row of sheet!.rows) notes.push(row[5]);
  expect(notes).toEqual(expected);
});

const PLAIN = ['Resumen', 'Documentos', 'Errores', 'Omitidos', 'Ejecución'];
const OWN = (): readonly SheetRows[] => [{ name: 'Propia', columns: [], rows: [] }];
test.each([
  [es, {}, PLAIN],
  [en, {}, ['Summary', 'Documents', 'Errors', 'Skipped', 'Run']],
  [es, { sheets: OWN }, [...PLAIN.slice(0, 2), 'Propia', ...PLAIN.slice(2)]],
] as const)('sheets', (saying, more, names) => {
  expect(sheetsOf(report(more), saying).map(({ name }) => name)).toEqual(names);
});
