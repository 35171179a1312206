import type { Client } from '../client/client.js';
import type { Inquiry, Thing } from '../families/family.js';
import type { Follow } from '../toolkit/documents/phases.js';
import type { Context } from './context.js';
import type { Job } from './job.js';
import { makeRequests } from './journal-access.js';
import type { ServiceOptions } from './options.js';
import { readJob } from './reading.js';
import { environmentOf } from './service.js';

/** What was told, by the id of the thing; one that no answer came for is not there. */
export interface States {
  readonly known: ReadonlyMap<string, unknown>;
  /** Whether the service could not be reached, or a person stopped it. */
  readonly stopped: boolean;
}

interface StateQuestion {
  readonly client: Client;
  readonly url: URL;
  readonly inquiry: Inquiry;
  readonly things: readonly Thing[];
  /** Name of a query. @default the first one */
  readonly by?: string;
}

/** Asks how each thing stands: other people may have acted. */
export async function askStates(
  context: Context,
  options: ServiceOptions,
  { client, url, inquiry, things, by = Object.keys(inquiry.queries)[0]! }: StateQuestion,
): Promise<States> {
  const query = inquiry.queries[by]!;
  const environment = environmentOf(context, url, undefined) === 'production' ? 'production' : 'test';
  const known = new Map<string, unknown>();
  const askable = things.flatMap((thing) => {
    const request = query.request(thing, environment);
    return request === undefined ? [] : [{ thing, request }];
  });
  const result = await makeRequests<(typeof askable)[number], unknown>(context, options, {
    url,
    what: inquiry.phrase,
    total: askable.length,
    items: askable,
    repeat: true,
    ask:
      (signal) =>
      async ({ request }) =>
        query.read(await client.call(query.operation, request, { signal })),
    settle: async ({ thing }, reply) => {
      if (reply.kind === 'done') known.set(thing.id, reply.value);
    },
  });
  return { known, stopped: result.stopped !== undefined || result.interrupted };
}

/** Whatever the order, every thing is asked about. */
const ANY_ORDER: Follow = { next: () => ({ is: 'next', before: [], issues: [] }) };

/**
 * The things that sound records of the files name, each once.
 * @param quiet whether what is wrong with the records is left unsaid, as it is said elsewhere
 */
export async function thingsIn(
  context: Context,
  job: Job,
  inquiry: Inquiry,
  quiet = true,
): Promise<readonly Thing[]> {
  const things = new Map<string, Thing>();
  const reading = readJob(context, job, { quiet, follow: ANY_ORDER });
  for await (const documents of reading.documents)
    for (const document of documents) {
      const thing = inquiry.about(document);
      if (!things.has(thing.id)) things.set(thing.id, thing);
    }
  return [...things.values()];
}
