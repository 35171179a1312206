import type { Parts } from '../../generated/mapping-types.js';
import type { FormulaType } from '../formula/functions.js';
import { agreed, recordsOf } from './context.js';
import { CellFault } from './read/cell.js';
import { readPeriodText } from './read/dates.js';
import { type FullName, type NameOrder, splitFullName } from './read/parts.js';
import type { CompiledColumn, Context, Repaired, Source } from './record.js';
import { columnOf, paramOf, type Scope } from './scope.js';
import type { YamlPath } from './yaml-source.js';

interface TakenPart {
  readonly type: FormulaType;
  /** The part, with a warning where the cell could be taken apart in another way; undefined when it has none. */
  readonly take: (text: string) => string | Repaired | CellFault | undefined;
}

const PREFIX_NUMBER = /^([A-Za-z]*)[\s-]*(\d+)$/;

const isRepaired = (value: unknown): value is Repaired =>
  typeof value === 'object' && value !== null && 'warning' in value;

/** Words of a name by part; all surnames and all names are parts too. */
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
  const value = joined(...NAME_PARTS[part].map((word) => name[word])) || undefined;
  if (value === undefined || !name.unsure) return value;
  const surnames = joined(name.surname, name.second_surname);
  const names = joined(name.first_name, name.middle_name);
  return { value, warning: new CellFault('cell/name-unsure', { surnames, names }) };
}

/** Returns the reader of one part of a cell; undefined if the pattern has no such part, or a parameter gives the order. */
export function takePart({ pattern, part, order }: Parts): TakenPart | undefined {
  switch (pattern) {
    case 'prefix_number':
      if (part === 'prefix')
        return { type: 'text', take: (text) => PREFIX_NUMBER.exec(text.trim())?.[1]?.toUpperCase() };
      if (part === 'number')
        return {
          type: 'decimal',
          take: (text) => PREFIX_NUMBER.exec(text.trim())?.[2]?.replace(/^0+(?=\d)/, ''),
        };
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
    case 'period': {
      const at = ['start', 'end'].indexOf(String(part));
      return at < 0 ? undefined : { type: 'date', take: (text) => readPeriodText(text)?.[at] };
    }
    case 'full_name': {
      if (typeof part !== 'string' || !(part in NAME_PARTS) || typeof order !== 'string') return undefined;
      return { type: 'text', take: (text) => takeName(text, part as NamePart, order) };
    }
  }
}

/** Returns the reader of a part by the order that a parameter gives. */
function takersOf(scope: Scope, parts: Parts, path: YamlPath) {
  const { order } = parts;
  if (typeof order !== 'object') {
    const taken = takePart(parts);
    return taken && (() => taken);
  }
  const param = paramOf(scope, order.param, [...path, 'order', 'param']);
  const orders = ['surnames_first', 'names_first'] as const;
  const takers = new Map(orders.map((choice) => [choice as string, takePart({ ...parts, order: choice })]));
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
  const found = takers.map((taker) => taker?.take(text));
  const values = found.map((part) => (isRepaired(part) ? part.value : part));
  if (values.every((value) => value === values[0])) return found[0];
  return new CellFault('cell/name-order', { param });
}

/** True if a record fills the first of some columns and its file has the others, even if they are blank. */
const fillsColumns = (columns: readonly CompiledColumn[], context: Context): boolean => {
  const [first] = columns;
  return (
    first !== undefined &&
    recordsOf(context, first.tableIndex).some(
      (record) =>
        record.values[first.position] !== undefined &&
        columns.every(({ position }) =>
          (record.bySheet ?? [record]).some(({ table }) => table.indexes[position] !== undefined),
        ),
    )
  );
};

export function partsSource(scope: Scope, parts: Parts, path: YamlPath): Source | undefined {
  const column = columnOf(scope, parts.from, [...path, 'from']);
  const takers = takersOf(scope, parts, path);
  const type = takePart({ ...parts, order: 'surnames_first' })?.type;
  if (takers === undefined || type === undefined) {
    scope.lint.report([...path, 'part'], 'mapping/unknown-part', { value: String(parts.part) });
    return undefined;
  }
  if (column === undefined) return undefined;
  const { part, order } = parts;
  const excluding = (parts.unless ?? []).map((group, at) =>
    group.flatMap((other, index) => columnOf(scope, other, [...path, 'unless', at, index]) ?? []),
  );
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
      if (excluding.some((group) => fillsColumns(group, context))) return undefined;
      const value = agreed(context, column);
      return typeof value === 'string'
        ? takers(context).take(value)
        : value instanceof CellFault
          ? value
          : undefined;
    },
  };
}
