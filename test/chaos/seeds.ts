import type { Findings } from './oracle.js';

/** Which runs of a family: seeds from `first` on. */
export interface Seeds {
  readonly first: number;
  readonly runs: number;
}

/** Works through the seeds, some at a time, until `enough` says so. */
export async function fromSeed<R>(
  first: number,
  atOnce: number,
  work: (seed: number) => Promise<R>,
  enough: (begun: number, results: readonly R[]) => boolean,
): Promise<R[]> {
  const results: R[] = [];
  let seed = first;
  const worker = async (): Promise<void> => {
    while (!enough(seed - first, results)) results.push(await work(seed++));
  };
  await Promise.all(Array.from({ length: atOnce }, worker));
  return results;
}

export const sum = <T>(items: readonly T[], of: (item: T) => number): number =>
  items.reduce((total, item) => total + of(item), 0);

export const sumValues = (counts: Readonly<Record<string, number | undefined>>): number =>
  sum(Object.values(counts), (count) => count ?? 0);

/** `12 of a, 3 of b`: what all runs counted, by name. */
export function tally(all: readonly Readonly<Record<string, number | undefined>>[]): string {
  const names = [...new Set(all.flatMap((counts) => Object.keys(counts)))];
  return names.map((name) => `${name} ${sum(all, (counts) => counts[name] ?? 0)}`).join(', ');
}

/** `1200 requests, 240 failed (20.0 %)`: of all runs together. */
export function requestsOf(
  runs: readonly {
    readonly requests: number;
    readonly faults: Readonly<Record<string, number | undefined>>;
  }[],
): string {
  const requests = sum(runs, (run) => run.requests);
  const failed = sum(runs, ({ faults }) => sumValues(faults));
  return `${requests} requests, ${failed} failed (${((100 * failed) / Math.max(1, requests)).toFixed(1)} %)`;
}

export const secondsOf = (ms: number): string => `${(ms / 1000).toFixed(1)} s`;

export const verdictOf = ({ doubles, lost, wrong }: Findings): string =>
  `${doubles.length} doubled, ${lost.length} lost, ${wrong.length} wrong`;

export const violations = ({ doubles, lost, wrong }: Findings): number =>
  doubles.length + lost.length + wrong.length;

export function tell(head: string, found: Findings): void {
  console.log(`${head}; ${verdictOf(found)}`);
  for (const line of [...found.doubles, ...found.lost, ...found.wrong].slice(0, 10))
    console.log(`    ${line}`);
}

export const totalOf = (found: readonly Findings[]): Findings => ({
  doubles: found.flatMap(({ doubles }) => doubles),
  lost: found.flatMap(({ lost }) => lost),
  wrong: found.flatMap(({ wrong }) => wrong),
});
