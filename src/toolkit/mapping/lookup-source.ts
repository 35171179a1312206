import type { Lookup as LookupSpec } from '../../generated/mapping-types.js';
import type { Suggestion } from '../core/issue.js';
import { unreachable } from '../core/required.js';
import { squash, suggest } from '../core/text.js';
import type { FormulaValue } from '../formula/functions.js';
import {
  type Catalogue,
  type CatalogueRow,
  catalogue,
  catalogueNames,
  createLookup,
  type Lookup,
  type LookupResult,
  withoutItsName,
} from '../schema/catalogue.js';
import type { SchemaNode } from '../schema/registry.js';
import { Conflict, recordsOf, standAt, valueFor } from './context.js';
import { CodeLists } from './old-codes.js';
import { answerName, type CompiledParam } from './params.js';
import { placeOf } from './places.js';
import { CellFault } from './read/cell.js';
import { Readings, type WordLists } from './readings.js';
import {
  type CodeHalves,
  type CompiledColumn,
  type Context,
  FaultAt,
  isHalfCode,
  type MatchedColumn,
  type ReadRecord,
  type Repaired,
  type Source,
} from './record.js';
import { columnOf, paramOf, type Scope } from './scope.js';
import type { YamlPath } from './yaml-source.js';

/** Way to find an entry: a column of the record with the matching lookup. */
interface CompiledMatch extends MatchedColumn {
  readonly lookup: Lookup;
}

const hasAll = (row: CatalogueRow, wanted: Readonly<Record<string, string | readonly string[]>>): boolean =>
  Object.entries(wanted).every(([column, value]) => [value].flat().includes(row[column] ?? ''));

const labelOf = (row: CatalogueRow): string =>
  [row['code'], row['name'], row['department']].filter(Boolean).join(' ');

const textOf = (value: FormulaValue): string | undefined => (typeof value === 'string' ? value : undefined);

const columnsOf = ({ column, within }: CompiledMatch): CompiledColumn[] => [
  column,
  ...within.map(([, other]) => other),
];

/** Compiles a lookup in a code list. Its value is the column that the leaf's schema names, unless the mapping names one. */
export function lookupSource(
  scope: Scope,
  spec: LookupSpec,
  path: YamlPath,
  node: SchemaNode,
): Source | undefined {
  const table = catalogue(spec.catalogue);
  if (table === undefined) {
    scope.lint.report([...path, 'catalogue'], 'mapping/unknown-catalogue', {
      value: spec.catalogue,
      suggestions: suggest(spec.catalogue, catalogueNames(), 1),
    });
    return undefined;
  }
  const give = spec.give ?? node['x-catalogue-column'] ?? 'id';
  lintColumns(scope, spec, give, table, path);
  const { of } = spec;
  const list = of === undefined ? table : { ...table, rows: table.rows.filter((row) => hasAll(row, of)) };
  const listName = of === undefined ? spec.catalogue : Object.values(of).join(' ');
  const asked = spec.ask === undefined ? undefined : paramOf(scope, spec.ask, [...path, 'ask']);
  const decided = scope.synonyms.decidedValues.get(spec.catalogue);
  const lists = scope.synonyms.readings[listName];
  const listParam =
    spec.readings === undefined ? undefined : paramOf(scope, spec.readings, [...path, 'readings']);
  const oldCodes = scope.synonyms.old_codes[listName];
  const readings: WordLists | undefined =
    lists !== undefined
      ? new Readings(lists, decided, listName, listParam?.name)
      : oldCodes && listParam && new CodeLists(oldCodes, decided, listName, listParam.name);
  const ways = compileMatches(scope, spec, list, path);
  const split = splitListOf(list);
  const matches = ways.map((match): CompiledMatch => {
    const halves = match.by.includes('id') ? undefined : split && halvesOf(list, split, ways, match);
    return halves === undefined ? match : { ...match, halves };
  });
  if (readings !== undefined) for (const { column } of matches) column.readings?.push(readings);
  const reader = new LookupReader({ spec, give, list, listName, asked, decided, readings, matches, split });
  return {
    kind: { is: 'lookup', catalogue: spec.catalogue, keeps: spec.unknown === 'keep', matches },
    type: 'catalogue',
    named: matches.map(({ column }) => column),
    columns: [...new Set(matches.flatMap(columnsOf).flatMap(({ feeders }) => feeders))],
    params: [...new Set(matches.flatMap(columnsOf).flatMap(({ params = [] }) => params))],
    alternatives: matches.map((match) => columnsOf(match).flatMap(({ needs }) => needs)),
    read: (context) => reader.read(context),
  };
}

function lintColumns(
  { lint }: Scope,
  { of, ask_when, warn_when }: LookupSpec,
  give: string,
  { columns }: Catalogue,
  path: YamlPath,
): void {
  for (const [key, wanted] of Object.entries({ of, ask_when, warn_when }))
    for (const name of Object.keys(wanted ?? {}))
      if (!columns.includes(name))
        lint.report([...path, key, name], 'mapping/unknown-catalogue-column', { value: name, key: true });
  if (!columns.includes(give))
    lint.report([...path, 'give'], 'mapping/unknown-catalogue-column', { value: give });
}

/** Compiles the ways to find an entry, in the order they are tried. */
function compileMatches(
  scope: Scope,
  { catalogue: name, match: all, unknown }: LookupSpec,
  list: Catalogue,
  path: YamlPath,
): CompiledMatch[] {
  const words = scope.synonyms.values[name];
  return all.flatMap((match, index): CompiledMatch[] => {
    const at = [...path, 'match', index];
    const column = columnOf(scope, match.from, [...at, 'from']);
    for (const read of column?.feeders ?? []) read.holds = 'words';
    const within = Object.entries(match.within ?? {}).flatMap(([part, id]): [string, CompiledColumn][] => {
      if (!list.columns.includes(part))
        scope.lint.report([...at, 'within', part], 'mapping/unknown-catalogue-column', {
          value: part,
          key: true,
        });
      const other = columnOf(scope, id, [...at, 'within', part]);
      return other === undefined ? [] : [[part, other]];
    });
    for (const part of match.by ?? [])
      if (!list.columns.includes(part))
        scope.lint.report([...at, 'by'], 'mapping/unknown-catalogue-column', { value: part });
    const { by = ['name', 'code'] } = match;
    const lookup = createLookup(list, by, words, unknown === 'keep');
    return column === undefined ? [] : [{ column, by, within, lookup }];
  });
}

/** Returns how codes of a column are joined with their larger unit, which another way to find an entry reads in the same table. */
function halvesOf(
  list: Catalogue,
  split: SplitList,
  matches: readonly CompiledMatch[],
  { column }: CompiledMatch,
): CodeHalves | undefined {
  const { unit: name, restDigits } = split;
  for (const { within, lookup } of matches) {
    const unit = within.find(([part]) => part === name)?.[1];
    if (unit === undefined || unit.tableIndex !== column.tableIndex) continue;
    const entryOf = (rest: string, said: string): CatalogueRow | undefined =>
      list.rows.find(
        (row) =>
          row['code']?.endsWith(rest.padStart(restDigits, '0')) &&
          isFound(lookup.find(row['name'] ?? '', { [name]: said }), row),
      );
    return { unit, restDigits, entryOf };
  }
  return undefined;
}

/** List whose codes begin with the code of a larger unit, as municipalities do with the department. */
interface SplitList {
  /** Column with the name of the larger unit. */
  readonly unit: string;
  /** Digits of a code without those of the unit. */
  readonly restDigits: number;
}

const CODE_SUFFIX = '_code';

function splitListOf({ columns, rows }: Catalogue): SplitList | undefined {
  const unitCode = columns.find((name) => name.endsWith(CODE_SUFFIX));
  const unit = unitCode?.slice(0, -CODE_SUFFIX.length);
  const [first] = rows;
  if (unitCode === undefined || unit === undefined || first === undefined || !columns.includes(unit))
    return undefined;
  const isSplit = rows.every(({ code = '', [unitCode]: start = '-' }) => code.startsWith(start));
  const { code = '', [unitCode]: start = '' } = first;
  return isSplit ? { unit, restDigits: code.length - start.length } : undefined;
}

interface LookupParts {
  readonly spec: LookupSpec;
  /** Column of the list with the value. */
  readonly give: string;
  readonly list: Catalogue;
  /** Name of the list for users. */
  readonly listName: string;
  /** Parameter that decides between several entries. */
  readonly asked: CompiledParam | undefined;
  /** Words with a code that a user decided. */
  readonly decided: ReadonlyMap<string, string> | undefined;
  readonly readings: WordLists | undefined;
  readonly matches: readonly CompiledMatch[];
  readonly split: SplitList | undefined;
}

const isFound = (result: LookupResult, row: CatalogueRow): boolean =>
  result.kind === 'found' && result.row === row;

/** Returns the contradiction between the first values of two columns. */
function conflictOf(context: Context, first: CompiledColumn, other: CompiledColumn): Conflict {
  const recordOf = ({ tableIndex, position, id }: CompiledColumn): ReadRecord =>
    recordsOf(context, tableIndex).find(({ values }) => values[position] !== undefined) ??
    unreachable(`a value of ${id}`);
  const [known, found] = [recordOf(first), recordOf(other)];
  return new Conflict(
    found,
    other,
    placeOf(known, first),
    known.values[first.position],
    found.values[other.position],
  );
}

class LookupReader {
  constructor(private readonly parts: LookupParts) {}

  read(context: Context): FormulaValue | CellFault | Repaired {
    try {
      return this.search(context);
    } catch (error) {
      if (error instanceof Conflict) return this.agreed(context, error.column) ?? error;
      throw error;
    }
  }

  /** Returns the value of the first way that finds an entry. */
  private search(context: Context): FormulaValue | CellFault | Repaired {
    const { spec, matches } = this.parts;
    const { unknown, ask_when: askWhen } = spec;
    for (const [index, match] of matches.entries()) {
      const text = textOf(valueFor(context, match.column));
      if (text === undefined) continue;
      const result = this.ask(match, context, text);
      if (result === undefined) continue;
      if (result.kind === 'unknown' && unknown === 'keep') return withoutItsName(text);
      const answered = this.answer(result, context);
      if (answered !== undefined) return answered;
      if (result.kind === 'found' && askWhen !== undefined && hasAll(result.row, askWhen))
        return this.unanswered(match.column, result.row);
      const hints = result.kind === 'unknown' ? this.hints(context, index + 1) : [];
      const value = this.given(match, text, result, hints);
      const warning = result.kind !== 'found' ? undefined : this.differing(context, index, result.row);
      if (warning instanceof Conflict) return warning;
      return warning === undefined || typeof value !== 'string' ? value : { value, warning };
    }
    return undefined;
  }

  /** Looks a cell up; a decided word comes first. */
  private ask(
    match: CompiledMatch,
    context: Context,
    text = textOf(valueFor(context, match.column)),
  ): LookupResult | undefined {
    const { within, lookup } = match;
    const { decided, readings, list } = this.parts;
    if (text === undefined) return undefined;
    const code = decided?.get(squash(text)) ?? readings?.codeOf(text, context.params);
    const row = code === undefined ? undefined : list.rows.find((entry) => entry['code'] === code);
    if (row !== undefined) return { kind: 'found', row };
    if (this.isHalf(match, text)) {
      const row = this.wholeOf(match, text, context);
      return row === undefined ? { kind: 'unknown', suggestions: [] } : { kind: 'found', row };
    }
    if (within.length === 0) return lookup.find(text);
    const narrowed: Record<string, string> = {};
    for (const [name, other] of within) {
      const value = textOf(valueFor(context, other));
      if (value === undefined) return undefined;
      narrowed[name] = value;
    }
    return lookup.find(text, narrowed);
  }

  /** True if a text is the code of an entry without that of its larger unit: `001` of 05001. */
  private isHalf({ by }: CompiledMatch, text: string): boolean {
    const { split } = this.parts;
    return split !== undefined && !by.includes('id') && isHalfCode(text, split);
  }

  /** Returns the entry of half a code and the unit that the record names in another column; undefined if there is none. */
  private wholeOf({ halves }: CompiledMatch, text: string, context: Context): CatalogueRow | undefined {
    const said = halves && textOf(valueFor(context, halves.unit));
    return said === undefined ? undefined : halves?.entryOf(text, said);
  }

  /** Chooses between several entries by the parameter's code or id. */
  private answer(result: LookupResult, { params }: Context): string | undefined {
    const { asked, give, listName } = this.parts;
    if (asked?.spec.type === 'answers') {
      if (result.kind !== 'found') return undefined;
      const said = params[answerName(asked.name, listName, result.row['code'] ?? '')];
      return typeof said === 'string' ? said : undefined;
    }
    const said = asked && params[asked.name];
    if (said === undefined || result.kind !== 'ambiguous') return undefined;
    return result.candidates.find((row) => row['code'] === said || row['id'] === said)?.[give];
  }

  private unanswered(column: CompiledColumn, row: CatalogueRow): CellFault {
    const { asked, give, listName } = this.parts;
    const { code = '' } = row;
    const candidates = row[give] === '' || row[give] === undefined ? '' : ` (${row[give]})`;
    return new FaultAt(column, 'lookup/unanswered', {
      table: listName,
      code,
      from: labelOf(row),
      candidates,
      param: asked?.name ?? '',
    });
  }

  /** Returns a warning for an entry whose column `reason` says that it is uncertain. */
  private unsure(column: CompiledColumn, row: CatalogueRow, to: string, reason: string): CellFault {
    return new FaultAt(column, 'lookup/unsure', {
      table: this.parts.listName,
      code: row['code'] ?? '',
      from: labelOf(row),
      to,
      certainty: row[reason] ?? '',
      param: this.parts.asked?.name ?? '',
    });
  }

  /** Finds a cell that means another entry, such as the name of another municipality, or the same column of another table. */
  private differing(context: Context, from: number, row: CatalogueRow): CellFault | undefined {
    const { matches } = this.parts;
    const { column: read } = matches[from] ?? unreachable(`match ${from}`);
    for (const match of matches.slice(from + 1)) {
      const isOfTable = match.column.tableIndex === read.tableIndex;
      if (match.column === read || !(isOfTable || match.column.id === read.id)) continue;
      const other = this.ask(match, context);
      if (other?.kind !== 'found' || other.row === row) continue;
      if (isOfTable) return new FaultAt(match.column, 'lookup/ways-differ', { used: labelOf(row) });
      return conflictOf(context, read, match.column);
    }
    return undefined;
  }

  /** Returns the entries that the other ways find, such as the right name of a wrong code. */
  private hints(context: Context, from: number): Suggestion[] {
    return this.parts.matches.slice(from).flatMap((match) => {
      const result = this.ask(match, context);
      const rows =
        result?.kind === 'found' ? [result.row] : result?.kind === 'ambiguous' ? result.candidates : [];
      return rows.map((row) => ({ value: labelOf(row), score: 1 }));
    });
  }

  private given(
    match: CompiledMatch,
    text: string,
    result: LookupResult,
    hints: readonly Suggestion[],
  ): FormulaValue | CellFault | Repaired {
    const { spec, give } = this.parts;
    const { column } = match;
    if (result.kind === 'found') {
      const value = result.row[give] ?? '';
      const { warn_when: warnWhen } = spec;
      if (warnWhen !== undefined && hasAll(result.row, warnWhen))
        return { value, warning: this.unsure(column, result.row, value, Object.keys(warnWhen)[0] ?? '') };
      if (this.isHalf(match, text)) {
        const params = {
          catalogue: spec.catalogue,
          code: result.row['code'] ?? '',
          name: labelOf(result.row),
        };
        return { value, warning: new FaultAt(column, 'lookup/halves-joined', params) };
      }
      if (result.restored === undefined || column.formats?.zeros === 'lost') return value;
      return { value, warning: new FaultAt(column, 'cell/zeros-restored', { restored: result.restored }) };
    }
    if (result.kind === 'unknown' && this.isHalf(match, text))
      return new FaultAt(column, 'lookup/half-code', { catalogue: spec.catalogue });
    if (result.kind === 'unknown')
      return new FaultAt(column, 'lookup/unknown', { catalogue: spec.catalogue }, () => [
        ...hints,
        ...result.suggestions,
      ]);
    const labels = result.candidates.map(labelOf);
    const suggestions: Suggestion[] = result.candidates.map((row) => ({
      value: row['code'] ?? '',
      score: 1,
    }));
    const params = { catalogue: spec.catalogue, candidates: labels.join('; ') };
    return new FaultAt(column, 'lookup/ambiguous', params, suggestions);
  }

  /** Returns the value that all records of a table mean, such as `M` and `Masculino`. */
  private agreed(context: Context, { tableIndex }: CompiledColumn): FormulaValue | Repaired {
    const all = recordsOf(context, tableIndex).map((record, index) =>
      this.read(standAt(context, tableIndex, record, index)),
    );
    if (all.some((value) => value instanceof CellFault)) return undefined;
    const found = all.filter((value) => value !== undefined) as (string | Repaired)[];
    const values = new Set(found.map((value) => (typeof value === 'string' ? value : value.value)));
    return values.size === 1 ? found[0] : undefined;
  }
}
