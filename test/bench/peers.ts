/**
 * `npm run bench -- peers`: the whole check beside what well-known libraries need to read the same file, and nothing more.
 * They are installed for the measurement alone, in the folder of its files; openpyxl is measured where Python has it.
 */
import { type SpawnOptions, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { createReadStream, existsSync, mkdirSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { parse } from 'csv-parse';
import ExcelJS from 'exceljs';

const PACKAGES = ['xlsx@0.18.5', 'read-excel-file@5.8.8', 'papaparse@5.5.3'];
const OPENPYXL = `
import sys, openpyxl
rows = 0
for sheet in openpyxl.load_workbook(sys.argv[1], read_only=True):
    for row in sheet.iter_rows(values_only=True): rows += 1
print(rows)`;

/** Reads a file and gives its rows. */
type Peer = (path: string, load: NodeJS.Require) => Promise<number>;

const XLSX: Readonly<Record<string, Peer>> = {
  'exceljs, streaming': async (path) => {
    let rows = 0;
    for await (const sheet of new ExcelJS.stream.xlsx.WorkbookReader(path, {}))
      for await (const _ of sheet) rows += 1;
    return rows;
  },
  'SheetJS, dense': async (path, load) => {
    const book = load('xlsx').readFile(path, { dense: true });
    return book.Sheets[book.SheetNames[0]].length;
  },
  'read-excel-file': async (path, load) => (await load('read-excel-file/node')(path)).length,
};

const CSV: Readonly<Record<string, Peer>> = {
  'csv-parse to objects': async (path) => {
    let rows = 0;
    for await (const _ of createReadStream(path).pipe(parse({ delimiter: ',', columns: true }))) rows += 1;
    return rows;
  },
  papaparse: (path, load) =>
    new Promise((resolve) => {
      let rows = 0;
      load('papaparse').parse(createReadStream(path), {
        step: () => (rows += 1),
        complete: () => resolve(rows),
      });
    }),
};

const PEERS: Readonly<Record<string, Peer>> = { ...XLSX, ...CSV };
const requireIn = (folder: string): NodeJS.Require => createRequire(join(folder, 'package.json'));

async function seconds(
  command: string,
  args: readonly string[],
  options: SpawnOptions = {},
): Promise<number> {
  const start = performance.now();
  const [status] = (await once(spawn(command, args, { stdio: 'ignore', ...options }), 'exit')) as [
    number | null,
  ];
  if (status !== 0) throw new Error(`${args.at(-2)} ended with ${status}`);
  return (performance.now() - start) / 1000;
}

const median = (all: readonly number[]): number =>
  [...all].sort((a, b) => a - b)[Math.floor(all.length / 2)]!;

/** Prints how long each takes, process and all; gives whether our check is ahead of each. */
export async function comparePeers(
  folder: string,
  files: { readonly xlsx: string; readonly csv: string },
  ours: (path: string) => readonly string[],
): Promise<boolean> {
  const own = join(folder, 'peers');
  mkdirSync(own, { recursive: true });
  if (!existsSync(join(own, 'node_modules')))
    spawnSync('npm', ['install', '--no-audit', '--no-fund', '--prefix', own, ...PACKAGES], {
      stdio: 'inherit',
      shell: process.platform === 'win32',
    });
  const hasPython = spawnSync('python3', ['-c', 'import openpyxl']).status === 0;
  const node = (name: string, path: string): readonly string[] => [
    ...['--max-old-space-size=8192', '--import', 'tsx', import.meta.filename],
    ...[name, path, own],
  ];
  let isAhead = true;
  for (const [path, peers] of [
    [files.xlsx, XLSX],
    [files.csv, CSV],
  ] as const) {
    const commands: Record<string, readonly [string, ...string[]]> = {
      'cargue check': [process.execPath, ...ours(path)],
    };
    for (const name of Object.keys(peers)) commands[name] = [process.execPath, ...node(name, path)];
    if (hasPython && path === files.xlsx) commands['openpyxl, read only'] = ['python3', '-c', OPENPYXL, path];
    const times = new Map<string, number[]>();
    for (let round = 0; round < 3; round++)
      for (const [name, [command, ...args]] of Object.entries(commands))
        times.set(name, [...(times.get(name) ?? []), await seconds(command, args)]);
    const check = median(times.get('cargue check')!);
    for (const [name, all] of times) {
      const time = median(all);
      isAhead &&= time >= check;
      console.log(`     ${name}: ${time.toFixed(2)} s, ${(time / check).toFixed(2)} × our check`);
    }
  }
  return isAhead;
}

if (process.argv[1] === import.meta.filename) {
  const [name = '', path = '', own = ''] = process.argv.slice(2);
  if ((await PEERS[name]!(path, requireIn(own))) < 1000) process.exitCode = 1;
}
