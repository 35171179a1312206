/** Notes which of the chosen places each test file runs, in its own process and in those that it starts. */
import { appendFileSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { Session } from 'node:inspector/promises';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect } from 'vitest';
import type { Mutant } from './mutants.js';

interface Script {
  readonly url: string;
  readonly functions: readonly {
    readonly ranges: readonly {
      readonly startOffset: number;
      readonly endOffset: number;
      readonly count: number;
    }[];
  }[];
}

const built = process.env['CARGUE_MUTATION_BUILT']!;
const out = process.env['CARGUE_MUTATION_COVER']!;
const mutants = JSON.parse(
  readFileSync(process.env['CARGUE_MUTATION_MUTANTS']!, 'utf8'),
) as readonly Mutant[];

const byFile = new Map<string, Mutant[]>();
for (const mutant of mutants) byFile.set(mutant.file, [...(byFile.get(mutant.file) ?? []), mutant]);

/** True if the smallest range around a place ran. */
function isRun({ functions }: Script, place: number): boolean {
  let size = Number.POSITIVE_INFINITY;
  let count = 0;
  for (const { ranges } of functions)
    for (const range of ranges) {
      if (place < range.startOffset || place >= range.endOffset) continue;
      if (range.endOffset - range.startOffset > size) continue;
      size = range.endOffset - range.startOffset;
      count = range.count;
    }
  return count > 0;
}

const runIn = (scripts: readonly Script[]): number[] =>
  scripts.flatMap((script) => {
    if (!script.url.startsWith('file:')) return [];
    const file = relative(built, fileURLToPath(script.url)).replaceAll('\\', '/');
    return (byFile.get(file) ?? []).filter(({ from }) => isRun(script, from)).map(({ id }) => id);
  });

const session = new Session();
let children = '';
let begun = 0;

beforeAll(async () => {
  children = mkdtempSync(join(tmpdir(), 'cargue-children-'));
  process.env['NODE_V8_COVERAGE'] = children;
  begun = performance.now();
  session.connect();
  await session.post('Profiler.enable');
  await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: true });
});

afterAll(async () => {
  const { result } = await session.post('Profiler.takePreciseCoverage');
  await session.post('Profiler.stopPreciseCoverage');
  session.disconnect();
  delete process.env['NODE_V8_COVERAGE'];
  const found = new Set(runIn(result as unknown as readonly Script[]));
  if (existsSync(children))
    for (const name of readdirSync(children)) {
      const { result: scripts } = JSON.parse(readFileSync(join(children, name), 'utf8')) as {
        result: readonly Script[];
      };
      for (const id of runIn(scripts)) found.add(id);
    }
  rmSync(children, { recursive: true, force: true });
  const file = relative(process.cwd(), expect.getState().testPath ?? '').replaceAll('\\', '/');
  const seconds = (performance.now() - begun) / 1000;
  appendFileSync(out, `${JSON.stringify({ file, seconds, mutants: [...found] })}\n`);
});
