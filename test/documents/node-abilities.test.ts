import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { prepareFiles } from '../support/prepare-file.js';

/** What parameters say of services in a list, they say of those in a sheet or file for each kind. */

const SAMPLE = 'samples/rips/grupos';
const NAMES = ['usuarios', 'consultas', 'procedimientos', 'medicamentos', 'otrosServicios'];
const params = JSON.parse(readFileSync(`${SAMPLE}/params.json`, 'utf8')) as Record<string, unknown>;
const gridOf = (name: string): string[][] =>
  readFileSync(`${SAMPLE}/${name}.csv`, 'utf8')
    .trim()
    .split(/\r?\n/)
    .map((line) => line.split(','));

/** Documents of the first record of each kind, with some columns blank. */
async function bodies(blank: readonly string[], more: Record<string, unknown> = {}): Promise<unknown> {
  const folder = mkdtempSync(join(tmpdir(), 'cargue-nodes-'));
  const files = NAMES.map((name) => {
    const [labels = [], ...rows] = gridOf(name);
    const kept = rows.map((row) =>
      row.map((cell, at) => (name !== 'usuarios' && blank.includes(labels[at]!) ? '' : cell)),
    );
    const file = join(folder, `${name}.csv`);
    writeFileSync(file, [labels, ...kept].map((row) => row.join(',')).join('\n'));
    return file;
  });
  const mapping = 'mappings/rips/excel-por-nodo.yaml';
  const { drafts } = await prepareFiles({ files, mapping, params: { ...params, ...more } });
  return drafts.map(({ body }) => body);
}

/** Group and service of each code of the sample. */
const byCups = Object.fromEntries(
  [
    ['consultas', 'codConsulta'],
    ['procedimientos', 'codProcedimiento'],
  ].flatMap(([name = '', code = '']) => {
    const [labels = [], ...rows] = gridOf(name);
    const cell = (row: readonly string[], label: string): string => row[labels.indexOf(label)]!;
    return rows.map((row) => [
      cell(row, code),
      { grupoServicios: cell(row, 'grupoServicios'), codServicio: Number(cell(row, 'codServicio')) },
    ]);
  }),
);

test.each<[what: string, blank: readonly string[], more: Record<string, unknown>]>([
  ['group and service by the CUPS code', ['grupoServicios', 'codServicio'], { services_by_cups: byCups }],
  ['the kind of document of who attends, by its number', ['tipoDocumentoIdentificacion'], {}],
])('%s', async (_, blank, more) => {
  const whole = await bodies([]);
  expect(whole).not.toHaveLength(0);
  expect(await bodies(blank, more)).toEqual(whole);
});
