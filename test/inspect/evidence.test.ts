import { expect, test } from 'vitest';
import { CASES } from './cases.js';
import { type Measured, measure } from './measure.js';

const COUNTS = [
  'columns',
  'decided',
  'aside',
  'asked',
  'questions',
  'misled',
  'first',
  'three',
  'lower',
  'wrong',
  'lost',
] as const;
type Counts = Record<(typeof COUNTS)[number], number>;

const countsOf = (all: readonly Measured[]): Counts =>
  Object.fromEntries(COUNTS.map((name) => [name, all.reduce((sum, one) => sum + one[name], 0)])) as Counts;

/** Of the questions about columns so many are answered right by the first answer, or by one of the first three. */
const FLOORS = { first: 0.91, three: 0.96 };
/** Columns that matter and look as if they did not: they are asked about together. */
const MOST_LOST = 2;
/** Columns of which a wrong meaning is to be confirmed with others. */
const MOST_MISLED = 1;
/** Questions for 40 columns, where labels are unusual. */
const QUESTIONS_OF_40 = 12;
/** Files whose layout is to be asked. */
const MOST_LAYOUTS_ASKED = 2;

/** `EVIDENCE=1` prints every question. */
const prints = process.env['EVIDENCE'] !== undefined;

test('what columns are is proposed right', { timeout: 900_000 }, async () => {
  const measured: { kind: string; name: string; found: Measured }[] = [];
  for (const one of CASES) measured.push({ kind: one.kind, name: one.name, found: await measure(one) });
  const lines = [...new Set(measured.map(({ kind }) => kind)), 'all'].map((kind) => {
    const own = measured.filter((one) => kind === 'all' || one.kind === kind).map(({ found }) => found);
    const clear = own.filter(({ layout }) => layout === 'clear').length;
    const counts = countsOf(own);
    return `${kind}: layout clear ${clear} of ${own.length}, ${COUNTS.map((name) => `${name} ${counts[name]}`).join(', ')}`;
  });
  if (prints)
    for (const { kind, name, found } of measured)
      console.log([`${kind}: ${name}`, ...found.notes].join('\n  '));
  console.log(lines.join('\n'));
  const all = countsOf(measured.map(({ found }) => found));
  const layouts = measured.map(({ found }) => found.layout);
  expect(measured.flatMap(({ found }) => found.notes.filter((note) => note.startsWith('wrong')))).toEqual([]);
  expect(layouts).not.toContain('wrong');
  expect(layouts.filter((layout) => layout === 'asked').length).toBeLessThanOrEqual(MOST_LAYOUTS_ASKED);
  expect(all.first / all.asked).toBeGreaterThanOrEqual(FLOORS.first);
  expect(all.three / all.asked).toBeGreaterThanOrEqual(FLOORS.three);
  expect(all.lost).toBeLessThanOrEqual(MOST_LOST);
  expect(all.misled).toBeLessThanOrEqual(MOST_MISLED);
  const many = [...new Set(measured.map(({ kind }) => kind))].filter((kind) => {
    const { questions, columns } = countsOf(
      measured.filter((one) => one.kind === kind).map(({ found }) => found),
    );
    return columns >= 40 && (questions * 40) / columns > QUESTIONS_OF_40;
  });
  expect(many).toEqual([]);
});
