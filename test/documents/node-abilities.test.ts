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
async function bodies(
  blank: readonly string[],
  more: Record<string, unknown> = {},
  titles: Readonly<Record<string, string>> = {},
  paid?: string,
): Promise<readonly Record<string, unknown>[]> {
  const folder = mkdtempSync(join(tmpdir(), 'cargue-nodes-'));
  const files = NAMES.map((name) => {
    const [labels = [], ...rows] = gridOf(name);
    const kept = rows.map((row) =>
      row.map((cell, at) => {
        if (name === 'usuarios') return cell;
        if (blank.includes(labels[at]!)) return '';
        return paid !== undefined && labels[at] === 'valorPagoModerador' ? paid : cell;
      }),
    );
    const file = join(folder, `${name}.csv`);
    const named = name === 'usuarios' ? labels : labels.map((label) => titles[label] ?? label);
    writeFileSync(file, [named, ...kept].map((row) => row.join(',')).join('\n'));
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

test.each([
  ['Copago', 1],
  ['Cuota moderadora', 2],
])('a column %s says what was paid where no concept does', async (title, concept) => {
  const paid = await bodies(['conceptoRecaudo'], {}, { valorPagoModerador: title }, '5000');
  const concepts = paid.flatMap(({ document }) =>
    (document as { services: { conceptoRecaudo?: number }[] }).services.map(
      ({ conceptoRecaudo }) => conceptoRecaudo,
    ),
  );
  expect(new Set(concepts)).toEqual(new Set([concept]));
});
