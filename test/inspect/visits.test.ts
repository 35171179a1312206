import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { EACH_RUN } from '../../src/toolkit/inspect/param-questions.js';
import { defaultAnswer } from '../../src/toolkit/inspect/question.js';
import { prepareFiles } from '../support/prepare-file.js';
import { column, type Grid, gridsOf, insert, rename } from './grid.js';
import { answered, findIn } from './known.js';

/** A list of services that says neither invoice nor admission: what makes a document is asked. */

const SAMPLE = 'samples/rips/lista';
const params = JSON.parse(readFileSync(`${SAMPLE}/params.json`, 'utf8')) as Record<string, unknown>;
const [grid] = (await gridsOf(`${SAMPLE}/servicios octubre.csv`)) as [Grid];
const folder = mkdtempSync(join(tmpdir(), 'cargue-visits-'));

/** The first patient comes again twice on a second day; a column numbers the orders, two services of the first day one of them. */
function withOrders(): Grid {
  const day = column(grid, 'FECHA');
  const [first, ...others] = grid.rows.slice(0, 12);
  const later = first!.map((value, at) => (at === day ? '20/10/2026' : value));
  const rows = [first!, ...others, later, later];
  return insert({ ...grid, rows }, 0, 'Orden', (row) => `ORD-${Math.max(row, 1) + 700}`);
}

function fileOf(name: string, { labels, rows }: Grid): string {
  const file = join(folder, name);
  writeFileSync(file, [labels, ...rows].map((row) => row.join(';')).join('\r\n'));
  return file;
}

const file = fileOf('orders.csv', withOrders());
const OTHERS: ReadonlyMap<string, string> = new Map([['lista.A', 'no']]);
const COUNTS = { Orden: 13, dia: 6, paciente: 5 };

test('what makes a document is asked with how many each answer makes, none of them by default', async () => {
  const { open } = await findIn([file], 'rips', OTHERS);
  const [visit, ...more] = open.filter(({ id }) => !id.startsWith('param.'));
  expect(more).toEqual([]);
  const likely = visit!.answers.slice(0, visit!.likely);
  expect(likely.map(({ value, title }) => [value, /(\d+) doc/.exec(title)?.[1]])).toEqual(
    Object.entries(COUNTS).map(([value, count]) => [value, String(count)]),
  );
  expect(defaultAnswer(visit!)).toBeUndefined();
});

test.each(Object.entries(COUNTS))('%s makes %i documents', async (value, count) => {
  const said = new Map([...OTHERS, ['visit', value]]);
  const { mapping, open } = await answered(
    [file],
    'rips',
    (id) => said.get(id) ?? (id.startsWith('param.') ? EACH_RUN : undefined),
  );
  expect(open).toEqual([]);
  const { documents, issues } = await prepareFiles({ files: [file], mappingText: mapping, params });
  expect(documents.planned).toBe(count);
  expect(issues.filter(({ code, place }) => code === 'check/failed' && place.label === 'FECHA')).toEqual([]);
});

test('a column that only repeats the patient separates nothing', async () => {
  const at = column(grid, 'DOCUMENTO');
  const again = insert(withOrders(), 1, 'Contacto', (row) => `C-${withOrders().rows[row]![at + 1]}`);
  const { open } = await findIn(
    [fileOf('contacts.csv', again)],
    'rips',
    new Map([...OTHERS, ['lista.B', 'no']]),
  );
  const visit = open.find(({ id }) => id === 'visit')!;
  expect(visit.answers.slice(0, visit.likely).map(({ value }) => value)).toEqual(Object.keys(COUNTS));
});

test('nothing is asked where a column says the admission', async () => {
  const own = fileOf('admissions.csv', rename(withOrders(), { Orden: 'No. ingreso' }));
  const { open } = await findIn([own], 'rips');
  expect(open.map(({ id }) => id)).not.toContain('visit');
});
