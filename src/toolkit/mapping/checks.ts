import type { BatchCheck, Check } from '../../generated/mapping-types.js';
import type { SchemaName } from '../../generated/schema-types.js';
import { absolute, compare, subtract } from '../core/decimal.js';
import type { Issue, Level, Place } from '../core/issue.js';
import { parsePointer } from '../core/json.js';
import { suggest } from '../core/text.js';
import type { FormulaValue } from '../formula/functions.js';
import { resolveNode } from '../schema/registry.js';
import { recordsOf, standAt } from './context.js';
import { placesOf } from './places.js';
import type { CompiledColumn, Context, ReadRecord, Source } from './record.js';
import { columnOf, findColumn, ownWords, paramOf, type Scope, tableOf } from './scope.js';
import { formulaSource } from './source.js';
import type { YamlPath } from './yaml-source.js';

/** Checks the records of a document and adds issues to `found`. */
export type DocumentCheck = (context: Context, found: Issue[]) => void;

/** Check over all records of a run. */
export interface CompiledBatchCheck {
  readonly level: Level;
  readonly unique?: readonly CompiledColumn[];
  /** Column that all records with equal values of `of` fill, or none. */
  readonly filled?: { readonly column: CompiledColumn; readonly of: readonly CompiledColumn[] };
  /** Column with the NIT of the company that a record belongs to. */
  readonly company?: CompiledColumn;
  /** Index of the table whose records are counted. */
  readonly count?: number;
  readonly sum?: CompiledColumn;
  readonly param?: string;
  /** Column of a control table that states the expected value. */
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
  const holding =
    that === undefined ? [] : [formulaSource(inside, that, [...path, 'that'], 'boolean') ?? []].flat();
  const demands = [
    ...holding.map((condition) => holds(condition, blamed.length > 0 ? blamed : condition.columns)),
    ...once.map((list, at) =>
      standsOnce(
        list.flatMap((name, nth) => amountPlace(inside, name, [...path, 'once', at, nth]) ?? []),
        tolerance,
        blamed,
      ),
    ),
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
  const params = ownWords(message, fix);
  const named = [...holding, ...[when ?? []].flat()].flatMap((condition) => condition.named);
  const word = named.some(({ sorts }) => sorts?.column === blamed[0]) ? blamed[0] : undefined;
  const failure = (context: Context, [place = {}, ...related]: readonly Place[]): Issue => {
    if (check.together) {
      const { row: _, ...column } = place;
      return { code: 'check/failed', level: check.level ?? 'error', params, place: column };
    }
    const value = word && context.at[word.tableIndex]?.values[word.position];
    return {
      code: 'check/failed',
      ...(typeof value === 'string' && { value }),
      level: check.level ?? 'error',
      params,
      place: { ...place, ...pointer },
      ...(related.length > 0 && { related }),
    };
  };
  const look = (context: Context, found: Issue[]): void => {
    if (when !== undefined && when.read(context) !== true) return;
    for (const broken of demands) {
      const places = broken(context);
      if (places !== undefined) found.push(failure(context, places));
    }
  };
  if (table === undefined) return look;
  return (context, found) => {
    for (const [index, record] of recordsOf(context, table.tableIndex).entries())
      look(standAt(context, table.tableIndex, record, index), found);
  };
}

/** Returns the cells to blame, or undefined if the document passes. */
type Demand = (context: Context) => readonly Place[] | undefined;

const holds =
  (that: Source, columns: readonly CompiledColumn[]): Demand =>
  (context) =>
    that.read(context) === false ? placesOf(context, columns) : undefined;

interface Amount {
  readonly value: FormulaValue;
  readonly records: readonly ReadRecord[];
}

/** Place of an amount: a column of the record or of joined records, or a value that sums one. */
interface AmountPlace {
  readonly columns: readonly CompiledColumn[];
  readonly sum: Source;
  readonly records: (context: Context) => readonly ReadRecord[];
}

function amountPlace(scope: Scope, name: string, path: YamlPath): AmountPlace | undefined {
  const value = name.startsWith('value.') ? scope.named.get(name.slice('value.'.length)) : undefined;
  const column = value === undefined ? findColumn(scope, name) : undefined;
  const sum = formulaSource(scope, column === undefined ? name : `sum(${name})`, path, 'decimal');
  if (sum === undefined) return undefined;
  if (column === undefined) return { columns: sum.columns, sum, records: value?.records ?? (() => []) };
  return { columns: [column], sum, records: (context) => recordsOf(context, column.tableIndex) };
}

const isAmount = (value: unknown): value is string => typeof value === 'string' && compare(value, '0') !== 0;

function amountsAt({ columns, records: of }: AmountPlace, sum: string, context: Context): Amount[] {
  const each = of(context).flatMap((record) => {
    const value = columns[0] && record.values[columns[0].position];
    return isAmount(value) ? [{ value, records: [record] }] : [];
  });
  const records = each.flatMap((amount) => amount.records);
  return [{ value: sum, records }, ...each];
}

/** Finds an amount that is given in two places; zero and the sum of no records do not count. */
function standsOnce(
  places: readonly AmountPlace[],
  tolerance: string,
  blamed: readonly CompiledColumn[],
): Demand {
  const isSame = (a: Amount, b: Amount): boolean =>
    compare(absolute(subtract(String(a.value), String(b.value))), tolerance) <= 0;
  const cells = (context: Context, { columns }: AmountPlace, { records }: Amount): readonly Place[] =>
    records.length === 0
      ? placesOf(context, columns)
      : records.flatMap((record) => placesOf(standAt(context, record.table.tableIndex, record, 0), columns));
  return (context) => {
    const filled = places.flatMap((place) => {
      const sum = place.sum.read(context);
      return isAmount(sum) ? [{ place, sum }] : [];
    });
    // Nearly always an amount stands in one place: records are asked only where it does not.
    if (filled.length < 2) return undefined;
    const found = filled.map(({ place, sum }) => ({ place, amounts: amountsAt(place, sum, context) }));
    for (const [at, later] of found.entries())
      for (const other of found.slice(at + 1))
        for (const amount of later.amounts) {
          const same = other.amounts.find((another) => isSame(amount, another));
          if (same === undefined) continue;
          if (blamed.length > 0) return placesOf(context, blamed);
          return [...cells(context, later.place, amount), ...cells(context, other.place, same)];
        }
    return undefined;
  };
}

export const compileBatchChecks = (
  scope: Scope,
  checks: readonly BatchCheck[] = [],
): readonly CompiledBatchCheck[] =>
  checks.map((check, index) => {
    const path = ['batch', index];
    const { unique, filled, of, company, count, sum, equals } = check;
    const columnsOf = (key: string, names: string | readonly string[] = []): readonly CompiledColumn[] =>
      [names].flat().flatMap((name) => columnOf(scope, name, [...path, key]) ?? []);
    const columns = unique && columnsOf('unique', unique);
    const [column] = columnsOf('filled', filled);
    const [employer] = columnsOf('company', company);
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
    const table =
      stated && [...scope.tables.values()].find(({ tableIndex }) => tableIndex === stated.tableIndex);
    const where =
      equals?.where === undefined || table === undefined
        ? undefined
        : formulaSource({ ...scope, open: [table] }, equals.where, [...path, 'equals', 'where'], 'boolean');
    return {
      level: check.level ?? 'error',
      tolerance: check.tolerance ?? '0',
      ...(columns && { unique: columns }),
      ...(column && { filled: { column, of: columnsOf('of', of) } }),
      ...(employer && { company: employer }),
      ...(counted && { count: counted.tableIndex }),
      ...(summed && { sum: summed }),
      ...(param && { param: param.name }),
      ...(stated && { stated }),
      ...(where && { where }),
    };
  });

/** Level that a mapping sets for a rule, with its reason. */
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
