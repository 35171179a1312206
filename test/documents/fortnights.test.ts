import { describe, expect, test } from 'vitest';
import { formatPlace } from '../../src/toolkit/core/issue.js';
import { bookOf, workbookOf } from '../support/edit-workbook.js';
import { PARAMS, placed, prepareFiles } from '../support/prepare-file.js';

/** The wide layout in which the records of one worker are one month. */
const MERGED = `
extends: payroll/wide
cargue: 1
name: quincenas
tables:
  workers: { every: true }
one_per: { key: [document], of: [workers] }
`;

const HEADER = [
  'Tipo documento',
  'Número documento',
  'Primer apellido',
  'Segundo apellido',
  'Primer nombre',
  'Dirección',
  'Código municipio',
  'Tipo trabajador',
  'Subtipo trabajador',
  'Tipo contrato',
  'Sueldo mensual',
  'Fecha ingreso',
  'Medio de pago',
  'Fecha pago',
  'Días trabajados',
  'Salario devengado',
  'HED horas',
  'HED valor',
  'Salud',
  'Pensión',
  'Total devengado',
];

type Cells = Readonly<Record<string, string | number>>;

const half = (document: number, fortnight: 1 | 2, more: Cells = {}): (string | number)[] => {
  const cells: Cells = {
    'Tipo documento': 'CC',
    'Número documento': document,
    'Primer apellido': 'Ruiz',
    'Segundo apellido': 'Paz',
    'Primer nombre': 'Ana',
    Dirección: 'Calle 1 # 2-3',
    'Código municipio': '05001',
    'Tipo trabajador': '01',
    'Subtipo trabajador': '00',
    'Tipo contrato': '2',
    'Sueldo mensual': 4_200_000,
    'Fecha ingreso': '2020-01-15',
    'Medio de pago': '10',
    'Fecha pago': fortnight === 1 ? '2026-10-15' : '2026-10-30',
    'Días trabajados': 15,
    'Salario devengado': 2_100_000,
    Salud: 84_000,
    Pensión: 84_000,
    'Total devengado': 2_100_000,
    ...more,
  };
  return HEADER.map((title) => cells[title] ?? '');
};

const overtime = { 'HED horas': 2, 'HED valor': 50_000, 'Total devengado': 2_150_000 };

describe('two fortnights of one month', () => {
  test('money and days add up, items stay apart, dates are all there', async () => {
    const rows = [HEADER, half(101, 1, overtime), half(102, 1), half(101, 2, overtime), half(102, 2)];
    const { drafts, issues, records } = await prepareFiles({
      files: [await workbookOf(rows)],
      mappingText: MERGED,
      params: PARAMS,
    });
    expect(issues.filter(({ level }) => level === 'error')).toEqual([]);
    expect(records).toEqual({ read: 4, used: 4, skipped: 0, heldBack: 0 });
    expect(drafts.map(({ key }) => key)).toEqual(['101', '102']);
    expect(drafts[0]!.body).toMatchObject({
      payment_dates: [{ payment_date: '2026-10-15' }, { payment_date: '2026-10-30' }],
      accrued: {
        worked_days: 30,
        salary: '4200000.00',
        HEDs: [{ quantity: '2' }, { quantity: '2' }],
        accrued_total: '4300000.00',
      },
      deductions: { eps_deduction: '168000.00' },
    });
    const cells = (pointer: string) => drafts[0]!.trace.get(pointer)!.map(formatPlace);
    expect(cells('/accrued/salary')).toEqual(['Nómina!P2', 'Nómina!P4']);
    expect(cells('/accrued/HEDs/1/payment')).toEqual(['Nómina!R4']);
  });

  test('what must agree and does not names both cells, and holds back that worker alone', async () => {
    const rows = [
      HEADER,
      half(101, 1),
      half(102, 1),
      half(101, 2, { 'Sueldo mensual': 4_300_000 }),
      half(102, 2),
    ];
    const { issues, documents } = await prepareFiles({
      files: [await workbookOf(rows)],
      mappingText: MERGED,
      params: PARAMS,
    });
    const errors = issues.filter(({ level }) => level === 'error');
    expect(placed(errors)).toEqual([['Nómina!K4', 'group/conflict']]);
    expect(errors[0]!.related?.map(formatPlace)).toEqual(['Nómina!K2']);
    expect(documents).toEqual({ planned: 2, made: 1, heldBack: 1 });
  });

  test('one record too many is worked days beyond thirty', async () => {
    const rows = [HEADER, half(101, 1), half(101, 2), half(101, 2)];
    const { issues } = await prepareFiles({
      files: [await workbookOf(rows)],
      mappingText: MERGED,
      params: PARAMS,
    });
    expect(placed(issues.filter(({ level }) => level === 'error'))).toContainEqual([
      'Nómina!O2',
      'payroll/worked-days',
    ]);
  });

  test('two files, a fortnight each', async () => {
    const files = [await workbookOf([HEADER, half(101, 1)]), await workbookOf([HEADER, half(101, 2)])];
    const { drafts, records } = await prepareFiles({ files, mappingText: MERGED, params: PARAMS });
    expect(records.used).toBe(2);
    expect(drafts).toHaveLength(1);
    expect(drafts[0]!.body).toMatchObject({ accrued: { worked_days: 30 } });
  });

  test('without declared grouping the later record is at fault', async () => {
    const rows = [HEADER, half(101, 1), half(101, 2)];
    const { issues, drafts } = await prepareFiles({ files: [await workbookOf(rows)], params: PARAMS });
    expect(placed(issues.filter(({ level }) => level === 'error'))).toEqual([
      ['Nómina!B3', 'payroll/worker-month'],
    ]);
    expect(drafts).toHaveLength(1);
  });
});

test('fortnight columns side by side are added up where the labels say so', async () => {
  const header = HEADER.flatMap((title) =>
    title === 'Salario devengado' ? ['SALARIO Q1', 'SALARIO Q2'] : [title],
  );
  const record = half(101, 1, {
    'Días trabajados': 30,
    Salud: 168_000,
    Pensión: 168_000,
    'Total devengado': 4_200_000,
  });
  const at = HEADER.indexOf('Salario devengado');
  const cells = [...record.slice(0, at), 2_000_000, 2_200_000, ...record.slice(at + 1)];
  const mappingText = `
extends: payroll/wide
cargue: 1
name: lado-a-lado
tables:
  workers:
    labels: { SALARIO Q1: salary, SALARIO Q2: salary }
`;
  const { drafts, issues } = await prepareFiles({
    files: [await workbookOf([header, cells])],
    mappingText,
    params: PARAMS,
  });
  expect(issues.filter(({ level }) => level === 'error')).toEqual([]);
  expect(drafts[0]!.body).toMatchObject({ accrued: { salary: '4200000.00' } });
  // The largest part first: a sum that is too high is its fault.
  expect(drafts[0]!.trace.get('/accrued/salary')!.map(formatPlace)).toEqual(['Nómina!Q2', 'Nómina!P2']);
});

test.each<[string, string, readonly string[], readonly string[]]>([
  ['Quincena 1', 'Quincena 2', [], []],
  ['Nómina 1 al 15', 'Nómina 16 al 31', [], []],
  ['Nómina', 'Copia de Nómina', ['Copia de Nómina!A2'], ['Nómina!A5', 'Copia de Nómina!A5']],
  ['Octubre', 'Noviembre', ['Noviembre!A2'], ['Octubre!A5', 'Noviembre!A5']],
  ['Bogotá', 'Medellín', ['Medellín!A2'], ['Bogotá!A5', 'Medellín!A5']],
])(
  'a list in the sheets %s and %s with people in both is held back, unless they are halves',
  async (one, two, both, alone) => {
    const concepts = (document: number): (string | number)[][] => [
      [document, 'SUELDO BASICO', 15, 2_100_000],
      [document, 'SALUD', '', 84_000],
      [document, 'PENSION', '', 84_000],
    ];
    const rows = (document: number) => [
      ['Cédula', 'Concepto', 'Cantidad', 'Valor'],
      ...concepts(101),
      ...concepts(document),
    ];
    const files = [await bookOf({ [one]: rows(102), [two]: rows(103) })];
    const { issues } = await prepareFiles({ files, mapping: 'mappings/payroll/long.yaml' });
    const at = (wanted: string) =>
      placed(issues.filter(({ code }) => code === wanted)).map(([place]) => place);
    expect(at('group/in-two-sheets')).toEqual(both);
    expect(at('group/beside-copy')).toEqual(alone);
  },
);

test('a list in two sheets without people in common is read', async () => {
  const rows = (document: number) => [
    ['Cédula', 'Concepto', 'Cantidad', 'Valor'],
    [document, 'SUELDO BASICO', 30, 2_100_000],
  ];
  const files = [await bookOf({ Bogotá: rows(101), Medellín: rows(102) })];
  const { issues } = await prepareFiles({ files, mapping: 'mappings/payroll/long.yaml' });
  expect(issues.filter(({ code }) => code.startsWith('group/'))).toEqual([]);
});
