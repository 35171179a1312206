import { expect, test } from 'vitest';
import { type Grid, gridsOf, insert, page, pick, type Value, workbook } from './grid.js';
import { findIn } from './known.js';

const CODES = ['05001', '76001', '05266', '08001', '11001'];
const codeOf = (row: number): string => CODES[row % CODES.length]!;

/** Halves as texts with their zeros, and as numbers without. */
const FORMS: Readonly<Record<string, (half: string) => Value>> = { text: (half) => half, numbers: Number };

/** The sheet that has a municipality, with its code in two columns instead. */
function inHalves(
  grids: readonly Grid[],
  [department, municipality]: readonly [string, string],
  form: string,
  codes = codeOf,
): Grid[] {
  const isMunicipality = (label: string): boolean => /municipio/i.test(label);
  const write = FORMS[form]!;
  return grids.map((grid) => {
    const at = grid.labels.findIndex(isMunicipality);
    if (at < 0) return grid;
    const rest = pick(
      grid,
      grid.labels.filter((label) => !isMunicipality(label)),
    );
    const one = insert(rest, at, department, (row) => write(codes(row).slice(0, 2)));
    return insert(one, at + 1, municipality, (row) => write(codes(row).slice(2)));
  });
}

const books: Readonly<Record<string, readonly [family: string, grids: readonly Grid[]]>> = {
  wide: ['payroll', await gridsOf('samples/payroll/nomina-octubre-2026.xlsx')],
  'multi-sheet': ['payroll', await gridsOf('samples/payroll/multihoja/Nomina_octubre_multihoja.xlsx')],
  lista: ['rips', await gridsOf('samples/rips/lista/servicios octubre.csv')],
  'excel-por-nodo': ['rips', await gridsOf('samples/rips/nodos/RIPS_octubre.xlsx')],
};

const TITLES = [
  ['Dpto', 'Mpio'],
  ['Depto.', 'Mun.'],
  ['Cod. Depto', 'Cod. Mun.'],
  ['Cód. Dpto', 'Cód. Mpio'],
  ['Código departamento', 'Código municipio'],
  ['Departamento', 'Municipio'],
  ['DEPARTAMENTO', 'CIUDAD'],
] as const;

const forms = Object.keys(FORMS);
const cases = [
  ...TITLES.flatMap((titles) => forms.map((form) => ['wide', titles, form] as const)),
  ...TITLES.map((titles) => ['lista', titles, 'numbers'] as const),
  ...TITLES.flatMap((titles) => forms.map((form) => ['excel-por-nodo', titles, form] as const)),
  ['multi-sheet', TITLES[0], 'numbers'] as const,
];

test.each(cases)('%s: %j are assigned and joined by themselves, as %s', async (book, titles, form) => {
  const [family, grids] = books[book]!;
  const file = await workbook(inHalves(grids, titles, form).map((grid) => page(grid)));
  const { labels, open, joined } = await findIn([file], family);
  const own = labels.filter(({ label }) => titles.some((title) => title === label));
  const asked = open.filter(({ id }) => /munic|depart/i.test(id) || own.some((fit) => fit.id === id));
  expect([own.map(({ state }) => state), asked.map(({ id }) => id)]).toEqual([['decided', 'decided'], []]);
  expect(joined.map(({ halves: [, second] }) => [second?.unit, second?.rest, second?.row['code']])).toEqual([
    [String(FORMS[form]!('76')), String(FORMS[form]!('001')), '76001'],
  ]);
});

test('a pair that is no municipality is not joined, and half a code is no word to ask about', async () => {
  const [family, grids] = books['wide']!;
  const codes = (row: number): string => (row === 3 ? '05999' : codeOf(row));
  const file = await workbook(inHalves(grids, ['Dpto', 'Mpio'], 'text', codes).map((grid) => page(grid)));
  const { joined, words, open } = await findIn([file], family);
  expect([joined, words.map(({ word }) => word)]).toEqual([[], []]);
  expect(open.filter(({ id }) => id.startsWith('value.'))).toEqual([]);
});

test('a day and its hour in two columns are read together, and it is said', async () => {
  const [family, grids] = books['lista']!;
  const { moments } = await findIn([await workbook(grids.map((grid) => page(grid)))], family);
  expect(moments.map(({ day, hour }) => [day.label, hour.label])).toContainEqual(['FECHA', 'HORA']);
});
