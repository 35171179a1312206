import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { expect, onTestFinished, test } from 'vitest';
import { EVENTS } from '../../src/families/events/delivery.js';
import { startSandbox } from '../../src/sandbox/server.js';
import { outcomes, storedAnswers } from '../../src/send/documents.js';
import { sendRun } from '../../src/send/send.js';
import type { JsonObject } from '../../src/toolkit/core/json.js';
import { layIn } from '../chaos/kind-scene.js';
import { allOf } from '../support/all-of.js';
import { clientOf, fastWorld, tempJournal } from './support.js';

const CUFE = 'a'.repeat(96);
const FOREIGN = 'f'.repeat(96);

interface Line {
  /** Changes the answer to the send. @default as it is */
  readonly sent?: (body: JsonObject) => JsonObject;
  /** Changes each answer of DIAN's list, from the first. @default as it is */
  readonly listed?: readonly ((body: JsonObject) => JsonObject | undefined)[];
  /** True if the first send never arrives. @default false */
  readonly isHeldBack?: boolean;
}

const none = (): JsonObject => ({
  success: false,
  ResponseDian: {
    Envelope: { Body: { GetStatusEventResponse: { GetStatusEventResult: { StatusCode: '67' } } } },
  },
});
const crash = (): undefined => undefined;
const asIs = (body: JsonObject): JsonObject => body;

/** Sends one receipt through a line that changes answers; what was asked for, and how it ended. */
async function receipt({ sent = asIs, listed = [], isHeldBack = false }: Line) {
  const world = fastWorld();
  const box = await startSandbox({ now: () => new Date(world.clock()) });
  onTestFinished(() => box.close());
  const asked: string[] = [];
  const server = createServer(async (request, response) => {
    const body = await text(request);
    const path = request.url!;
    const isSend = path.includes('send-event');
    const isLost = isSend && isHeldBack && !asked.includes('send');
    const isAsk = path.includes('events-document');
    if (isSend || isAsk) asked.push(isSend ? 'send' : 'list');
    const { host: _host, connection: _connection, 'content-length': _length, ...headers } = request.headers;
    const target = isLost ? path.replace('send-event-data', 'none') : path;
    const answer = await fetch(box.url + target, {
      method: request.method!,
      headers: headers as Record<string, string>,
      ...(body !== '' && { body }),
    });
    const own = (await answer.json()) as JsonObject;
    const change = isSend ? sent : isAsk ? listed[asked.filter((one) => one === 'list').length - 1] : asIs;
    const said = (change ?? asIs)(own);
    const status = said === undefined ? 500 : isLost ? 200 : answer.status;
    response
      .writeHead(status, { 'content-type': 'application/json' })
      .end(JSON.stringify(said ?? { message: 'Server Error' }));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  const journal = await tempJournal();
  const { run } = await layIn(
    journal,
    'events',
    [
      {
        schema: 'events/event-by-cufe',
        trace: new Map(),
        hash: '',
        sequence: 1,
        key: '1',
        body: { event_id: 1, document_reference: { cufe: CUFE } },
      },
    ],
    '900123456',
  );
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const send = () =>
    sendRun({ journal, run, client: clientOf(url, { token: box.token }), kind: EVENTS, world });
  await send();
  const end = async () => {
    const [{ state, documentCode, issues }] = (await allOf(outcomes(journal, run))) as never as [
      { state: string; documentCode?: string; issues: readonly { code: string }[] },
    ];
    const registered = box.controls.events(CUFE);
    const whose =
      documentCode === undefined ? 'none' : documentCode === registered[0]?.cude ? 'own' : 'foreign';
    return [state, whose, registered.length, ...issues.map(({ code }) => code)];
  };
  const [kept] = await allOf(storedAnswers(journal, run));
  return { send, end, asked, kept: kept?.answer ?? {} };
}

/** An acceptance as the service tells it of another event. */
const ofAnother = (): JsonObject => ({
  success: true,
  message: 'Evento enviado',
  cude: FOREIGN,
  consecutive: 'X1',
  ResponseDian: {
    Envelope: {
      Body: {
        SendEventUpdateStatusResponse: {
          SendEventUpdateStatusResult: { IsValid: 'true', StatusCode: '00' },
        },
      },
    },
  },
});
const FOUND = 'events/found-registered';

test.each<[name: string, line: Line, asked: string, end: readonly unknown[], consecutive: boolean]>([
  ['the service’s own answer', {}, 'send list', ['accepted', 'own', 1], true],
  ['of another event, with its code', { sent: ofAnother }, 'send list', ['accepted', 'own', 1, FOUND], false],
  [
    'of another event, without code',
    { sent: () => ({ ...ofAnother(), cude: null }) },
    'send list',
    ['accepted', 'own', 1, FOUND],
    false,
  ],
  [
    'of another event, and ours never arrived: it is asked twice, then sent again',
    { sent: ofAnother, isHeldBack: true },
    'send list list send list',
    ['accepted', 'own', 1, FOUND],
    false,
  ],
  ['the list is late', { listed: [none] }, 'send list list', ['accepted', 'own', 1, FOUND], false],
  ['the list fails once', { listed: [crash] }, 'send list list', ['accepted', 'own', 1, FOUND], false],
])('an acceptance %s', async (_name, line, asked, expected, hasConsecutive) => {
  const found = await receipt(line);
  expect([found.asked.join(' '), await found.end()]).toEqual([asked, expected]);
  expect('consecutive' in found.kept).toBe(hasConsecutive);
});

test('while the list fails it stays unknown, and is only asked about in the next run', async () => {
  const { send, end, asked } = await receipt({ listed: Array(20).fill(crash) });
  expect(await end()).toEqual(['unknown', 'none', 1, 'events/not-listed']);
  expect(asked.filter((one) => one === 'send')).toHaveLength(1);
  asked.splice(0, asked.length, ...Array(20).fill('list'));
  await send();
  expect([await end(), asked.slice(20)]).toEqual([['accepted', 'own', 1, FOUND], ['list']]);
});
