import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { paramOf } from '../../src/toolkit/core/issue.js';
import { openInput } from '../../src/toolkit/tables/open.js';
import { fake } from '../cli/fake-context.js';
import { check } from '../cli/use-cases.js';
import { placed, prepareFiles } from '../support/prepare-file.js';
import { zipOf } from '../support/zip-writer.js';
import { answered } from './known.js';

/** Flat files with a table of invoices, and the payer's list of affiliates for who the patients are. */

const SAMPLE = 'samples/rips/3374';
const ZIP = `${SAMPLE}/RIPS000123.zip`;
const SIDE = `${SAMPLE}/complemento.csv`;
const mapping = 'mappings/rips/3374-zip.yaml';
const params = JSON.parse(readFileSync(`${SAMPLE}/params.json`, 'utf8')) as Record<string, unknown>;

type Row = readonly string[];
const [LABELS = [], ...SIDES]: Row[] = readFileSync(SIDE, 'utf8')
  .replace(/^\uFEFF/, '')
  .trimEnd()
  .split(/\r?\n/)
  .map((line) => line.split(';'));
const cell = (row: Row, label: string): string => row[LABELS.indexOf(label)]!;

/** The records of the flat files, by the first letters of their names. */
const flat = new Map<string, Row[]>();
const input = await openInput(ZIP);
for (const source of input.tables)
  for await (const batch of source.batches())
    for (const { texts } of batch) {
      const name = source.file.replace(/^.*\//, '');
      flat.set(name, [...(flat.get(name) ?? []), Array.from(texts, (text) => text ?? '')]);
    }
await input.close();
const USERS = new Map(flat.get('US000123.TXT')!.map((row) => [row[1]!, row]));

const folder = (): string => mkdtempSync(join(tmpdir(), 'cargue-affiliates-'));
function write(name: string, rows: readonly Row[], delimiter = ';'): string {
  const file = join(folder(), name);
  writeFileSync(file, `${rows.map((row) => row.join(delimiter)).join('\r\n')}\r\n`);
  return file;
}

const PERSONAL = ['TIPO_DOC', 'DOCUMENTO', 'FECHA_NACIMIENTO'];
const OF_INVOICE = LABELS.filter((label) => !PERSONAL.includes(label));
/** The supplement without who the patients are, under other labels if need be. */
const invoices = (called: Readonly<Record<string, string>> = {}): Row[] => [
  OF_INVOICE.map((label) => called[label] ?? label),
  ...SIDES.map((row) => OF_INVOICE.map((label) => cell(row, label))),
];
const AFFILIATE = [
  'DOCUMENTO_AFILIADO',
  'TIPO_DOC_AFILIADO',
  'FECHA_NACIMIENTO',
  'SEXO',
  'TIPO_USUARIO',
  'DEPARTAMENTO_AFILIADO',
  'MUNICIPIO_AFILIADO',
];
const PEOPLE = [...new Map(SIDES.map((row) => [cell(row, 'DOCUMENTO'), row])).values()];
/** Each patient once. */
const affiliates = (change: (row: Row) => Row = (row) => row, labels: Row = AFFILIATE): Row[] => [
  labels,
  ...PEOPLE.map((row) => {
    const user = USERS.get(cell(row, 'DOCUMENTO'));
    return change([
      cell(row, 'DOCUMENTO'),
      cell(row, 'TIPO_DOC'),
      cell(row, 'FECHA_NACIMIENTO'),
      user?.[10] ?? '',
      '04',
      user?.[11] ?? '',
      user?.[12] ?? '',
    ]);
  }),
];

const whole = await prepareFiles({ files: [ZIP, SIDE], mapping, params });
const bodiesOf = ({ drafts }: typeof whole): unknown => drafts.map(({ body }) => body);
const errorsOf = ({ issues }: typeof whole) =>
  placed(issues.filter(({ level }) => level === 'error')).map(([place, code]) => [
    place.replace(/^.*\//, ''),
    code,
  ]);
const read = (files: readonly string[]) => prepareFiles({ files, mapping, params });
const codesOf = async (files: readonly string[]): Promise<unknown> => {
  const { context, events } = fake();
  await check(context, files, { params: `${SAMPLE}/params.json`, json: true });
  return events().flatMap(({ level, code }) => (level === 'error' ? [code] : []));
};

test.each<[what: string, files: () => string[]]>([
  [
    'a list with a semicolon',
    () => [write('AFILIADOS.csv', affiliates()), write('facturas.csv', invoices())],
  ],
  [
    'one with a comma, called as a flat file',
    () => [write('AFILIADOS.txt', affiliates(), ','), write('facturas.txt', invoices(), ',')],
  ],
  [
    'one as wide as a flat file of invoices, and called so',
    () => [
      write('AFILIADOS.txt', [
        [...AFFILIATE, ...'ABCDEFGHIJ'].map(String),
        ...affiliates()
          .slice(1)
          .map((row) => [...row, ...Array<string>(10).fill('')]),
      ]),
      write('facturas.csv', invoices()),
    ],
  ],
  ['beside a supplement that says the same', () => [write('AFILIADOS.csv', affiliates()), SIDE]],
])(
  '%s makes the same documents: by the mapping, chosen by itself, and through the proposal',
  async (_, files) => {
    const given = [ZIP, ...files()];
    const found = await read(given);
    expect(bodiesOf(found)).toEqual(bodiesOf(whole));
    expect(errorsOf(found)).toEqual(errorsOf(whole));
    expect(await codesOf(given)).toEqual(await codesOf([ZIP, SIDE]));
    const proposed = await answered(given, 'rips', () => undefined);
    expect([proposed.open, proposed.asked]).toEqual([[], []]);
    const prepared = await prepareFiles({ files: given, mappingText: proposed.mapping, params });
    expect(bodiesOf(prepared)).toEqual(bodiesOf(whole));
  },
);

test('labels that nobody knows are asked about, and then read alike', async () => {
  const files = [
    ZIP,
    write(
      'base.csv',
      affiliates(
        (row) => [row[0]!, row[1]!, row[2]!, row[3]!, `${row[5]}${row[6]}`],
        ['Cédula', 'Tipo', 'Fec. Nacimiento', 'Sexo', 'Municipio'],
      ),
    ),
    write('mes.csv', invoices({ FACTURA: 'Nro. Factura', HORA: 'Hora atención', GRUPO: 'Grupo servicios' })),
  ];
  const right: Readonly<Record<string, string>> = {
    'complemento.G': 'grupo',
    'afiliados.B': 'tipo_doc',
    'afiliados.E': 'municipio',
  };
  const { mapping: mappingText, open, asked } = await answered(files, 'rips', (id) => right[id]);
  expect([open, asked.toSorted()]).toEqual([[], Object.keys(right).toSorted()]);
  const prepared = await prepareFiles({ files, mappingText, params });
  expect(bodiesOf(prepared)).toEqual(bodiesOf(whole));
});

test('two birth dates of one patient hold their documents back', async () => {
  const [, first] = SIDES;
  const other = affiliates((row) => (row[0] === cell(first!, 'DOCUMENTO') ? row.with(2, '01/01/1990') : row));
  const found = await read([ZIP, write('AFILIADOS.csv', other), SIDE]);
  const before = new Set(errorsOf(whole).map(String));
  const more = errorsOf(found).filter((one) => !before.has(String(one)));
  expect(new Set(more.map(([, code]) => code))).toEqual(new Set(['check/failed']));
  expect(found.drafts.length).toBe(whole.drafts.length - more.length);
});

test('a record of another kind of document is somebody else', async () => {
  const files = [
    ZIP,
    write(
      'AFILIADOS.csv',
      affiliates((row) => row.with(1, 'PA')),
    ),
    write('facturas.csv', invoices()),
  ];
  const found = await read(files);
  expect(found.drafts).toEqual([]);
});

test('with the list alone the table of invoices is missing, without what the list gives', async () => {
  const found = await read([ZIP, write('AFILIADOS.csv', affiliates())]);
  const [issue] = found.issues.filter(({ code }) => code === 'header/complement-missing');
  const columns = String(paramOf(issue!, 'columns')).split(', ');
  expect(columns).toContain('HORA');
  expect(columns).not.toContain('FECHA_NACIMIENTO');
});

test.each<[what: string, place: readonly [department: string, municipality: string]]>([
  ['codes', ['05', '001']],
  ['a whole code', ['05', '05001']],
  ['names', ['ANTIOQUIA', 'MEDELLIN']],
  ['a name alone', ['', 'Medellín']],
])('where the flat file does not say the municipality, the list does: %s', async (_, place) => {
  const zip = join(folder(), 'RIPS.zip');
  const part = ([name, rows]: [string, Row[]]) => ({
    name,
    data: Buffer.from(
      rows
        .map((row) => `${(name.startsWith('US') ? row.with(11, '').with(12, '') : row).join(',')}\r\n`)
        .join(''),
    ),
  });
  writeFileSync(zip, zipOf([...flat].map(part)));
  const people = affiliates((row) => row.with(5, place[0]).with(6, place[1]));
  const found = await read([zip, write('AFILIADOS.csv', people), write('facturas.csv', invoices())]);
  const towns = found.drafts.map(
    ({ body }) => (body as { patient: { municipality_id: number } }).patient.municipality_id,
  );
  expect(new Set(towns)).toEqual(new Set([1]));
  expect(towns.length).toBe(whole.drafts.length);
});
