import { expect, test } from 'vitest';
import { look } from './answering.js';
import { page, type Value, workbook } from './grid.js';

const WORKERS = [
  [
    'Cédula',
    'Tipo documento',
    'Primer apellido',
    'Segundo apellido',
    'Primer nombre',
    'Sueldo',
    'Fecha ingreso',
  ],
  ['79000001', 'CC', 'Ríos', 'Vega', 'Luis', 2000000, new Date('2020-01-01')],
];

/** What is asked of a list of one worker. */
async function asked(labels: readonly string[], ...rows: readonly (readonly Value[])[]) {
  const lines = page({
    name: 'Mov',
    labels: ['Cédula', ...labels],
    rows: rows.map((row) => ['79000001', ...row]),
  });
  return look([await workbook([lines, { name: 'Maestro', rows: WORKERS }])]);
}

test('what a concept may be is a class of concepts, and no side of the payroll', async () => {
  const { open } = await asked(
    ['Concepto', 'Cantidad', 'Valor'],
    ['SUELDO', 30, 2000000],
    ['SALUD', null, 80000],
    ['PENSION', null, 80000],
    ['DESCUENTO POR DAÑOS', null, 5000],
  );
  const question = open.find(({ id }) => id === 'class.DESCUENTO POR DAÑOS')!;
  const values = question.answers.map(({ value }) => value);
  expect(values).toContain('other_deduction');
  expect(values).not.toContain('deduction');
});

test('the price of one unit is no amount of a record', async () => {
  const { open, labels } = await asked(
    ['Concepto', 'Unidades', 'Vlr Unitario', 'Valor'],
    ['SUELDO', 30, 66667, 2000000],
    ['HORA EXTRA DIURNA', 4, 11905, 47620],
    ['SALUD', null, null, 81905],
    ['PENSION', null, null, 81905],
  );
  expect(labels.find(({ label }) => label === 'Vlr Unitario')).toMatchObject({ state: 'ignored' });
  expect(labels.find(({ label }) => label === 'Valor')).toMatchObject({ state: 'decided', means: 'value' });
  expect(open.map(({ id }) => id)).not.toContain('lines.D');
});

const ONCE = ['79000001', null, null, '79000002', null, null];
const ANA = 'Ana Ruiz Paz';
const LUIS = 'Luis Mora Gil';

test.each<[string, readonly Value[], readonly Value[], boolean]>([
  ['each worker in his first row', ONCE, [ANA, null, null, LUIS, null, null], true],
  ['each worker once, and his name always', ONCE, [ANA, ANA, ANA, LUIS, LUIS, LUIS], true],
  [
    'a worker by his name alone',
    ['79000001', null, null, null, null, null, '79000003'],
    [ANA, null, null, LUIS, null, null, ANA],
    true,
  ],
  ['each row', ['79000001', '79000001', '79000001', '79000002', '79000002', '79000002'], [], false],
  ['nearly each row', ['79000001', '79000001', null, '79000002', null, '79000002'], [], false],
])('a list that names %s', async (_, documents, names, isAsked) => {
  const concepts = [
    ['SUELDO', 30, 2000000],
    ['SALUD', null, 80000],
    ['PENSION', null, 80000],
  ];
  const rows = documents.map((one, at) => [one, names[at] ?? null, ...concepts[at % 3]!]);
  const lines = page({ name: 'Mov', labels: ['Cédula', 'Nombre', 'Concepto', 'Cantidad', 'Valor'], rows });
  const files = [await workbook([lines])];
  const { open, fit } = await look(files);
  expect(fit?.name).toBe('payroll/long');
  expect(open.some(({ id }) => id === 'worker_above')).toBe(isAsked);
  if (!isAsked) return;
  const { tree } = await look(files, new Map([['worker_above', 'sí']]));
  expect(tree).toHaveProperty('params.worker_above.default', true);
});

test.each<[string, readonly string[], boolean]>([
  ['documents alone', [], true],
  ['names that nothing reads beside them', ['Nombre'], false],
])('a sheet of overtime that says once its %s', async (_, more, isAsked) => {
  const people = {
    name: 'Empleados',
    rows: [
      [...WORKERS[0]!, 'Días trabajados'],
      [...WORKERS[1]!, 30],
    ],
  };
  const labels = ['Cédula', ...more, 'Fecha hora inicio', 'Fecha hora fin', 'Horas', 'Valor'];
  const rows = ['79000001', null, '79000002', null].map((one) => [
    one,
    ...more.map(() => (one === null ? null : ANA)),
    '2026-10-06 18:00',
    '2026-10-06 20:00',
    2,
    25000,
  ]);
  const hours = page({ name: 'Horas extras diurnas', labels, rows });
  const { open, fit } = await look([await workbook([people, hours])]);
  expect(fit?.name).toBe('payroll/multi-sheet');
  expect(open.some(({ id }) => id === 'fill_down.hed')).toBe(isAsked);
});

test.each<[string, readonly string[], boolean]>([
  ['two months', ['2026-10-01', '2026-11-01'], true],
  ['two fortnights', ['2026-10-01', '2026-10-16'], false],
])('a list with dates of %s', async (_, days, isAsked) => {
  const rows = days.flatMap((day) =>
    [
      ['SUELDO', 30, 2000000],
      ['SALUD', null, 80000],
      ['PENSION', null, 80000],
    ].map(([concept, quantity, value]) => {
      const [from, to] = [new Date(day), new Date(day.replace(/\d\d$/, (first) => `${Number(first) + 14}`))];
      return [from, to, concept!, quantity!, value!];
    }),
  );
  const { open } = await asked(['Desde', 'Hasta', 'Concepto', 'Cantidad', 'Valor'], ...rows);
  expect(open.some(({ id }) => id === 'record_dates')).toBe(isAsked);
});

test.each<[string, string, readonly string[]]>([
  ['DB', 'CR', []],
  ['Debe', 'Haber', []],
  ['Devengo', 'Deducción', []],
  ['D', 'H', ['class.D']],
  ['D', 'C', ['lines.C']],
])(
  'the sides %s and %s of a list are known as far as they mean one thing',
  async (earning, deduction, open) => {
    const found = await asked(
      ['Concepto', 'Naturaleza', 'Horas trabajadas', 'Cantidad', 'Valor'],
      ['SUELDO', earning, 220, 30, 2000000],
      ['BONIFICACION NO SALARIAL', earning, null, null, 100000],
      ['SALUD', deduction, null, null, 80000],
      ['PENSION', deduction, null, null, 80000],
    );
    const ids = found.open.map(({ id }) => id);
    expect(ids.filter((id) => !id.startsWith('param.'))).toEqual(open);
    const hours = found.labels.find(({ label }) => label === 'Horas trabajadas');
    expect(hours).toMatchObject({ state: 'ignored', reason: 'declined' });
  },
);

test('a column of concepts is known by them, under any title and with some that are not known', async () => {
  const { open, questions } = await asked(
    ['Texto expl. de la nómina', 'Cantidad', 'Importe'],
    ['Sueldo básico', 30, 2000000],
    ['Subsidio de transporte', 30, 249095],
    ['Salud empleado', null, 80000],
    ['Pensión empleado', null, 80000],
    ['Transferencia bancaria', null, 2089095],
  );
  expect(open.find(({ id }) => id === 'lines.B')?.answers[0]).toMatchObject({ value: 'concept' });
  expect(questions.flatMap(({ members = [] }) => members)).not.toContain('lines.B');
});
