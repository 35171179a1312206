import { mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import type { Options } from '../../src/cli/options.js';
import type { SandboxOptions } from '../../src/sandbox/options.js';
import { type Sandbox, startSandbox } from '../../src/sandbox/server.js';
import { PipelineError } from '../../src/toolkit/core/issue.js';
import { type Fake, fake, NOW } from './fake-context.js';
import { freshFolder } from './run-cli.js';
import { sheetCells } from './sheet-cells.js';
import { adjust, approve, journalPurge, report, resume, send, status } from './use-cases.js';

const PASSWORD = 'una-clave-larga';

/** Invented consultations in the columns of the service's own interface. */
const HEADER =
  'type_document_identification_id,document_number,name,last_name,email,birth_date,rips_user_type_id,rips_gender_id,municipality_id,rips_zone_id,country_code,user_id,date,time,service_type_id,fechaInicioAtencion,codConsulta,modalidadGrupoServicioTecSal,grupoServicios,codServicio,finalidadTecnologiaSalud,causaMotivoAtencion,codDiagnosticoPrincipal,tipoDiagnosticoPrincipal,vrServicio,conceptoRecaudo,valorPagoModerador,consecutivo';
const row = (number: number, user = 7): string =>
  `3,5200010${number},Luisa,Rojas,luisa${number}@correo.example,1985-07-14,1,3,149,2,170,${user},2026-10-0${number},08:30,1,2026-10-0${number}T08:30:00,890201,01,01,328,16,38,I10X,02,60000,5,0,1`;

const professional = (user_id: number) => ({
  user_id,
  tipoDocumentoIdentificacion: 'CC',
  numDocumentoIdentificacion: `99000000${String(user_id).padStart(2, '0')}`,
  codPrestador: '110010990101',
});
const PARAMS = {
  note_number_prefix: 'RS-2026-10-',
  note_number_width: 4,
  numDocumentoIdObligado: '900123456',
  users: [7, 11].map(professional),
};

let folder: string;
const inFolder = (name: string): string => join(folder, name);
beforeEach(() => {
  folder = freshFolder();
  writeFileSync(inFolder('params.json'), JSON.stringify(PARAMS));
  writeFileSync(inFolder('visits.csv'), [HEADER, row(1), row(2), row(3)].join('\n'));
  access({ password: PASSWORD });
});

function access(more: object, mode = 0o600): void {
  const given = { type_document_identification_id: 3, number_identification: '1020304050' };
  const text = JSON.stringify({ ...given, url: 'https://sispro.example', ...more });
  writeFileSync(inFolder('sispro.yaml'), text, { mode });
}

async function clinic(options: SandboxOptions = {}): Promise<Sandbox> {
  const box = await startSandbox({ now: () => NOW, ...options });
  onTestFinished(() => box.close());
  return box;
}

const options = (more: Partial<Options> = {}): Options => ({
  mapping: 'rips/interfaz',
  params: inFolder('params.json'),
  report: inFolder('report.xlsx'),
  results: inFolder('results'),
  sispro: inFolder('sispro.yaml'),
  yes: true,
  json: true,
  ...more,
});

function call(box: Sandbox, more: Partial<Fake['context']> = {}): Fake {
  const made = fake({ url: box.url, token: box.token, workspace: inFolder('ws') });
  return { ...made, context: { ...made.context, ...more } };
}

const outcomes = (made: Fake) => made.events().filter(({ event }) => event === 'outcome');
const states = (made: Fake) => outcomes(made).map(({ number, state }) => `${number} ${state}`);

async function sendVisits(box: Sandbox, more: Partial<Options> = {}) {
  const made = call(box);
  const code = await send(made.context, [inFolder('visits.csv')], options(more));
  return { made, code };
}

const packages = (box: Sandbox): number => box.controls.packages().length;

test('send: access, patients, packages, results; again nothing leaves', async () => {
  const box = await clinic();
  const { made, code } = await sendVisits(box);
  expect([code, states(made)]).toEqual([
    0,
    ['RS-2026-10-0001 accepted', 'RS-2026-10-0002 accepted', 'RS-2026-10-0003 accepted'],
  ]);
  const codes = box.controls.packages().map(({ cuv }) => cuv);
  expect(
    outcomes(made)
      .map(({ documentCode }) => documentCode)
      .sort(),
  ).toEqual(codes.sort());
  const names = readdirSync(inFolder('results'));
  expect(names).toHaveLength(3);
  expect(names.map((name) => statSync(join(inFolder('results'), name)).mode & 0o777)).toEqual(
    names.map(() => 0o600),
  );
  expect(names.every((name) => /^ResultadosMSPS_RS-2026-10-000\d_ID\d+_A_CUV\.json$/.test(name))).toBe(true);

  const again = await sendVisits(box);
  expect([again.code, packages(box)]).toEqual([0, 3]);

  writeFileSync(inFolder('visits.csv'), [HEADER, row(1), row(4)].join('\n'));
  const more = await sendVisits(box);
  expect([more.code, states(more.made)]).toEqual([
    0,
    ['RS-2026-10-0001 accepted', 'RS-2026-10-0004 accepted'],
  ]);
});

describe('an adjust note of the whole file', () => {
  const NOTES = { param: ['note_type=NA', 'note_number_prefix=NA-'] };
  const said = (made: Fake) =>
    made
      .events()
      .filter(({ code }) => String(code).startsWith('send/'))
      .map(({ code, cell, row: at }) => `${code} ${cell ?? at}`);

  /** Three visits are accepted, and of the second the diagnosis is corrected. */
  async function corrected() {
    const box = await clinic();
    await sendVisits(box);
    const second = row(2).replace('I10X', 'J00X');
    writeFileSync(inFolder('visits.csv'), [HEADER, row(1), second, row(3)].join('\n'));
    return box;
  }

  test('sends what changed, says its cell, and is not sent again', async () => {
    const box = await corrected();
    const refused = await sendVisits(box);
    expect([refused.code, said(refused.made)]).toEqual([1, ['send/care-accepted W3']]);
    const { made, code } = await sendVisits(box, NOTES);
    expect([code, states(made), said(made)]).toEqual([
      0,
      ['RS-2026-10-0001 accepted', 'NA-0001 accepted', 'RS-2026-10-0003 accepted'],
      ['send/note-changes W3'],
    ]);
    expect(box.controls.packages().at(-1)).toMatchObject({ noteNumber: 'NA-0001', rips: { tipoNota: 'NA' } });
    for (const more of [NOTES, {}]) expect((await sendVisits(box, more)).code).toBe(0);
    expect(packages(box)).toBe(4);
  });

  test('knows what did not change by its hash where the data was purged', async () => {
    const box = await corrected();
    const purge = { yes: true, before: '2030-01-01' };
    expect(await journalPurge(call(box).context, [], purge)).toBe(0);
    const { made } = await sendVisits(box, { ...NOTES, dryRun: true });
    expect([said(made), packages(box)]).toEqual([['send/note-of-unknown 3'], 3]);
  });

  test('is what adjust names', async () => {
    const box = await corrected();
    const file = inFolder('visits.csv');
    const wishes = options({ param: ['note_number_prefix=AJ-'] });
    const command = `send ${file} -m rips/interfaz --params ${wishes.params} -p note_type=NA -p note_number_prefix=AJ-`;
    await expect(adjust(call(box).context, [file], wishes)).rejects.toMatchObject({
      issues: [{ code: 'run/adjusted-by-send', params: { command } }],
    });
  });
});

test('the password is nowhere but in its own file', async () => {
  const box = await clinic();
  const { made } = await sendVisits(box);
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((one) => one.isFile());
  const holding = files.filter((one) => readFileSync(join(one.parentPath, one.name)).includes(PASSWORD));
  expect(holding.map(({ name }) => name)).toEqual(['sispro.yaml']);
  expect([...made.shown.out(), ...made.shown.said()].join('\n')).not.toContain(PASSWORD);
});

test('the plan names what is to be sent and its value', async () => {
  const box = await clinic();
  const { made } = await sendVisits(box, { dryRun: true });
  expect(made.shown.said()).toEqual(expect.arrayContaining([expect.stringContaining('180.000,00')]));
  expect(box.controls.requests({ operation: 'configureRips' as never }).count).toBe(0);
});

/** Whether one package finds that nobody is let in, or several do. */
test.each([1, 3])(
  'a wrong password stops %i; resume with the right one sends each package once',
  async (count) => {
    const box = await clinic();
    writeFileSync(
      inFolder('visits.csv'),
      [HEADER, ...[1, 2, 3].slice(0, count).map((at) => row(at))].join('\n'),
    );
    access({ password: 'wrong' });
    const { made, code } = await sendVisits(box);
    expect([code, states(made).every((one) => one.endsWith('unsent'))]).toEqual([3, true]);
    expect(made.shown.said().join('\n')).toMatch(/sispro\.yaml[\s\S]*CARGUE_SISPRO_PASSWORD/);
    // No record is to blame for it.
    const refused = made.events().filter(({ code: of }) => of === 'send/health-access');
    expect(refused.map(({ row: at }) => at).filter((at) => at !== null)).toEqual([]);
    expect(refused.length).toBeGreaterThan(0);
    access({ password: PASSWORD });
    const resumed = call(box);
    expect(await resume(resumed.context, [], options())).toBe(0);
    expect(packages(box)).toBe(count);
  },
);

test('what a person looked up ends a package; report keeps the results again', async () => {
  const box = await clinic();
  box.controls.addFault({ kind: 'reset-after', match: { operation: 'generateRips' as never }, times: 1 });
  const { code, made } = await sendVisits(box, { concurrency: 1 });
  const lost = outcomes(made).find(({ state }) => state === 'unknown')!;
  expect([code, lost['issues']]).toEqual([4, ['send/cuv-unknown']]);
  const { cuv } = box.controls.packages().find(({ noteNumber }) => noteNumber === lost['number'])!;
  const resumed = call(box);
  const settle = [`${lost['number']}=accepted:${cuv}`];
  expect(await resume(resumed.context, [], options({ settle }))).toBe(0);
  expect(packages(box)).toBe(3);
  const folderAgain = inFolder('again');
  const wishes = options({ results: folderAgain, output: inFolder('again.xlsx') });
  expect(await report(call(box).context, [], wishes)).toBe(0);
  // What a person looked up has no answer of the ministry.
  const names = readdirSync(folderAgain);
  expect(names).toHaveLength(2);
  // One that someone changed is kept, and the answer stands beside it.
  const changed = join(folderAgain, names[0]!);
  writeFileSync(changed, 'changed');
  for (const _ of [1, 2]) await report(call(box).context, [], wishes);
  expect(readFileSync(changed, 'utf8')).toBe('changed');
  expect(readdirSync(folderAgain)).toHaveLength(3);
});

/** As the ministry's own tool saves it. */
const saved = (result: object): string => `\uFEFF${JSON.stringify(result, null, 2)}`;

test('results that the ministry saved complete what came cut off, and end a doubt', async () => {
  const box = await clinic({ ripsRefusalLength: 120 });
  box.controls.addOutcome({ match: {}, verdict: 'reject', rules: ['RVC061'], times: 1 });
  const operation = 'generateRips' as never;
  box.controls.addFault({ kind: 'reset-after', match: { operation }, skip: 1, times: 1 });
  const { made } = await sendVisits(box, { concurrency: 1 });
  const issuesOf = (one: Fake) =>
    outcomes(one)
      .map(({ number, state, issues }) => `${number} ${state} ${String(issues)}`)
      .sort();
  const [first, second] = issuesOf(made);
  const isLost = (line: string | undefined) => line?.endsWith('send/cuv-unknown') === true;
  const isCut = (line: string | undefined) => line?.endsWith('remote/rips-no-reasons') === true;
  expect([first, second].filter((one) => isLost(one) || isCut(one))).toHaveLength(2);
  const numberOf = (line: string | undefined) => line!.split(' ')[0]!;
  const lost = numberOf([first, second].find(isLost));
  const cut = numberOf([first, second].find(isCut));

  const path = 'rips.usuarios[0].servicios.consultas[0].valorPagoModerador';
  const refusal = {
    resultState: false,
    procesoId: 77,
    numFactura: cut,
    codigoUnicoValidacion: '-',
    resultadosValidacion: [
      {
        Clase: 'RECHAZADO',
        Codigo: 'RVC061',
        Descripcion: 'Sin pago, 0',
        Observaciones: '5000',
        PathFuente: path,
      },
    ],
  };
  const { cuv } = box.controls.packages().find(({ noteNumber }) => noteNumber === lost)!;
  const acceptance = { ResultState: true, ProcesoId: 78, NumFactura: lost, CodigoUnicoValidacion: cuv };
  const own = inFolder('del-ministerio');
  mkdirSync(own);
  const put = (name: string, result: object) => writeFileSync(join(own, name), saved(result));
  put(`ResultadosMSPS_${cut}_ID77_R.json`, refusal);
  put(`ResultadosMSPS_${lost}_ID78_A_CUV.txt`, { ...acceptance, ResultadosValidacion: [] });
  put('ResultadosMSPS_otro_ID79_R.json', { ...refusal, numFactura: 'OTRO-1' });
  writeFileSync(join(own, 'notas.txt'), 'llamar al proveedor');

  const reading = call(box);
  const wishes = options({ readResults: [own], output: inFolder('whole.xlsx'), results: inFolder('whole') });
  expect(await report(reading.context, [], wishes)).toBe(0);
  const told = call(box);
  await status(told.context, [String(made.events().find((one) => one['run'])?.['run'])], { json: true });
  expect(issuesOf(told).slice(0, 2)).toEqual(
    [`${cut} rejected remote/rips-rejected`, `${lost} accepted `].sort(),
  );
  const cells = (await sheetCells(inFolder('whole.xlsx')))['Errores']!.map((row) => row.join(' | '));
  expect(cells.filter((one) => one.includes('RVC061'))).toEqual([
    expect.stringMatching(/visits\.csv!AA\d.*Sin pago, 0/),
  ]);
  expect(readdirSync(inFolder('whole')).sort()).toEqual(
    expect.arrayContaining([`ResultadosMSPS_${cut}_ID77_R.json`, `ResultadosMSPS_${lost}_ID78_A_CUV.json`]),
  );

  // What contradicts the journal is not used, wherever it lies.
  put('contra.json', { ...refusal, numFactura: lost });
  const refused = call(box);
  expect(await report(refused.context, [], wishes)).toBe(0);
  const codes = refused.events().filter(({ code }) => code === 'report/result-not-read');
  expect(codes.map(({ file, message }) => [file, message])).toEqual([
    [join(own, 'contra.json'), expect.stringContaining('contradice')],
  ]);
});

test('a held run goes as it was laid out, though its file is gone; numbers keep their form', async () => {
  const box = await clinic();
  const first = await sendVisits(box, { hold: true });
  const run = String(first.made.events().at(-1)!['run']);
  expect([first.code, box.controls.requests().count]).toEqual([0, 0]);
  rmSync(inFolder('visits.csv'));
  expect(await approve(call(box).context, [run], { yes: true, as: 'Ana' })).toBe(0);
  const made = call(box);
  expect(await send(made.context, [run], options())).toBe(0);
  expect(states(made)).toEqual([
    'RS-2026-10-0001 accepted',
    'RS-2026-10-0002 accepted',
    'RS-2026-10-0003 accepted',
  ]);
});

test('deployments that refuse past appointments are given a day of their own', async () => {
  const box = await clinic({ pastAppointments: 'refuse' });
  const refused = await sendVisits(box);
  expect([refused.code, packages(box)]).toEqual([1, 0]);
  const { code } = await sendVisits(box, { booking: 'today' });
  expect([code, packages(box)]).toEqual([0, 3]);
  const [first] = box.controls.packages();
  expect(JSON.stringify(first!.rips)).toContain('2026-10-0');
});

describe('the file of the access', () => {
  const refusedWith = (code: string) => (error: unknown) => {
    expect(error).toBeInstanceOf(PipelineError);
    const { issues } = error as PipelineError;
    expect(issues.map((issue) => issue.code)).toEqual([code]);
    if (code.startsWith('document/')) expect(issues[0]!.place.file).toBe('sispro.yaml');
    expect(JSON.stringify(issues)).not.toContain(PASSWORD);
  };
  test.each<[name: string, given: object, mode: number, code: string]>([
    ['open to others', { password: PASSWORD }, 0o644, 'send/health-access-file'],
    ['without a password anywhere', {}, 0o644, 'send/needs-sispro-password'],
    ['without an address', { password: PASSWORD, url: PASSWORD }, 0o600, 'document/format-uri'],
    ['with one key too many', { password: PASSWORD, clave: PASSWORD }, 0o600, 'document/not-allowed'],
  ])('%s', async (_name, given, mode, code) => {
    rmSync(inFolder('sispro.yaml'));
    access(given, mode);
    const box = await clinic();
    await sendVisits(box).then(
      () => expect.unreachable(),
      (error: unknown) => refusedWith(code)(error),
    );
    expect(box.controls.requests().count).toBe(0);
  });

  test('its password from the environment', async () => {
    rmSync(inFolder('sispro.yaml'));
    access({}, 0o644);
    const box = await clinic();
    const made = call(box, { sisproPassword: PASSWORD });
    expect(await send(made.context, [inFolder('visits.csv')], options())).toBe(0);
  });

  test('refused by the service: nothing is sent, no draft stays', async () => {
    const box = await clinic();
    box.controls.addFault({ kind: '500', match: { operation: 'configureRips' as never }, times: 1 });
    await expect(sendVisits(box)).rejects.toBeInstanceOf(PipelineError);
    expect(box.controls.requests({ operation: 'createPatient' as never }).count).toBe(0);
    expect((await sendVisits(box)).code).toBe(0);
  });
});

describe('incapacity is of the patient at the service, and each package is generated with its own', () => {
  const UNFIT = ['SI', 'NO', 'SI', 'NO'];
  /** The first three are visits of one patient. */
  beforeEach(() => {
    const visits = UNFIT.map((unfit, at) => {
      const cells = row(at + 1).split(',');
      const patient = row(at === 3 ? 4 : 1).split(',');
      return [...patient.slice(0, 11), ...cells.slice(11), unfit].join(',');
    });
    writeFileSync(inFolder('visits.csv'), [`${HEADER},incapacity`, ...visits].join('\n'));
  });
  const reached = (box: Sandbox) =>
    box.controls
      .packages()
      .toSorted((a, b) => a.noteNumber.localeCompare(b.noteNumber))
      .map(({ rips }) => (rips['usuarios'] as { incapacidad: string }[])[0]!.incapacidad);

  test('several at a time', async () => {
    const box = await clinic();
    expect((await sendVisits(box, { concurrency: 4 })).code).toBe(0);
    expect(reached(box)).toEqual(UNFIT);
  });

  test('also of those that were assembled in an earlier run', async () => {
    const box = await clinic();
    access({ password: 'wrong' });
    expect((await sendVisits(box, { concurrency: 4 })).code).toBe(3);
    access({ password: PASSWORD });
    expect(await resume(call(box).context, [], options({ concurrency: 4 }))).toBe(0);
    expect(reached(box)).toEqual(UNFIT);
  });
});
