import type { Client } from '../../client/client.js';
import type { SchemaTypes } from '../../generated/schema-types.js';
import { type Reply, readReply } from '../reply.js';

/** Who logs in at the health system for the company: body of R1. A secret as a whole. */
export type HealthAccess = SchemaTypes['rips/configuration'];

/** Stores the access in the service, which answers with the password in clear: nothing of the answer is kept. */
export async function configureHealthAccess(
  client: Client,
  access: HealthAccess,
  signal?: AbortSignal,
): Promise<Reply<true>> {
  const answer = await client.call('configureRips', { body: access }, signal === undefined ? {} : { signal });
  const isDone = ({ success }: { success?: unknown }): true | undefined => success === true || undefined;
  return readReply(answer, isDone, 'send/health-access-refused');
}
