import { expect, test } from 'vitest';
import { fitMapping } from '../../src/toolkit/inspect/fit.js';
import { survey } from '../../src/toolkit/inspect/survey.js';
import { HEURISTICS, type Heuristic, usesOf } from '../../src/toolkit/inspect/uses.js';
import { withInputs } from '../support/opened-files.js';
import { CASES, type Case, FRESH, MISLEADING, UNKNOWN_EXPORT } from './cases.js';
import { EVERY, judged, type Measured } from './measure.js';

/** What a proposal costs: a wrong column more than a lost one, that more than a question whose first answers are wrong. */
const cost = ({ wrong, lost, misled, asked, first, three, questions }: Omit<Measured, 'layout'>): number =>
  1_000 * wrong + 100 * lost + 50 * misled + 10 * (asked - three) + 3 * (asked - first) + questions;

/** Those that show most come first: while they show all, no other is looked at. */
const FIRST = [
  'lists of events, list 3',
  'words of other vendors, list 3',
  'words of other vendors, list 1',
  'words of other vendors, clinic, words of other vendors',
  'six capitals, of other words',
  'six capitals, clinic, six capitals',
  'words of clinics, clinic, words of clinics',
  'words of one letter, clinic, words of clinics',
  'misleading labels, full names called as first names',
  'misleading labels, ordinals called as documents',
  'layouts of test/inspect, amounts without the monthly salary told apart: SUELDO and BASICO the wrong way round',
  'misleading labels, words called as documents',
  'misleading labels, kind and number in one cell',
  'misleading labels, the address of an invoice',
  'misleading labels, codes of procedures called as those of consultations',
  'other order, order 3',
  'two rows, English below, amounts under their names',
  'misleading labels, a choice without a name',
  'words of offices, list 1',
  'bands of groups, over Pago neto',
  'misleading labels, dates of an event called as who received',
  'fresh lists of services, consultations',
  'fresh lists of services, stays',
  'fresh lists of services, dispensations',
];
const titleOf = ({ kind, name }: Case): string => `${kind}, ${name}`;
const placeOf = (one: Case): number => {
  const place = FIRST.indexOf(titleOf(one));
  return place < 0 ? FIRST.length : place;
};

const inputs: readonly Case[] = [...new Set([...MISLEADING, UNKNOWN_EXPORT, ...FRESH, ...CASES])].sort(
  (a, b) => placeOf(a) - placeOf(b),
);

/** `ABLATION=1` prints which case is better for each. */
const prints = process.env['ABLATION'] !== undefined;

test('every heuristic makes what is proposed for some file better', { timeout: 600_000 }, async () => {
  const idle = new Set<Heuristic>(HEURISTICS);
  for (const one of inputs) {
    if (idle.size === 0) break;
    const { files, layout, truth } = one;
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
      if (prints) console.log(`${heuristic}: ${more} more for ${titleOf(one)}`);
    }
  }
  expect([...idle]).toEqual([]);
});
