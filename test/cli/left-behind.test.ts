import { createHash } from 'node:crypto';
import { readdirSync, statSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { beforeAll, describe, expect, test, vi } from 'vitest';
import { freshFolder, runCli, startCli } from './run-cli.js';
import { PARAMS, sampleCsv } from './sample.js';

// Each test starts processes of its own.
vi.setConfig({ testTimeout: 120_000, hookTimeout: 60_000 });

const MAPPED = ['-m', 'payroll/wide', '--params', PARAMS];
let large: string;
let small: string;

beforeAll(async () => {
  const copies = 24;
  large = await sampleCsv((grid) => {
    const [, ...rows] = grid;
    for (let copy = 1; copy < copies; copy++) grid.push(...rows.map((row) => [...row]));
  });
  small = await sampleCsv(() => {});
});

const parts = (folder: string): string[] => readdirSync(folder).filter((name) => name.endsWith('.part'));

/** Stops a call once its output is being written; says how it ended. */
async function stopped(folder: string, args: readonly string[], signal: NodeJS.Signals) {
  const child = startCli([...args], { folder });
  child.stdout.resume();
  child.stderr.resume();
  const ended = new Promise<unknown>((resolve) => child.on('close', (code, by) => resolve(code ?? by)));
  const isWriting = (): boolean => parts(folder).some((name) => statSync(join(folder, name)).size > 0);
  while (!isWriting() && child.exitCode === null) await new Promise((resolve) => setTimeout(resolve, 2));
  expect(child.exitCode).toBe(null);
  child.kill(signal);
  return ended;
}

const CALLS: Readonly<Record<string, () => readonly string[]>> = {
  annotate: () => ['check', large, ...MAPPED, '--annotate', 'copia.xlsx'],
  convert: () => ['convert', large, ...MAPPED, '-o', 'documentos.jsonl'],
};

describe.each<[string, readonly NodeJS.Signals[]]>([
  ['annotate', ['SIGINT']],
  ['convert', ['SIGINT', 'SIGTERM', 'SIGHUP']],
])('%s', (name, signals) => {
  test.skipIf(process.platform === 'win32').each(signals)(
    'stopped by %s leaves nothing, and says by what it ended',
    async (signal) => {
      const folder = freshFolder();
      expect(await stopped(folder, CALLS[name]!(), signal)).toBe(signal);
      expect(readdirSync(folder).filter((file) => file !== 'workspace')).toEqual([]);
    },
  );

  test('what a kill left is removed by the next call that writes there', async () => {
    const folder = freshFolder();
    await stopped(folder, CALLS[name]!(), 'SIGKILL');
    expect(parts(folder)).not.toEqual([]);
    const next = await runCli(['convert', small, ...MAPPED, '-o', 'otro.jsonl'], { folder });
    expect(next.code).toBe(0);
    expect(readdirSync(folder).sort()).toEqual(['otro.jsonl', 'workspace']);
  });
});

test('only what is surely ours and of a process that ended is removed', async () => {
  const folder = freshFolder();
  const here = createHash('sha256').update(hostname()).digest('hex').slice(0, 8);
  const gone = 2 ** 22 + 1; // beyond what Linux numbers, so nobody has it
  const kept = [
    `.copia.xlsx.${here}-${process.pid}-0123abcd.part`, // still at work
    `.copia.xlsx.ffffffff-${gone}-0123abcd.part`, // another machine's, in a shared folder
    '.copia.xlsx.part',
    `copia.xlsx.${here}-${gone}-0123abcd.part`,
    `.copia.xlsx.${here}-${gone}-0123abcd.part.bak`,
  ];
  const swept = [`.copia.xlsx.${here}-${gone}-0123abcd.part`];
  for (const name of [...kept, ...swept]) writeFileSync(join(folder, name), 'x');
  await runCli(['convert', small, ...MAPPED, '-o', 'otro.jsonl'], { folder });
  expect(readdirSync(folder).sort()).toEqual([...kept, 'otro.jsonl', 'workspace'].sort());
});
