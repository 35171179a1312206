import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { prepareFiles } from '../support/prepare-file.js';

const SAMPLE = 'samples/rips/lista/servicios octubre.csv';
const PARAMS = JSON.parse(readFileSync('samples/rips/lista/params.json', 'utf8')) as Record<string, unknown>;
const [TITLES = '', ...ROWS] = readFileSync(SAMPLE, 'latin1').trim().split(/\r?\n/);
const AT = (title: string): number => TITLES.split(';').indexOf(title);

/** A row of the sample with some cells changed. */
const changed = (row: string, cells: Readonly<Record<string, string>>): string => {
  const texts = row.split(';');
  for (const [title, text] of Object.entries(cells)) texts[AT(title)] = text;
  return texts.join(';');
};

async function read(
  rows: readonly string[],
  more: readonly [title: string, cells: readonly string[]] | undefined = undefined,
) {
  const file = join(mkdtempSync(join(tmpdir(), 'cargue-')), 'lista.csv');
  const [title, cells] = more ?? [];
  const lines = [title === undefined ? TITLES : `${TITLES};${title}`].concat(
    rows.map((row, at) => (cells === undefined ? row : `${row};${cells[at]}`)),
  );
  writeFileSync(file, lines.join('\n'), 'latin1');
  const { drafts, issues } = await prepareFiles({
    mapping: 'mappings/rips/lista.yaml',
    params: PARAMS,
    files: [file],
  });
  return {
    documents: drafts.map(
      ({ body }) => body as unknown as { document: { services: Record<string, unknown>[] } },
    ),
    errors: issues.filter(({ level }) => level === 'error').map(({ code, place }) => [code, place.label]),
    codes: issues.map(({ code }) => code),
  };
}

const CONSULTATION = ROWS.find((row) => row.includes(';CONSULTA;'))!;
const MEDICINE = ROWS.find((row) => row.includes(';MEDICAMENTO;'))!;
const later = changed(CONSULTATION, { FECHA: '09/10/2026' });

test('services of several days are no visit, unless the list says which belong together', async () => {
  const merged = await read([CONSULTATION, later]);
  expect([merged.documents.length, merged.errors]).toEqual([0, [['check/failed', 'FECHA']]]);
  const apart = await read([CONSULTATION, later], ['INGRESO', ['I1', 'I2']]);
  expect([apart.documents.length, apart.errors]).toEqual([2, []]);
});

test.each([
  ['who is not named', { 'TIPO DOC PROFESIONAL': '', 'DOCUMENTO PROFESIONAL': '' }, []],
  ['whom the run knows', { 'TIPO DOC PROFESIONAL': '' }, []],
  [
    'of nobody knows which kind',
    { 'TIPO DOC PROFESIONAL': '', 'DOCUMENTO PROFESIONAL': '79555111' },
    [['rips/professional-without-kind', 'DOCUMENTO PROFESIONAL']],
  ],
])('a prescriber %s', async (_, cells, errors) => {
  const found = await read([changed(MEDICINE, cells)]);
  expect(found.errors.filter(([code]) => code !== 'attention/user-unknown')).toEqual(errors);
});

test.each([
  ['AMOXICILINA 500 MG CAP', 'AMOXICILINA 500 MG CAP', false],
  ['AMOXICILINA TRIHIDRATO 500 MG CAPSULA DURA', undefined, true],
])(
  'the name of a medicine goes out as far as the norm takes it, and else is said: %s',
  async (name, sent, isSaid) => {
    const { documents, codes } = await read([changed(MEDICINE, { DESCRIPCION: name })]);
    expect(documents[0]!.document.services[0]!['nomTecnologiaSalud']).toBe(sent);
    expect(codes.includes('cell/value-unused')).toBe(isSaid);
  },
);
