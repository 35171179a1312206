import type { JsonObject, JsonValue } from '../../values/json.js';

/** The columns that a table keeps of a request. */
export interface Columns {
  /** Ids: kept as numbers. */
  readonly ids: readonly string[];
  /** The rest: kept as text. */
  readonly texts: readonly string[];
}

const isGiven = (value: JsonValue | undefined): value is JsonValue => value !== undefined && value !== null;

/** Members that the request has, in the types of the table; null stays null. */
export function givenColumns(body: JsonObject, { ids, texts }: Columns): JsonObject {
  const row: JsonObject = {};
  const keep = (name: string, as: (value: JsonValue) => JsonValue): void => {
    const value = body[name];
    if (value !== undefined) row[name] = isGiven(value) ? as(value) : null;
  };
  for (const name of ids) keep(name, Number);
  for (const name of texts) keep(name, String);
  return row;
}

/** The same with every column: null where the request has nothing. */
export const allColumns = (body: JsonObject, columns: Columns): JsonObject => ({
  ...Object.fromEntries([...columns.ids, ...columns.texts].map((name) => [name, null])),
  ...givenColumns(body, columns),
});
