import type { SchemaName } from '../generated/schema-types.js';
import type { Level } from '../issues/issue.js';
import type { JsonObject } from '../values/json.js';
import type { Pointer } from '../values/pointer.js';
import { blamed } from './blamed.js';
import { type CompiledUnique, rulesFor } from './compile-rules.js';
import { evaluate, RuleContext } from './rule-context.js';

/** What a document, or an item of it, has that no other of the file may have. */
export interface BatchKey {
  readonly key: string;
  /** Leaf that is at fault where another had it before. */
  readonly pointer: Pointer;
}

/** A rule over the documents of a file: no two of them may have the same key. */
export interface BatchRule {
  readonly code: string;
  readonly level: Level;
  readonly authority: readonly string[];
  /** Each key once; none when the document takes no part, or lacks a part of its key. */
  readonly keysOf: (document: JsonObject) => readonly BatchKey[];
}

/** What is compared, as one text, of the document or the item that is looked at. */
function keyIn({ when, of }: CompiledUnique, context: RuleContext): string | undefined {
  if (when !== undefined && evaluate(when, context) !== true) return undefined;
  const values = of.map((formula) => evaluate(formula, context));
  return values.includes(undefined) ? undefined : values.join('|');
}

/** Every key of a document in order, those that it has twice among them. */
function allKeys(unique: CompiledUnique, context: RuleContext): readonly BatchKey[] {
  const { items, data } = unique;
  const found: BatchKey[] = [];
  const meet = (): void => {
    const key = keyIn(unique, context);
    if (key !== undefined) found.push({ key, pointer: blamed(data.blame, context.path) });
  };
  if (items === undefined) meet();
  else
    items.walk(context.document, context.path, (item) => {
      context.item = item;
      meet();
    });
  return found;
}

function keysOf(unique: CompiledUnique, document: JsonObject): readonly BatchKey[] {
  const keys = new Map<string, BatchKey>();
  for (const found of allKeys(unique, new RuleContext(document)))
    if (!keys.has(found.key)) keys.set(found.key, found);
  return [...keys.values()];
}

/** The leaves at fault of the items of one document that repeat an earlier one of it. */
export function repeatedItems(unique: CompiledUnique, context: RuleContext): readonly Pointer[] {
  const keys = allKeys(unique, context);
  if (keys.length < 2) return [];
  const seen = new Set<string>();
  return keys.filter(({ key }) => seen.size === seen.add(key).size).map(({ pointer }) => pointer);
}

/** The rules over a whole file of documents of a schema; the caller remembers the keys. */
export const batchRules = (schema: SchemaName): readonly BatchRule[] =>
  rulesFor(schema)
    .unique.filter(({ data }) => data.within === undefined)
    .map((unique) => ({
      code: unique.rule.code,
      level: unique.rule.level,
      authority: unique.rule.authority ?? [],
      keysOf: (document) => keysOf(unique, document),
    }));
