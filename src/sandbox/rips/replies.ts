import type { JsonObject, JsonValue } from '../../values/json.js';
import { type Answer, type Call, ok } from '../answer.js';
import type { FieldFault } from '../refusals.js';

/** The envelope of the health module, which is the same in every line of the service (service.md 6). */

const PER_PAGE = 20;

const refused = (status: number, message: string, more: JsonObject = {}): Answer => ({
  status,
  body: { success: false, message, ...more },
  effect: 'refused',
});

export const found = (data: JsonValue): Answer =>
  ok({ success: true, data, message: 'Consulta exitosa' }, 'answered');

export const created = (data: JsonObject, message: string): Answer => ({
  status: 201,
  body: { success: true, data, message },
  effect: 'stored',
});

export const updated = (data: JsonValue, message: string): Answer =>
  ok({ success: true, data, message }, 'stored');

export function invalid(faults: readonly FieldFault[]): Answer {
  const errors: Record<string, string[]> = {};
  for (const { field, text } of faults) {
    errors[field] ??= [];
    errors[field].push(text);
  }
  return refused(422, 'Validation error', { errors });
}

export const missing = (message: string): Answer => refused(404, message);

export const crashed = (reason: string): Answer => refused(500, 'Ha ocurrido un error', { error: reason });

/** R19 for whatever the health system did not answer with a 2xx (service.md 6.7). */
export const notTransmitted = (message: string, effect: Answer['effect'] = 'refused'): Answer => ({
  status: 500,
  body: { success: false, error: { success: false, message }, message: 'Error al enviar el RIPS' },
  effect,
});

export const loginFailed = (): Answer => notTransmitted('LoginSISPRO: usuario o clave incorrectos');

/** One page of 20, the first unless the query names another. */
export function page(rows: readonly JsonObject[], query: Call['query']): JsonObject {
  const current = Math.max(1, Number.parseInt(String(query['page'] ?? '1'), 10) || 1);
  return {
    current_page: current,
    data: rows.slice((current - 1) * PER_PAGE, current * PER_PAGE),
    last_page: Math.max(1, Math.ceil(rows.length / PER_PAGE)),
    per_page: PER_PAGE,
    total: rows.length,
  };
}
