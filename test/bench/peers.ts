/**
 * `npm run bench -- peers`: the check beside scripts that do the same work with well-known libraries, as a company would write them
 * (`scripts/`): read the file, make the documents, validate them with ajv and the schema of the toolkit, collect the faults.
 * The libraries are installed for the measurement alone, in the folder of its files.
 */
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { INTERFACE, makeCare } from './care-inputs.js';
import { makeCsv, makeWorkbook } from './inputs.js';
import { MAIN } from './whole.js';

const PACKAGES = ['xlsx@0.18.5', 'read-excel-file@9.3.17', 'papaparse@5.7.1', 'hucre@1.0.0'];

/** Work that the check and the scripts do on the same file. */
interface Work {
  readonly what: string;
  readonly file: string;
  readonly make: (file: string, records: number) => Promise<void>;
  readonly records: number;
  readonly script: 'payroll' | 'rips';
  /** Libraries, with the time of the check over that of the script that must not be passed. */
  readonly over: Readonly<Record<string, number | undefined>>;
}

const WORKBOOK = { exceljs: 0.75, 'read-excel-file': 1, hucre: 1.15, sheetjs: undefined };
const CSV = { 'csv-parse': 1.6, papaparse: undefined };

const care: Work['make'] = (file, records) => makeCare(file, records, INTERFACE, true);

const WORKS: readonly Work[] = [
  {
    what: '20,000 × 40 workbook',
    file: 'nomina-2026-20000x40.xlsx',
    make: makeWorkbook,
    records: 20_000,
    script: 'payroll',
    over: WORKBOOK,
  },
  {
    what: '20,000 × 40 workbook with 1,000 wrong cells',
    file: 'nomina-2026-20000x40-1000-wrong.xlsx',
    make: (file, records) => makeWorkbook(file, records, 20),
    records: 20_000,
    script: 'payroll',
    over: { exceljs: undefined },
  },
  {
    what: '200,000 × 20 CSV',
    file: 'nomina-2026-200000x20.csv',
    make: makeCsv,
    records: 200_000,
    script: 'payroll',
    over: CSV,
  },
  {
    what: '200,000 consultations, CSV',
    file: 'consultas-200000-por-paciente.csv',
    make: care,
    records: 200_000,
    script: 'rips',
    over: { 'csv-parse': 1.8, papaparse: undefined },
  },
];

const OURS = {
  payroll: { mapping: 'payroll/wide', params: 'samples/payroll/params.json', schema: 'payroll/payroll' },
  rips: { mapping: 'rips/interfaz', params: 'samples/rips/interfaz/params.json', schema: 'rips/attention' },
} as const;

/** Writes the seconds of processor that the process took to its fourth stream. */
const CPU = `data:text/javascript,${encodeURIComponent(
  "import{writeSync}from'node:fs';process.on('exit',()=>{const{user,system}=process.cpuUsage();writeSync(3,String((user+system)/1e6))})",
)}`;

interface Ran {
  readonly wall: number;
  readonly cpu: number;
  readonly out: string;
}

/** Runs a script of Node in a process of its own. */
async function ran(args: readonly string[]): Promise<Ran> {
  const start = performance.now();
  const child = spawn(process.execPath, ['--max-old-space-size=8192', `--import=${CPU}`, ...args], {
    stdio: ['ignore', 'pipe', 'inherit', 'pipe'],
    env: { ...process.env, NO_COLOR: '1' },
  });
  const texts = ['', ''];
  for (const [at, stream] of [child.stdout, child.stdio[3]].entries())
    stream?.on('data', (data: Buffer) => {
      texts[at] += data.toString();
    });
  const [status] = (await once(child, 'close')) as [number | null];
  // A check that finds errors ends with 1.
  if (status !== 0 && status !== 1) throw new Error(`${args.slice(0, 3).join(' ')} ended with ${status}`);
  const [out = '', cpu = ''] = texts;
  return { wall: (performance.now() - start) / 1000, cpu: Number(cpu), out };
}

const median = (all: readonly number[]): number =>
  [...all].sort((a, b) => a - b)[Math.floor(all.length / 2)]!;

/** Whether the scripts make, of few records, the very documents that the toolkit makes. */
async function sameDocuments(folder: string, work: Work, options: object): Promise<boolean> {
  const few = join(folder, `few-${work.file}`);
  await work.make(few, 200);
  const { mapping, params } = OURS[work.script];
  const out = `${few}.jsonl`;
  await ran([MAIN, 'convert', few, '-m', mapping, '--params', params, '-o', out, '--force']);
  const ours = readFileSync(out, 'utf8');
  let same = true;
  for (const library of Object.keys(work.over)) {
    const theirs = await ran([scriptOf(work), library, few, JSON.stringify({ ...options, print: true })]);
    if (theirs.out === ours) continue;
    same = false;
    console.log(`MISS peers: the script on ${library} makes other documents of ${work.what}`);
  }
  return same;
}

const scriptOf = ({ script }: Work): string => join(import.meta.dirname, 'scripts', `${script}.mjs`);

/** Documents that are right, and those that are not, of the output of either. */
function countsIn(out: string): string {
  const lines = out.trimEnd().split('\n');
  const { documents, wrong } = JSON.parse(lines.at(-1)!) as {
    readonly documents: number | { readonly made: number; readonly heldBack: number };
    readonly wrong?: number;
  };
  return typeof documents === 'number'
    ? `${documents} right, ${wrong} wrong`
    : `${documents.made} right, ${documents.heldBack} wrong`;
}

/** Prints how the check compares with each script; returns whether no limit is passed. */
export async function comparePeers(folder: string): Promise<boolean> {
  const libraries = join(folder, 'libraries');
  mkdirSync(libraries, { recursive: true });
  if (!existsSync(join(libraries, 'node_modules/hucre')))
    spawnSync('npm', ['install', '--no-audit', '--no-fund', '--prefix', libraries, ...PACKAGES], {
      stdio: 'inherit',
      shell: process.platform === 'win32',
    });
  let good = true;
  for (const work of WORKS) {
    const { mapping, params, schema } = OURS[work.script];
    const schemaFile = join(folder, `${work.script}.schema.json`);
    writeFileSync(schemaFile, (await ran([MAIN, 'schema', 'show', schema, '--plain'])).out);
    const options = {
      schema: schemaFile,
      params,
      catalogues: 'schemas/catalogues/service',
      folder: libraries,
    };
    good = (await sameDocuments(folder, work, options)) && good;
    const file = join(folder, work.file);
    await work.make(file, work.records);
    const commands = new Map<string, readonly string[]>([
      ['cargue check', [MAIN, 'check', file, '-m', mapping, '--params', params, '--json']],
      ...Object.keys(work.over).map(
        (library) => [library, [scriptOf(work), library, file, JSON.stringify(options)]] as const,
      ),
    ]);
    const rounds = new Map<string, Ran[]>();
    for (let round = 0; round < 3; round++)
      for (const [name, args] of commands) rounds.set(name, [...(rounds.get(name) ?? []), await ran(args)]);
    const [check, ...peers] = [...rounds].map(([name, all]) => ({
      name,
      wall: median(all.map(({ wall }) => wall)),
      cpu: median(all.map(({ cpu }) => cpu)),
      counts: countsIn(all[0]!.out),
    }));
    console.log(
      `     peers: check of ${work.what}: ${check!.wall.toFixed(2)} s (${check!.cpu.toFixed(2)} s CPU), ${check!.counts}`,
    );
    for (const { name, wall, cpu, counts } of peers) {
      const ratio = check!.wall / wall;
      const most = work.over[name];
      const isSame = counts === check!.counts;
      const isGood = isSame && (most === undefined || ratio <= most);
      good &&= isGood;
      console.log(
        `${isGood ? 'ok  ' : 'MISS'} over a script on ${name}: ${ratio.toFixed(2)} (CPU ${(check!.cpu / cpu).toFixed(2)})${
          most === undefined ? '' : `, at most ${most}`
        }; the script ${wall.toFixed(2)} s${isSame ? '' : `, ${counts}`}`,
      );
    }
  }
  return good;
}
