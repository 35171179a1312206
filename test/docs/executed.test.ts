import { spawn } from 'node:child_process';
import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { stripVTControlCharacters } from 'node:util';
import ExcelJS from 'exceljs';
import { describe, expect, onTestFinished, test } from 'vitest';
import { startSandbox } from '../../src/sandbox/server.js';
import { freshFolder } from '../cli/run-cli.js';

/** The program; the packaging test names the installed one. */
const PROGRAM =
  process.env['CARGUE_TEST_PROGRAM'] ?? fileURLToPath(new URL('../../dist/cli/main.js', import.meta.url));

const SAMPLES = fileURLToPath(new URL('../../samples/', import.meta.url));

/** Folder in which the lines of a page are typed, and the service that answers them. */
interface Place {
  readonly folder: string;
  readonly env: NodeJS.ProcessEnv;
  /** Latest run that a line told of. */
  run: string;
}

const copy = (place: Place, files: Readonly<Record<string, string>>): void => {
  for (const [name, sample] of Object.entries(files))
    copyFileSync(join(SAMPLES, sample), join(place.folder, name));
};

/** Copies a CSV of the samples without the records that it has to show errors, counted with the header from 1. */
function copyRight(place: Place, name: string, sample: string, wrong: readonly number[]): void {
  const records: string[] = [];
  for (const line of readFileSync(join(SAMPLES, sample), 'latin1').split('\n')) {
    const isOpen = (records.at(-1)?.split('"').length ?? 1) % 2 === 0;
    if (isOpen) records.push(`${records.pop()}\n${line}`);
    else records.push(line);
  }
  const right = records.filter((_, at) => !wrong.includes(at + 1));
  writeFileSync(join(place.folder, name), right.join('\n'), 'latin1');
}

/** Writes the sample payroll with another account number for the first worker. */
async function correctPayroll(place: Place, name: string): Promise<void> {
  const book = new ExcelJS.Workbook();
  await book.xlsx.readFile(join(SAMPLES, 'payroll/nomina-octubre-2026.xlsx'));
  const sheet = book.worksheets[0]!;
  const header = sheet.getRow(1).values as readonly unknown[];
  sheet.getCell(2, header.indexOf('Número de cuenta')).value = '00998877665';
  await book.xlsx.writeFile(join(place.folder, name));
}

async function makeCups(place: Place): Promise<void> {
  const book = new ExcelJS.Workbook();
  const sheet = book.addWorksheet('CUPSRips');
  sheet.addRow(['Tabla', 'Codigo', 'Nombre', 'Habilitado', 'Extra_I:UsoCodigoCUP', 'Extra_VI:Sexo']);
  for (const code of ['890201', '890202', '890203', '890206', '890207', '890208', '890211'])
    sheet.addRow(['CUPSRips', code, 'CONSULTA', 'SI', 'AC', 'Z']);
  await book.xlsx.writeFile(join(place.folder, 'CUPSRips.xlsx'));
}

const PAYROLL = { 'nomina.xlsx': 'payroll/nomina-octubre-2026.xlsx', 'octubre.json': 'payroll/params.json' };
const CONSULTATIONS = 'rips/consultas/Consultas octubre.csv';
/** Lines of the consultations that have planted errors. */
const WRONG_CONSULTATIONS = [12, 29, 43, 60, 75, 92, 113];
/** Lines of the list of events that have planted errors. */
const WRONG_EVENTS = [13, 18, 19, 22, 28];

/** What lies in the folder of a page. */
const PAGES: Readonly<Record<string, (place: Place) => void | Promise<void>>> = {
  'docs/payroll.md': async (place) => {
    copy(place, PAYROLL);
    await correctPayroll(place, 'corregida.xlsx');
  },
  'docs/rips.md': async (place) => {
    copy(place, { 'octubre.json': 'rips/consultas/params.json' });
    copyRight(place, 'consultas.csv', CONSULTATIONS, WRONG_CONSULTATIONS);
    const changed = readFileSync(join(place.folder, 'consultas.csv'), 'latin1').replace(
      '120.000,00',
      '121.000,00',
    );
    writeFileSync(join(place.folder, 'corregidas.csv'), changed, 'latin1');
    mkdirSync(join(place.folder, 'ResultadosMSPS'));
    await makeCups(place);
    const access = { type_document_identification_id: 3, number_identification: '1020304050' };
    const text = JSON.stringify({ ...access, url: 'https://sispro.example', password: 'clave-inventada' });
    writeFileSync(join(place.folder, 'acceso.yaml'), text, { mode: 0o600 });
  },
  'docs/events.md': (place) => {
    copyRight(place, 'eventos.csv', 'events/eventos-facturas-recibidas.csv', WRONG_EVENTS);
    copy(place, { 'adjuntos.zip': 'events/adjuntos.zip' });
  },
  'docs/sending-and-recovery.md': (place) => copy(place, PAYROLL),
  'docs/library.md': () => undefined,
  'docs/mappings.md': () => undefined,
  'LEAME.md': async (place) => {
    copy(place, {
      'nomina.xlsx': 'payroll/nomina-octubre-2026.xlsx',
      'nomina-octubre.xlsx': 'payroll/nomina-octubre-2026.xlsx',
      'nomina-noviembre.xlsx': 'payroll/nomina-octubre-2026.xlsx',
      'octubre.json': 'payroll/params.json',
    });
    await correctPayroll(place, 'nomina-corregida.xlsx');
  },
};

/** Lines that are about files of another kind than the others of their page. */
const OTHER_FILES: readonly (readonly [RegExp, Readonly<Record<string, string>>])[] = [
  [
    /RIPS000123/,
    {
      'RIPS000123.zip': 'rips/3374/RIPS000123.zip',
      'complemento.csv': 'rips/3374/complemento.csv',
      'octubre.json': 'rips/3374/params.json',
    },
  ],
  [
    /RS-2026-10\.json/,
    {
      'RS-2026-10.json': 'rips/json/RS-2026-10.json',
      'pacientes.csv': 'rips/json/pacientes.csv',
      'octubre.json': 'rips/json/params.json',
    },
  ],
];

/** What is answered to a question; `s` to those that want a yes, Enter to all others. */
const ANSWERS: readonly (readonly [RegExp, string])[] = [
  [/NIT/, '900123456'],
  [/Prefijo/, 'NOM'],
  [/Dirección del servicio/, 'https://…'],
  [/Token/, 'token-inventado'],
  [/Id del software/, '11111111-2222-3333-4444-555555555555'],
  [/PIN/, '12345'],
  [/\(pruebas, producción/, 'pruebas'],
  [/Para qué documentos/, 'nómina'],
  [/Último número|hasta/i, '9999'],
  [/Mes de la nómina/, '2026-10'],
  [/Fecha de pago/, '30/10/2026'],
  [/\[s\/N\]/, 's'],
];

const answerTo = (question: string, place: Place): string =>
  filledIn(ANSWERS.find(([asked]) => asked.test(question))?.[1] ?? '', place);

/** Lines of a page that call the program, without what is said of them. */
const linesOf = (page: string): readonly string[] =>
  [...readFileSync(page, 'utf8').matchAll(/^ *```sh\n([\s\S]*?)^ *```/gm)].flatMap(([, block = '']) =>
    block.split('\n').flatMap((line) => /^ *(cargue .+?)(?: +#.*)?$/.exec(line)?.[1] ?? []),
  );

/** Lines before which somebody begins anew. */
const BEGINS = /^cargue check nomina-octubre|adjuntos\.zip/;

/** Lines that need a database server; the tests of the queue run them. */
const NEEDS_DATABASE = /^cargue (?:journal migrate|worker|status --all)|--queue/;

/** Lines that cannot end with 0 here, with the reason. */
const OTHERWISE: readonly (readonly [line: RegExp, code: number])[] = [
  // The flat files and one of the invoices have planted errors; the table of procedures that is loaded here has few of them.
  [/RIPS000123|RS-2026-10\.json|adjuntos\.zip/, 1],
  // No document of a whole sending is in doubt.
  [/--settle/, 2],
];

/** Puts what a reader would have for what stands for it on the page. */
const filledIn = (line: string, { env, run }: Place): string =>
  line
    .replace(/(?<=journal export RUN)$/, ' -o auditoria.jsonl')
    .replace('verify FILE', 'verify auditoria.jsonl')
    .replace('https://…', String(env['CARGUE_URL']))
    .replace(/\b(?:RUN|2026-11-22-1)\b/, run);

interface Finished {
  readonly code: number | null;
  /** Its last lines. */
  readonly said: readonly string[];
}

/** Returns what a terminal shows, without what moves its cursor or colours. */
const shown = (text: string): string => stripVTControlCharacters(text).replaceAll('\r', '');

/** Types a line at a terminal, and an answer for each question; Enter when there are no more. */
function type(line: string, place: Place): Promise<Finished> {
  const { folder, env } = place;
  const call = filledIn(line, place).replace(/^cargue/, `'${process.execPath}' '${PROGRAM}'`);
  const child = spawn('script', ['-qec', call, '/dev/null'], { cwd: folder, env });
  let text = '';
  // A question may come with control codes that follow in a piece of their own; it is answered once.
  let answered = 0;
  child.stdout.setEncoding('utf8').on('data', (more: string) => {
    text += more;
    const all = shown(text);
    const question = /[^\n]*[:\]] $/.exec(all.slice(answered))?.[0];
    if (question === undefined) return;
    answered = all.length;
    child.stdin.write(`${answerTo(question, place)}\n`);
  });
  const stuck = setTimeout(() => child.kill(), 60_000);
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code) => {
      clearTimeout(stuck);
      const said = shown(text).trimEnd();
      place.run = /^Ejecución: +(\S+)/m.exec(said)?.[1] ?? place.run;
      resolve({ code, said: said.split('\n').slice(-4) });
    });
  });
}

async function openPlace(): Promise<Place> {
  const sandbox = await startSandbox();
  onTestFinished(() => sandbox.close());
  const folder = freshFolder();
  const env = {
    PATH: process.env['PATH'],
    HOME: folder,
    LANG: 'C.UTF-8',
    TERM: 'xterm',
    CARGUE_URL: sandbox.url,
    CARGUE_TOKEN: sandbox.token,
    CARGUE_WORKSPACE: join(folder, 'workspace'),
  };
  return { folder, env, run: '' };
}

describe.runIf(process.platform === 'linux')('lines of', () => {
  test.each(Object.entries(PAGES))('%s end as they should', { timeout: 600_000 }, async (page, prepare) => {
    let place: Place | undefined;
    for (const line of linesOf(page).filter((one) => !NEEDS_DATABASE.test(one))) {
      if (place === undefined || BEGINS.test(line)) {
        place = await openPlace();
        await prepare(place);
      }
      copy(place, OTHER_FILES.find(([about]) => about.test(line))?.[1] ?? {});
      const { code, said } = await type(line, place);
      expect
        .soft(code, [line, ...said].join('\n'))
        .toBe(OTHERWISE.find(([about]) => about.test(line))?.[1] ?? 0);
    }
  });
});
