import { type ChildProcess, fork } from 'node:child_process';
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { chanceOf } from '../chaos/chance.js';
import { type Language, mutated } from './mutations.js';

/** A sound call: its files, and what each is written in. The mapping and the parameters may be changed as well. */
interface Sample {
  readonly files: readonly string[];
  readonly mapping: string;
  readonly params?: string;
}

const SAMPLES: readonly Sample[] = [
  {
    files: ['samples/payroll/nomina-octubre-2026.xlsx'],
    mapping: 'payroll/wide',
    params: 'samples/payroll/params.json',
  },
  {
    files: ['samples/payroll/multihoja/Nomina_octubre_multihoja.xlsx'],
    mapping: 'payroll/multi-sheet',
    params: 'samples/payroll/multihoja/params.json',
  },
  {
    files: ['samples/payroll/conceptos/acumulado_conceptos_oct2026.xlsx'],
    mapping: 'payroll/long',
    params: 'samples/payroll/conceptos/params.json',
  },
  {
    files: ['samples/rips/consultas/Consultas octubre.csv'],
    mapping: 'rips/consultas',
    params: 'samples/rips/consultas/params.json',
  },
  {
    files: ['samples/rips/3374/RIPS000123.zip', 'samples/rips/3374/complemento.csv'],
    mapping: 'rips/3374-zip',
    params: 'samples/rips/3374/params.json',
  },
  {
    files: ['consultas', 'hospitalizacion', 'medicamentos', 'usuarios', 'urgencias'].map(
      (name) => `samples/rips/grupos/${name}.csv`,
    ),
    mapping: 'rips/excel-por-nodo',
    params: 'samples/rips/grupos/params.json',
  },
  { files: ['samples/rips/json/RS-2026-10.json'], mapping: 'rips/json' },
  {
    files: ['samples/rips/json/RS-2026-10.json', 'samples/rips/json/pacientes.csv'],
    mapping: 'rips/json-envio',
    params: 'samples/rips/json/params.json',
  },
  { files: ['samples/events/eventos-facturas-recibidas.csv'], mapping: 'events/list' },
  { files: ['samples/events/adjuntos/ad08300990020002600000002.xml'], mapping: 'events/attached' },
  { files: ['samples/events/adjuntos.zip'], mapping: 'events/attached' },
];

const languageOf = (file: string): Language =>
  /\.(xlsx|zip)$/.test(file) ? 'zip' : /\.xml$/.test(file) ? 'xml' : /\.csv$/.test(file) ? 'csv' : 'yaml';

type Act = 'annotate' | 'check' | 'convert' | 'inspect' | 'lint';

/** What the program is asked to do. */
export interface Call {
  readonly act: Act;
  readonly files: readonly string[];
  readonly options: { readonly mapping?: string; readonly params?: string; readonly json: true };
  /** Where it may write. */
  readonly folder: string;
}

/** What came of it. */
export interface Answer {
  /** What went wrong; undefined when nothing did. */
  readonly fault?: string;
  /** Of CPU. */
  readonly seconds: number;
  /** The most memory that the process has had so far, in KB. */
  readonly memory: number;
}

export interface Trial extends Answer {
  readonly seed: number;
  readonly act: Act;
  readonly changed: string;
}

/** What a call of a file under 10 MB may take. */
export const MOST_SECONDS = 20;
export const MOST_KB = 300 * 1024;
/** Waiting is cheaper than working: other programs may have the machine. */
const MOST_WAIT = MOST_SECONDS * 15 * 1000;

const PROGRAM = fileURLToPath(new URL('program.mjs', import.meta.url));

/** Calls the built program in a process that stays, until it has taken too much. */
export class Player {
  #child: ChildProcess | undefined;

  /** What earlier calls left in memory does not count: alone, a call must keep below the limit. */
  async play(call: Call): Promise<Answer> {
    const first = await this.#ask(call);
    if (first.fault !== undefined || first.memory <= MOST_KB) return withLimits(first);
    this.stop();
    rmSync(join(call.folder, 'out'), { recursive: true, force: true });
    return withLimits(await this.#ask(call));
  }

  /** A process that hangs or dies is given up. */
  #ask(call: Call): Promise<Answer> {
    this.#child ??= fork(PROGRAM, { execArgv: [] });
    const child = this.#child;
    return new Promise((resolve) => {
      const end = (answer: Answer): void => {
        clearTimeout(timer);
        child.removeAllListeners();
        if (answer.fault !== undefined || answer.memory > MOST_KB) this.stop();
        resolve(answer);
      };
      const failed = (fault: string): void => end({ seconds: 0, memory: 0, fault });
      const timer = setTimeout(() => failed('hangs'), MOST_WAIT);
      child.once('exit', (code, signal) => failed(`the process ended: ${code ?? signal}`));
      child.on('message', end);
      child.send(call);
    });
  }

  stop(): void {
    this.#child?.removeAllListeners();
    this.#child?.kill('SIGKILL');
    this.#child = undefined;
  }
}

function withLimits(answer: Answer): Answer {
  const { fault, seconds, memory } = answer;
  if (fault !== undefined) return answer;
  if (memory > MOST_KB) return { ...answer, fault: `${Math.round(memory / 1024)} MB` };
  return seconds > MOST_SECONDS ? { ...answer, fault: `${seconds.toFixed(1)} s of CPU` } : answer;
}

/** Changes a file of a sound call as the seed says, and makes the call. */
export async function play(seed: number, player: Player): Promise<Trial> {
  const chance = chanceOf('fuzz', seed);
  const folder = mkdtempSync(join(tmpdir(), 'cargue-fuzz-'));
  try {
    const sample = chance.pick(SAMPLES);
    const mapping = join(folder, 'mapping.yaml');
    copyFileSync(resolve('mappings', `${sample.mapping}.yaml`), mapping);
    const params = sample.params === undefined ? undefined : join(folder, 'params.json');
    if (params !== undefined) copyFileSync(sample.params!, params);
    mkdirSync(join(folder, 'in'));
    const files = sample.files.map((file) => {
      const copy = join(folder, 'in', basename(file));
      copyFileSync(file, copy);
      return copy;
    });
    const kind = chance.below(10);
    const changed = kind < 2 ? mapping : kind === 2 && params !== undefined ? params : chance.pick(files);
    writeFileSync(changed, mutated(languageOf(changed), readFileSync(changed), chance));
    const act: Act =
      changed === mapping && chance.below(2) === 0
        ? 'lint'
        : chance.below(60) === 0
          ? 'inspect'
          : files.length > 1
            ? chance.pick(['check', 'convert'])
            : chance.pick(['annotate', 'annotate', 'check', 'convert']);
    const options = { mapping, ...(params !== undefined && { params }), json: true } as const;
    const answer = await player.play({ act, files, options, folder });
    return { seed, act, changed: basename(changed), ...answer };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
