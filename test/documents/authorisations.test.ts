import { mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { prepareFiles } from '../support/prepare-file.js';

const FOLDER = 'samples/rips/grupos';
const [HEAD = '', ...LINES] = readFileSync(join(FOLDER, 'consultas.csv'), 'utf8').trimEnd().split('\n');
const AT = HEAD.split(',').indexOf('numAutorizacion');

test.each([
  ['AUT-123', 'AUT-123'],
  ['2026 10 77', '2026 10 77'],
  ['00123', '00123'],
  ['NO APLICA', undefined],
  ['N/A', undefined],
  ['Sin autorización', undefined],
  ['-', undefined],
  ['NULL', undefined],
  ['Ninguno', undefined],
  ['0', undefined],
  ['S/A', undefined],
  ['Sin número', undefined],
  ['no requiere autorizacion', undefined],
])('the authorisation %j of a service is %j', async (written, expected) => {
  const lines = LINES.map((line) => line.split(',').with(AT, written).join(','));
  const file = join(mkdtempSync(join(tmpdir(), 'cargue-authorisations-')), 'consultas.csv');
  writeFileSync(file, [HEAD, ...lines].join('\n'));
  const others = readdirSync(FOLDER).filter((name) => name.endsWith('.csv') && name !== 'consultas.csv');
  const { drafts, issues } = await prepareFiles({
    files: [file, ...others.map((name) => join(FOLDER, name))],
    mapping: 'mappings/rips/excel-por-nodo.yaml',
    params: JSON.parse(readFileSync(join(FOLDER, 'params.json'), 'utf8')),
  });
  type Body = { readonly document: { readonly services: readonly Record<string, unknown>[] } };
  const services = drafts.flatMap(({ body }) => (body as unknown as Body).document.services);
  const found = services.filter((one) => one['service_type_id'] === 1).map((one) => one['numAutorizacion']);
  expect(new Set(found)).toEqual(new Set([expected]));
  expect(issues.filter(({ place: { label } }) => label === 'numAutorizacion')).toEqual([]);
});
