import type { JsonObject, JsonValue } from '../../toolkit/core/json.js';
import { catalogue } from '../../toolkit/schema/catalogue.js';
import { type Answer, type Call, type FieldFault, ok, shapeFaults } from '../answer.js';
import type { Row, Table } from './records.js';

/** Violation of a rule reported by the health system. */
export interface Finding {
  /** `RVC061` */
  readonly rule: string;
  /** `usuarios[0].servicios.consultas[0].valorPagoModerador` */
  readonly path: string;
  /** Value at the path. */
  readonly value: string | undefined;
  readonly rejects: boolean;
}

/** Formats a finding, in PascalCase; the path of a refusal starts one level higher (service.md 13.10). */
export const shownFinding = ({ rule, rejects, path, value }: Finding, refused: boolean): JsonObject => ({
  Clase: rejects ? 'RECHAZADO' : 'NOTIFICACION',
  Codigo: rule,
  Descripcion:
    catalogue('rips_validation_rules')?.rows.find(({ code }) => code === rule)?.['name'] ??
    'El documento no cumple la regla',
  Observaciones: value ?? '',
  PathFuente: refused ? `rips.${path}` : path,
  Fuente: 'Rips',
});

export const unknownChoice = (field: string): FieldFault => ({
  field,
  text: `The selected ${field} is invalid.`,
});

export const isBlank = (body: JsonObject, field: string): boolean =>
  body[field] === undefined || body[field] === null || body[field] === '';

/** Returns shape errors except for members that the validator does not require. */
export const shapeFaultsBut = (call: Call, unseen: readonly string[]): readonly FieldFault[] =>
  shapeFaults(call).filter(({ field }) => !(unseen.includes(field) && isBlank(call.body, field)));

const hasId = (list: string, id: JsonValue | undefined): boolean =>
  catalogue(list)?.rows.some((row) => row['id'] === String(id)) ?? false;

/** Returns errors of ids that are in no code list; `lists` has the list of each field. */
export const unknownIds = (
  body: JsonObject,
  lists: Readonly<Record<string, string>>,
): readonly FieldFault[] =>
  Object.entries(lists)
    .filter(([field, list]) => !isBlank(body, field) && !hasId(list, body[field]))
    .map(([field]) => unknownChoice(field));

/** Returns errors of values that another row of the service has, of any company; `self` is the row being changed. */
export const takenValues = <T extends Row>(
  table: Table<T>,
  body: JsonObject,
  columns: readonly (keyof T & string)[],
  self?: T,
): readonly FieldFault[] =>
  columns
    .filter((column) => {
      const holder = isBlank(body, column) ? undefined : table.holder(column, String(body[column]));
      return holder !== undefined && holder.id !== self?.id;
    })
    .map((field) => ({ field, text: `The ${field} has already been taken.` }));

/** True if a text contains the search text, ignoring case. */
export const mentions = (search: string, ...texts: readonly string[]): boolean =>
  texts.some((text) => text.toLowerCase().includes(search.toLowerCase()));

/** Envelope of the health module, the same in every version of the service (service.md 6). */

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

/** Returns R19's response to any failure of the health system (service.md 6.7). */
export const notTransmitted = (message: string, effect: Answer['effect'] = 'refused'): Answer => ({
  status: 500,
  body: { success: false, error: { success: false, message }, message: 'Error al enviar el RIPS' },
  effect,
});

export const loginFailed = (): Answer => notTransmitted('LoginSISPRO: usuario o clave incorrectos');

/** Returns a page of 20 rows, by default the first. */
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
