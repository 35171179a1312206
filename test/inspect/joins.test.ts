import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { prepareFiles } from '../support/prepare-file.js';
import { type Grid, gridsOf, insert, mapColumn, page, rename, type Value, workbook } from './grid.js';
import { answered, type Found, findIn } from './known.js';

const FOLDER = 'samples/rips/nodos';
const params = JSON.parse(readFileSync(`${FOLDER}/params.json`, 'utf8')) as Record<string, unknown>;
const sheets = await gridsOf(`${FOLDER}/RIPS_octubre.xlsx`);
const whole = await prepareFiles({
  files: [`${FOLDER}/RIPS_octubre.xlsx`],
  mapping: `${FOLDER}/mapeo.yaml`,
  params,
});

/** As if no ready-made mapping knew how these sheets are joined. */
const READY = { family: 'rips', without: 'rips/libro-por-nodo' };
const KEY = 'id_usuario';
const CHILDREN = sheets.flatMap(({ name, labels }) =>
  labels.includes(KEY) && name !== 'usuarios' ? [name] : [],
);

/** The workbook with another change in each sheet that has the key. */
const changed = (change: (grid: Grid) => Grid): Grid[] =>
  sheets.map((grid) => (grid.labels.includes(KEY) ? change(grid) : grid));

const renamed = (parent: string, child: string): Grid[] =>
  changed((grid) => rename(grid, { [KEY]: grid.name === 'usuarios' ? parent : child }));

const book = async (grids: readonly Grid[]): Promise<string[]> => [
  await workbook(grids.map((grid) => page(grid))),
];

/** The patients in a workbook, the services in another. */
const books = async (grids: readonly Grid[]): Promise<string[]> => {
  const shared = (grid: Grid): boolean => ['transaccion', 'usuarios'].includes(grid.name);
  return [...(await book(grids.filter(shared))), ...(await book(grids.filter((grid) => !shared(grid))))];
};

const TOWN = { 'usuarios.J': 'codMunicipioResidencia' };

interface Case {
  readonly name: string;
  readonly grids: readonly Grid[];
  readonly write?: typeof book;
  /** What is asked of how the sheets are joined, and the answer that is right. */
  readonly right?: string;
}

const CASES: readonly Case[] = [
  { name: 'one label in all sheets', grids: sheets },
  { name: 'the patients in a file of their own', grids: sheets, write: books },
  {
    name: 'an id with letters',
    grids: changed((grid) => mapColumn(grid, KEY, (value) => `P${Number(value) + 100}`)),
  },
  {
    name: 'another label in the sheet of patients',
    grids: renamed('ID', 'ID_USUARIO'),
    right: 'ID_USUARIO=ID',
  },
  {
    name: 'labels without a word in common',
    grids: renamed('consecutivo interno', 'paciente'),
    right: 'paciente=consecutivo interno',
  },
];

describe.each(CASES)('sheets joined by an id of their own: $name', ({ grids, write = book, right }) => {
  let paths: readonly string[];
  let first: Found;
  test('is told by the values', async () => {
    paths = await write(grids);
    first = await findIn(paths, READY);
    const asked = first.open.filter(({ id }) => id.startsWith('join.'));
    expect(first.fit?.tables.map(({ sheet }) => sheet.name).sort()).toEqual(
      right === undefined ? grids.map(({ name }) => name).sort() : expect.arrayContaining(['usuarios']),
    );
    expect(asked.map(({ id, answers }) => [id, answers[0]?.value])).toEqual(
      right === undefined ? [] : CHILDREN.map((name) => [`join.${name}`, right]),
    );
  });

  test('gives the documents of the sample', async () => {
    const { mapping, open } = await answered(paths, READY, (id) =>
      id.startsWith('join.') ? right : TOWN[id as keyof typeof TOWN],
    );
    expect(open).toEqual([]);
    const prepared = await prepareFiles({ files: paths, mappingText: mapping, params });
    expect(prepared.drafts.map(({ body }) => body)).toEqual(whole.drafts.map(({ body }) => body));
  });
});

test('the number of a clinic under its own label is that of the layout that has one', async () => {
  const paths = await book(renamed('No. Historia', 'No. Historia'));
  const { mapping, open } = await answered(paths, 'rips', (id) =>
    id === 'layout' ? 'rips/libro-por-nodo' : TOWN[id as keyof typeof TOWN],
  );
  expect(open).toEqual([]);
  const prepared = await prepareFiles({ files: paths, mappingText: mapping, params });
  expect(prepared.drafts.map(({ body }) => body)).toEqual(whole.drafts.map(({ body }) => body));
});

describe('a column of one name in two sheets joins them only when it can', () => {
  const counted = (grid: Grid): Grid =>
    insert(
      mapColumn(grid, KEY, (_, row): Value => `X${grid.name}${row}`),
      1,
      'orden',
      (row) => row + 1,
    );
  test.each([
    ['a count of rows', changed(counted), CHILDREN.map((name) => `join.${name}`)],
    [
      'an id that comes twice among the patients',
      sheets.map((grid) =>
        grid.name === 'usuarios' ? mapColumn(grid, KEY, (value, row) => (row === 1 ? 1 : value)) : grid,
      ),
      CHILDREN.map((name) => `join.${name}`),
    ],
  ])('%s', async (_, grids, asked) => {
    const { open } = await findIn(await book(grids), READY);
    expect(open.map(({ id }) => id).filter((id) => id.startsWith('join.'))).toEqual(asked);
  });
});
