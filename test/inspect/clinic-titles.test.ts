import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { loadReadyMappings } from '../../src/app/job.js';
import { chooseReady } from '../../src/toolkit/inspect/choose.js';
import { survey } from '../../src/toolkit/inspect/survey.js';
import { withInputs } from '../support/opened-files.js';
import { prepareFiles } from '../support/prepare-file.js';
import { type Grid, gridsOf, rename } from './grid.js';

/** A list of consultations under the titles that other programs give its columns: taken without a question, and read alike. */

const SAMPLE = 'samples/rips/consultas';
const params = JSON.parse(readFileSync(`${SAMPLE}/params.json`, 'utf8')) as Record<string, unknown>;
const [sample] = (await gridsOf(`${SAMPLE}/Consultas octubre.csv`)) as [Grid];
const list: Grid = { ...sample, rows: sample.rows.slice(0, 9) };
const ready = await loadReadyMappings();
const folder = mkdtempSync(join(tmpdir(), 'cargue-titles-'));

function write({ labels, rows }: Grid, name: string): string {
  const file = join(folder, name);
  const lines = [labels, ...rows.map((row) => labels.map((_, at) => row[at] ?? ''))];
  writeFileSync(
    file,
    lines
      .map((line) =>
        line
          .map(String)
          .map((text) => text.replaceAll(';', ','))
          .join(';'),
      )
      .join('\n'),
  );
  return file;
}
const read = (file: string) =>
  prepareFiles({ files: [file], mapping: 'mappings/rips/consultas.yaml', params });

test.each<[what: string, titles: Readonly<Record<string, string>>]>([
  [
    'with how to fill them',
    {
      'Fecha Nac': 'Fecha nacimiento (dd/mm/aaaa)',
      Sexo: 'Sexo (M/F)',
      Zona: 'ZONA [U/R] *',
      'Fecha Consulta': 'FECHA CONSULTA DD-MM-AAAA',
      Hora: 'Hora (HH:MM)',
      Dx: 'Diagnóstico principal (CIE-10)',
      Valor: 'Valor ($)',
    },
  ],
  [
    'of the patient and of the professional',
    {
      'Tipo Doc': 'Tipo Id Paciente',
      Documento: 'Id Paciente',
      Régimen: 'Régimen de afiliación',
      'Cód. Municipio': 'Código DANE municipio',
      CUPS: 'Código CUPS consulta',
      'Doc. Profesional': 'Identificación médico',
    },
  ],
  ['beside what the RIPS does not take', { Dirección: 'EPS', Observación: 'No. Historia' }],
  [
    'beside who came with the patient',
    { Dirección: 'Nombre acudiente', Observación: 'Documento del acompañante' },
  ],
])('titles %s', async (what, titles) => {
  const file = write(rename(list, titles), `${what}.csv`);
  expect((await withInputs([file], (inputs) => chooseReady(inputs, ready, params))).name).toBe(
    'rips/consultas',
  );
  const [own, whole] = [await read(file), await read(write(list, 'list.csv'))];
  expect(own.drafts.length).toBeGreaterThan(5);
  expect(own.drafts.map(({ body }) => body)).toEqual(whole.drafts.map(({ body }) => body));
});

test('a sign of money behind a title still says what it is', async () => {
  const { labelForms } = await import('../../src/toolkit/tables/titles.js');
  expect(labelForms('H.E.D. ($)').squashed).toBe('hed$');
  expect(labelForms('Cantidad (unidades)').squashed).toBe('cantidadunidades');
});

test('of titles that are misspelt, or there twice, those are named that are', async () => {
  const unsure = async (titles: Readonly<Record<string, string>>, name: string) =>
    (await withInputs([write(rename(list, titles), name)], (inputs) => chooseReady(inputs, ready, params)))
      .unsure;
  expect(await unsure({ Documento: 'Docuemnto', Causa: 'Cuasa externa' }, 'misspelt.csv')).toEqual([
    'misspelt.csv!B1 «Docuemnto»',
    'misspelt.csv!U1 «Cuasa externa»',
  ]);
  expect(await unsure({ Observación: 'SEXO' }, 'twice.csv')).toEqual([
    'twice.csv!H1 «Sexo»',
    'twice.csv!Z1 «SEXO»',
  ]);
});

test.each([
  ['Tipo Dx', 'Tipo', 'tipoDiagnosticoPrincipal'],
  ['Valor', 'Pago', 'vrServicio'],
  ['Concepto', 'Tipo pago', 'conceptoRecaudo'],
])('of %s no more is said than %s: it is asked about', async (title, head, means) => {
  const file = write(rename(list, { [title]: head }), `${head}.csv`);
  const { ranked } = await withInputs([file], (inputs) => survey(inputs, ready));
  const { labels } = ranked.find(({ name }) => name === 'rips/consultas')!;
  const fit = labels.find(({ label }) => label === head)!;
  expect([fit.state, fit.candidates[0]?.value]).toEqual(['open', means]);
});
