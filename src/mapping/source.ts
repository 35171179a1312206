import { absolute, compare, negate } from '../core/decimal.js';
import type { Suggestion } from '../core/issue.js';
import { fold, isWild, squash, suggest, wildcard } from '../core/text.js';
import { compileFormula, lackingLast } from '../formula/compile.js';
import {
  BeyondBounds,
  BlankOperand,
  type FormulaType,
  type FormulaValue,
  TwoAmounts,
} from '../formula/functions.js';
import { FormulaFault } from '../formula/parser.js';
import type {
  Class,
  Classify,
  Leaf,
  Lookup as LookupSpec,
  Match,
  Parts,
  Value,
} from '../generated/mapping-types.js';
import {
  type CatalogueRow,
  catalogue,
  createLookup,
  type Lookup,
  type LookupResult,
} from '../schema/catalogue.js';
import type { SchemaNode } from '../schema/registry.js';
import {
  Conflict,
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
  recordsOf,
  type Scope,
  scopeOf,
  standAt,
  take,
  valueFor,
} from './context.js';
import { answerName } from './params.js';
import { CellFault } from './read/cell.js';
import { type FullName, type NameOrder, splitFullName } from './read/parts.js';
import { Readings } from './readings.js';
import {
  type CompiledColumn,
  type Context,
  FaultAt,
  type Gate,
  type MatchedColumn,
  negativePart,
  PlacedFault,
  patternsOf,
  placeOf,
  type ReadRecord,
  type Repaired,
  recordContext,
  type Source,
} from './record.js';
import type { Synonyms } from './synonyms.js';
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

interface CompiledMatch extends MatchedColumn {
  readonly lookup: Lookup;
}

/** Whether a row has all of these values. */
const hasAll = (row: CatalogueRow, wanted: Readonly<Record<string, string | readonly string[]>>): boolean =>
  Object.entries(wanted).every(([column, value]) => [value].flat().includes(row[column] ?? ''));

const labelOf = (row: CatalogueRow): string =>
  [row['code'], row['name'], row['department']].filter(Boolean).join(' ');

const textOf = (value: FormulaValue): string | undefined => (typeof value === 'string' ? value : undefined);

/** The entry of a code list; what is taken of it is the column that the leaf's schema names, unless the mapping says so. */
export function lookupSource(
  scope: Scope,
  spec: LookupSpec,
  path: YamlPath,
  node: SchemaNode,
): Source | undefined {
  const whole = catalogue(spec.catalogue);
  if (whole === undefined) {
    scope.lint.report([...path, 'catalogue'], 'mapping/unknown-catalogue', { value: spec.catalogue });
    return undefined;
  }
  const { of, unknown = 'error', ask_when: askWhen, warn_when: warnWhen } = spec;
  for (const [key, columns] of [
    ['of', of],
    ['ask_when', askWhen],
    ['warn_when', warnWhen],
  ] as const)
    for (const name of Object.keys(columns ?? {}))
      if (!whole.columns.includes(name))
        scope.lint.report([...path, key, name], 'mapping/unknown-catalogue-column', {
          value: name,
          key: true,
        });
  const list = of === undefined ? whole : { ...whole, rows: whole.rows.filter((row) => hasAll(row, of)) };
  const listName = of === undefined ? spec.catalogue : Object.values(of).join(' ');
  const give = spec.give ?? node['x-catalogue-column'] ?? 'id';
  if (!list.columns.includes(give))
    scope.lint.report([...path, 'give'], 'mapping/unknown-catalogue-column', { value: give });
  const asked = spec.ask === undefined ? undefined : paramOf(scope, spec.ask, [...path, 'ask']);
  const words = scope.synonyms.values[spec.catalogue];
  const decided = scope.synonyms.decidedValues.get(spec.catalogue);
  const lists = scope.synonyms.readings[listName];
  const listParam =
    spec.readings === undefined ? undefined : paramOf(scope, spec.readings, [...path, 'readings']);
  const readings = lists && new Readings(lists, decided, listName, listParam?.name);
  const compileMatch = (match: Match, at: YamlPath): CompiledMatch[] => {
    const column = columnOf(scope, match.from, [...at, 'from']);
    const within = Object.entries(match.within ?? {}).flatMap(([name, id]): [string, CompiledColumn][] => {
      if (!list.columns.includes(name))
        scope.lint.report([...at, 'within', name], 'mapping/unknown-catalogue-column', {
          value: name,
          key: true,
        });
      const other = columnOf(scope, id, [...at, 'within', name]);
      return other === undefined ? [] : [[name, other]];
    });
    for (const name of match.by ?? [])
      if (!list.columns.includes(name))
        scope.lint.report([...at, 'by'], 'mapping/unknown-catalogue-column', { value: name });
    if (readings !== undefined) column?.readings?.push(readings);
    const { by = ['name', 'code'] } = match;
    const lookup = createLookup(list, by, words, unknown === 'keep');
    return column === undefined ? [] : [{ column, by, within, lookup }];
  };
  const matches = spec.match.flatMap((match, index) => compileMatch(match, [...path, 'match', index]));
  const ask = ({ column, within, lookup }: CompiledMatch, context: Context): LookupResult | undefined => {
    const text = textOf(valueFor(context, column));
    if (text === undefined) return undefined;
    const code = decided?.get(squash(text)) ?? readings?.codeOf(text, context.params);
    const row = code === undefined ? undefined : list.rows.find((one) => one['code'] === code);
    if (row !== undefined) return { kind: 'found', row };
    if (within.length === 0) return lookup.find(text);
    const narrowed: Record<string, string> = {};
    for (const [name, other] of within) {
      const value = textOf(valueFor(context, other));
      if (value === undefined) return undefined;
      narrowed[name] = value;
    }
    return lookup.find(text, narrowed);
  };
  const search = (context: Context): FormulaValue | CellFault | Repaired => {
    for (let index = 0; index < matches.length; index++) {
      const match = matches[index]!;
      const result = ask(match, context);
      if (result === undefined) continue;
      if (result.kind === 'unknown' && unknown === 'keep') return textOf(valueFor(context, match.column));
      const answered = answer(result, context);
      if (answered !== undefined) return answered;
      if (result.kind === 'found' && askWhen !== undefined && hasAll(result.row, askWhen))
        return unanswered(match.column, result.row);
      const value = given(match.column, result, result.kind === 'unknown' ? hints(context, index + 1) : []);
      const warning = result.kind === 'found' ? differing(context, index, result.row) : undefined;
      return warning === undefined || typeof value !== 'string' ? value : { value, warning };
    }
    return undefined;
  };
  /** Of several answers the one that the parameter names, by code or id; or what it says for the one code. */
  const answer = (result: LookupResult, { params }: Context): string | undefined => {
    if (asked?.spec.type === 'answers') {
      if (result.kind !== 'found') return undefined;
      const said = params[answerName(asked.name, listName, result.row['code'] ?? '')];
      return typeof said === 'string' ? said : undefined;
    }
    const said = asked && params[asked.name];
    if (said === undefined || result.kind !== 'ambiguous') return undefined;
    return result.candidates.find((row) => row['code'] === said || row['id'] === said)?.[give];
  };
  const unanswered = (column: CompiledColumn, row: CatalogueRow): CellFault => {
    const { code = '' } = row;
    const candidates = row[give] === '' || row[give] === undefined ? '' : ` (${row[give]})`;
    return new FaultAt(column, 'lookup/unanswered', {
      table: listName,
      code,
      candidates,
      param: asked?.name ?? '',
    });
  };
  const unsure = (column: CompiledColumn, row: CatalogueRow, to: string, why: string): CellFault =>
    new FaultAt(column, 'lookup/unsure', {
      table: listName,
      code: row['code'] ?? '',
      from: [row['code'], row['name']].filter(Boolean).join(' '),
      to,
      certainty: row[why] ?? '',
      param: asked?.name ?? '',
    });
  /** Another cell of the record that is of another entry: the code of one municipality beside the name of another. */
  const differing = (context: Context, from: number, row: CatalogueRow): CellFault | undefined => {
    const { column: read } = matches[from]!;
    for (const match of matches.slice(from + 1)) {
      if (match.column === read || match.column.slot !== read.slot) continue;
      const other = ask(match, context);
      if (other?.kind !== 'found' || other.row === row) continue;
      return new FaultAt(match.column, 'lookup/ways-differ', { used: labelOf(row) });
    }
    return undefined;
  };
  /** What the other ways to find the entry would have found: a wrong code beside a right name. */
  const hints = (context: Context, from: number): Suggestion[] =>
    matches.slice(from).flatMap((match) => {
      const result = ask(match, context);
      const rows =
        result?.kind === 'found' ? [result.row] : result?.kind === 'ambiguous' ? result.candidates : [];
      return rows.map((row) => ({ value: labelOf(row), score: 1 }));
    });
  const given = (
    column: CompiledColumn,
    result: LookupResult,
    otherwise: readonly Suggestion[],
  ): FormulaValue | CellFault | Repaired => {
    if (result.kind === 'found') {
      const value = result.row[give] ?? '';
      if (warnWhen !== undefined && hasAll(result.row, warnWhen))
        return { value, warning: unsure(column, result.row, value, Object.keys(warnWhen)[0]!) };
      if (result.restored === undefined || column.formats?.zeros === 'lost') return value;
      return { value, warning: new FaultAt(column, 'cell/zeros-restored', { restored: result.restored }) };
    }
    if (result.kind === 'unknown')
      return new FaultAt(column, 'lookup/unknown', { catalogue: spec.catalogue }, () => [
        ...otherwise,
        ...result.suggestions,
      ]);
    const labels = result.candidates.map(labelOf);
    const suggestions: Suggestion[] = result.candidates.map((row) => ({
      value: row['code'] ?? '',
      score: 1,
    }));
    return new FaultAt(column, 'lookup/ambiguous', { candidates: labels.join('; ') }, suggestions);
  };
  const read = (context: Context): FormulaValue | CellFault | Repaired => {
    try {
      return search(context);
    } catch (error) {
      if (error instanceof Conflict) return agreed(context) ?? error;
      throw error;
    }
  };
  /** What all records of a document mean, in other words: `M` in one and `Masculino` in another. */
  const agreed = (context: Context): FormulaValue | Repaired => {
    const slots = new Set(matches.map(({ column }) => column.slot));
    const [slot] = slots;
    if (slot === undefined || slots.size > 1) return undefined;
    const all = recordsOf(context, slot).map((record, index) =>
      search(standAt(context, slot, record, index)),
    );
    if (all.some((one) => one instanceof CellFault)) return undefined;
    const found = all.filter((one) => one !== undefined) as (string | Repaired)[];
    const values = new Set(found.map((one) => (typeof one === 'string' ? one : one.value)));
    return values.size === 1 ? found[0] : undefined;
  };
  const columnsOf = ({ column, within }: CompiledMatch): CompiledColumn[] => [
    column,
    ...within.map(([, other]) => other),
  ];
  return {
    kind: { is: 'lookup', catalogue: spec.catalogue, keeps: unknown === 'keep', matches },
    type: 'catalogue',
    named: matches.map(({ column }) => column),
    columns: [...new Set(matches.flatMap(columnsOf).flatMap(({ feeders }) => feeders))],
    params: [...new Set(matches.flatMap(columnsOf).flatMap(({ params = [] }) => params))],
    alternatives: matches.map((match) => columnsOf(match).flatMap(({ needs }) => needs)),
    read,
  };
}

interface TakenPart {
  readonly type: FormulaType;
  /** The part, with a warning where the cell could be taken apart in another way; undefined when it has none. */
  readonly take: (text: string) => string | Repaired | CellFault | undefined;
}

const PREFIX_NUMBER = /^\s*([A-Za-z]*)[\s-]*(\d+)\s*$/;

const isRepaired = (value: unknown): value is Repaired =>
  typeof value === 'object' && value !== null && 'warning' in value;

/** Each part of a name, and the words of it: all surnames and all names are parts too. */
const NAME_PARTS = {
  surname: ['surname'],
  second_surname: ['second_surname'],
  first_name: ['first_name'],
  middle_name: ['middle_name'],
  surnames: ['surname', 'second_surname'],
  names: ['first_name', 'middle_name'],
} as const;

type NamePart = keyof typeof NAME_PARTS;

const joined = (...words: readonly (string | undefined)[]): string => words.filter(Boolean).join(' ');

function takeName(text: string, part: NamePart, order: NameOrder) {
  const name: FullName = splitFullName(text, order);
  const value = joined(...NAME_PARTS[part].map((one) => name[one])) || undefined;
  if (value === undefined || !name.unsure) return value;
  const surnames = joined(name.surname, name.second_surname);
  const names = joined(name.first_name, name.middle_name);
  return { value, warning: new CellFault('cell/name-unsure', { surnames, names }) };
}

/** How to take one part out of a cell; undefined when the pattern has no such part, or its order is not said here. */
export function takePart({ pattern, part, order }: Parts): TakenPart | undefined {
  switch (pattern) {
    case 'prefix_number':
      if (part === 'prefix')
        return { type: 'text', take: (text) => PREFIX_NUMBER.exec(text)?.[1]?.toUpperCase() };
      if (part === 'number')
        return { type: 'decimal', take: (text) => PREFIX_NUMBER.exec(text)?.[2]?.replace(/^0+(?=\d)/, '') };
      return undefined;
    case 'words': {
      const position = Number(part);
      if (!Number.isInteger(position) || position === 0) return undefined;
      return { type: 'text', take: (text) => text.split(' ').at(position > 0 ? position - 1 : position) };
    }
    case 'date_time':
      if (part === 'date') return { type: 'date', take: (text) => text.slice(0, 10) };
      if (part === 'time') return { type: 'text', take: (text) => text.slice(11) || undefined };
      return undefined;
    case 'full_name': {
      if (typeof part !== 'string' || !(part in NAME_PARTS) || typeof order !== 'string') return undefined;
      return { type: 'text', take: (text) => takeName(text, part as NamePart, order) };
    }
  }
}

/** What a formula lacks, as people call it; of a part that is computed, the place of the mapping that it is for. */
function blankFault(scope: Scope, reference: string | undefined, path: YamlPath): FaultAt {
  const column = reference === undefined ? undefined : findColumn(scope, reference);
  const title = column?.wanted?.titles.find((one) => !isWild(one));
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
    /** Of each name that may be blank: most records lack much. */
    const faults = new Map<string | undefined, FaultAt>();
    const lacks = (reference: string | undefined): FaultAt => {
      const known = faults.get(reference) ?? blankFault(scope, reference, path);
      faults.set(reference, known);
      return known;
    };
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
    const record =
      column && recordsOf(context, column.slot).find(({ values }) => isAmount(values[column.position]));
    return record === undefined ? [] : [{ record, column: column!, value: record.values[column!.position] }];
  });
  const [first] = filled;
  const other = filled.find(({ value }) => compare(value as string, first!.value as string) !== 0);
  return contradiction(first!, other ?? first!);
}

interface FilledCell {
  readonly record: ReadRecord;
  readonly column: CompiledColumn;
  readonly value: FormulaValue;
}

/** What alternatives of one leaf say: the place of the first that holds an amount among them, or why there are two. */
export function oneAmount(columns: readonly CompiledColumn[], context: Context): number | CellFault {
  let at = -1;
  let first: FilledCell | undefined;
  for (const [place, column] of columns.entries()) {
    const record = recordsOf(context, column.slot).find(({ values }) => isAmount(values[column.position]));
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

/** For a formula that adds up columns or named sums. */
function negativeAddend(scope: Scope, names: readonly string[]): Source['negative'] {
  const named = names.flatMap((name) => scope.named.get(name.replace(/^value\./, ''))?.negative ?? []);
  const columns = names.flatMap((name) => findColumn(scope, name) ?? []);
  const added = names.length > 1 ? columns.filter(({ type }) => type === 'decimal') : [];
  if (named.length === 0 && added.length === 0) return undefined;
  return (context) => {
    for (const column of added) {
      const found = negativeAmong(recordsOf(context, column.slot), column);
      if (found !== undefined) return found;
    }
    for (const negative of named) {
      const found = negative(context.root ?? context);
      if (found !== undefined) return found;
    }
    return undefined;
  };
}

/** Whether a value of the column is itself a sum. */
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
      const record = context.at[column.slot];
      return record === undefined ? agreed(context, column) : record.values[column.position];
    },
    ...(isSum(column) && {
      negative: (context: Context) => negativeAmong(recordsOf(context, column.slot), column),
    }),
  };
}

function agreed(context: Context, column: CompiledColumn): FormulaValue | CellFault {
  try {
    return valueFor(context, column);
  } catch (error) {
    if (error instanceof Conflict) return error;
    throw error;
  }
}

/** What many records give together, those of which a condition holds. */
function takenSource(
  scope: Scope,
  leaf: Taken,
  column: CompiledColumn,
  path: YamlPath,
  gate: Gate | undefined,
): Source {
  const how = leaf.take ?? column.take ?? 'equal';
  const table = [...scope.tables.values()].find(({ slot }) => slot === column.slot)!;
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
    const records = recordsOf(context, column.slot);
    if (condition === undefined) return records;
    return records.filter(
      (record) => condition.read(standAt(context, column.slot, record, context.index)) === true,
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
        negativeAmong(recordsOf(context, column.slot), column) && negativeAmong(chosen(context), column),
    }),
    read: (context) => {
      const records = chosen(context);
      if (gate !== undefined)
        for (const record of records) for (const [, mask] of gate.masks) record.taken |= mask;
      try {
        return take(records, column, how, context);
      } catch (error) {
        if (error instanceof Conflict) return error;
        throw error;
      }
    },
  };
}

/** What `from`, `take` and `where` say of a leaf, a named value or a stated total. */
type Taken = Pick<Leaf, 'from' | 'take' | 'where'>;

/** The column of `from`, alone or taken over many records. */
export function fromSource(scope: Scope, leaf: Taken, path: YamlPath): Source | undefined {
  const { scope: behind, gate } = leaf.where === undefined ? { scope, gate: undefined } : gated(scope);
  const column = columnOf(behind, leaf.from!, [...path, 'from']);
  if (column === undefined) return undefined;
  if (leaf.take === undefined && leaf.where === undefined) return columnSource(column);
  return takenSource(scope, leaf, column, path, gate);
}

/** How to take a part, when a parameter says in what order the parts stand. */
function takersOf(scope: Scope, parts: Parts, path: YamlPath) {
  const { order } = parts;
  if (typeof order !== 'object') {
    const taken = takePart(parts);
    return taken && (() => taken);
  }
  const param = paramOf(scope, order.param, [...path, 'order', 'param']);
  const orders = ['surnames_first', 'names_first'] as const;
  const takers = new Map(orders.map((one) => [one as string, takePart({ ...parts, order: one })]));
  const first = takers.get(orders[0]);
  if (param === undefined || first === undefined) return undefined;
  const unsaid: TakenPart = {
    type: first.type,
    take: (text) => inEither(text, [...takers.values()], param.name),
  };
  return (context: Context) => takers.get(String(context.params[param.name])) ?? unsaid;
}

/** A part of a text of which it is not said in what order its parts stand: the same in either, as behind a comma, or none. */
function inEither(text: string, takers: readonly (TakenPart | undefined)[], param: string) {
  const found = takers.map((one) => one?.take(text));
  const values = found.map((one) => (isRepaired(one) ? one.value : one));
  if (values.every((one) => one === values[0])) return found[0];
  return new CellFault('cell/name-order', { param });
}

function partsSource(scope: Scope, parts: Parts, path: YamlPath): Source | undefined {
  const column = columnOf(scope, parts.from, [...path, 'from']);
  const takers = takersOf(scope, parts, path);
  const type = takePart({ ...parts, order: 'surnames_first' })?.type;
  if (takers === undefined || type === undefined) {
    scope.lint.report([...path, 'part'], 'mapping/unknown-part', { value: String(parts.part) });
    return undefined;
  }
  if (column === undefined) return undefined;
  const { part, order } = parts;
  return {
    kind: {
      is: 'part',
      part,
      ...(parts.pattern === 'full_name' && typeof order === 'object' && { order: order.param }),
    },
    type,
    named: [column],
    columns: [column],
    // A text that is put together is there with all that it is made of.
    alternatives: [column.needs.length > 0 ? column.needs : column.feeders],
    read: (context) => {
      const value = agreed(context, column);
      return typeof value === 'string'
        ? takers(context).take(value)
        : value instanceof CellFault
          ? value
          : undefined;
    },
  };
}

const NOTHING_READ = { type: 'decimal', named: [], columns: [], alternatives: [] } as const;

/** What the mapping itself says. */
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

/** How likely a pattern is meant that begins with the word as written. */
const BEGINS = 0.85;

interface Pattern {
  readonly name: string;
  readonly pattern: string;
  /** Letters that are given: of two patterns that fit, the one that says more is meant. */
  readonly weight: number;
  readonly fits: (folded: string, squashed: string) => boolean;
  /** The groups of telling words of which it has one. */
  readonly tells: string;
  readonly when: Source | undefined;
}

type Telling = (text: string) => string;
/** Whether a text has a word that may not stand beside the patterns of a class. */
type Strays = (name: string, text: string) => boolean;

/** Words, numbers, and the signs that put two things beside each other: a hyphen does so between words alone. */
const WORDS = /[a-zñ]+|\d+|[/+&,;]|(?<=[a-zñ]\s*)-(?=\s*[a-zñ])/g;

/** Which groups of words a text has one of, by number: what stands beside a known word may make another concept of it. */
function tellingOf(groups: readonly (readonly string[])[]): Telling {
  const tests = groups.map((words) => words.map((word) => wildcard(word)));
  return (text) => {
    const words = fold(text).match(WORDS) ?? [];
    return tests
      .flatMap((group, at) => (words.some((word) => group.some((fits) => fits(word))) ? [at] : []))
      .join();
  };
}

/** Words, and rates: `4%`, `12.5 %`, `8,5`. */
const WORDS_AND_RATES = /[a-zñ]+|(?<![\d.,])\d+(?:[.,]\d+)?\s*%|(?<![\d.,])\d{1,2}[.,]\d{1,2}(?![\d.,])/g;
/** `4,00 %` → 4% */
const plainRate = (word: string): string =>
  /^\d/.test(word) ? `${Number.parseFloat(word.replace(',', '.'))}%` : word;
/** Words of a pattern, with the `*` that ends them; a letter alone would take in any word. */
const PATTERN_WORDS = /[a-zñ]{2,}\*?/g;
/** The dot between two initials: `E.P.S.` is one word. */
const INITIALS = /(?<![a-zñ])([a-zñ])\.(?=[a-zñ](?![a-zñ]))/g;

/**
 * What is open at its end takes anything: of the classes that say which words may stand beside their own, only those do, and only
 * those rates. Other numbers tell how many or when.
 */
function straysOf(beside: Synonyms['beside'][string], classes: Readonly<Record<string, Class>>): Strays {
  const known = new Map(
    Object.entries(beside).map(([name, words]) => {
      const own = patternsOf(classes[name] ?? []).flatMap(
        (pattern) => fold(pattern).match(PATTERN_WORDS) ?? [],
      );
      return [name, [...new Set([...own, ...words.flat()])].map((word) => wildcard(word))] as const;
    }),
  );
  return (name, text) => {
    const fits = known.get(name);
    if (fits === undefined) return false;
    const words = fold(text).replace(INITIALS, '$1').match(WORDS_AND_RATES) ?? [];
    return words.map(plainRate).some((word) => !fits.some((isKnown) => isKnown(word)));
  };
}

function compilePatterns(
  scope: Scope,
  name: string,
  spec: Class,
  telling: Telling,
  path: YamlPath,
): Pattern[] {
  const { like, when } = Array.isArray(spec) ? { like: spec, when: undefined } : spec;
  const condition =
    when === undefined ? undefined : formulaSource(deciding(scope), when, [...path, 'when'], 'boolean');
  return like.map((pattern) => {
    const folded = wildcard(pattern);
    const squashed = wildcard(pattern, squash);
    return {
      name,
      pattern,
      weight:
        squash(pattern).replace(/[*?]/g, '').length + (isWild(pattern) ? 0 : 1_000) + (condition ? 0.5 : 0),
      fits: (text, bare) => folded(text) || squashed(bare),
      tells: telling(pattern),
      when: condition,
    };
  });
}

/**
 * Sorts words into classes by folded wildcards; of several that fit the most exact is taken, and two alike are refused. A pattern only
 * fits what has telling words of the same groups, and a wildcard only words that may stand beside its class.
 */
export function compileClassify(
  scope: Scope,
  spec: Classify,
  path: YamlPath,
): Pick<CompiledColumn, 'type' | 'computed' | 'feeders' | 'needs' | 'warns' | 'sorts'> | undefined {
  const column = columnOf(scope, spec.from, [...path, 'from']);
  const classes = typeof spec.classes === 'string' ? scope.synonyms.classes[spec.classes] : spec.classes;
  if (classes === undefined) {
    scope.lint.report([...path, 'classes'], 'mapping/unknown-classes', { value: String(spec.classes) });
    return undefined;
  }
  const telling = tellingOf((typeof spec.classes === 'string' && scope.synonyms.telling[spec.classes]) || []);
  const strays = straysOf(
    (typeof spec.classes === 'string' && scope.synonyms.beside[spec.classes]) || {},
    classes,
  );
  const patterns = Object.entries(classes)
    .flatMap(([name, one]) => compilePatterns(scope, name, one as Class, telling, [...path, 'classes', name]))
    .sort((a, b) => b.weight - a.weight);
  if (column === undefined) return undefined;
  const decided = scope.synonyms.decidedClasses;
  const known = new Map<string, readonly Pattern[]>();
  const fitting = (text: string): readonly Pattern[] => {
    let found = known.get(text);
    if (found === undefined) {
      const folded = fold(text);
      const bare = squash(text);
      const told = telling(text);
      found = patterns.filter(
        ({ name, pattern, fits, tells }) =>
          tells === told && fits(folded, bare) && !(isWild(pattern) && strays(name, text)),
      );
      if (known.size < 10_000) known.set(text, found);
    }
    return found;
  };
  const rivalIn = ([best, ...others]: readonly Pattern[]): Pattern | undefined =>
    others.find(({ name, weight }) => name !== best!.name && weight === best!.weight);
  const resembles = (text: string): boolean => {
    const [folded, bare] = [fold(text), squash(text)];
    return patterns.some(({ fits }) => fits(folded, bare));
  };
  const classOf = (text: string): string | undefined => {
    const fits = fitting(text);
    return fits.length > 0 && rivalIn(fits) === undefined ? fits[0]!.name : undefined;
  };
  const read = (context: Context): FormulaValue | CellFault => {
    const text = context.at[column.slot]?.values[column.position];
    if (typeof text !== 'string') return spec.blank === 'error' ? new CellFault('cell/blank') : undefined;
    const settled = decided.get(fold(text));
    if (settled !== undefined) return settled;
    const fits = fitting(text).filter(({ when }) => when === undefined || when.read(context) === true);
    const [best] = fits;
    if (best !== undefined) {
      const rival = rivalIn(fits);
      if (rival === undefined) return best.name;
      return new CellFault('class/ambiguous', { classes: `${best.name}, ${rival.name}` });
    }
    if (spec.unknown === 'ignore') return undefined;
    return new CellFault('class/unknown', {}, () => hintsOf(text));
  };
  const hinted = new Map<string, Suggestion[]>();
  /** An unknown word often comes again. */
  const hintsOf = (text: string): Suggestion[] => {
    const found = hinted.get(text) ?? hints(text);
    if (hinted.size < 10_000) hinted.set(text, found);
    return found;
  };
  /** The classes whose patterns look most like the word, or begin with it. */
  const hints = (text: string): Suggestion[] => {
    const begins = `${fold(text)} `;
    const best = new Map<string, number>();
    for (const { name, pattern } of patterns) {
      const plain = pattern.replace(/[*?]/g, ' ').trim();
      const score = fold(plain).startsWith(begins) ? BEGINS : suggest(text, [plain])[0]?.score;
      if (score !== undefined) best.set(name, Math.max(score, best.get(name) ?? 0));
    }
    return [...best]
      .map(([value, score]) => ({ value, score }))
      .sort((a, b) => b.score - a.score)
      .slice(0, 3);
  };
  return {
    type: 'text',
    computed: read,
    feeders: column.feeders,
    needs: column.needs,
    sorts: {
      column,
      classes: classes as Readonly<Record<string, Class>>,
      tells: telling,
      strays,
      resembles,
      classOf,
    },
    ...(spec.unknown === 'warning' && { warns: true }),
  };
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
