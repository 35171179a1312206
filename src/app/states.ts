import type { Client } from '../client/client.js';
import type { Inquiry, Subject } from '../families/family.js';
import { unreachable } from '../toolkit/core/required.js';
import type { DocumentSequence } from '../toolkit/documents/phases.js';
import type { Context } from './context.js';
import type { Job } from './job.js';
import { makeRequests } from './journal-access.js';
import type { ServiceOptions } from './options.js';
import { readJob } from './reading.js';
import { environmentOf } from './service.js';

/** States by subject ID; subjects without a response are absent. */
export interface States {
  readonly known: ReadonlyMap<string, unknown>;
  /** True if the service was unreachable or the user stopped. */
  readonly stopped: boolean;
}

interface StateQuestion {
  readonly client: Client;
  readonly url: URL;
  readonly inquiry: Inquiry;
  readonly subjects: readonly Subject[];
  /** Name of a query. @default the first one */
  readonly by?: string;
}

/** Queries the state of each subject, since others may have registered events. */
export async function askStates(
  context: Context,
  options: ServiceOptions,
  { client, url, inquiry, subjects: things, by }: StateQuestion,
): Promise<States> {
  const query = inquiry.queries[by ?? Object.keys(inquiry.queries)[0] ?? ''] ?? unreachable('query');
  const environment = environmentOf(context, url, undefined) === 'production' ? 'production' : 'test';
  const known = new Map<string, unknown>();
  const askable = things.flatMap((subject) => {
    const request = query.request(subject, environment);
    return request === undefined ? [] : [{ subject, request }];
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
    settle: async ({ subject }, reply) => {
      if (reply.kind === 'done') known.set(subject.id, reply.value);
    },
  });
  return { known, stopped: result.stopped !== undefined || result.interrupted };
}

/** Accepts documents in any order, so that all subjects are found. */
const ANY_ORDER: DocumentSequence = { next: () => ({ is: 'next', before: [], issues: [] }) };

/** Returns the distinct subjects of the good records. @param quiet true to emit no issues, as another reading does */
export async function subjectsIn(
  context: Context,
  job: Job,
  inquiry: Inquiry,
  quiet = true,
): Promise<readonly Subject[]> {
  const subjects = new Map<string, Subject>();
  const reading = readJob(context, job, { quiet, follow: ANY_ORDER });
  for await (const documents of reading.documents)
    for (const document of documents) {
      const subject = inquiry.about(document);
      if (!subjects.has(subject.id)) subjects.set(subject.id, subject);
    }
  return [...subjects.values()];
}
