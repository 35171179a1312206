import { createHash } from 'node:crypto';
import { createServer, request as httpRequest } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { describe, expect, onTestFinished, test } from 'vitest';
import { EVENTS } from '../../src/families/events/delivery.js';
import { startSandbox } from '../../src/sandbox/server.js';
import { outcomes, type PlanInput } from '../../src/send/documents.js';
import type { JsonObject } from '../../src/toolkit/core/json.js';
import { allOf } from '../support/all-of.js';
import { arrived, attention, NIT as CLINIC, clinicOf, spoolCare } from './rips-support.js';
import { clientOf, PIN, send, spool, tempJournal, workers } from './support.js';

/** The answer as adversary: something in between takes the service's own answer and gives another one. */

const NIT = '900123456';

interface Reply {
  readonly status: number;
  readonly type: string;
  readonly text: string;
}

/** What becomes of the answer to the nth request of a path; the service has processed the request by then. */
type Turn = (own: Reply, about: { readonly path: string; readonly nth: number }) => Reply | Promise<Reply>;

async function between(target: string, turn: Turn): Promise<string> {
  const times = new Map<string, number>();
  const server = createServer(async (incoming, response) => {
    const path = incoming.url!;
    const body = await text(incoming);
    const key = `${incoming.method} ${path} ${body}`;
    const nth = (times.get(key) ?? 0) + 1;
    times.set(key, nth);
    const { host: _host, connection: _connection, ...headers } = incoming.headers;
    const outgoing = httpRequest(target + path, { method: incoming.method, headers });
    outgoing.end(body);
    const answer = await new Promise<import('node:http').IncomingMessage>((resolve, reject) =>
      outgoing.once('response', resolve).once('error', reject),
    );
    const type = answer.headers['content-type'] ?? '';
    const own = { status: answer.statusCode!, type, text: await text(answer) };
    const given = await turn(own, { path, nth });
    response.writeHead(given.status, { 'content-type': given.type });
    response.end(given.text);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

const json = (status: number, body: unknown): Reply => ({
  status,
  type: 'application/json',
  text: JSON.stringify(body),
});
const page = (status: number): Reply => ({ status, type: 'text/html', text: `<h1>${status}</h1>` });

const DEEP = '['.repeat(200_000) + ']'.repeat(200_000);
const deep = (status: number, text: string): Reply => ({ status, type: 'application/json', text });

/** What something in between may say. */
const FOREIGN: readonly [name: string, reply: Reply][] = [
  ['401', json(401, { error: 'invalid_token' })],
  ['401 in the words of the service', json(401, { message: 'Unauthenticated.' })],
  ['403 page', page(403)],
  ['404', json(404, { message: 'no Route matched' })],
  ['429', json(429, { message: 'Too Many Attempts.' })],
  ['a redirect', page(302)],
  ['success:false', json(200, { success: false, message: 'Solicitud bloqueada' })],
  ['a page', page(200)],
  ['503', json(503, { message: 'DIAN no disponible' })],
  ['nested without end', deep(200, DEEP)],
  ['a message nested without end', deep(200, `{"success":false,"message":${DEEP}}`)],
  ['a verdict nested without end', deep(200, `{"ResponseDian":{"Envelope":{"Body":${DEEP}}}}`)],
  ['a result nested without end', deep(201, `{"success":true,"data":${DEEP}}`)],
  ['errors nested without end', deep(422, `{"message":"x","errors":{"worker":${DEEP}}}`)],
  ['more values than are read', deep(200, `[${'0,'.repeat(1_000_000)}0]`)],
];

const isSend = (path: string): boolean => /\/(payroll|send-event-data|generate\/\d+)$/.test(path);

/** One of four answers to the first sending is replaced. */
function replaced(reply: Reply): Turn {
  let count = 0;
  return (own, { path, nth }) => {
    if (!isSend(path) || nth > 1) return own;
    count += 1;
    return count % 4 === 1 ? reply : own;
  };
}

/** The answers to two first sendings change places. */
function swapped(): Turn {
  let waiting: { own: Reply; give: (reply: Reply) => void } | undefined;
  return (own, { path, nth }) => {
    if (!isSend(path) || nth > 1) return own;
    if (waiting === undefined)
      return new Promise((give) => {
        waiting = { own, give };
      });
    const { own: other, give } = waiting;
    waiting = undefined;
    give(own);
    return other;
  };
}

/** The same answer again, to whoever asks next. */
function repeated(): Turn {
  let last: Reply | undefined;
  return (own, { path, nth }) => {
    if (!isSend(path) || nth > 1) return own;
    const given = last ?? own;
    last = last === undefined ? own : undefined;
    return given;
  };
}

const bare =
  (turn: Turn): Turn =>
  async (own, about) =>
    strip(await turn(own, about));

/** Without anything but DIAN's verdict, a code and the number under a name that says nothing. */
function strip(reply: Reply): Reply {
  if (!reply.text.includes('"SendNominaSyncResult"')) return reply;
  const body = JSON.parse(reply.text) as Record<string, unknown>;
  const { ResponseDian, cune, message } = body;
  const text = JSON.stringify({ message, ResponseDian, cune });
  return { ...reply, text: text.replace(/,?"Xml(FileName|Base64Bytes)":"[^"]*"/g, '') };
}

async function payrolls(turn: Turn) {
  const box = await startSandbox({ companies: [{ nit: NIT, environment: 'production' }] });
  onTestFinished(() => box.close());
  const journal = await tempJournal();
  // What was accepted without a doubt shows that the PIN is right.
  const direct = clientOf(box.url, { token: box.token });
  await send(journal, (await spool(journal, workers(21).slice(20))).run, direct);
  const { run } = await spool(journal, workers(12));
  const client = clientOf(await between(box.url, turn), { token: box.token });
  for (let round = 0; round < 3; round++) await send(journal, run, client, { softwarePin: PIN });
  const told = await allOf(outcomes(journal, run));
  const held = new Map(
    box.controls.documents(NIT).map(({ number, cune, worker }) => [number, `${worker} ${cune}`]),
  );
  return {
    states: [...new Set(told.map(({ state }) => state))],
    wrong: told.filter(({ number, key, documentCode }) => held.get(number!) !== `${key} ${documentCode}`),
    twice: box.controls.documents(NIT).length - 13,
  };
}
const SOUND = { states: ['accepted'], wrong: [], twice: 0 };

describe('payroll', () => {
  test.each(FOREIGN)('%s after the service took the document', async (_, reply) =>
    expect(await payrolls(replaced(reply))).toEqual(SOUND),
  );
  test.each<[string, Turn]>([
    ['answers change places', swapped()],
    ['answers change places and show nothing', bare(swapped())],
    ['an answer is given twice', repeated()],
    ['an answer is given twice and shows nothing', bare(repeated())],
  ])('%s', async (_, turn) => expect(await payrolls(turn)).toEqual(SOUND));
});

describe('RIPS: nothing is generated twice', () => {
  test.each([
    ...FOREIGN.map(([name, reply]) => [name, replaced(reply)] as const),
    ['mixed up', swapped()] as const,
  ])('%s', async (_, turn) => {
    const { box, journal, send } = await clinicOf();
    const { run } = await spoolCare(
      journal,
      Array.from({ length: 8 }, (_, visit) => attention(visit)),
    );
    const client = clientOf(await between(box.url, turn), { token: box.token });
    for (let round = 0; round < 3; round++) await send(run, { client });
    const cuvs = new Map(box.controls.packages(CLINIC).map(({ noteNumber, cuv }) => [noteNumber, cuv]));
    expect([cuvs.size, box.controls.packages(CLINIC).length, arrived(box, 'generateRips')]).toEqual([
      8, 8, 8,
    ]);
    const told = await allOf(outcomes(journal, run));
    expect(told.filter(({ state }) => state !== 'accepted' && state !== 'unknown')).toEqual([]);
    expect(told.some(({ state }) => state === 'unknown')).toBe(true);
    for (const { state, number, documentCode } of told)
      if (state === 'accepted') expect(documentCode).toBe(cuvs.get(number!));
  });
});

describe('events', () => {
  test.each<readonly [string, Turn]>([
    ...FOREIGN.map(([name, reply]) => [name, replaced(reply)] as const),
    ['mixed up', swapped()],
    ['given twice', repeated()],
  ])('%s', async (_, turn) => {
    const box = await startSandbox();
    onTestFinished(() => box.close());
    const journal = await tempJournal();
    const documents = Array.from({ length: 8 }, (_, invoice) => ({
      event_id: 1,
      document_reference: { cufe: createHash('sha384').update(String(invoice)).digest('hex') },
    }));
    const { run } = await spool(journal, documents, { kind: EVENTS, documents: eventEnvelopes(documents) });
    const client = clientOf(await between(box.url, turn), { token: box.token });
    for (let round = 0; round < 3; round++) await send(journal, run, client, { kind: EVENTS });
    const told = (await allOf(outcomes(journal, run))).map(
      ({ state, documentCode }) => `${state} ${documentCode}`,
    );
    const held = documents.map(({ document_reference: { cufe } }) =>
      box.controls.events(cufe).map(({ cude }) => `accepted ${cude}`),
    );
    expect(held.map((events) => events.length)).toEqual(Array(8).fill(1));
    expect(told).toEqual(held.flat());
  });
});

async function* eventEnvelopes(documents: readonly JsonObject[]): AsyncIterable<readonly PlanInput[]> {
  yield documents.map((body, index) => ({
    sequence: index + 1,
    key: `${index}`,
    schema: 'events/event-by-cufe',
    body,
    trace: new Map(),
    hash: createHash('sha256').update(JSON.stringify(body)).digest('hex'),
  }));
}
