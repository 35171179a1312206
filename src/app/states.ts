import type { Client } from '../client/client.js';
import type { JsonObject } from '../core/json.js';
import type { Follow } from '../documents/prepare.js';
import {
  type AskedInvoice,
  EVENT_QUERIES,
  type EventQuery,
  type InvoiceEvent,
  type QueryName,
} from '../families/events/answer.js';
import { eventOf } from '../families/events/family.js';
import type { Context } from './context.js';
import type { Job } from './job.js';
import type { Options } from './options.js';
import { readJob } from './reading.js';
import { watchErrands } from './requests.js';
import { environmentOf } from './service.js';

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

/** An invoice of the files, as people call it. */
export interface NamedInvoice extends AskedInvoice {
  readonly name: string;
}

/** Whatever the order, every invoice is asked about. */
const ANY_ORDER: Follow = () => ({ is: 'next', before: [], issues: [] });

/**
 * The invoices that sound records of the files name, each once.
 * @param quiet whether what is wrong with the records is left unsaid, as it is said elsewhere
 */
export async function invoicesIn(
  context: Context,
  job: Job,
  options: Options,
  quiet = true,
): Promise<readonly NamedInvoice[]> {
  const invoices = new Map<string, NamedInvoice>();
  const reading = readJob(context, job, options, { quiet, follow: ANY_ORDER });
  for await (const drafts of reading.drafts)
    for (const { document, key, name } of drafts) {
      const { cufe } = eventOf(document as unknown as JsonObject);
      // A list shows the number beside its key; a file has it for its key.
      const number = 'base64_attacheddocument' in document ? key : (name ?? key);
      if (!invoices.has(cufe)) invoices.set(cufe, { cufe, number, name: name ?? key });
    }
  return [...invoices.values()];
}
