import type { Agreeing, Column, Formats, MappingFile, Table } from '../../generated/mapping-types.js';
import { OWN_HEADERS, PART_HEADER } from '../../generated/texts-report.js';
import { multiply } from '../core/decimal.js';
import { required } from '../core/required.js';
import { isWild, squash, suggest, wildcard } from '../core/text.js';
import { type IgnoredColumns, parseLetterLabel, type WantedColumn } from '../tables/header.js';
import { partNamer } from '../tables/part-names.js';
import { labelForms, titleMatcher } from '../tables/titles.js';
import { compileClassify } from './classify.js';
import { lookupSource } from './lookup-source.js';
import type { CompiledParam } from './params.js';
import {
  type CellReader,
  createCellReader,
  READ_KINDS,
  type ReadKind,
  type ReadOptions,
} from './read/cell.js';
import { prefixReader } from './read/prefix.js';
import type { CompiledColumn, CompiledTable, Control, JoinKey, Trust } from './record.js';
import {
  columnOf,
  findColumn,
  inOrder,
  noUsedColumns,
  ownWords,
  paramOf,
  type Scope,
  type UsedColumns,
} from './scope.js';
import { formulaSource } from './source.js';
import type { Synonyms } from './synonyms.js';
import { withAdded } from './vocabulary.js';
import type { Lint, YamlPath } from './yaml-source.js';

type ReadColumn = Column & { readonly read: ReadKind };

const isTyped = (column: Column): column is ReadColumn => column.read !== undefined;

const listOf = (words: string | readonly string[] | undefined): readonly string[] =>
  words === undefined ? [] : [words].flat();

function readerOf(
  column: ReadColumn,
  formats: Formats,
  trust: Trust & Pick<ReadOptions, 'choices' | 'words'> & Pick<ReadOptions, 'blanks' | 'isLiteral' | 'holds'>,
): CellReader {
  const { decimal, date, blanks = [], scale } = formats;
  const read = createCellReader(column.read, {
    ...(typeof decimal === 'string' && { decimal }),
    ...(typeof date === 'string' && { date }),
    ...trust,
    blanks: [...blanks, ...(trust.blanks ?? [])],
    ...(column.zero_is_blank && { zeroIsBlank: true }),
  });
  if (scale === undefined || column.read !== 'money') return read;
  return (text, kind) => {
    const value = read(text, kind);
    return typeof value === 'string' ? multiply(value, String(scale)) : value;
  };
}

interface ColumnSite {
  readonly tableIndex: number;
  readonly position: number;
  readonly formats: Formats | undefined;
  readonly synonyms: Synonyms;
  readonly lint: Lint;
  readonly path: YamlPath;
  /** True if titles are not needed: a label or position names the column. */
  readonly named: boolean;
  /** True if the table is a parameter whose keys are the ids of the columns. */
  readonly given: boolean;
  /** True if several labels of the table have its id. */
  readonly several: boolean;
}

/** Compiles a read column; without titles it has those of the synonyms for its id. */
function compileRead(id: string, column: ReadColumn, site: ColumnSite): CompiledColumn {
  const { tableIndex, position, synonyms, lint, path } = site;
  const known = column.titles ?? synonyms.columns[id] ?? [];
  const fieldNames = synonyms.fields[id];
  const said = fieldNames === undefined ? known : withAdded(known, fieldNames);
  const titles = site.given ? [...said, id] : said;
  if (titles.length === 0 && !site.named && column.position === undefined)
    lint.report(path, 'mapping/no-titles', { params: { column: id }, key: true });
  const choices = column.read === 'choice' ? (column.choices ?? synonyms.choices[id]) : undefined;
  if (column.read === 'choice' && choices === undefined)
    lint.report(path, 'mapping/no-choices', { params: { column: id }, key: true });
  const type = READ_KINDS[column.read].type;
  const several = column.several === true || site.several;
  if (several && type !== 'decimal')
    lint.report(path, 'mapping/several-not-amounts', { params: { column: id }, key: true });
  const formats = { ...site.formats, ...column.formats };
  const groups = listOf(column.groups);
  const words = synonyms.decidedChoices.get(id);
  const { blanks = [] } = column;
  const empty = typeof blanks === 'string' ? synonyms.blanks[blanks] : blanks;
  if (empty === undefined)
    site.lint.report([...site.path, 'blanks'], 'mapping/unknown-blanks', { value: String(blanks) });
  const trusted = {
    ...(choices && { choices }),
    ...(words && { words }),
    blanks: empty ?? [],
    isLiteral: column.blanks?.length === 0,
    holds: () => compiled.holds,
  };
  const prefixOf = column.prefix && prefixReader(column.prefix.words);
  const readAs = (voted: Formats, trust: Trust): CellReader => {
    const reader = readerOf(column, { ...formats, ...voted }, { ...trust, ...trusted });
    return prefixOf === undefined ? reader : (text, kind) => reader(prefixOf(text)?.rest ?? text, kind);
  };
  const feeders: CompiledColumn[] = [];
  const needs: CompiledColumn[] = [];
  const wanted: WantedColumn = {
    id,
    titles,
    ...(groups.length > 0 && { groups }),
    ...(column.position && { position: column.position }),
    ...(several && { several }),
  };
  const compiled: CompiledColumn = {
    id,
    wanted,
    tableIndex,
    position,
    type,
    kind: column.read,
    read: readAs({}, {}),
    readAs,
    formats,
    feeders,
    needs,
    uses: [],
    readings: [],
    ...(choices && { choices }),
    ...(column.take && { take: column.take }),
    ...(column.sign !== undefined && { sign: column.sign }),
    ...(column.default_time !== undefined && { defaultTime: column.default_time }),
    ...(prefixOf && column.prefix?.column && { prefix: { column: column.prefix.column, of: prefixOf } }),
    ...(column.doubtful && { doubtful: column.doubtful }),
    ...(column.usual && { usual: listOf(column.usual) }),
  };
  feeders.push(compiled);
  needs.push(compiled);
  return compiled;
}

/** Compiles a moment whose time is in another column. */
function linkTime(column: CompiledColumn, time: CompiledColumn): void {
  column.times = [...(column.times ?? []), time];
  for (const list of [column.feeders, column.uses]) (list as CompiledColumn[]).push(time);
}

interface TableSite {
  readonly file: MappingFile;
  readonly synonyms: Synonyms;
  readonly params: ReadonlyMap<string, CompiledParam>;
  readonly lint: Lint;
  /** Columns that conditions of tables read, and that control records state. */
  readonly uses: UsedColumns;
  readonly control: UsedColumns;
}

/** Compiles the tables of a mapping by id, including groups of repeated columns. */
export function compileTables(site: TableSite): ReadonlyMap<string, CompiledTable> {
  const tables = new Map<string, CompiledTable>();
  const add = (id: string, spec: Table, path: YamlPath, parent?: CompiledTable): CompiledTable => {
    const tableIndex = tables.size;
    const { columns, computed } = compileColumns(spec, tableIndex, site, path, parent);
    const repeated: CompiledTable[] = [];
    const table: CompiledTable = {
      id,
      tableIndex,
      spec,
      columns,
      computed,
      repeated,
      ignored: compileIgnored(spec, columns, site, path),
      skips: [],
      headings: [],
      unpivot: [],
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
  const scope: Scope = { ...site, tables, open: [], named: new Map(), notes: site.uses };
  for (const table of tables.values()) finish(table, scope, ['tables', table.id], site.control);
  return tables;
}

/** Compiles skips and header conditions, which see only the table's columns. */
function finish(table: CompiledTable, scope: Scope, path: YamlPath, control: UsedColumns): void {
  // Columns that are only sought in a header are not used by it.
  const quiet: Scope = { ...scope, open: [table], notes: noUsedColumns() };
  const inTable: Scope = { ...scope, open: [table] };
  const { spec } = table;
  for (const [index, id] of (spec.header?.must_have ?? []).entries())
    columnOf(quiet, id, [...path, 'header', 'must_have', index]);
  for (const [label, id] of Object.entries(spec.labels ?? {})) {
    if (typeof id !== 'string' || id === 'ignore') continue;
    const at = [...path, 'labels', label];
    const column = columnOf(quiet, id, at);
    if (column !== undefined && column.wanted === undefined)
      scope.lint.report(at, 'mapping/label-of-computed', { value: id });
  }
  for (const [id, { sign, default_time }] of Object.entries(spec.columns))
    for (const [key, param] of Object.entries({ sign, default_time }))
      if (param !== undefined) paramOf(scope, param, [...path, 'columns', id, key]);
  if (spec.fill_down !== undefined) {
    const at = [...path, 'fill_down'];
    const filled = listOf(spec.fill_down.columns).flatMap(
      (id) => columnOf(quiet, id, [...at, 'columns']) ?? [],
    );
    const { param: name } = spec.fill_down;
    const param = name === undefined ? undefined : paramOf(scope, name, [...at, 'param']);
    const once =
      spec.fill_down.once === undefined
        ? undefined
        : formulaSource(inTable, spec.fill_down.once, [...at, 'once'], 'boolean');
    table.fillDown = { columns: filled, ...(param && { param: param.name }), ...(once && { once }) };
    if (param !== undefined && param.type !== 'boolean')
      scope.lint.report([...at, 'param'], 'mapping/type', {
        params: { expected_type: 'boolean', found_type: param.type },
      });
  }
  checkPositions(table, scope.lint, path);
  checkParts(spec, scope.lint, path);
  if (spec.param !== undefined && paramOf(scope, spec.param, [...path, 'param'])?.spec.type !== 'table')
    scope.lint.report([...path, 'param'], 'mapping/no-effect', {
      value: 'param',
      params: { needs: 'type: table' },
    });
  table.unpivot = (spec.unpivot ?? []).flatMap(
    (id, index) => columnOf(quiet, id, [...path, 'unpivot', index]) ?? [],
  );
  for (const column of table.unpivot) column.apart = true;
  if (spec.split !== undefined) {
    const { sorts } = columnOf(quiet, spec.split, [...path, 'split']) ?? {};
    if (sorts !== undefined) table.split = sorts;
    else
      scope.lint.report([...path, 'split'], 'mapping/no-effect', {
        value: 'split',
        params: { needs: 'classify' },
      });
  }
  table.skips = (spec.skip ?? []).flatMap((skip, index) => {
    const at = [...path, 'skip', index];
    const when = formulaSource(inTable, skip.when, [...at, 'when'], 'boolean');
    if (when === undefined) return [];
    const totals =
      skip.control && compileControl({ ...inTable, notes: control }, table, skip.control, [...at, 'control']);
    const { note, proven = false, since = proven ? 'either' : 'start' } = skip;
    const values = listOf(skip.values).flatMap((id) => columnOf(inTable, id, [...at, 'values']) ?? []);
    return [{ when, note, values, since, proven, ...(totals && { control: totals }) }];
  });
  table.headings = (spec.headings ?? []).flatMap(({ names, that, message, fix }, index) => {
    const holds = formulaSource(inTable, that, [...path, 'headings', index, 'that'], 'boolean');
    const fitting = names.map((name) => wildcard(name));
    const params = ownWords(message, fix);
    return holds
      ? [{ fits: (folded: string) => fitting.some((fits) => fits(folded)), that: holds, params }]
      : [];
  });
}

/** Checks that side-by-side parts have distinct names in the header. */
function checkParts({ side_by_side, header }: Table, lint: Lint, path: YamlPath): void {
  if (side_by_side === undefined) return;
  const at = [...path, 'side_by_side'];
  if (header?.none)
    lint.report(at, 'mapping/no-effect', {
      value: 'side_by_side',
      params: { needs: 'a header' },
      key: true,
    });
  const known = new Map<string, number>();
  for (const [part, names] of side_by_side.entries())
    for (const name of [names].flat()) {
      const text = squash(name);
      const first = known.get(text);
      if (text === '' || (first !== undefined && first !== part))
        lint.report([...at, part], 'mapping/part-twice', { value: name });
      known.set(text, part);
    }
}

/** Checks that columns have positions if and only if the table has no header. */
function checkPositions({ spec, parent }: CompiledTable, lint: Lint, path: YamlPath): void {
  const headless = (parent ?? { spec }).spec.header?.none === true;
  for (const [id, column] of Object.entries(spec.columns)) {
    const at = [...path, 'columns', id];
    // Columns of the base without a position are not in the file.
    if (headless && isTyped(column) && column.position === undefined && !lint.inherits(at))
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
  scope: Scope,
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
    const column = columnOf(scope, id, [...path, id]);
    const summed = [sums].flat().flatMap((sumId) => columnOf(scope, sumId, [...path, id]) ?? []);
    for (const amount of [column, ...summed])
      if (amount !== undefined && amount.type !== 'decimal')
        scope.lint.report([...path, id], 'mapping/type', {
          params: { expected_type: 'decimal', found_type: amount.type },
        });
    if (column !== undefined) control.set(column, summed);
  }
  return control;
}

/** Returns true if columns of some groups may be under others; without groups they may be anywhere. */
const meet = (groups: readonly string[], others: readonly string[] = []): boolean =>
  groups.length === 0 ||
  others.length === 0 ||
  others.some((other) => titleMatcher(groups).closeness(labelForms(other)) > 0);

const plainTitles = (titles: readonly string[]): string[] => titles.filter((title) => !isWild(title));

/** Titles of the columns that an annotated copy or a workbook of rows to fix adds. */
const ADDED_COLUMNS: IgnoredColumns = {
  reason: 'cargue',
  titles: [...Object.values(OWN_HEADERS), PART_HEADER].flatMap((header) => Object.values(header)),
  positions: [],
};

/** Compiles the ignored titles of a table; one that it also reads is an error. */
function compileIgnored(
  spec: Table,
  columns: ReadonlyMap<string, CompiledColumn>,
  { synonyms, lint }: TableSite,
  path: YamlPath,
): readonly IgnoredColumns[] {
  const wanted = [...columns.values()].flatMap((column) => column.wanted ?? []);
  const written = wanted.filter(({ id }) => !lint.inherits([...path, 'columns', id]));
  const declared = (spec.ignore ?? []).map(
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
      const ignoring = { reason, ...(under.length > 0 && { groups: under }) };
      if (lint.inherits(at)) {
        // A mapping may want columns that its base ignores.
        const sameGroup = written.filter((column) => meet(under, column.groups));
        const wantedTitles = titleMatcher(sameGroup.flatMap((column) => column.titles));
        const isWanted = (title: string): boolean => wantedTitles.closeness(labelForms(title)) > 0;
        return {
          ...ignoring,
          titles: all.filter((title) => !isWanted(title)),
          positions: positions.filter((place) => !written.some(({ position }) => position === place)),
        };
      }
      if (lint.shipped) return { ...ignoring, titles: all, positions };
      const ignored = titleMatcher(plainTitles(all));
      const isIgnored = (title: string): boolean => ignored.closeness(labelForms(title)) > 0;
      const clash = (column: WantedColumn): boolean =>
        (column.position !== undefined && positions.includes(column.position)) ||
        (meet(under, column.groups) && plainTitles(column.titles).some(isIgnored));
      for (const column of written)
        if (clash(column)) lint.report(at, 'mapping/ignored-wanted', { value: column.id });
      // A mapping may ignore titles that its base reads.
      for (const column of columns.values())
        if (column.wanted && !written.includes(column.wanted) && clash(column.wanted))
          column.wanted = {
            ...column.wanted,
            titles: column.wanted.titles.filter((title) => isWild(title) || !isIgnored(title)),
          };
      return { ...ignoring, titles: all, positions };
    },
  );
  return [...declared, ADDED_COLUMNS];
}

/** Returns the ids that several labels share, within a part if there are side-by-side parts. */
function sharedIn({ labels = {}, side_by_side = [] }: Table): ReadonlySet<unknown> {
  const partOf = partNamer(side_by_side.map((names) => [names].flat()));
  const seen = new Set<string>();
  const shared = Object.entries(labels).filter(([label, id]) => {
    // By its letter a column is added to those of either.
    const part = parseLetterLabel(label) === undefined ? partOf(label)?.part : undefined;
    const key = `${part} ${id}`;
    return seen.has(key) || !seen.add(key);
  });
  return new Set(shared.map(([, id]) => id));
}

/** Compiles the columns of a table that are read from cells. */
function compileReads(
  spec: Table,
  tableIndex: number,
  { synonyms, lint }: TableSite,
  path: YamlPath,
): Map<string, CompiledColumn> {
  const columns = new Map<string, CompiledColumn>();
  const labelled = Object.values(spec.labels ?? {});
  const added = sharedIn(spec);
  for (const [id, column] of Object.entries(spec.columns))
    if (isTyped(column))
      columns.set(
        id,
        compileRead(id, column, {
          tableIndex,
          position: columns.size,
          formats: spec.formats,
          synonyms,
          lint,
          path: [...path, 'columns', id],
          named: labelled.includes(id),
          given: spec.param !== undefined,
          // Labels that share an id are added up, as the mapping says so; of several sheets each may call it otherwise.
          several:
            added.has(id) && (!(spec.spread || spec.every) || READ_KINDS[column.read].type === 'decimal'),
        }),
      );
  for (const [id, { time }] of Object.entries(spec.columns)) {
    for (const timeId of listOf(time ?? [])) {
      const timeColumn = columns.get(timeId);
      if (timeColumn?.kind === 'time') linkTime(required(columns, id), timeColumn);
      else lint.report([...path, 'columns', id, 'time'], 'mapping/unknown-column', { value: timeId });
    }
  }
  return columns;
}

/** Compiles the columns of a table: read ones first, then computed ones after those they need. */
function compileColumns(
  spec: Table,
  tableIndex: number,
  site: TableSite,
  path: YamlPath,
  parent: CompiledTable | undefined,
): Pick<CompiledTable, 'columns' | 'computed'> {
  const { synonyms, params, lint, control } = site;
  const columns = compileReads(spec, tableIndex, site, path);
  const waiting = new Map(Object.entries(spec.columns).filter(([, column]) => !isTyped(column)));
  const computed: CompiledColumn[] = [];
  const table = {
    id: '',
    tableIndex,
    spec,
    columns,
    computed,
    repeated: [],
    ignored: [],
    skips: [],
    headings: [],
    unpivot: [],
    identity: [],
    single: false,
  } satisfies CompiledTable;
  const open: CompiledTable[] = parent === undefined ? [table] : [table, parent];
  const scope: Scope = {
    lint,
    tables: new Map(),
    open,
    params,
    named: new Map(),
    synonyms,
    notes: noUsedColumns(),
  };
  const { ordered, circle } = inOrder(waiting, ({ formula, classify, lookup }) =>
    JSON.stringify([formula, classify, lookup?.match]),
  );
  for (const id of circle) lint.report([...path, 'columns', id], 'mapping/cycle', { value: id, key: true });
  for (const [id, column] of ordered) {
    const notes = noUsedColumns();
    const compiled = compileComputed({ ...scope, notes }, id, column, [...path, 'columns', id]);
    if (compiled === undefined) continue;
    const uses = [...notes.into, ...notes.conditions];
    const placed: CompiledColumn = { ...compiled, uses, tableIndex, position: columns.size };
    columns.set(id, placed);
    computed.push(placed);
    if (column.classify?.only !== undefined) control.into.add(placed);
  }
  return { columns, computed };
}

function compileComputed(
  scope: Scope,
  id: string,
  column: Column,
  path: YamlPath,
): Omit<CompiledColumn, 'tableIndex' | 'position' | 'uses'> | undefined {
  const { take, formula, lookup, classify } = column;
  const taken = take === undefined ? {} : { take };
  if (classify !== undefined) {
    const classified = compileClassify(scope, classify, [...path, 'classify']);
    return classified && { id, ...classified, ...taken };
  }
  if (formula === undefined && lookup === undefined)
    scope.lint.report(path, 'mapping/no-source', { params: { pointer: id }, key: true });
  const source =
    formula !== undefined
      ? formulaSource(scope, formula, [...path, 'formula'])
      : lookup && lookupSource(scope, lookup, [...path, 'lookup'], {});
  if (source === undefined) return undefined;
  const { columns, params = [], negative } = source;
  return {
    id,
    type: formula === undefined ? 'text' : (source.type as CompiledColumn['type']),
    computed: source.read as CompiledColumn['computed'] & {},
    ...(negative && { negative }),
    feeders: [...new Set(columns.flatMap((used) => used.feeders))],
    ...(params.length > 0 && { params }),
    needs: [...new Set((source.alternatives[0] ?? []).flatMap((used) => used.needs))],
    ...taken,
  };
}

/** Returns true if `table.column` is of a table joined above with at most one record. */
function isJoinedAbove({ tables }: Scope, below: CompiledTable, id: string): boolean {
  const [name = '', column] = id.split('.');
  const above = tables.get(name);
  return (
    column !== undefined &&
    above?.join?.many === false &&
    above.spec.side_by_side === undefined &&
    above.tableIndex < below.tableIndex &&
    above.columns.has(column)
  );
}

/** Compiles the columns with names of files. */
export function compileLists(scope: Scope): void {
  for (const table of scope.tables.values()) {
    const { lists } = table.spec;
    if (lists === undefined) continue;
    const columnFor = (key: 'file' | 'records', id: string): CompiledColumn | undefined =>
      columnOf({ ...scope, open: [table] }, id, ['tables', table.id, 'lists', key]);
    const file = columnFor('file', lists.file);
    const records = lists.records === undefined ? undefined : columnFor('records', lists.records);
    if (file !== undefined) table.lists = { file, ...(records && { records }) };
  }
}

function compileJoinKey(
  scope: Scope,
  table: CompiledTable,
  mains: readonly CompiledTable[],
  agreeing: Agreeing,
  path: YamlPath,
): JoinKey {
  const pairs =
    typeof agreeing === 'string' || Array.isArray(agreeing)
      ? [agreeing].flat().map((id) => [id, id] as const)
      : Object.entries(agreeing);
  const columns = pairs.flatMap(([id]) => columnOf({ ...scope, open: [table] }, id, path) ?? []);
  const primary = pairs.flatMap(([, id]) => {
    if (mains.every(({ columns }) => columns.has(id)) || isJoinedAbove(scope, table, id)) {
      for (const main of mains) findColumn({ ...scope, open: [main] }, id);
      return [id];
    }
    const known = mains.flatMap(({ columns }) => [...columns.keys()]);
    scope.lint.report(path, 'mapping/unknown-column', { value: id, suggestions: suggest(id, known, 1) });
    return [];
  });
  return { columns, primary };
}

/** Compiles joins, after the primary tables are known. */
export function compileJoins(scope: Scope, mains: readonly CompiledTable[]): void {
  for (const table of scope.tables.values()) {
    const { join, role } = table.spec;
    if (mains.includes(table))
      for (const key of ['join', 'role'] as const)
        if (key === 'join' ? join !== undefined : role !== undefined && role !== 'data')
          scope.lint.report(['tables', table.id, key], 'mapping/no-effect', {
            value: key,
            params: { needs: 'a table outside one_per' },
            key: true,
          });
    if (join === undefined || mains.includes(table)) continue;
    const path = ['tables', table.id, 'join'];
    const { every = false } = join;
    const keys = (['on', 'else_on'] as const).flatMap((name): JoinKey[] => {
      const agreeing = join[name] ?? (every && name === 'on' ? [] : undefined);
      return agreeing === undefined ? [] : [compileJoinKey(scope, table, mains, agreeing, [...path, name])];
    });
    const whose = Object.entries(join.whose ?? {}).flatMap(([id, other]) => {
      const column = columnOf({ ...scope, open: [table] }, id, [...path, 'whose', id]);
      if (mains.every(({ columns }) => columns.has(other))) return column ? [{ column, primary: other }] : [];
      const value = other;
      scope.lint.report([...path, 'whose', id], 'mapping/unknown-column', { value });
      return [];
    });
    if (whose.length > 0 && keys.some(({ primary }) => primary.some((id) => id.includes('.'))))
      scope.lint.report([...path, 'whose'], 'mapping/no-effect', {
        value: 'whose',
        params: { needs: 'on columns of the main tables' },
        key: true,
      });
    const side = table.spec.role === 'side';
    table.join = {
      every,
      keys,
      whose,
      many: join.many === true,
      missing: join.missing ?? 'ignore',
      orphan: join.orphan ?? (side || every ? 'ignore' : 'error'),
    };
  }
}
