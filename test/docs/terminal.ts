import { type ChildProcess, spawn } from 'node:child_process';
import { copyFileSync, mkdirSync } from 'node:fs';
import { createServer } from 'node:net';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { stripVTControlCharacters } from 'node:util';
import { onTestFinished } from 'vitest';
import { type Sandbox, startSandbox } from '../../src/sandbox/server.js';
import type { Language } from '../../src/toolkit/core/issue.js';
import { freshFolder } from '../cli/run-cli.js';

/** The program; the packaging test names the installed one. */
const PROGRAM =
  process.env['CARGUE_TEST_PROGRAM'] ?? fileURLToPath(new URL('../../dist/cli/main.js', import.meta.url));

export const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const SAMPLES = join(ROOT, 'samples');

/** Folder in which lines are typed, and the service that answers them. */
export interface Place {
  readonly folder: string;
  readonly env: NodeJS.ProcessEnv;
  readonly sandbox: Sandbox;
  /** Company that types the lines. */
  readonly nit: string;
  /** Latest run that a line told of. */
  run: string;
}

interface PlaceOptions {
  readonly language?: Language;
  /** Address of the database of the journals. */
  readonly database?: string | undefined;
  /** @default that of the sandbox */
  readonly nit?: string | undefined;
}

export async function openPlace({
  language = 'es',
  database,
  nit = '900123456',
}: PlaceOptions = {}): Promise<Place> {
  const sandbox = await startSandbox({ companies: [{ nit }] });
  onTestFinished(() => sandbox.close());
  const folder = freshFolder();
  const env = {
    PATH: process.env['PATH'],
    HOME: folder,
    LANG: 'C.UTF-8',
    TERM: 'xterm',
    BROWSER: 'true',
    CARGUE_LANG: language,
    CARGUE_URL: sandbox.url,
    CARGUE_TOKEN: sandbox.token,
    CARGUE_WORKSPACE: join(folder, 'workspace'),
    ...(database !== undefined && { CARGUE_JOURNAL: database }),
  };
  return { folder, env, sandbox, nit, run: '' };
}

/** Copies samples into a place, by the names that they get there. */
export function copySamples({ folder }: Place, files: Readonly<Record<string, string>>): void {
  for (const [name, sample] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    copyFileSync(join(SAMPLES, sample), join(folder, name));
  }
}

/** Answers to questions; what no pattern knows is answered by Enter. */
const ANSWERS: readonly (readonly [question: RegExp, answer: string])[] = [
  [/\[s\/N\]/, 's'],
  [/\[y\/N\]/, 'y'],
  [/NIT/, 'NIT'],
  [/Su nombre|Your name/, 'Ana Ruiz'],
  [/Prefijo|Prefix/, 'NOM'],
  [/Dirección del servicio|service's address/, 'https://…'],
  [/Token/i, 'token-inventado'],
  [/Id del software|[Ii]d of the software/, '11111111-2222-3333-4444-555555555555'],
  [/PIN/, '12345'],
  [/\(pruebas, producción/, 'pruebas'],
  [/\(test, production/, 'test'],
  [/Para qué documentos/, 'nómina'],
  [/[Ff]or which documents/, 'payroll'],
  [/Último número|hasta|Last number|up to/i, '9999'],
  [/Mes de la nómina|[Mm]onth of the payroll/, '2026-10'],
  [/Fecha de pago|Date of payment/, '30/10/2026'],
];

/** Puts what a reader would have for what stands for it in a line or an answer. */
function filledIn(line: string, { env, nit, run }: Place, port: number): string {
  return line
    .replace(/(?<=journal export RUN)$/, ' -o auditoria.jsonl')
    .replace('verify FILE', 'verify auditoria.jsonl')
    .replace(/^NIT$/, nit)
    .replace('http://…', String(env['CARGUE_URL']))
    .replace('--token …', `--token ${env['CARGUE_TOKEN']}`)
    .replace(/https:\/\/(?:…|servicio\.co|service\.co)/, String(env['CARGUE_URL']))
    .replace(/postgres:\/\/cargue@(?:base|db):5432\/cargue/, String(env['CARGUE_JOURNAL']))
    .replace(/(?<=--(?:port|metrics) )\d+/, String(port))
    .replace(/\b(?:RUN|2026-11-2[23]-1)\b/, run);
}

/** Lines that go on until they are stopped, with what they show once they are ready. */
const ENDLESS: readonly (readonly [line: RegExp, ready: RegExp])[] = [
  [/cargue worker/, /"msg":"turn"/],
  [/cargue (?:web|sandbox)/, /http:\/\/127\.0\.0\.1:\d+/],
  [/--watch|cargue watch \w+$/, /\S/],
];
/** Longest question, in characters. */
const MAX_QUESTION = 1000;
const CTRL_C = String.fromCharCode(3);

export interface Finished {
  readonly code: number | null;
  /** Its last lines. */
  readonly said: readonly string[];
}

/** Words for what differs from one trial to the next. */
const MASKS: readonly (readonly [RegExp, string])[] = [
  [/https?:\/\/127\.0\.0\.1:\d+/g, 'http://SERVICE'],
  [/\/enter\/[\w-]+/, '/enter/KEY'],
  [/127\.0\.0\.1[:_]\d+/g, 'SERVICE'],
  [/\d{4}-\d\d-\d\d-\d+(?=\D|$)/g, 'RUN'],
  [/\b[0-9a-f]{32,}\b/g, 'CODE'],
  // Terms and dated rules warn by the day.
  [/\d+ (?:advertencias?|warnings?)/, 'some warnings'],
  [/\d\d\/\d\d\/\d{4}, \d+:\d\d [ap]\. m\./, 'NOW'],
  [/\d+ (?:líneas|lines)/, 'some lines'],
  [/\d+ (?:filas|rows)(?= cop)/, 'some rows'],
  [/"(time|pid)":\d+/g, '"$1":0'],
  [/cargue_test_\w+/g, 'DATABASE'],
];

/** Returns a typed line as its record holds it: with its exit code and the last line that it left on the screen. */
export function recordOf(line: string, { code, said }: Finished, { folder }: Pick<Place, 'folder'>): string {
  const last = (said.at(-1) ?? '').slice(0, 1000).replaceAll(folder, 'FOLDER');
  const masked = MASKS.reduce((text, [what, word]) => text.replaceAll(new RegExp(what, 'g'), word), last);
  return `$ ${line}\n${code}  ${masked.trim().slice(0, 160)}\n`;
}

/** Returns what came to a terminal, without what moves its cursor or colours. */
const shown = (text: string): string => stripVTControlCharacters(text).replaceAll('\r', '');

/** Clears a line on the screen: what was written of it before is progress. */
const CLEAR_LINE = `\r${String.fromCharCode(27)}[2K`;

/** Returns the lines that stay on the screen. */
const linesOn = (text: string): readonly string[] =>
  text
    .split('\n')
    .map((line) => shown(line.split(CLEAR_LINE).at(-1) ?? '').trimEnd())
    .filter((line) => line !== '' && line !== '^C');

function freePort(): Promise<number> {
  const server = createServer();
  return new Promise((resolve, reject) => {
    server.on('error', reject).listen(0, '127.0.0.1', () => {
      const address = server.address();
      const port = typeof address === 'object' && address !== null ? address.port : 0;
      server.close(() => resolve(port));
    });
  });
}

/** Types a line at a terminal, and an answer for each question; Ctrl-C where a line would go on for ever. */
export async function type(line: string, place: Place): Promise<Finished> {
  const port = await freePort();
  const { folder, env } = place;
  const call = filledIn(line, place, port).replace(
    /^((?:\w+=\S* )*)(?:npx )?cargue\b/,
    `$1'${process.execPath}' '${PROGRAM}'`,
  );
  const child: ChildProcess = spawn('script', ['-qec', call, '/dev/null'], { cwd: folder, env });
  const { stdin, stdout } = child;
  if (stdin === null || stdout === null) throw new Error('no terminal');
  let ready = ENDLESS.find(([endless]) => endless.test(line))?.[1];
  let text = '';
  // The line that is not ended yet; a question may come with control codes that follow in a piece of their own.
  let open = '';
  stdout.setEncoding('utf8').on('data', (more: string) => {
    text += more;
    open = `${open}${more}`.slice(-MAX_QUESTION).split('\n').at(-1) ?? '';
    if (ready?.test(shown(text.slice(-MAX_QUESTION)))) {
      ready = undefined;
      setTimeout(() => stdin.write(CTRL_C), 200);
    }
    const question = shown(open);
    if (!/[:\]?] $/.test(question)) return;
    open = '';
    const answer = ANSWERS.find(([asked]) => asked.test(question))?.[1] ?? '';
    stdin.write(`${filledIn(answer, place, port)}\n`);
  });
  const stuck = setTimeout(() => child.kill(), 60_000);
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code) => {
      clearTimeout(stuck);
      const said = linesOn(text);
      place.run = /^(?:Ejecución|Run): +(\S+)/m.exec(said.join('\n'))?.[1] ?? place.run;
      resolve({ code, said: said.slice(-4) });
    });
  });
}
