import { expect, test } from 'vitest';
import { page, type Value, workbook } from '../inspect/grid.js';
import { placed, prepareFiles } from '../support/prepare-file.js';

const PARAMS = {
  ...{ prefix: 'NOM', month: '2026-10', issue_date: '2026-10-31', payment_date: '2026-10-30' },
  ...{ type_worker_id: 1, sub_type_worker_id: 1, document_type_id: 3, municipality_id: 1006 },
  ...{ type_contract_id: 2, payment_method_id: 10, address: 'Calle 1', worked_time: 'days' },
};
const LABELS =
  'Documento,Primer apellido,Primer nombre,Fecha ingreso,Sueldo mensual,Días trabajados,Salario devengado,Salud,Pensión'.split(
    ',',
  );
const sheet = (name: string, labels: readonly string[], rows: readonly (readonly Value[])[]) =>
  page({ name, labels, rows });

/** Reads one worker, whose vacation amount stands in the sheet of workers, with dated records in others. */
async function read(amount: number | null, ...records: ReturnType<typeof sheet>[]) {
  const worker = [
    '1032456701',
    'Ramírez',
    'Carlos',
    '2020-03-02',
    2_100_000,
    20,
    1_400_000,
    84_000,
    84_000,
    amount,
  ];
  const file = await workbook([sheet('Empleados', [...LABELS, 'Vacaciones valor'], [worker]), ...records]);
  const { drafts, issues } = await prepareFiles({
    files: [file],
    mapping: 'mappings/payroll/multi-sheet.yaml',
    params: PARAMS,
  });
  const { accrued } = (drafts[0]?.body ?? {}) as { accrued?: { common_vacation?: readonly object[] } };
  const errors = issues.filter(({ level }) => level === 'error');
  return {
    items: accrued?.common_vacation,
    errors: placed(errors).map(([place, code]) => [place.replace(/^.*\//, ''), code]),
  };
}

const NOVELTY = ['Documento', 'Novedad', 'Desde', 'Hasta', 'Días', 'Valor'];
const novelties = (...rows: Value[][]) => sheet('Novedades', NOVELTY, rows);
const vacation = (from: number, to: number, amount: number | null = null): Value[] => [
  ...['1032456701', 'Vacaciones disfrutadas', `2026-10-${from}`, `2026-10-${to}`, to - from + 1, amount],
];
const item = (from: number, to: number, payment: string) => ({
  ...{ start_date: `2026-10-${from}`, end_date: `2026-10-${to}`, quantity: String(to - from + 1), payment },
});

test('a dated record takes the amount of the sheet of workers', async () => {
  const one = { items: [item(12, 21, '700000.00')], errors: [] };
  expect(await read(700_000, novelties(vacation(12, 21)))).toEqual(one);
  const dated = sheet(
    'Vacaciones',
    ['Documento', 'Desde', 'Hasta', 'Días'],
    [['1032456701', '2026-10-12', '2026-10-21', 10]],
  );
  expect(await read(700_000, dated)).toEqual(one);
});

test('a record with an amount of its own keeps it', async () => {
  const { items, errors } = await read(null, novelties(vacation(12, 16, 350_000), vacation(19, 23, 350_000)));
  expect(items).toEqual([item(12, 16, '350000.00'), item(19, 23, '350000.00')]);
  expect(errors).toEqual([]);
});

test.each([
  ['two records', 700_000, [novelties(vacation(12, 16), vacation(19, 23))]],
  [
    'a record in either of two sheets',
    700_000,
    [
      novelties(vacation(12, 16)),
      sheet(
        'Vacaciones',
        ['Documento', 'Desde', 'Hasta', 'Días'],
        [['1032456701', '2026-10-19', '2026-10-23', 5]],
      ),
    ],
  ],
  ['a record, and no amount anywhere', null, [novelties(vacation(12, 16))]],
] as const)('no amount is guessed for %s', async (_, amount, records) => {
  const { items, errors } = await read(amount, ...records);
  expect(items).toBeUndefined();
  expect(errors).not.toEqual([]);
  expect(new Set(errors.map(([, code]) => code))).toEqual(new Set(['document/required']));
});
