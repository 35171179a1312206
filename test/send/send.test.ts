import { describe, expect, test } from 'vitest';
import { outcomes } from '../../src/send/documents.js';
import type { Journal } from '../../src/send/journal.js';
import { REAL_RUNTIME } from '../../src/send/rate-limiter.js';
import { accounting, findRun } from '../../src/send/runs.js';
import type { SendOptions } from '../../src/send/send.js';
import { paramOf } from '../../src/toolkit/core/issue.js';
import type { JsonObject } from '../../src/toolkit/core/json.js';
import { allOf } from '../support/all-of.js';
import {
  ACCEPTED,
  ACCEPTED_RESULT,
  CUNE,
  clientOf,
  codeOf,
  consecutiveOf,
  fastWorld,
  payroll,
  type Reply,
  rejectedResult,
  type SeenRequest,
  send,
  service,
  spool,
  statusAnswer,
  syncAnswer,
  TAKEN,
  tempJournal,
  workers,
  xmlOf,
  zipAnswer,
} from './support.js';

const isAsk = ({ path }: SeenRequest): boolean => path.includes('/status/document/');
const isPoll = ({ path }: SeenRequest): boolean => path.includes('/status/zip/');
const isSend = (request: SeenRequest): boolean => !isAsk(request) && !isPoll(request);
const ok = (json: unknown): Reply => ({ status: 200, json });
/** What DIAN holds under the number is ours. */
const FOUND = ok(statusAnswer({ ...ACCEPTED_RESULT, XmlBase64Bytes: xmlOf(1) }));
/** It holds something. */
const SOMETHING = ok(statusAnswer(ACCEPTED_RESULT));
const STRANGER = ok(statusAnswer({ ...ACCEPTED_RESULT, XmlBase64Bytes: xmlOf(8) }));
/** Each of the first workers is held under his own number. */
const foundOf = ({ path }: SeenRequest): Reply => {
  const worker = [1, 2, 3, 4].find((number) => path.endsWith(codeOf(number)))!;
  return ok(statusAnswer({ ...ACCEPTED_RESULT, XmlBase64Bytes: xmlOf(worker) }));
};
const status = (text: string): Reply => ok({ success: false, message: text });

const states = async (journal: Journal, run: string): Promise<string[]> =>
  (await allOf(outcomes(journal, run))).map(({ number, state, attempts, issues }) =>
    [number, state, `×${attempts}`, ...issues.map(({ code }) => code)].join(' '),
  );

interface Scene {
  readonly documents?: readonly JsonObject[];
  readonly testSet?: string;
  readonly options?: Partial<SendOptions>;
  /** Of a request, in real time: a machine that halts for longer has it sent again. @default 100 */
  readonly timeoutMs?: number;
}

/** Spools and sends against a scripted service. `answer` sees the number of the request of its own kind. */
async function play(
  answer: (request: SeenRequest, turn: number) => Reply | Promise<Reply>,
  scene: Scene = {},
) {
  const { documents = workers(1), testSet, options, timeoutMs = 100 } = scene;
  const journal = await tempJournal();
  const { url, requests } = await service(answer);
  const { run } = await spool(journal, documents, testSet === undefined ? {} : { testSet });
  const world = fastWorld();
  const client = clientOf(url, { timeoutMs });
  const result = await send(journal, run, client, { world, ...options });
  expect(result.counts).toEqual((await accounting(journal, run)).outcomes);
  expect(Object.values(result.counts).reduce((sum, count) => sum + count)).toBe(documents.length);
  const resume = (more: Partial<SendOptions> = {}) => send(journal, run, client, { world, ...more });
  return { journal, run, requests, result, world, resume, states: () => states(journal, run) };
}

describe('production', () => {
  test('all accepted: each body goes out once, exactly as the journal holds it', async () => {
    const scene = await play(() => ACCEPTED, { documents: workers(40), timeoutMs: 60_000 });
    expect(scene.result).toEqual({
      counts: { accepted: 40, rejected: 0, pending: 0, unknown: 0, unsent: 0 },
      interrupted: false,
    });
    const sent = scene.requests.map(({ body }) => body).sort();
    const held = (await scene.journal.all<{ body: string }>('SELECT body FROM content'))
      .map(({ body }) => body)
      .sort();
    expect(sent).toEqual(held);
    expect((await findRun(scene.journal, scene.run)).state).toBe('closed');
    expect((await allOf(outcomes(scene.journal, scene.run)))[0]).toMatchObject({
      documentCode: CUNE,
      attempts: 1,
    });
  });

  test('rejected ones stand beside accepted ones, with rule, cell and number', async () => {
    const bad = ok(syncAnswer(rejectedResult('Regla: NIE051, Rechazo: dirección')));
    const scene = await play((request) => (consecutiveOf(request) === 2 ? bad : ACCEPTED), {
      documents: workers(3),
    });
    expect(await scene.states()).toEqual([
      'NOM1 accepted ×1',
      'NOM2 rejected ×1 remote/rejected',
      'NOM3 accepted ×1',
    ]);
    const blame = (rule: string): string[] => (rule === 'NIE051' ? ['/worker/address'] : []);
    const second = (await allOf(outcomes(scene.journal, scene.run, { blame })))[1];
    expect(second?.issues[0]).toMatchObject({
      params: { rule: 'NIE051', text: 'dirección' },
      place: { sheet: 'Nómina', row: 3, column: 'F', pointer: '/worker/address' },
      documentKey: '9000100002',
    });
    expect(second).not.toHaveProperty('documentCode');
  });

  test('a refusal of the service is final and points at the cell', async () => {
    const refusal: Reply = {
      status: 422,
      json: { message: 'x', errors: { 'worker.address': ['required'] } },
    };
    const scene = await play(() => refusal);
    expect(await scene.states()).toEqual(['NOM1 rejected ×1 remote/refused']);
    expect((await allOf(outcomes(scene.journal, scene.run)))[0]?.issues[0]?.place).toMatchObject({
      row: 2,
      column: 'F',
    });
  });

  test('a second run of the same file sends nothing', async () => {
    const scene = await play(() => ACCEPTED, { documents: workers(3) });
    const again = await spool(scene.journal, workers(3));
    expect(again).toMatchObject({ planned: 0, earlier: 3 });
    const result = await send(scene.journal, again.run, clientOf('http://127.0.0.1:9'));
    expect(result.counts.accepted).toBe(3);
    expect(scene.requests).toHaveLength(3);
    expect((await allOf(outcomes(scene.journal, again.run)))[2]).toMatchObject({
      earlier: true,
      number: 'NOM3',
      documentCode: codeOf(3),
      attempts: 0,
    });
  });
});

describe('an answer that never came', () => {
  const LOST: readonly [name: string, reply: Reply][] = [
    ['time-out', 'hang'],
    ['the line cut', 'reset'],
    ['a page of a proxy', { status: 502, text: '<h1>502</h1>' }],
    ['a crash', { status: 500, json: { message: 'Server Error' } }],
    ['a bare sentence', { status: 200, text: 'Undefined index' }],
  ];
  test.each(LOST)(
    '%s after it landed: the same bytes again, then rule 90 and a question',
    async (_, lost) => {
      const scene = await play((request, turn) => (isAsk(request) ? FOUND : turn === 1 ? lost : TAKEN));
      expect(await scene.states()).toEqual(['NOM1 accepted ×2']);
      const [first, second, third] = scene.requests;
      expect(second?.body).toBe(first?.body);
      expect(third?.path).toBe(`/api/ubl2.1/status/document/${CUNE}`);
    },
  );

  test.each(LOST)('%s before it landed: the same bytes again are accepted', async (_, lost) => {
    const scene = await play((_request, turn) => (turn === 1 ? lost : ACCEPTED));
    expect(await scene.states()).toEqual(['NOM1 accepted ×2']);
    expect(new Set(scene.requests.map(({ body }) => body)).size).toBe(1);
  });

  test('"already sent" by the service itself is the same good news', async () => {
    const sent = {
      success: false,
      message: 'x',
      employee: '9000100001',
      cune: CUNE,
      total_payroll: '2024000.00',
    };
    const scene = await play((request, turn) => (isAsk(request) ? FOUND : turn === 1 ? 'reset' : ok(sent)));
    expect(await scene.states()).toEqual(['NOM1 accepted ×2']);
  });

  test.each([
    ['worker', { employee: '8' }, 'rejected ×2 send/number-taken'],
    ['total', { total_payroll: '1.00' }, 'rejected ×2 send/number-taken'],
    ['name', { employee: 'Zoe Prado' }, 'rejected ×2 send/number-taken'],
    ['name, a little', { employee: 'Fabián Núñez' }, 'unknown ×2 send/landed-unconfirmed'],
    ['nothing', { employee: undefined, total_payroll: undefined }, 'unknown ×2 send/landed-unconfirmed'],
  ])('what it shows besides is compared once DIAN has confirmed it: %s', async (_, other, told) => {
    const sent = {
      success: false,
      message: 'x',
      employee: '9000100001',
      cune: CUNE,
      total_payroll: '2024000.00',
      ...other,
    };
    const scene = await play((request, turn) =>
      isAsk(request) ? SOMETHING : turn === 1 ? 'reset' : ok(sent),
    );
    expect(await scene.states()).toEqual([`NOM1 ${told}`]);
    expect(scene.requests.filter(isAsk).length).toBeGreaterThan(0);
  });

  test('rule 90 without a way to confirm stays unknown, and is asked again on resume', async () => {
    let found = false;
    const none = { IsValid: 'false', StatusCode: '66' };
    const scene = await play((request, turn) =>
      isAsk(request) ? (found ? FOUND : ok(statusAnswer(none))) : turn === 1 ? 'reset' : TAKEN,
    );
    expect(scene.result.counts).toMatchObject({ unknown: 1 });
    expect((await allOf(outcomes(scene.journal, scene.run)))[0]?.issues[0]?.code).toBe(
      'send/landed-unconfirmed',
    );
    found = true;
    expect((await scene.resume()).counts).toMatchObject({ accepted: 1 });
    expect(new Set(scene.requests.filter(isSend).map(({ body }) => body)).size).toBe(1);
  });

  const DOWN = status('La DIAN no se encuentra disponible');
  test.each([
    ['is ours', FOUND, 'accepted'],
    ["is another's", STRANGER, 'rejected send/number-taken'],
    ['shows nothing', SOMETHING, 'unknown send/landed-unconfirmed'],
  ])('rule 90 is a question, also on a first attempt: what DIAN holds %s', async (_, held, told) => {
    for (const first of [undefined, DOWN, 'reset'] as const) {
      const scene = await play((request, turn) =>
        isAsk(request) ? held : turn === 1 && first !== undefined ? first : TAKEN,
      );
      expect((await scene.states()).map((state) => state.replace(/ ×\d/, ''))).toEqual([`NOM1 ${told}`]);
      expect(new Set(scene.requests.filter(isSend).map(({ body }) => body)).size).toBe(1);
    }
  });

  test('one number of a stranger says nothing of the lost answers of others', async () => {
    const tried = new Set<number>();
    const scene = await play(
      (request) => {
        if (isAsk(request)) return request.path.endsWith(codeOf(1)) ? STRANGER : foundOf(request);
        const number = consecutiveOf(request);
        const first = !tried.has(number);
        tried.add(number);
        return number === 1 ? TAKEN : first ? 'reset' : TAKEN;
      },
      { documents: workers(4) },
    );
    expect((await scene.states()).map((state) => state.replace(/ ×\d/, ''))).toEqual([
      'NOM1 rejected send/number-taken',
      'NOM2 accepted',
      'NOM3 accepted',
      'NOM4 accepted',
    ]);
  });

  test('an answer without a verdict but with a code is asked about before anything is sent again', async () => {
    const vague = ok(
      syncAnswer({ IsValid: { _attributes: { nil: 'true' } }, StatusCode: {}, XmlDocumentKey: CUNE }),
    );
    const scene = await play((request) => (isAsk(request) ? FOUND : vague));
    expect(await scene.states()).toEqual(['NOM1 accepted ×1']);
    expect(scene.requests.map(({ path }) => path.split('/').at(-1))).toEqual(['payroll', CUNE]);
  });

  test('the month taken by our own lost attempt is not called a rejection', async () => {
    const month = ok(syncAnswer(rejectedResult('Regla: NIE199, Rechazo: ya existe')));
    const scene = await play((_request, turn) => (turn === 1 ? 'reset' : month));
    expect(await scene.states()).toEqual(['NOM1 unknown ×2 send/echo-unconfirmed']);
  });

  test('an answer that names a key twice proves nothing: the same bytes again', async () => {
    const text = JSON.stringify(syncAnswer(ACCEPTED_RESULT));
    const twice = text.replace('"IsValid":"true"', '"IsValid":"false","IsValid":"true"');
    expect(twice).not.toBe(text);
    const scene = await play((_request, turn) => (turn < 3 ? { status: 200, text: twice } : ACCEPTED));
    expect(await scene.states()).toEqual(['NOM1 accepted ×3']);
    const never = await play(() => ({ status: 200, text: twice }));
    expect(await never.states()).toEqual([
      expect.stringMatching(/^NOM1 unknown .* send\/unreadable-answer$/),
    ]);
  });

  test('one that never answers is left unknown after its tries, others go on', async () => {
    const scene = await play((request) => (consecutiveOf(request) === 1 ? 'reset' : ACCEPTED), {
      documents: workers(30),
      options: { policy: { tries: 3 } },
    });
    expect(scene.result.counts).toMatchObject({ accepted: 29, unknown: 1 });
    expect((await scene.states())[0]).toBe('NOM1 unknown ×3 send/no-answer');
    expect((await findRun(scene.journal, scene.run)).state).toBe('open');
  });

  test('the retries of a run are counted', async () => {
    const scene = await play((request) => (consecutiveOf(request) % 2 === 0 ? ACCEPTED : 'reset'), {
      documents: workers(40),
      options: { policy: { retryBudget: 5, concurrency: 2 } },
    });
    expect(scene.result.stopped?.code).toBe('send/too-many-retries');
    expect(scene.requests.length).toBeLessThan(20);
  });
});

describe('test set', () => {
  const receipt = (zipKey: string): Reply =>
    ok({
      ResponseDian: {
        Envelope: { Body: { SendTestSetAsyncResponse: { SendTestSetAsyncResult: { ZipKey: zipKey } } } },
      },
      cune: CUNE,
    });
  const WAITING = { IsValid: 'false', StatusCode: {}, StatusDescription: 'Batch en proceso de validación.' };

  test('a receipt is no verdict: the key is polled until there is one', async () => {
    const polls = new Map<string, number>();
    const scene = await play(
      (request) => {
        if (!isPoll(request)) return receipt(`key-${consecutiveOf(request)}`);
        const turn = (polls.get(request.path) ?? 0) + 1;
        polls.set(request.path, turn);
        return ok(
          zipAnswer(
            turn < 3
              ? WAITING
              : request.path.endsWith('key-2')
                ? rejectedResult('Regla: NIE187, Rechazo: a')
                : ACCEPTED_RESULT,
          ),
        );
      },
      { documents: workers(3), testSet: 'set-1' },
    );
    expect(await scene.states()).toEqual([
      'NOM1 accepted ×1',
      'NOM2 rejected ×1 remote/rejected',
      'NOM3 accepted ×1',
    ]);
    expect([...polls.values()]).toEqual([3, 3, 3]);
    expect(scene.requests.filter(isSend).map(({ path }) => path)).toEqual(
      Array(3).fill('/api/ubl2.1/payroll/set-1'),
    );
    expect(scene.requests.find(isPoll)?.body).toBe('{"is_payroll":true}');
    expect((await allOf(outcomes(scene.journal, scene.run)))[0]).toMatchObject({
      documentCode: CUNE,
      zipKey: 'key-1',
    });
  });

  const { XmlDocumentKey: _, ...KEYLESS } = ACCEPTED_RESULT;
  const NOT_FOUND = ok(statusAnswer({ IsValid: 'false', StatusCode: '66', StatusDescription: 'x' }));
  test.each<[name: string, asked: Reply, end: string, code: string | undefined]>([
    ['is asked about, and kept once it is shown', FOUND, 'NOM1 accepted ×1', CUNE],
    [
      'is not kept unless it is shown, nor is it an acceptance',
      NOT_FOUND,
      'NOM1 unknown ×1 send/landed-unconfirmed',
      undefined,
    ],
    ['of another document is not kept', STRANGER, 'NOM1 unknown ×1 send/answer-of-another', undefined],
  ])('a code that only the receipt named %s', async (_name, asked, end, code) => {
    const scene = await play(
      (request) => (isAsk(request) ? asked : isPoll(request) ? ok(zipAnswer(KEYLESS)) : receipt('key-1')),
      { testSet: 's' },
    );
    expect(await scene.states()).toEqual([end]);
    expect((await allOf(outcomes(scene.journal, scene.run)))[0]?.documentCode).toBe(code);
    expect(scene.requests.filter(isSend)).toHaveLength(1);
  });

  test('an answer to a poll that contradicts itself is no verdict; resuming asks again', async () => {
    let answer: JsonObject = { ...ACCEPTED_RESULT, StatusCode: '99' };
    const scene = await play((request) => (isPoll(request) ? ok(zipAnswer(answer)) : receipt('key-1')), {
      testSet: 's',
    });
    expect(await scene.states()).toEqual(['NOM1 unknown ×1 remote/contradictory']);
    answer = ACCEPTED_RESULT;
    expect((await scene.resume()).counts).toMatchObject({ accepted: 1 });
    expect(scene.requests.filter(isSend)).toHaveLength(1);
  });

  test('polling ends at the cap and leaves it pending; resuming polls again and sends nothing', async () => {
    let answer: JsonObject = WAITING;
    const scene = await play((request) => (isPoll(request) ? ok(zipAnswer(answer)) : receipt('k')), {
      testSet: 's',
      options: { policy: { pollEvery: 1_000, pollFor: 10_000 } },
    });
    expect(await scene.states()).toEqual(['NOM1 pending ×1']);
    expect(scene.requests.filter(isPoll)).toHaveLength(10);
    expect((await allOf(outcomes(scene.journal, scene.run)))[0]).not.toHaveProperty('documentCode');
    answer = ACCEPTED_RESULT;
    expect((await scene.resume()).counts).toMatchObject({ accepted: 1 });
    expect(scene.requests.filter(isSend)).toHaveLength(1);
  });

  test('trouble while polling changes nothing', async () => {
    const replies: Reply[] = [
      'reset',
      { status: 502, text: '' },
      { status: 429, json: {} },
      ok(zipAnswer(ACCEPTED_RESULT)),
    ];
    const scene = await play((request) => (isPoll(request) ? replies.shift()! : receipt('k')), {
      testSet: 's',
    });
    expect(await scene.states()).toEqual(['NOM1 accepted ×1']);
  });

  test('an answer about the set is no verdict', async () => {
    const about = {
      IsValid: 'false',
      StatusCode: '2',
      StatusDescription: 'Set de prueba se encuentra Aceptado.',
    };
    const scene = await play((request) => (isPoll(request) ? ok(zipAnswer(about)) : receipt('k')), {
      testSet: 's',
    });
    expect(await scene.states()).toEqual(['NOM1 unknown ×1 remote/test-set']);
  });

  test('a lost receipt: the same bytes again; rule 90 on its key means the first one landed', async () => {
    const ninety = rejectedResult('Regla: 90, Rechazo: Documento procesado anteriormente.');
    const scene = await play(
      (request, turn) =>
        isAsk(request)
          ? FOUND
          : isPoll(request)
            ? ok(zipAnswer(ninety))
            : turn === 1
              ? 'reset'
              : receipt('k'),
      { testSet: 's' },
    );
    expect(await scene.states()).toEqual(['NOM1 accepted ×2']);
  });
});

describe('a wave of equal failures stops early', () => {
  const WAVES: readonly [name: string, reply: Reply, cause: string][] = [
    ['401', { status: 401, json: { message: 'Unauthenticated.' } }, 'send/unauthenticated'],
    [
      '401 of the 2026 line',
      { status: 500, json: { success: false, error: 'Unauthenticated.' } },
      'send/unauthenticated',
    ],
    ['DIAN down', status('La DIAN no se encuentra disponible'), 'send/not-in-service'],
    [
      'certificate expired',
      ok({ success: false, message: 'El certificado venció', certificate_days_left: 0 }),
      'send/certificate-expired',
    ],
  ];
  test.each(WAVES)('%s: nothing is lost, the rest is unsent', async (_, reply, cause) => {
    const scene = await play(() => reply, { documents: workers(200) });
    expect(scene.result.stopped?.code).toBe(cause);
    expect(scene.result.counts).toMatchObject({ unsent: 200 });
    expect(scene.requests.length).toBeLessThan(30);
    expect(await findRun(scene.journal, scene.run)).toMatchObject({
      state: 'open',
      stopped: { code: cause },
    });
  });

  test.each<[string, Reply, string]>([
    ['404', { status: 404, json: { message: 'x' } }, 'send/wrong-address'],
    ['a page for 401', { status: 401, text: '<h1>401</h1>' }, 'send/unauthenticated'],
    ['a login page', { status: 302, text: '' }, 'send/wrong-address'],
    ['throttled for ever', { status: 429, json: {} }, 'send/throttled'],
    ['a no of unknown words', status('Solicitud bloqueada'), 'send/not-in-service'],
  ])('%s: the cause is told, what was tried is asked about by the same bytes', async (_, reply, cause) => {
    let open = false;
    const scene = await play(() => (open ? ACCEPTED : reply), { documents: workers(200) });
    expect(scene.result.stopped?.code).toBe(cause);
    const { unknown, unsent, rejected } = scene.result.counts;
    expect([unknown + unsent, rejected, unknown > 0]).toEqual([200, 0, true]);
    expect(scene.requests.length).toBeLessThan(60);
    open = true;
    expect((await scene.resume()).counts).toMatchObject({ accepted: 200 });
    const bodies = new Map<number, Set<string>>();
    for (const request of scene.requests) {
      const number = consecutiveOf(request);
      bodies.set(number, (bodies.get(number) ?? new Set()).add(request.body));
    }
    expect([...bodies.values()].every((texts) => texts.size === 1)).toBe(true);
  });

  test('the service crashes on everything: what was tried is unknown', async () => {
    const scene = await play(() => ({ status: 500, json: { message: 'Server Error' } }), {
      documents: workers(200),
    });
    expect(scene.result.stopped?.code).toBe('send/unreadable-answer');
    expect(scene.result.counts.unknown + scene.result.counts.unsent).toBe(200);
    expect(scene.result.counts.unsent).toBeGreaterThan(150);
  });

  test('the resolution is missing: the words of the crash are the cause', async () => {
    const text = 'Attempt to read property "prefix" on null';
    const scene = await play(() => ({ status: 500, json: { success: false, error: text } }), {
      documents: workers(200),
    });
    expect(scene.result.stopped).toMatchObject({
      code: 'send/unreadable-answer',
      params: { status: 500, text },
    });
    expect(scene.requests.length).toBeLessThan(60);
  });

  test('nobody listens', async () => {
    const journal = await tempJournal();
    const { run } = await spool(journal, workers(50));
    const { url, server } = await service(() => ACCEPTED);
    await new Promise((resolve) => server.close(resolve));
    const result = await send(journal, run, clientOf(url));
    expect([result.stopped?.code, result.counts.unsent]).toEqual(['send/unreachable', 50]);
  });

  test('a set-up that DIAN rejects', async () => {
    const scene = await play(() => ok(syncAnswer(rejectedResult('Regla: NIE023, Rechazo: ambiente'))), {
      documents: workers(100),
      options: { policy: { concurrency: 2 } },
    });
    expect(paramOf(scene.result.stopped!, 'rule')).toBe('NIE023');
    expect(scene.result.counts.rejected).toBeLessThan(10);
  });

  test('the same refusal for every document', async () => {
    const refusal: Reply = {
      status: 422,
      json: { message: 'x', errors: { resolution_number: ['required'] } },
    };
    const scene = await play(() => refusal, {
      documents: workers(100),
      options: { policy: { concurrency: 2 } },
    });
    expect(scene.result.stopped?.code).toBe('remote/refused');
    expect(scene.result.counts.unsent).toBeGreaterThan(50);
  });

  test('a short outage is waited for', async () => {
    const scene = await play(
      (_request, turn) => (turn > 3 && turn < 25 ? { status: 503, text: 'down' } : ACCEPTED),
      {
        documents: workers(60),
      },
    );
    expect(scene.result.counts).toMatchObject({ accepted: 60 });
    expect(scene.result.stopped).toBeUndefined();
  });

  test('after the cause is gone resuming sends the rest', async () => {
    let open = false;
    const scene = await play(() => (open ? ACCEPTED : { status: 401, json: {} }), { documents: workers(30) });
    open = true;
    expect((await scene.resume()).counts).toMatchObject({ accepted: 30 });
    expect(await findRun(scene.journal, scene.run)).toMatchObject({ state: 'closed' });
    expect(await findRun(scene.journal, scene.run)).not.toHaveProperty('stopped');
  });
});

describe('pace', () => {
  test('Retry-After is obeyed by everyone, and no document is lost to it', async () => {
    const scene = await play(
      (_request, turn) =>
        turn === 5 ? { status: 429, json: {}, headers: { 'retry-after': '7' } } : ACCEPTED,
      { documents: workers(30), options: { policy: { tries: 1 } } },
    );
    expect(scene.result.counts).toMatchObject({ accepted: 30 });
    expect(Math.max(...scene.world.slept)).toBe(7_000);
  });

  test('requests a minute are counted over all requests, polls included', async () => {
    const scene = await play(
      (request) =>
        isPoll(request)
          ? ok(zipAnswer(ACCEPTED_RESULT))
          : ok({
              ResponseDian: {
                Envelope: { Body: { A_Response: { A_Result: { ZipKey: `k${consecutiveOf(request)}` } } } },
              },
            }),
      { documents: workers(30), testSet: 's', options: { policy: { requestsPerMinute: 60 } } },
    );
    expect(scene.requests.length).toBeGreaterThanOrEqual(60);
    const minutes = (scene.world.clock() - Date.parse('2026-11-21T15:00:00Z')) / 60_000;
    expect(scene.requests.length / minutes).toBeLessThan(62);
  });

  test('never more at once than asked for', async () => {
    let open = 0;
    let most = 0;
    await play(
      async () => {
        open += 1;
        most = Math.max(most, open);
        await new Promise((resolve) => setTimeout(resolve, 5));
        open -= 1;
        return ACCEPTED;
      },
      { documents: workers(60), options: { policy: { concurrency: 5 } } },
    );
    expect(most).toBe(5);
  });
});

describe('interrupted', () => {
  test('first time: what is under way is finished, the rest stays unsent', async () => {
    const finish = new AbortController();
    const scene = await play(
      async (_request, turn) => {
        if (turn === 10) finish.abort();
        return ACCEPTED;
      },
      { documents: workers(100), options: { finish: finish.signal, policy: { concurrency: 4 } } },
    );
    expect(scene.result).toMatchObject({ interrupted: true, counts: { unknown: 0 } });
    expect(scene.result.counts.accepted).toBe(scene.requests.length);
    expect(scene.result.counts.accepted).toBeLessThan(20);
    expect((await scene.resume()).counts).toMatchObject({ accepted: 100 });
    expect(new Set(scene.requests.map(consecutiveOf)).size).toBe(100);
  });

  test('second time: hung up, what was under way is unknown and asked on resume', async () => {
    const abort = new AbortController();
    let landed = 0;
    // An engine may send those of a run in another order than they stand in.
    let before = 0;
    const scene = await play(
      (request) => {
        if (isAsk(request)) return foundOf(request);
        if (!abort.signal.aborted && consecutiveOf(request) === 3) {
          landed = 3;
          abort.abort();
          return 'hang';
        }
        if (!abort.signal.aborted) before += 1;
        return consecutiveOf(request) === landed && abort.signal.aborted ? TAKEN : ACCEPTED;
      },
      { documents: workers(10), options: { abort: abort.signal, policy: { concurrency: 1 } } },
    );
    expect(scene.result).toMatchObject({
      interrupted: true,
      counts: { accepted: before, unknown: 1, unsent: 9 - before },
    });
    expect((await scene.resume()).counts).toMatchObject({ accepted: 10 });
  });
});

test('many requests at once, with both signals and the real clock, raise no warning', async () => {
  const warnings: string[] = [];
  const listen = (warning: Error): void => void warnings.push(warning.name);
  process.on('warning', listen);
  await play(async (_request, turn) => (turn % 4 === 0 ? 'reset' : ACCEPTED), {
    documents: workers(60),
    options: {
      world: REAL_RUNTIME,
      finish: new AbortController().signal,
      abort: new AbortController().signal,
      policy: { concurrency: 30, pause: 1 },
    },
  });
  await new Promise((resolve) => setImmediate(resolve));
  process.off('warning', listen);
  expect(warnings).toEqual([]);
});

test('progress tells every move, and the counts always add up', async () => {
  const seen: number[] = [];
  await play(() => ACCEPTED, {
    documents: workers(20),
    options: {
      onProgress: (counts) => {
        seen.push(counts.accepted);
        expect(Object.values(counts).reduce((sum, count) => sum + count)).toBe(20);
      },
    },
  });
  expect(seen).toEqual(Array.from({ length: 20 }, (_, index) => index + 1));
});

test('the journal is all that a report needs: no token, no body in its log', async () => {
  const scene = await play(
    (_request, turn) => (turn === 1 ? { status: 500, text: 'secret-token leaked' } : ACCEPTED),
    {
      documents: [payroll(1)],
    },
  );
  const log = await scene.journal.all<Record<string, string>>(
    'SELECT asked, answered, excerpt FROM attempt ORDER BY id',
  );
  expect(log.map(({ asked, answered }) => `${asked}: ${answered}`)).toEqual([
    'send: 500 unknown',
    'send: 200 accepted',
  ]);
  expect(JSON.stringify(log)).not.toContain('secret-token');
});
