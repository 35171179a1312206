import { type Issue, issueOf, type Place } from '../core/issue.js';
import { baseName, fold, isWild, wildcard } from '../core/text.js';
import type { LoadedMapping } from '../mapping/load.js';
import { asDeclared, locateTable } from '../mapping/located.js';
import type { ResolvedParams } from '../mapping/params.js';
import { type CompiledColumn, type CompiledTable, type HeadedTable, isFlat } from '../mapping/record.js';
import type { Note } from '../messages/wording.js';
import { withMergedDown } from '../tables/merged-down.js';
import type { InputFile, Row, RowSource } from '../tables/table.js';
import { recordsAbove } from './above-header.js';
import { withAddedFields } from './added-fields.js';
import { type Delivery, deliveryOf } from './delivery.js';
import { lostParam, missingColumns, notFound, unreadSheets } from './not-located.js';
import { otherCompanies, type RunCompany } from './other-company.js';
import { otherMonths } from './other-month.js';
import { scaledAmounts, unsaidScales } from './scaled-amounts.js';
import { amountsUnderOther } from './sections.js';
import {
  type Candidate,
  candidatesOf,
  type Fit,
  firstRows,
  fitOf,
  fitting,
  type HeaderRows,
  isNamed,
  nameOf,
  placeOf,
  saidRow,
  upperOf,
} from './table-fit.js';

/** The tables of a mapping in the files of a run. */
export interface Located {
  readonly tables: readonly HeadedTable[];
  /** Columns that some file has. */
  readonly present: ReadonlySet<CompiledColumn>;
  /** Trouble with tables as a whole: sheet, header, columns. */
  readonly issues: readonly Issue[];
  /** Filled sheets that the mapping leaves aside, and files without a table. */
  readonly leftAside: readonly { readonly place: Place; readonly note: Note }[];
}

const presentIn = (tables: readonly HeadedTable[]): ReadonlySet<CompiledColumn> =>
  new Set(
    tables
      .flatMap((table) => [table, ...table.repeats])
      .flatMap((table) => table.present.map(({ column }) => column)),
  );

/** Tables whose trouble was told when they were found. */
export const foundBefore = (tables: readonly HeadedTable[]): Located => ({
  tables,
  present: presentIn(tables),
  issues: [],
  leftAside: [],
});

/** Facts about the tables that are looked for. */
interface LocateOptions {
  /** Company whose documents are made, where a table may name its company above its header. */
  readonly company?: RunCompany | undefined;
  /** Rows of headers that a person said. */
  readonly headers?: HeaderRows | undefined;
  /** Slips in JSON files are read as what they mean, though the mapping keeps them: what is made is a new file. */
  readonly mendsJson?: boolean;
}

/** Finds every table of a mapping. */
export async function locate(
  mapping: LoadedMapping,
  inputs: readonly InputFile[],
  params: ResolvedParams,
  { company, headers = new Map(), mendsJson = false }: LocateOptions = {},
): Promise<Located> {
  const wanted = [...mapping.tables.values()].filter(({ parent }) => parent === undefined);
  const search = new TableSearch(
    mapping,
    params,
    wanted,
    inputs,
    await candidatesOf(inputs, wanted, headers),
    mendsJson,
  );
  await search.leaveUnlisted();
  for (const table of wanted.toSorted((a, b) => rankIn(mapping, a) - rankIn(mapping, b)))
    await search.take(table);
  search.compare(company);
  search.compareSaid(headers);
  return search.finish();
}

/**
 * Those that make documents choose first: a list that holds the personal data too is no table of workers. Then those with a file of
 * their own, or a sheet, of which somebody said what its labels mean, then the others of these: what goes by its columns alone takes
 * what is left.
 */
function rankIn(mapping: LoadedMapping, table: CompiledTable): number {
  if (mapping.mains.includes(table)) return 0;
  if (table.spec.file !== undefined) return 1;
  if (table.spec.sheet === undefined) return 4;
  return table.spec.labels === undefined ? 3 : 2;
}

/** The way of the tables of a mapping through the sheets and texts of a run, each of which is taken by one of them. */
class TableSearch {
  private readonly candidates: readonly Candidate[];
  private readonly taken = new Set<Candidate>();
  private readonly tables: HeadedTable[] = [];
  private readonly issues: Issue[] = [];
  private readonly lacking: CompiledTable[] = [];
  /** Those that are no parameters, with their first rows. */
  private readonly ofFiles: (readonly [HeadedTable, readonly Row[]])[] = [];

  constructor(
    private readonly mapping: LoadedMapping,
    private readonly params: ResolvedParams,
    private readonly wanted: readonly CompiledTable[],
    private readonly inputs: readonly InputFile[],
    private readonly all: readonly Candidate[],
    private readonly mendsJson: boolean,
  ) {
    this.candidates = all.filter((one) => this.asideOf(one)?.yields ?? this.asideOf(one) === undefined);
  }

  /** Why the mapping leaves a sheet aside, where it does. */
  private asideOf({ source: { sheet } }: Candidate) {
    return sheet === undefined ? undefined : this.mapping.leftAside(sheet);
  }

  private isFree(table: CompiledTable, one: Candidate): boolean {
    return !this.taken.has(one) && isNamed(table, one, this.wanted.length === 1);
  }

  private freeFor(table: CompiledTable): readonly Candidate[] {
    return this.candidates.filter((one) => this.isFree(table, one));
  }

  /** Where a list names the files that are sent together, nobody takes one that it does not name; and one that is not there is told. */
  async leaveUnlisted(): Promise<void> {
    const { candidates, wanted, mapping } = this;
    const delivery = await this.delivery();
    if (delivery === undefined) return;
    /** Whether a file may be a table that a list would name, unless the mapping names that very file. */
    const isListable = (table: CompiledTable, one: Candidate): boolean =>
      isFlat(table) &&
      table.lists === undefined &&
      this.isFree(table, one) &&
      !isSaid(table, one) &&
      fitOf(table, mapping, one) !== undefined;
    const isSaidToBe = (name: string): boolean =>
      wanted.some(
        (table) =>
          isFlat(table) &&
          candidates.some((one) => isSaid(table, one)) &&
          [table.spec.file!].flat().some((pattern) => wildcard(pattern)(fold(`${name}.txt`))),
      );
    const files = candidates.map(({ source }) => source.file);
    for (const candidate of candidates) {
      const { file } = candidate.source;
      if (delivery.has(file, files) || !wanted.some((table) => isListable(table, candidate))) continue;
      this.taken.add(candidate);
      this.issues.push(delivery.unlisted(file));
    }
    this.issues.push(...delivery.lacking(files, isSaidToBe));
  }

  /** The files that are sent together, where one of them lists them. */
  private async delivery(): Promise<Delivery | undefined> {
    const lists = this.wanted.flatMap((table) => {
      const { lists: listed } = table;
      if (listed === undefined) return [];
      return fitting(table, this.mapping, this.freeFor(table)).map(({ candidate: { source }, header }) => ({
        ...listed,
        table: asDeclared(locateTable(table, source, header, 0, {})),
      }));
    });
    return lists.length === 0 ? undefined : deliveryOf(lists);
  }

  /** Takes the sheets and texts that hold a table. */
  async take(table: CompiledTable): Promise<void> {
    const { mapping, params } = this;
    const given = table.spec.param;
    const fits =
      given === undefined
        ? fitting(table, mapping, this.freeFor(table))
        : await fitsGiven(table, mapping, given, params.tables[given] ?? []);
    for (const fit of fits) {
      this.taken.add(fit.candidate);
      await this.add(table, fit);
    }
    if (fits.length > 0) return;
    if (given !== undefined) this.issues.push(...lostParam(given, mapping, params));
    else if (!table.spec.optional) this.lacking.push(table);
  }

  private async add(table: CompiledTable, { candidate, header }: Fit): Promise<void> {
    const { mapping, params, issues, tables } = this;
    const { source, rows } = candidate;
    const located = await withFillDown(
      table,
      locateTable(table, source, header, tables.length, params.values),
    );
    const added = withAddedFields(located, rows);
    const { hidden = [] } = (await source.view?.()) ?? {};
    const { json } = table.spec;
    const mendsJson = json === 'mended' || (json === true && this.mendsJson);
    tables.push({
      ...added.table,
      ...(hidden.length > 0 && { hidden }),
      ...(mendsJson && { mendsJson }),
    });
    issues.push(...header.issues, ...amountsUnderOther(located, mapping), ...added.issues);
    issues.push(
      ...recordsAbove(table, asDeclared(located), rows, upperOf(table, mapping, candidate, header)),
    );
    if (source.hidden && table.spec.hidden_rows !== 'include') issues.push(hiddenRead(candidate));
    if (table.spec.param !== undefined) return;
    this.ofFiles.push([located, rows]);
    issues.push(...scaledAmounts(located, rows));
    const month = [...mapping.params.values()].find(({ spec }) => spec.type === 'month')?.name;
    if (month !== undefined) issues.push(...otherMonths(source, rows, header, params.values[month]));
  }

  /** Compares the tables: whether all are of the company whose documents are made, and of amounts in the same units. */
  compare(company: RunCompany | undefined): void {
    if (company !== undefined) this.issues.push(...otherCompanies(company, this.ofFiles));
    this.issues.push(...unsaidScales(this.ofFiles));
  }

  /** Reports rows of headers that were said and are none. */
  compareSaid(headers: HeaderRows): void {
    const names = this.all.map(nameOf).join(', ');
    const isOf = (name: string, { source }: Candidate): boolean =>
      saidRow(new Map([[name, 1]]), source) !== undefined;
    for (const [name, row] of headers)
      if (!this.all.some((one) => isOf(name, one)))
        this.issues.push({
          ...issueOf('header/row-of-no-sheet', 'error', { found: names, row }),
          value: name,
        });
    for (const one of this.all)
      if (one.headerRow !== undefined && !this.taken.has(one))
        this.issues.push({
          ...issueOf('header/row-without-titles', 'error', {}, { ...placeOf(one), row: one.headerRow }),
          value: nameOf(one),
        });
  }

  /** Tells what was not found, and what nobody took. */
  async finish(): Promise<Located> {
    const { mapping, params, candidates, taken, tables, issues } = this;
    // Only now: what another table has taken is none that was looked for.
    for (const table of this.lacking)
      issues.push(...notFound(table, mapping, this.freeFor(table), candidates, tables));
    const present = presentIn(tables);
    const others = candidates.filter((one) => this.asideOf(one) === undefined);
    issues.push(
      ...missingColumns(mapping, tables, present, params.values),
      ...(await unreadSheets(mapping, others, taken, tables)),
    );
    const noData = this.inputs
      .flatMap(({ ignoredParts = [] }) => ignoredParts)
      .map((file) => ({ place: { file }, note: { key: 'no-data' as const } }));
    const leftAside = this.all.flatMap((one) => {
      const { file, sheet } = one.source;
      const note = taken.has(one) || one.rows.length === 0 ? undefined : this.asideOf(one)?.reason;
      return note === undefined ? [] : [{ place: { file, sheet: sheet! }, note }];
    });
    return { tables, present, issues, leftAside: [...leftAside, ...noData] };
  }
}

const hiddenRead = (candidate: Candidate): Issue => ({
  code: 'header/hidden-sheet-read',
  level: 'warning',
  params: {},
  place: placeOf(candidate),
  value: nameOf(candidate),
});

/** The table with what counts for several of its records. */
async function withFillDown({ fillDown }: CompiledTable, table: HeadedTable): Promise<HeadedTable> {
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
