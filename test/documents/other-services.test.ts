import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { prepareFiles } from '../support/prepare-file.js';

const FOLDER = 'samples/rips/consultas';
const [HEAD = '', ...LINES] = readFileSync(join(FOLDER, 'Consultas octubre.csv'), 'latin1')
  .trimEnd()
  .split(/\r?\n/);
const params = JSON.parse(readFileSync(join(FOLDER, 'params.json'), 'utf8')) as Record<string, unknown>;

test.each<[title: string, written: string, code: string | undefined]>([
  ['Tipo servicio', 'PROCEDIMIENTO', 'class/other'],
  ['Tipo de servicio', 'Medicamentos', 'class/other'],
  ['Tipo de servicio', 'Hospitalización', 'class/other'],
  ['Tipo de servicio', 'CONSULTA', undefined],
  ['Tipo de servicio', 'Consulta de urgencias', undefined],
  ['Tipo de servicio', 'Odontología', undefined],
  ['Tipo de servicio', '', undefined],
  ['Fecha egreso', '28/10/2026', 'check/failed'],
  ['Fecha egreso', '', undefined],
  ['CUM', '20054321-1', 'check/failed'],
])('a consultation with %j %j is another service: %j', async (title, written, code) => {
  const file = join(mkdtempSync(join(tmpdir(), 'cargue-others-')), 'consultas.csv');
  // A second record says another thing, so that the column is there.
  const records = LINES.slice(0, 12).map((line, at) => `${line};${at === 1 ? written : ''}`);
  writeFileSync(file, [`${HEAD};${title}`, ...records].join('\n'), 'latin1');
  const { issues } = await prepareFiles({ files: [file], mapping: 'mappings/rips/consultas.yaml', params });
  const told = issues.filter(({ place: { label } }) => label === title);
  expect(told.map(({ code: found, place: { row } }) => [found, row])).toEqual(
    code === undefined ? [] : [[code, 3]],
  );
});
