import { readFileSync, renameSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { stringify } from 'yaml';
import { chooseReady } from '../../src/toolkit/inspect/choose.js';
import { defaultAnswer } from '../../src/toolkit/inspect/question.js';
import { formatQuestions } from '../../src/toolkit/inspect/reading-questions.js';
import type { Trial } from '../../src/toolkit/inspect/trial.js';
import { withInputs } from '../support/opened-files.js';
import { prepareFiles } from '../support/prepare-file.js';
import { look, READY } from './answering.js';
import { clinicNames } from './cases.js';
import {
  column,
  csv,
  type Grid,
  gridsOf,
  insert,
  mapColumn,
  page,
  pick,
  rename,
  type Value,
  workbook,
} from './grid.js';
import { findIn } from './known.js';

const sample = (await gridsOf('samples/payroll/nomina-octubre-2026.xlsx'))[0]!;
const given = JSON.parse(readFileSync('samples/payroll/conceptos/params.json', 'utf8'));
const [list, ...beside] = await gridsOf('samples/payroll/conceptos/acumulado_conceptos_oct2026.xlsx');

/** What became of some labels: `decided health`, `open salary 0.83`, `ignored`. */
async function fates(
  grid: Grid,
  labels: readonly string[],
  above: readonly (readonly Value[])[] = [],
): Promise<string[]> {
  const found = await look([await workbook([page(grid, above)])]);
  return labels.map((label) => {
    const fit = found.labels.find((one) => one.label === label)!;
    return [fit.state, fit.means ?? (fit.state === 'open' ? fit.reason : undefined)]
      .filter(Boolean)
      .join(' ');
  });
}

describe('a label alone decides only when its words are sure and its cells agree', () => {
  test.each<[string, Readonly<Record<string, string>>, Readonly<Record<string, string>>]>([
    ['words that are sure', { Salud: 'DCTO. SALUD' }, { 'DCTO. SALUD': 'decided health' }],
    ['words that only resemble', { Salud: 'VR SALUD ANTERIOR' }, { 'VR SALUD ANTERIOR': 'open amounts' }],
    ['words that mean two things', { 'Primer nombre': 'NOMBRE' }, { NOMBRE: 'open rival' }],
    [
      'leaves, in short and in English',
      {
        'Incapacidad días': 'Lic. no rem. días',
        'Vacaciones días': 'Maternity leave days',
        'Incapacidad valor': 'Paid leave amount',
        'Vacaciones valor': 'Severance',
      },
      {
        'Lic. no rem. días': 'decided unpaid_leave_days',
        'Maternity leave days': 'decided maternity_leave_days',
        'Paid leave amount': 'decided paid_leave_value',
        Severance: 'open rival',
      },
    ],
    [
      'what the employer contributes',
      { Banco: 'PENSION 12 %', 'Tipo de cuenta': 'SALUD 8,5%', Pensión: 'PENSION 4%' },
      { 'PENSION 12 %': 'ignored', 'SALUD 8,5%': 'ignored', 'PENSION 4%': 'decided pension' },
    ],
    [
      'a disability of another origin',
      { 'Incapacidad días': 'Incapacidad ARL días', 'Incapacidad valor': 'Incapacidad laboral valor' },
      {
        'Incapacidad ARL días': 'decided work_disability_days',
        'Incapacidad laboral valor': 'decided work_disability_value',
      },
    ],
    [
      'text under an amount',
      { Banco: 'EPS', Salud: 'SALUD 4%' },
      { EPS: 'ignored', 'SALUD 4%': 'decided health' },
    ],
    [
      'money under hours',
      { 'HED valor': 'HORAS EXTRAS DIURNAS', 'HED horas': 'X' },
      { 'HORAS EXTRAS DIURNAS': 'open content' },
    ],
    [
      'the only salary',
      { 'Sueldo mensual': 'SUELDO', 'Salario devengado': 'XYZ' },
      { SUELDO: 'open needed', XYZ: 'open amounts' },
    ],
    [
      'two of one amount',
      { Comisiones: 'Aporte salud' },
      { 'Aporte salud': 'open contested', Salud: 'open contested' },
    ],
    [
      'two of one text',
      { 'Número de cuenta': 'Cédula' },
      { Cédula: 'open contested', 'Número documento': 'open contested' },
    ],
    ['one fortnight', { Salud: 'SALUD Q1' }, { 'SALUD Q1': 'open fortnight' }],
    ['text that nobody knows', { Banco: 'AREA' }, { AREA: 'ignored' }],
    ['a provision', { Comisiones: 'Prov. prima' }, { 'Prov. prima': 'ignored' }],
    ['an amount that nobody knows', { Salud: 'PROVISION' }, { PROVISION: 'open amounts' }],
  ])('%s', async (_, names, wanted) => {
    expect(await fates(rename(sample, names), Object.keys(wanted))).toEqual(Object.values(wanted));
  });

  test('a count of rows is no document, an empty column is left aside', async () => {
    const grid = insert(
      insert(sample, 0, 'No.', (row) => row + 1),
      1,
      'FIRMA',
      () => null,
    );
    expect(await fates(grid, ['No.', 'FIRMA', 'Número documento'])).toEqual([
      'ignored',
      'ignored',
      'decided document',
    ]);
  });
});

test('amounts under a blank label are asked about, by their letter', async () => {
  const grid = insert(sample, 20, '', (row) => 80_000 + row * 3);
  const found = await look([
    await workbook([{ name: 'Nomina', rows: [grid.labels.map((label) => label || null), ...grid.rows] }]),
  ]);
  expect(found.open.map(({ id, path }) => [id, path.at(-1)])).toEqual([['workers.U', '[U]']]);
});

test('text under a blank label is listed, by its letter', async () => {
  const grid = insert(sample, 20, '', (row) => `nota ${row}`);
  const found = await look([
    await workbook([{ name: 'Nomina', rows: [grid.labels.map((label) => label || null), ...grid.rows] }]),
  ]);
  const unnamed = found.labels.filter(({ label }) => label === undefined);
  expect(unnamed.map(({ column, state, reason }) => [column, state, reason])).toEqual([
    [20, 'ignored', 'text'],
  ]);
});

test.each<[string, string, readonly string[]]>([
  ['equal labels', 'TOTAL', ['[AR] TOTAL', '[BA] TOTAL']],
  ['labels that begin as if by a letter', '[COP] TOTAL', ['[AR] [COP] TOTAL', '[BA] [COP] TOTAL']],
])('%s without groups are told apart by their letters, and keep their titles', async (_, label, keys) => {
  const grid = rename(sample, { 'Total devengado': label, 'Total deducciones': label });
  const found = await look([await workbook([page(grid)])]);
  expect(found.open.map(({ id, path }) => [id, path.at(-1)])).toEqual([
    ['workers.AR', keys[0]],
    ['workers.BA', keys[1]],
  ]);
});

test('a label that begins as if by a letter is named by its own', async () => {
  const found = await look([await workbook([page(rename(sample, { Banco: '[COP] Banco' }))])]);
  expect(found.labels.find(({ label }) => label === '[COP] Banco')?.key).toMatch(
    /^\[[A-Z]+\] \[COP\] Banco$/,
  );
});

test('a title block of two texts is no row of groups for what has none', async () => {
  const states = await fates(sample, ['Total devengado', 'Salud'], [['EMPRESA X', null, null, 'OCTUBRE']]);
  expect(states).toEqual(['decided stated_accrued', 'decided health']);
});

test.each([
  ['merged', ['AS1:BA1'], undefined],
  ['not merged', [], 'DEDUCCIONES'],
])('a label past a group that is %s', async (_, merged, group) => {
  const grid = insert(
    sample,
    sample.labels.indexOf('Total deducciones') + 1,
    'COSTO TOTAL EMP.',
    (row) => 90_000 + row,
  );
  const groups = grid.labels.map((label) =>
    label === 'Salud' ? 'DEDUCCIONES' : label === 'Número documento' ? 'DATOS' : null,
  );
  expect(grid.labels.indexOf('Salud')).toBe(44);
  const found = await look([await workbook([{ ...page(grid, [groups]), merged }])]);
  expect(found.labels.find(({ label }) => label === 'COSTO TOTAL EMP.')?.group).toBe(group);
});

test('a sheet that the richer of two layouts may read is asked about, and the other may be said', async () => {
  const provisions = { ...pick(sample, ['Número documento', 'Salud', 'Pensión']), name: 'PROVISIONES' };
  const file = await workbook([page(sample), page(provisions)]);
  const found = await look([file]);
  expect(found.fit?.name).toBe('payroll/multi-sheet');
  expect(found.open.map(({ id }) => id)).toEqual(['sheet.PROVISIONES']);
  const wide = await look([file], new Map([['layout', 'payroll/wide']]));
  expect([wide.fit?.name, wide.open.map(({ id }) => id)]).toEqual(['payroll/wide', ['unread.PROVISIONES']]);
  expect(wide.open[0]!.answers.map(({ value }) => value)).toEqual(['ignore', 'workers']);
  const answered = (value: string) =>
    look(
      [file],
      new Map([
        ['layout', 'payroll/wide'],
        ['unread.PROVISIONES', value],
      ]),
    );
  const { fit } = await answered('workers');
  expect(fit!.tables.map(({ sheet }) => sheet.name)).toContain('PROVISIONES');
  const left = await answered('sí');
  expect([left.open, left.tree['ignore_sheets']]).toEqual([
    [],
    [{ sheets: ['PROVISIONES'], reason: 'no hace parte de los documentos' }],
  ]);
});

test('the columns of an annotated copy are no doubt, nor asked about', async () => {
  const codes = insert(sample, sample.labels.length, 'Código (cargue)', (row) => `${row}`.padStart(96, 'a'));
  const file = await workbook([
    page(insert(codes, codes.labels.length, 'Status (cargue)', () => 'Accepted')),
  ]);
  const { name } = await withInputs([file], (inputs) => chooseReady(inputs, READY, {}));
  expect(name).toBe('payroll/wide');
  expect((await look([file])).open).toEqual([]);
});

test('overtime without its kind is asked about by its sheet, a sheet of concepts goes by their names', async () => {
  const overtime = {
    name: 'Horas Extra',
    labels: ['Cédula', 'Horas', 'Valor'],
    rows: sample.rows.map((row) => [row[sample.labels.indexOf('Número documento')]!, 2, 34091]),
  };
  const novelties = {
    name: 'Novedades',
    labels: ['Cédula', 'Concepto', 'Valor'],
    rows: overtime.rows.map(([document]) => [document!, 'LIBRANZA BANCO', 50000]),
  };
  const found = await look([await workbook([page(sample), page(overtime), page(novelties)])]);
  expect(found.fit?.name).toBe('payroll/multi-sheet');
  expect(found.open.map(({ id }) => id)).toEqual(['sheet.Horas Extra']);
  expect(found.open[0]!.answers.slice(0, 2).map(({ value }) => value)).toEqual(['hed', 'hen']);
  expect(found.fit?.tables.map(({ table, sheet }) => [table.id, sheet.name])).toContainEqual([
    'novelties',
    'Novedades',
  ]);
});

describe('of two sheets that go by the name of one table', () => {
  const documents = sample.rows.map((row) => row[sample.labels.indexOf('Número documento')]!);
  const month = (name: string, labels: readonly string[]): Grid => ({
    name,
    labels: [...labels],
    rows: documents.map((document) => [document, 'LIBRANZA BANCO', 50000, 1].slice(0, labels.length)),
  });
  const alike = ['Cédula', 'Concepto', 'Valor'];
  const file = async (second: readonly string[]): Promise<string> =>
    workbook([
      page(sample),
      page(month('Novedades octubre', alike)),
      page(month('Novedades noviembre', second)),
    ]);
  const read = { 'novelties.sheet': 'Novedades noviembre' };
  const each = { 'sheet.Novedades octubre': 'ignore', 'sheet.Novedades noviembre': 'novelties' };
  test.each<[string, readonly string[], Readonly<Record<string, string>>]>([
    ['it is asked which are read, where they are alike', alike, read],
    ['it is asked of each what it holds, where they are not', ['Documento', 'Novedad', 'Cuánto'], each],
  ])('%s', async (_, second, answers) => {
    const input = await file(second);
    const asked = (await look([input])).open.map(({ id }) => id);
    expect(asked).toEqual(Object.keys(answers));
    const { fit, open, tree } = await look([input], new Map(Object.entries(answers)));
    expect(open.filter(({ id }) => /sheet|unread/.test(id))).toEqual([]);
    expect(fit!.tables.map(({ sheet }) => sheet.name)).toEqual([sample.name, 'Novedades noviembre']);
    expect(tree['ignore_sheets']).toMatchObject([{ sheets: ['Novedades octubre'] }]);
  });
});

describe('a sheet by concept that is called as the table of one is asked about', () => {
  const [document] = sample.rows.map((row) => row[sample.labels.indexOf('Número documento')]!);
  const untotalled = pick(
    sample,
    sample.labels.filter((label) => !/^(Total|Neto)/.test(label)),
  );
  const byConcept = {
    name: 'Otros descuentos',
    labels: ['Cédula', 'Concepto', 'Valor'],
    rows: [
      [document!, 'LIBRANZA BANCO', 100000],
      [document!, 'COOPERATIVA', 15000],
    ],
  };
  test.each([
    ['and read as it was answered', 'novelties', true],
    ['and left aside where it is not to be read', 'ignore', false],
  ])('%s', async (_, answer, isRead) => {
    const file = await workbook([page(untotalled), page(byConcept)]);
    expect((await look([file])).open.map(({ id }) => id)).toEqual(['sheet.Otros descuentos']);
    const { open, tree } = await look([file], new Map([['sheet.Otros descuentos', answer]]));
    expect(open).toEqual([]);
    const { drafts, issues } = await prepareFiles({ files: [file], mappingText: stringify(tree) });
    expect(JSON.stringify(drafts[0]!.body).includes('LIBRANZA BANCO')).toBe(isRead);
    expect(issues.filter(({ place }) => place.sheet === byConcept.name)).toEqual([]);
  });
});

test('a concept that cannot be what it is called where the file puts it is asked about', async () => {
  const document = sample.rows[0]![sample.labels.indexOf('Número documento')]!;
  const novelties = {
    name: 'Novedades',
    labels: ['Cédula', 'Concepto', 'Naturaleza', 'Valor'],
    rows: [
      [document, 'ANTICIPO', 'Devengado', 200000],
      [document, 'CUOTA SINDICAL', 'Deducción', 20000],
    ],
  };
  const file = await workbook([page(sample), page(novelties)]);
  const { open } = await look([file]);
  expect(open.map(({ id }) => id)).toEqual(['class.ANTICIPO']);
  expect(open[0]!.answers[0]!.value).toBe('paid_advance');
  expect(open[0]!.answers.map(({ value }) => value)).not.toContain('deduction_advance');
  const { open: left, tree } = await look([file], new Map([['class.ANTICIPO', 'paid_advance']]));
  expect([left, tree['decisions']]).toEqual([[], { classes: { ANTICIPO: 'paid_advance' } }]);
});

test.each<[label: string, list: string, word: string, usual: string | undefined]>([
  ['Tipo contrato', 'type_contracts', 'Término definido', undefined],
  ['Tipo contrato', 'type_contracts', 'Definido', undefined],
  ['Tipo contrato', 'type_contracts', 'Indefindo', '2'],
  ['Tipo trabajador', 'type_workers', 'Independiente', undefined],
  ['Tipo trabajador', 'type_workers', 'No dependiente', undefined],
  ['Tipo trabajador', 'type_workers', 'Dependient', '01'],
  ['Tipo documento', 'payroll_type_document_identifications', 'Cédula venezolana', undefined],
  ['Tipo documento', 'payroll_type_document_identifications', 'Cédula de cuidadanía', '13'],
])(
  'what undoes or opposes a name of a list is never it by default: %s %s %s',
  async (label, list, word, usual) => {
    const others = sample.labels.filter((one) => one !== label);
    const grid = insert(pick(sample, others), 0, label, (row) => (row === 0 ? word : null));
    const file = await workbook([page(grid)]);
    const { open } = await look([file]);
    const question = open.find(({ id }) => id === `value.${list}.${word}`);
    expect(defaultAnswer(question!)).toBe(usual);
  },
);

test.each(['Aprendiz productivo', 'Aprendiz lectivo'])(
  'the stage of an apprentice, whose code depends on the date, is asked with each code and no default: %s',
  async (word) => {
    const at = sample.labels.indexOf('Tipo trabajador');
    const grid = insert(
      pick(
        sample,
        sample.labels.filter((one) => one !== 'Tipo trabajador'),
      ),
      0,
      'Tipo trabajador',
      (row) => (row === 0 ? word : sample.rows[row]![at]!),
    );
    const { open } = await look([await workbook([page(grid)])]);
    const question = open.find(({ id }) => id === `value.type_workers.${word}`)!;
    expect(defaultAnswer(question)).toBe(undefined);
    expect(question.answers.slice(0, 3).map(({ value }) => value)).toEqual(
      expect.arrayContaining(word.endsWith('lectivo') ? ['12', '19'] : ['01', '19']),
    );
  },
);

test('workbooks of branches, whose sheets are alike, are read as they are', async () => {
  const branch = async (from: number): Promise<string> => {
    const rows = sample.rows.slice(from, from + 3);
    const document = sample.labels.indexOf('Número documento');
    const paid = rows.map((row) => [row[document]!, 50_000]);
    const loans = { name: 'Libranzas', labels: ['Cédula', 'Valor'], rows: paid };
    const file = await workbook([page({ ...sample, rows }), page(loans)]);
    const own = join(dirname(file), `sede-${from}.xlsx`);
    renameSync(file, own);
    return own;
  };
  const { fit, open } = await look([await branch(0), await branch(3)]);
  expect(open.map(({ id }) => id)).toEqual([]);
  const names = [sample.name, 'Libranzas'];
  expect(fit!.tables.map(({ sheet }) => sheet.name).sort()).toEqual([...names, ...names].sort());
});

test('a sheet of more workers, under other titles, is read with those that it is answered to be', async () => {
  const left = ['Vacaciones', 'Incapacidad', 'HED', 'HEN', 'RN', 'HEDDF', 'Comisiones', 'Cooperativa'];
  const few = pick(
    sample,
    sample.labels.filter((label) => !left.some((word) => label.startsWith(word))),
  );
  const names = { 'Número documento': 'Cédula', 'Fecha ingreso': 'Fecha de vinculación' };
  const some = { ...rename(few, names), name: 'Aprendices', rows: few.rows.slice(20) };
  const file = await workbook([page({ ...sample, rows: sample.rows.slice(0, 20) }), page(some)]);
  expect((await look([file])).open.map(({ id }) => id)).toContain('sheet.Aprendices');
  const { fit, open, tree } = await look([file], new Map([['sheet.Aprendices', 'workers']]));
  expect(open).toEqual([]);
  expect(fit!.tables.map(({ sheet }) => sheet.name)).toEqual([sample.name, 'Aprendices']);
  const { documents } = await prepareFiles({ files: [file], mappingText: stringify(tree) });
  expect(documents.planned).toBe(sample.rows.length);
  expect(documents.made).toBeGreaterThanOrEqual(20);
});

test('workbooks of branches whose titles differ in capitals are read together', async () => {
  const half = (from: number, to: number) => ({ ...sample, rows: sample.rows.slice(from, to) });
  const capitals = Object.fromEntries(sample.labels.map((label) => [label, label.toUpperCase()]));
  const second = await workbook([page(rename(half(10, 25), capitals))]);
  const renamed = join(dirname(second), 'sede-2.xlsx');
  renameSync(second, renamed);
  const files = [await workbook([page(half(0, 10))]), renamed];
  const { open, tree } = await look(files);
  expect(open).toEqual([]);
  const { documents } = await prepareFiles({ files, mappingText: stringify(tree) });
  expect(documents).toMatchObject({ made: 25, heldBack: 0 });
});

test('a question about a word names its list as people do', async () => {
  const grid = mapColumn(sample, 'Tipo contrato', (value, row) => (row === 0 ? 'FIJISIMO' : value));
  const { open } = await look([await workbook([page(grid)])]);
  expect(open.map(({ title }) => title)).toEqual([
    expect.stringMatching(/«FIJISIMO» \(filas: 1\): no está en la lista de tipos de contrato\./),
  ]);
  const effects = open[0]!.answers.map(({ value, effect }) => [
    value === 'ignore',
    effect?.to,
    effect?.cells,
  ]);
  expect(new Set(effects.map(String))).toEqual(new Set(['false,documents,1', 'true,nothing,1']));
});

describe('how texts are written is asked when no cell shows it', () => {
  const ambiguous = async (): Promise<string> => {
    let grid: Grid = { ...sample, rows: sample.rows.slice(0, 3) };
    for (const label of ['Sueldo mensual', 'Salario devengado', 'Salud', 'Pensión'])
      grid = mapColumn(grid, label, (_, row) => `${row + 1}.750`);
    return csv(
      pick(
        mapColumn(grid, 'Fecha ingreso', (_, row) => `0${row + 1}/04/2020`),
        KEPT,
      ),
    );
  };
  const KEPT = [...sample.labels.slice(0, 22), 'Salud', 'Pensión'];

  test('for amounts and dates, with both readings', async () => {
    const found = await look([await ambiguous()]);
    const asked = found.open.map(({ id, path, answers, likely }) => [
      id,
      path.join('.'),
      answers.slice(0, likely).map(({ title }) => title),
    ]);
    expect(asked.sort()).toEqual([
      ['date', 'tables.workers.formats.date', ['se lee 2020-04-01', 'se lee 2020-01-04', expect.any(String)]],
      ['decimal', 'tables.workers.formats.decimal', ['se lee 1750', 'se lee 1.750', expect.any(String)]],
    ]);
  });

  test('the readings of a moment are those of its day', () => {
    const row = { number: 2, hidden: false, texts: ['05/10/2026 08:30'], kinds: undefined };
    const verdict = { by: 'undecided', ambiguous: { row, index: 0, text: row.texts[0] } };
    const found = { table: 'visits', file: 'citas.csv', column: { id: 'at', type: 'datetime' }, verdict };
    const [question] = formatQuestions({ formats: [found] } as unknown as Trial, 'es');
    expect(question?.answers.slice(0, 2).map(({ title }) => title)).toEqual([
      'se lee 2026-10-05',
      'se lee 2026-05-10',
    ]);
  });

  test('and the answers stand in the mapping', async () => {
    const given = new Map([
      ['decimal', 'comma'],
      ['date', 'dmy'],
    ]);
    const { open, tree } = await look([await ambiguous()], given);
    expect(open).toEqual([]);
    expect(tree).toMatchObject({ tables: { workers: { formats: { decimal: 'comma', date: 'dmy' } } } });
  });
});

test.each([
  ['NOMBRE', ['nombre_orden']],
  ['APELLIDOS Y NOMBRES', []],
])("full names of a clinic's patients under %s", async (label, asked) => {
  const grid = await clinicNames(label, ([first, second, ...surnames]) =>
    [...surnames, first, second].join(' '),
  );
  const kept = grid.labels.filter((one) => !/^(Primer|Segundo) /.test(one));
  const { open } = await findIn([csv(pick(grid, kept))], 'rips', new Map([['layout', 'rips/consultas']]));
  expect(open.map(({ id }) => id).filter((id) => /orden|\.C$/.test(id))).toEqual(asked);
});

test.each([
  ['surnames in one column', ['Primer apellido', 'Segundo apellido'], 'Apellidos', 'surnames'],
  ['names in one column', ['Primer nombre', 'Otros nombres'], 'Nombres', 'names'],
])('%s are split, and nothing is asked', async (_, parts, label, means) => {
  const at = column(sample, parts[0]!);
  const both = insert(sample, at, label, (row) =>
    parts
      .map((part) => sample.rows[row]![column(sample, part)] ?? '')
      .join(' ')
      .trim(),
  );
  const grid = pick(
    both,
    both.labels.filter((one) => !parts.includes(one)),
  );
  expect(await fates(grid, [label])).toEqual([`decided ${means}`]);
});

test('amounts of the employer beside those of the month are left out by one question, and make no other doubtful', async () => {
  const labels = ['Salud', 'Pensión', 'ARL', 'Prima'].map((label) => ` ${label}`);
  const grid = {
    ...sample,
    labels: [...sample.labels, ...labels],
    rows: sample.rows.map((row) => [...row, 170_000, 240_000, 10_440, 166_667]),
  };
  const groups = [
    ...sample.labels.map((): string | null => null),
    'APORTES EMPRESA',
    null,
    null,
    'PROVISIONES',
  ];
  groups[column(sample, 'Salud')] = 'DEDUCCIONES';
  groups[column(sample, 'Salario devengado')] = 'DEVENGADOS';
  const { questions, labels: fits } = await look([await workbook([page(grid, [groups])])]);
  expect(questions.map(({ id }) => id)).toEqual(['unused.workers']);
  expect(fits.filter(({ means }) => means === 'health').map(({ label }) => label)).toEqual(['Salud']);
});

test.each<[string, string]>([
  ['APORTES EMPRESA', 'ignored'],
  ['SALDOS A LA FECHA', 'ignored'],
  ['DESCUENTOS EMPRESA', 'open'],
  ['PRESTACIONES SOCIALES', 'open'],
])('an amount under %s is %s', async (group, state) => {
  const groups = sample.labels.map((label) => (label === 'Comisiones' ? group : null));
  groups[column(sample, 'Bonificación salarial')] = 'DEVENGADOS';
  const { labels: fits } = await look([await workbook([page(sample, [groups])])]);
  expect(fits.find(({ label }) => label === 'Comisiones')).toMatchObject({ state, reason: 'section' });
});

test('an amount under a group of something else is asked, and no mapping is chosen by itself', async () => {
  const labels = ['Comisiones', 'Retención en la fuente', 'Libranza valor'];
  const GROUPS: Readonly<Record<string, string>> = {
    'Tipo documento': 'EMPLEADO',
    Comisiones: 'PROVISIONES',
    'Bonificación salarial': 'DEVENGADOS',
    Salud: 'DEDUCCIONES',
    'Retención en la fuente': 'DEVENGADOS',
    'Libranza valor': 'SALDOS',
    Cooperativa: 'DEDUCCIONES',
  };
  const file = await workbook([page(sample, [sample.labels.map((label) => GROUPS[label] ?? null)])]);
  const { labels: fits, questions } = await look([file]);
  const asked = fits.filter(({ reason }) => reason === 'section');
  expect(asked.map(({ label, state }) => [label, state])).toEqual([
    ['Comisiones', 'ignored'],
    ['Retención en la fuente', 'open'],
    ['Libranza valor', 'ignored'],
  ]);
  expect(questions.map(({ id, members }) => [id, members])).toEqual([
    ['unused.workers', expect.arrayContaining([asked[0]!.id, asked[2]!.id])],
    [asked[1]!.id, undefined],
  ]);
  const { name, unsure } = await withInputs([file], (inputs) => chooseReady(inputs, READY, {}));
  expect(name).toBeUndefined();
  expect(unsure).toHaveLength(labels.length);
});

test.each<[names: readonly string[], chosen: string | undefined, unsure: readonly string[]]>([
  [['1Q octubre', '2Q octubre'], 'payroll/long', []],
  [['Hoja1', 'Borrador'], undefined, ['Borrador']],
  [['Septiembre', 'Octubre'], undefined, ['Octubre']],
  [['1Q octubre', '2Q octubre', 'Borrador'], undefined, ['2Q octubre', 'Borrador']],
])(
  'sheets %j of a list are read one after the other by themselves as halves of a month alone',
  async (names, chosen, unsure) => {
    const file = await workbook([
      ...names.map((name) => ({ ...page(list!), name })),
      ...beside.map((one) => page(one)),
    ]);
    const { name, sheets } = await withInputs([file], (inputs) => chooseReady(inputs, READY, given));
    expect([name, sheets]).toEqual([chosen, unsure]);
  },
);

test.each([
  [{ Comisiones: 'Aporte salud' }, /se suman/],
  [{ 'Número de cuenta': 'Cédula' }, /solo una puede serlo/],
])(
  'two columns of one meaning are asked about, and it is said whether they are added up: %s',
  async (names, said) => {
    const { open } = await look([await workbook([page(rename(sample, names))])]);
    const asked = open.filter(({ id, reason }) => id.startsWith('workers.') && reason !== undefined);
    expect(asked.map(({ reason }) => reason)).toEqual([
      expect.stringMatching(said),
      expect.stringMatching(said),
    ]);
  },
);

test('what a column without values means is not settled for the months in which it has some', async () => {
  const empty = mapColumn(rename(sample, { Comisiones: 'Bono especial' }), 'Bono especial', () => null);
  const { labels, tree } = await look([await workbook([page(empty)])]);
  expect(labels.find(({ label }) => label === 'Bono especial')).toMatchObject({
    state: 'ignored',
    reason: 'empty',
  });
  const said = (tree as { tables: { workers: { labels: object } } }).tables.workers.labels;
  expect(Object.keys(said)).toContain('Salud');
  expect(Object.keys(said)).not.toContain('Bono especial');
});

test('a header of three rows is read by all of them, and its sections are heard', async () => {
  const short = pick(sample, [
    'Número documento',
    'Salario devengado',
    'HED horas',
    'HED valor',
    'Salud',
    'Vacaciones valor',
    'Comisiones',
  ]);
  const grid = {
    ...short,
    labels: [null, 'Valor', 'Cant.', 'Valor', 'Valor', 'Valor', 'Valor'] as unknown as string[],
  };
  const groups = [null, 'SALARIO DEVENGADO', 'HED', null, 'SALUD', 'VACACIONES', 'COMISIONES'];
  const sections = ['Número documento', 'DEVENGADOS', null, null, 'DEDUCCIONES', 'PROVISIONES', null];
  const { labels } = await look([await workbook([page(grid, [['ACME S.A.'], [], sections, groups])])]);
  expect(labels.map(({ column: at, means, reason }) => [at, means ?? reason])).toEqual([
    [0, 'document'],
    [1, 'likely'],
    [2, 'hed_hours'],
    [3, 'hed_value'],
    [4, 'likely'],
    [5, 'section'],
    [6, 'section'],
  ]);
});

test('what a title says is an answer, though some cells say otherwise', async () => {
  const noted = mapColumn(sample, 'Comisiones', (value, row) => (row < 20 ? (value ?? 'ver nota') : value));
  const { labels } = await look([await workbook([page(noted)])]);
  const { state, reason, candidates } = labels.find(({ label }) => label === 'Comisiones')!;
  expect([state, reason, candidates.map(({ value }) => value)]).toEqual(['open', 'content', ['commission']]);
});

test.each(['N/A', '-', 'No aplica'])('a cell of %j among amounts makes no text of them', async (nothing) => {
  const silent = mapColumn(sample, 'Comisiones', (value, row) =>
    row < 20 && value === null ? nothing : value,
  );
  const grid = insert(silent, 0, 'Retroactivo', (row) => (row % 5 === 0 ? 80_000 : nothing));
  const { labels } = await look([await workbook([page(grid)])]);
  const fate = (label: string): string => {
    const { state, means, reason } = labels.find((one) => one.label === label)!;
    return [state, means ?? reason].join(' ');
  };
  expect([fate('Comisiones'), fate('Retroactivo')]).toEqual(['decided commission', 'open amounts']);
});

describe('full names in one cell', () => {
  const PARTS = ['Primer apellido', 'Segundo apellido', 'Primer nombre', 'Otros nombres'];
  const named = async (label: string): Promise<string> => {
    const rest = sample.labels.filter((one) => !PARTS.includes(one));
    const name = (row: number): string =>
      PARTS.map((part) => sample.rows[row]![sample.labels.indexOf(part)] ?? '').join(' ');
    return workbook([page(insert(pick(sample, rest), 2, label, name))]);
  };

  test.each([
    ['APELLIDOS Y NOMBRES', [], undefined],
    ['NOMBRES Y APELLIDOS', [], { name_order: { default: 'names_first' } }],
    ['NOMBRE DEL EMPLEADO', ['name_order'], { name_order: { default: { undecided: { id: 'name_order' } } } }],
    ['NOMBRE', ['name_order'], { name_order: { default: { undecided: { id: 'name_order' } } } }],
  ])('%s', async (label, asked, params) => {
    const { open, tree } = await look([await named(label)]);
    expect(open.map(({ id }) => id)).toEqual(asked);
    if (params === undefined) expect(tree['params']).toBeUndefined();
    else expect(tree).toMatchObject({ params });
  });
});

test('a joint question says what a yes to all does to the cells and amounts of its columns', async () => {
  const grid = { ...sample, labels: [...sample.labels, 'TALLA BOTAS', 'COLOR CASCO'] };
  const rows = sample.rows.map((row, at) => [...row, '38', at % 2 ? 'azul' : 'rojo']);
  const { questions } = await look([await workbook([page({ ...grid, rows })])]);
  const joint = questions.find(({ members = [] }) => members.length > 0);
  const many = rows.length;
  expect(joint?.answers[0]?.effect).toMatchObject({ to: 'nothing', cells: many * joint!.members!.length });
});

test('rows of totals of areas, with a place beside them, are no records, and compared with their area or all', async () => {
  const salary = column(sample, 'Salario devengado');
  const areas = [sample.rows.slice(0, 2), sample.rows.slice(2)];
  const total = (name: string, of: readonly (readonly Value[])[]): Value[] => {
    const row = sample.labels.map((): Value => null);
    row[column(sample, 'Primer apellido')] = name;
    row[column(sample, 'Municipio')] = 'Barranquilla';
    row[salary] = of.reduce((sum, record) => sum + Number(record[salary]), 0);
    return row;
  };
  const rows = [
    ...areas.flatMap((area, at) => [...area, total(`TOTAL ÁREA ${at + 1}`, area)]),
    total('TOTAL GENERAL', sample.rows),
  ];
  const { tree, trial } = await look([await workbook([page({ ...sample, rows })])]);
  const { skip } = (tree['tables'] as { workers: { skip: { when: string }[] } }).workers;
  expect(skip.at(-1)).toMatchObject({
    when: '(document is blank or like(document, "*total*")) and like(surname, "*total*")',
    control: true,
  });
  expect(trial!.records).toMatchObject({ read: sample.rows.length + 3, skipped: 3 });
  expect(trial!.issues.has('control/total-differs')).toBe(false);
});

test('deductions written as (144.000) are amounts, and asked about by their sign and their mark', async () => {
  const labels = ['Salud', 'Pensión', 'Fondo de solidaridad', 'Libranza valor', 'Cooperativa'];
  const written = (value: Value): Value =>
    typeof value === 'number' ? `(${Math.round(value / 1000)}.000)` : value;
  const grid = labels.reduce((one, label) => mapColumn(one, label, written), sample);
  const rest = pick(
    grid,
    grid.labels.filter((label) => !/^(total|neto)/i.test(label)),
  );
  const { open } = await look([await workbook([page(rest)])]);
  expect(open.map(({ id }) => id)).toEqual(['deduction_sign', 'decimal']);
});

describe('a note above the amounts that they are thousands is asked about', () => {
  const NOTE = [['Valores en miles de pesos']];
  const inTitle = rename(sample, { Salud: 'Salud (en miles)' });
  const meant = new Map([['workers.AS', 'health']]);
  const short = (name: string, at: number): Grid => ({
    ...sample,
    name,
    rows: sample.rows.slice(at, at + 2),
  });

  test('of the table, or of a column by itself', async () => {
    const files = [await workbook([page(sample, NOTE)])];
    expect((await look(files)).open.map(({ id }) => id)).toEqual(['workers.scale']);
    const titled = await look([await workbook([page(inTitle)])], meant);
    expect(titled.open.map(({ id }) => id)).toEqual(['workers.health.scale']);
  });

  test.each<[string, readonly (readonly string[])[], readonly string[]]>([
    ['all say so', [['En miles'], ['En miles']], ['workers.scale']],
    ['one says so', [['En miles'], []], []],
    ['they say different things', [['En miles'], ['En millones']], []],
  ])('of two sheets: %s', async (_, notes, asked) => {
    const pages = notes.map((note, at) => page(short(`Sede ${at}`, 2 * at), note.length === 0 ? [] : [note]));
    const { open } = await look([await workbook(pages)], new Map([['workers.sheet', '*']]));
    expect(open.map(({ id }) => id)).toEqual(asked);
  });

  test.each<[string, number]>([
    ['sí', 1000],
    ['no', 1],
  ])('answered %s', async (answer, scale) => {
    const said = (label: string): number => Number(sample.rows[0]![column(sample, label)]);
    const read = async (
      grid: Grid,
      given: readonly (readonly [string, string])[],
      above = [] as string[][],
    ) => {
      const files = [await workbook([page(grid, above)])];
      const { tree, open } = await look(files, new Map(given));
      const { drafts, issues } = await prepareFiles({ files, mappingText: stringify(tree) });
      const found = issues.filter(({ code }) => code.startsWith('header/scale'));
      const { accrued, deductions } = drafts[0]!.body as Record<string, Record<string, string>>;
      return { open, found, amounts: [accrued!['salary'], deductions!['eps_deduction']].map(Number) };
    };
    const whole = await read(sample, [['workers.scale', answer]], NOTE);
    const amounts = [said('Salario devengado') * scale, said('Salud') * scale];
    expect(whole).toEqual({ open: [], found: [], amounts });
    const divided = mapColumn(inTitle, 'Salud (en miles)', (value) => Number(value) / scale);
    const one = await read(divided, [...meant, ['workers.health.scale', answer]]);
    expect(one).toEqual({ open: [], found: [], amounts: [said('Salario devengado'), said('Salud')] });
  });
});

test.each<[string, string, readonly [Value, Value], readonly string[]]>([
  ['workers of two months', 'Periodo', ['2026-10', '2026-11'], []],
  [
    'workers of two months by their dates',
    'Fecha inicio periodo',
    [new Date('2026-10-01'), new Date('2026-11-01')],
    [],
  ],
  [
    'workers of two fortnights by their dates',
    'Fecha inicio periodo',
    [new Date('2026-10-01'), new Date('2026-10-16')],
    ['one_per'],
  ],
  ['workers of two fortnights of a month', 'Periodo', ['1Q octubre', '2Q octubre'], ['one_per']],
  ['workers of two fortnights, or of two months', 'Periodo', [1, 2], ['workers.A', 'one_per']],
])('%s are asked about as far as their cells do not say it', async (_, title, [own, other], asked) => {
  const of = (value: Value) => sample.rows.map((row) => [value, ...row]);
  const twice = { labels: [title, ...sample.labels], rows: [...of(own), ...of(other)] };
  const { open } = await look([await workbook([page({ ...sample, ...twice })])]);
  expect(open.map(({ id }) => id)).toEqual(asked);
});

test('what a worker has once is asked about where the records of most workers differ', async () => {
  const title = 'Número de cuenta';
  const twice = { ...sample, rows: [...sample.rows, ...sample.rows] };
  const { labels } = await look([await workbook([page(mapColumn(twice, title, (_, row) => 100_000 + row))])]);
  const found = labels.find(({ label }) => label === title);
  expect(found).toMatchObject({ state: 'open', reason: 'content' });
  expect(found!.candidates.map(({ value }) => value)).not.toContain('account_number');
});

test('pesos under the name of an absence are no days, be most of them none', async () => {
  const named = rename(pick(sample, sample.labels), { 'Auxilio de transporte': 'Incapacidad' });
  const grid = mapColumn(named, 'Incapacidad', (value, row) => (row % 5 === 0 ? `$ ${value}` : ' $ -   '));
  const { labels } = await look([await workbook([page(grid)])]);
  const found = labels.find(({ label }) => label === 'Incapacidad');
  expect(found?.candidates.map(({ value }) => value)).toContain('disability_value');
  expect(found?.candidates.map(({ value }) => value)).not.toContain('disability_days');
});
