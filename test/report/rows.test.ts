import { describe, expect, test } from 'vitest';
import {
  documentRow,
  issueRow,
  runRows,
  type Saying,
  sheetsOf,
  skippedRow,
  summaryRows,
} from '../../src/report/rows.js';
import type { ReportedState } from '../../src/report/run-report.js';
import { cell, document, issue, report } from './sample-report.js';

const es: Saying = { language: 'es', linkTo: () => undefined };
const en: Saying = { ...es, language: 'en' };

describe('documents', () => {
  test.each<[ReportedState, string, string, string]>([
    ['accepted', 'Aceptado', 'Accepted', 'good'],
    ['rejected', 'Rechazado', 'Rejected', 'bad'],
    ['pending', 'Pendiente', 'Pending', 'waiting'],
    ['unknown', 'Sin confirmar', 'Unconfirmed', 'doubt'],
    ['unsent', 'Sin enviar', 'Not sent', 'idle'],
    ['held-back', 'Con errores', 'Has errors', 'bad'],
  ])('%s', (state, inSpanish, inEnglish, tone) => {
    expect(documentRow(document({ state }), es)[3]).toEqual({ text: inSpanish, tone });
    expect(documentRow(document({ state }), en)[3]).toEqual({ text: inEnglish, tone });
  });

  test('columns in order', () => {
    const row = documentRow(document({ zipKey: 'zip-1', attempts: 2 }), es);
    const code = 'ab'.repeat(48);
    expect(row.toSpliced(3, 1)).toEqual([
      '9000100000',
      'Fabián Núñez',
      'NOM1',
      '',
      code,
      'zip-1',
      2,
      "Nómina 'A'!A2",
    ]);
  });

  test('an earlier acceptance and every message are said', () => {
    const row = documentRow(document({ earlier: true, issues: [issue(), issue({ value: 'x' })] }), es);
    expect(String(row[4]).split('\n')).toEqual([
      expect.stringContaining('anterior'),
      expect.stringContaining('1.5OO.000'),
      expect.stringContaining('x'),
    ]);
  });
});

describe('issues', () => {
  test('place, what was found, what to do, code', () => {
    const suggestions = [{ value: '1500000', score: 0.9 }];
    const row = issueRow(issue({ suggestions }), es);
    expect(row.slice(0, 3)).toEqual(["Nómina 'A'!F17", 'Sueldo', '1.5OO.000']);
    expect(row.slice(5)).toEqual([
      '1500000',
      { text: 'Error', tone: 'bad' },
      '9000100037',
      'cell/not-a-number',
    ]);
  });

  test("the authority's rule stands beside the code", () => {
    const rejected = issue({ code: 'remote/rejected', params: { rule: 'NIE024' } });
    expect(issueRow(rejected, es).at(-1)).toBe('remote/rejected · NIE024');
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
    expect(issueRow(issue({ code: 'remote/NIE999' }), { ...en, extra })[3]).toBe('says');
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
  [es, ['Resumen', 'Documentos', 'Errores', 'Omitidos', 'Ejecución']],
  [en, ['Summary', 'Documents', 'Errors', 'Skipped', 'Run']],
])('sheets', (saying, names) => {
  expect(sheetsOf(report(), saying).map(({ name }) => name)).toEqual(names);
});
