import { getOrAdd } from '../core/remember.js';
import { required } from '../core/required.js';
import { baseName, fold, similarity, wildcard } from '../core/text.js';
import { beginsWithLabels } from '../documents/table-fit.js';
import type { LoadedMapping } from '../mapping/load.js';
import { type CompiledTable, isFlat, joiningColumns, MIN_READABLE_CELLS } from '../mapping/record.js';
import { areHalves, fortnightOf } from '../tables/fortnight.js';
import { SCORE_LEVELS, scoreLabel } from '../tables/label-score.js';
import { holdsOtherClass, knownClasses, knownWords, looksLikeDocuments } from './content.js';
import { agreement } from './evidence.js';
import { readColumns } from './label-texts.js';
import { fitLabels, type LabelFit, likelyColumns, NEARLY, TITLE } from './labels.js';
import { abbreviations, type FoundHeader, noHeader, type Sheet } from './sheets.js';
import type { Uses } from './uses.js';

/** Sheet with its header. */
export interface HeadedSheet {
  readonly sheet: Sheet;
  readonly header: FoundHeader | undefined;
}

/** Sheet read as a table of a mapping. */
export interface TableFit {
  readonly table: CompiledTable;
  readonly sheet: Sheet;
  readonly header: FoundHeader;
  readonly labels: readonly LabelFit[];
  /** Score of the name of the sheet; 1 if the mapping names none. */
  readonly named: number;
}

/** Sheet with records of the documents' key whose name does not tell its table. */
export interface OpenSheet {
  readonly sheet: Sheet;
  readonly header: FoundHeader;
  /** Possible tables, likeliest first. */
  readonly candidates: readonly { readonly table: CompiledTable; readonly score: number }[];
}

export interface Assignment {
  readonly tables: readonly TableFit[];
  readonly open: readonly OpenSheet[];
  readonly unused: readonly HeadedSheet[];
}

const MOST_SHEETS = 5;

const ALIKE = 0.7;

export const fileName = ({ source }: Sheet): string => baseName(source.file);

/** Returns the name of a sheet, or of a flat file without its ending. */
const bareName = (sheet: Sheet): string =>
  sheet.source.sheet === undefined ? fileName(sheet).replace(/\.[a-z]+$/i, '') : sheet.name;

/** True if a file has the name that the table gives. */
const hasFileName = ({ file, sheet: of }: CompiledTable['spec'], sheet: Sheet): boolean =>
  of === undefined &&
  file !== undefined &&
  [file].flat().some((name) => wildcard(name)(fold(fileName(sheet))));

/** True if a sheet of one concept would be called so: no word of the name makes another concept of it (`Salud empleador`). */
function saysConcept(mapping: LoadedMapping, id: string, names: readonly string[], name: string): boolean {
  const columns = [...mapping.tables.values()].flatMap((table) => [...table.columns.values()]);
  const sorts = columns.find((column) => column.sorts && id in column.sorts.classes)?.sorts;
  if (sorts === undefined) return true;
  const concept = sorts.classOf(name);
  if (concept !== undefined) return concept === id;
  const tells = sorts.tells(name);
  return names.some((title) => sorts.tells(title) === tells) && !sorts.strays(id, name);
}

/** Returns the score of a sheet's name for a table. */
function nameScore(mapping: LoadedMapping, { spec, id }: CompiledTable, sheet: Sheet): number {
  const patterns = [spec.sheet ?? spec.file ?? []].flat();
  if (patterns.length === 0 || hasFileName(spec, sheet)) return 1;
  const name = bareName(sheet);
  const bare = fortnightOf(name)?.rest ?? name;
  const score = Math.max(
    ...[name, bare].map((text) => scoreLabel(text, undefined, { id, titles: patterns }, abbreviations())),
  );
  return score > 0 && saysConcept(mapping, id, patterns, name) ? score : 0;
}

const keyOf = (mapping: LoadedMapping, table: CompiledTable): readonly string[] =>
  mapping.mains.includes(table) ? mapping.key : joiningColumns(table.join).map(({ id }) => id);

/** True if two headers share most of their labels: the same table once more. */
export function isSameHeader(a: FoundHeader, b: FoundHeader): boolean {
  const texts = (header: FoundHeader): string[] =>
    header.labels.flatMap((label) => (label ? fold(label) : []));
  const [left, right] = [new Set(texts(a)), texts(b)];
  const common = right.filter((text) => left.has(text)).length;
  return common > 0 && common / Math.max(left.size, right.length) >= ALIKE;
}

/** True if a column is found; a computed one if any of its columns is. */
export function isFound(table: CompiledTable, id: string, found: ReadonlySet<string>): boolean {
  const column = table.columns.get(id);
  return (
    found.has(id) || (column?.computed !== undefined && column.feeders.some((feeder) => found.has(feeder.id)))
  );
}

/** True if a column says that records are of another class than the only one of a table. */
const holdsOthers = ({ columns }: CompiledTable, labels: readonly LabelFit[], uses: Uses): boolean =>
  [...columns.values()].some(
    ({ sorts }) =>
      sorts?.only !== undefined && labels.some(({ content }) => holdsOtherClass(sorts.column, content, uses)),
  );

/** Reads a sheet as a table, when it has what tells its records apart and what makes it that table. */
function tryFit(
  mapping: LoadedMapping,
  uses: Uses,
  table: CompiledTable,
  { sheet, header }: HeadedSheet,
): TableFit | undefined {
  if (header === undefined || table.spec.header?.none) return undefined;
  const labels = fitLabels(table, sheet, header, uses);
  if (holdsOthers(table, labels, uses)) return undefined;
  const found = likelyColumns(labels);
  const { role, header: { must_have: must = [] } = {} } = table.spec;
  // It has no key that would tell it.
  if (role === 'control' && !must.every((id) => found.has(id))) return undefined;
  const named = nameScore(mapping, table, sheet);
  const key = keyOf(mapping, table);
  // A key by another name is asked about; without anything like it the records belong to nobody, unless the sheet is called as the table.
  const keyed =
    header.shared !== undefined ||
    (named === TITLE && table.join !== undefined && found.size > 0) ||
    labels.some(
      ({ means, content }) => (means === undefined || key.includes(means)) && looksLikeDocuments(content),
    );
  const unfound = key.filter((id) => !isFound(table, id, found));
  // Part of a longer key may stand under a label that says nothing of it.
  if (!keyed && unfound.length > key.length / 2) {
    const offered = new Set(labels.flatMap(({ candidates }) => candidates.map(({ value }) => value)));
    if (unfound.filter((id) => !isFound(table, id, offered)).length > key.length / 2) return undefined;
  }
  return { table, sheet, header, labels, named };
}

/** Returns the most that a label says of the concepts of a list; 0 for a table that sorts none. */
function mostConcepts(
  { table, labels }: TableFit,
  uses: Uses,
  measure: (...of: Parameters<typeof knownWords>) => number | undefined,
): number {
  const columns = (table.spec.header?.must_have ?? []).map((id) => required(table.columns, id));
  const sorted = columns.filter((column) => uses.classes.has(column));
  const found = sorted.flatMap((column) => labels.map(({ content }) => measure(column, content, uses) ?? 0));
  return Math.max(0, ...found);
}

/** Returns the fits of sheets to a main table, best first. */
function mainFits(
  mapping: LoadedMapping,
  uses: Uses,
  table: CompiledTable,
  sheets: readonly HeadedSheet[],
): TableFit[] {
  const must = table.spec.header?.must_have ?? [];
  const isConcept = (id: string): boolean => uses.classes.has(required(table.columns, id));
  // A list of novelties is short of concepts, whatever its titles.
  const classes = (fit: TableFit): number => mostConcepts(fit, uses, knownClasses);
  const size = (fit: TableFit): number =>
    likelyColumns(fit.labels).size +
    (fit.named >= SCORE_LEVELS.ask && table.spec.sheet !== undefined ? 3 : 0);
  return sheets
    .flatMap((sheet) => tryFit(mapping, uses, table, sheet) ?? [])
    .filter((fit) =>
      must.filter(isConcept).every((id) => likelyColumns(fit.labels).has(id) || hasWords(fit, id, uses)),
    )
    .filter((fit) => {
      const known = likelyColumns(fit.labels).size;
      // A short list may hold little beside the key: then all of it must be known, be it as nothing to read, or half of it with what makes it that list.
      const filled = fit.labels.filter(
        ({ content, reason }) => content.filled.length > 0 && reason !== 'declined',
      ).length;
      const isShort = known === filled || (must.length > 0 && isHeaderOf(fit) && 2 * known >= filled);
      return known > mapping.key.length + 1 || (known >= mapping.key.length && isShort);
    })
    .sort((a, b) => classes(b) - classes(a) || size(b) - size(a));
}

/**
 * True if a sheet belongs to those of a table: the same header, as of fortnights and branches, or further columns of
 * the same records.
 */
function belongsTo(read: readonly TableFit[], fit: TableFit): boolean {
  const [best] = read as [TableFit];
  if (!fit.table.spec.spread) return isSameHeader(fit.header, best.header);
  if (read.some(({ header, sheet }) => sheet.input !== fit.sheet.input && isSameHeader(header, fit.header)))
    return true;
  const known = likelyColumns(read.flatMap(({ labels }) => labels));
  const isHalf = read.some(({ sheet }) => areHalves([sheet.name, fit.sheet.name]));
  const added = isHalf
    ? likelyColumns(fit.labels).size
    : [...likelyColumns(fit.labels)].filter((id) => !known.has(id)).length;
  const filled = fit.labels.filter(
    ({ content, reason }) => content.filled.length > 0 && reason !== 'declined',
  );
  return 2 * added > filled.length;
}

/** True if a sheet has about one record for each key. */
const isOnePerKey = ({ key }: LoadedMapping, { labels }: TableFit): boolean => {
  const keyLabels = labels.filter(
    ({ means, reason }) => reason === 'key' || (means !== undefined && key.includes(means)),
  );
  return (
    keyLabels.length === 0 ||
    keyLabels.some(({ content }) => content.distinct.length >= content.filled.length * MIN_READABLE_CELLS)
  );
};

/** Least columns of different amounts of a sheet that has a record for each week or place of work of a person. */
const MIN_AMOUNTS = 3;

/** True if a sheet has a column for each concept, whatever the number of its records for a key. */
const isWide = ({ labels, table }: TableFit, { members }: Uses): boolean =>
  [...likelyColumns(labels)].filter((id) => {
    const column = required(table.columns, id);
    return column.kind === 'money' && (members.get(column)?.size ?? 0) > 0;
  }).length >= MIN_AMOUNTS;

const CLASSES = 3;

/** True if some column holds words of several classes of a sorted column, whatever its label. */
const hasWords = ({ labels, table }: TableFit, id: string, uses: Uses): boolean =>
  labels.some(
    ({ content, state }) =>
      state !== 'decided' && knownClasses(required(table.columns, id), content, uses) >= CLASSES,
  );

const flatFit = (table: CompiledTable, sheet: Sheet, named: number): TableFit => ({
  table,
  sheet,
  header: noHeader(sheet),
  labels: [],
  named,
});

const MOST_RECORDS = 0.9;

/** True if the records of a file have as many fields as the table, or all of them more, and no labels above them. */
function hasFields(table: CompiledTable, { rows, source }: Sheet, orMore = false): boolean {
  const fields = table.spec.header?.fields;
  if (beginsWithLabels(table, source, rows)) return false;
  if (fields === undefined) return true;
  const most = Math.max(...fields);
  if (orMore && rows.every(({ texts }) => texts.length > most)) return true;
  const fitting = rows.filter(({ texts }) => fields.includes(texts.length));
  return rows.length > 0 && fitting.length / rows.length >= MOST_RECORDS;
}

/** Share of the filled columns of a flat table that agree with what stands in their places. */
function inPlace(table: CompiledTable, sheet: Sheet, uses: Uses): number {
  const { contents } = noHeader(sheet);
  const shown = readColumns(table).flatMap((column) => {
    const content = contents[(column.wanted?.position ?? 0) - 1];
    const found = content && agreement(column, content, uses);
    return found === undefined || found === 'blank' ? [] : found;
  });
  return shown.length === 0 ? 0 : shown.filter((found) => found === 'agrees').length / shown.length;
}

/** Returns the flat tables that a file of another name may be, by its fields. */
const flatCandidates = (
  top: readonly CompiledTable[],
  taken: readonly TableFit[],
  sheet: Sheet,
  uses: Uses,
): OpenSheet['candidates'] =>
  sheet.source.sheet !== undefined
    ? []
    : top
        .filter(
          (table) => isFlat(table) && !taken.some((fit) => fit.table === table) && hasFields(table, sheet),
        )
        .map((table) => ({ table, score: inPlace(table, sheet, uses) * FLAT_AT_MOST }))
        .sort((a, b) => b.score - a.score)
        .slice(0, MOST_SHEETS);

/** Min share of cells in their place in a file with the name of the table. */
const IN_PLACE = 0.6;

/** Max score of a flat table by its fields alone. */
const FLAT_AT_MOST = 0.8;

/** True if a header has, or may have, the columns that a table requires. */
export function isHeaderOf({ table, labels }: TableFit): boolean {
  const offered = new Set([
    ...likelyColumns(labels),
    ...labels.flatMap((fit) =>
      fit.state === 'open'
        ? fit.candidates.flatMap(({ value, score }) => (score >= NEARLY ? [value] : []))
        : [],
    ),
  ]);
  return isFlat(table) || (table.spec.header?.must_have ?? []).every((id) => isFound(table, id, offered));
}

const sortsWords = ({ columns }: CompiledTable): boolean =>
  [...columns.values()].some(({ sorts }) => sorts !== undefined);

/** Min share of the words of a list that its table knows. */
const MOST_WORDS = 0.8;

/** Sheet whose name or words tell which table it is. */
interface Claim {
  readonly fit: TableFit;
  /** Tables that the name may mean; empty if the words of a list tell. */
  readonly candidates: OpenSheet['candidates'];
}

const isKnownByWords = ({ candidates }: Claim): boolean => candidates.length === 0;

/** Assigns the sheets to the tables of a mapping. */
export function assignSheets(mapping: LoadedMapping, uses: Uses, sheets: readonly HeadedSheet[]): Assignment {
  const assigning = new Assigning(mapping, uses, sheets);
  assigning.takeFlat();
  for (const main of mapping.mains) assigning.takeMain(main);
  assigning.takeNamed();
  assigning.takeNameless();
  return assigning.done();
}

/** Assignment of sheets to tables; a sheet is given to one table only. */
class Assigning {
  private readonly tables: TableFit[] = [];
  private readonly open: OpenSheet[] = [];
  /** Tables that files may have: neither parameters nor repeated columns. */
  private readonly top: readonly CompiledTable[];
  /** Joined tables that have names, and those that are known by their columns alone. */
  private readonly named: readonly CompiledTable[];
  private readonly nameless: readonly CompiledTable[];

  constructor(
    private readonly mapping: LoadedMapping,
    private readonly uses: Uses,
    private readonly sheets: readonly HeadedSheet[],
  ) {
    this.top = [...mapping.tables.values()].filter(
      ({ parent, spec }) => parent === undefined && spec.param === undefined,
    );
    const others = this.top.filter((table) => !mapping.mains.includes(table));
    this.named = others.filter(({ spec }) => spec.sheet !== undefined || spec.file !== undefined);
    this.nameless = others.filter((other) => !this.named.includes(other));
  }

  private free(): readonly HeadedSheet[] {
    return this.sheets.filter(({ sheet }) => !this.tables.some((fit) => fit.sheet === sheet));
  }

  /** Takes files without header, by their names and fields. */
  takeFlat(): void {
    for (const { sheet } of this.sheets) {
      const table = this.top.find(
        (item) =>
          isFlat(item) &&
          hasFileName(item.spec, sheet) &&
          hasFields(item, sheet, true) &&
          inPlace(item, sheet, this.uses) >= IN_PLACE,
      );
      if (table !== undefined) this.tables.push(flatFit(table, sheet, 1));
    }
  }

  /** Takes the best sheet of a main table, and those that belong to it. */
  takeMain(main: CompiledTable): void {
    const { mapping, uses } = this;
    // Columns of one record may be in a sheet of any name, but for those of other tables.
    const others = main.spec.spread ? [...mapping.mains, ...this.named] : mapping.mains;
    const saysOther = ({ sheet }: HeadedSheet): boolean =>
      others.some((other) => other !== main && nameScore(this.mapping, other, sheet) >= SCORE_LEVELS.alone) &&
      (Boolean(main.spec.spread) || nameScore(this.mapping, main, sheet) < SCORE_LEVELS.ask);
    const candidates = this.free().filter((sheet) => !saysOther(sheet));
    const all = mainFits(mapping, uses, main, candidates);
    const lists = all.filter((fit) => isHeaderOf(fit) || !this.isBeside(fit));
    const fits = lists.length > 0 ? lists : all;
    const [best] = fits;
    if (best === undefined) return;
    const read = [best];
    for (const fit of fits)
      if (
        fit !== best &&
        belongsTo(read, fit) &&
        (!main.spec.spread || isOnePerKey(mapping, fit) || isWide(fit, uses))
      )
        read.push(fit);
    this.tables.push(...read);
  }

  /** True if a sheet has all that makes a table next to the list, such as that of patients. */
  private isBeside({ sheet }: TableFit): boolean {
    const headed = this.sheets.filter((item) => item.sheet === sheet);
    return this.nameless.some((table) => headed.some((item) => this.fitsOf(table, item).length > 0));
  }

  /** Takes sheets of named tables; a sheet that may be several tables, or that several claim, is left open. */
  takeNamed(): void {
    const claims = this.free().flatMap((headed) => this.claimOf(headed) ?? []);
    for (const claim of claims) {
      const { fit, candidates } = claim;
      const { sheet, header, table } = fit;
      // Of several that are alike it is asked which are read, of others what each of them holds. Branches have workbooks that are alike.
      const isSibling = ({ fit: other }: Claim): boolean =>
        (other.sheet.input === sheet.input || fold(other.sheet.name) === fold(sheet.name)) &&
        isSameHeader(other.header, header);
      const isSettled = (other: Claim): boolean =>
        isKnownByWords(other) || other.fit.table !== table || isSibling(other);
      if (isKnownByWords(claim) || claims.every(isSettled)) this.tables.push(fit);
      else this.open.push({ sheet, header, candidates });
    }
  }

  /** Returns the table that a sheet surely is; leaves the sheet open if it may be several. */
  private claimOf(headed: HeadedSheet): Claim | undefined {
    const { sheet, header } = headed;
    const all = this.fitsByName(headed);
    const withHeader = all.filter(({ fit }) => isHeaderOf(fit));
    // Of equal names the one that knows more of the labels.
    const fits = (withHeader.length > 0 ? withHeader : all).sort(
      (a, b) => b.score - a.score || (a.score > 0 ? knownLabels(b.fit) - knownLabels(a.fit) : 0),
    );
    const listed = fits.every(({ score }) => score < SCORE_LEVELS.ask) ? this.listOf(fits) : undefined;
    if (listed !== undefined) return { fit: listed, candidates: [] };
    const [first, second] = fits;
    // What no table is called says more of itself than a table that is called otherwise.
    if (first !== undefined && first.score < SCORE_LEVELS.ask) {
      const isOther = (fit: TableFit): boolean => knownLabels(fit) > knownLabels(first.fit);
      if (this.nameless.some((table) => this.fitsOf(table, headed).some(isOther))) return undefined;
    }
    const flat = first === undefined ? flatCandidates(this.top, this.tables, sheet, this.uses) : [];
    if (flat.length > 0) this.open.push({ sheet, header: noHeader(sheet), candidates: flat });
    if (first === undefined || header === undefined) return undefined;
    // What a sheet says by concept has no place in a table of one, whatever its name.
    const sorted = withHeader.find(
      ({ fit }) =>
        fit.table !== first.fit.table && sortsWords(fit.table) && knownLabels(fit) > knownLabels(first.fit),
    );
    const candidates = [...new Set([first, ...[sorted ?? []].flat(), ...fits])]
      .slice(0, MOST_SHEETS)
      .map(({ fit, score }) => ({
        table: fit.table,
        score: sorted === undefined ? score : Math.min(score, NEARLY),
      }));
    const isSure =
      sorted === undefined &&
      first.score >= SCORE_LEVELS.alone &&
      (second === undefined || second.score <= first.score - SCORE_LEVELS.margin);
    if (isSure) return { fit: first.fit, candidates };
    this.open.push({ ...headed, header, candidates });
    return undefined;
  }

  /** Returns the table whose classes know the words of a list, whatever its name. */
  private listOf(fits: readonly { readonly fit: TableFit }[]): TableFit | undefined {
    const known = fits
      .map(({ fit }) => ({ fit, share: mostConcepts(fit, this.uses, knownWords) }))
      .sort((a, b) => b.share - a.share);
    const [first, second] = known;
    return first !== undefined && first.share >= MOST_WORDS && first.share > (second?.share ?? 0)
      ? first.fit
      : undefined;
  }

  /** Returns the tables that a sheet may be, those of its name first. */
  private fitsByName(headed: HeadedSheet): { readonly fit: TableFit; readonly score: number }[] {
    return this.named
      .map((table) => ({
        table,
        score: nameScore(this.mapping, table, headed.sheet),
        alike: likeName(table, headed.sheet),
      }))
      .sort((a, b) => b.score - a.score || b.alike - a.alike)
      .flatMap(({ table, score }) => {
        const fit = tryFit(this.mapping, this.uses, table, headed);
        return fit === undefined ? [] : [{ fit, score }];
      });
  }

  /** Returns the fits of a sheet to a nameless table, if enough of its columns are there. */
  private fitsOf(table: CompiledTable, headed: HeadedSheet): readonly TableFit[] {
    return [tryFit(this.mapping, this.uses, table, headed) ?? []].flat().filter(({ labels }) => {
      const found = likelyColumns(labels);
      const must = table.spec.header?.must_have ?? [];
      return (found.size > 2 || must.length > 1) && must.every((id) => isFound(table, id, found));
    });
  }

  /** Gives the remaining sheets to tables that are known by their columns alone. */
  takeNameless(): void {
    for (const table of this.nameless) {
      const [best] = this.free()
        .flatMap((sheet) => this.fitsOf(table, sheet))
        .sort((a, b) => knownLabels(b) - knownLabels(a));
      if (best !== undefined) this.tables.push(best);
    }
  }

  done(): Assignment {
    const { tables, open } = this;
    const asked = new Set(open.map(({ sheet }) => sheet));
    return { tables, open, unused: this.free().filter(({ sheet }) => !asked.has(sheet)) };
  }
}

/** Adds the sheet to the ids of labels of further sheets whose header differs from the first one. */
export function withSheetIds(tables: readonly TableFit[]): readonly TableFit[] {
  const headers = new Map<string, FoundHeader>();
  return tables.map((fit) => {
    const { table, sheet, header, labels } = fit;
    const first = getOrAdd(headers, table.id, () => header);
    return isSameHeader(first, header) || table.spec.spread
      ? fit
      : {
          ...fit,
          labels: labels.map((label) => ({ ...label, id: label.id.replace('.', `.${sheet.title}.`) })),
        };
  });
}

const knownLabels = ({ labels }: TableFit): number => likelyColumns(labels).size;

const likeName = ({ spec }: CompiledTable, sheet: Sheet): number =>
  Math.max(0, ...[spec.sheet ?? spec.file ?? []].flat().map((name) => similarity(name, bareName(sheet))));
