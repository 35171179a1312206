import { type Issue, issueOf, type Place } from '../core/issue.js';
import { baseName, fold, isWild, similarity, wildcard } from '../core/text.js';
import type { LoadedMapping } from '../mapping/load.js';
import { locateTable } from '../mapping/located.js';
import { type ParamValues, type ResolvedParams, titleOfParam } from '../mapping/params.js';
import {
  alwaysJoining,
  type CompiledColumn,
  type CompiledTable,
  isFlat,
  type LocatedTable,
  readRecord,
  showsColumn,
} from '../mapping/record.js';
import type { Note } from '../messages/wording.js';
import { type Edit, withEdits } from '../tables/edits.js';
import {
  findHeader,
  type Header,
  type HeaderOptions,
  looksMisspelt,
  matchedColumns,
  missingColumn,
  nearestHeader,
  positionalHeader,
  type WantedColumn,
} from '../tables/header.js';
import { withMerged } from '../tables/header-rows.js';
import { withMergedDown } from '../tables/merged-down.js';
import { openInput } from '../tables/open.js';
import type { InputFile, Row, RowSource } from '../tables/table.js';
import { squashLabel } from '../tables/titles.js';
import { withXmlTogether } from '../tables/xml/open.js';
import { recordsAbove } from './above-header.js';
import { withAddedFields } from './added-fields.js';
import { complementOf, isComplement } from './complement.js';
import { type Delivery, deliveryOf } from './delivery.js';
import { otherCompanies, type RunCompany } from './other-company.js';
import { otherMonths } from './other-month.js';
import { scaledAmounts } from './scaled-amounts.js';
import { amountsUnderOther } from './sections.js';

/** First rows among which a header is looked for, where the mapping does not say. */
export const HEADER_WITHIN = 30;

/** A sheet, or the table of a text file, among those of a run. */
interface Candidate {
  /** Undefined for a table that is a parameter. */
  readonly input: InputFile | undefined;
  readonly source: RowSource;
  /** Its first rows, enough to look for a header. */
  readonly rows: readonly Row[];
}

/** A candidate that has the header of a table. */
interface Fit {
  readonly candidate: Candidate;
  readonly header: Header;
}

export const wantedOf = (table: CompiledTable): WantedColumn[] =>
  [...table.columns.values()].flatMap(({ wanted }) => wanted ?? []);

const withinOf = ({ spec }: CompiledTable): number =>
  spec.header?.row ?? spec.header?.within ?? HEADER_WITHIN;

/** How the header of a table is to be found. */
export function headerOptions(table: CompiledTable, mapping: LoadedMapping): HeaderOptions {
  const { header, labels, side_by_side } = table.spec;
  const own = mapping.mains.includes(table) ? mapping.key : alwaysJoining(table.join).map(({ id }) => id);
  return {
    within: withinOf(table),
    // A computed column has no label: those without which it cannot be had must be there.
    mustHave: (header?.must_have ?? own).flatMap(
      (id) => table.columns.get(id)?.needs.map((one) => one.id) ?? [],
    ),
    ...(header?.row !== undefined && { row: header.row }),
    ...(header?.groups !== undefined && { groups: header.groups }),
    ...(header?.none && { none: { ...(header.fields && { fields: header.fields }) } }),
    ...(labels && { labels: labels as Record<string, string> }),
    ...(table.ignored.length > 0 && { ignored: table.ignored }),
    ...(side_by_side && { parts: side_by_side.map((names) => [names].flat()) }),
    ...(table.repeated.length > 0 && {
      repeated: table.repeated.map((group) => ({ id: group.id, columns: wantedOf(group) })),
    }),
  };
}

/** The first rows of a sheet; one more than a header may be, as units may stand below it. */
async function firstRows(source: RowSource, last: number): Promise<readonly Row[]> {
  const rows: Row[] = [];
  for await (const batch of source.batches()) {
    rows.push(...batch);
    if ((rows.at(-1)?.number ?? 0) > last) break;
  }
  const end = rows.findIndex((row) => row.number > last);
  return withMerged(source, end < 0 ? rows : rows.slice(0, end + 1), last);
}

/** Every sheet and text table of the inputs. */
async function candidatesOf(
  inputs: readonly InputFile[],
  tables: Iterable<CompiledTable>,
): Promise<Candidate[]> {
  const depth = Math.max(...[...tables].map(withinOf));
  const candidates: Candidate[] = [];
  for (const input of inputs)
    for (const source of input.tables)
      candidates.push({ input, source, rows: await firstRows(source, depth) });
  return candidates;
}

const patterns = (
  words: string | readonly string[] | undefined,
): ((text: string) => boolean)[] | undefined =>
  words === undefined ? undefined : [words].flat().map((pattern) => wildcard(pattern));

/** Whether a file is called so; a name with a folder is compared with the whole path. */
export const hasName = (file: string, pattern: string): boolean =>
  wildcard(pattern)(fold(pattern.includes('/') ? file : baseName(file)));

/**
 * Whether a mapping may mean this sheet or file by its names. A text file has no sheet and goes by its own name, never by that of the
 * zip or folder that holds it, unless the mapping names both; where the mapping has one table only (`single`), by none.
 */
function isNamed({ spec }: CompiledTable, { source, input }: Candidate, single: boolean): boolean {
  if ((spec.json === true) !== (input?.kind === 'json')) return false;
  const names = spec.file === undefined ? undefined : [spec.file].flat();
  if (names !== undefined && !names.some((name) => hasName(source.file, name))) return false;
  const bySheet = patterns(spec.sheet);
  if (bySheet === undefined) return true;
  if (source.sheet !== undefined) return bySheet.some((test) => test(fold(source.sheet!)));
  const stem = fold(baseName(source.file)).replace(/\.[a-z]+$/, '');
  return names !== undefined || single || bySheet.some((test) => test(stem));
}

/** Forms that no label has. */
const STRICT: ReadonlySet<string | undefined> = new Set([
  'date',
  'datetime',
  'date_or_datetime',
  'time',
  'integer',
  'decimal',
  'money',
]);
const FEW = 2;

/**
 * Whether a file that should have no header has one: nothing in its first row that has a form can be read, or has figures, and in the
 * second something. Its columns may stand in another order than those of the norm.
 */
export function beginsWithLabels(
  table: CompiledTable,
  source: RowSource,
  [first, second]: readonly Row[],
): boolean {
  if (first === undefined || second === undefined) return false;
  const hasFigures = ({ texts }: Row): boolean => texts.some((text) => text !== undefined && /\d/.test(text));
  if (!hasFigures(first) && hasFigures(second)) return true;
  const header = positionalHeader(wantedOf(table), table.ignored);
  const located = locateTable(table, source, header, 0, {});
  const readIn = (row: Row) => {
    const { faults } = readRecord(located, row);
    const formed = located.present.filter(
      ({ column, index }) => column.kind !== 'text' && row.texts[index] !== undefined,
    );
    const good = formed.filter(({ column, index }) => !faults?.has(column) && /\d/.test(row.texts[index]!));
    const strict = formed.filter(({ column }) => STRICT.has(column.kind));
    const strictGood = strict.filter(({ column }) => !faults?.has(column));
    return { formed: formed.length, good: good.length, strict: strict.length, strictGood: strictGood.length };
  };
  const [one, two] = [readIn(first), readIn(second)];
  if (one.formed > 0 && one.good === 0 && two.good > 0) return true;
  return one.strict >= FEW && one.strictGood === 0 && two.strictGood > 0;
}

/** The candidate with the header of the table, if it has it. */
function fitOf(table: CompiledTable, mapping: LoadedMapping, candidate: Candidate): Fit | undefined {
  const { source, rows } = candidate;
  const fields = table.spec.header?.none ? table.spec.header.fields : undefined;
  // A letter whose name happens to begin as that of a flat file has no fields.
  if (
    fields !== undefined &&
    rows.length > 0 &&
    rows.every(({ texts }) => texts.length < Math.min(...fields) / 2)
  )
    return undefined;
  if (fields !== undefined && beginsWithLabels(table, source, rows)) return undefined;
  const header = findHeader(source, rows, wantedOf(table), headerOptions(table, mapping));
  // Where no column is asked for, any row would do: one at least must be there.
  return header === undefined || (table.join?.every && matchedColumns(header) === 0)
    ? undefined
    : { candidate, header: withoutDoubtful(table, header, rows) };
}

/** Columns of which the titles say too little are there only where their cells show it, or somebody said so. */
function withoutDoubtful({ columns, spec }: CompiledTable, header: Header, rows: readonly Row[]): Header {
  const said = new Set(Object.values(spec.labels ?? {}));
  const below = rows.filter(({ number }) => number >= header.firstDataRow);
  const left = [...header.columns].filter(([id, index]) => {
    const column = columns.get(id)!;
    if (column.doubtful === undefined || said.has(id)) return true;
    const cells = below.flatMap(({ texts, kinds }) =>
      texts[index] === undefined ? [] : [{ text: texts[index], kind: kinds?.[index] ?? ('text' as const) }],
    );
    return showsColumn(column, cells);
  });
  return left.length === header.columns.size ? header : { ...header, columns: new Map(left) };
}

/** The table under other labels above the header: of little more than who it is about. */
function upperOf(
  table: CompiledTable,
  mapping: LoadedMapping,
  { source, rows }: Candidate,
  header: Header,
): LocatedTable | undefined {
  const { row: _, ...options } = headerOptions(table, mapping);
  const mustHave = table.identity.flatMap(({ needs }) => needs.map(({ id }) => id));
  const above = rows.filter(({ number }) => number < header.row.number);
  if (above.length < 2 || mustHave.length === 0) return undefined;
  const upper = findHeader(source, above, wantedOf(table), { ...options, mustHave });
  return upper && locateTable(table, source, upper, 0, {});
}

/** Of several candidates the one with a row that comes nearest to the header. */
function nearestFit(
  table: CompiledTable,
  mapping: LoadedMapping,
  candidates: readonly Candidate[],
): Fit | undefined {
  const options = headerOptions(table, mapping);
  let nearest: Fit | undefined;
  for (const candidate of candidates) {
    const { source, rows } = candidate;
    const header = nearestHeader(source, rows, wantedOf(table), options.within, options);
    if (header !== undefined && matchedColumns(header) > (nearest ? matchedColumns(nearest.header) : 0))
      nearest = { candidate, header };
  }
  return nearest;
}

/** Opens every file of a run as it was mended, XML documents as one table; closes those already open when one cannot be. */
export async function openInputs(
  paths: readonly string[],
  edits: readonly Edit[] = [],
): Promise<readonly InputFile[]> {
  const inputs: InputFile[] = [];
  try {
    for (const path of paths) inputs.push(withEdits(await openInput(path), edits));
    const together = withXmlTogether(inputs);
    return together.some(({ kind }) => kind === 'json') ? together.map(withoutInvoice) : together;
  } catch (cause) {
    await closeInputs(inputs);
    throw cause;
  }
}

/** The invoice lies in the folder of its RIPS, which is what is read there. */
const withoutInvoice = (input: InputFile): InputFile =>
  input.kind === 'xml'
    ? { ...input, tables: [], passedOver: [input.file, ...(input.passedOver ?? [])] }
    : input;

export async function closeInputs(inputs: readonly InputFile[]): Promise<void> {
  for (const input of inputs) await input.close();
}

/** Opens the files for some work, and closes them after it, however it ends. */
export async function withInputs<T>(
  paths: readonly string[],
  work: (inputs: readonly InputFile[]) => T | Promise<T>,
  edits?: readonly Edit[],
): Promise<T> {
  const inputs = await openInputs(paths, edits);
  try {
    return await work(inputs);
  } finally {
    await closeInputs(inputs);
  }
}

/** A parameter of type table, as rows: its header is the keys of its records. */
function paramTable(name: string, records: readonly Readonly<Record<string, unknown>>[]): RowSource {
  const labels = [...new Set(records.flatMap((record) => Object.keys(record)))];
  const text = (value: unknown): string | undefined =>
    value === undefined || value === null || value === '' ? undefined : String(value);
  const row = (number: number, texts: readonly (string | undefined)[]): Row => ({
    number,
    hidden: false,
    texts,
    kinds: undefined,
  });
  return {
    file: name,
    async *batches() {
      yield [
        row(1, labels),
        ...records.map((record, index) =>
          row(
            index + 2,
            labels.map((label) => text(record[label])),
          ),
        ),
      ];
    },
  };
}

const placeOf = ({ source }: Candidate): Place => ({
  file: source.file,
  ...(source.sheet !== undefined && { sheet: source.sheet }),
});

const nameOf = ({ source }: Candidate): string => source.sheet ?? source.file;

/** Why a table is in none of the files: `named` are those that it may be by their names. */
function notFound(
  table: CompiledTable,
  mapping: LoadedMapping,
  named: readonly Candidate[],
  all: readonly Candidate[],
  located: readonly LocatedTable[],
): Issue[] {
  const isOwn = !isComplement(table);
  if (named.length > 0 && (isOwn || nearlyFound(table, mapping, named) !== undefined))
    return headerNotFound(table, mapping, named);
  if (!isOwn) {
    const { titles, keys } = complementOf(mapping, table, located);
    const params = { table: table.id, keys: keys.join(', '), columns: titles.join(', ') };
    return [{ code: 'header/complement-missing', level: 'error', params, place: {} }];
  }
  const wanted = [table.spec.sheet ?? table.spec.file ?? table.id].flat().join(', ');
  const found = all.map(nameOf).join(', ');
  const file = all[0]?.source.file;
  const place = file === undefined ? {} : { file };
  return [{ code: 'header/sheet-not-found', level: 'error', params: { wanted, found }, place }];
}

/** So many columns of a table are nearly its header. */
const NEARLY = 3;

function nearlyFound(
  table: CompiledTable,
  mapping: LoadedMapping,
  named: readonly Candidate[],
): Fit | undefined {
  const nearest = nearestFit(table, mapping, named);
  return nearest !== undefined && matchedColumns(nearest.header) >= NEARLY ? nearest : undefined;
}

/** When a row is nearly a header, its missing columns say more than "no header". */
function headerNotFound(table: CompiledTable, mapping: LoadedMapping, named: readonly Candidate[]): Issue[] {
  const { mustHave, within } = headerOptions(table, mapping);
  const nearest = nearlyFound(table, mapping, named);
  if (nearest !== undefined) {
    const { candidate, header } = nearest;
    const lacking = mustHave.filter((id) => !header.columns.has(id));
    return lacking.map((id) => missingColumn(candidate.source, header, table.columns.get(id)!.wanted!));
  }
  const wanted = mustHave.map((id) => table.columns.get(id)?.wanted?.titles[0] ?? id).join(', ');
  return [
    { code: 'header/not-found', level: 'error', params: { within, wanted }, place: placeOf(named[0]!) },
  ];
}

/**
 * Columns without which no document could be complete: one issue for the column, not one a record.
 * Of the others only those that seem to be there under a misspelt title: they would be lost unseen.
 */
function missingColumns(
  mapping: LoadedMapping,
  tables: readonly LocatedTable[],
  present: ReadonlySet<CompiledColumn>,
  params: ParamValues,
): Issue[] {
  const lacking = new Set<CompiledColumn>();
  for (const { fields } of mapping.targets)
    for (const { needed, alternatives, param } of fields) {
      if (!needed) continue;
      if (param !== undefined && params[param] !== undefined) continue;
      if (alternatives.some((set) => set.every((column) => present.has(column)))) continue;
      const first = alternatives[0]?.find((column) => !present.has(column));
      if (first !== undefined) lacking.add(first);
    }
  const compiled = [...mapping.tables.values()];
  return tables.flatMap((table) => {
    const { source, header } = table;
    const { columns, spec } = compiled.find(({ slot }) => slot === table.slot)!;
    const labelled = Object.values(spec.labels ?? {});
    const beside = spec.spread ? tables.filter(({ slot }) => slot === table.slot) : [table];
    const fromColumns = [...columns.values()].flatMap((column) => {
      const { wanted, position } = column;
      if (wanted === undefined || beside.some(({ indexes }) => indexes[position] !== undefined)) return [];
      if (lacking.has(column)) return [missingColumn(source, header, wanted)];
      const isLikely =
        labelled.includes(wanted.id) || (header.row.number > 0 && looksMisspelt(header, wanted));
      return isLikely ? [missingColumn(source, header, wanted, 'warning')] : [];
    });
    return fromColumns;
  });
}

/** Names of sheets more alike than this are taken for one misspelt. */
const ALIKE = 0.75;

/** Rows that are counted of a sheet that nobody reads. */
const COUNTED = 10_000;

async function countRows({ source }: Candidate): Promise<string> {
  let rows = 0;
  for await (const batch of source.batches()) {
    rows += batch.length;
    if (rows > COUNTED) return `${COUNTED}+`;
  }
  return String(rows);
}

/** The share of its columns that a header has in common with another that counts as the same: branches and months differ in a few. */
const SAME = 0.8;

/** The columns of a header: those that are read by their ids, others by their labels. */
function columnsOf({ columns, labels }: Header): ReadonlySet<string> {
  const ids = new Map([...columns].map(([id, column]) => [column, id]));
  return new Set(
    labels.flatMap((label, column) => (label === undefined ? [] : (ids.get(column) ?? squashLabel(label)))),
  );
}

function isSame(header: Header, other: Header): boolean {
  const [own, others] = [columnsOf(header), columnsOf(other)];
  const shared = [...own].filter((column) => others.has(column)).length;
  return shared > 0 && shared >= SAME * Math.max(own.size, others.size);
}

/** The table that reads another sheet with the header of this one, which has records as well. */
const readElsewhere = (
  mapping: LoadedMapping,
  candidate: Candidate,
  tables: readonly LocatedTable[],
): { readonly id: string; readonly sheet: string } | undefined => {
  for (const { slot, source, header } of tables) {
    const table = [...mapping.tables.values()].find((one) => one.slot === slot)!;
    if (header.row.number === 0 || table.spec.param !== undefined) continue; // nothing to compare
    const found = fitOf(table, mapping, candidate)?.header;
    const hasRecords = candidate.rows.some(({ number }) => number >= (found?.firstDataRow ?? Infinity));
    if (found && hasRecords && isSame(found, header))
      return { id: table.id, sheet: source.sheet ?? source.file };
  }
  return undefined;
};

/** Files and sheets that no table of the mapping reads and nobody left aside: they would be lost unseen. */
async function unreadSheets(
  mapping: LoadedMapping,
  candidates: readonly Candidate[],
  taken: ReadonlySet<Candidate>,
  tables: readonly LocatedTable[],
): Promise<Issue[]> {
  if (tables.length === 0) return [];
  const found = new Set(tables.map(({ slot }) => slot));
  const lacking = [...mapping.tables.values()].filter(
    ({ slot, spec, parent }) => !found.has(slot) && spec.sheet !== undefined && parent === undefined,
  );
  const [main] = mapping.mains;
  const key = mapping.key.flatMap((id) => main!.columns.get(id)?.wanted ?? []);
  const readFiles = new Set([...taken].map(({ input }) => input));
  const saidFiles = new Set<Candidate['input']>();
  const about = async (candidate: Candidate): Promise<readonly Issue[]> => {
    const { input, source, rows } = candidate;
    if (taken.has(candidate) || rows.length === 0) return [];
    if (!readFiles.has(input)) {
      if (saidFiles.has(input)) return [];
      saidFiles.add(input);
      const own = candidates.filter((one) => one.input === input);
      const isSaidAlready = !found.has(main!.slot) && !main!.spec.optional;
      return isSaidAlready ? [] : headerNotFound(main!, mapping, own);
    }
    const place = placeOf(candidate);
    const value = nameOf(candidate);
    // Who sends a zip sends all of it: a file of services that nobody reads is money lost.
    if (input?.kind === 'zip')
      return [{ code: 'header/file-unused', level: 'error', params: {}, place, value }];
    // A sheet of the very name is not misspelt: its header is at fault, which is said already where the table must be there.
    const namesake = lacking.find(({ spec }) =>
      [spec.sheet!].flat().some((name) => fold(name) === fold(value)),
    );
    if (namesake !== undefined)
      return namesake.spec.optional ? headerNotFound(namesake, mapping, [candidate]) : [];
    const alike = lacking
      .flatMap(({ spec }) => [spec.sheet!].flat())
      .find((name) => similarity(name, value) >= ALIKE);
    if (alike !== undefined) {
      const suggestions = [{ value: alike, score: 1 }];
      return [
        {
          code: 'header/sheet-misspelt',
          level: 'error',
          params: { wanted: alike },
          place,
          value,
          suggestions,
        },
      ];
    }
    const elsewhere = readElsewhere(mapping, candidate, tables);
    if (elsewhere !== undefined) {
      const { id: table, sheet: read } = elsewhere;
      const params = { read, table, rows: await countRows(candidate) };
      return [{ code: 'header/sheet-left-out', level: 'error', params, place, value }];
    }
    const options = { within: rows.length, mustHave: key.map(({ id }) => id) };
    const hasKey = rows.length > 1 && key.length > 0 && findHeader(source, rows, key, options) !== undefined;
    const hidden = source.hidden ? 'header/hidden-sheet-unread' : 'header/sheet-unread';
    const code = hasKey ? 'header/sheet-unused' : hidden;
    return [{ code, level: 'warning', params: { rows: await countRows(candidate) }, place, value }];
  };
  const issues: Issue[] = [];
  for (const candidate of candidates) issues.push(...(await about(candidate)));
  return issues;
}

/** The tables of a mapping in the files of a run. */
export interface Located {
  readonly tables: readonly LocatedTable[];
  /** Columns that some file has. */
  readonly present: ReadonlySet<CompiledColumn>;
  /** Trouble with tables as a whole: sheet, header, columns. */
  readonly issues: readonly Issue[];
  /** Filled sheets that the mapping leaves aside. */
  readonly leftAside: readonly { readonly place: Place; readonly note: Note }[];
}

const presentIn = (tables: readonly LocatedTable[]): ReadonlySet<CompiledColumn> =>
  new Set(
    tables
      .flatMap((table) => [table, ...table.repeats])
      .flatMap((table) => table.present.map(({ column }) => column)),
  );

/** Tables whose trouble was told when they were found. */
export const foundBefore = (tables: readonly LocatedTable[]): Located => ({
  tables,
  present: presentIn(tables),
  issues: [],
  leftAside: [],
});

/** Finds every table of a mapping. `company`: where those named above a table are whose documents it makes. */
export async function locate(
  mapping: LoadedMapping,
  inputs: readonly InputFile[],
  params: ResolvedParams,
  company?: RunCompany,
): Promise<Located> {
  const wanted = [...mapping.tables.values()].filter(({ parent }) => parent === undefined);
  const all = await candidatesOf(inputs, wanted);
  const asideOf = ({ source: { sheet } }: Candidate) =>
    sheet === undefined ? undefined : mapping.leftAside(sheet);
  const candidates = all.filter((one) => asideOf(one)?.yields ?? asideOf(one) === undefined);
  const taken = new Set<Candidate>();
  const tables: LocatedTable[] = [];
  const issues: Issue[] = [];
  const isFree = (table: CompiledTable, one: Candidate): boolean =>
    !taken.has(one) && isNamed(table, one, wanted.length === 1);
  const delivery = await deliveryIn(mapping, wanted, candidates, isFree);
  /** Whether a file may be a table that a list would name, unless the mapping names that very file. */
  const isListable = (table: CompiledTable, one: Candidate): boolean =>
    isFlat(table) &&
    table.lists === undefined &&
    isFree(table, one) &&
    !isSaid(table, one) &&
    fitOf(table, mapping, one) !== undefined;
  const isSaidToBe = (name: string): boolean =>
    wanted.some(
      (table) =>
        isFlat(table) &&
        candidates.some((one) => isSaid(table, one)) &&
        [table.spec.file!].flat().some((pattern) => wildcard(pattern)(fold(`${name}.txt`))),
    );
  for (const candidate of candidates)
    if (
      delivery !== undefined &&
      wanted.some((table) => isListable(table, candidate) && !delivery.has(candidate.source.file))
    ) {
      taken.add(candidate);
      issues.push(delivery.unlisted(candidate.source.file));
    }
  const files = candidates.map(({ source }) => source.file);
  issues.push(...(delivery?.lacking(files, isSaidToBe) ?? []));
  // Those that make documents choose first: a list that holds the personal data too is no table of workers. Then those with a file of
  // their own, or a sheet, of which somebody said what its labels mean, then the others of these: what goes by its columns alone takes what is left.
  const rank = (table: CompiledTable): number => {
    if (mapping.mains.includes(table)) return 0;
    if (table.spec.file !== undefined) return 1;
    if (table.spec.sheet === undefined) return 4;
    return table.spec.labels === undefined ? 3 : 2;
  };
  const inOrder = [...wanted].sort((a, b) => rank(a) - rank(b));
  const lacking: CompiledTable[] = [];
  const ofRun: (readonly [LocatedTable, readonly Row[]])[] = [];
  const month = [...mapping.params.values()].find(({ spec }) => spec.type === 'month')?.name;
  for (const table of inOrder) {
    const given = table.spec.param;
    const free = candidates.filter((one) => isFree(table, one));
    const fits =
      given === undefined
        ? fitting(table, mapping, free)
        : await fitsGiven(table, mapping, given, params.tables[given] ?? []);
    for (const { candidate, header } of fits) {
      taken.add(candidate);
      const located = await withFillDown(
        table,
        locateTable(table, candidate.source, header, tables.length, params.values),
      );
      const added = withAddedFields(located, candidate.rows);
      const { hidden = [] } = (await candidate.source.view?.()) ?? {};
      tables.push(hidden.length === 0 ? added.table : { ...added.table, hidden });
      issues.push(...header.issues, ...amountsUnderOther(located, mapping), ...added.issues);
      issues.push(
        ...recordsAbove(table, located, candidate.rows, upperOf(table, mapping, candidate, header)),
      );
      if (candidate.source.hidden && table.spec.hidden_rows !== 'include')
        issues.push({
          code: 'header/hidden-sheet-read',
          level: 'warning',
          params: {},
          place: placeOf(candidate),
          value: nameOf(candidate),
        });
      if (given !== undefined) continue;
      ofRun.push([located, candidate.rows]);
      issues.push(...scaledAmounts(located, candidate.rows));
      if (month !== undefined)
        issues.push(...otherMonths(candidate.source, candidate.rows, header, params.values[month]));
    }
    if (fits.length > 0) continue;
    if (given !== undefined) issues.push(...lostParam(given, mapping, params));
    else if (!table.spec.optional) lacking.push(table);
  }
  if (company !== undefined) issues.push(...otherCompanies(company, ofRun));
  // What another table has taken is none that was looked for.
  for (const table of lacking) {
    const free = candidates.filter((one) => isFree(table, one));
    issues.push(...notFound(table, mapping, free, candidates, tables));
  }
  const present = presentIn(tables);
  const leftAside = all.flatMap((one) => {
    const { file, sheet } = one.source;
    const note = taken.has(one) || one.rows.length === 0 ? undefined : asideOf(one)?.reason;
    return note === undefined ? [] : [{ place: { file, sheet: sheet! }, note }];
  });
  const others = candidates.filter((one) => asideOf(one) === undefined);
  issues.push(
    ...missingColumns(mapping, tables, present, params.values),
    ...(await unreadSheets(mapping, others, taken, tables)),
  );
  return { tables, present, issues, leftAside };
}

/** The table with what counts for several of its records. */
async function withFillDown({ fillDown }: CompiledTable, table: LocatedTable): Promise<LocatedTable> {
  if (fillDown === undefined) return table;
  const { source, header, params, present } = table;
  const indexes = present.flatMap(({ column, index, more }) =>
    fillDown.columns.includes(column) ? [index, ...more] : [],
  );
  return {
    ...table,
    source: await withMergedDown(source, indexes, header.firstDataRow),
    fillDown: { ...fillDown, isOn: fillDown.param === undefined || params[fillDown.param] === true },
  };
}

/** Whether the mapping names the very file. */
const isSaid = ({ spec }: CompiledTable, { source }: Candidate): boolean =>
  [spec.file ?? []].flat().some((name) => !isWild(name) && fold(name) === fold(baseName(source.file)));

type IsFree = (table: CompiledTable, candidate: Candidate) => boolean;

/** The files that are sent together, where one of them lists them. */
async function deliveryIn(
  mapping: LoadedMapping,
  wanted: readonly CompiledTable[],
  candidates: readonly Candidate[],
  isFree: IsFree,
): Promise<Delivery | undefined> {
  const lists = wanted.flatMap((table) => {
    const { lists: listed } = table;
    if (listed === undefined) return [];
    const free = candidates.filter((one) => isFree(table, one));
    return fitting(table, mapping, free).map(({ candidate: { source }, header }) => ({
      ...listed,
      table: locateTable(table, source, header, 0, {}),
    }));
  });
  return lists.length === 0 ? undefined : deliveryOf(lists);
}

/** The sheets that hold a table: the best of each file, or every one that fits. */
function fitting(table: CompiledTable, mapping: LoadedMapping, candidates: readonly Candidate[]): Fit[] {
  const fits = candidates.flatMap((candidate) => fitOf(table, mapping, candidate) ?? []);
  if (table.spec.every || table.spec.spread) return fits;
  const best = new Map<InputFile | RowSource | undefined, Fit>();
  for (const fit of fits) {
    const { input, source } = fit.candidate;
    const file = input?.kind === 'zip' ? source : input;
    const known = best.get(file);
    if (known === undefined || matchedColumns(fit.header) > matchedColumns(known.header)) best.set(file, fit);
  }
  return [...best.values()];
}

/** A parameter whose records fit no column would be lost unseen. */
function lostParam(name: string, { params }: LoadedMapping, { tables }: ResolvedParams): Issue[] {
  if ((tables[name] ?? []).length === 0) return [];
  const { es, en } = titleOfParam(params.get(name)!);
  return [issueOf('param/table-unfit', 'error', { about_es: es, about_en: en })];
}

/** A table that is a parameter. */
async function fitsGiven(
  table: CompiledTable,
  mapping: LoadedMapping,
  name: string,
  records: readonly Readonly<Record<string, unknown>>[],
): Promise<Fit[]> {
  if (records.length === 0) return [];
  const source = paramTable(name, records);
  const fit = fitOf(table, mapping, { input: undefined, source, rows: await firstRows(source, 1) });
  return fit === undefined ? [] : [fit];
}
