import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { EVENT_CODES, type EventCode, type EventId } from '../../../src/families/events/sequence.js';
import type { SandboxOptions } from '../../../src/sandbox/options.js';
import type { Sandbox } from '../../../src/sandbox/server.js';
import type { JsonObject } from '../../../src/toolkit/core/json.js';
import { type Reply, request, result, sandbox, verdict } from '../client.js';

/** Eleven in the morning in Bogotá, the day after the invoice of service.md 13.9. */
export const MORNING = new Date('2026-03-11T15:00:00Z');

export const BUYER = '900123456';
export const SELLER = '860012345';

export const ANA = {
  identification_number: '1020304050',
  first_name: 'Ana',
  last_name: 'Pérez',
  organization_department: 'Compras',
  job_title: 'Auxiliar',
};

/** A CUFE that is always the same for the same text. */
export const cufeOf = (text: string): string => createHash('sha384').update(text).digest('hex');

export const idOf = (code: EventCode): EventId =>
  ([1, 2, 3, 4, 5, 6, 7] as const).find((id) => EVENT_CODES[id] === code)!;

const eventBody = (code: EventCode): JsonObject => ({
  event_id: idOf(code),
  ...(code === '031' && { type_rejection_id: 1 }),
});

/** Option B. */
export const byCufe = (code: EventCode, cufe: string, more: JsonObject = {}): JsonObject => ({
  ...eventBody(code),
  document_reference: { cufe },
  ...more,
});

/** Option A. */
export const byFile = (code: EventCode, xml: string | Buffer, more: JsonObject = {}): JsonObject => ({
  ...eventBody(code),
  base64_attacheddocument: Buffer.from(xml).toString('base64'),
  base64_attacheddocument_name: 'ad08600123450002600002301.xml',
  ...more,
});

type Box = Pick<Sandbox, 'url' | 'token'>;

export const PATHS = { E1: '/api/ubl2.1/send-event', E2: '/api/ubl2.1/send-event-data' } as const;

/** E1 or E2, by what the body carries. */
export const sendEvent = (box: Box, body: JsonObject): Promise<Reply> =>
  request(box, 'POST', PATHS['base64_attacheddocument' in body ? 'E1' : 'E2'], body);

/** What came of a send: `accepted`, the rules that rejected it, or the service's own no. */
export function outcome(reply: Reply): string {
  if (reply.at('/ResponseDian') !== undefined) return verdict(reply);
  return reply.at('/success') === false ? String(reply.at('/message')) : `${reply.status}`;
}

export const IN_BOOK = 'Evento registrado previamente';

/** Sends one after another; the outcomes. */
export async function sendAll(box: Box, cufe: string, ...codes: EventCode[]): Promise<string[]> {
  const outcomes: string[] = [];
  for (const code of codes) outcomes.push(outcome(await sendEvent(box, byCufe(code, cufe))));
  return outcomes;
}

/** E3. */
export const askEvents = (box: Box, cufe: string): Promise<Reply> =>
  request(box, 'POST', `/api/ubl2.1/status/events-document/${cufe}`, {});

/** Codes that E3 lists; `67` when it lists none. */
export async function eventsAtDian(box: Box, cufe: string): Promise<string> {
  const reply = await askEvents(box, cufe);
  const events = (reply.at('/events') ?? []) as { dian_code: string }[];
  return events.length === 0
    ? String(result(reply)['StatusCode'])
    : events.map(({ dian_code }) => dian_code).join(' ');
}

export const morning = (more: SandboxOptions = {}): Promise<Sandbox> =>
  sandbox({ now: () => MORNING, ...more });

export const as = ({ url, tokens }: Sandbox, nit: string): Box => ({ url, token: tokens[nit]! });

const FOLDER = new URL('adjuntos/', import.meta.url);

/** The sample files by name. */
export const FILES: Readonly<Record<string, Buffer>> = Object.fromEntries(
  readdirSync(FOLDER).map((name) => [name, readFileSync(new URL(name, FOLDER))]),
);
