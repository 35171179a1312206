import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { prepareFiles } from '../support/prepare-file.js';

const SAMPLE = 'samples/rips/grupos';
const folder = await mkdtemp(join(tmpdir(), 'cargue-whose-'));
afterAll(() => rm(folder, { recursive: true }));

const params = JSON.parse(await readFile(join(SAMPLE, 'params.json'), 'utf8')) as Record<string, unknown>;

const linesOf = async (name: string, has: RegExp): Promise<readonly string[]> => {
  const [header, ...lines] = (await readFile(join(SAMPLE, `${name}.csv`), 'utf8')).trim().split('\n');
  return [header!, ...lines.filter((line) => has.test(line))];
};

/** Four patients in rows 2 to 5 of both files, who come again in October: a consultation each in rows 6 to 9. */
const PATIENTS = /,(9800020000|9800020013|920078|9800020091),/;
const [usuarios, once] = [await linesOf('usuarios', PATIENTS), await linesOf('consultas', PATIENTS)];
const again = once.slice(1).map((line) => line.replace(/2026-10-\d\d/, '2026-10-28'));
const LINES = { usuarios, consultas: [...once, ...again] };

type Change = (fields: readonly string[], row: number) => readonly (readonly string[])[];

const same: Change = (fields) => [fields];

const LEVELS: ReadonlySet<string> = new Set(['error', 'warning']);

/** Errors and warnings by row, each with the document that it holds back. */
async function found(change: { readonly [name in keyof typeof LINES]?: Change }) {
  const files = Object.entries(LINES).map(async ([name, lines]) => {
    const file = join(folder, `${name}.csv`);
    const changed = lines.flatMap((line, at) =>
      (change[name as keyof typeof LINES] ?? same)(line.split(','), at + 1),
    );
    await writeFile(file, changed.map((fields) => fields.join(',')).join('\n'));
    return file;
  });
  const mapping = 'mappings/rips/excel-por-nodo.yaml';
  const { issues, documents, records } = await prepareFiles({
    files: await Promise.all(files),
    mapping,
    params,
  });
  const { made, heldBack, planned } = documents;
  expect(issues.filter(({ level }) => !LEVELS.has(level))).toEqual([]);
  expect(made + heldBack).toBe(planned);
  expect(records.used + records.skipped + records.heldBack).toBe(records.read);
  return {
    made,
    heldBack,
    used: records.used,
    told: issues
      .filter(({ code }) => code !== 'catalogue/not-loaded' && code !== 'attention/apart')
      .map(({ code, place, documentKey }) => [code, place.row, documentKey]),
  };
}

/** A change of row 3 alone. */
const second =
  (change: (fields: readonly string[]) => readonly string[]): Change =>
  (fields, row) => [row === 3 ? change(fields) : fields];

const swapped = (fields: readonly string[]): readonly string[] => [
  ...fields.slice(0, 5),
  fields[6]!,
  fields[5]!,
  ...fields.slice(7),
];
const siteFirst = ([type, number, site, ...rest]: readonly string[]): readonly string[] => [
  site!,
  type!,
  number!,
  ...rest,
];

const STRAY = [
  ['header/field-count', 3, undefined],
  ['join/owner-unknown', 3, undefined],
];

test.each<[what: string, consultas: Change, made: number, used: number, told: unknown]>([
  ['as it should be', same, 4, 12, []],
  [
    'holds back the document whose key stands before the damage',
    second((fields) => fields.toSpliced(5, 0, '')),
    3,
    9,
    [['header/field-count', 3, '9800020013 CC']],
  ],
  ['holds back all where its key was moved', second((fields) => ['', ...fields]), 0, 0, STRAY],
  [
    'holds back all where nobody has its key',
    second(([type, , ...rest]) => [type!, '9800029999', '', ...rest]),
    0,
    0,
    STRAY,
  ],
  [
    'holds back all where its key does not stand first',
    (fields, row) => [row === 3 ? siteFirst(fields).toSpliced(5, 0, '') : siteFirst(fields)],
    0,
    0,
    STRAY,
  ],
  [
    'holds back all where other titles stand above it',
    (fields, row) => (row === 9 ? [swapped(LINES.consultas[0]!.split(',')), fields] : [fields]),
    0,
    0,
    [
      ['row/other-header', 9, undefined],
      ['row/below-other-header', 10, undefined],
      ['join/owner-unknown', 10, undefined],
    ],
  ],
])('a service that cannot be read: %s', async (_, consultas, made, used, told) => {
  expect(await found({ consultas })).toEqual({ made, heldBack: 4 - made, used, told });
});

test('a service that does not say whose it is holds back all', async () => {
  expect(await found({ consultas: second(([type, , ...rest]) => [type!, '', ...rest]) })).toEqual({
    made: 0,
    heldBack: 5,
    used: 0,
    told: [
      ['row/key-blank', 3, undefined],
      ['join/owner-unknown', 3, undefined],
    ],
  });
});

test.each(['Cédula de ciudadanía', 'cc', 'C.C.'])(
  'a kind of document that the list of patients calls %j is that of the services',
  async (kind) => {
    const usuarios: Change = (fields) => [fields.map((field) => (field === 'CC' ? kind : field))];
    expect(await found({ usuarios })).toEqual({ made: 4, heldBack: 0, used: 12, told: [] });
  },
);

test('two kinds of document are two people, in words too', async () => {
  const usuarios: Change = (fields, row) => [row === 3 ? fields.with(0, 'Pasaporte') : fields];
  expect((await found({ usuarios })).told).toContainEqual(['join/orphan', 3, '9800020013']);
});

const withoutKind: Change = (fields) => [fields.slice(1)];
/** The second patient under the number of the first, with another kind of document. */
const sameNumber: Change = (fields, row) => [
  row === 3 ? fields.with(0, 'PA').with(1, LINES.usuarios[1]!.split(',')[1]!) : fields,
];

test.each<[what: string, usuarios: Change, made: number, told: readonly unknown[]]>([
  ['the number alone says whose it is', same, 4, []],
  [
    'not where two people have it',
    sameNumber,
    2,
    [
      ['join/shared', 2],
      ['join/shared', 3],
    ],
  ],
])('services without a kind of document: %s', async (_, usuarios, made, told) => {
  const result = await found({ usuarios, consultas: withoutKind });
  expect(result.made).toBe(made);
  const said = (result.told as readonly (readonly unknown[])[]).map((one) => one.slice(0, 2));
  for (const one of told) expect(said).toContainEqual(one);
  if (told.length === 0) expect(said).toEqual([]);
});

test.each<[what: string, change: (fields: readonly string[]) => readonly string[]]>([
  ['the same', (fields) => fields],
  ['with another address', (fields) => fields.with(6, 'otra@correo.example')],
])('a patient who is listed twice, %s, repeats no service', async (_, change) => {
  const twice: Change = (fields, row) => (row === 3 ? [fields, change(fields)] : [fields]);
  expect(await found({ usuarios: twice })).toEqual({
    made: 4,
    heldBack: 1,
    used: 12,
    told: [['row/key-repeated', 4, '9800020013 CC']],
  });
});

test('a patient who came twice has an appointment for each number of the list that joins the services by it', async () => {
  const numbered = (lines: readonly string[], idOf: (line: string, at: number) => string): string[] =>
    lines.map((line, at) => `${at === 0 ? 'id_usuario' : idOf(line, at)},${line}`);
  const [titles, ...patients] = LINES.usuarios;
  const later = patients.map((line) => line.replace(/2026-10-\d\d(?=,[^,]*$)/, '2026-10-28'));
  const tables = {
    usuarios: numbered([titles!, ...patients, ...later], (_, at) => String(at)),
    // Without the document of the patient.
    consultas: numbered(
      LINES.consultas.map((line) => line.split(',').slice(2).join(',')),
      (_, at) => String(at),
    ),
  };
  const of = (await mkdtemp(join(folder, 'libro-'))) as string;
  const files = Object.entries(tables).map(async ([name, lines]) => {
    await writeFile(join(of, `${name}.csv`), lines.join('\n'));
    return join(of, `${name}.csv`);
  });
  const { issues, documents } = await prepareFiles({
    files: await Promise.all(files),
    mapping: 'mappings/rips/libro-por-nodo.yaml',
    params,
  });
  expect(issues.filter(({ level, code }) => level === 'error' || code === 'attention/apart')).toEqual([]);
  expect(documents).toEqual({ planned: 8, made: 8, heldBack: 0 });
});
