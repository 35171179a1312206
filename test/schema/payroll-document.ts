import { readFileSync } from 'node:fs';
import type { SchemaName } from '../../src/generated/schema-types.js';
import type { Issue } from '../../src/toolkit/core/issue.js';
import { type JsonObject, type JsonValue, parsePointer } from '../../src/toolkit/core/json.js';
import { deriveTotals } from '../../src/toolkit/schema/derived-totals.js';

/** Sound documents of October 2026, with numbers. */
export const GOLDEN = readFileSync('test/golden/payroll/nomina-octubre-2026.jsonl', 'utf8')
  .trim()
  .split('\n')
  .map((line) => JSON.parse(line) as JsonObject);

/** Values to put at pointers; `undefined` takes the leaf away. */
export type Edits = Readonly<Record<string, JsonValue | undefined>>;

function put(document: JsonObject, pointer: string, value: JsonValue | undefined): void {
  const keys = parsePointer(pointer);
  const last = keys.pop()!;
  let parent: JsonObject = document;
  for (const key of keys) {
    parent[key] ??= {};
    parent = parent[key] as JsonObject;
  }
  if (value === undefined) delete parent[last];
  else parent[last] = structuredClone(value);
}

/** A copy of a document with some values changed and its totals computed again. */
export function edited(
  document: JsonObject,
  edits: Edits,
  schema: SchemaName = 'payroll/payroll',
): JsonObject {
  const copy = structuredClone(document);
  for (const [pointer, value] of Object.entries(edits)) put(copy, pointer, value);
  deriveTotals(schema, copy);
  return copy;
}

/** A payroll as the note that replaces it. */
export function asReplacement(document: JsonObject): JsonObject {
  return {
    ...structuredClone(document),
    type_document_id: 10,
    type_note: 1,
    prefix: 'NA',
    predecessor: {
      predecessor_number: 1,
      predecessor_cune: 'a'.repeat(96),
      predecessor_issue_date: '2026-10-31',
    },
  };
}

/** The note that takes a payroll back. */
export function asDeletion(document: JsonObject): JsonObject {
  const { type_document_id, type_note, prefix, predecessor, consecutive, payroll_period_id, period } =
    asReplacement(document);
  return {
    type_document_id: type_document_id!,
    type_note: Number(type_note) + 1,
    prefix: prefix!,
    consecutive: consecutive!,
    payroll_period_id: payroll_period_id!,
    predecessor: predecessor!,
    period: period!,
  };
}

/** `[level, pointer]` of the issues of one code. */
export const saidOf = (code: string, issues: readonly Issue[]): [string, string | undefined][] =>
  issues.filter((issue) => issue.code === code).map(({ level, place }) => [level, place.pointer]);
