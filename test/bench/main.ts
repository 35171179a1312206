/**
 * `npm run bench [-- CASE…]`: what the program costs over a floor measured in the same run, and its peak memory.
 * Each measurement runs in a process of its own; floor and ours alternate, the medians are compared.
 */
import { mkdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CLINIC, INTERFACE, makeCare, splitCare } from './care-inputs.js';
import { engines, standing } from './engines.js';
import { fairness, scaling } from './fleet.js';
import { makeCsv, makeWorkbook } from './inputs.js';
import { instructions } from './instructions.js';
import { comparePeers } from './peers.js';
import { type Measured, measure, median, startServer } from './process.js';
import { starts } from './whole.js';

interface Case {
  readonly name: string;
  readonly what: string;
  readonly floor: string;
  readonly ours: string;
  readonly file: string;
  /** What the floor reads, when it is something else. */
  readonly floorFile?: string;
  /** Milliseconds that the answering server takes. */
  readonly delay?: number;
  readonly heapMb?: number;
  readonly rounds: number;
  /** How the two medians are judged. */
  readonly judge: (floor: Measured, ours: Measured) => { readonly figure: string; readonly good: boolean };
}

const folder = join(tmpdir(), 'cargue-bench');
// The program has run before.
process.env['NODE_COMPILE_CACHE'] = join(folder, 'compiled');
const WORKBOOK = join(folder, 'nomina-2026-100000x40.xlsx');
const WRONG = join(folder, 'nomina-2026-100000x40-5000-wrong.xlsx');
const SMALL = join(folder, 'nomina-2026-20000x40.xlsx');
const CSV = join(folder, 'nomina-2026-1000000x20.csv');
const LARGE = join(folder, 'nomina-2026-200000x20.csv');

const CARE_SORTED = join(folder, 'consultas-1000000-por-paciente.csv');
const CARE_SCATTERED = join(folder, 'consultas-1000000-revueltas.csv');
const CARE_FILES = join(folder, 'consultas-en-40-archivos');
const CARE_CLINIC = join(folder, 'clinica-1000000.csv');

const atMost =
  (limit: number): Case['judge'] =>
  (floor, ours) => {
    const ratio = ours.seconds / floor.seconds;
    return { figure: `${ratio.toFixed(2)} × the floor (at most ${limit})`, good: ratio <= limit };
  };

const ofTheRate =
  (least: number): Case['judge'] =>
  (floor, ours) => {
    const ratio = floor.seconds / ours.seconds;
    return { figure: `${ratio.toFixed(2)} of the floor's rate (at least ${least})`, good: ratio >= least };
  };

const CASES: readonly Case[] = [
  {
    name: 'xlsx',
    what: 'check of a 100,000 × 40 workbook over unzipping and an empty SAX pass, 128 MB heap',
    floor: 'floor-xlsx',
    ours: 'check',
    file: WORKBOOK,
    heapMb: 128,
    rounds: 3,
    judge: atMost(2),
  },
  {
    name: 'csv',
    what: 'check of a 1,000,000 × 20 CSV over csv-parse to arrays, 128 MB heap',
    floor: 'floor-csv',
    ours: 'check',
    file: CSV,
    heapMb: 128,
    rounds: 3,
    judge: atMost(2.5),
  },
  {
    name: 'care-sorted',
    what: 'check of 1,000,000 consultations sorted by patient (interface names) over csv-parse to arrays, 128 MB heap',
    floor: 'floor-csv',
    ours: 'check-interface',
    file: CARE_SORTED,
    heapMb: 128,
    rounds: 3,
    judge: atMost(3),
  },
  {
    name: 'care-scattered',
    what: 'check of the same where services of an appointment stand apart, put aside on disk, over the sorted check',
    floor: 'check-interface',
    floorFile: CARE_SORTED,
    ours: 'check-interface',
    file: CARE_SCATTERED,
    heapMb: 128,
    rounds: 1,
    judge: atMost(2),
  },
  {
    name: 'care-files',
    what: 'check of the same in 40 files, 128 MB heap, over the check of one',
    floor: 'check-interface',
    floorFile: CARE_SORTED,
    ours: 'check-interface',
    file: CARE_FILES,
    heapMb: 128,
    rounds: 1,
    judge: atMost(1.1),
  },
  {
    name: 'care-clinic',
    what: "check of 1,000,000 consultations of a clinic's list (Spanish headers) over csv-parse to arrays, 128 MB heap",
    floor: 'floor-csv-clinic',
    ours: 'check-clinic',
    file: CARE_CLINIC,
    heapMb: 128,
    rounds: 3,
    judge: atMost(3),
  },
  {
    name: 'wrong-cells',
    what: 'check of 100,000 records with 5,000 wrong cells, every issue as JSON, over the check of the clean ones',
    floor: 'check',
    floorFile: WORKBOOK,
    ours: 'check-json',
    file: WRONG,
    heapMb: 128,
    rounds: 3,
    judge: atMost(1.5),
  },
  {
    name: 'annotate',
    what: 'the annotated copy of the same, 256 MB heap, over the check alone',
    floor: 'check',
    floorFile: WORKBOOK,
    ours: 'annotate',
    file: WRONG,
    heapMb: 256,
    rounds: 1,
    judge: atMost(2),
  },
  {
    name: 'report',
    what: 'the report of 100,000 documents over the same cells written by the streaming writer of exceljs, bare',
    floor: 'floor-report',
    ours: 'report',
    file: join(folder, 'report.xlsx'),
    heapMb: 256,
    rounds: 3,
    judge: atMost(1.2),
  },
  {
    name: 'rules',
    what: 'all rules over 20,000 documents, as a part of their check',
    floor: 'check',
    ours: 'rules',
    file: SMALL,
    rounds: 3,
    judge: atMost(0.3),
  },
  {
    name: 'lint',
    what: 'lint of the largest ready-made mapping in a running program; the first one compiles the schemas too',
    floor: 'floor-lint',
    ours: 'lint',
    file: 'mappings/payroll/multi-sheet.yaml',
    rounds: 5,
    judge: (_, ours) => ({
      figure: `${(ours.seconds * 1000).toFixed(0)} ms (at most 50), the first ${ours.count} ms`,
      good: ours.seconds <= 0.05,
    }),
  },
  {
    name: 'send',
    what: 'send of 20,000 documents to a server that answers after 5 ms, over a bare undici loop',
    floor: 'floor-send',
    ours: 'send',
    file: SMALL,
    delay: 5,
    rounds: 3,
    judge: ofTheRate(0.92),
  },
  {
    name: 'send-large',
    what: 'the same with 200,000 documents and a 256 MB heap; laying them out is in the memory, not in the time',
    floor: 'floor-send-large',
    ours: 'send',
    file: LARGE,
    delay: 5,
    heapMb: 256,
    rounds: 1,
    judge: ofTheRate(0.92),
  },
  {
    name: 'send-rate',
    what: 'send of 20,000 documents to a server that answers at once',
    floor: 'floor-send',
    ours: 'send',
    file: SMALL,
    delay: 0,
    rounds: 3,
    judge: (_, ours) => {
      const rate = ours.count / ours.seconds;
      return {
        figure: `${Math.round(rate).toLocaleString('en')} documents a second (at least 11,000)`,
        good: rate >= 11_000,
      };
    },
  },
];

const middle = (all: readonly Measured[]): Measured => median(all, ({ seconds }) => seconds);
const shown = ({ seconds, peakMb }: Measured): string =>
  `${seconds.toFixed(2)} s, peak ${Math.round(peakMb)} MB`;

async function runCase({
  name,
  what,
  floor,
  ours,
  file,
  floorFile,
  delay,
  heapMb,
  rounds,
  judge,
}: Case): Promise<boolean> {
  await made(file, floorFile ?? file);
  const running = delay === undefined ? undefined : await startServer(delay);
  const url = running?.url ?? '';
  const floors: Measured[] = [];
  const mine: Measured[] = [];
  try {
    for (let round = 0; round < rounds; round++) {
      floors.push(await measure(floor, floorFile ?? file, url, heapMb));
      mine.push(await measure(ours, file, url, heapMb));
    }
  } finally {
    running?.server.kill();
  }
  const { figure, good } = judge(middle(floors), middle(mine));
  console.log(
    `${good ? 'ok  ' : 'MISS'} ${name}: ${what}\n     floor ${shown(middle(floors))}; ours ${shown(middle(mine))}\n     ${figure}`,
  );
  return good;
}

/** The files that cases read, made when first needed. */
const INPUTS: Readonly<Record<string, () => Promise<void>>> = {
  [WORKBOOK]: () => makeWorkbook(WORKBOOK, 100_000),
  [WRONG]: () => makeWorkbook(WRONG, 100_000, 20),
  [SMALL]: () => makeWorkbook(SMALL, 20_000),
  [CSV]: () => makeCsv(CSV, 1_000_000),
  [LARGE]: () => makeCsv(LARGE, 200_000),
  [CARE_SORTED]: () => makeCare(CARE_SORTED, 1_000_000, INTERFACE, true),
  async [CARE_FILES]() {
    await made(CARE_SORTED);
    await splitCare(CARE_SORTED, CARE_FILES, 40);
  },
  [CARE_SCATTERED]: () => makeCare(CARE_SCATTERED, 1_000_000, INTERFACE, false),
  [CARE_CLINIC]: () => makeCare(CARE_CLINIC, 1_000_000, CLINIC, true),
};

async function made(...files: readonly string[]): Promise<void> {
  for (const file of files) await INPUTS[file]?.();
}

/** Whether ten times the records take at most so much more than ten times as long. */
async function growth(): Promise<boolean> {
  const most = 1.05;
  let good = true;
  let before: Measured | undefined;
  for (const records of [10_000, 100_000, 1_000_000]) {
    const file = join(folder, `nomina-2026-${records}x20.csv`);
    await makeCsv(file, records);
    const rounds: Measured[] = [];
    for (let round = 0; round < 3; round++) rounds.push(await measure('check', file, '', 128));
    const own = middle(rounds);
    const factor = before === undefined ? 1 : own.seconds / (10 * before.seconds);
    good &&= factor <= most;
    console.log(
      `${factor <= most ? 'ok  ' : 'MISS'} growth: check of ${records.toLocaleString('en')} records of CSV\n     ${shown(own)}, ${factor.toFixed(2)} × linear (at most ${most})`,
    );
    before = own;
  }
  return good;
}

/** Not of a floor and ours: of many processes and a database, of whole commands, of several sizes, of other programs. */
const OTHERS: Readonly<Record<string, () => Promise<boolean>>> = {
  workers: scaling,
  fairness,
  async engines() {
    await made(SMALL);
    return engines(SMALL);
  },
  status: standing,
  start: () => starts(folder),
  growth,
  peers: () => comparePeers(folder),
  instructions: () => instructions(folder),
};

const wanted = process.argv.slice(2);
const names = [...Object.keys(OTHERS), ...CASES.map(({ name }) => name)];
const unknown = wanted.filter((name) => !names.includes(name));
if (unknown.length > 0) throw new Error(`no such case: ${unknown.join(', ')}; there are ${names.join(', ')}`);
const isWanted = (name: string): boolean => wanted.length === 0 || wanted.includes(name);

mkdirSync(folder, { recursive: true });
let good = true;
for (const [name, play] of Object.entries(OTHERS)) if (isWanted(name)) good = (await play()) && good;
for (const each of CASES) if (isWanted(each.name)) good = (await runCase(each)) && good;
process.exitCode = good ? 0 : 1;
