import type { RuleCode } from '../../generated/issue-codes.js';
import type { SchemaName } from '../../generated/schema-types.js';
import type { Level } from '../core/issue.js';
import { type JsonObject, type JsonValue, type Pointer, parsePointer } from '../core/json.js';
import { type CompiledUnique, type RuleFormula, rulesFor } from './compiled-rules.js';
import type { PointerTree } from './pointer-tree.js';
import { blamed } from './rule-data.js';
import { evaluate, follow, RuleContext } from './rule-scope.js';

/** Text that no two documents, or items, of a file may share. */
export interface BatchKey {
  readonly key: string;
  /** Pointer of the blamed leaf if another has the key; computed on access. */
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

/** Rule over the documents of a file: no two may have the same key. */
export interface BatchRule {
  readonly code: RuleCode;
  readonly level: Level;
  readonly authority: readonly string[];
  /** Returns each key once; none if the rule does not apply, or a part of the key is missing. */
  readonly keysOf: (document: JsonObject) => readonly BatchKey[];
}

/** Returns the compared text of a document or of its current item. */
function keyIn({ when, of }: CompiledUnique, context: RuleContext): string | undefined {
  return when !== undefined && evaluate(when, context) !== true ? undefined : textOf(of, context);
}

export const NO_KEYS: readonly BatchKey[] = [];

/** Returns every key of a document in order, repeated ones included. */
function allKeys(unique: CompiledUnique, context: RuleContext): readonly BatchKey[] {
  const { items, data } = unique;
  if (items !== undefined && countOf(items, context) === 0) return NO_KEYS;
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
  for (const entry of found) if (!keys.has(entry.key)) keys.set(entry.key, entry);
  return [...keys.values()];
}

/** True if a document has two items; most have not, and then no keys are computed. */
const hasTwo = ({ items }: CompiledUnique, context: RuleContext): boolean =>
  items !== undefined && countOf(items, context) > 1;

function countOf(items: PointerTree<true>, { document, path }: RuleContext): number {
  counted = 0;
  items.each(document, path, countOne);
  return counted;
}

let counted = 0;

const countOne = (): void => {
  counted += 1;
};

/** Returns the blamed leaves of items that repeat an earlier item of the same document. */
export function repeatedItems(unique: CompiledUnique, context: RuleContext): readonly Pointer[] {
  if (!hasTwo(unique, context)) return NO_RULES;
  const seen = new Set<string>();
  return allKeys(unique, context)
    .filter(({ key }) => seen.size === seen.add(key).size)
    .map(({ pointer }) => pointer);
}

const NO_RULES: readonly Pointer[] = [];

/** Rule over the documents of a file: those of one key have one value. */
export interface SameRule {
  readonly code: RuleCode;
  readonly level: Level;
  readonly authority: readonly string[];
  /** Formulas of the key as one text; rules with the same may share a store of keys. */
  readonly by: string;
  /** Pointer of the blamed leaf. */
  readonly pointer: Pointer;
  readonly keyOf: (document: JsonObject) => string | undefined;
  readonly valueOf: (document: JsonObject) => string | undefined;
}

/** Joins several values to one text; undefined if one is blank. */
function textOf(formulas: readonly RuleFormula[], context: RuleContext): string | undefined {
  let text: string | undefined;
  for (const formula of formulas) {
    const value = evaluate(formula, context);
    if (value === undefined) return undefined;
    text = text === undefined ? String(value) : `${text}|${value}`;
  }
  return text;
}

/**
 * Caches the text of formulas while the leaves that they read stay the same: documents of one patient follow
 * each other.
 */
function rememberedText(formulas: readonly RuleFormula[]): (document: JsonObject) => string | undefined {
  const names = [...new Set(formulas.flatMap(({ references }) => references))];
  if (names.some((name) => !name.startsWith('/') || name.includes('*')))
    return (document) => textOf(formulas, new RuleContext(document));
  const leaves = names.map(parsePointer);
  const before: (JsonValue | undefined)[] = [];
  let last: JsonObject | undefined;
  let text: string | undefined;
  return (document) => {
    if (document === last) return text; // several rules have one key
    let isKnown = last !== undefined;
    last = document;
    let at = 0;
    for (const leaf of leaves) {
      const value = follow(document, leaf);
      if (value !== before[at]) isKnown = false;
      before[at++] = value;
    }
    if (!isKnown) text = textOf(formulas, new RuleContext(document));
    return text;
  };
}

export function sameRules(schema: SchemaName): readonly SameRule[] {
  const keys = new Map<string, SameRule['keyOf']>();
  return rulesFor(schema).same.map(({ rule, data, of, has }) => {
    const by = data.of.join('|');
    const keyOf = keys.get(by) ?? rememberedText(of);
    keys.set(by, keyOf);
    return {
      code: rule.code as RuleCode,
      level: rule.level,
      authority: rule.authority ?? [],
      by,
      pointer: data.blame,
      keyOf,
      valueOf: rememberedText(has),
    };
  });
}

/**
 * Returns the rules over all documents of a file; the caller stores the keys. With `within`, those over the
 * items of one document, for callers that read it in parts.
 */
export function batchRules(schema: SchemaName, within?: 'document'): readonly BatchRule[] {
  let context: RuleContext | undefined;
  /** Shares one context among the rules, and with it what they computed. */
  const contextOf = (document: JsonObject): RuleContext => {
    if (context?.document !== document) context = new RuleContext(document);
    return context;
  };
  return rulesFor(schema)
    .unique.filter(({ data }) => data.within === within)
    .map((unique) => ({
      code: unique.rule.code as RuleCode,
      level: unique.rule.level,
      authority: unique.rule.authority ?? [],
      keysOf: (document) => keysOf(unique, contextOf(document)),
    }));
}
