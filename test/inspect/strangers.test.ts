import { expect, test } from 'vitest';
import { defaultAnswer } from '../../src/toolkit/inspect/question.js';
import { page, type Value, workbook } from './grid.js';
import { findIn } from './known.js';

/** Lists as clinics and offices write them: what a column surely is, and what its question shows. */

const PATIENTS = {
  name: 'Pacientes',
  labels: [
    'No. Historia',
    'Tipo de identificación',
    'Identificación',
    'Apellidos y nombres',
    'Fecha de nacimiento',
    'Sexo',
  ],
  rows: [
    ['H-100', 'CC', 1018456123, 'PEÑA MUÑOZ Ángela María', '1988-03-12', 'Mujer'],
    ['H-101', 'TI', 1034567812, 'ROZO PARRA Juan José', '2012-07-02', 'Hombre'],
    ['H-102', 'CC', 3456789, 'GÓMEZ IBÁÑEZ Rubén', '1951-11-25', 'Hombre'],
  ] as Value[][],
};
const PROCEDURES = {
  name: 'Procedimientos',
  labels: [
    'No. Historia',
    'Fecha y hora',
    'Procedimiento (CUPS)',
    'Diente',
    'DIAG1',
    'Valor',
    'Odontólogo (CC)',
  ],
  rows: [
    ['H-100', '2026-10-05T08:40', '232101', 26, 'K02.1', 27500, 52111222],
    ['H-101', '2026-10-05T09:30', '232102', 36, 'K02.1', 31000, 52111222],
    ['H-102', '2026-10-06T09:30', '237301', 11, 'K04.0', 180000, 52111222],
  ] as Value[][],
};

test('a dentist’s book: the full name, the first diagnosis, who attended, and a tooth that no document has', async () => {
  const file = await workbook([page(PATIENTS), page(PROCEDURES)]);
  const { labels } = await findIn([file], 'rips', new Map([['layout', 'rips/libro-por-nodo']]));
  const means = Object.fromEntries(
    labels.map(({ sheet, label, means, state }) => [`${sheet.name} ${label}`, means ?? state]),
  );
  expect(means).toMatchObject({
    'Pacientes Apellidos y nombres': 'nombreCompleto',
    'Procedimientos DIAG1': 'codDiagnosticoPrincipal',
    'Procedimientos Diente': 'ignored',
    'Procedimientos Odontólogo (CC)': 'numDocumentoIdentificacion',
  });
});

const LISTED = {
  name: 'Oct',
  labels: ['CUFE', 'Mercancía recibida', 'Decisión'],
  rows: [1, 2, 3].map((n): Value[] => [String(n).repeat(96), n === 2 ? 'No' : 'Sí', 'Acuse']),
};

test('yes and no of a column that may be anything are shown', async () => {
  const { open } = await findIn(
    [await workbook([page(LISTED)])],
    'events',
    new Map([['layout', 'events/list']]),
  );
  const asked = open.find(({ aliases }) => aliases?.includes('Mercancía recibida'));
  expect(asked?.samples.map(({ text }) => text)).toEqual(['Sí', 'No']);
});

test('a table without a name is offered by the columns that make it', async () => {
  const people = { ...PATIENTS, name: 'Hoja1' };
  const other = {
    name: 'Hoja2',
    labels: ['Valor', 'Saldo'],
    rows: [
      [12000, 3000],
      [50000, 4000],
    ] as Value[][],
  };
  const { open } = await findIn(
    [await workbook([page(people), page(other)])],
    'rips',
    new Map([['layout', 'rips/lista']]),
  );
  const titles = open
    .filter(({ id }) => /^(unread|sheet)\./.test(id))
    .flatMap(({ answers }) => answers.map(({ value, title }) => [value, title]));
  expect(titles.length).toBeGreaterThan(0);
  expect(titles).toContainEqual(['lista', 'filas con Número de documento, Tipo servicio']);
  expect(titles.filter(([value, title]) => value === title)).toEqual([]);
});

const LINES = {
  name: 'Movimiento',
  labels: ['Identificación', 'Nombre completo', 'Sucursal', 'Concepto', 'Devengado', 'Deducido'],
  rows: [
    [1032456781, 'GARZÓN PULIDO MARÍA', '001', '001', 1200000, null],
    [1032456781, 'GARZÓN PULIDO MARÍA', '001', '101', null, 48000],
    [1032456781, 'GARZÓN PULIDO MARÍA', '001', '110', null, 85000],
    [1019283746, 'ORTEGA DÍAZ KEVIN', '001', '001', 900000, null],
    [1019283746, 'ORTEGA DÍAZ KEVIN', '001', '101', null, 36000],
  ] as Value[][],
};
const LETTERED = {
  ...LINES,
  labels: LINES.labels.filter((label) => label !== 'Sucursal'),
  rows: LINES.rows.map((row) =>
    row.flatMap((cell, at) => (at === 2 ? [] : at === 3 ? [`C${String(cell)}`] : [cell])),
  ),
};
const LEGEND = {
  name: 'Códigos',
  labels: ['Código', 'Descripción', 'Naturaleza'],
  rows: [
    ['001', 'SUELDO ORDINARIO', 'Devengo'],
    ['101', 'APORTE EPS EMPLEADO', 'Deducción'],
    ['110', 'PRÉSTAMO DE LA EMPRESA', 'Deducción'],
    ['110', 'CUOTA DE COOPERATIVA', 'Deducción'],
  ] as Value[][],
};

test('a sheet of codes says what concepts are, each asked; two texts of one code say nothing', async () => {
  const file = await workbook([page(LINES), page(LEGEND)]);
  const knows = new Map([
    ['layout', 'payroll/long'],
    ['lines.C', 'ignore'],
    ['lines.D', 'concept'],
    ['name_order', 'surnames_first'],
    ['unread.Movimiento', 'lines'],
    ['sheet.Movimiento', 'lines'],
  ]);
  const said = new Map<string, string>();
  let { open } = await findIn([file], 'payroll', said);
  while (open.some(({ id }) => knows.has(id) && !said.has(id))) {
    for (const { id } of open) if (knows.has(id)) said.set(id, knows.get(id)!);
    ({ open } = await findIn([file], 'payroll', said));
  }
  const asked = open.filter(({ id }) => id.startsWith('class.'));
  expect(asked.map((question) => [question.id, defaultAnswer(question), question.reason])).toEqual([
    ['class.001', 'salary', 'Códigos!B2 dice «SUELDO ORDINARIO».'],
    ['class.101', 'health', 'Códigos!B3 dice «APORTE EPS EMPLEADO».'],
    ['class.110', undefined, undefined],
  ]);
});

test('codes that another sheet explains are the concepts of a list, and asked in one go', async () => {
  const rows = LEGEND.rows.slice(0, 3).map(([code, ...rest]) => [`C${String(code)}`, ...rest]);
  const provided = [1032456781, 'GARZÓN PULIDO MARÍA', 'C900', 85000, null];
  const file = await workbook([
    page({ ...LETTERED, rows: [...LETTERED.rows, provided] }),
    page({ ...LEGEND, rows: [...rows, ['C900', 'PROV. CESANTÍAS', 'Provisión']] }),
  ]);
  const said = new Map([
    ['layout', 'payroll/long'],
    ['name_order', 'surnames_first'],
  ]);
  let found = await findIn([file], 'payroll', said);
  if (found.open.some(({ id }) => id === 'lines.C')) {
    said.set('lines.C', defaultAnswer(found.open.find(({ id }) => id === 'lines.C')!) ?? '');
    found = await findIn([file], 'payroll', said);
  }
  expect(found.labels.find(({ label }) => label === 'Concepto')?.means).toBe('concept');
  const codes = found.questions.find(({ id }) => id === 'codes.classes');
  expect(codes?.each?.map(({ id, answer }) => [id, answer.value])).toEqual([
    ['class.C001', 'salary'],
    ['class.C101', 'health'],
    ['class.C110', 'order'],
    ['class.C900', 'other_than_payroll'],
  ]);
});

const FILES = {
  name: 'Gestión',
  labels: ['Turno', 'No. fact.', 'Qué se hace', 'Quien recibe'],
  rows: [
    [1, 'FE100', 'Confirmar la factura', 'Nubia Téllez'],
    [2, 'FE100', 'Confirmar la mercancía', 'Nubia Téllez'],
    [3, 'FE101', 'Devolver', 'Nubia Téllez'],
  ] as Value[][],
};

test('a list beside the documents that nothing reads is not left out: its layout is asked', async () => {
  const list = await workbook([page(FILES)]);
  const files = [list, 'samples/events/adjuntos.zip'];
  const { questions } = await findIn(files, 'events');
  expect(questions.map(({ id }) => id)).toEqual(['layout']);
  const [layout] = questions;
  const likely = layout!.answers.slice(0, layout!.likely).map(({ value }) => value);
  expect(likely).toEqual(expect.arrayContaining(['events/attached', 'events/list', 'events/columns']));
  const said = new Map([
    ['layout', 'events/list'],
    ['sheet.Gestión', 'events'],
  ]);
  const { open } = await findIn(files, 'events', said);
  // The count of the rows may be left out, though 1 to 3 are numbers of events.
  const answers = open.find(({ aliases }) => aliases?.includes('Turno'))?.answers.map(({ value }) => value);
  expect(answers?.[0]).toBe('ignore');
});

const PAYROLL = {
  name: 'Liquidación',
  labels: ['Identif.', 'Apellido', 'SEGUN APE', 'Nombre', 'Básico', 'Bono alimentación'],
  rows: [
    [9001059001, 'Gutiérrez', 'Nieto', 'Sandra', 2070000, null],
    [9001059002, 'Hoyos', 'Parra', 'Luis', 1266667, 120000],
  ] as Value[][],
};
const NOVELTIES = {
  name: 'Novedades',
  labels: ['Identif.', 'Novedad', 'Días', 'Valor'],
  rows: [
    [9001059001, 'Incapacidad EG del 03/11/2026 al 05/11/2026', 3, 210000],
    [9001059002, 'Vacaciones disfrutadas del 9 al 18 de noviembre de 2026', 10, 633333],
  ] as Value[][],
};

test('every answer that is offered has a meaning, also where the opposite concept stands in other sheets', async () => {
  const { open } = await findIn([await workbook([page(PAYROLL), page(NOVELTIES)])], 'payroll');
  const bonus = open.find(({ aliases }) => aliases?.includes('Bono alimentación'))!;
  expect(bonus.answers.filter(({ value }) => value === undefined)).toEqual([]);
  expect(bonus.answers.slice(0, bonus.likely).map(({ value }) => value)).toContain('non_salary_bonus');
});

test('a second surname may be abbreviated by its number', async () => {
  const { labels } = await findIn([await workbook([page(PAYROLL), page(NOVELTIES)])], 'payroll');
  expect(labels.find(({ label }) => label === 'SEGUN APE')?.candidates[0]?.value).toBe('second_surname');
});

const STAFF = {
  name: 'Personal',
  labels: [
    'Cód.',
    'C.C.',
    'Apellidos',
    'Nombres',
    'Ingreso',
    'Salario mes',
    'Municipio',
    'Dirección',
    'Banco',
    'Cuenta',
  ],
  rows: [
    [
      'T014',
      9000200114,
      'CARVAJAL PEÑA',
      'LUIS ALBERTO',
      '2022-04-01',
      1750905,
      'Apartadó',
      'Cra 4 # 1-20',
      'Bancolombia',
      '00112233',
    ],
    [
      'T022',
      9000200122,
      'MOSQUERA',
      'ANA LUCÍA',
      '2022-04-01',
      1750905,
      'Apartadó',
      'Cra 4 # 1-22',
      'Bancolombia',
      '00112234',
    ],
    [
      'T031',
      9000200131,
      'DE LA CRUZ RIVAS',
      'JOSÉ',
      '2021-01-12',
      2400000,
      'Turbo',
      'Calle 9 # 3-15',
      'Davivienda',
      '00998877',
    ],
  ] as Value[][],
};
const WEEKS = {
  name: 'Planilla',
  labels: ['Cód.', 'Trabajador', 'Sem.', 'Días lab.', 'Sueldo devengado', 'Aux. transp.', 'Salud', 'Pensión'],
  rows: ['T014', 'T022', 'T031'].flatMap((code) =>
    [1, 2, 3, 4].map((week): Value[] => [
      code,
      'CARVAJAL PEÑA LUIS',
      week,
      7,
      408545,
      58122,
      16342 + week,
      16342 + week,
    ]),
  ),
};

/** What layout files have, and which of its tables each sheet is. */
async function layoutOf(files: readonly string[]): Promise<readonly unknown[]> {
  const { ranked, fit } = await findIn(files, 'payroll');
  const tables = fit?.tables.map(({ table, sheet }) => `${table.id} ${sheet.name}`);
  return [fit?.name ?? ranked[0]?.name, tables?.sort()];
}

test('rows of weeks, whose people stand in another sheet under a code of the file, are columns of one worker', async () => {
  const file = await workbook([page(WEEKS), page(STAFF)]);
  expect(await layoutOf([file])).toEqual(['payroll/split', ['workers Personal', 'workers Planilla']]);
});

test('an open question whether weeks are added up stands in the mapping, and its answer too', async () => {
  const documents = new Map(STAFF.rows.map(([code, document]) => [code, document]));
  const weeks = {
    ...WEEKS,
    labels: WEEKS.labels.map((label) => (label === 'Cód.' ? 'C.C.' : label)),
    rows: WEEKS.rows.map(([code, ...cells]): Value[] => [documents.get(code!)!, ...cells]),
  };
  const file = await workbook([page(weeks), page(STAFF)]);
  const spreadIn = async (given?: ReadonlyMap<string, string>): Promise<unknown> => {
    const { tree } = await findIn([file], 'payroll', given);
    return (tree['tables'] as { readonly workers: { readonly spread: unknown } }).workers.spread;
  };
  expect(await spreadIn()).toMatchObject({ undecided: { id: 'one_per' } });
  expect(await spreadIn(new Map([['one_per', 'records']]))).toBe('records');
});

const WAGES = {
  name: 'Devengos y descuentos',
  labels: ['Cód.', 'Texto largo', 'Número', 'Valor'],
  rows: STAFF.rows.flatMap(([code], at): Value[][] => [
    [code!, 'Sueldo básico', 30, 1750905 + at],
    [code!, 'Auxilio de transporte', 30, 249095],
    [code!, 'Comisiones', null, 120000 + at],
    [code!, 'Aporte salud empleado', null, 70036 + at],
    [code!, 'Aporte pensión empleado', null, 70036 + at],
    [code!, 'Retención en la fuente', null, 12000 + at],
  ]),
};
const ABSENCES = {
  name: 'Ausencias',
  labels: ['Cód.', 'Tipo', 'Inicio', 'Fin', 'Días'],
  rows: [
    ['T022', 'Incapacidad general', '2026-11-10', '2026-11-12', 3],
    ['T031', 'Vacaciones', '2026-11-16', '2026-11-20', 5],
  ] as Value[][],
};

test('a list is known by its concepts, whatever their title, beside people and a shorter list', async () => {
  const file = await workbook([page(WAGES), page(STAFF), page(ABSENCES)]);
  const { labels } = await findIn([file], 'payroll', new Map([['layout', 'payroll/long']]));
  expect(await layoutOf([file])).toEqual([
    'payroll/long',
    ['lines Devengos y descuentos', 'workers Personal'],
  ]);
  const salary = labels.find(({ label }) => label === 'Salario mes');
  expect(labels.find(({ label }) => label === 'Texto largo')?.means).toBe('concept');
  expect(salary?.means).toBe('base_salary');
});

const NETS = {
  name: 'Nómina',
  labels: ['Cédula', 'Apellidos', 'Nombres', 'Sueldo', 'Salud', 'Pensión', 'A PAGAR', 'NETO MES'],
  rows: [
    [1032456781, 'GARZÓN PULIDO', 'MARÍA', 2000000, 80000, 80000, 1840000, 1840000],
    [1019283746, 'ORTEGA DÍAZ', 'KEVIN', 1500000, 60000, 60000, 1380000, 1380000],
    [1019283747, 'ROZO PARRA', 'JUAN', 1800000, 72000, 72000, 1656000, 1656000],
  ] as Value[][],
};

test('a second net of the same amounts is left out with one yes, and refused as another net', async () => {
  const file = await workbook([page(NETS)]);
  const { labels, open } = await findIn([file], 'payroll', new Map([['layout', 'payroll/wide']]));
  const nets = labels.filter(({ column }) => column >= 6);
  expect(nets.map(({ state, candidates }) => [state, candidates[0]?.value])).toEqual([
    [nets[0]!.state, 'stated_net'],
    ['ignored', 'stated_net'],
  ]);
  const second = open.find(({ aliases }) => aliases?.includes('NETO MES'))!;
  expect(second.batch).toBe('unused.workers');
  const said = new Map([['layout', 'payroll/wide'], ...nets.map(({ id }) => [id, 'stated_net'] as const)]);
  await expect(findIn([file], 'payroll', said)).rejects.toMatchObject({
    issues: [{ code: 'inspect/answer-twice' }],
  });
});

const half = (name: string, concepts: readonly string[]) => ({
  name,
  labels: ['Cédula', 'Concepto', 'Valor'],
  rows: STAFF.rows.flatMap(([, document], at) =>
    concepts.map((concept): Value[] => [document!, concept, 70000 + at]),
  ),
});

test.each<[what: string, sheets: readonly ReturnType<typeof half>[], first: string]>([
  [
    'earnings and deductions',
    [half('Devengos', ['Sueldo básico', 'Comisiones']), half('Descuentos', ['Salud', 'Pensión'])],
    '*',
  ],
  ['months', ['Octubre', 'Noviembre'].map((name) => half(name, ['Sueldo básico', 'Salud'])), 'Octubre'],
])(
  'of sheets alike, all are offered first where they have no record in common: %s',
  async (_, sheets, first) => {
    const { open } = await findIn([await workbook(sheets.map((sheet) => page(sheet)))], 'payroll');
    expect(open.find(({ id }) => id === 'lines.sheet')?.answers[0]?.value).toBe(first);
  },
);
