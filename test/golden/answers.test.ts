import { readFileSync } from 'node:fs';
import { afterAll, describe, expect, test } from 'vitest';
import { createNumbering } from '../../src/app/numbering.js';
import { createEventSequence } from '../../src/families/events/sequence.js';
import { type Prepared, prepareFiles } from '../support/prepare-file.js';
import { withoutNull } from './agrees.js';
import { CLERKS } from './clerks.js';
import { caseOf, converse, type Rank } from './conversation.js';

const errors = ({ issues }: Prepared): string[] =>
  issues.flatMap(({ level, code, place }) =>
    level === 'error' ? [[code, place.file, place.sheet, place.column, place.row, place.pointer, place.param].join(' ')] : [],
  ).sort();

const RANKS = ['first', 'second', 'lower', 'typed'] as const;
/** Least share of the questions whose right answer stands first or second. */
const MIN_NEAR = 0.85;
const counts = new Map<string, Record<Rank, number>>();

afterAll(() => {
  const all = { first: 0, second: 0, lower: 0, typed: 0 };
  for (const [name, own] of counts) {
    console.log(`${RANKS.map((rank) => own[rank]).join('/').padEnd(10)} ${name}`);
    for (const rank of RANKS) all[rank] += own[rank];
  }
  const asked = RANKS.reduce((sum, rank) => sum + all[rank], 0);
  console.log(`${RANKS.map((rank) => `${all[rank]} ${rank}`).join(', ')} of ${asked}`);
  expect((all.first + all.second) / asked).toBeGreaterThanOrEqual(MIN_NEAR);
});

describe.each(Object.entries(CLERKS))('%s', (name, clerk) => {
  test('gives the right documents by answers alone', async () => {
    const { files, mapping, params, inRun } = caseOf(clerk);
    const { found, rounds, ranks, mappingText } = await converse(clerk, files, inRun);
    expect(found.questions).toEqual([]);
    expect([...ranks].filter(([, { rank }]) => rank === undefined)).toEqual([]);
    const count = (of: Rank): number => [...ranks.values()].filter(({ rank }) => rank === of).length;
    counts.set(name, { first: count('first'), second: count('second'), lower: count('lower'), typed: count('typed') });
    if (process.env['ASKED']) for (const [id, { typed, rank }] of ranks) console.log(`  ${rank}: ${id} = ${typed}`);
    const made = await prepareFiles({ files, mappingText: mappingText!, params: inRun });
    const wanted = await prepareFiles({ files, mapping, params });
    expect(errors(made)).toEqual(errors(wanted));
    expect(made.drafts.map(({ body }) => body)).toEqual(wanted.drafts.map(({ body }) => body));
    expect(made.issues.filter(({ code }) => code === 'header/label-new')).toEqual([]);
    const ids = rounds.flatMap(({ asked }) => asked.map(({ id }) => id));
    expect(ids.length, ids.join(' ')).toBeLessThanOrEqual(clerk.questions);
  });
});

const DELIVERIES = 'test/golden/deliveries/';

test.each(Object.values(CLERKS).filter(({ folder }) => folder.startsWith(DELIVERIES)))(
  'the right mapping of $folder gives the truth',
  async (clerk) => {
    const { files, mapping, params } = caseOf(clerk);
    const { drafts } = await prepareFiles({ files, mapping, params, follow: createEventSequence() });
    const documents: unknown = JSON.parse(readFileSync(`${clerk.folder}/documents.json`, 'utf8'));
    expect(drafts.map(createNumbering(params)).map(withoutNull)).toEqual(withoutNull(documents));
  },
);
