import type { RuleCode } from '../../generated/issue-codes.js';
import type { SchemaName } from '../../generated/schema-types.js';
import type { Level } from '../core/issue.js';
import { type JsonObject, type JsonValue, type Pointer, parsePointer } from '../core/json.js';
import { type CompiledUnique, type RuleFormula, rulesFor } from './compiled-rules.js';
import type { PointerTree } from './pointer-tree.js';
import { blamed } from './rule-data.js';
import { evaluate, follow, RuleContext } from './rule-scope.js';

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
  readonly code: RuleCode;
  readonly level: Level;
  readonly authority: readonly string[];
  /** Each key once; none when the document takes no part, or lacks a part of its key. */
  readonly keysOf: (document: JsonObject) => readonly BatchKey[];
}

/** What is compared, as one text, of the document or the item that is looked at. */
function keyIn({ when, of }: CompiledUnique, context: RuleContext): string | undefined {
  return when !== undefined && evaluate(when, context) !== true ? undefined : textOf(of, context);
}

export const NO_KEYS: readonly BatchKey[] = [];

/** Every key of a document in order, those that it has twice among them. */
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
  for (const one of found) if (!keys.has(one.key)) keys.set(one.key, one);
  return [...keys.values()];
}

/** Whether a document has two of the items at all; most have not, and their keys need not be made. */
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

/** The leaves at fault of the items of one document that repeat an earlier one of it. */
export function repeatedItems(unique: CompiledUnique, context: RuleContext): readonly Pointer[] {
  if (!hasTwo(unique, context)) return NO_RULES;
  const seen = new Set<string>();
  return allKeys(unique, context)
    .filter(({ key }) => seen.size === seen.add(key).size)
    .map(({ pointer }) => pointer);
}

const NO_RULES: readonly Pointer[] = [];

/** A rule over the documents of a file: those of one key have one value. */
export interface SameRule {
  readonly code: RuleCode;
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

/**
 * The text of formulas over a few leaves of a document, which is worked out again where one of them says something else than in the
 * document before: those of one patient follow each other.
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
    for (let at = 0; at < leaves.length; at++) {
      const value = follow(document, leaves[at]!);
      if (value === before[at]) continue;
      before[at] = value;
      isKnown = false;
    }
    if (!isKnown) text = textOf(formulas, new RuleContext(document));
    return text;
  };
}

export function sameRules(schema: SchemaName): readonly SameRule[] {
  /** Rules of one key share it. */
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
 * The rules over a whole file of documents of a schema; the caller remembers the keys. `within`: those over the items of one document
 * instead, for who reads it part by part.
 */
export function batchRules(schema: SchemaName, within?: 'document'): readonly BatchRule[] {
  let context: RuleContext | undefined;
  /** What one rule worked out of a document serves the next. */
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
