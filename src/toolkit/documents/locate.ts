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
import { lostParam, missingColumns, notFound, unreadSheets } from './locate-issues.js';
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
  givenRow,
  type HeaderRows,
  isNamed,
  nameOf,
  placeOf,
  upperOf,
} from './table-fit.js';

/** Tables of a mapping located in the files of a run. */
export interface Located {
  readonly tables: readonly HeadedTable[];
  /** Columns that at least one file has. */
  readonly present: ReadonlySet<CompiledColumn>;
  /** Issues of whole tables: sheet, header, columns. */
  readonly issues: readonly Issue[];
  /** Filled sheets that the mapping ignores, and files without a table. */
  readonly leftAside: readonly { readonly place: Place; readonly note: Note }[];
}

const presentIn = (tables: readonly HeadedTable[]): ReadonlySet<CompiledColumn> =>
  new Set(
    tables
      .flatMap((table) => [table, ...table.repeats])
      .flatMap((table) => table.present.map(({ column }) => column)),
  );

/** Wraps tables whose issues were reported when they were located. */
export const foundBefore = (tables: readonly HeadedTable[]): Located => ({
  tables,
  present: presentIn(tables),
  issues: [],
  leftAside: [],
});

interface LocateOptions {
  /** Company of the documents, to be compared with names above headers. */
  readonly company?: RunCompany | undefined;
  readonly headers?: HeaderRows | undefined;
  /** Corrects slips in JSON files even if the mapping retains them, because the result is a new file. */
  readonly mendsJson?: boolean;
}

/** Locates every table of a mapping. */
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
  search.compareGiven(headers);
  return search.finish();
}

/**
 * Returns the priority of a table. Main tables choose first, so that a list with personal data does not become the
 * workers' table; then tables with a file name, with a sheet and declared labels, with a sheet, and those found by
 * columns alone.
 */
function rankIn(mapping: LoadedMapping, table: CompiledTable): number {
  if (mapping.mains.includes(table)) return 0;
  if (table.spec.file !== undefined) return 1;
  if (table.spec.sheet === undefined) return 4;
  return table.spec.labels === undefined ? 3 : 2;
}

/** Assigns sheets and texts of a run to the tables of a mapping, each to at most one. */
class TableSearch {
  private readonly candidates: readonly Candidate[];
  private readonly taken = new Set<Candidate>();
  private readonly tables: HeadedTable[] = [];
  private readonly issues: Issue[] = [];
  private readonly lacking: CompiledTable[] = [];
  /** Tables other than parameters, with their first rows. */
  private readonly ofFiles: (readonly [HeadedTable, readonly Row[]])[] = [];

  constructor(
    private readonly mapping: LoadedMapping,
    private readonly params: ResolvedParams,
    private readonly wanted: readonly CompiledTable[],
    private readonly inputs: readonly InputFile[],
    private readonly all: readonly Candidate[],
    private readonly mendsJson: boolean,
  ) {
    this.candidates = all.filter((entry) => this.asideOf(entry)?.yields ?? this.asideOf(entry) === undefined);
  }

  /** Returns why the mapping ignores a sheet, if it does. */
  private asideOf({ source: { sheet } }: Candidate) {
    return sheet === undefined ? undefined : this.mapping.leftAside(sheet);
  }

  private isFree(table: CompiledTable, candidate: Candidate): boolean {
    return !this.taken.has(candidate) && isNamed(table, candidate, this.wanted.length === 1);
  }

  private freeFor(table: CompiledTable): readonly Candidate[] {
    return this.candidates.filter((candidate) => this.isFree(table, candidate));
  }

  /** Excludes files that the list of a delivery does not name, and reports listed files that are absent. */
  async leaveUnlisted(): Promise<void> {
    const { candidates, wanted, mapping } = this;
    const delivery = await this.delivery();
    if (delivery === undefined) return;
    /** True if a list would name the file, unless the mapping names exactly this file. */
    const isListable = (table: CompiledTable, candidate: Candidate): boolean =>
      isFlat(table) &&
      table.lists === undefined &&
      this.isFree(table, candidate) &&
      !isNamedExactly(table, candidate) &&
      fitOf(table, mapping, candidate) !== undefined;
    const isAssigned = (name: string): boolean =>
      wanted.some(
        (table) =>
          isFlat(table) &&
          candidates.some((candidate) => isNamedExactly(table, candidate)) &&
          [table.spec.file ?? []].flat().some((pattern) => wildcard(pattern)(fold(`${name}.txt`))),
      );
    const files = candidates.map(({ source }) => source.file);
    for (const candidate of candidates) {
      const { file } = candidate.source;
      if (delivery.has(file, files) || !wanted.some((table) => isListable(table, candidate))) continue;
      this.taken.add(candidate);
      this.issues.push(delivery.unlisted(file));
    }
    this.issues.push(...delivery.lacking(files, isAssigned));
  }

  /** Returns the delivery, if a file lists its files. */
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

  /** Checks that all tables are of the company, and that their amounts have the same units. */
  compare(company: RunCompany | undefined): void {
    if (company !== undefined) this.issues.push(...otherCompanies(company, this.ofFiles));
    this.issues.push(...unsaidScales(this.ofFiles));
  }

  /** Reports header rows given by the user that match nothing. */
  compareGiven(headers: HeaderRows): void {
    const names = this.all.map(nameOf).join(', ');
    const isOf = (name: string, { source }: Candidate): boolean =>
      givenRow(new Map([[name, 1]]), source) !== undefined;
    for (const [name, row] of headers)
      if (!this.all.some((candidate) => isOf(name, candidate)))
        this.issues.push({
          ...issueOf('header/row-of-no-sheet', 'error', { found: names, row }),
          value: name,
        });
    for (const candidate of this.all)
      if (candidate.headerRow !== undefined && !this.taken.has(candidate))
        this.issues.push({
          ...issueOf(
            'header/row-without-titles',
            'error',
            {},
            { ...placeOf(candidate), row: candidate.headerRow },
          ),
          value: nameOf(candidate),
        });
  }

  /** Reports tables that were not found, and sheets that were not taken. */
  async finish(): Promise<Located> {
    const { mapping, params, candidates, taken, tables, issues } = this;
    // At the end, since sheets taken by other tables are no candidates.
    for (const table of this.lacking)
      issues.push(...notFound(table, mapping, this.freeFor(table), candidates, tables));
    const present = presentIn(tables);
    const others = candidates.filter((candidate) => this.asideOf(candidate) === undefined);
    issues.push(
      ...missingColumns(mapping, tables, present, params.values),
      ...(await unreadSheets(mapping, others, taken, tables)),
    );
    const noData = this.inputs
      .flatMap(({ ignoredParts = [] }) => ignoredParts)
      .map((file) => ({ place: { file }, note: { key: 'no-data' as const } }));
    const leftAside = this.all.flatMap((candidate) => {
      const { file, sheet } = candidate.source;
      const isIgnored = !taken.has(candidate) && candidate.rows.length > 0;
      const note = isIgnored ? this.asideOf(candidate)?.reason : undefined;
      return note === undefined ? [] : [{ place: { file, ...(sheet !== undefined && { sheet }) }, note }];
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

/** Adds values that apply to several records of a table. */
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

/** True if the mapping names exactly this file. */
const isNamedExactly = ({ spec }: CompiledTable, { source }: Candidate): boolean =>
  [spec.file ?? []].flat().some((name) => !isWild(name) && fold(name) === fold(baseName(source.file)));

/** Creates the rows of a table parameter: its header is the keys of its records. */
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

/** Locates a table that is a parameter. */
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
