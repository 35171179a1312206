import type { Draft } from '../document/draft.js';
import type { Envelope } from '../document/envelope.js';
import { contentHash } from '../schema/content-hash.js';

/** A draft as it is spooled: with its trace, and the hash that tells the same content again. */
export const sealEnvelope = ({ sequence, key, name, schema, document, trace }: Draft): Envelope =>
  ({
    sequence,
    key,
    ...(name !== undefined && { name }),
    schema,
    document,
    trace,
    hash: contentHash(schema, document),
  }) as unknown as Envelope;
