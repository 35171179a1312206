import { expect, test } from 'vitest';
import { type Accident, answerRun } from './answer-run.js';

const NOTHING = { doubles: [], lost: [], wrong: [] };

/** With and without notes, PIN and test set: `npm run chaos -- --only answer` plays hundreds, with accidents. */
test.each([
  { family: 'payroll', seed: 6 },
  { family: 'payroll', seed: 5 },
  { family: 'events', seed: 1 },
  { family: 'rips', seed: 2 },
] as const)('answers that are not the service’s own, $family, seed $seed', async (given) => {
  const found = await answerRun({ ...given, accident: 'none', documents: 15, share: 0.4 });
  expect(found).toMatchObject(NOTHING);
  expect(Object.keys(found.faults).length).toBeGreaterThan(5);
});

/** One of these is said when the journal is opened; nothing where it is found, or opens with doubts. */
const REPORTED: Readonly<Record<Exclude<Accident, 'none'>, readonly string[]>> = {
  restored: [],
  'restored elsewhere': [],
  'restored, log left': ['journal/foreign-log'],
  'older files put back': ['journal/behind'],
  'bit flipped in the log': ['journal/behind', 'journal/foreign'],
  'log cut': ['journal/behind', 'journal/foreign'],
  'log gone': ['journal/foreign'],
  'database emptied': ['journal/behind'],
  'spelt otherwise': [],
};

test.each(Object.entries(REPORTED).map(([accident, codes], at) => ({ accident, codes, seed: 10 + at })))(
  'the journal after an accident: $accident',
  async ({ accident, codes, seed }) => {
    const found = await answerRun({ seed, accident: accident as keyof typeof REPORTED, documents: 6 });
    expect(found).toMatchObject(NOTHING);
    expect(found.reported).toHaveLength(codes.length > 0 ? 1 : 0);
    expect(codes).toEqual(expect.arrayContaining([...found.reported]));
  },
);
