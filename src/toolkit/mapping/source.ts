import type { Leaf, Value } from '../../generated/mapping-types.js';
import { absolute, compare, negate } from '../core/decimal.js';
import { getOrAdd } from '../core/remember.js';
import { unreachable } from '../core/required.js';
import { isWild } from '../core/text.js';
import { compileFormula, lackingLast } from '../formula/compile.js';
import {
  BeyondBounds,
  BlankOperand,
  type FormulaType,
  type FormulaValue,
  TwoAmounts,
} from '../formula/functions.js';
import { FormulaFault } from '../formula/parser.js';
import type { SchemaNode } from '../schema/registry.js';
import { agreed, Conflict, recordsOf, standAt, take } from './context.js';
import { lookupSource } from './lookup-source.js';
import { partsSource } from './parts-source.js';
import { negativePart, placeOf } from './places.js';
import { CellFault } from './read/cell.js';
import {
  type CompiledColumn,
  type Context,
  FaultAt,
  type Gate,
  markTaken,
  PlacedFault,
  type ReadRecord,
  recordContext,
  type Source,
} from './record.js';
import {
  columnOf,
  columnsNamed,
  columnsNeeded,
  deciding,
  findColumn,
  gated,
  inOrder,
  type NamedValue,
  paramOf,
  paramsNamed,
  type Scope,
  scopeOf,
} from './scope.js';
import type { YamlPath } from './yaml-source.js';

type Transform = NonNullable<Leaf['transform']>[number];

type Change = (value: string | boolean) => string | boolean;

const onText =
  (change: (text: string) => string): Change =>
  (value) =>
    typeof value === 'string' ? change(value) : value;

const CHANGES: Readonly<Record<Transform, Change>> = {
  upper: onText((text) => text.toUpperCase()),
  lower: onText((text) => text.toLowerCase()),
  digits: onText((text) => text.replace(/\D/g, '')),
  absolute: onText(absolute),
  negate: onText(negate),
};

/** Named changes of a value, in order; undefined when there is none. */
export function compileTransforms(names: readonly Transform[] = []): Change | undefined {
  const [first, ...rest] = names.map((name) => CHANGES[name]);
  return first && ((value) => rest.reduce((changed, change) => change(changed), first(value)));
}

/** Returns the fault of a blank reference in a formula: its column or param, or the path of the mapping for a computed part. */
function blankFault(scope: Scope, reference: string | undefined, path: YamlPath): FaultAt {
  const column = reference === undefined ? undefined : findColumn(scope, reference);
  const title = column?.wanted?.titles.find((otherTitle) => !isWild(otherTitle));
  const name =
    title ?? reference ?? String(path.findLast((key) => typeof key === 'string' && key !== 'formula'));
  return new FaultAt(column, 'formula/blank', { name });
}

/** A compiled formula that treats blank operands as an unmet condition or a missing value. */
export function formulaSource(
  scope: Scope,
  source: string,
  path: YamlPath,
  wanted?: FormulaType,
): Source | undefined {
  try {
    const formula = compileFormula(source, scopeOf(scope), wanted);
    const columns = columnsNamed(scope, formula.references);
    /** Faults by name that may be blank, made once: most records lack several values. */
    const faults = new Map<string | undefined, FaultAt>();
    const lacks = (reference: string | undefined): FaultAt =>
      getOrAdd(faults, reference, () => blankFault(scope, reference, path));
    const read = (context: Context): FormulaValue | CellFault => {
      try {
        const value = formula.attempt(context);
        return value === null ? lacks(lackingLast()) : value;
      } catch (error) {
        if (error instanceof TwoAmounts) return twoAmounts(scope, error.names, context);
        if (error instanceof BeyondBounds) return new FaultAt(columns[0], 'formula/beyond-bounds');
        if (error instanceof BlankOperand) return lacks(error.reference);
        if (error instanceof CellFault) return error;
        throw error;
      }
    };
    const needed = columnsNeeded(scope, formula.needed);
    const params = paramsNamed(scope, formula.references);
    const negative = negativeAddend(scope, formula.addends);
    return {
      kind: { is: 'formula', standIns: paramNames(formula.standIns) },
      type: formula.type,
      named: formula.references.flatMap((name) => findColumn(scope, name) ?? []),
      columns,
      params,
      alternatives: needed.length > 0 ? [needed] : [],
      read,
      ...(negative && { negative }),
    };
  } catch (fault) {
    if (!(fault instanceof FormulaFault)) throw fault;
    scope.lint.formula(path, fault);
    return undefined;
  }
}

const paramNames = (names: readonly string[]): string[] =>
  names.flatMap((name) => (name.startsWith('param.') ? name.slice('param.'.length) : []));

/** The first two of columns that hold different amounts, where only one of them may. */
function twoAmounts(scope: Scope, names: readonly string[], context: Context): CellFault {
  const filled = names.flatMap((name) => {
    const column = findColumn(scope, name);
    if (column === undefined) return [];
    const record = recordsOf(context, column.tableIndex).find(({ values }) =>
      isAmount(values[column.position]),
    );
    return record === undefined ? [] : [{ record, column, value: record.values[column.position] }];
  });
  const [first = unreachable('amount')] = filled;
  const other = filled.find(({ value }) => compare(value as string, first.value as string) !== 0);
  return contradiction(first, other ?? first);
}

interface FilledCell {
  readonly record: ReadRecord;
  readonly column: CompiledColumn;
  readonly value: FormulaValue;
}

/** Returns the index of the first alternative that holds an amount, -1 if none does, or the fault if several do. */
export function oneAmount(columns: readonly CompiledColumn[], context: Context): number | CellFault {
  let at = -1;
  let first: FilledCell | undefined;
  for (const [place, column] of columns.entries()) {
    const record = recordsOf(context, column.tableIndex).find(({ values }) =>
      isAmount(values[column.position]),
    );
    if (record === undefined) continue;
    const cell: FilledCell = { record, column, value: record.values[column.position] };
    if (first === undefined) {
      first = cell;
      at = place;
    } else if (compare(first.value as string, cell.value as string) !== 0) return contradiction(first, cell);
  }
  return at;
}

const isAmount = (value: FormulaValue): boolean => typeof value === 'string' && /[1-9]/.test(value);

const contradiction = (first: FilledCell, second: FilledCell): CellFault =>
  new PlacedFault(
    second.record,
    second.column,
    'cell/two-amounts',
    { first: String(first.value), other: String(second.value) },
    { related: placeOf(first.record, first.column) },
  );

/** A negative amount among those that records give to a sum. */
function negativeAmong(records: readonly ReadRecord[], column: CompiledColumn): CellFault | undefined {
  for (const record of records) {
    const value = record.values[column.position];
    const index = column.wanted?.several ? negativePart(record, column) : undefined;
    if (index !== undefined || (typeof value === 'string' && value.startsWith('-')))
      return new PlacedFault(record, column, 'cell/negative-part', {}, index === undefined ? {} : { index });
    const inside = column.negative?.(recordContext(record));
    if (inside !== undefined) return inside;
  }
  return undefined;
}

/** Returns the finder of a negative addend of a formula that adds up columns or named sums. */
function negativeAddend(scope: Scope, names: readonly string[]): Source['negative'] {
  const named = names.flatMap((name) => scope.named.get(name.replace(/^value\./, ''))?.negative ?? []);
  const columns = names.flatMap((name) => findColumn(scope, name) ?? []);
  const added = names.length > 1 ? columns.filter(({ type }) => type === 'decimal') : [];
  if (named.length === 0 && added.length === 0) return undefined;
  return (context) => {
    for (const column of added) {
      const found = negativeAmong(recordsOf(context, column.tableIndex), column);
      if (found !== undefined) return found;
    }
    for (const negative of named) {
      const found = negative(context.root ?? context);
      if (found !== undefined) return found;
    }
    return undefined;
  };
}

/** True if a value of the column is itself a sum. */
const isSum = ({ wanted, negative, take: how }: CompiledColumn): boolean =>
  wanted?.several === true || negative !== undefined || how === 'sum';

/** Reads one column; records of a document that contradict each other are a fault. */
function columnSource(column: CompiledColumn): Source {
  return {
    kind: { is: 'column', column },
    type: column.type,
    named: [column],
    columns: [column],
    ...(column.params && { params: column.params }),
    plain: column,
    alternatives: [column.needs],
    read: (context) => {
      const record = context.at[column.tableIndex];
      return record === undefined ? agreed(context, column) : record.values[column.position];
    },
    ...(isSum(column) && {
      negative: (context: Context) => negativeAmong(recordsOf(context, column.tableIndex), column),
    }),
  };
}

/** Compiles the value of many records together, those for which a condition holds. */
function takenSource(
  scope: Scope,
  leaf: Taken,
  column: CompiledColumn,
  path: YamlPath,
  gate: Gate | undefined,
): Source {
  const how = leaf.take ?? column.take ?? 'equal';
  const table =
    [...scope.tables.values()].find(({ tableIndex }) => tableIndex === column.tableIndex) ??
    unreachable('table of a column');
  const condition =
    leaf.where === undefined
      ? undefined
      : formulaSource(
          deciding({ ...scope, open: [table, ...scope.open] }),
          leaf.where,
          [...path, 'where'],
          'boolean',
        );
  if (how === 'sum' && column.type !== 'decimal')
    scope.lint.report([...path, 'take'], 'mapping/type', {
      params: { expected_type: 'decimal', found_type: column.type },
    });
  const chosen = (context: Context): readonly ReadRecord[] => {
    const records = recordsOf(context, column.tableIndex);
    if (condition === undefined) return records;
    return records.filter(
      (record) => condition.read(standAt(context, column.tableIndex, record, context.index)) === true,
    );
  };
  return {
    kind: {
      is: 'column',
      column,
      ...(leaf.take && { take: leaf.take }),
      ...(condition && { where: condition.columns }),
    },
    named: [column],
    type: how === 'count' ? 'decimal' : how === 'collect' ? 'text' : column.type,
    columns: [column],
    alternatives: [column.needs],
    records: chosen,
    ...(how === 'sum' && {
      // Nearly never is one negative at all: conditions are asked only then.
      negative: (context: Context) =>
        negativeAmong(recordsOf(context, column.tableIndex), column) &&
        negativeAmong(chosen(context), column),
    }),
    read: (context) => {
      const records = chosen(context);
      if (gate !== undefined) markTaken(gate, () => records);
      try {
        return take(records, column, how, context);
      } catch (error) {
        if (error instanceof Conflict) return error;
        throw error;
      }
    },
  };
}

/** Options `from`, `take` and `where` of a leaf, a named value or a stated total. */
type Taken = Pick<Leaf, 'from' | 'take' | 'where'>;

/** The column of `from`, alone or taken over many records. */
export function fromSource(scope: Scope, leaf: Taken, path: YamlPath): Source | undefined {
  const { scope: behind, gate } = leaf.where === undefined ? { scope, gate: undefined } : gated(scope);
  const column = leaf.from === undefined ? undefined : columnOf(behind, leaf.from, [...path, 'from']);
  if (column === undefined) return undefined;
  if (leaf.take === undefined && leaf.where === undefined) return columnSource(column);
  return takenSource(scope, leaf, column, path, gate);
}

const NOTHING_READ = { type: 'decimal', named: [], columns: [], alternatives: [] } as const;

export const CONSTANT: Source = {
  ...NOTHING_READ,
  kind: { is: 'constant' },
  type: 'text',
  read: () => '',
};

/** The source of a leaf that reads the record; `node` is what the schema says of it. */
export function compileSource(
  scope: Scope,
  leaf: Leaf,
  path: YamlPath,
  node: SchemaNode,
): Source | undefined {
  if (leaf.from !== undefined) return fromSource(scope, leaf, path);
  if (leaf.sequence !== undefined) {
    const start = leaf.sequence === true ? 1 : leaf.sequence;
    return { ...NOTHING_READ, kind: { is: 'sequence' }, read: ({ index }) => String(start + index) };
  }
  if (leaf.formula !== undefined) return formulaSource(scope, leaf.formula, [...path, 'formula']);
  if (leaf.parts !== undefined) return partsSource(scope, leaf.parts, [...path, 'parts']);
  if (leaf.lookup !== undefined) return lookupSource(scope, leaf.lookup, [...path, 'lookup'], node);
  if (leaf.param !== undefined) {
    const param = paramOf(scope, leaf.param, [...path, 'param']);
    return (
      param && {
        ...NOTHING_READ,
        kind: { is: 'param', name: param.name },
        type: param.type,
        params: [param.name],
        read: (context) => context.params[param.name],
      }
    );
  }
  return undefined;
}

/** The `values` of a mapping: each is computed at most once a document, when something asks for it. */
export function compileNamedValues(
  scope: Scope,
  values: Readonly<Record<string, Value>>,
): ReadonlyMap<string, NamedValue> {
  const named = new Map<string, NamedValue>();
  const { ordered, circle } = inOrder(
    new Map(Object.entries(values).map(([name, value]) => [`value.${name}`, value])),
    ({ formula, where }) => JSON.stringify([formula, where]),
  );
  for (const name of circle)
    scope.lint.report(['values', name.slice('value.'.length)], 'mapping/cycle', { value: name, key: true });
  for (const [full, value] of ordered) {
    const name = full.slice('value.'.length);
    const path = ['values', name];
    const reads = new Set<CompiledColumn>();
    const within: Scope = { ...scope, named, notes: { ...scope.notes, into: reads } };
    const source =
      value.formula === undefined
        ? fromSource(within, value, path)
        : formulaSource(within, value.formula, [...path, 'formula']);
    if (source !== undefined) named.set(name, remembered(named.size, source, [...reads]));
  }
  return named;
}

function remembered(number: number, source: Source, reads: NamedValue['reads']): NamedValue {
  const { records } = source;
  return {
    type: source.type as FormulaType,
    columns: source.columns,
    reads,
    ...(source.params && { params: source.params }),
    ...(source.kind.is === 'column' && source.kind.where && { where: source.kind.where }),
    needs: source.alternatives[0] ?? [],
    ...(records && { records: (context: Context) => records(context.root ?? context) }),
    ...(source.negative && { negative: source.negative }),
    read(context: Context): FormulaValue {
      const known = context.named[number];
      if (known !== undefined) return known ?? undefined;
      const value = source.read(context.root ?? context) as FormulaValue | CellFault;
      if (value instanceof CellFault) throw value;
      context.named[number] = value ?? null;
      return value;
    },
  };
}
