import { absolute, compare, subtract } from '../core/decimal.js';
import type { Issue, Level } from '../core/issue.js';
import { parsePointer } from '../core/json.js';
import { suggest } from '../core/text.js';
import type { FormulaType } from '../formula/functions.js';
import type { BatchCheck, Check } from '../generated/mapping-types.js';
import type { SchemaName } from '../generated/schema-types.js';
import { resolveNode } from '../schema/registry.js';
import { columnOf, paramOf, recordsOf, type Scope, standAt, tableOf } from './context.js';
import { type CompiledColumn, type Context, placesOf, type Source } from './record.js';
import { formulaSource } from './source.js';
import type { YamlPath } from './yaml-source.js';

/** What a mapping demands of the records of one document. */
export type DocumentCheck = (context: Context) => readonly Issue[];

const NONE: readonly Issue[] = [];

/** What a mapping demands of all records of a run. */
export interface CompiledBatchCheck {
  readonly level: Level;
  readonly unique?: readonly CompiledColumn[];
  /** Slot of the table whose records are counted. */
  readonly count?: number;
  readonly sum?: CompiledColumn;
  readonly param?: string;
  /** The cell of a control table that states it. */
  readonly stated?: CompiledColumn;
  readonly where?: Source;
  readonly tolerance: string;
}

export const compileChecks = (
  scope: Scope,
  schemas: readonly SchemaName[],
  checks: readonly Check[] = [],
): readonly DocumentCheck[] =>
  checks.map((check, index) => compileCheck(scope, schemas, check, ['checks', index]));

function compileCheck(
  scope: Scope,
  schemas: readonly SchemaName[],
  check: Check,
  path: readonly (string | number)[],
): DocumentCheck {
  const table = check.each === undefined ? undefined : tableOf(scope, check.each, [...path, 'each']);
  const inside = table === undefined ? scope : { ...scope, open: [table, ...scope.open] };
  const { message, fix, field, that, once = [], tolerance = '0' } = check;
  const when =
    check.when === undefined ? undefined : formulaSource(inside, check.when, [...path, 'when'], 'boolean');
  const blamed = [check.blame ?? []]
    .flat()
    .flatMap((name) => columnOf(inside, name, [...path, 'blame']) ?? []);
  const source = (text: string, at: YamlPath, wanted: FormulaType): Source[] =>
    [formulaSource(inside, text, [...path, ...at], wanted) ?? []].flat();
  const blameOf = (columns: readonly CompiledColumn[]): readonly CompiledColumn[] =>
    blamed.length > 0 ? blamed : columns;
  const holding = that === undefined ? [] : source(that, ['that'], 'boolean');
  const demands = [
    ...holding.map((one) => holds(one, blameOf(one.columns))),
    ...once.map((list, at) => {
      const places = list.flatMap((text, nth) => source(text, ['once', at, nth], 'decimal'));
      const found = places.map(({ columns }) => blameOf(columns));
      return standsOnce(places, tolerance, found);
    }),
  ];
  if (
    field !== undefined &&
    !schemas.some((schema) => resolveNode(schema, parsePointer(field)) !== undefined)
  )
    scope.lint.report([...path, 'field'], 'mapping/unknown-target', {
      params: { pointer: field },
      value: field,
    });
  const pointer = field === undefined ? undefined : { pointer: field };
  const params = {
    message_es: message.es,
    message_en: message.en,
    fix_es: fix?.es ?? '',
    fix_en: fix?.en ?? '',
  };
  const named = [...holding, ...[when ?? []].flat()].flatMap((one) => one.named);
  const word = named.some(({ sorts }) => sorts?.column === blamed[0]) ? blamed[0] : undefined;
  const look = (context: Context): readonly Issue[] => {
    if (when !== undefined && when.read(context) !== true) return NONE;
    return demands.flatMap((broken) => {
      const columns = broken(context);
      if (columns === undefined) return NONE;
      const [place = {}, ...related] = placesOf(context, columns);
      const value = word && context.at[word.slot]?.values[word.position];
      return {
        code: 'check/failed',
        ...(typeof value === 'string' && { value }),
        level: check.level ?? 'error',
        params,
        place: { ...place, ...pointer },
        ...(related.length > 0 && { related }),
      };
    });
  };
  if (table === undefined) return look;
  return (context) =>
    recordsOf(context, table.slot).flatMap((record, index) =>
      look(standAt(context, table.slot, record, index)),
    );
}

/** The columns that are at fault, where a document does not meet what is demanded. */
type Demand = (context: Context) => readonly CompiledColumn[] | undefined;

const holds =
  (that: Source, columns: readonly CompiledColumn[]): Demand =>
  (context) =>
    that.read(context) === false ? columns : undefined;

/** Of amounts that may be one, said in several places, no two are the same; zero is none, as is the sum of no records. */
function standsOnce(
  places: readonly Source[],
  tolerance: string,
  blamed: readonly (readonly CompiledColumn[])[],
): Demand {
  const isAmount = (value: unknown): value is string =>
    typeof value === 'string' && compare(value, '0') !== 0;
  const isSame = (a: unknown, b: unknown): boolean =>
    isAmount(a) && isAmount(b) && compare(absolute(subtract(a, b)), tolerance) <= 0;
  return (context) => {
    const amounts = places.map((one) => one.read(context));
    return blamed[amounts.findIndex((one, at) => amounts.slice(at + 1).some((other) => isSame(one, other)))];
  };
}

export const compileBatchChecks = (
  scope: Scope,
  checks: readonly BatchCheck[] = [],
): readonly CompiledBatchCheck[] =>
  checks.map((check, index) => {
    const path = ['batch', index];
    const { unique, count, sum, equals } = check;
    const columns =
      unique && [unique].flat().flatMap((name) => columnOf(scope, name, [...path, 'unique']) ?? []);
    const counted = count === undefined ? undefined : tableOf(scope, count, [...path, 'count']);
    const summed = sum === undefined ? undefined : columnOf(scope, sum, [...path, 'sum']);
    if (summed !== undefined && summed.type !== 'decimal')
      scope.lint.report([...path, 'sum'], 'mapping/type', {
        params: { expected_type: 'decimal', found_type: summed.type },
      });
    const stated =
      equals?.from === undefined ? undefined : columnOf(scope, equals.from, [...path, 'equals', 'from']);
    const param =
      equals?.param === undefined ? undefined : paramOf(scope, equals.param, [...path, 'equals', 'param']);
    if (param !== undefined && param.type !== 'decimal')
      scope.lint.report([...path, 'equals', 'param'], 'mapping/type', {
        params: { expected_type: 'decimal', found_type: param.type },
      });
    const table = stated && [...scope.tables.values()].find(({ slot }) => slot === stated.slot);
    const where =
      equals?.where === undefined || table === undefined
        ? undefined
        : formulaSource({ ...scope, open: [table] }, equals.where, [...path, 'equals', 'where'], 'boolean');
    return {
      level: check.level ?? 'error',
      tolerance: check.tolerance ?? '0',
      ...(columns && { unique: columns }),
      ...(counted && { count: counted.slot }),
      ...(summed && { sum: summed }),
      ...(param && { param: param.name }),
      ...(stated && { stated }),
      ...(where && { where }),
    };
  });

/** Rules raised, lowered or silenced, each with its reason. */
export interface RuleLevel {
  readonly level: Level | 'off';
  readonly reason: string;
}

export function compileRuleLevels(
  scope: Scope,
  rules: Readonly<Record<string, RuleLevel>> = {},
  known: readonly string[],
): ReadonlyMap<string, RuleLevel> {
  for (const code of Object.keys(rules))
    if (!known.includes(code))
      scope.lint.report(['rules', code], 'mapping/unknown-rule', {
        value: code,
        suggestions: suggest(code, known, 1),
        key: true,
      });
  return new Map(Object.entries(rules));
}
