import { copyFileSync, existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { PipelineError } from '../../src/toolkit/core/issue.js';
import { packageFile } from '../../src/toolkit/core/package-file.js';
import { bookOf } from '../support/edit-workbook.js';
import { fake } from './fake-context.js';
import { freshFolder } from './run-cli.js';
import { PARAMS, SAMPLE, sampleCsv } from './sample.js';
import { check, mappingLint as lint, inspect as run } from './use-cases.js';

/** The sample with an amount that only the office knows, and a column that is not used. */
const messy = (): Promise<string> =>
  sampleCsv((grid) => {
    for (const [row, cells] of grid.entries())
      cells.push(row === 0 ? 'PROVISION' : String(150_000 + row * 7), row === 0 ? 'CARGO' : 'OPERARIO');
  });
const OPEN = 'workers.BC';

function addColumn(grid: string[][], label: string, value: (row: number) => string): void {
  for (const [row, cells] of grid.entries()) cells.push(row === 0 ? label : value(row));
}

const target = (): string => join(freshFolder(), 'mapeo.yaml');

const codesOf = async (run: Promise<unknown>): Promise<readonly string[]> => {
  try {
    await run;
    return [];
  } catch (error) {
    if (!(error instanceof PipelineError)) throw error;
    return error.issues.map(({ code }) => code);
  }
};

describe('what inspect writes', () => {
  test('passes the lint once nothing is open, and says how it is used', async () => {
    const [file, write] = [await messy(), target()];
    const { context } = fake();
    await run(context, [file], { write });
    expect(await codesOf(lint(context, [write], {}))).toEqual(['mapping/undecided']);
    await run(context, [file], { write, answer: [`${OPEN}=ignore`] });
    expect(await codesOf(lint(context, [write], {}))).toEqual([]);
    expect(readFileSync(write, 'utf8')).toMatch(/^# .*\n#: .*\n#: {3}cargue check .*nomina\.csv -m /);
    expect(await check(context, [file], { mapping: write, params: PARAMS })).toBe(0);
  });

  test('is the same with the same answers, and keeps them without', async () => {
    const [file, write] = [await messy(), target()];
    const { context } = fake();
    const call = { write, answer: [`${OPEN}=commission`] };
    // Two labels of an amount are added up.
    await run(context, [file], call);
    const first = readFileSync(write, 'utf8');
    await run(context, [file], call);
    expect(readFileSync(write, 'utf8')).toBe(first);
    await run(context, [file], { write });
    expect(readFileSync(write, 'utf8')).toBe(first);
    expect(first).toContain('PROVISION: commission');
  });

  test('blames no row for what a parameter gives that is still to come', async () => {
    const call = fake();
    await run(call.context, [SAMPLE], { json: true });
    const [said] = call.events().filter(({ event }) => event === 'summary');
    expect(said).toMatchObject({ documents: 25, issues: [] });
  });

  test('takes what a person wrote in place of an open choice', async () => {
    const [file, write] = [await messy(), target()];
    const { context } = fake();
    await run(context, [file], { write });
    const text = readFileSync(write, 'utf8');
    const node = /PROVISION:\n {8}undecided:[\s\S]*?(?=\n {6}\S)/;
    expect(text).toMatch(node);
    writeFileSync(write, text.replace(node, 'PROVISION: ignore'));
    await run(context, [file], { write });
    expect(await codesOf(lint(context, [write], {}))).toEqual([]);
  });

  test('keeps what a person edited, with new answers or without', async () => {
    const [file, write] = [await messy(), target()];
    const { context } = fake();
    await run(context, [file], { write });
    const edited = readFileSync(write, 'utf8')
      .replace(/^name: .*$/m, 'name: mi-empresa # nuestro')
      .replace(/^tables:$/m, '# Hablado con Recursos Humanos.\ntables:')
      .replace(/$/, 'batch:\n  - { unique: [document], level: warning } # uno por trabajador\n');
    writeFileSync(write, edited);
    const own =
      /^name: mi-empresa # nuestro$[\s\S]*^# Hablado con Recursos Humanos\.$[\s\S]*uno por trabajador/m;
    await run(context, [file], { write });
    expect(readFileSync(write, 'utf8')).toMatch(own);
    expect(readFileSync(write, 'utf8').split('\n').slice(1)).toEqual(edited.split('\n').slice(1));
    for (const answer of [[`${OPEN}=ignore`], []]) {
      await run(context, [file], { write, answer });
      expect(readFileSync(write, 'utf8')).toMatch(own);
      expect(readFileSync(write, 'utf8')).toContain('PROVISION: ignore');
      expect(await codesOf(lint(context, [write], {}))).toEqual([]);
    }
  });

  test('says where an answer and an edit do not go together, and writes nothing', async () => {
    const [file, write] = [await messy(), target()];
    const { context } = fake();
    await run(context, [file], { write, answer: [`${OPEN}=ignore`] });
    const edited = readFileSync(write, 'utf8').replace('PROVISION: ignore', 'PROVISION: [ignore]');
    writeFileSync(write, edited);
    const again = { write, answer: [`${OPEN}=commission`] };
    expect(await codesOf(run(context, [file], again))).toEqual(['inspect/edited-otherwise']);
    expect(readFileSync(write, 'utf8')).toBe(edited);
    await run(context, [file], { ...again, force: true });
    expect(readFileSync(write, 'utf8')).toContain('PROVISION: commission');
  });

  test('an edited mapping that is no YAML any more is left as it is', async () => {
    const [file, write] = [await messy(), target()];
    const { context } = fake();
    await run(context, [file], { write });
    const edited = `${readFileSync(write, 'utf8')}  broken: [1\n`;
    writeFileSync(write, edited);
    expect(await codesOf(run(context, [file], { write }))).toEqual(['mapping/yaml']);
    expect(readFileSync(write, 'utf8')).toBe(edited);
  });

  test('leaves files that it did not write alone', async () => {
    const [file, write] = [await messy(), target()];
    writeFileSync(write, 'name: mine\n');
    const { context } = fake();
    expect(await codesOf(run(context, [file], { write }))).toEqual(['inspect/not-ours']);
    expect(readFileSync(write, 'utf8')).toBe('name: mine\n');
    await run(context, [file], { write, force: true });
    expect(readFileSync(write, 'utf8')).not.toContain('mine');
  });

  test.each([
    ['no such question', 'workers.ZZ=ignore', 'inspect/unknown-answer'],
    ['no such column', `${OPEN}=helth`, 'inspect/bad-answer'],
    ['a document for two labels', `${OPEN}=document`, 'inspect/answer-twice'],
    ['no value', OPEN, 'run/bad-option'],
  ])('is not written for a wrong answer: %s', async (_, answer, code) => {
    const write = target();
    const { context } = fake();
    expect(await codesOf(run(context, [await messy()], { write, answer: [answer] }))).toEqual([code]);
    expect(existsSync(write)).toBe(false);
  });

  test('never replaces the input', async () => {
    const file = join(freshFolder(), 'libro.xlsx');
    copyFileSync(SAMPLE, file);
    const { context } = fake();
    expect(await codesOf(run(context, [file], { write: file, force: true }))).toEqual([
      'run/output-is-input',
    ]);
  });
});

test('a wrong answer names the questions and the likely answers', async () => {
  const { context } = fake();
  const failed = await run(context, [await messy()], {
    answer: ['workers.BX=ignore', `${OPEN}=comission`],
  }).catch((error: PipelineError) => error.issues);
  expect(failed).toMatchObject([
    { code: 'inspect/bad-answer', params: { id: OPEN }, suggestions: [{ value: 'Comisiones (commission)' }] },
    { code: 'inspect/unknown-answer', value: 'workers.BX' },
  ]);
});

test('a number is the answer that had it where it was shown, whatever other answers change', async () => {
  const file = join(freshFolder(), 'egresos.csv');
  writeFileSync(
    file,
    [
      'Ingreso,Documento,Paciente,Fecha nacimiento,Género,Municipio,Régimen,Fecha/Hora ingreso,Fecha/Hora egreso,Dx ingreso,Dx egreso,Complicación,Cédula médico',
      'I-1,CC 9800334455,"VEGA LEON, PEDRO",14/07/1961,Masculino,05001 MEDELLIN,Subsidiado,01/11/2026 14:20,04/11/2026 09:00,K359,K359,,9900000013',
      'I-2,RC 9800334466,"DIAZ RUIZ, SARA",02/10/2024,Femenino,05088 BELLO,Subsidiado,02/11/2026 22:05,05/11/2026 11:30,J180,J180,,9900000013',
      'I-3,CC 9800334477,"OSPINA DIAZ, ROSA",23/05/1940,Femenino,05001 MEDELLIN,Subsidiado,03/11/2026 06:40,06/11/2026 18:00,I500,I500,J960,9900000014',
    ].join('\n'),
  );
  const write = target();
  const settled = ['correo_dominio=each_run', 'cod_prestador=each_run', 'rips_zone_id=02'].map(
    (text) => `param.${text}`,
  );
  const call = fake();
  await run(call.context, [file], { write, answer: settled });
  const said = call.shown.said().join('\n');
  const [, shown] = /param\.tipo_servicio[\s\S]*?\n\s+2\s+(\w+)/.exec(said) ?? [];
  expect(shown, said).toBeDefined();
  const other = target();
  await run(fake().context, [file], { write: other, answer: [...settled, 'param.tipo_servicio=2'] });
  expect(readFileSync(other, 'utf8')).toMatch(new RegExp(`tipo_servicio:\\n\\s+default: ${shown}`));
});

test('the time of care is asked for, and then what the records lack behind it', async () => {
  const file = join(freshFolder(), 'vacunas.csv');
  writeFileSync(
    file,
    [
      'Fecha;Tipo Doc;Identificacion;Primer Apellido;Primer Nombre;Fecha Nac;Genero;Regimen;Cod municipio;Zona;CUPS;Dx;CC profesional;Valor',
      '05/11/2026;RC;1098700111;LOPEZ;EMMA;10/08/2026;F;Subsidiado;68001;Urbana;993122;Z271;9900000012;0',
      '06/11/2026;TI;1098600222;PEREZ;JUAN;02/02/2015;M;Subsidiado;68001;Urbana;993510;Z251;9900000012;0',
      '07/11/2026;CC;37800333;ORTIZ;MARTHA;01/01/1955;F;Subsidiado;68001;Rural;993510;Z251;9900000012;0',
    ].join('\n'),
  );
  const answer = ['param.tipo_servicio=procedimientos'];
  for (const name of ['correo_dominio', 'cod_prestador']) answer.push(`param.${name}=each_run`);
  const askedWith = async (...more: string[]): Promise<string> => {
    const call = fake();
    await run(call.context, [file], { write: target(), answer: [...answer, ...more] });
    return call.shown.said().join('\n');
  };
  expect(await askedWith()).toContain('param.horaAtencion');
  const further = await askedWith('param.horaAtencion=08:00', 'param.codServicio=334', 'date=dmy');
  expect(further).not.toContain('param.horaAtencion');
  expect(further).toContain('usual.params');
});

test('a join answered in a later call takes the key that was left aside before, and is kept once', async () => {
  const people = [
    ['Nro fórmula', 'Fecha entrega', 'Hora', 'Tipo documento', 'Documento', 'Apellidos', 'Nombres'],
    [5001, new Date('2026-11-03'), '08:40', 'CC', '9800550001', 'Gómez Prada', 'Ana Milena'],
    [5002, new Date('2026-11-03'), '10:05', 'CC', '9800550002', 'Suárez', 'Óscar'],
    [5003, new Date('2026-11-09'), '16:20', 'CC', '9800550003', 'Vera Rojas', 'Karol'],
  ];
  const items = [
    ['Fórmula', 'CUM', 'Producto', 'Cantidad dispensada', 'Días de tratamiento', 'Valor total'],
    [5001, '19967421-4', 'METFORMINA 850 MG TABLETA', 90, 30, 13500],
    [5001, '20011234-1', 'GLIMEPIRIDA 4 MG TABLETA', 30, 30, 12600],
    [5002, '20087654-1', 'TERIFLUNOMIDA 14 MG', 28, 28, 2702000],
    [5003, '19934567-2', 'ATORVASTATINA 40 MG TABLETA', 30, 30, 9300],
  ];
  const file = await bookOf({ Fórmulas: people, Detalle: items });
  const write = target();
  const answer = ['layout=rips/excel-por-nodo', 'sheet.Detalle=medicamentos'];
  const written = async (...more: string[]): Promise<string> => {
    await run(fake().context, [file], { write, answer: [...answer, ...more] });
    return readFileSync(write, 'utf8');
  };
  expect(await written()).toMatch(/Nro fórmula: ignore # A$/m);
  const joined = await written('join.medicamentos=Fórmula=Nro fórmula');
  expect(joined).toContain('Nro fórmula: nro_formula');
  expect(await written()).toBe(joined);
});

test('asks a person, again when the answer is none', async () => {
  const write = target();
  const { context, asked, shown } = fake({ lines: ['nonsense', 'ignore'] });
  await run(context, [await messy()], { write });
  expect(asked).toHaveLength(2);
  expect(shown.said().join('\n')).toContain('¿Qué es «PROVISION»');
  expect(shown.said().join('\n')).not.toContain(OPEN); // the next call may answer by it, not a person who is asked
  expect(await codesOf(lint(context, [write], {}))).toEqual([]);
});

test('says what conflicts before it is taken', async () => {
  const write = target();
  const { context, asked, shown } = fake({ lines: ['document', 'ignore'] });
  await run(context, [await messy()], { write });
  expect(asked).toHaveLength(2);
  expect(shown.said().join('\n')).toMatch(/ya la trae «.*», y solo una columna puede serlo/);
  expect(await codesOf(lint(context, [write], {}))).toEqual([]);
});

test('keeps an answer to what is not asked any more', async () => {
  const write = target();
  const { context } = fake();
  const files = [await messy()];
  await run(context, files, { write });
  const line = '#: --answer class.FONDO LUZ=other_deduction';
  writeFileSync(write, readFileSync(write, 'utf8').replace(/\n/, `\n${line}\n`));
  for (const force of [false, true]) {
    await run(context, files, { write, force, answer: [`${OPEN}=ignore`] });
    expect(readFileSync(write, 'utf8').split('\n')).toContain(line);
  }
});

test('tells programs everything, a line each', async () => {
  const { context, events } = fake();
  await run(context, [await messy()], { json: true });
  const kinds = new Set(events().map(({ event }) => event));
  expect([...kinds]).toEqual([
    'sheet',
    'label',
    'fields',
    'format',
    'param',
    'setting',
    'question',
    'summary',
  ]);
  const label = events().find(({ event, label }) => event === 'label' && label === 'Salud');
  expect(label).toMatchObject({ state: 'decided', means: 'health', score: 1, cell: 'AS1', title: 'Salud' });
  expect(label?.['samples']).toHaveLength(3);
  expect(events().find(({ event }) => event === 'question')).toMatchObject({
    id: OPEN,
    path: ['tables', 'workers', 'labels', 'PROVISION'],
  });
  expect(events().at(-1)).toMatchObject({
    event: 'summary',
    mapping: 'payroll/wide',
    undecided: 1,
    documents: 25,
  });
});

test('shows people no name, document or account, and fits 100 columns', async () => {
  const { context, shown } = fake();
  await run(context, [await messy()], { write: target() });
  const lines = shown.said();
  expect(lines.filter((line) => line.length > 100)).toEqual([]);
  expect(lines.join('\n')).not.toMatch(/9000100000|Núñez|1926665174|Avenida 125/);
});

describe('without -m', () => {
  test('the ready-made mapping that plainly fits is used, and named', async () => {
    const { context, shown } = fake();
    expect(await check(context, [SAMPLE], { params: PARAMS })).toBe(0);
    expect(shown.said().join('\n')).toContain('payroll/wide');
  });

  test.each<[string, (grid: string[][]) => void]>([
    ['an amount that nobody knows', (grid) => addColumn(grid, 'PROVISION', (row) => `${150_000 + row}`)],
    ['a label by other words', (grid) => (grid[0]![44] = 'DCTO. SALUD TRABAJ.')],
    ['hours that hold money', (grid) => ([grid[0]![23], grid[0]![24]] = ['HED valor', 'HED horas'])],
    [
      'a needed column that is not there',
      (grid) => {
        for (const row of grid) row.splice(15, 1);
      },
    ],
    ['two columns for one thing', (grid) => addColumn(grid, 'Aporte salud', () => '1000')],
  ])('none is used for %s', async (_, change) => {
    const { context } = fake();
    const file = await sampleCsv(change);
    expect(await codesOf(check(context, [file], { params: PARAMS }))).toEqual(['inspect/no-clear-mapping']);
  });

  test.each([
    ['rips/interfaz', 'interfaz'],
    ['rips/consultas', 'consultas'],
    ['rips/excel-por-nodo', 'grupos'],
    ['rips/excel-por-nodo', 'libro'],
    ['rips/lista', 'lista'],
  ])('%s is used for the clinic files in samples/rips/%s', async (name, folder) => {
    const { context, shown } = fake();
    const at = join('samples/rips', folder);
    const files = readdirSync(at).filter((file) => !file.endsWith('.json'));
    await check(
      context,
      files.map((file) => join(at, file)),
      { params: join(at, 'params.json') },
    );
    expect(shown.said()[0]).toContain(name);
  });

  test.each([
    ['with all that it needs', ['RIPS000123.zip', 'complemento.csv'], []],
    ['without its supplement, which is then asked for', ['RIPS000123.zip'], ['header/complement-missing']],
  ])('flat files are told by their names, %s', async (_, files, lacking) => {
    const { context, shown, events } = fake();
    const folder = 'samples/rips/3374';
    const paths = files.map((file) => join(folder, file));
    await check(context, paths, { params: join(folder, 'params.json'), json: true });
    expect(shown.said().join('\n')).toContain('rips/3374-zip');
    const codes = events().map(({ code }) => code);
    expect(codes.filter((code) => /^header\/(sheet|complement|file|not-found)/.test(code ?? ''))).toEqual(
      lacking,
    );
  });

  test('a file of something else is refused', async () => {
    const file = join(freshFolder(), 'otra.csv');
    writeFileSync(file, 'a;b;c\n1;2;3\n4;5;6\n');
    const { context } = fake();
    expect(await codesOf(check(context, [file], { params: PARAMS }))).toEqual(['inspect/nothing-found']);
  });

  test('where a person says the row of the header it is asked what the file is', async () => {
    const file = join(freshFolder(), 'otra.csv');
    writeFileSync(file, 'a;b;c\n1;2;3\n4;5;6\n');
    const { context, shown } = fake();
    expect(await codesOf(run(context, [file], {}))).toEqual(['inspect/nothing-found']);
    expect(await codesOf(run(context, [file], { answer: ['header.otra.csv=1'] }))).toEqual([]);
    expect(shown.said().join('\n')).toContain('--answer layout=');
  });
});

test('what joins two files is answered as it is asked: column=column', async () => {
  const folder = freshFolder();
  const files = ['usuarios.csv', 'consultas.csv'].map((name) => {
    const text = readFileSync(packageFile('samples', 'rips', 'grupos', name), 'utf8');
    // Under another label the services are of nobody.
    const lines = text
      .split('\n')
      .map((line) =>
        name === 'usuarios.csv' ? line : line.replace(/^[^,]*,/, '').replace('numDocumentoUsuario', 'clave'),
      );
    writeFileSync(join(folder, name), lines.join('\n'));
    return join(folder, name);
  });
  const write = target();
  const answer = ['join.consultas=clave=numDocumentoIdentificacion'];
  await run(fake().context, files, { write, answer });
  const made = readFileSync(write, 'utf8');
  expect(made).toContain('clave: numDocumentoUsuario');
  expect(made).not.toContain('undecided');
});
