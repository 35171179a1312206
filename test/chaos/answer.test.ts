import { expect, test } from 'vitest';
import type { AnswerName } from './answer-kinds.js';
import { type Accident, answerRun } from './answer-run.js';

const FAMILIES = ['payroll', 'events', 'rips'] as const;

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

/** `npm run chaos -- --only kinds` plays each of them alone. */
const NEW_KINDS = [
  ...[
    'about another',
    'about another, without its number',
    'about another, the id alone',
    'ours without its id',
    'ours with the id of another',
    'about another, without code and number',
  ],
  ...['valid with status 99', 'not valid with status 00', 'in process without a key'],
  ...['keys twice, the other one last', 'a message nested without end', 'errors nested without end'],
  ...[
    'in odd chunks',
    'in slow chunks',
    'chunks that break off',
    'longer than it says',
    'shorter than it says',
  ],
  ...['gzip of junk', 'gzip without end', 'after early hints', 'after a 100', "with another's behind it"],
  'one behind on a connection',
] as const satisfies readonly AnswerName[];

test.each(FAMILIES)(
  'answers that lie, contradict themselves or come oddly over the line, %s',
  async (family) => {
    const given = { family, kinds: NEW_KINDS, accident: 'none', share: 0.4 } as const;
    const found = await answerRun({ ...given, seed: 3, documents: family === 'events' ? 36 : 15 });
    expect(found).toMatchObject(NOTHING);
    expect(Object.keys(found.faults).length).toBeGreaterThan(10);
  },
);

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
