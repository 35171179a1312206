import { expect, test } from 'vitest';
import { page, type Value, workbook } from '../inspect/grid.js';
import { prepareFiles } from '../support/prepare-file.js';

const PARAMS = {
  prefix: 'NOM',
  month: '2026-10',
  issue_date: '2026-10-31',
  payment_date: '2026-10-30',
  worked_time: 'days',
  type_worker_id: 1,
  sub_type_worker_id: 1,
  type_contract_id: 2,
  payment_method_id: 10,
  municipality_id: 1,
  address: 'Calle 1 # 2-3',
  document_type_id: 3,
  worker_above: true,
};
const LABELS = [
  'No.',
  'Cédula',
  'Apellido 1',
  'Nombre 1',
  'Cargo',
  'Fecha ingreso',
  'Sueldo mensual',
  'Quincena',
  'Concepto',
  'Cantidad',
  'Valor',
];
const ADMITTED = new Date('2025-01-15T00:00:00Z');

interface Changes {
  /** Of workers whose first row lost document and names. */
  readonly lost?: readonly number[];
  /** What the first row of each says besides. */
  readonly number?: boolean;
  readonly position?: boolean;
  readonly concepts?: readonly (readonly [string, number | null, number, Value?])[];
  readonly workers?: number;
}

const HALF = [
  ['SUELDO BASICO', 15, 1000000],
  ['SALUD', null, 40000],
  ['PENSION', null, 40000],
] as const;
const BOTH = [...HALF.map((one) => [...one, '1Q'] as const), ...HALF.map((one) => [...one, '2Q'] as const)];

/** A list that says whose a record is in the first of each worker alone. */
function listOf({ lost = [], number, position, concepts = HALF, workers = 4 }: Changes): Promise<string> {
  const rows = Array.from({ length: workers }, (_, worker) =>
    concepts.map(([concept, quantity, value, half = null], at): Value[] => {
      const isFirst = at === 0;
      const isSaid = isFirst && !lost.includes(worker);
      return [
        isFirst && number ? worker + 1 : null,
        ...(isSaid ? [`7900000${worker}`, 'RIOS', 'LUIS'] : [null, null, null]),
        isFirst && position ? 'Auxiliar' : null,
        isSaid ? ADMITTED : null,
        isSaid ? 2000000 : null,
        half,
        concept,
        quantity,
        value,
      ];
    }),
  );
  return workbook([page({ name: 'Mov', labels: LABELS, rows: rows.flat() })]);
}

const OTHER = [HALF[1], HALF[2], HALF[0]];
const WITHOUT = [HALF[1], HALF[2]];

test.each<[string, Changes, readonly number[]]>([
  ['nothing', {}, []],
  ['a head, and the salary comes again', { lost: [2] }, [8]],
  ['the head of the second worker', { lost: [1] }, [5]],
  ['a head where the salary is not first', { lost: [2], concepts: OTHER }, [10]],
  ['a head with the number that the first rows have', { lost: [2], number: true, concepts: WITHOUT }, [6]],
  [
    'a head with the position that the first rows have',
    { lost: [3], position: true, concepts: WITHOUT },
    [8],
  ],
  ['nothing, with two fortnights that are told', { concepts: BOTH }, []],
  ['a head, with two fortnights that are told', { lost: [2], concepts: BOTH }, [14]],
])('a list that lost %s', async (_, changes, rows) => {
  const { issues, drafts } = await prepareFiles({
    files: [await listOf(changes)],
    mapping: 'mappings/payroll/long.yaml',
    params: PARAMS,
  });
  expect(issues.flatMap(({ code, place }) => (code === 'row/begins-another' ? place.row : []))).toEqual(rows);
  const { lost = [], workers = 4, concepts = HALF } = changes;
  // Neither the worker above nor who was lost.
  if (concepts !== WITHOUT) expect(drafts).toHaveLength(workers - 2 * lost.length);
});
