import { isSameSheet, type Language } from '../core/issue.js';
import type { JsonValue } from '../core/json.js';
import { fold, similarity, withoutEnd } from '../core/text.js';
import type { Opened } from '../documents/opened.js';
import { withOwners } from '../documents/owner-rows.js';
import type { LoadedMapping } from '../mapping/load.js';
import { askingIds, type CompiledTable, isFlat, joiningColumns } from '../mapping/record.js';
import type { InputFile, RowSource } from '../tables/table.js';
import type { TableFit } from './assign.js';
import type { Fit } from './fit.js';
import { areNamedAlike, isDistinct, isEnough, mayBeIds, readId } from './keys.js';
import { ignoreAnswer, labelName } from './label-questions.js';
import { type LabelFit, likelyColumns } from './labels.js';
import { type Answer, type Answering, answersOf, type Question, rounded, tell } from './question.js';
import { type Placed, relabelled } from './sheet-questions.js';
import { firstRows, sheetPattern } from './sheets.js';
import { settledMapping } from './trial.js';
import { usesOf } from './uses.js';

/** A place of the mapping, and what is to stand there. */
export type Setting = readonly (readonly [path: readonly string[], value: JsonValue])[];

/** A column of a table and one of the table that makes the documents, whose values are the same. */
interface Pair {
  readonly local: LabelFit;
  readonly foreign: LabelFit;
  /** Share of the table's distinct values that the other has. */
  readonly overlap: number;
  readonly values: number;
  /** No two records of the other share a value. */
  readonly unique: boolean;
}

/** A table whose records are to be joined by what the file has, since it lacks what the mapping joins by. */
interface Unjoined {
  readonly fit: TableFit;
  readonly main: TableFit;
  /** Best first. */
  readonly pairs: readonly Pair[];
  /** The one that needs no question. */
  readonly sure: Pair | undefined;
}

/** A label that names the same column in both tables, and one that only its values speak for. */
const SAME_NAME = 0.9;
const BY_VALUES = 0.72;
const DOUBTFUL = 0.6;

/** True if a table lacks a column of each key that joins it, by these labels. */
const lacks = ({ table }: TableFit, labels: readonly LabelFit[]): boolean => {
  const likely = likelyColumns(labels);
  const isLacking = table.join?.keys.every(({ columns }) =>
    columns.some(({ feeders }) => feeders.length > 0 && !feeders.some(({ id }) => likely.has(id))),
  );
  return isLacking === true;
};

/** The table that makes the documents; of several sheets of it the one that has both documents and the number of the file's own. */
function mainOf({ tables, mapping }: Pick<Fit, 'tables' | 'mapping'>): TableFit | undefined {
  const mains = tables.filter(({ table }) => mapping.mains.includes(table));
  return mains.find(isHome) ?? mains[0];
}

const isHome = ({ header: { shared } }: TableFit): boolean =>
  shared !== undefined && shared.home === undefined;

const isDecided = ({ state, reason }: LabelFit): boolean => state === 'decided' && reason !== 'key';

/** The tables that surely have no column by which the mapping joins them: a sheet of the very name, or one that was answered. */
const lacking = ({ tables, mapping }: Fit): readonly TableFit[] =>
  tables.filter(
    (fit) =>
      !isFlat(fit.table) && !mapping.mains.includes(fit.table) && lacks(fit, fit.labels.filter(isDecided)),
  );

/** True if the likely joining column has values of the other table's. */
function isLikelyJoined(fit: TableFit, pairs: readonly Pair[]): boolean {
  const asked = new Set(askingIds(fit.table.join));
  const joins = (label: LabelFit, ids: ReadonlySet<string>): boolean =>
    [...likelyColumns([label])].some((id) => ids.has(id));
  return (
    !lacks(fit, fit.labels) &&
    pairs.some(
      ({ local, foreign, overlap }) =>
        isEnough(overlap, false) && joins(local, joiningIds(fit.table)) && joins(foreign, asked),
    )
  );
}

const mayIdentify = ({ content, reason }: LabelFit): boolean => reason !== 'declined' && mayBeIds(content);

/** Values of a column from the first record to the last. */
interface Values {
  readonly distinct: Set<string>;
  filled: number;
}

async function sourceOf({ sheet }: TableFit, inputs: readonly InputFile[]): Promise<RowSource | undefined> {
  const source = inputs
    .find(({ path }) => path === sheet.input.path)
    ?.tables.find((table) => isSameSheet(table, sheet.source));
  if (source === undefined || sheet.owners === undefined) return source;
  return withOwners(source, sheet.owners, await firstRows(source));
}

async function valuesOf(
  fit: TableFit,
  columns: readonly LabelFit[],
  inputs: readonly InputFile[],
): Promise<ReadonlyMap<LabelFit, Values>> {
  const found = new Map(
    columns.map((otherColumn): [LabelFit, Values] => [otherColumn, { distinct: new Set(), filled: 0 }]),
  );
  const source = await sourceOf(fit, inputs);
  if (source === undefined || columns.length === 0) return found;
  for await (const rows of source.batches())
    for (const { number, texts, kinds } of rows) {
      if (number <= fit.header.row.number) continue;
      for (const [{ column }, values] of found) {
        const text = texts[column];
        if (text === undefined || text.trim() === '') continue;
        const value = readId(text, kinds?.[column] ?? 'text');
        if (typeof value !== 'string') continue;
        values.distinct.add(value);
        values.filled += 1;
      }
    }
  return found;
}

const isNamedAlike = ({ local, foreign }: Pair): boolean => areNamedAlike(local, foreign);

const isGood = (pair: Pair): boolean => pair.unique && isEnough(pair.overlap, isNamedAlike(pair));

const rank = (pair: Pair): number =>
  (isNamedAlike(pair) ? 2 : 0) +
  (pair.unique ? 1 : 0) +
  pair.overlap +
  similarity(pair.local.label ?? '', pair.foreign.label ?? '') / 10;

/** Ids of the columns that a table is joined by, or that those are found by. */
const joiningIds = ({ join }: CompiledTable): ReadonlySet<string> =>
  new Set(joiningColumns(join).flatMap(({ feeders }) => feeders.map(({ id }) => id)));

/** A column that its own words already mean something else by is no key. */
const isFree = ({ state, means, table }: LabelFit): boolean =>
  state !== 'decided' || (means !== undefined && joiningIds(table).has(means));

/**
 * Finds by whole columns what tables join by if their labels do not say it.
 * Only a column of one name in both tables, that is no count of rows, is taken unasked.
 */
async function unjoinedTables(opened: Opened, fit: Fit): Promise<readonly Unjoined[]> {
  const tables = lacking(fit);
  if (tables.length === 0) return [];
  const main = mainOf(fit);
  if (main === undefined) return [];
  const inputs = await opened.inputs();
  const there = await valuesOf(
    main,
    main.labels.filter((otherLabel) => mayIdentify(otherLabel) && isDistinct(otherLabel.content)),
    inputs,
  );
  const found: Unjoined[] = [];
  for (const table of tables) {
    const local = await valuesOf(
      table,
      table.labels.filter((otherLabel) => mayIdentify(otherLabel) && isFree(otherLabel)),
      inputs,
    );
    const pairs = [...local].flatMap(([label, { distinct }]) =>
      [...there].flatMap(([other, values]): Pair[] => {
        const shared = [...distinct].filter((value) => values.distinct.has(value)).length;
        if (shared === 0) return [];
        const unique = values.distinct.size === values.filled;
        return [
          { local: label, foreign: other, overlap: shared / distinct.size, values: distinct.size, unique },
        ];
      }),
    );
    const sorted = pairs.sort((a, b) => rank(b) - rank(a));
    if (isLikelyJoined(table, sorted)) continue;
    const good = sorted.filter(isGood);
    const named = good.filter((pair) => isNamedAlike(pair) && !pair.local.content.counts);
    found.push({ fit: table, main, pairs: sorted, sure: named.length === 1 ? named[0] : undefined });
  }
  return found;
}

const MAX_SHOWN = 4;

const nameOf = (fit: LabelFit): string => labelName(fit) || fit.key;

/** `ID_USUARIO`, or `ID_USUARIO=ID` where the other table has it under another label. */
const answerFor = (local: LabelFit, foreign: LabelFit): string =>
  nameOf(local) === nameOf(foreign) ? nameOf(local) : `${nameOf(local)}=${nameOf(foreign)}`;

/** An answer and how it is spelt in full, be both columns called alike or not. */
const spelt = (
  here: LabelFit,
  foreign: LabelFit,
): Pick<Answer, 'value'> & { readonly also: readonly string[] } => ({
  value: answerFor(here, foreign),
  also: [`${nameOf(here)} = ${nameOf(foreign)}`],
});

/** The column by which a table belongs to the documents, where the mapping's own is not there. */
function joinQuestion({ fit, main, pairs }: Unjoined, language: Language): Question {
  const good = pairs.filter(isGood);
  const answer = (pair: Pair): Answer => {
    const sure = good.length === 1 ? BY_VALUES : DOUBTFUL;
    const score = isNamedAlike(pair) && isGood(pair) ? SAME_NAME : pair === good[0] ? sure : DOUBTFUL;
    return {
      ...spelt(pair.local, pair.foreign),
      score: rounded(score * pair.overlap),
      title: tell(language, pair.unique ? 'joinShare' : 'joinRepeated', {
        local: nameOf(pair.local),
        foreign: nameOf(pair.foreign),
        table: main.sheet.name,
        percent: Math.floor(pair.overlap * 100),
        count: pair.values,
      }),
    };
  };
  const every = fit.labels.flatMap((local) =>
    main.labels.map((foreign): Answer => {
      const pair = spelt(local, foreign);
      const params = { label: nameOf(foreign), table: main.sheet.name };
      const isRepeated = foreign.content.distinct.length < foreign.content.filled.length;
      return {
        ...pair,
        title: pair.value,
        ...(isRepeated && { reason: tell(language, 'joinRepeats', params) }),
      };
    }),
  );
  return {
    id: `join.${fit.table.id}`,
    path: ['tables', fit.table.id, 'join', 'on'],
    title: tell(language, 'join', { sheet: fit.sheet.name, table: main.sheet.name }),
    samples: [],
    ...answersOf(
      [
        ...pairs.slice(0, MAX_SHOWN).map(answer),
        { ...ignoreAnswer(language), title: tell(language, 'joinIgnore', { sheet: fit.sheet.name }) },
      ],
      every,
    ),
  };
}

/** The pair that an answer names. */
function joinAnswered({ fit, main, pairs }: Unjoined, value: string): Pair | undefined {
  const known = pairs.find(({ local, foreign }) => fold(answerFor(local, foreign)) === fold(value));
  if (known !== undefined) return known;
  for (const local of fit.labels)
    for (const foreign of main.labels)
      if (answerFor(local, foreign) === value)
        return { local, foreign, overlap: 0, values: 0, unique: false };
  return undefined;
}

/** An id for a column that the mapping does not know: `ID USUARIO` → id_usuario. */
function idOf(label: LabelFit): string {
  const { columns } = label.table;
  const plain = fold(nameOf(label))
    .normalize('NFD')
    .replace(/[^a-z0-9]+/g, '_')
    .replace(/^[^a-z]+/, '');
  const id = withoutEnd(plain, /_/) || 'join_key';
  return columns.has(id) ? `own_${id}` : id;
}

/** Ids of the two columns in the mapping. */
interface Ids {
  readonly localId: string;
  readonly foreignId: string;
}

/** Returns the number of the program by which the mapping itself looks a table up, if no label has it yet. */
function linkOf(pair: Pair, { uses, labels }: Fit): string | undefined {
  const { table, sheet } = pair.foreign;
  const taken = labels.flatMap((label) =>
    label.table === table && label.sheet === sheet ? (label.means ?? []) : [],
  );
  const links = [...table.columns.values()].filter((column) => uses.links.has(column));
  return askingIds(pair.local.table.join).find(
    (id) => links.some((column) => column.id === id) && !taken.includes(id),
  );
}

const idsOf = (pair: Pair, fit: Fit): Ids => ({
  localId: pair.local.means ?? idOf(pair.local),
  foreignId: pair.foreign.means ?? linkOf(pair, fit) ?? idOf(pair.foreign),
});

const declared = (...labels: readonly LabelFit[]): JsonValue => ({
  titles: [...new Set(labels.map((label) => label.label ?? nameOf(label)))],
  read: 'identifier',
});

/** Returns the settings of a table that joins by its own columns. */
function joinSettings(
  { fit }: Unjoined,
  { local, foreign }: Pair,
  { localId, foreignId }: Ids,
  mapping: LoadedMapping,
): Setting {
  const { table } = fit;
  const there = foreign.table;
  const asked = table.spec.header?.must_have ?? [];
  const dropped = [...joiningIds(table)].filter((id) => id !== localId);
  // Counts and conditions may name the only column that it was joined by.
  const replaced: JsonValue = dropped.length > 1 ? null : { formula: localId };
  const before = table.spec.join?.on ?? [];
  const isMap = typeof before === 'object' && !Array.isArray(before);
  const on: JsonValue = isMap
    ? { ...Object.fromEntries(Object.keys(before).map((id) => [id, null])), [localId]: foreignId }
    : localId === foreignId
      ? localId
      : { [localId]: foreignId };
  const at = (id: string, ...path: string[]): string[] => ['tables', id, ...path];
  const must = [localId, ...asked.filter((id) => !dropped.includes(id) && id !== localId)];
  const isMain = mapping.mains.includes(there);
  return [
    ...(isMain && !there.columns.has(foreignId)
      ? [[at(there.id, 'columns', foreignId), declared(foreign)] as const]
      : []),
    ...(table.columns.has(localId) ? [] : [[at(table.id, 'columns', localId), declared(local)] as const]),
    ...dropped.map((id) => [at(table.id, 'columns', id), replaced] as const),
    [at(table.id, 'join', 'on'), on],
    ...(table.spec.join?.else_on === undefined ? [] : [[at(table.id, 'join', 'else_on'), null] as const]),
    [at(table.id, 'header', 'must_have'), must],
  ];
}

/** Returns the settings that tell documents apart by a shared key, if the sheets that make them have no document. */
function ownKeySettings({ tables, mapping }: Fit): Setting | undefined {
  const isOwn = ({ table, header }: TableFit): boolean =>
    mapping.mains.includes(table) && header.shared?.home !== undefined;
  const child = tables.find(isOwn);
  const home = tables.find(({ header }) => header.row === child?.header.shared?.home?.row);
  const label = home?.labels.find(({ column }) => column === home.header.shared?.column);
  if (child === undefined || home === undefined || label === undefined) return undefined;
  const id = idOf(label);
  const at = (...path: string[]): string[] => ['tables', home.table.id, ...path];
  const others = tables.flatMap(({ labels, header: { shared } }) =>
    labels.filter(({ column }) => shared?.home?.row === home.header.row && column === shared.column),
  );
  const column = [at('columns', id), declared(label, ...(home.table === child.table ? others : []))] as const;
  if (home.table === child.table)
    return [column, [at('header', 'must_have'), [id]], [['one_per'], { key: [id], of: [home.table.id] }]];
  const [document] = home.table.join?.keys[0]?.columns ?? [];
  const key = child.table.columns.get(mapping.key[0]);
  if (document === undefined || key === undefined) return undefined;
  const leaves = mapping.fields.filter(
    ({ sources: [{ kind }] }) => kind.is === 'column' && kind.column === key,
  );
  return [
    column,
    [at('join', 'on'), { [id]: key.id }],
    ...leaves.map(({ path }) => [path.map(String), { from: `${home.table.id}.${document.id}` }] as const),
  ];
}

/** Applies those settings to the fit; it stays as it is if there are none. */
function ownKeyed({ fit, sheets }: Placed): Pick<Placed, 'fit' | 'sheets'> & { readonly settings: Setting } {
  const settings = ownKeySettings(fit);
  if (settings === undefined) return { fit, sheets, settings: [] };
  const mapping = settledMapping(fit, settings);
  const now = relabelled({ ...fit, mapping, uses: usesOf(mapping, fit.uses.without) }, fit.tables);
  const mains = now.tables.filter(({ table }) => mapping.mains.includes(table));
  // Sheets of concepts have that number as well.
  const [first, second] = mains;
  const named =
    first && second ? [[first.table.id, mains.map(({ sheet }) => sheetPattern(sheet))] as const] : [];
  return { fit: now, sheets: new Map([...sheets, ...named]), settings };
}

/** Joins tables by what the file has, where the mapping's own columns are not there; those left open are read once they are answered. */
export async function joinTables(
  opened: Opened,
  placed: Placed,
  answering: Answering,
  language: Language,
): Promise<Placed & { readonly settings: Setting }> {
  const { fit, sheets, settings: ofMains } = ownKeyed(placed);
  const open = [...placed.open];
  const kept = new Map(placed.kept);
  const settings: Setting[number][] = [...ofMains];
  const unread = new Set<TableFit>();
  const pairs: (Pair & Ids)[] = [];
  for (const item of await unjoinedTables(opened, fit)) {
    const question = joinQuestion(item, language);
    const value = answering.answerTo(question);
    const pair = value === undefined ? item.sure : joinAnswered(item, value);
    if (value !== undefined) kept.set(question.id, value);
    if (pair !== undefined) {
      const ids = idsOf(pair, fit);
      pairs.push({ ...pair, ...ids });
      settings.push(...joinSettings(item, pair, ids, fit.mapping));
    } else {
      unread.add(item.fit);
      if (value === undefined) open.push(question);
    }
  }
  if (settings.length + unread.size === ofMains.length) return { ...placed, fit, sheets, settings };
  const mapping = settledMapping(fit, settings);
  const settled = { ...fit, mapping, uses: usesOf(mapping, fit.uses.without) };
  const now = relabelled(
    settled,
    fit.tables.filter((table) => !unread.has(table)),
  );
  const joined = (label: LabelFit): LabelFit => {
    const pair = pairs.find(({ local, foreign }) =>
      [local, foreign].some((item) => isSameLabel(item, label)),
    );
    if (pair === undefined) return label;
    const { [isSameLabel(pair.local, label) ? 'localId' : 'foreignId']: means } = pair;
    return { ...label, state: 'decided', means, reason: 'words' };
  };
  const tables = now.tables.map((table) => ({ ...table, labels: table.labels.map(joined) }));
  return {
    ...placed,
    sheets,
    fit: { ...now, tables, labels: tables.flatMap(({ labels }) => labels) },
    open,
    kept,
    settings,
  };
}

const isSameLabel = (a: LabelFit, b: LabelFit): boolean =>
  a.sheet === b.sheet && a.table.id === b.table.id && a.column === b.column;
