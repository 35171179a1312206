import {
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join, resolve } from 'node:path';
import { check } from '../../src/app/check.js';
import type { UseCase } from '../../src/app/context.js';
import { convert } from '../../src/app/convert.js';
import { inspect } from '../../src/app/inspect.js';
import { mappingLint as lint } from '../../src/app/mapping.js';
import type { Options } from '../../src/app/options.js';
import { PipelineError } from '../../src/core/issue.js';
import { openInput } from '../../src/tables/open.js';
import { chanceOf } from '../chaos/chance.js';
import { fake } from '../cli/fake-context.js';
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
  { files: ['samples/events/eventos-facturas-recibidas.csv'], mapping: 'events/list' },
  { files: ['samples/events/adjuntos/ad08300990020002600000002.xml'], mapping: 'events/attached' },
  { files: ['samples/events/adjuntos.zip'], mapping: 'events/attached' },
];

const languageOf = (file: string): Language =>
  /\.(xlsx|zip)$/.test(file) ? 'zip' : /\.xml$/.test(file) ? 'xml' : /\.csv$/.test(file) ? 'csv' : 'yaml';

type Act = 'annotate' | 'check' | 'convert' | 'inspect' | 'lint';
const RUNS: Readonly<Record<Act, UseCase>> = { annotate: check, check, convert, inspect, lint };

/** What one seed does. */
export interface Trial {
  readonly seed: number;
  readonly act: Act;
  readonly changed: string;
  /** What went wrong; undefined when nothing did. */
  readonly fault?: string;
  readonly seconds: number;
}

/** What a call of a file this small may take. */
export const MOST_SECONDS = 20;

const isPart = (name: string): boolean => name.endsWith('.part');

/** The copy is a workbook that reads to its end. */
async function readsAgain(file: string): Promise<void> {
  const input = await openInput(file);
  try {
    for (const table of input.tables) for await (const _ of table.batches());
  } finally {
    await input.close();
  }
}

async function run(
  act: Act,
  files: readonly string[],
  options: Options,
  folder: string,
): Promise<string | undefined> {
  const { context } = fake({ workspace: join(folder, 'ws') });
  const output = join(folder, 'out');
  const own = { annotate: { annotate: output }, convert: { output }, inspect: { write: output } }[
    act as 'annotate'
  ];
  try {
    const args = act === 'lint' ? [options.mapping!] : files;
    await RUNS[act](context, args, { ...options, ...own });
  } catch (error) {
    if (!(error instanceof PipelineError)) return `unexpected: ${(error as Error)?.stack ?? String(error)}`;
    if (error.issues.length === 0) return 'stopped without a word';
  }
  const left = readdirSync(folder).filter(isPart);
  if (left.length > 0) return `left behind: ${left.join(', ')}`;
  if (act !== 'annotate' || !readdirSync(folder).includes('out')) return undefined;
  try {
    await readsAgain(output);
  } catch (error) {
    // A sheet that no mark concerns is copied as it is, with what is wrong in it.
    const before = await readsAgain(files[0]!).then(
      () => true,
      () => false,
    );
    if (before) return `the copy cannot be read: ${(error as Error).stack}`;
  }
  return undefined;
}

/** Changes a file of a sound call as the seed says, and makes the call. */
export async function play(seed: number): Promise<Trial> {
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
    const started = process.cpuUsage();
    const fault = await run(
      act,
      files,
      { mapping, ...(params !== undefined && { params }), json: true },
      folder,
    );
    const { user, system } = process.cpuUsage(started);
    const seconds = (user + system) / 1e6;
    const slow = seconds > MOST_SECONDS ? `${seconds.toFixed(1)} s of CPU` : undefined;
    const problem = fault ?? slow;
    return {
      seed,
      act,
      changed: basename(changed),
      seconds,
      ...(problem !== undefined && { fault: problem }),
    };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
