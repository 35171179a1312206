import { expect, test } from 'vitest';
import { loadReadyMappings } from '../../src/app/job.js';
import { withOpened } from '../../src/toolkit/documents/opened.js';
import { ofThisShape } from '../../src/toolkit/inspect/mapping-text.js';
import { withOwnerColumns } from '../../src/toolkit/inspect/owners.js';
import { NO_ANSWERS } from '../../src/toolkit/inspect/question.js';
import { readSheets } from '../../src/toolkit/inspect/sheets.js';
import { bookOf } from '../support/edit-workbook.js';
import { proposeFor, withInputs } from '../support/opened-files.js';

type Cells = readonly (string | number | null)[];

const TITLES: Cells = ['Código', 'Concepto', 'Devengado', 'Deducido'];
const conceptsOf = (salary: number): readonly Cells[] => [
  ['001', 'SUELDO BASICO', salary, null],
  ['101', 'SALUD', null, salary * 0.04],
];
const WORKERS: readonly (readonly [number, string, number])[] = [
  [1032456701, 'RUIZ GOMEZ ANA', 3_000_000],
  [52345670, 'PAZ LEON LUIS', 2_000_000],
  [80123450, 'SOL MORA EVA', 2_500_000],
];
const below = (head: (...worker: (typeof WORKERS)[number]) => readonly Cells[]): readonly Cells[] =>
  WORKERS.flatMap((worker) => [...head(...worker), ...conceptsOf(worker[2])]);

test.each<[string, Readonly<Record<string, readonly Cells[]>>, unknown]>([
  [
    'a number and a name',
    { Hoja1: [TITLES, ...below((document, name) => [[`${document} - ${name}`]])] },
    [{ columns: ['Código o documento', 'Nombre'], begins: true }],
  ],
  [
    'a document and a name in one cell, under a label that is known',
    { Hoja1: below((document, name) => [[`Cédula: ${document} ${name}`], TITLES]) },
    [{ label: 'Cédula:', columns: ['Cédula', 'Nombre'], begins: true }],
  ],
  [
    'a number of whatever kind under another label',
    { Hoja1: below((document, name) => [[`Empleado: ${document} ${name}`], TITLES]) },
    [{ label: 'Empleado:', columns: ['Código o documento: Empleado', 'Empleado'], begins: true }],
  ],
  [
    'payslips with what is the same in all',
    {
      Hoja1: below((document, name, salary) => [
        ['ANDES SAS'],
        ['Periodo:', 'octubre'],
        ['Nombre:', name, 'Cédula:', document],
        ['Sueldo:', salary],
        TITLES,
      ]),
    },
    [
      { label: 'Periodo:', columns: ['Periodo'] },
      { label: 'Nombre:', columns: ['Nombre'], begins: true },
      { label: 'Cédula:', columns: ['Cédula'] },
      { label: 'Sueldo:', columns: ['Sueldo'] },
    ],
  ],
  [
    'areas with several workers each',
    {
      Hoja1: [
        ['Area: VENTAS'],
        ...below((document, name) => [[`Cédula: ${document}`, `Nombre: ${name}`], TITLES]),
        ['Area: PLANTA'],
        ...below((document, name) => [[`Cédula: ${document + 1}`, `Nombre: ${name} B`], TITLES]),
      ],
    },
    [
      { label: 'Area:', columns: ['Area'] },
      { label: 'Cédula:', columns: ['Cédula'], begins: true },
      { label: 'Nombre:', columns: ['Nombre'] },
    ],
  ],
  [
    'a sheet for each worker',
    Object.fromEntries(
      WORKERS.map(([document, name, salary]) => [
        name,
        [['Nombre:', name], ['C.C.', document], TITLES, ...conceptsOf(salary)],
      ]),
    ),
    [
      { label: 'Nombre:', columns: ['Nombre'], begins: true },
      { label: 'C.C.', columns: ['C.C.'] },
    ],
  ],
  [
    'several values in one cell',
    { Hoja1: below((document, name) => [[`Nombre: ${name}   Cédula: ${document}`], TITLES]) },
    [
      { label: 'Nombre:', columns: ['Nombre'], begins: true },
      { label: 'Cédula:', columns: ['Cédula'] },
    ],
  ],
  [
    'several lines in one cell',
    { Hoja1: below((document, name) => [[`Nombre: ${name}\nCédula: ${document}`], TITLES]) },
    [
      { label: 'Nombre:', columns: ['Nombre'], begins: true },
      { label: 'Cédula:', columns: ['Cédula'] },
    ],
  ],
  [
    'labels without colon',
    { Hoja1: below((document, name) => [['Nombre', name, 'CC', document], TITLES]) },
    [
      { label: 'Nombre', columns: ['Nombre'], begins: true },
      { label: 'CC', columns: ['CC'] },
    ],
  ],
  [
    'one owner alone',
    { Hoja1: [['Empleado: 1032456701 ANA RUIZ'], TITLES, ...conceptsOf(3_000_000)] },
    undefined,
  ],
  ['names without a number', { Hoja1: below((_, name) => [[`Empleado: ${name}`], TITLES]) }, undefined],
  [
    'areas by their account above workers',
    {
      Hoja1: [
        ['No.', 'Nombre', 'Cargo', 'Sueldo'],
        ['110505 - ADMINISTRACION'],
        ...WORKERS.map(([document, name, salary]) => [document, name, 'Auxiliar', salary]),
        ['110510 - VENTAS'],
        ...WORKERS.map(([document, name, salary]) => [document + 1, `${name} B`, 'Auxiliar', salary]),
      ],
    },
    undefined,
  ],
  [
    'a list that says whose each row is',
    {
      Hoja1: below((document, name) => [[`Cédula: ${document} ${name}`], ['Cédula', 'Concepto', 'Valor']]),
    },
    undefined,
  ],
])('%s', async (_, sheets, expected) => {
  const ready = await loadReadyMappings();
  const owners = await withInputs([await bookOf(sheets as never)], async (inputs) =>
    (await withOwnerColumns(await readSheets(inputs), ready, 'es')).map((sheet) => sheet.owners),
  );
  expect(owners).toEqual(Object.keys(sheets).map(() => expected));
});

test('the kind before a number is no column where the table has none for it', async () => {
  const people: readonly Cells[] = [
    ['Cédula', 'Nombre', 'Fecha ingreso', 'Sueldo', 'Días', 'Salario devengado'],
    ...WORKERS.map(([document, name, salary]): Cells => [document, name, '2020-01-15', salary, 30, salary]),
  ];
  const novelties: readonly Cells[] = [
    ['Cédula', 'Concepto', 'Cantidad', 'Valor'],
    ...WORKERS.map(([document]): Cells => [`CC ${document}`, 'Hora extra diurna', 2, 30_000]),
  ];
  const { ranked } = await proposeFor([await bookOf({ Empleados: people, Novedades: novelties } as never)], {
    ready: await loadReadyMappings(),
    answers: NO_ANSWERS,
    language: 'es',
    name: 'nomina',
  });
  const labels = ranked.find(({ name }) => name === 'payroll/multi-sheet')?.labels ?? [];
  const means = labels.filter(({ sheet }) => sheet.name === 'Novedades').map((label) => label.means);
  expect(means).toContain('document');
});

test('the mapping of an earlier month is known by the labels above the records', async () => {
  const rows = below((document, name, salary) => [
    ['Empleado:', name, 'Cédula:', document],
    [`Sueldo: ${salary}`, 'Cargo: Auxiliar'],
    TITLES,
  ]);
  const labels = ['Código', 'Concepto', 'Devengado', 'Deducido', 'Empleado', 'Cédula', 'Sueldo', 'Cargo'];
  const written = `tables: { lines: { labels: { ${labels.map((label) => `${label}: ignore`).join(', ')} } } }`;
  const other = written.replace('Empleado', 'Trabajador').replace('Cédula', 'NIT').replace('Cargo', 'Banco');
  const known = await withOpened([await bookOf({ Hoja1: rows } as never)], (opened) =>
    ofThisShape(opened, [other, written]),
  );
  expect(known).toEqual([written]);
});
