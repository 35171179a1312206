import type { Client } from '../client/client.js';
import { openPace } from './pace.js';
import type { World } from './time.js';

/** What a client needs to keep the pace of the runs. */
export interface Counting {
  /** Path of the journal whose runs share the service. */
  readonly journal: string;
  readonly requestsPerMinute: number | undefined;
  readonly world: World;
}

/** A client for single requests outside of a run: they count like those of a run. */
export const countedClient = (client: Client, { journal, requestsPerMinute, world }: Counting): Client => ({
  ...client,
  async call(id, request, options) {
    const pace = openPace(journal, requestsPerMinute, world);
    try {
      await pace.take(options?.signal);
      return await client.call(id, request, options);
    } finally {
      pace.end();
      pace.close();
    }
  },
});
