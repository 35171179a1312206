import { runExample } from './language-example.js';

/** A row of a sheet by its titles. */
export type Row = Readonly<Record<string, string | number>>;
export type Sheets = Readonly<Record<string, readonly Row[]>>;

const PARAMS = {
  prefix: 'NOM',
  month: '2026-10',
  issue_date: '2026-10-31',
  payment_date: '2026-10-30',
  address: 'Calle 1 2-3',
  municipality_id: 149,
  type_worker_id: 1,
  sub_type_worker_id: 1,
  type_contract_id: 2,
  payment_method_id: 10,
  overtime_start_time: '2026-10-01T08:00:00',
  overtime_end_time: '2026-10-01T10:00:00',
};

/** The amount of a concept, which is also what is held back for health and for pension. */
export const AMOUNT = 80000;

export const person = (id: number): Row => ({
  'Tipo documento': 'CC',
  'Número documento': id,
  'Primer apellido': 'Rojas',
  'Segundo apellido': 'Díaz',
  'Primer nombre': 'Ana',
  'Sueldo mensual': 2000000,
  'Fecha ingreso': '2024-02-01',
});

const PAID: Row = { 'Días trabajados': 30, 'Salario devengado': 2000000, Salud: AMOUNT, Pensión: AMOUNT };

export const NOTE: Row = {
  'Tipo de nota': 'Reemplazar',
  'Documento a corregir': 'NOM7',
  CUNE: 'a'.repeat(96),
  'Fecha del documento': '2026-10-31',
  Motivo: 'Faltó un concepto',
  Banco: 'Banco Sabana',
  'Tipo de cuenta': 'Ahorros',
  'Número de cuenta': '24012345678',
};

/** A person with all that every worker has, and some columns more. */
export const paid = (id: number, more: Row = {}): Row => ({ ...person(id), ...PAID, ...more });

/** Records of a list: what every worker has, and some concepts more. */
export const listed = (id: number, concepts: readonly string[], more: Row = {}): readonly Row[] => [
  { ...person(id), Concepto: 'Sueldo básico', Cantidad: 30, Valor: 2000000 },
  ...['Salud', 'Pensión']
    .filter((name) => !concepts.includes(name))
    .map((name) => ({ ...person(id), Concepto: name, Valor: AMOUNT })),
  ...concepts.map((name) => ({ ...person(id), Concepto: name, Valor: AMOUNT, ...more })),
];

function sheetText(rows: readonly Row[]): string {
  const titles = [...new Set(rows.flatMap((row) => Object.keys(row)))];
  return [titles, ...rows.map((row) => titles.map((title) => row[title] ?? ''))]
    .map((cells) => `| ${cells.join(' | ')} |`)
    .join('\n');
}

/** Converts a workbook by a mapping that extends a ready-made payroll layout. */
export const convertBook = (layout: string, sheets: Sheets, more = '') =>
  runExample({
    id: 'concept',
    title: '',
    in: 'mapping',
    mapping: `extends: payroll/${layout}\n${more}`,
    params: layout === 'adjust' ? { ...PARAMS, prefix: 'NA' } : PARAMS,
    input: {
      'nomina.xlsx': Object.fromEntries(
        Object.entries(sheets).map(([name, rows]) => [name, sheetText(rows)]),
      ),
    },
  });
