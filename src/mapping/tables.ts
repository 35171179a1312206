import type { Column, MappingFile, Table } from '../generated/mapping-types.js';
import type { IgnoredColumns, WantedColumn } from '../source/header.js';
import { labelForms, titleMatcher } from '../source/header-label.js';
import { suggest } from '../values/similar.js';
import { compileClassify } from './classify.js';
import { type CompiledColumn, compileRead, isTyped } from './columns.js';
import type { Join } from './joins.js';
import type { Lint } from './lint.js';
import { lookupSource } from './lookup-source.js';
import { inOrder } from './order.js';
import type { CompiledParam } from './params.js';
import { formulaSource } from './source.js';
import type { Synonyms } from './synonyms.js';
import { columnOf, type Named, namedBy, paramOf, type Source, type Workbench } from './workbench.js';
import type { YamlPath } from './yaml-source.js';

/** A record that states totals: its columns, and those whose sums they may be. */
export type Control = ReadonlyMap<CompiledColumn, readonly CompiledColumn[]>;

/** Records that are no data, and why. */
export interface Skip {
  readonly when: Source;
  readonly note: string;
  readonly control?: Control;
  /** Whether its totals begin after the control record before. */
  readonly sinceLast: boolean;
}

export interface CompiledTable {
  readonly id: string;
  readonly slot: number;
  readonly spec: Table;
  /** Set for a group of repeated columns: the table that it is part of. */
  readonly parent?: CompiledTable;
  readonly columns: ReadonlyMap<string, CompiledColumn>;
  /** In an order in which each finds what it needs. */
  readonly computed: readonly CompiledColumn[];
  readonly repeated: readonly CompiledTable[];
  /** Columns of the file that it leaves aside. */
  readonly ignored: readonly IgnoredColumns[];
  skips: readonly Skip[];
  /** The columns that say whom or what a record is about: the key of the documents, or what joins it to them. */
  identity: readonly CompiledColumn[];
  join?: Join;
  /** A document has at most one record here. */
  single: boolean;
}

interface TableSite {
  readonly file: MappingFile;
  readonly synonyms: Synonyms;
  readonly params: ReadonlyMap<string, CompiledParam>;
  readonly lint: Lint;
  /** Where it is written down what conditions of tables read, and what their control records state. */
  readonly uses: Named;
  readonly control: Named;
}

/** All tables of a mapping by id, groups of repeated columns among them. */
export function compileTables(site: TableSite): ReadonlyMap<string, CompiledTable> {
  const tables = new Map<string, CompiledTable>();
  const add = (id: string, spec: Table, path: YamlPath, parent?: CompiledTable): CompiledTable => {
    const slot = tables.size;
    const { columns, computed } = compileColumns(spec, slot, site, path, parent);
    const repeated: CompiledTable[] = [];
    const table: CompiledTable = {
      id,
      slot,
      spec,
      columns,
      computed,
      repeated,
      ignored: compileIgnored(spec, columns, site, path),
      skips: [],
      identity: [],
      single: false,
      ...(parent && { parent }),
    };
    if (tables.has(id)) site.lint.report(path, 'mapping/table-twice', { value: id, key: true });
    tables.set(id, table);
    for (const [name, group] of Object.entries(spec.repeated ?? {}))
      repeated.push(
        add(name, { ...group, formats: spec.formats } as Table, [...path, 'repeated', name], table),
      );
    return table;
  };
  for (const [id, spec] of Object.entries(site.file.tables)) add(id, spec, ['tables', id]);
  const bench: Workbench = { ...site, tables, open: [], named: new Map(), notes: site.uses };
  for (const table of tables.values()) finish(table, bench, ['tables', table.id], site.control);
  return tables;
}

/** Skips and header conditions, which see the columns of the table alone. */
function finish(table: CompiledTable, bench: Workbench, path: YamlPath, control: Named): void {
  // To be found in a header is no use.
  const seen: Workbench = { ...bench, open: [table], notes: namedBy() };
  const own: Workbench = { ...bench, open: [table] };
  const { spec } = table;
  for (const [index, id] of (spec.header?.must_have ?? []).entries())
    columnOf(seen, id, [...path, 'header', 'must_have', index]);
  for (const [label, id] of Object.entries(spec.labels ?? {})) {
    if (typeof id !== 'string' || id === 'ignore') continue;
    const at = [...path, 'labels', label];
    const column = columnOf(seen, id, at);
    if (column !== undefined && column.wanted === undefined)
      bench.lint.report(at, 'mapping/label-of-computed', { value: id });
  }
  checkPositions(table, bench.lint, path);
  if (spec.param !== undefined && paramOf(bench, spec.param, [...path, 'param'])?.spec.type !== 'table')
    bench.lint.report([...path, 'param'], 'mapping/no-effect', {
      value: 'param',
      params: { needs: 'type: table' },
    });
  table.skips = (spec.skip ?? []).flatMap((skip, index) => {
    const at = [...path, 'skip', index];
    const when = formulaSource(own, skip.when, [...at, 'when'], 'boolean');
    if (when === undefined) return [];
    const totals =
      skip.control && compileControl({ ...own, notes: control }, table, skip.control, [...at, 'control']);
    return [{ when, note: skip.note, sinceLast: skip.since === 'last', ...(totals && { control: totals }) }];
  });
}

/** Positions and a table without header go together. */
function checkPositions({ spec, parent }: CompiledTable, lint: Lint, path: YamlPath): void {
  const headless = (parent ?? { spec }).spec.header?.none === true;
  for (const [id, column] of Object.entries(spec.columns)) {
    const at = [...path, 'columns', id];
    if (headless && isTyped(column) && column.position === undefined)
      lint.report(at, 'mapping/missing-key', { value: 'position', key: true });
    if (!headless && column.position !== undefined)
      lint.report([...at, 'position'], 'mapping/no-effect', {
        value: 'position',
        params: { needs: 'header: { none: true }' },
        key: true,
      });
  }
}

function compileControl(
  bench: Workbench,
  table: CompiledTable,
  spec: NonNullable<NonNullable<Table['skip']>[number]['control']>,
  path: YamlPath,
): Control | undefined {
  if (spec === false) return undefined;
  if (spec === true)
    return new Map(
      [...table.columns.values()]
        .filter(({ kind, type }) => type === 'decimal' && kind === 'money')
        .map((column) => [column, [column]]),
    );
  const control = new Map<CompiledColumn, readonly CompiledColumn[]>();
  for (const [id, sums] of Object.entries(spec)) {
    const column = columnOf(bench, id, [...path, id]);
    const of = [sums].flat().flatMap((sum) => columnOf(bench, sum, [...path, id]) ?? []);
    for (const one of [column, ...of])
      if (one !== undefined && one.type !== 'decimal')
        bench.lint.report([...path, id], 'mapping/type', {
          params: { expected: 'decimal', found: one.type },
        });
    if (column !== undefined) control.set(column, of);
  }
  return control;
}

/** Whether columns under these groups may stand under those; without groups they stand anywhere. */
const meet = (some: readonly string[], others: readonly string[] = []): boolean =>
  some.length === 0 ||
  others.length === 0 ||
  others.some((other) => titleMatcher(some).closeness(labelForms(other)) > 0);

const plainTitles = (titles: readonly string[]): string[] => titles.filter((title) => !/[*?]/.test(title));

/** What a table leaves aside; what it reads as well cannot be meant. */
function compileIgnored(
  spec: Table,
  columns: ReadonlyMap<string, CompiledColumn>,
  { synonyms, lint }: TableSite,
  path: YamlPath,
): readonly IgnoredColumns[] {
  const wanted = [...columns.values()].flatMap((column) => column.wanted ?? []);
  const own = wanted.filter(({ id }) => !lint.inherits([...path, 'columns', id]));
  return (spec.ignore ?? []).map(
    ({ titles = [], synonyms: names = [], positions = [], groups, reason }, index) => {
      const at = [...path, 'ignore', index];
      const shared = names.flatMap((name, place) => {
        const found = synonyms.ignored[name] ?? synonyms.columns[name];
        if (found === undefined)
          lint.report([...at, 'synonyms', place], 'mapping/unknown-ignored', {
            value: name,
            suggestions: suggest(
              name,
              [...Object.keys(synonyms.ignored), ...Object.keys(synonyms.columns)],
              1,
            ),
          });
        return found ?? [];
      });
      const under = [groups ?? []].flat();
      const all = [...titles, ...shared];
      const clash = (column: WantedColumn): boolean =>
        (column.position !== undefined && positions.includes(column.position)) ||
        (meet(under, column.groups) &&
          plainTitles(column.titles).some(
            (title) => titleMatcher(plainTitles(all)).closeness(labelForms(title)) > 0,
          ));
      const left = { reason, ...(under.length > 0 && { groups: under }) };
      if (lint.inherits(at)) {
        // What the base leaves aside, a mapping on top of it may want.
        const meant = (title: string): boolean =>
          own.some(
            ({ titles: its, groups: beneath }) =>
              meet(under, beneath) && titleMatcher(its).closeness(labelForms(title)) > 0,
          );
        return {
          ...left,
          titles: all.filter((title) => !meant(title)),
          positions: positions.filter((place) => !own.some(({ position }) => position === place)),
        };
      }
      for (const column of wanted)
        if (clash(column)) lint.report(at, 'mapping/ignored-wanted', { value: column.id });
      return { ...left, titles: all, positions };
    },
  );
}

/** The columns of a table: read ones first, then the computed, each after those that it needs. */
function compileColumns(
  spec: Table,
  slot: number,
  { synonyms, params, lint }: TableSite,
  path: YamlPath,
  parent: CompiledTable | undefined,
): Pick<CompiledTable, 'columns' | 'computed'> {
  const columns = new Map<string, CompiledColumn>();
  const waiting = new Map<string, Column>();
  const labelled = Object.values(spec.labels ?? {});
  for (const [id, column] of Object.entries(spec.columns)) {
    if (!isTyped(column)) {
      waiting.set(id, column);
      continue;
    }
    columns.set(
      id,
      compileRead(id, column, {
        slot,
        position: columns.size,
        formats: spec.formats,
        synonyms,
        lint,
        path: [...path, 'columns', id],
        named: labelled.includes(id),
        given: spec.param !== undefined,
        // Labels that share an id are added up, as the mapping says so.
        several: labelled.filter((one) => one === id).length > 1,
      }),
    );
  }
  const computed: CompiledColumn[] = [];
  const table = {
    id: '',
    slot,
    spec,
    columns,
    computed,
    repeated: [],
    ignored: [],
    skips: [],
    identity: [],
    single: false,
  } satisfies CompiledTable;
  const open: CompiledTable[] = parent === undefined ? [table] : [table, parent];
  const bench: Workbench = {
    lint,
    tables: new Map(),
    open,
    params,
    named: new Map(),
    synonyms,
    notes: namedBy(),
  };
  const { ordered, circle } = inOrder(waiting, ({ formula, classify, lookup }) =>
    JSON.stringify([formula, classify, lookup?.match]),
  );
  for (const id of circle) lint.report([...path, 'columns', id], 'mapping/cycle', { value: id, key: true });
  for (const [id, column] of ordered) {
    const notes = namedBy();
    const made = compileComputed({ ...bench, notes }, id, column, [...path, 'columns', id]);
    if (made === undefined) continue;
    const uses = [...notes.into, ...notes.conditions];
    const one: CompiledColumn = { ...made, uses, slot, position: columns.size };
    columns.set(id, one);
    computed.push(one);
  }
  return { columns, computed };
}

type Made = Omit<CompiledColumn, 'slot' | 'position' | 'uses'>;

function compileComputed(bench: Workbench, id: string, column: Column, path: YamlPath): Made | undefined {
  const taken = column.take === undefined ? {} : { take: column.take };
  if (column.formula !== undefined) {
    const source = formulaSource(bench, column.formula, [...path, 'formula']);
    if (source === undefined) return undefined;
    const feeders = [...new Set(source.columns.flatMap((one) => one.feeders))];
    return {
      id,
      type: source.type as CompiledColumn['type'],
      computed: source.read as CompiledColumn['computed'] & {},
      ...(source.negative && { negative: source.negative }),
      feeders,
      ...((source.params ?? []).length > 0 && { params: source.params! }),
      needs: [...new Set((source.alternatives[0] ?? []).flatMap((one) => one.needs))],
      ...taken,
    };
  }
  if (column.lookup !== undefined) {
    const source = lookupSource(bench, column.lookup, [...path, 'lookup'], {});
    if (source === undefined) return undefined;
    return {
      id,
      type: 'text',
      computed: source.read,
      feeders: [...new Set(source.columns.flatMap((one) => one.feeders))],
      ...((source.params ?? []).length > 0 && { params: source.params! }),
      needs: [...new Set((source.alternatives[0] ?? []).flatMap((one) => one.needs))],
      ...taken,
    };
  }
  if (column.classify === undefined) {
    bench.lint.report(path, 'mapping/no-source', { params: { pointer: id }, key: true });
    return undefined;
  }
  const classified = compileClassify(bench, column.classify, [...path, 'classify']);
  return classified && { id, ...classified, ...taken };
}
