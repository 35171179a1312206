import type { Client } from '../../client/client.js';
import {
  type AskedInvoice,
  EVENT_QUERIES,
  type EventQuery,
  type InvoiceEvent,
  type QueryName,
} from '../../send/events/event-queries.js';
import type { Context } from '../context.js';
import { environmentOf } from '../environment.js';
import type { Options } from '../options.js';
import { watchErrands } from '../watch-errands.js';

/** What was told, by CUFE; an invoice that no answer came for is not there. */
export interface InvoiceStates {
  readonly known: ReadonlyMap<string, readonly InvoiceEvent[]>;
  /** Whether the service could not be reached, or a person stopped it. */
  readonly stopped: boolean;
}

export interface StateQuestion {
  readonly client: Client;
  readonly url: URL;
  readonly invoices: readonly AskedInvoice[];
  /** @default the list of DIAN, E3 */
  readonly by?: QueryName;
}

/** Asks what is registered of each invoice: other people may have acted (events.md 3). */
export async function askStates(
  context: Context,
  options: Options,
  { client, url, invoices, by = 'dian' }: StateQuestion,
): Promise<InvoiceStates> {
  const query: EventQuery = EVENT_QUERIES[by];
  const environment = environmentOf(context, url, undefined) === 'production' ? 'production' : 'test';
  const known = new Map<string, readonly InvoiceEvent[]>();
  const askable = invoices.flatMap((invoice) => {
    const request = query.request(invoice, environment);
    return request === undefined ? [] : [{ invoice, request }];
  });
  const result = await watchErrands<(typeof askable)[number], readonly InvoiceEvent[]>(context, options, {
    url,
    what: 'askingEvents',
    total: askable.length,
    items: askable,
    repeat: true,
    ask:
      (signal) =>
      async ({ request }) =>
        query.read(await client.call(query.operation, request, { signal })),
    settle: async ({ invoice }, reply) => {
      if (reply.kind === 'done') known.set(invoice.cufe, reply.value);
    },
  });
  return { known, stopped: result.stopped !== undefined || result.interrupted };
}
