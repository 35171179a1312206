import { expect, test } from 'vitest';
import { column, type Grid, gridsOf, insert, page, type Value, workbook } from '../inspect/grid.js';
import { PARAMS, placed, prepareFiles, SAMPLE } from '../support/prepare-file.js';

const [sample] = await gridsOf(SAMPLE);

/** Workers of the sample, each with what he says in some columns, and rows of words between them; which sheets have no kind of worker. */
function sheetOf(labels: readonly string[], rows: readonly (readonly Value[] | string)[]): Grid {
  const own = sample!.labels.filter((label) => !['Tipo trabajador', ...labels].includes(label));
  let at = 0;
  return {
    name: 'Nómina',
    labels: [...own, ...labels],
    rows: rows.map((row) => {
      if (typeof row === 'string') return [row];
      const worker = sample!.rows[at++]!;
      return [...own.map((label) => worker[column(sample!, label)] ?? null), ...row];
    }),
  };
}

async function checked(grid: Grid, params: Record<string, unknown> = {}) {
  const file = await workbook([page(grid)]);
  const { drafts, issues, heldBack } = await prepareFiles({
    files: [file],
    params: { ...PARAMS, type_worker_id: 1, ...params },
  });
  const kinds = drafts.map(({ body }) => (body['worker'] as { type_worker_id: number }).type_worker_id);
  const told = issues.filter(({ code }) => !code.startsWith('payroll/issue') && code !== 'payroll/late');
  return { kinds, told: placed(told), held: heldBack.length };
}

/** Its place in the sheets below. */
const LAST = 'BB';

test.each<[Value, number | undefined]>([
  ['Aprendiz SENA', undefined],
  ['APRENDIZ', undefined],
  ['Practicante SENA aprendiz', undefined],
  ['Aprendiz SENA etapa lectiva', undefined],
  ['Instructor de aprendices', 1],
  ['Auxiliar productivo', 1],
  [null, 1],
])('a position %j', async (position, kind) => {
  const { kinds, told } = await checked(sheetOf(['Cargo'], [['Gerente'], [position]]));
  expect(kinds).toEqual(kind === undefined ? [1] : [1, kind]);
  expect(told).toEqual(kind === undefined ? [[`Nómina!${LAST}3`, 'check/failed']] : []);
});

test('a position of an apprentice beside a kind of worker, in the file or for all', async () => {
  const sheet = sheetOf(
    ['Tipo trabajador', 'Cargo'],
    [
      ['19', 'Aprendiz'],
      ['01', 'Aprendiz SENA'],
      ['12', 'Aprendiz'],
    ],
  );
  expect(await checked(sheet)).toMatchObject({
    kinds: [6, 1, 4],
    told: [['Nómina!BB3', 'check/failed']],
    held: 0,
  });
  expect(await checked(sheetOf(['Cargo'], [['Aprendiz']]), { type_worker_id: 6 })).toMatchObject({
    kinds: [6],
    told: [],
  });
});

test.each(['Aprendizaje', 'Aprendiz SENA', 'Aprendiz SENA etapa productiva', 'Fijo'])(
  'a contract %j leaves the kind of worker that was answered',
  async (contract) => {
    const { kinds, told } = await checked(sheetOf(['Tipo contrato'], [[contract]]));
    expect([kinds, told]).toEqual([[1], []]);
  },
);

test('a contract and a position of an apprentice with kind 01 are accepted without a word', async () => {
  const sheet = sheetOf(
    ['Tipo trabajador', 'Tipo contrato', 'Cargo'],
    [['01', 'Aprendizaje', 'Aprendiz SENA']],
  );
  expect(await checked(sheet)).toEqual({ kinds: [1], told: [], held: 0 });
});

test.each(['Aprendiz productivo', 'Aprendiz etapa lectiva'])(
  'a kind of worker %j is asked for, since its code depends on the date',
  async (kind) => {
    const { kinds, held } = await checked(sheetOf(['Tipo trabajador'], [[kind]]));
    expect([kinds, held]).toEqual([[], 1]);
  },
);

test('workers below a heading of apprentices are held until they say their kind; the next heading ends it', async () => {
  const rows = [['Gerente'], 'APRENDICES SENA', ['Auxiliar'], [null], 'ADMINISTRACIÓN', ['Auxiliar']];
  const { kinds, told, held } = await checked(sheetOf(['Cargo'], rows));
  expect(told).toEqual([
    ['Nómina!4', 'row/under-heading'],
    ['Nómina!5', 'row/under-heading'],
  ]);
  expect([kinds, held]).toEqual([[1, 1], 2]);
  const said = sheetOf(['Tipo trabajador'], [['01'], 'Aprendices', ['19'], ['12']]);
  expect(await checked(said)).toMatchObject({ kinds: [1, 6, 4], told: [] });
});

test.each<[month: string, notices: number]>([
  ['2025-07', 0],
  ['2025-08', 1],
  ['2026-10', 1],
])(
  'the old name of kind 19 in %s has %d notices of the stage, and the code stays',
  async (month, notices) => {
    const sheet = sheetOf(
      ['Tipo trabajador', 'Tipo contrato'],
      [['Aprendiz SENA etapa productiva', 'Aprendizaje']],
    );
    const {
      month: _,
      settlement_start_date: __,
      settlement_end_date: ___,
      ...others
    } = PARAMS as Record<string, unknown>;
    const file = await workbook([page(sheet)]);
    const { drafts, issues } = await prepareFiles({ files: [file], params: { ...others, month } });
    expect(drafts.map(({ body }) => (body['worker'] as { type_worker_id: number }).type_worker_id)).toEqual([
      6,
    ]);
    const said = issues.filter(
      ({ code, place }) => code === 'check/failed' && place.label === 'Tipo trabajador',
    );
    expect(said.map(({ level }) => level)).toEqual(Array.from({ length: notices }, () => 'warning'));
  },
);

test.each(['LIQUIDACION', 'MAESTRO'])('a list tells so too, with the kind in the sheet %s', async (sheet) => {
  const all = await gridsOf('samples/payroll/conceptos/acumulado_conceptos_oct2026.xlsx');
  const kind = 'Aprendiz SENA etapa productiva';
  const file = await workbook(
    all.map((grid) => page(grid.name === sheet ? insert(grid, 1, 'TIPO TRABAJADOR', () => kind) : grid)),
  );
  const params = { ...PARAMS, month: '2026-10', sub_type_worker_id: 1, type_contract_id: 2 };
  const { drafts, heldBack, issues } = await prepareFiles({
    files: [file],
    params,
    mapping: 'mappings/payroll/long.yaml',
  });
  const said = issues.filter(
    ({ code, place }) => code === 'check/failed' && place.label === 'TIPO TRABAJADOR',
  );
  expect(said.map(({ level }) => level)).toEqual([...drafts, ...heldBack].map(() => 'warning'));
});
