import type { SchemaName } from '../generated/schema-types.js';
import type { Level } from '../issues/issue.js';
import type { JsonObject } from '../values/json.js';
import type { Pointer } from '../values/pointer.js';
import { blamed } from './blamed.js';
import { type CompiledUnique, type RuleFormula, rulesFor } from './compile-rules.js';
import { evaluate, RuleContext } from './rule-context.js';

/** What a document, or an item of it, has that no other of the file may have. */
export interface BatchKey {
  readonly key: string;
  /** Leaf that is at fault where another had it before; worked out when asked for. */
  readonly pointer: Pointer;
}

class FoundKey implements BatchKey {
  constructor(
    readonly key: string,
    private readonly blame: string,
    private readonly path: readonly (string | number)[],
  ) {}

  get pointer(): Pointer {
    return blamed(this.blame, this.path);
  }
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
  return when !== undefined && evaluate(when, context) !== true ? undefined : textOf(of, context);
}

/** Every key of a document in order, those that it has twice among them. */
function allKeys(unique: CompiledUnique, context: RuleContext): readonly BatchKey[] {
  const { items, data } = unique;
  const found: BatchKey[] = [];
  const meet = (): void => {
    const key = keyIn(unique, context);
    if (key !== undefined) found.push(new FoundKey(key, data.blame, context.path.slice()));
  };
  if (items === undefined) meet();
  else
    items.walk(context.document, context.path, (item) => {
      context.item = item;
      meet();
    });
  return found;
}

function keysOf(unique: CompiledUnique, context: RuleContext): readonly BatchKey[] {
  const found = allKeys(unique, context);
  if (found.length < 2) return found;
  const keys = new Map<string, BatchKey>();
  for (const one of found) if (!keys.has(one.key)) keys.set(one.key, one);
  return [...keys.values()];
}

/** Whether a document has two of the items at all; most have not, and their keys need not be made. */
function hasTwo({ items }: CompiledUnique, { document, path }: RuleContext): boolean {
  let count = 0;
  items?.each(document, path, () => {
    count += 1;
  });
  return count > 1;
}

/** The leaves at fault of the items of one document that repeat an earlier one of it. */
export function repeatedItems(unique: CompiledUnique, context: RuleContext): readonly Pointer[] {
  if (!hasTwo(unique, context)) return NONE;
  const seen = new Set<string>();
  return allKeys(unique, context)
    .filter(({ key }) => seen.size === seen.add(key).size)
    .map(({ pointer }) => pointer);
}

const NONE: readonly Pointer[] = [];

/** A rule over the documents of a file: those of one key have one value. */
export interface SameRule {
  readonly code: string;
  readonly level: Level;
  readonly authority: readonly string[];
  /** What the key is made of: rules of one such may share what is remembered of it. */
  readonly by: string;
  /** Leaf that is at fault. */
  readonly pointer: Pointer;
  readonly keyOf: (document: JsonObject) => string | undefined;
  readonly valueOf: (document: JsonObject) => string | undefined;
}

/** Several values as one text; undefined when one is blank. */
function textOf(formulas: readonly RuleFormula[], context: RuleContext): string | undefined {
  let text: string | undefined;
  for (const formula of formulas) {
    const value = evaluate(formula, context);
    if (value === undefined) return undefined;
    text = text === undefined ? String(value) : `${text}|${value}`;
  }
  return text;
}

export function sameRules(schema: SchemaName): readonly SameRule[] {
  let context: RuleContext | undefined;
  const contextOf = (document: JsonObject): RuleContext => {
    if (context?.document !== document) context = new RuleContext(document);
    return context;
  };
  return rulesFor(schema).same.map(({ rule, data, of, has }) => ({
    code: rule.code,
    level: rule.level,
    authority: rule.authority ?? [],
    by: data.of.join('|'),
    pointer: data.blame,
    keyOf: (document) => textOf(of, contextOf(document)),
    valueOf: (document) => textOf(has, contextOf(document)),
  }));
}

/** The rules over a whole file of documents of a schema; the caller remembers the keys. */
export function batchRules(schema: SchemaName): readonly BatchRule[] {
  let context: RuleContext | undefined;
  /** What one rule worked out of a document serves the next. */
  const contextOf = (document: JsonObject): RuleContext => {
    if (context?.document !== document) context = new RuleContext(document);
    return context;
  };
  return rulesFor(schema)
    .unique.filter(({ data }) => data.within === undefined)
    .map((unique) => ({
      code: unique.rule.code,
      level: unique.rule.level,
      authority: unique.rule.authority ?? [],
      keysOf: (document) => keysOf(unique, contextOf(document)),
    }));
}
