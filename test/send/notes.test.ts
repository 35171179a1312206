import { createHash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { DELETION, deletionOf, REPLACEMENT, replacementOf } from '../../src/families/payroll/adjust-note.js';
import { workerOf } from '../../src/families/payroll/subject.js';
import { outcomes, type PlanInput, runIssues, type SpoolOptions } from '../../src/send/documents.js';
import type { Journal } from '../../src/send/journal.js';
import { openRun } from '../../src/send/runs.js';
import { paramOf } from '../../src/toolkit/core/issue.js';
import type { JsonObject } from '../../src/toolkit/core/json.js';
import type { Document } from '../../src/toolkit/schema/document.js';
import { allOf } from '../support/all-of.js';
import { payroll, spool, tempJournal } from './support.js';

const CUNES: Readonly<Record<number, string>> = {
  1: '1a'.repeat(48),
  2: '2b'.repeat(48),
  3: '3c'.repeat(48),
};

interface Of {
  /** Worker of the predecessor. */
  readonly number: number;
  readonly cune?: string;
  readonly date?: string;
}

const options = ({ number, cune = CUNES[number]!, date = '2026-10-31' }: Of) => ({
  prefix: 'NA',
  issueDate: '2026-11-09',
  reason: 'x',
  predecessor: { number, cune, issueDate: date },
});

const noteEnvelope = (
  sequence: number,
  schema: Document['schema'],
  key: string,
  body: JsonObject,
): Document => ({
  sequence,
  key,
  schema,
  body,
  trace: new Map(),
  hash: createHash('sha256').update(JSON.stringify(body)).digest('hex'),
});

const CHANGED = { payment_dates: [{ payment_date: '2026-10-29' }] };

const replacement = (worker: number, of: Of, changes: JsonObject = CHANGED, sequence = 1): Document =>
  noteEnvelope(
    sequence,
    REPLACEMENT,
    workerOf(payroll(worker)),
    replacementOf(payroll(worker, changes), options(of)),
  );

const deletion = (worker: number, of: Of, sequence = 1): Document =>
  noteEnvelope(sequence, DELETION, workerOf(payroll(worker)), deletionOf(payroll(worker), options(of)));

const lay = (journal: Journal, documents: readonly PlanInput[], more: Partial<SpoolOptions> = {}) =>
  spool(journal, [], {
    keyIsWorker: true,
    documents: (async function* () {
      yield documents;
    })(),
    ...more,
  });

/** As if the answers had come: by worker for payrolls, under a code of its own for notes. */
async function settle(journal: Journal, run: string, state: string): Promise<void> {
  await openRun(journal, run);
  const rows = await journal.all<{ id: number; consecutive: number; prefix: string }>(
    `SELECT id, consecutive, prefix FROM document WHERE run = ? AND state = 'planned'`,
    run,
  );
  for (const { id, consecutive, prefix } of rows) {
    const code = prefix === 'NOM' ? CUNES[consecutive]! : `${prefix}${consecutive}`.padEnd(96, '0');
    await journal.run(
      'UPDATE document SET state = ?, document_code = ? WHERE id = ?',
      state,
      state === 'rejected' ? null : code,
      id,
    );
  }
}

/** Workers 1 to 3 were sent as NOM1 to NOM3; the second is in that state, the others are accepted. */
async function sent(state = 'accepted'): Promise<Journal> {
  const journal = await tempJournal();
  for (const worker of [1, 2, 3]) {
    const { run } = await spool(journal, [payroll(worker)]);
    await settle(journal, run, worker === 2 ? state : 'accepted');
  }
  return journal;
}

const standing = async (journal: Journal, run: string): Promise<string[]> => [
  ...(await outcomesOf(journal, run)),
  ...(await allOf(runIssues(journal, run))).flatMap(({ code, level, params }) =>
    level === 'error' ? [`held back ${code} ${paramOf({ params }, 'case') ?? ''}`.trim()] : [],
  ),
];

const outcomesOf = async (journal: Journal, run: string): Promise<string[]> =>
  (await allOf(outcomes(journal, run))).map(({ state, earlier, issues }) =>
    [
      state,
      earlier && 'earlier',
      ...issues.map(({ code, params }) => `${code} ${paramOf({ params }, 'case') ?? ''}`.trim()),
    ]
      .filter(Boolean)
      .join(' '),
  );

const NOTE = 'payroll/note-predecessor';

describe('a note is held against what the journal knows of its predecessor', () => {
  test.each<[string, string, Document, string, string[]]>([
    ['accepted', 'accepted', replacement(2, { number: 2 }), 'unsent', []],
    ['a deletion of it', 'accepted', deletion(2, { number: 2 }), 'unsent', []],
    [
      'rejected',
      'rejected',
      replacement(2, { number: 2 }),
      `held back ${NOTE} not-accepted`,
      ['not-accepted'],
    ],
    ['pending', 'pending', replacement(2, { number: 2 }), `held back ${NOTE} open`, ['open']],
    ['unknown', 'unknown', deletion(2, { number: 2 }), `held back ${NOTE} open`, ['open']],
    [
      'of another worker',
      'accepted',
      replacement(2, { number: 3 }),
      `held back ${NOTE} other-worker`,
      ['other-worker'],
    ],
    [
      'of another worker',
      'accepted',
      deletion(2, { number: 3 }),
      `held back ${NOTE} other-worker`,
      ['other-worker'],
    ],
    [
      'another date',
      'accepted',
      replacement(2, { number: 2, date: '2026-10-30' }),
      `held back ${NOTE} differs`,
      ['differs'],
    ],
    [
      'another CUNE',
      'accepted',
      replacement(2, { number: 2, cune: 'ff'.repeat(48) }),
      `held back ${NOTE} differs`,
      ['differs'],
    ],
    ['not known', 'accepted', deletion(9, { number: 9, cune: 'ff'.repeat(48) }), 'unsent', ['not-known']],
  ])('%s (%s)', async (_, state, note, expected, cases) => {
    const journal = await sent(state);
    const told: string[] = [];
    const { run } = await lay(journal, [note], {
      onIssue: ({ params }) => told.push(String(paramOf({ params }, 'case'))),
    });
    expect(await standing(journal, run)).toEqual([expected]);
    expect(told).toEqual(cases);
  });

  test('a record whose key is no document number says nothing of whom a deletion is about', async () => {
    const journal = await sent();
    const { run } = await lay(journal, [deletion(2, { number: 3 })], { keyIsWorker: false });
    expect(await standing(journal, run)).toEqual(['unsent']);
  });

  test('deleted, itself a deletion, replaced since', async () => {
    const journal = await sent();
    await settle(
      journal,
      (await lay(journal, [deletion(1, { number: 1 }), replacement(2, { number: 2 }, CHANGED, 2)])).run,
      'accepted',
    );
    const deleted = await lay(journal, [replacement(1, { number: 1 })]);
    expect(await standing(journal, deleted.run)).toEqual([`held back ${NOTE} deleted`]);
    const ofDeletion = await lay(journal, [replacement(1, { number: 1, cune: 'NA1'.padEnd(96, '0') })]);
    expect(await standing(journal, ofDeletion.run)).toEqual([`held back ${NOTE} a-deletion`]);
    const told: string[] = [];
    const late = await lay(journal, [replacement(2, { number: 2 }, { notes: 'y', payment_dates: [] })], {
      onIssue: ({ level, params }) =>
        told.push(`${level} ${paramOf({ params }, 'case')} ${paramOf({ params }, 'latest')}`),
    });
    expect([await standing(journal, late.run), told]).toEqual([['unsent'], ['warning replaced NA2']]);
  });

  test('one at a time: twice in a run, or in a run that is not finished', async () => {
    const journal = await sent();
    const first = await lay(journal, [replacement(2, { number: 2 }), deletion(2, { number: 2 }, 2)]);
    expect(await standing(journal, first.run)).toEqual(['unsent', 'held back send/month-repeated']);
    await settle(journal, first.run, 'unknown');
    const second = await lay(journal, [deletion(2, { number: 2 })]);
    expect(await standing(journal, second.run)).toEqual(['held back send/unfinished-run']);
  });

  test('the same note again is accepted already', async () => {
    const journal = await sent();
    const both = [replacement(2, { number: 2 }), deletion(3, { number: 3 }, 2)];
    await settle(journal, (await lay(journal, both)).run, 'accepted');
    const again = await lay(journal, both);
    expect(await standing(journal, again.run)).toEqual(['accepted earlier', 'accepted earlier']);
  });

  test('what another test set knows is not known', async () => {
    const journal = await sent();
    const { run } = await lay(journal, [replacement(2, { number: 2 })], { testSet: 'set' });
    expect(await standing(journal, run)).toEqual(['unsent']);
    const issues = await journal.all<{ content: string }>('SELECT content FROM finding WHERE run = ?', run);
    expect(issues.map(({ content }) => JSON.parse(content).params.case)).toEqual(['not-known']);
  });
});

describe('the month of a worker', () => {
  test('is free again once its payroll was deleted, and only then', async () => {
    const journal = await sent();
    const gone = await lay(journal, [deletion(2, { number: 2 })]);
    await settle(journal, gone.run, 'pending');
    const early = await spool(journal, [payroll(2, CHANGED)]);
    expect(await standing(journal, early.run)).toEqual(['held back payroll/worker-month pending']);
    await journal.run(`UPDATE document SET state = 'accepted' WHERE run = ?`, gone.run);
    const { run } = await spool(journal, [payroll(2, CHANGED)]);
    expect(await standing(journal, run)).toEqual(['unsent']);
  });

  test('is what its last replacement says: the corrected file is nothing new, the first one is', async () => {
    const journal = await sent();
    await settle(journal, (await lay(journal, [replacement(2, { number: 2 })])).run, 'accepted');
    const corrected = await spool(journal, [payroll(2, CHANGED)]);
    expect(await standing(journal, corrected.run)).toEqual(['accepted earlier']);
    const first = await spool(journal, [payroll(2)]);
    expect(await standing(journal, first.run)).toEqual(['held back payroll/worker-month accepted']);
    const [issue] = await allOf(runIssues(journal, first.run));
    expect(issue?.params).toMatchObject({ number: 'NA1', date: '2026-11-09' });
  });
});
