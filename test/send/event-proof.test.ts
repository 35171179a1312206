import { expect, onTestFinished, test } from 'vitest';
import type { Client } from '../../src/client/client.js';
import { EVENTS } from '../../src/families/events/delivery.js';
import { startSandbox } from '../../src/sandbox/server.js';
import { outcomes } from '../../src/send/documents.js';
import { sendRun } from '../../src/send/send.js';
import type { JsonObject } from '../../src/toolkit/core/json.js';
import { layIn } from '../chaos/kind-scene.js';
import { allOf } from '../support/all-of.js';
import { clientOf, fastWorld, PIN, tempJournal } from './support.js';

const FOREIGN = 'f'.repeat(96);
const cufeOf = (invoice: number): string => String(invoice).repeat(96).slice(0, 96);
const EVENT = { schema: 'events/event-by-cufe', trace: new Map(), hash: '' } as const;

/** Receipts of three invoices, one after the other. `tamper` changes what is answered about the last one. */
async function receipts(pin: string | undefined, tamper: (body: JsonObject, asks: boolean) => JsonObject) {
  const world = fastWorld();
  const box = await startSandbox({ now: () => new Date(world.clock()) });
  onTestFinished(() => box.close());
  const journal = await tempJournal();
  const documents = [1, 2, 3].map((invoice) => ({
    ...EVENT,
    sequence: invoice,
    key: `${invoice}`,
    body: { event_id: 1, document_reference: { cufe: cufeOf(invoice) } },
  }));
  const { run } = await layIn(journal, 'events', documents, '900123456');
  const client = clientOf(box.url, { token: box.token });
  const asked: string[] = [];
  const call: Client['call'] = async (id, request, options) => {
    const answer = await client.call(id, request, options);
    const isLast = JSON.stringify(request).includes(cufeOf(3));
    if (isLast) asked.push(String(id));
    if (!isLast || answer.kind !== 'json') return answer;
    return { ...answer, body: tamper(answer.body as JsonObject, id === 'getInvoiceEvents') };
  };
  const { pinIssue } = await sendRun({
    journal,
    run,
    client: { ...client, call },
    kind: EVENTS,
    world,
    policy: { concurrency: 1 },
    ...(pin !== undefined && { softwarePin: pin }),
  });
  const last = (await allOf(outcomes(journal, run))).at(-1)!;
  const [listed] = box.controls.events(cufeOf(3));
  const code =
    last.documentCode === listed?.cude ? 'own' : last.documentCode === FOREIGN ? 'foreign' : undefined;
  return [last.state, code, asked.join(' '), pinIssue?.code];
}

const bare = ({ success, message, ResponseDian }: JsonObject): JsonObject => ({
  success: success!,
  message: message!,
  ResponseDian: ResponseDian!,
  cude: FOREIGN,
});
function without(body: JsonObject, key: string): JsonObject {
  const { [key]: _, ...rest } = body;
  return rest;
}
const ASKED = 'sendEventData getInvoiceEvents';

test.each<[string, string | undefined, Parameters<typeof receipts>[1], unknown[]]>([
  ['what was not touched is ours', PIN, (body) => body, ['accepted', 'own', ASKED, undefined]],
  [
    'a foreign code with the parts of our invoice: the list is asked',
    PIN,
    (body, asks) => (asks ? body : { ...body, cude: FOREIGN }),
    ['accepted', 'own', ASKED, undefined],
  ],
  [
    'a foreign code that shows nothing: the list is asked',
    PIN,
    (body, asks) => (asks ? body : bare(body)),
    ['accepted', 'own', ASKED, undefined],
  ],
  [
    'a foreign code in a list that does not say of which invoice it is: never ours',
    PIN,
    (body, asks) => {
      if (!asks) return bare(body);
      const { events, ...rest } = without(body, 'cufecude') as { events: JsonObject[] };
      return { ...rest, events: events.map((event) => ({ ...event, cude: FOREIGN })) } as JsonObject;
    },
    ['unknown', undefined, `${ASKED}${' getInvoiceEvents'.repeat(4)}`, undefined],
  ],
  [
    'a foreign code in the answer, without PIN: the list is asked',
    undefined,
    (body, asks) => (asks ? body : bare(body)),
    ['accepted', 'own', ASKED, undefined],
  ],
  [
    'a wrong PIN is found out where it is needed',
    '54321',
    (body) => without(body, 'cufecude'),
    ['accepted', 'own', ASKED, 'send/pin-unusable'],
  ],
])('%s', async (_, pin, tamper, expected) => expect(await receipts(pin, tamper)).toEqual(expected));
