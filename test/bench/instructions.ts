/**
 * `npm run bench -- instructions`: how much a processor has to do, counted by valgrind where it is installed. Unlike a time it is
 * nearly the same on any machine and under any load, so that a few percent show; it says nothing of waiting, nor of other cores.
 */
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { devNull, tmpdir } from 'node:os';
import { join } from 'node:path';
import { INTERFACE, makeCare } from './care-inputs.js';
import { makeCsv, makeWorkbook } from './inputs.js';
import { compiled } from './process.js';
import { MAIN, SMALL_CHECK } from './whole.js';

interface CountedCase {
  readonly what: string;
  readonly floor: string;
  readonly ours: string;
  readonly ending: string;
  readonly make: (path: string, records: number) => Promise<void>;
}

const CASES: readonly CountedCase[] = [
  {
    what: 'check of 20 columns of CSV over csv-parse to arrays',
    floor: 'floor-csv',
    ours: 'check-alone',
    ending: 'x20.csv',
    make: makeCsv,
  },
  {
    what: 'check of a workbook of 40 columns over unzipping and an empty SAX pass',
    floor: 'floor-xlsx',
    ours: 'check-alone',
    ending: 'x40.xlsx',
    make: makeWorkbook,
  },
  {
    what: 'check of consultations sorted by patient over csv-parse to arrays',
    floor: 'floor-csv',
    ours: 'check-interface-alone',
    ending: '-consultas.csv',
    make: (path, records) => makeCare(path, records, INTERFACE, true),
  },
];

/** The first records are done by code that V8 has not optimised yet: what is between these two is all but free of it. */
const [FEW, MANY] = [5_000, 15_000];

/** In millions. */
async function counted(args: readonly string[]): Promise<number> {
  const tool = ['--tool=callgrind', `--callgrind-out-file=${devNull}`, '--smc-check=all-non-file'];
  const env = { ...process.env, CARGUE_WORKSPACE: join(tmpdir(), 'none'), NO_COLOR: '1' };
  const child = spawn('valgrind', [...tool, process.execPath, ...args], {
    env,
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let said = '';
  child.stderr.on('data', (data: Buffer) => {
    said += data.toString();
  });
  const [status] = (await once(child, 'close')) as [number | null];
  const count = /Collected : (\d+)/.exec(said)?.[1];
  if (status !== 0 || count === undefined) throw new Error(`${args.join(' ')} ended with ${status}: ${said}`);
  return Number(count) / 1e6;
}

/** Of these figures nothing is asked: they are for before and after. */
export async function instructions(folder: string): Promise<boolean> {
  if (spawnSync('valgrind', ['--version']).status !== 0) {
    console.log('—    instructions: valgrind is not installed');
    return true;
  }
  const measuring = await compiled('measure');
  for (const { what, floor, ours, ending, make } of CASES) {
    const files = [FEW, MANY].map((records) => join(folder, `instructions-${records}${ending}`));
    await make(files[0]!, FEW);
    await make(files[1]!, MANY);
    const ofRecord = async (name: string): Promise<number> => {
      const [few, many] = [
        await counted([measuring, name, files[0]!]),
        await counted([measuring, name, files[1]!]),
      ];
      return ((many - few) * 1000) / (MANY - FEW);
    };
    const [least, own] = [await ofRecord(floor), await ofRecord(ours)];
    console.log(
      `     instructions: ${what}\n     floor ${least.toFixed(1)} thousand a record; ours ${own.toFixed(1)}, ${(own / least).toFixed(2)} × the floor`,
    );
  }
  const bare = await counted(['-e', '0']);
  for (const [what, args] of [
    ['--help', ['--help']],
    ['check of 25 rows with -m', [...SMALL_CHECK, '-m', 'payroll/wide']],
    ['check of 25 rows without -m', SMALL_CHECK],
  ] as const)
    console.log(
      `     instructions: ${what}\n     ${(await counted([MAIN, ...args])).toFixed(0)} million; bare Node ${bare.toFixed(0)}`,
    );
  return true;
}
