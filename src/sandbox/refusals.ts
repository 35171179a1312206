import type { Answer } from './answer.js';
import type { ErrorStyle } from './options.js';

/** A field of the request that the service's validator refuses; nested fields are joined by dots. */
export interface FieldFault {
  readonly field: string;
  readonly text: string;
}

/** The error answers of one line of the service (service.md 8, 13.11). */
export interface Refusals {
  invalid(faults: readonly FieldFault[]): Answer;
  unauthenticated(): Answer;
  unknownRoute(path: string): Answer;
  /** `retryAfter` in seconds. */
  throttled(retryAfter: number): Answer;
  crash(reason: string, kind?: 'date'): Answer;
}

const refusal = (status: number, body: Answer['body'], headers: Answer['headers'] = {}): Answer => ({
  status,
  headers,
  body,
  effect: 'refused',
});

const STOCK: Refusals = {
  invalid: (faults) => {
    const errors: Record<string, string[]> = {};
    for (const { field, text } of faults) {
      errors[field] ??= [];
      errors[field].push(text);
    }
    return refusal(422, { message: 'The given data was invalid.', errors });
  },
  unauthenticated: () => refusal(401, { message: 'Unauthenticated.' }),
  unknownRoute: (path) => refusal(404, { message: `The route ${path} could not be found.` }),
  throttled: (retryAfter) =>
    refusal(
      429,
      { message: 'Too Many Attempts.' },
      { 'retry-after': String(retryAfter), 'x-ratelimit-limit': '60', 'x-ratelimit-remaining': '0' },
    ),
  crash: () => refusal(500, { message: 'Server Error' }),
};

const explained = (status: number, error: string): Answer =>
  refusal(status, { success: false, message: 'Ha ocurrido un error', error: error.slice(0, 1000) });

const LINE_2026: Refusals = {
  invalid: (faults) => explained(500, faults[0]?.text ?? ''),
  unauthenticated: () => explained(500, 'Unauthenticated.'),
  unknownRoute: (path) => explained(404, `The route ${path} could not be found.`),
  throttled: () => explained(429, 'Too Many Attempts.'),
  crash: (reason, kind) => explained(kind === 'date' ? 400 : 500, reason),
};

export const refusalsOf = (style: ErrorStyle): Refusals => (style === 'stock' ? STOCK : LINE_2026);
