import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { prepareFiles } from '../support/prepare-file.js';

/** What records of a file say of one patient, and of one e-mail. */

const FOLDER = 'samples/rips/interfaz';
const PARAMS = JSON.parse(readFileSync(join(FOLDER, 'params.json'), 'utf8')) as Record<string, unknown>;
const [HEAD = '', FIRST = ''] = readFileSync(join(FOLDER, 'consultas.csv'), 'utf8').split(/\r?\n/);
const LABELS = HEAD.replace('\ufeff', '').split(',');
const SOUND = Object.fromEntries(FIRST.split(',').map((text, index) => [LABELS[index]!, text]));

const visit = (number: number, edits: Readonly<Record<string, string>> = {}): string => {
  const own = {
    document_number: `98000${String(number).padStart(5, '0')}`,
    email: `p${number}@correo.example`,
    type_document_identification_id: '3',
    birth_date: '1980-05-17',
  };
  const record: Record<string, string> = { ...SOUND, ...own, ...edits };
  return LABELS.map((label) => record[label]).join(',');
};

async function prepared(lines: readonly string[]) {
  const file = join(mkdtempSync(join(tmpdir(), 'cargue-patients-')), 'consultas.csv');
  writeFileSync(file, [LABELS.join(','), ...lines].join('\n'));
  return prepareFiles({ files: [file], mapping: 'mappings/rips/interfaz.yaml', params: PARAMS });
}

const LATER = { date: '2026-10-20', fechaInicioAtencion: '2026-10-20T09:00:00', time: '09:00' };
const labelled = ({ issues }: Awaited<ReturnType<typeof prepared>>) =>
  issues
    .filter(({ code }) => code !== 'catalogue/not-loaded')
    .map(({ code, level, place, related }) => [
      code,
      level,
      `${place.label} ${place.row}`,
      ...(related ?? []).slice(0, 1).map((one) => `${one.label} ${one.row}`),
    ]);

test.each<[what: string, edits: Record<string, string>, said: unknown]>([
  [
    'an e-mail of nobody',
    { email: 'NoTiene@gmail.com' },
    [['attention/email-of-nobody', 'warning', 'email 2']],
  ],
  ['an e-mail that begins alike', { email: 'nancy@gmail.com' }, []],
  [
    'the first day that Excel knows',
    { birth_date: '1900-01-01' },
    [['attention/too-old', 'warning', 'birth_date 2']],
  ],
  ['a hundred years', { birth_date: '1920-01-01' }, []],
  [
    'a number of identification as its kind',
    { type_document_identification_id: '10' },
    [['attention/kind-of-document', 'error', 'type_document_identification_id 2']],
  ],
])('%s', async (_, edits, said) => {
  expect(labelled(await prepared([visit(1, edits)]))).toEqual(said);
});

describe('one patient', () => {
  test.each<[what: string, edits: Record<string, string>, said: unknown]>([
    ['the same in both', {}, []],
    ['accents and case apart', { name: SOUND['name']!.toUpperCase() }, []],
    [
      'another birth date',
      { birth_date: '1981-05-17' },
      [['attention/birth-differs', 'error', 'birth_date 3', 'birth_date 2']],
    ],
    [
      'another sex',
      { rips_gender_id: SOUND['rips_gender_id'] === '1' ? '3' : '1' },
      [['attention/sex-differs', 'error', 'rips_gender_id 3', 'rips_gender_id 2']],
    ],
    ['another name', { name: 'Otra' }, [['attention/name-differs', 'warning', 'name 3', 'name 2']]],
    [
      'another document, and an e-mail of its own',
      { document_number: '5550001', email: 'x@correo.example' },
      [],
    ],
    [
      'another document under one e-mail, in capitals',
      { document_number: '5550001', email: 'P1@CORREO.EXAMPLE' },
      [['attention/email-shared', 'error', 'email 3', 'email 2']],
    ],
    [
      'notes in a name',
      { name: 'Ana (2)' },
      [
        ['attention/name-differs', 'warning', 'name 3', 'name 2'],
        ['attention/name-signs', 'warning', 'name 3'],
      ],
    ],
    ['a damaged name', { name: 'DÃ­az' }, [['cell/garbled', 'error', 'name 3']]],
  ])('%s', async (_, edits, said) => {
    const found = await prepared([visit(1), visit(1, { ...LATER, ...edits })]);
    expect(labelled(found)).toEqual(said);
  });

  test('a date that is wrong by itself is not the one that others are held to', async () => {
    const found = await prepared([visit(1, { birth_date: '2026-10-30' }), visit(1, LATER)]);
    expect(labelled(found)).toEqual([['rips/service-before-birth', 'error', 'birth_date 2']]);
  });

  test('each value is held to the first record that says it, which need not be the first of the patient', async () => {
    const wrong = visit(1, { birth_date: '2026-10-30', name: 'Ana' });
    const [second, third] = ['2026-10-20', '2026-10-21'].map((date, index) =>
      visit(1, {
        ...LATER,
        date,
        fechaInicioAtencion: `${date}T09:00:00`,
        name: ['Ana', 'Eva'][index]!,
        birth_date: ['1980-05-17', '1981-05-17'][index]!,
      }),
    );
    expect(labelled(await prepared([wrong, second!, third!])).slice(1)).toEqual([
      ['attention/birth-differs', 'error', 'birth_date 4', 'birth_date 3'],
      ['attention/name-differs', 'warning', 'name 4', 'name 2'],
    ]);
  });

  test('is found among many, wherever the first record stood', async () => {
    const many = Array.from({ length: 3000 }, (_, index) => visit(index));
    const found = await prepared([
      ...many,
      visit(7, { ...LATER, birth_date: '1990-01-01' }),
      visit(2900, LATER),
    ]);
    expect(labelled(found)).toEqual([
      ['attention/birth-differs', 'error', 'birth_date 3002', 'birth_date 9'],
    ]);
  });

  test('a damaged text comes with what it was', async () => {
    const { issues } = await prepared([visit(1, { last_name: 'MuÃ±oz DÃ\u00adaz' })]);
    expect(issues.find(({ code }) => code === 'cell/garbled')).toMatchObject({
      suggestions: [{ value: 'Muñoz Díaz' }],
    });
  });

  test('a year of two digits that lies ahead is said at its cell', async () => {
    const file = join(mkdtempSync(join(tmpdir(), 'cargue-patients-')), 'consultas.csv');
    writeFileSync(file, [LABELS.join(','), visit(1, { birth_date: '24/04/46' })].join('\n'));
    const mapping = 'mappings/rips/interfaz.yaml';
    const found = await prepareFiles({ files: [file], mapping, params: PARAMS, today: '2026-11-22' });
    expect(labelled(found)).toContainEqual(['rips/birth-in-future', 'error', 'birth_date 2']);
    expect(found.documents.made).toBe(0);
  });
});
