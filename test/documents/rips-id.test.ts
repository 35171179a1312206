import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { fake } from '../cli/fake-context.js';
import { check } from '../cli/use-cases.js';
import { type Grid, gridsOf, page, type Value, workbook } from '../inspect/grid.js';
import { prepareFiles } from '../support/prepare-file.js';

const SAMPLE = 'samples/rips/libro/rips-octubre-2026.xlsx';
const PARAMS = 'samples/rips/libro/params.json';
const LAYOUT = 'rips/libro-con-rips-id';
const NIT = '900555321';
const params = JSON.parse(readFileSync(PARAMS, 'utf8')) as Record<string, unknown>;

/** Document of a patient: kind and number. */
const personIn = (row: readonly Value[]): string => `${row[0]} ${row[1]}`;

/** The sample as the provider's workbook: two RIPS, each of which counts its users from 1. */
async function provided(change: (grid: Grid) => Grid = (grid) => grid): Promise<string> {
  const [users, ...groups] = await gridsOf(SAMPLE);
  const half = Math.ceil(users!.rows.length / 2);
  const ids = new Map(
    users!.rows.map((row, at): [string, Value[]] => [
      personIn(row),
      at < half ? ['R1', NIT, at + 1] : ['R2', NIT, at - half + 1],
    ]),
  );
  const joined = ['ripsId', 'num_DocumentoIdObligado', 'consecutivoUsuario'];
  const transaction = {
    name: 'TRANSACCIÓN',
    labels: joined.slice(0, 2),
    rows: [
      ['R1', NIT],
      ['R2', NIT],
    ],
  };
  const patients = {
    name: 'USUARIOS',
    labels: [...joined, ...users!.labels],
    rows: users!.rows.map((row) => [...ids.get(personIn(row))!, ...row]),
  };
  const services = groups.map(({ name, labels, rows }) => ({
    name: name.toUpperCase(),
    labels: [...joined, ...labels.slice(2)],
    // One service of the sample is of nobody in the list.
    rows: rows.flatMap((row) => {
      const id = ids.get(personIn(row));
      return id === undefined ? [] : [[...id, ...row.slice(2)]];
    }),
  }));
  return workbook([transaction, patients, ...services].map((grid) => page(change(grid))));
}

const madeOf = async (file: string, mapping: string) => {
  const { drafts, issues } = await prepareFiles({ files: [file], mapping, params });
  const errors = issues.filter(({ level }) => level === 'error');
  return { bodies: drafts.map(({ body }) => body), errors };
};

const codesOf = ({ errors }: { readonly errors: readonly { readonly code: string }[] }) =>
  errors.map(({ code }) => code);

test('the documents are those of the patients and groups', async () => {
  const found = await madeOf(await provided(), `mappings/${LAYOUT}.yaml`);
  const same = await madeOf(SAMPLE, 'mappings/rips/excel-por-nodo.yaml');
  expect(found.bodies).toEqual(same.bodies);
  expect(codesOf(found)).toEqual(codesOf(same).filter((code) => code !== 'join/orphan'));
});

test('it is known by its columns', async () => {
  const { context, shown } = fake();
  await check(context, [await provided()], { params: PARAMS });
  expect(shown.said().join('\n')).toContain(LAYOUT);
});

/** Changes cells of a sheet's first record. */
const changed =
  (sheet: string, values: Readonly<Record<string, Value>>) =>
  (grid: Grid): Grid =>
    grid.name !== sheet
      ? grid
      : {
          ...grid,
          rows: grid.rows.map((row, at) =>
            at > 0 ? row : row.map((value, column) => values[grid.labels[column]!] ?? value),
          ),
        };

test.each([
  ['a user of no such number', changed('CONSULTAS', { consecutivoUsuario: 99 }), ['join/orphan']],
  ['a service of another RIPS', changed('CONSULTAS', { ripsId: 'R3' }), ['join/orphan']],
  ['a RIPS that no transaction has', changed('TRANSACCIÓN', { ripsId: 'R9' }), ['join/missing']],
])('%s is told', async (_, change, codes) => {
  const { errors } = await madeOf(await provided(change), `mappings/${LAYOUT}.yaml`);
  expect(codesOf({ errors })).toEqual(expect.arrayContaining(codes));
});
