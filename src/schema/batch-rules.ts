import type { SchemaName } from '../generated/schema-types.js';
import type { Level } from '../issues/issue.js';
import type { JsonObject } from '../values/json.js';
import type { Pointer } from '../values/pointer.js';
import { type CompiledUnique, rulesFor } from './compile-rules.js';
import { evaluate, RuleContext } from './rule-context.js';

/** A rule over the documents of a file: no two of them may have the same key. */
export interface BatchRule {
  readonly code: string;
  readonly level: Level;
  readonly authority: readonly string[];
  /** Leaf of the later document that is at fault. */
  readonly blame: Pointer;
  /** What is compared, or undefined when the document takes no part or lacks a part of its key. */
  readonly keyOf: (document: JsonObject) => string | undefined;
}

function keyOf({ when, of }: CompiledUnique, document: JsonObject): string | undefined {
  const context = new RuleContext(document);
  if (when !== undefined && evaluate(when, context) !== true) return undefined;
  const values = of.map((formula) => evaluate(formula, context));
  return values.includes(undefined) ? undefined : values.join('|');
}

/** The rules over a whole file of documents of a schema; the caller remembers the keys. */
export const batchRules = (schema: SchemaName): readonly BatchRule[] =>
  rulesFor(schema).unique.map((unique) => ({
    code: unique.rule.code,
    level: unique.rule.level,
    authority: unique.rule.authority ?? [],
    blame: unique.data.blame,
    keyOf: (document) => keyOf(unique, document),
  }));
