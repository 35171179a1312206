import { createHash } from 'node:crypto';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { JsonObject } from '../values/json.js';

/** A body as it arrived: `{}` when it is no JSON object, as the service's framework reads it. */
export interface Received {
  readonly json: JsonObject;
  /** SHA-256 of the bytes. */
  readonly hash: string;
}

const sha256 = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex');
const NOTHING: Received = { json: {}, hash: sha256(Buffer.alloc(0)) };

function read(bytes: Buffer): Received {
  const hash = sha256(bytes);
  try {
    const json: unknown = JSON.parse(bytes.toString('utf8'));
    const isObject = typeof json === 'object' && json !== null && !Array.isArray(json);
    return { json: isObject ? (json as JsonObject) : {}, hash };
  } catch {
    return { json: {}, hash };
  }
}

/** Takes any body, of any type: what is wrong with it is for the validator to say. */
export function acceptBodies(app: FastifyInstance): void {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, bytes, done) => {
    done(null, read(bytes as Buffer));
  });
}

export const received = (request: FastifyRequest): Received =>
  (request.body as Received | undefined) ?? NOTHING;
