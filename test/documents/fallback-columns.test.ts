import { mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { loadMapping } from '../../src/toolkit/mapping/load.js';
import { prepareFiles } from '../support/prepare-file.js';

/** By ready-made mapping: the columns of which a value is lost where another source of the same field has one. */
const LIST = [
  'nombreCompleto',
  'codServicio',
  'codDiagnosticoRelacionado1',
  'codDiagnosticoRelacionado2',
  'codDiagnosticoRelacionado3',
  'codDiagnosticoRelacionado1CIE11',
  'nomCodDiagnosticoRelacionado1CIE11',
  'codDiagnosticoRelacionado2CIE11',
  'nomCodDiagnosticoRelacionado2CIE11',
  'codDiagnosticoRelacionado3CIE11',
  'nomCodDiagnosticoRelacionado3CIE11',
  'pesoGramos',
  'codTecnologiaSalud',
  'codCUPS',
  'cantidad',
  'cum',
];
const BEHIND: Readonly<Record<string, readonly string[]>> = {
  'payroll/long.yaml': ['surnames', 'full_name', 'names'],
  'payroll/payresult.yaml': ['surnames', 'full_name', 'names'],
  'payroll/multi-sheet.yaml': ['bank', 'account_type', 'account_number'],
  'payroll/split-novelties.yaml': ['bank', 'account_type', 'account_number'],
  'rips/agenda.yaml': ['nombreCompleto'],
  'rips/consultas.yaml': ['nombreCompleto'],
  'rips/excel-por-nodo.yaml': ['nombreCompleto'],
  'rips/libro-con-rips-id.yaml': ['nombreCompleto'],
  'rips/libro-por-nodo.yaml': ['nombreCompleto'],
  'rips/servicios-sin-titulos.yaml': ['nombreCompleto'],
  'rips/sin-titulos.yaml': ['nombreCompleto'],
  'rips/lista.yaml': LIST,
  'rips/lista-de-un-tipo.yaml': LIST,
  'events/list-with-files.yaml': ['receiver_name'],
};

const FILES = ['payroll', 'rips', 'events'].flatMap((family) =>
  readdirSync(`mappings/${family}`).map((file) => `${family}/${file}`),
);

async function columnsBehind(file: string): Promise<readonly string[]> {
  const { fields, mains, targets } = await loadMapping(`mappings/${file}`);
  const atRisk = new Set(
    targets
      .flatMap(({ atRisk }) => mains.flatMap(({ tableIndex }) => atRisk.get(tableIndex) ?? []))
      .map(([column]) => column),
  );
  const found = fields.flatMap(({ sources: [, ...fallbacks] }) =>
    fallbacks.flatMap(({ columns }) =>
      columns.filter((column) => column.kind !== 'money' && atRisk.has(column)),
    ),
  );
  return [...new Set(found.map(({ id }) => id))];
}

test.each(FILES)('%s', async (file) => {
  expect(await columnsBehind(file)).toEqual(BEHIND[file] ?? []);
});

const [TITLES = '', ...ROWS] = readFileSync('samples/rips/lista/servicios octubre.csv', 'latin1').split(
  /\r?\n/,
);
const row = (kind: string): string => ROWS.find((one) => one.includes(`;${kind};`))!;
const MEDICINE = row('MEDICAMENTO').split(';');
const [CUPS, CUM] = ['CUPS', 'CUM'].map((title) => TITLES.split(';').indexOf(title)) as [number, number];

test.each<[string, string, readonly string[]]>([
  ['another code', '890201', ['CUPS']],
  ['the same code', MEDICINE[CUM]!, []],
  ['no other code', '', []],
])('a medicine with %s', async (_, code, lost) => {
  const file = join(mkdtempSync(join(tmpdir(), 'cargue-')), 'lista.csv');
  writeFileSync(file, `${TITLES}\n${MEDICINE.with(CUPS, code).join(';')}\n`, 'latin1');
  const params = JSON.parse(readFileSync('samples/rips/lista/params.json', 'utf8')) as Record<
    string,
    unknown
  >;
  const { issues } = await prepareFiles({ mapping: 'mappings/rips/lista.yaml', params, files: [file] });
  const found = issues.filter(({ code }) => code === 'cell/value-unused').map(({ place }) => place.label);
  expect(found).toEqual(lost);
});
