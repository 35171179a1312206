import { describe, expect, test } from 'vitest';
import { createIssue } from '../../src/send/create-issue.js';
import { createKeyLock } from '../../src/send/deliver.js';
import { outcomes, type PlanInput } from '../../src/send/documents.js';
import type { DocumentKind } from '../../src/send/kind.js';
import { findRun } from '../../src/send/runs.js';
import type { Stage } from '../../src/send/stage.js';
import type { Question, Verdict } from '../../src/send/verdict.js';
import { type Issue, type IssueCode, issueOf, paramOf } from '../../src/toolkit/core/issue.js';
import type { JsonObject } from '../../src/toolkit/core/json.js';
import { allOf } from '../support/all-of.js';
import {
  clientOf,
  envelope,
  payroll,
  type Reply,
  type SeenRequest,
  send,
  service,
  spool,
  tempJournal,
} from './support.js';

/** An issue of that code, whatever it should say. */
const bare = (code: IssueCode): Issue => issueOf(code, 'error', {});

/** The verdict is what the scripted service says: `{"kind": "accepted", …}`; a lost answer is a lost answer. */
const said: Question['read'] = (answer) =>
  answer.kind === 'json'
    ? (answer.body as unknown as Verdict)
    : { kind: 'unknown', issue: createIssue('send/no-answer', { reason: 'reset' }) };
const accepted = { status: 200, json: { kind: 'accepted', shown: { cufe: 'ours' }, issues: [] } };
const rejected = {
  status: 200,
  json: { kind: 'rejected', rules: [], shown: {}, issues: [bare('remote/rejected')] },
};
const absent = { status: 200, json: { kind: 'absent' } };
const received = { status: 200, json: { kind: 'received-before', shown: {}, text: '' } };

/** Can always be asked about, has no numbers, no totals: as events are. */
const REGISTER: Stage = {
  name: 'register',
  asks: 'always',
  send: ({ body }) => ({ operation: 'sendEventData', request: { bodyText: body }, read: said }),
  ask: ({ body }) => ({
    operation: 'getInvoiceEvents',
    request: { path: { CUFE: String((JSON.parse(body) as JsonObject)['key']) } },
    read: said,
  }),
};
const kindOf = (...stages: Stage[]): DocumentKind => ({
  judge: () => ({ admit: async () => ({ is: 'new', remarks: [] }), remarks: () => [] }),
  stages,
  fit: (_body, { cufe }) => (cufe === 'ours' ? 'ours' : 'open'),
  echoRules: [],
  tooEarlyRules: [],
  setUpRules: [],
});
const EVENTS = kindOf(REGISTER);

const isAsk = ({ path }: SeenRequest): boolean => path.includes('events-document');

/** Documents a, b, c …, each after those that `after` says. */
async function play(
  answer: (request: SeenRequest, turn: number) => Reply,
  {
    count = 1,
    after = {},
    kind = EVENTS,
  }: { count?: number; after?: Record<number, number>; kind?: DocumentKind } = {},
) {
  const journal = await tempJournal();
  const { url, requests } = await service(answer);
  async function* documents(): AsyncIterable<readonly PlanInput[]> {
    yield Array.from({ length: count }, (_, index): PlanInput => {
      const key = 'abcdef'[index]!;
      const before = after[index + 1];
      return {
        ...envelope(index + 1, payroll(1)),
        key,
        body: { key },
        ...(before !== undefined && { after: before }),
      };
    });
  }
  const spooled = await spool(journal, [], { kind, documents: documents() });
  const { run } = spooled;
  const result = await send(journal, run, clientOf(url), { kind });
  const ends = (await allOf(outcomes(journal, run))).map(({ key, state, attempts, issues }) =>
    [key, state, `×${attempts}`, ...issues.map(({ code }) => code)].join(' '),
  );
  return { journal, run, requests, result, ends, spooled };
}

describe('what can always be asked about', () => {
  test.each<[name: string, answers: readonly Reply[], asked: string, end: string]>([
    ['it landed', ['reset', accepted], 'sa', 'a accepted ×1'],
    ['it did not land: sent again', ['reset', absent, accepted], 'sas', 'a accepted ×2'],
    ['asking fails first', ['reset', 'reset', accepted], 'saa', 'a accepted ×1'],
    ['said to be there already: asked, whoever did it', [received, accepted], 'sa', 'a accepted ×1'],
    ['said to be there, and not there: sent again', [received, absent, accepted], 'sas', 'a accepted ×2'],
    [
      'said to be there and not there for ever',
      Array.from({ length: 20 }, (_, turn) => (turn % 2 === 0 ? received : absent)),
      'sasasasas',
      'a unknown ×5 send/landed-unconfirmed',
    ],
  ])('%s', async (_name, answers, asked, end) => {
    const { requests, ends } = await play((_request, turn) => answers[turn - 1]!);
    expect(requests.map((one) => (isAsk(one) ? 'a' : 's')).join('')).toBe(asked);
    expect(ends).toEqual([end]);
  });

  test('documents without numbers and totals', async () => {
    const { journal, spooled } = await play(() => accepted, { count: 2 });
    expect([spooled.planned, spooled.totals]).toEqual([2, {}]);
    expect(await journal.all('SELECT consecutive, number FROM document')).toEqual(
      Array(2).fill({ consecutive: null, number: null }),
    );
  });
});

describe('documents that wait', () => {
  const keyOf = ({ body }: SeenRequest): unknown => (JSON.parse(body) as JsonObject)['key'];

  test('leave in their turn, others beside them', async () => {
    const { requests, result } = await play(() => accepted, { count: 4, after: { 2: 1, 3: 2 } });
    const order = requests.map(keyOf);
    expect(result.counts.accepted).toBe(4);
    expect(order.filter((key) => key !== 'd')).toEqual(['a', 'b', 'c']);
    expect(order.indexOf('d')).toBeLessThan(order.indexOf('b'));
  });

  test('behind a rejected one are not sent; the reason names it, and the run is over', async () => {
    const { journal, run, requests, ends } = await play(
      (request) => (keyOf(request) === 'b' ? rejected : accepted),
      {
        count: 4,
        after: { 2: 1, 3: 2, 4: 3 },
      },
    );
    expect(requests.map(keyOf)).toEqual(['a', 'b']);
    expect(ends).toEqual([
      'a accepted ×1',
      'b rejected ×1 remote/rejected',
      'c held-back ×0 send/predecessor-not-accepted',
      'd held-back ×0 send/predecessor-not-accepted',
    ]);
    const told = (await allOf(outcomes(journal, run))).slice(2);
    const reasons = told.map(({ issues }) => paramOf(issues[0]!, 'number'));
    expect([reasons, (await findRun(journal, run)).state]).toEqual([['b', 'c'], 'closed']);
  });

  test('behind one of which nothing is known stay unsent', async () => {
    const { ends } = await play(() => 'reset', { count: 2, after: { 2: 1 } });
    expect(ends).toEqual(['a unknown ×1 send/no-answer', 'b unsent ×0']);
  });
});

describe('stages', () => {
  const made = { status: 200, json: { kind: 'made', id: 41 } };
  const creates = (name: string, more: Partial<Stage> = {}): Stage => ({
    name,
    asks: 'never',
    send: () => ({ operation: 'createPatient', request: { bodyText: JSON.stringify({ name }) }, read: said }),
    ...more,
  });
  const nameOf = ({ body }: SeenRequest): unknown =>
    body === '' ? 'look' : (JSON.parse(body) as JsonObject)['name'];
  const first = creates('first');
  const last = creates('last', { lost: () => createIssue('send/interrupted') });

  test('ids are on the disk before the next request leaves', async () => {
    const journals: unknown[] = [];
    const stage = creates('last', {
      send: ({ position }) => {
        journals.push(position.made);
        return last.send({} as never);
      },
    });
    const { journal, ends } = await play((request) => (nameOf(request) === 'first' ? made : accepted), {
      kind: kindOf(first, stage),
    });
    expect([ends, journals]).toEqual([['a accepted ×1'], [{ first: 41 }]]);
    expect(await journal.first('SELECT made FROM document')).toEqual({ made: '{"first":41}' });
    expect(await journal.all('SELECT asked, answered FROM attempt ORDER BY id')).toEqual([
      { asked: 'first send', answered: '200 made' },
      { asked: 'last send', answered: '200 accepted' },
    ]);
  });

  test('resumed, a document goes on at the stage where it was', async () => {
    const { journal, run, requests, ends } = await play(
      (request) =>
        nameOf(request) === 'first'
          ? made
          : { status: 200, json: { kind: 'throttled', retryAfter: '90000' } },
      { kind: kindOf(first, last) },
    );
    expect(ends[0]).toMatch(/^a unsent/);
    expect(requests.filter((one) => nameOf(one) === 'first')).toHaveLength(1);
    const { url, requests: later } = await service(() => accepted);
    await send(journal, run, clientOf(url), { kind: kindOf(first, last) });
    expect(later.map(nameOf)).toEqual(['last']);
  });

  test('what a lost answer leaves to a person is never sent again, also not after a kill', async () => {
    const kind = kindOf(first, last);
    const { journal, run, ends } = await play((request) => (nameOf(request) === 'first' ? made : 'reset'), {
      kind,
    });
    expect(ends).toEqual(['a unknown ×1 send/interrupted']);
    // As a killed process leaves it.
    await journal.run(`UPDATE document SET state = 'sending', issues = NULL`);
    const { url, requests } = await service(() => accepted);
    await send(journal, run, clientOf(url), { kind });
    expect(requests).toEqual([]);
    expect(
      (await allOf(outcomes(journal, run))).map(({ state, issues }) => [state, issues[0]?.code]),
    ).toEqual([['unknown', 'send/interrupted']]);
  });

  test('who shares a key goes one after the other', async () => {
    const lock = createKeyLock();
    const order: string[] = [];
    const work = async (name: string, key: string): Promise<void> => {
      const release = await lock(key);
      order.push(`${name} in`);
      await new Promise((resolve) => setImmediate(resolve));
      order.push(`${name} out`);
      release();
    };
    await Promise.all([work('a', 'k'), work('b', 'k'), work('c', 'other'), work('d', 'k')]);
    const same = order.filter((one) => !one.startsWith('c'));
    expect(same).toEqual(['a in', 'a out', 'b in', 'b out', 'd in', 'd out']);
    expect(order.indexOf('c in')).toBeLessThan(order.indexOf('b in'));
  });
});
