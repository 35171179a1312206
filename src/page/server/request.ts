import type { FastifyRequest } from 'fastify';
import type { Language } from '../../toolkit/core/issue.js';

/** Returns the language that the page shows. */
export const languageOf = (request: FastifyRequest): Language =>
  request.headers['x-language'] === 'en' ? 'en' : 'es';

export type Params = {
  Params: Readonly<Record<string, string>>;
  Querystring: Readonly<Record<string, string>>;
};
