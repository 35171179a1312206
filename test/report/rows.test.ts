import { describe, expect, test } from 'vitest';
import {
  type CellValue,
  issueRow,
  type ReportContext,
  runRows,
  type SheetRows,
  sheetsOf,
  skippedRow,
  summaryRows,
} from '../../src/report/rows.js';
import type { Issue } from '../../src/toolkit/core/issue.js';
import { cell, issue, report } from './sample-report.js';

const es: ReportContext = { language: 'es', linkTo: () => undefined };
const en: ReportContext = { ...es, language: 'en' };

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
  const counts = summaryRows(report(), es).flatMap(([, count]) => (typeof count === 'number' ? [count] : []));
  expect(counts).toEqual([1, 0, 0, 0, 0, 1, 2, 3, 1, 1, 1, 1, 1, 0]);
});

test.each([
  [es, [], 'Documentos electrónicos: 1 de 2 aceptados'],
  [es, ['2026-10'], 'Documentos electrónicos de octubre de 2026: 1 de 2 aceptados'],
  [en, ['2026-10'], 'Electronic documents of October 2026: 1 of 2 accepted'],
] as const)('the title of the first sheet says how many of which month', (context, months, title) => {
  const [summary] = sheetsOf(report({ facts: { ...report().facts, months } }), context);
  expect(summary?.columns[0]?.heading).toBe(title);
});

test('the summary begins with who stands for what, then pesos by what became of them', () => {
  const totals = {
    accepted: { accrued: '100.50', net: '90.50' },
    rejected: { accrued: '1.00', net: '1.00' },
  };
  const difference = { month: '2026-09', changed: 2, fresh: 1, missing: 0, amount: '-5.00' };
  const facts = {
    ...report().facts,
    companyName: 'Andina SAS',
    nit: '900123456',
    months: ['2026-10'],
    environment: 'production',
    started: '2026-11-02T03:30:00.000Z',
    by: 'ana',
    approval: { by: 'Luis', at: '2026-11-02T14:05:00.000Z' },
  } as const;
  const rows = summaryRows(report({ facts, totals, difference }), es);
  const shown = (value: CellValue) => (typeof value === 'object' && 'as' in value ? value.value : value);
  expect(rows.slice(0, 6).map((row) => row.map(shown))).toEqual([
    ['Empresa', 'Andina SAS'],
    ['NIT', '900123456'],
    ['Mes', 'octubre de 2026'],
    ['Ambiente', 'producción'],
    ['Inicio (hora de Bogotá)', '01/11/2026 22:30'],
    ['Aprobó', 'Luis (02/11/2026 09:05)'],
  ]);
  const figures = (at: number) => rows[at]!.slice(1, 4);
  expect(rows[7]!.slice(1, 4).map(shown)).toEqual(['Cantidad', 'Devengado', 'Neto']);
  expect([8, 9, 14, 15].map(figures)).toEqual([
    [1, '100.50', '90.50'],
    [0, '1.00', '1.00'],
    [2, '101.50', '91.50'],
    [3, undefined, '-5.00'],
  ]);
});

test.each([
  [{ documentKey: '1' }, 'El documento completo'],
  [{}, 'Toda la ejecución'],
  [{ place: { param: 'month' } }, 'Parámetro month'],
  [{ place: { param: 'month', title: { es: 'Mes de la nómina', en: 'Month' } } }, 'Mes de la nómina'],
])('where: %j', (more, where) => {
  const { documentKey: _, ...general } = issue();
  expect(issueRow({ ...general, place: { pointer: '/period' }, ...more } as Issue, es)[0]).toBe(where);
});

test('the run sheet names inputs by their hash, and parameters given or assumed', () => {
  const titles = { month: { es: 'Mes de la nómina', en: 'Month of the payroll' } };
  const rows = runRows(report({ facts: { ...report().facts, titles } }), en).map((row) => row.join(' = '));
  expect(rows).toContain(`File: nómina octubre.xlsx = SHA-256 ${'0f'.repeat(32)}`);
  expect(rows).toContain('Parameter: Month of the payroll (month) = 2026-10');
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

test('a rule that is known leads to the row that explains it', async () => {
  const rejected = (rule: string) =>
    ({ code: 'remote/rejected', level: 'error', params: { rule, text: '' }, place: {} }) as const;
  const rules = ['NIE076', '90', 'XYZ1', 'NIE076'];
  const sheets = sheetsOf(report({ issues: () => rules.map(rejected) }), en);
  const rowsOf = async (name: string) => {
    const rows: (readonly unknown[])[] = [];
    for await (const row of sheets.find((sheet) => sheet.name === name)!.rows) rows.push(row);
    return rows;
  };
  expect((await rowsOf('Errors')).map((row) => row[8])).toEqual([
    { text: 'NIE076', link: "#'Rules'!A2" },
    { text: '90', link: "#'Rules'!A3" },
    'XYZ1',
    { text: 'NIE076', link: "#'Rules'!A2" },
  ]);
  const explained = await rowsOf('Rules');
  expect(explained.map(([id, family]) => [id, family])).toEqual([
    ['NIE076', 'electronic payroll'],
    ['90', 'electronic payroll'],
  ]);
  for (const [, , ...texts] of explained) for (const text of texts) expect(text).toBeTruthy();
});

const PLAIN = ['Resumen', 'Documentos', 'Errores', 'Reglas', 'Omitidos', 'Ejecución'];
const OWN = (): readonly SheetRows[] => [{ name: 'Propia', columns: [], rows: [] }];
test.each([
  [es, {}, PLAIN],
  [en, {}, ['Summary', 'Documents', 'Errors', 'Rules', 'Skipped', 'Run']],
  [es, { sheets: OWN }, [...PLAIN.slice(0, 2), 'Propia', ...PLAIN.slice(2)]],
] as const)('sheets', (saying, more, names) => {
  expect(sheetsOf(report(more), saying).map(({ name }) => name)).toEqual(names);
});
