import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { loadReadyMappings } from '../../src/app/job.js';
import { chooseReady } from '../../src/toolkit/inspect/choose.js';
import { withInputs } from '../support/opened-files.js';
import { prepareFiles } from '../support/prepare-file.js';
import { column, type Grid, gridsOf, mapColumn, page, pick, rename, workbook } from './grid.js';
import { findIn } from './known.js';

/** One list of services of every kind, as other programs lay it out: told from a list of consultations, and read alike. */

const SAMPLE = 'samples/rips/lista';
const KIND = 'TIPO DE SERVICIO';
const params = JSON.parse(readFileSync(`${SAMPLE}/params.json`, 'utf8')) as Record<string, unknown>;
const [grid] = (await gridsOf(`${SAMPLE}/servicios octubre.csv`)) as [Grid];
/** Without the record of an unknown kind, and the row of totals. */
const list: Grid = { ...grid, rows: grid.rows.slice(0, -2) };
const kindOf = (row: Grid['rows'][number]): string => String(row[column(list, KIND)]);

const folder = mkdtempSync(join(tmpdir(), 'cargue-list-'));
function write(
  { labels, rows }: Grid,
  name: string,
  separator = ';',
  encoding: BufferEncoding = 'utf8',
): string {
  const file = join(folder, name);
  const lines = [labels, ...rows.map((row) => labels.map((_, at) => row[at] ?? ''))];
  writeFileSync(file, lines.map((line) => line.join(separator)).join('\r\n'), encoding);
  return file;
}

const ready = await loadReadyMappings();
const chosenFor = async (file: string): Promise<string | undefined> =>
  (await withInputs([file], (inputs) => chooseReady(inputs, ready, params))).name;
const read = (file: string) => prepareFiles({ files: [file], mapping: 'mappings/rips/lista.yaml', params });
let files = 0;
const bodiesOf = ({ drafts }: Awaited<ReturnType<typeof read>>): unknown => drafts.map(({ body }) => body);

const CODES: Readonly<Record<string, string>> = {
  CONSULTA: 'AC',
  PROCEDIMIENTO: 'AP',
  URGENCIAS: 'AU',
  HOSPITALIZACIÓN: 'AH',
  'RECIÉN NACIDO': 'AN',
  MEDICAMENTO: 'AM',
  'OTROS SERVICIOS': 'AT',
};
const without = (from: Grid, ...labels: readonly string[]): Grid =>
  pick(
    from,
    from.labels.filter((label) => !labels.includes(label)),
  );
/** Beside a column what stands in another one of the same record. */
const filledFrom = (
  from: Grid,
  label: string,
  other: string,
  join: (own: string, other: string) => string,
): Grid =>
  mapColumn(from, label, (own, row) =>
    join(String(own ?? ''), String(from.rows[row]![column(from, other)] ?? '')),
  );
const withTime = (own: string, time: string): string => (own === '' ? '' : `${own} ${time}`);

const whole = read(write(list, 'whole.csv'));

test.each<[how: string, make: () => string | Promise<string>]>([
  ['with commas', () => write(list, 'commas.csv', ',')],
  [
    'in Latin 1, the kind under Grupo',
    () => write(rename(list, { [KIND]: 'Grupo' }), 'group.csv', ';', 'latin1'),
  ],
  ['the kind under Clase', () => write(rename(list, { [KIND]: 'Clase' }), 'class.csv')],
  [
    'the kind by the names of the files of the older norm',
    () =>
      write(
        rename(
          mapColumn(list, KIND, (kind) => CODES[String(kind)]!),
          { [KIND]: 'Tipo de registro' },
        ),
        'codes.csv',
      ),
  ],
  [
    'with one column of codes',
    () =>
      write(
        rename(
          without(
            filledFrom(list, 'CUPS', 'CUM', (cups, cum) => cups || cum),
            'CUM',
          ),
          { CUPS: 'Código' },
        ),
        'code.csv',
      ),
  ],
  [
    'with dates and times in one cell',
    () =>
      write(
        without(
          filledFrom(filledFrom(list, 'FECHA', 'HORA', withTime), 'FECHA EGRESO', 'HORA EGRESO', withTime),
          'HORA',
          'HORA EGRESO',
        ),
        'moments.csv',
      ),
  ],
  [
    'in a workbook, below titles',
    () => workbook([page({ ...list, name: 'Servicios' }, [['CLÍNICA DE PRUEBA'], []])]),
  ],
])('%s', async (_, make) => {
  const file = await make();
  expect(await chosenFor(file)).toBe('rips/lista');
  const own = await read(file);
  expect(bodiesOf(own)).toEqual(bodiesOf(await whole));
  expect(own.drafts.length).toBe(26);
});

describe('by the words of the kind', () => {
  const consultations: Grid = { ...list, rows: list.rows.filter((row) => kindOf(row) === 'CONSULTA') };
  /** What only other services have. */
  const alike = without(
    list,
    ...list.labels.filter((label) =>
      consultations.rows.every((row) => (row[column(list, label)] ?? '') === ''),
    ),
  );
  const said = (word: (row: number) => string): string =>
    write(
      mapColumn({ ...alike, rows: pick(consultations, alike.labels).rows }, KIND, (_, row) => word(row)),
      `${word(0)}-${word(1)}.csv`,
    );

  test.each<[chosen: string, first: string, second: string]>([
    ['rips/consultas', 'CONSULTA', 'CONSULTA'],
    ['rips/consultas', 'Odontología', 'Medicina general'],
    ['rips/lista', 'CONSULTA', 'PROCEDIMIENTO'],
    ['rips/lista', 'AC', 'AP'],
  ])('%s is proposed for %s and %s', async (name, first, second) => {
    const { fit } = await findIn([said((row) => (row % 2 === 0 ? first : second))], 'rips');
    expect(fit?.name).toBe(name);
  });

  test('what no word says is asked about, kind by kind', async () => {
    const { open } = await findIn([`${SAMPLE}/servicios octubre.csv`], 'rips');
    expect(open.map(({ id }) => id)).toEqual(['class.PAQUETE']);
    expect(open[0]?.answers.map(({ value }) => value)).toEqual([
      'consultas',
      'procedimientos',
      'urgencias',
      'hospitalizacion',
      'recienNacidos',
      'medicamentos',
      'otrosServicios',
      'ignore',
    ]);
  });
});

test('newborns that are boys by the letter M do not make the list another', async () => {
  const boys = mapColumn(list, 'SEXO RN', (own) => (own === '' ? own : 'M'));
  expect(await chosenFor(write(boys, 'boys.csv'))).toBe('rips/lista');
});

test('the number of an invoice is said not to be sent, and a kind of note that is not the one of the run holds its record', async () => {
  const noted: Grid = {
    ...list,
    labels: [...list.labels, 'No. Factura', 'Tipo de nota'],
    rows: list.rows.slice(0, 2).map((row, at) => [...row, at === 0 ? 'FE-1001' : '', at === 0 ? 'RS' : 'NC']),
  };
  const file = write(noted, 'notes.csv');
  expect(await chosenFor(file)).toBe('rips/lista');
  const { issues } = await read(file);
  expect(
    issues.flatMap(({ code, level, place: { row, label } }) =>
      code === 'check/failed' ? [[level, row, label]] : [],
    ),
  ).toEqual([
    ['error', 3, 'Tipo de nota'],
    ['warning', undefined, 'No. Factura'],
  ]);
});

test.each<
  [what: string, invoices: readonly string[], admissions: readonly string[], held: readonly number[]]
>([
  ['each of its own', ['FE1', 'FE2', 'FE3'], ['', '', ''], []],
  ['one in some records alone', ['FE1', '', 'FE1'], ['', '', ''], [2, 3, 4]],
  ['one in some records of an admission', ['FE1', '', ''], ['7', '7', '8'], [2, 3]],
  ['an admission in some records of an invoice', ['FE1', 'FE1', 'FE2'], ['7', '', '8'], [2, 3]],
])('invoices and admissions of a patient, %s', async (_, invoices, admissions, held) => {
  const [first] = list.rows;
  const labels = [...list.labels, 'No. Factura', 'No. ingreso'];
  const rows = invoices.map((invoice, at) => [...first!, invoice, admissions[at]!]);
  const { drafts, issues } = await read(write({ ...list, labels, rows }, `apart-${files++}.csv`));
  const told = issues.filter(({ code }) => code.startsWith('batch/'));
  expect(told.map(({ place }) => place.row).sort()).toEqual(held);
  expect(drafts.length).toBe(new Set(invoices.filter((_, at) => !held.includes(at + 2))).size);
});

test.each<[what: string, label: string, other: string, codes: readonly string[]]>([
  ['a letter and a word', 'SEXO', 'Masculino', []],
  ['a kind of document and its name', 'TIPO DOC', 'Cédula de ciudadanía', []],
  ['another sex', 'SEXO', 'F', ['group/conflict']],
  ['a word that is none', 'SEXO', 'Hombrecito', ['group/conflict']],
])('what two records of a visit say of the patient: %s', async (_, label, other, codes) => {
  const own: Grid = { ...list, rows: list.rows.slice(0, 2) };
  const file = write(
    mapColumn(own, label, (cell, row) => (row === 1 ? other : cell)),
    `said-${files++}.csv`,
  );
  const { issues, drafts } = await read(file);
  expect(issues.filter(({ level }) => level === 'error').map(({ code }) => code)).toEqual(codes);
  expect(drafts.length).toBe(codes.length === 0 ? 1 : 0);
});

type Services = { readonly document: { readonly services: readonly Readonly<Record<string, unknown>>[] } };
const servicesOf = ({ drafts }: Awaited<ReturnType<typeof read>>) =>
  drafts.flatMap(({ body }) => (body as unknown as Services).document.services);

test.each<[state: string, made: number, skipped: number, errors: readonly string[]]>([
  ['', 2, 0, []],
  ['Atendida', 2, 0, []],
  ['No asistió', 1, 1, []],
  ['Cancelada por el paciente', 1, 1, []],
  ['Cancelada', 1, 0, ['check/failed']], // or paid
])('an appointment that is said to be %j', async (state, made, skipped, errors) => {
  const [first, second] = list.rows.filter((row) => kindOf(row) === 'CONSULTA');
  const labels = [...list.labels, 'Estado de la cita'];
  const rows = [
    [...first!, 'Asistió'],
    [...second!.with(column(list, 'DOCUMENTO'), '9800029999'), state],
  ];
  const mail = column(list, 'CORREO');
  rows[1]![mail] = 'otra@correo.example';
  const { drafts, issues, records } = await read(write({ ...list, labels, rows }, `state-${files++}.csv`));
  expect([drafts.length, records.skipped]).toEqual([made, skipped]);
  expect(issues.filter(({ level }) => level === 'error').map(({ code }) => code)).toEqual(errors);
});

test.each([
  ['3250', 3250],
  ['3.25', 3250],
  ['3,2', 3200],
  ['3', 3000],
])('a newborn of %s weighs %d grams', async (weight, grams) => {
  const own: Grid = { ...list, rows: list.rows.filter((row) => kindOf(row) === 'RECIÉN NACIDO').slice(0, 1) };
  const found = await read(
    write(
      mapColumn(own, 'PESO', () => weight),
      `weight-${files++}.csv`,
    ),
  );
  expect(servicesOf(found).map(({ peso }) => peso)).toEqual([grams]);
});

test.each([
  ['Peso (g)', '3200', 3200],
  ['Peso (g)', '3,2', undefined],
  ['Peso al nacer (gramos)', '3.2', undefined],
  ['Peso (kg)', '3,2', 3200],
  ['Peso (kg)', '3200', undefined],
])(
  'under %s, %s is %s grams: a value of the other unit is an error at its cell',
  async (title, weight, grams) => {
    const own: Grid = {
      ...list,
      rows: list.rows.filter((row) => kindOf(row) === 'RECIÉN NACIDO').slice(0, 1),
    };
    const weighed = mapColumn(own, 'PESO', () => weight);
    const found = await read(write(rename(weighed, { PESO: title }), `unit-${files++}.csv`));
    const errors = found.issues.filter(({ level }) => level === 'error');
    expect(errors.map(({ place }) => place.label)).toEqual(grams === undefined ? [title] : []);
    expect(servicesOf(found).map(({ peso }) => peso)).toEqual(grams === undefined ? [] : [grams]);
  },
);

test('codes of CIE-11 stand beside those of CIE-10, for each kind', async () => {
  const labels = [...list.labels, 'Dx principal CIE11', 'Dx egreso CIE11', 'Dx relacionado CIE11'];
  const own = list.rows.filter((row) => ['PROCEDIMIENTO', 'URGENCIAS'].includes(kindOf(row)));
  const rows = [
    own.find((row) => kindOf(row) === 'PROCEDIMIENTO')!,
    own.find((row) => kindOf(row) === 'URGENCIAS')!,
  ];
  const found = await read(
    write({ ...list, labels, rows: rows.map((row) => [...row, '8A00', '8A01', '8A02']) }, 'cie11.csv'),
  );
  const said = servicesOf(found).map((one) =>
    Object.fromEntries(Object.entries(one).filter(([key]) => /^cod.*CIE11$/.test(key) && one[key] !== null)),
  );
  expect(said).toEqual([
    { codDiagnosticoPrincipalCIE11: '8A00', codDiagnosticoRelacionadoCIE11: '8A02' },
    {
      codDiagnosticoPrincipalCIE11: '8A00',
      codDiagnosticoPrincipalECIE11: '8A01',
      codDiagnosticoRelacionadoE1CIE11: '8A02',
    },
  ]);
});

describe('a patient who stands once over the rows of several services', () => {
  const PATIENT = list.labels.slice(0, column(list, 'COD PRESTADOR'));
  const own: Grid = { ...list, rows: list.rows.slice(0, 7) };
  const document = column(list, 'DOCUMENTO');
  const isBelow = (row: number): boolean => own.rows[row]?.[document] === own.rows[row - 1]?.[document];
  const once = PATIENT.reduce(
    (grid, label) => mapColumn(grid, label, (cell, row) => (isBelow(row) ? '' : cell)),
    own,
  );
  const starts = own.rows.flatMap((_, row) => (isBelow(row) ? [] : [row]));
  const merged = starts.flatMap((start, at) => {
    const end = (starts[at + 1] ?? own.rows.length) - 1;
    const letters = PATIENT.map((_, index) => String.fromCharCode(65 + index));
    return end === start ? [] : letters.map((letter) => `${letter}${start + 2}:${letter}${end + 2}`);
  });
  const whole = read(write(own, 'each.csv'));

  test('in merged cells is of each of them', async () => {
    expect(merged.length).toBeGreaterThan(0);
    const found = await read(await workbook([{ ...page({ ...once, name: 'Servicios' }), merged }]));
    expect(found.drafts.length).toBe(starts.length);
    expect(bodiesOf(found)).toEqual(bodiesOf(await whole));
  });

  test.each<[paciente_arriba: boolean | undefined, owners: number]>([
    [undefined, own.rows.length - starts.length],
    [false, own.rows.length - starts.length],
    [true, 0],
  ])('unmerged only where somebody says so: %s', async (paciente_arriba, owners) => {
    const { drafts, issues } = await prepareFiles({
      files: [write(once, `once-${files++}.csv`)],
      mapping: 'mappings/rips/lista.yaml',
      params: { ...params, ...(paciente_arriba !== undefined && { paciente_arriba }) },
    });
    expect(issues.filter(({ code }) => code === 'row/owner-blank').length).toBe(owners);
    if (paciente_arriba) expect(drafts.map(({ body }) => body)).toEqual(bodiesOf(await whole));
    else expect(drafts.length).toBeLessThan(starts.length);
  });

  test.each<[string, Grid, boolean]>([
    ['where the first row alone says whose they are', once, true],
    ['not where each row does', own, false],
  ])('inspect asks %s', async (_, grid, isAsked) => {
    const { open } = await findIn([write(grid, `asked-${files++}.csv`)], 'rips');
    expect(open.some(({ id }) => id === 'paciente_arriba')).toBe(isAsked);
  });
});

describe('a list of one kind, which no column says', () => {
  const KINDS: Readonly<Record<string, string>> = {
    CONSULTA: 'consultas',
    PROCEDIMIENTO: 'procedimientos',
    URGENCIAS: 'urgencias',
    HOSPITALIZACIÓN: 'hospitalizacion',
    'RECIÉN NACIDO': 'recienNacidos',
    MEDICAMENTO: 'medicamentos',
    'OTROS SERVICIOS': 'otrosServicios',
  };

  /** The records of a kind, under the labels that they fill. */
  const only = (kind: string): Grid => {
    const own: Grid = { ...list, rows: list.rows.filter((row) => kindOf(row) === kind) };
    const filled = own.labels.filter(
      (label) => label !== KIND && own.rows.some((row) => (row[column(own, label)] ?? '') !== ''),
    );
    return pick(own, filled);
  };
  const readAs = (file: string, tipo_servicio: string) =>
    prepareFiles({
      files: [file],
      mapping: 'mappings/rips/lista-de-un-tipo.yaml',
      params: { ...params, tipo_servicio },
    });

  test.each(Object.entries(KINDS))('%s', async (kind, tipo_servicio) => {
    const file = write(only(kind), `${tipo_servicio}.csv`);
    // Consultations have a mapping of their own.
    if (kind === 'CONSULTA') expect((await findIn([file], 'rips')).fit?.name).toBe('rips/consultas');
    else expect(await chosenFor(file)).toBe('rips/lista-de-un-tipo');
    const own: Grid = { ...list, rows: list.rows.filter((row) => kindOf(row) === kind) };
    const [single, whole] = await Promise.all([
      readAs(file, tipo_servicio),
      read(write(own, `${tipo_servicio}-said.csv`)),
    ]);
    expect(single.drafts.length).toBeGreaterThan(0);
    expect(bodiesOf(single)).toEqual(bodiesOf(whole));
  });

  test('procedures under titles that consultations have alone are told by their codes', async () => {
    const file = write(without(only('PROCEDIMIENTO'), 'VIA INGRESO'), 'procedures-alone.csv');
    const { fit, open } = await findIn([file], 'rips');
    expect(fit).toBeUndefined();
    expect(open[0]!.answers[0]!.value).toBe('rips/lista-de-un-tipo');
  });

  test.each<[kind: string, as: string, says: string]>([
    ['CONSULTA', 'procedimientos', 'TIPO DX'],
    ['PROCEDIMIENTO', 'otrosServicios', 'VIA INGRESO'],
    ['URGENCIAS', 'procedimientos', 'FECHA EGRESO'],
    ['URGENCIAS', 'recienNacidos', 'DX EGRESO'],
    ['HOSPITALIZACIÓN', 'urgencias', 'VIA INGRESO'],
    ['RECIÉN NACIDO', 'hospitalizacion', 'DOCUMENTO RN'],
    ['MEDICAMENTO', 'otrosServicios', 'CUM'],
    ['OTROS SERVICIOS', 'medicamentos', 'TIPO OS'],
  ])('%s taken for %s is held at %s', async (kind, as, says) => {
    const { drafts, issues } = await readAs(write(only(kind), `${kind}-as-${as}.csv`), as);
    expect(drafts).toEqual([]);
    const errors = issues.filter(({ code, level }) => code === 'check/failed' && level === 'error');
    expect(errors.map(({ place: { label } }) => label)).toContain(says);
  });
});
