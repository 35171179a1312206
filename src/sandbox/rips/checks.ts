import { catalogue } from '../../catalogue/catalogue.js';
import type { JsonObject, JsonValue } from '../../values/json.js';
import type { Call } from '../answer.js';
import type { FieldFault } from '../refusals.js';
import { shapeFaults } from '../shape-faults.js';
import type { Row, Table } from './table.js';

/** What the validators of the health module ask. */

export const unknownChoice = (field: string): FieldFault => ({
  field,
  text: `The selected ${field} is invalid.`,
});

export const isBlank = (body: JsonObject, field: string): boolean =>
  body[field] === undefined || body[field] === null || body[field] === '';

/** Faults of shape but for members that the validator does not miss, though the service may. */
export const shapeFaultsBut = (call: Call, unseen: readonly string[]): readonly FieldFault[] =>
  shapeFaults(call).filter(({ field }) => !(unseen.includes(field) && isBlank(call.body, field)));

const hasId = (list: string, id: JsonValue | undefined): boolean =>
  catalogue(list)?.rows.some((row) => row['id'] === String(id)) ?? false;

/** Ids that are in no code list; `lists` names the list of each field. */
export const unknownIds = (
  body: JsonObject,
  lists: Readonly<Record<string, string>>,
): readonly FieldFault[] =>
  Object.entries(lists)
    .filter(([field, list]) => !isBlank(body, field) && !hasId(list, body[field]))
    .map(([field]) => unknownChoice(field));

/** Values that some row of the service has already, whosever it is; `self` is the row being changed. */
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

/** Whether any of the texts contains what is searched, whatever the case. */
export const mentions = (search: string, ...texts: readonly string[]): boolean =>
  texts.some((text) => text.toLowerCase().includes(search.toLowerCase()));
