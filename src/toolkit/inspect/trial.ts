import { type Issue, type IssueCode, isSameSheet, type Place, paramOf } from '../core/issue.js';
import { isObject, type JsonValue } from '../core/json.js';
import { firstOfEach } from '../core/remember.js';
import { required } from '../core/required.js';
import { fold } from '../core/text.js';
import { yaml } from '../core/yaml.js';
import { type Located, locate } from '../documents/locate.js';
import type { RunCompany } from '../documents/other-company.js';
import type { Derive, DocumentSequence, Hooks, Plan } from '../documents/phases.js';
import { run } from '../documents/run.js';
import { compileMapping, type LoadedMapping } from '../mapping/load.js';
import { type ResolvedParams, resolveParams } from '../mapping/params.js';
import { alwaysJoining, type CompiledColumn, isFlat, type ReadableTable } from '../mapping/record.js';
import type { Evidence, Verdict } from '../mapping/vote.js';
import { hasTrait } from '../messages/wording.js';
import {
  type ColumnAccount,
  type DocumentCounts,
  noDocuments,
  noRecords,
  type RecordCounts,
} from '../schema/document.js';
import { IGNORE } from '../tables/header.js';
import type { InputFile, Row, RowSource } from '../tables/table.js';
import { fileName, type TableFit } from './assign.js';
import { saysTotal } from './content.js';
import type { Fit } from './fit.js';
import { meantIn } from './label-questions.js';
import { halvesOf, letterKey } from './label-texts.js';
import { isRepeated, type LabelFit } from './labels.js';
import { likelyAnswers, type Question } from './question.js';
import { type LateRows, sheetPattern } from './sheets.js';
import { tableOf } from './uses.js';

type Tree = { [key: string]: JsonValue };

/** Settled choices other than labels. */
interface Settled {
  /** Table → sheets to read. */
  readonly sheets: ReadonlyMap<string, readonly string[]>;
  /** Further settings by their place in the mapping. */
  readonly values: readonly (readonly [path: readonly string[], value: JsonValue])[];
}

/** Rows and sheets that the mapping must state because locating would not find them. */
interface Pins {
  readonly rows: ReadonlySet<string>;
  readonly sheets: ReadonlySet<string>;
}

export const NO_PINS: Pins = { rows: new Set(), sheets: new Set() };

export interface ProposalSource {
  readonly name: string;
  readonly fit: Fit;
  readonly labels: readonly LabelFit[];
  readonly settled: Settled;
  readonly open: readonly Question[];
  readonly pins: Pins;
}

function put(tree: Tree, path: readonly (string | number)[], value: JsonValue): void {
  let at = tree;
  for (const key of path.slice(0, -1)) {
    const next = at[key];
    const inner: Tree = isObject(next) ? next : {};
    at[key] = inner;
    at = inner;
  }
  at[String(path.at(-1))] = value;
}

/** An open question as the mapping language writes it. */
export const undecidedNode = (question: Question): JsonValue => ({
  undecided: {
    id: question.id,
    question: [question.title, question.reason].filter(Boolean).join(' '),
    candidates: likelyAnswers(question).map(({ value, score, title, reason }) => ({
      value,
      ...(score !== undefined && { score }),
      about: reason === undefined ? title : `${title}: ${reason}`,
    })),
  },
});

interface NamedLabel {
  readonly fit: LabelFit;
  /** Name of it in the mapping. */
  readonly key: string;
}

/**
 * Of several sheets that are one table each title is named once, by its column too where they mean other things by it, and not at all where
 * that does not tell them apart. Where they are the same sheet again, what is no amount is named by the first of them.
 */
function labelsOf(
  fits: readonly TableFit[],
  labels: readonly LabelFit[],
  readsAll: boolean,
): readonly NamedLabel[] {
  const here = fits.flatMap(({ sheet, table }) =>
    labels.filter((fit) => fit.sheet === sheet && fit.table === table && !isRepeated(fit)),
  );
  const meant = new Set(here.flatMap(({ key, means }) => (means === undefined ? [] : fold(key))));
  // A column without values is not ignored yet: its meaning shows when it has some. One of zeros has that of another sheet.
  const readFits = here.filter(
    ({ key, means, reason, content }) =>
      reason !== 'empty' &&
      !(means === undefined && content.numeric > 0 && content.largest === 0 && meant.has(fold(key))),
  );
  const meaningsOf = (named: readonly NamedLabel[]): ReadonlyMap<string, ReadonlySet<string | undefined>> => {
    const found = new Map<string, Set<string | undefined>>();
    for (const { key, fit } of named)
      found.set(fold(key), (found.get(fold(key)) ?? new Set()).add(fit.means));
    return found;
  };
  const isOne = (found: ReturnType<typeof meaningsOf>, key: string): boolean =>
    (found.get(fold(key))?.size ?? 0) < 2;
  const titles = meaningsOf(readFits.map((fit) => ({ fit, key: fit.key })));
  const all = readFits.map((fit) => ({
    fit,
    key: isOne(titles, fit.key) ? fit.key : letterKey(fit.header, fit.column),
  }));
  const meanings = meaningsOf(all);
  const keys = new Set<string>();
  const texts = new Map<string, LabelFit['sheet']>();
  return all.filter(({ key, fit: { means, sheet, table } }) => {
    if (keys.has(fold(key)) || !isOne(meanings, key)) return false;
    if (!readsAll && means !== undefined && table.columns.get(means)?.type !== 'decimal') {
      if ((texts.get(means) ?? sheet) !== sheet) return false;
      texts.set(means, sheet);
    }
    keys.add(fold(key));
    return true;
  });
}

/** Returns the tree of a table, of whose sheets this is the first. */
function tableTree(first: TableFit, { labels, fit, settled, pins }: ProposalSource): Tree {
  const { table, header, sheet, named } = first;
  const { id } = table;
  const fits = fit.tables.filter((other) => other.table.id === id);
  const tree: Tree = {};
  const fitting = (table.spec.sheet ?? table.spec.file) !== undefined && named < 1;
  const isNamed = fitting || pins.sheets.has(id);
  const isInSheets = sheet.source.sheet !== undefined && Boolean(table.spec.spread);
  const sheets =
    settled.sheets.get(id) ??
    (isNamed && isInSheets ? fits.map((fit) => sheetPattern(fit.sheet)) : undefined);
  const readsAll = Boolean(table.spec.spread) || Boolean(table.spec.every) || (sheets?.length ?? 1) > 1;
  const tableLabels = labelsOf(fits, labels, readsAll);
  if (sheets !== undefined) {
    put(tree, ['sheet'], sheets.length > 1 ? [...sheets] : sheets.join());
    if (sheets.length > 1 && table.spec.every !== true && !table.spec.spread) put(tree, ['every'], true);
  } else if (isNamed && sheet.source.sheet !== undefined) put(tree, ['sheet'], sheetPattern(sheet));
  else if (isNamed) put(tree, ['file'], fileName(sheet));
  if (isFlat(table)) return tree;
  const must = mustHave(
    first,
    tableLabels.map((item) => item.fit),
    fit,
  );
  if (must !== undefined) put(tree, ['header', 'must_have'], must);
  if (header.groupRow !== undefined) put(tree, ['header', 'groups'], 'above');
  if (pins.rows.has(id)) put(tree, ['header', 'row'], header.row.number);
  const halves = fits.flatMap((fit) => halvesOf(fit.header, table) ?? []);
  const names = [0, 1].map((part) => [...new Set(halves.filter((_, at) => at % 2 === part).flat())]);
  if (halves.length > 0)
    put(
      tree,
      ['side_by_side'],
      names.map((part) => (part.length > 1 ? part : part.join())),
    );
  put(
    tree,
    ['labels'],
    Object.fromEntries(tableLabels.map(({ key, fit: { means } }) => [key, means ?? IGNORE])),
  );
  return tree;
}

/** Returns what makes a row the header if the file lacks some of what the mapping asks for. */
function mustHave({ table }: TableFit, labels: readonly LabelFit[], { mapping }: Fit): string[] | undefined {
  const asked = table.spec.header?.must_have;
  if (asked === undefined) return undefined;
  const meant = meantIn(table, labels);
  if (asked.every((id) => meant.has(id))) return undefined;
  const key = mapping.mains.includes(table) ? mapping.key : alwaysJoining(table.join).map(({ id }) => id);
  return [...new Set([...key, ...asked.filter((id) => meant.has(id))])];
}

/** The mapping that inspect proposes, as a tree: what the file adds to the ready-made one, and what is still to be decided. */
export function proposalTree(source: ProposalSource): Tree {
  const { fit, name, open, settled } = source;
  const tree: Tree = { extends: fit.name, cargue: 1, name };
  for (const first of firstOfEach(fit.tables, ({ table }) => table.id))
    put(tree, ['tables', first.table.id], tableTree(first, source));
  for (const [path, value] of settled.values) put(tree, path, value);
  for (const question of open) put(tree, question.path, undecidedNode(question));
  return tree;
}

/** The same with open labels ignored and other open choices as the ready-made mapping has them: it can be tried out. */
const trialTree = (source: ProposalSource): Tree => proposalTree({ ...source, open: [] });

/** A row of a file, as text to look it up by. */
const rowKey = (file: string, sheet: string | undefined, row: number): string =>
  [file, sheet ?? '', row].join('\n');

interface TotalsTable {
  readonly fit: TableFit;
  /** Text columns by 0-based column of the sheet. */
  readonly columns: ReadonlyMap<number, string>;
  readonly key: string;
  readonly keyColumn: number | undefined;
}

function totalsTableOf(
  fit: TableFit,
  { mapping }: Fit,
  labels: readonly LabelFit[],
): TotalsTable | undefined {
  const inTable = labels.filter(({ sheet, table }) => sheet === fit.sheet && table === fit.table);
  const key = mapping.mains.includes(fit.table) ? mapping.key[0] : fit.table.join?.keys[0]?.columns[0]?.id;
  if (key === undefined) return undefined;
  const texts = inTable.flatMap(({ column, means }): [number, string][] =>
    means !== undefined && fit.table.columns.get(means)?.type === 'text' ? [[column, means]] : [],
  );
  const columns = new Map(texts);
  return { fit, columns, key, keyColumn: texts.find(([, id]) => id === key)?.[0] };
}

/** The column in which a row says that it states totals; undefined for a record of a person. */
function totalColumn({ columns, keyColumn }: TotalsTable, row: Row): string | undefined {
  if (keyColumn === undefined) return undefined;
  const key = row.texts[keyColumn];
  if (key !== undefined && !saysTotal(key)) return undefined;
  return [...columns].find(([column]) => saysTotal(row.texts[column]))?.[1];
}

/** Rows of totals that the ready-made mapping would take for records, told of while they are read. */
export class UnknownTotals {
  private readonly tables: readonly TotalsTable[];
  /** Such a row → its table, and the column that says so. */
  private readonly found = new Map<string, { readonly table: TotalsTable; readonly column: string }>();

  constructor(fit: Fit, labels: readonly LabelFit[]) {
    this.tables = fit.tables.flatMap((table) => totalsTableOf(table, fit, labels) ?? []);
  }

  read({ file, sheet }: RowSource, row: Row): void {
    for (const table of this.tables) {
      const { source } = table.fit.sheet;
      if (source.file !== file || source.sheet !== sheet) continue;
      const column = totalColumn(table, row);
      if (column !== undefined) this.found.set(rowKey(file, sheet, row.number), { table, column });
    }
  }

  /** The mapping knows that the row is no record. */
  skipped({ file = '', sheet, row = 0 }: Place): void {
    this.found.delete(rowKey(file, sheet, row));
  }

  /** Returns the settings by which they are compared and not taken for records. */
  skips(): readonly (readonly [path: readonly string[], value: JsonValue])[] {
    const columns = new Map<TotalsTable, Set<string>>();
    for (const { table, column } of this.found.values())
      columns.set(table, (columns.get(table) ?? new Set()).add(column));
    return [...columns].map(([{ fit, key }, names]) => {
      const { id, spec } = fit.table;
      const before = (spec.skip ?? []) as unknown as JsonValue[];
      const control = spec.skip?.at(-1)?.control ?? true;
      const added = [...names].map(
        (column) =>
          ({
            when: condition(key, column),
            note: 'Fila de totales.',
            control,
            proven: true,
          }) as unknown as JsonValue,
      );
      return [
        ['tables', id, 'skip'],
        [...before, ...added],
      ] as const;
    });
  }
}

const condition = (key: string, column: string): string =>
  column === key
    ? `like(${key}, "*total*")`
    : `(${key} is blank or like(${key}, "*total*")) and like(${column}, "*total*")`;

/** Format of a column of a sheet. */
export interface FormatFound {
  readonly table: string;
  readonly sheet: string;
  readonly file: string;
  readonly column: CompiledColumn;
  readonly verdict: Verdict;
}

/** A cell of a table whose hours can be read two ways. */
interface ClockFound extends Pick<FormatFound, 'table' | 'sheet' | 'file'> {
  readonly ambiguous: Evidence;
}

/** Counts of a trial run: every filled column is accounted for. */
export interface Tried {
  readonly records: RecordCounts;
  readonly documents: DocumentCounts;
  readonly columns: readonly ColumnAccount[];
  /** Code of an issue → how often; words and formats that are still asked about are not among them. */
  readonly issues: ReadonlyMap<IssueCode, { readonly level: Issue['level']; readonly count: number }>;
  /** Names of the parameters that would give required fields their values in most documents. */
  readonly lacking: ReadonlySet<string>;
  /** Number of documents by each parameter that would give them a required field; infinite for one of the run. */
  readonly lackingRecords: ReadonlyMap<string, number>;
}

/** Result of reading the files to their end with the proposed mapping. */
export interface Trial {
  readonly tried: Tried;
  /** Issues of words only: the rest is for `cargue check`. */
  readonly issues: readonly Issue[];
  /** Codes that were read with the zeros they had lost. */
  readonly zeros: readonly Issue[];
  readonly formats: readonly FormatFound[];
  readonly clocks: readonly ClockFound[];
  /** Documents of the main tables, good or not, and how many of them people can tell apart. */
  readonly documents: number;
  readonly distinctKeys: number;
}

const FILE = 'inspect.yaml';

/** Returns the ready-made mapping with the settled choices other than labels. */
export function settledMapping({ name }: Fit, values: Settled['values']): LoadedMapping {
  const tree: Tree = { extends: name, cargue: 1, name: 'settled' };
  for (const [path, value] of values) put(tree, path, value);
  return compileMapping(FILE, yaml().stringify(tree, { lineWidth: 0 }));
}

export const compileTrial = (source: ProposalSource): LoadedMapping =>
  compileMapping(FILE, yaml().stringify(trialTree(source), { lineWidth: 0 }));

const paramsOf = (mapping: LoadedMapping, given: Readonly<Record<string, unknown>>) =>
  resolveParams(mapping.params, given).value;

/** Tells if a table is found where inspect saw it, and in no sheet of another table. */
function isFound(
  fit: TableFit,
  all: readonly TableFit[],
  mapping: LoadedMapping,
  { tables }: Located,
): 'yes' | 'elsewhere' | 'no' {
  const { tableIndex } = required(mapping.tables, fit.table.id);
  const sheets = tables.filter((table) => table.tableIndex === tableIndex);
  const here = sheets.find(({ source }) => isSameSheet(source, fit.sheet.source));
  if (here === undefined) return sheets.length > 0 ? 'elsewhere' : 'no';
  const isForeign = ({ source }: (typeof tables)[number]): boolean => {
    const there = all.filter(({ sheet }) => isSameSheet(source, sheet.source));
    return there.length > 0 && there.every(({ table }) => table !== fit.table);
  };
  if (sheets.some(isForeign)) return 'elsewhere';
  return here.header.row.number === fit.header.row.number ? 'yes' : 'no';
}

/** Settles what must be said so that the tables are found as shown: rows and sheets, only where they are needed. */
export async function pinned(
  source: ProposalSource,
  inputs: readonly InputFile[],
): Promise<{ readonly proposal: ProposalSource; readonly mapping: LoadedMapping }> {
  let at = source;
  for (let round = 0; ; round++) {
    const mapping = compileTrial(at);
    if (round === 3) return { proposal: at, mapping };
    const { values } = paramsOf(mapping, {});
    const located = await locate(mapping, inputs, { values, defaults: {}, tables: {} });
    const rows = new Set(at.pins.rows);
    const sheets = new Set(at.pins.sheets);
    for (const fit of at.fit.tables) {
      const found = isFound(fit, at.fit.tables, mapping, located);
      if (found === 'yes') continue;
      if (found === 'elsewhere' || rows.has(fit.table.id)) sheets.add(fit.table.id);
      else rows.add(fit.table.id);
    }
    const pins: Pins = { rows, sheets };
    if (rows.size + sheets.size === at.pins.rows.size + at.pins.sheets.size) return { proposal: at, mapping };
    at = { ...at, pins };
  }
}

/** Code of checks that doubt a word; the issue has the word. */
const DOUBTED: IssueCode = 'check/failed';

/** Issues that a parameter would settle. */
const LACKING: ReadonlySet<IssueCode> = new Set(['document/required', 'cell/without-time', 'header/missing']);

/** Returns the sequence of a mapping's documents; undefined if they have none. */
export type FollowOf = (mapping: LoadedMapping, params: ResolvedParams) => DocumentSequence | undefined;

/** Collects the month that rows say: a worker with a row in each of several months is not repeated. */
function monthsOfRows({ tables }: LoadedMapping) {
  const months = new Map<string, string>();
  const dated = [...tables.values()].flatMap(({ skips }) => skips.flatMap(({ values }) => values));
  const ofMonths = new Set(dated.filter(({ kind, type }) => kind === 'month' || type === 'date'));
  return {
    read({ source, present }: ReadableTable, row: Row): void {
      for (const { column, index, read } of present) {
        const text = ofMonths.has(column) ? row.texts[index] : undefined;
        const value = text && read(text, row.kinds?.[index] ?? 'text');
        if (typeof value === 'string')
          months.set(
            rowKey(source.file, source.sheet, row.number),
            column.type === 'date' ? value.slice(0, 7) : value,
          );
      }
    },
    of: ({ file = '', sheet, row = 0 }: Place = {}): string => months.get(rowKey(file, sheet, row)) ?? '',
  };
}

/** Reads all records with the proposed mapping: words that no code list knows, formats, repeated keys. */
export async function tryOut(
  mapping: LoadedMapping,
  inputs: readonly InputFile[],
  given: Readonly<Record<string, unknown>> = {},
  derive?: Derive,
  {
    totals,
    late,
    company,
    followOf,
  }: {
    readonly totals?: UnknownTotals;
    readonly late?: LateRows;
    readonly company?: RunCompany | undefined;
    readonly followOf?: FollowOf | undefined;
  } = {},
): Promise<Trial> {
  const issues: Issue[] = [];
  const zeros: Issue[] = [];
  /** Records by parameter that would give them a field; those of the run are in the way of all. */
  const lackingRecords = new Map<string, number>();
  const formats: FormatFound[] = [];
  const clocks: ClockFound[] = [];
  const keys = new Set<string>();
  const months = monthsOfRows(mapping);
  const found = new Map<IssueCode, { level: Issue['level']; count: number }>();
  let documentCount = 0;
  let end: Pick<Tried, 'records' | 'documents' | 'columns'> = {
    records: noRecords(),
    documents: noDocuments(),
    columns: [],
  };
  const params = paramsOf(mapping, given);
  const follow = followOf?.(mapping, params);
  const plan: Plan = { mapping, params, company, ...(derive && { derive }) };
  const hooks: Hooks = {
    ...(follow && { follow }),
    onRow(reading, row) {
      const { source } = reading;
      months.read(reading, row);
      totals?.read(source, row);
      late?.read(source, row);
    },
  };
  for await (const events of run(plan, inputs, hooks))
    for (const event of events) {
      if (event.kind === 'issue') {
        const { code, level, place } = event.issue;
        if (hasTrait(event.issue, 'about-words') || code === DOUBTED) issues.push(event.issue);
        else if (hasTrait(event.issue, 'lost-zeros')) zeros.push(event.issue);
        // What the run is to give is no fault of the file.
        if (place.param === undefined) found.set(code, { level, count: (found.get(code)?.count ?? 0) + 1 });
        const param = place.param ?? paramOf(event.issue, 'param');
        if (LACKING.has(code) && level === 'error' && typeof param === 'string') {
          // A column or a value of the run is missing in all documents.
          const isOfAll = place.param !== undefined || code === 'header/missing';
          lackingRecords.set(param, isOfAll ? Infinity : (lackingRecords.get(param) ?? 0) + 1);
        }
      } else if (event.kind === 'skipped') totals?.skipped(event.place);
      else if (event.kind === 'document' || event.kind === 'held-back') {
        documentCount += 1;
        const { key, records = [] } =
          event.kind === 'document' ? event.document : { key: event.key, records: event.places };
        keys.add([key, months.of(records[0])].join('\n'));
      } else if (event.kind === 'end') end = event;
      else if (event.kind === 'formats') {
        const { table, verdicts, clock } = event.voted;
        const { id } = tableOf(mapping, table);
        const { file, sheet = file } = table.source;
        for (const [column, verdict] of verdicts) formats.push({ table: id, sheet, file, column, verdict });
        const { ambiguous } = clock;
        if (ambiguous !== undefined) clocks.push({ table: id, sheet, file, ambiguous });
      }
    }
  const { records, documents, columns } = end;
  const isMost = (count: number): boolean => count * 2 >= documentCount;
  const lacking = new Set([...lackingRecords].flatMap(([name, count]) => (isMost(count) ? [name] : [])));
  const tried: Tried = { records, documents, columns, issues: found, lacking, lackingRecords };
  return { tried, issues, zeros, formats, clocks, documents: documentCount, distinctKeys: keys.size };
}
