import type { Suggestion } from '../core/issue.js';
import { squash } from '../core/text.js';
import type { FormulaValue } from '../formula/functions.js';
import type { Lookup as LookupSpec, Match } from '../generated/mapping-types.js';
import {
  type CatalogueRow,
  catalogue,
  createLookup,
  type Lookup,
  type LookupResult,
} from '../schema/catalogue.js';
import type { SchemaNode } from '../schema/registry.js';
import { Conflict, recordsOf, standAt, valueFor } from './context.js';
import { answerName } from './params.js';
import { CellFault } from './read/cell.js';
import { Readings } from './readings.js';
import {
  type CompiledColumn,
  type Context,
  FaultAt,
  type MatchedColumn,
  type Repaired,
  type Source,
} from './record.js';
import { columnOf, paramOf, type Scope } from './scope.js';
import type { YamlPath } from './yaml-source.js';

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
