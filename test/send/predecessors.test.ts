import { describe, expect, test } from 'vitest';
import { outcomes } from '../../src/send/documents.js';
import type { Journal } from '../../src/send/journal.js';
import { findRun } from '../../src/send/runs.js';
import type { JsonObject } from '../../src/toolkit/core/json.js';
import { allOf } from '../support/all-of.js';
import {
  ACCEPTED,
  CUNE,
  clientOf,
  consecutiveOf,
  fastWorld,
  payroll,
  type Reply,
  rejectedResult,
  type SeenRequest,
  send,
  service,
  spool,
  syncAnswer,
  tempJournal,
  zipAnswer,
} from './support.js';

/** The first of three may only leave after the third, the second after the first. */
const WAITS: readonly (readonly [who: number, forWhom: number])[] = [
  [1, 3],
  [2, 1],
];

async function chain(answer: (request: SeenRequest, turn: number) => Reply, testSet?: string) {
  const journal = await tempJournal();
  const { url, requests } = await service(answer);
  const workers = [1, 2, 3].map((worker) => payroll(worker));
  const { run } = await spool(journal, workers, testSet === undefined ? {} : { testSet });
  const wait =
    'UPDATE document SET waits_for = (SELECT id FROM document WHERE sequence = ?) WHERE sequence = ?';
  for (const [who, forWhom] of WAITS) await journal.run(wait, forWhom, who);
  const world = fastWorld();
  const go = () => send(journal, run, clientOf(url), { world });
  return { journal, run, requests, world, go };
}

const states = async (journal: Journal, run: string) =>
  (await allOf(outcomes(journal, run))).map(({ number, state, attempts, issues }) =>
    [number, state, `×${attempts}`, ...issues.map(({ code }) => code)].join(' '),
  );

const EARLY: Reply = {
  status: 200,
  json: syncAnswer(rejectedResult('Regla: NIAE191a, Rechazo: el documento a reemplazar no se encuentra')),
};
const BAD: Reply = { status: 200, json: syncAnswer(rejectedResult('Regla: NIE051, Rechazo: dirección')) };

test('who waits leaves in its turn', async () => {
  const { requests, go } = await chain(() => ACCEPTED);
  expect((await go()).counts).toMatchObject({ accepted: 3 });
  expect(requests.map(consecutiveOf)).toEqual([3, 1, 2]);
});

test('what waits for a rejected one is not sent, nor what waits for that; the run is over', async () => {
  const { journal, run, requests, go } = await chain(() => BAD);
  expect((await go()).counts).toMatchObject({ rejected: 1, unsent: 0 });
  expect(requests).toHaveLength(1);
  expect(await states(journal, run)).toEqual([
    'NOM1 held-back ×0 send/predecessor-not-accepted',
    'NOM2 held-back ×0 send/predecessor-not-accepted',
    'NOM3 rejected ×1 remote/rejected',
  ]);
  expect((await findRun(journal, run)).state).toBe('closed');
});

test('what waits for one without a verdict stays unsent, and goes when it is resumed', async () => {
  let verdict = false;
  const receipt = (request: SeenRequest): Reply => ({
    status: 200,
    json: {
      ResponseDian: {
        Envelope: {
          Body: {
            SendTestSetAsyncResponse: { SendTestSetAsyncResult: { ZipKey: `zip-${consecutiveOf(request)}` } },
          },
        },
      },
      cune: CUNE.slice(0, -1) + consecutiveOf(request),
    },
  });
  const polled = (request: SeenRequest): Reply => {
    const waits = !verdict && request.path.endsWith('zip-3');
    const result: JsonObject = waits
      ? { IsValid: 'false', StatusCode: {} }
      : { IsValid: 'true', StatusCode: '00', XmlDocumentKey: CUNE };
    return { status: 200, json: zipAnswer(result) };
  };
  const { journal, run, requests, go } = await chain(
    (request) => (request.path.includes('/status/zip/') ? polled(request) : receipt(request)),
    'set',
  );
  const sent = () => requests.filter(({ path }) => !path.includes('/status/zip/')).map(consecutiveOf);
  expect((await go()).counts).toMatchObject({ pending: 1, unsent: 2 });
  expect([sent(), (await findRun(journal, run)).state]).toEqual([[3], 'open']);
  verdict = true;
  expect((await go()).counts).toMatchObject({ accepted: 3 });
  expect(sent()).toEqual([3, 1, 2]);
});

describe('a predecessor that DIAN does not find yet', () => {
  test('is waited for, longer each time, and the same bytes are sent again', async () => {
    const { requests, world, go } = await chain((request, turn) =>
      consecutiveOf(request) === 3 && turn <= 2 ? EARLY : ACCEPTED,
    );
    expect((await go()).counts).toMatchObject({ accepted: 3 });
    expect(requests.map(consecutiveOf)).toEqual([3, 3, 3, 1, 2]);
    expect(new Set(requests.slice(0, 3).map(({ body }) => body)).size).toBe(1);
    expect(world.slept).toEqual([50, 100]);
  });

  test('for ever: the cap ends it, also over resuming', async () => {
    const { journal, run, requests, go } = await chain(() => EARLY);
    expect((await go()).counts).toMatchObject({ rejected: 1 });
    expect(requests).toHaveLength(4);
    expect((await states(journal, run))[2]).toBe('NOM3 rejected ×4 remote/rejected send/predecessor-missing');
    await go();
    expect(requests).toHaveLength(4);
  });

  test('beside another reason it is rejected at once', async () => {
    const both = rejectedResult('Regla: NIAE191a, Rechazo: x', 'Regla: NIE051, Rechazo: y');
    const { requests, go } = await chain(() => ({ status: 200, json: syncAnswer(both) }));
    expect((await go()).counts).toMatchObject({ rejected: 1 });
    expect(requests).toHaveLength(1);
  });

  test('interrupted in the pause, it is still to be sent', async () => {
    const { journal, run, go, requests } = await chain((_request, turn) => (turn === 1 ? EARLY : ACCEPTED));
    const finish = new AbortController();
    const world = fastWorld();
    const stopping = {
      ...world,
      sleep: async (ms: number) => {
        finish.abort();
        await world.sleep(ms);
      },
    };
    const client = clientOf((await service(() => EARLY)).url);
    const { counts, interrupted } = await send(journal, run, client, {
      world: stopping,
      finish: finish.signal,
    });
    expect([counts.unsent, counts.rejected, interrupted]).toEqual([3, 0, true]);
    expect((await findRun(journal, run)).state).toBe('open');
    expect((await go()).counts).toMatchObject({ accepted: 3 });
    expect(requests.map(consecutiveOf)).toEqual([3, 3, 1, 2]);
  });
});
