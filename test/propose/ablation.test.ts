import { expect, test } from 'vitest';
import { withInputs } from '../../src/documents/locate.js';
import { fitMapping } from '../../src/propose/fit.js';
import { survey } from '../../src/propose/inspect.js';
import { HEURISTICS, type Heuristic, usesOf } from '../../src/propose/uses.js';
import { CASES, type Case, MISLEADING } from './cases.js';
import { EVERY, judged, type Measured } from './measure.js';

/** What a proposal costs: a wrong column more than a lost one, that more than a question whose first answers are wrong. */
const cost = ({ wrong, lost, misled, asked, first, three, questions }: Omit<Measured, 'layout'>): number =>
  1_000 * wrong + 100 * lost + 50 * misled + 10 * (asked - three) + 3 * (asked - first) + questions;

/** Those that show most come first. */
const inputs: readonly Case[] = [
  ...MISLEADING,
  ...CASES.filter(({ kind }) => kind !== 'layouts of test/propose' && kind !== 'samples').reverse(),
  ...CASES,
];

/** `ABLATION=1` prints which case is better for each. */
const prints = process.env['ABLATION'] !== undefined;

test('every heuristic makes what is proposed for some file better', { timeout: 600_000 }, async () => {
  const idle = new Set<Heuristic>(HEURISTICS);
  for (const { files, layout, truth, kind, name: title } of inputs) {
    if (idle.size === 0) break;
    const { name, mapping } = EVERY.find((one) => one.name === layout)!;
    const { sheets } = await withInputs(await files(), (opened) => survey(opened, [{ name, mapping }]));
    const rightOf = await truth();
    const without = (some: readonly Heuristic[]): number =>
      cost(judged(fitMapping(name, mapping, sheets, usesOf(mapping, new Set(some))), rightOf));
    const whole = without([]);
    for (const heuristic of idle) {
      const more = without([heuristic]) - whole;
      if (more <= 0) continue;
      idle.delete(heuristic);
      if (prints) console.log(`${heuristic}: ${more} more for ${kind}, ${title}`);
    }
  }
  expect([...idle]).toEqual([]);
});
