import type { Issue, Level } from '../core/issue.js';
import { suggest } from '../core/text.js';
import type { BatchCheck, Check } from '../generated/mapping-types.js';
import { recordsOf, standAt } from './context.js';
import { placesOf } from './places.js';
import type { CompiledColumn, Context, Source } from './record.js';
import { columnOf, paramOf, tableOf, type Workbench } from './scope.js';
import { formulaSource } from './source.js';

/** What a mapping demands of the records of one document. */
export type DocumentCheck = (context: Context) => readonly Issue[];

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

export const compileChecks = (bench: Workbench, checks: readonly Check[] = []): readonly DocumentCheck[] =>
  checks.flatMap((check, index) => compileCheck(bench, check, ['checks', index]) ?? []);

function compileCheck(
  bench: Workbench,
  check: Check,
  path: readonly (string | number)[],
): DocumentCheck | undefined {
  const table = check.each === undefined ? undefined : tableOf(bench, check.each, [...path, 'each']);
  const inside = table === undefined ? bench : { ...bench, open: [table, ...bench.open] };
  const that = formulaSource(inside, check.that, [...path, 'that'], 'boolean');
  const when =
    check.when === undefined ? undefined : formulaSource(inside, check.when, [...path, 'when'], 'boolean');
  const blamed = [check.blame ?? []]
    .flat()
    .flatMap((name) => columnOf(inside, name, [...path, 'blame']) ?? []);
  if (that === undefined) return undefined;
  const columns = blamed.length > 0 ? blamed : that.columns;
  const { message, fix } = check;
  const params = {
    message_es: message.es,
    message_en: message.en,
    fix_es: fix?.es ?? '',
    fix_en: fix?.en ?? '',
  };
  const look = (context: Context): Issue | undefined => {
    if (when !== undefined && when.read(context) !== true) return undefined;
    if (that.read(context) !== false) return undefined;
    const [place = {}, ...related] = placesOf(context, columns);
    return {
      code: 'check/failed',
      level: check.level ?? 'error',
      params,
      place,
      ...(related.length > 0 && { related }),
    };
  };
  if (table === undefined) return (context) => [look(context) ?? []].flat();
  return (context) =>
    recordsOf(context, table.slot).flatMap(
      (record, index) => look(standAt(context, table.slot, record, index)) ?? [],
    );
}

export const compileBatchChecks = (
  bench: Workbench,
  checks: readonly BatchCheck[] = [],
): readonly CompiledBatchCheck[] =>
  checks.map((check, index) => {
    const path = ['batch', index];
    const { unique, count, sum, equals } = check;
    const columns =
      unique && [unique].flat().flatMap((name) => columnOf(bench, name, [...path, 'unique']) ?? []);
    const counted = count === undefined ? undefined : tableOf(bench, count, [...path, 'count']);
    const summed = sum === undefined ? undefined : columnOf(bench, sum, [...path, 'sum']);
    if (summed !== undefined && summed.type !== 'decimal')
      bench.lint.report([...path, 'sum'], 'mapping/type', {
        params: { expected: 'decimal', found: summed.type },
      });
    const stated =
      equals?.from === undefined ? undefined : columnOf(bench, equals.from, [...path, 'equals', 'from']);
    const param =
      equals?.param === undefined ? undefined : paramOf(bench, equals.param, [...path, 'equals', 'param']);
    if (param !== undefined && param.type !== 'decimal')
      bench.lint.report([...path, 'equals', 'param'], 'mapping/type', {
        params: { expected: 'decimal', found: param.type },
      });
    const table = stated && [...bench.tables.values()].find(({ slot }) => slot === stated.slot);
    const where =
      equals?.where === undefined || table === undefined
        ? undefined
        : formulaSource({ ...bench, open: [table] }, equals.where, [...path, 'equals', 'where'], 'boolean');
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
  bench: Workbench,
  rules: Readonly<Record<string, RuleLevel>> = {},
  known: readonly string[],
): ReadonlyMap<string, RuleLevel> {
  for (const code of Object.keys(rules))
    if (!known.includes(code))
      bench.lint.report(['rules', code], 'mapping/unknown-rule', {
        value: code,
        suggestions: suggest(code, known, 1),
        key: true,
      });
  return new Map(Object.entries(rules));
}
