import type { LoadedMapping } from '../mapping/load.js';
import type { CompiledTable } from '../mapping/tables.js';
import { SCORE_LEVELS, scoreLabel } from '../source/label-score.js';
import { fold } from '../values/fold.js';
import { similarity } from '../values/similar.js';
import { looksLikeDocuments } from './content.js';
import { knownClasses } from './content-fit.js';
import { fortnightOf } from './fortnight.js';
import type { FoundHeader } from './header-row.js';
import { fitLabels, type LabelFit } from './labels.js';
import type { Sheet } from './sheets.js';
import type { Uses } from './uses.js';
import { abbreviations } from './vocabulary.js';

/** A sheet with the header that was found in it. */
export interface HeadedSheet {
  readonly sheet: Sheet;
  readonly header: FoundHeader | undefined;
}

/** A sheet read as a table of a mapping. */
export interface TableFit {
  readonly table: CompiledTable;
  readonly sheet: Sheet;
  readonly header: FoundHeader;
  readonly labels: readonly LabelFit[];
  /** How well the name of the sheet says so; 1 where the mapping names none. */
  readonly named: number;
}

/** A sheet with records of the documents' key, whose name does not say what it holds. */
export interface OpenSheet {
  readonly sheet: Sheet;
  readonly header: FoundHeader;
  /** Tables by likelihood. */
  readonly candidates: readonly { readonly table: CompiledTable; readonly score: number }[];
}

export interface Assignment {
  readonly tables: readonly TableFit[];
  readonly open: readonly OpenSheet[];
  readonly unused: readonly HeadedSheet[];
}

const MOST_CANDIDATES = 5;
const ALIKE = 0.7;

const baseName = ({ source, name }: Sheet): string =>
  source.sheet === undefined ? name.replace(/\.[a-z]+$/i, '') : name;

/** How well a sheet's name fits the names that a table goes by. */
export function nameScore({ spec, id }: CompiledTable, sheet: Sheet): number {
  const patterns = [spec.sheet ?? spec.file ?? []].flat();
  if (patterns.length === 0) return 1;
  const name = baseName(sheet);
  const bare = fortnightOf(name)?.rest ?? name;
  return Math.max(
    ...[name, bare].map((text) => scoreLabel(text, undefined, { id, titles: patterns }, abbreviations())),
  );
}

/** Columns that the labels certainly or probably mean. */
export const likelyColumns = (labels: readonly LabelFit[]): ReadonlySet<string> =>
  new Set(
    labels.flatMap(({ means, candidates }) => {
      const [first] = candidates;
      return means ?? (first !== undefined && first.score >= SCORE_LEVELS.ask ? first.value : []);
    }),
  );

const keyOf = (mapping: LoadedMapping, table: CompiledTable): readonly string[] =>
  mapping.mains.includes(table) ? mapping.key : (table.join?.own.map(({ id }) => id) ?? []);

/** Shares most of its labels with another sheet: the same table once more. */
export function isSameHeader(a: FoundHeader, b: FoundHeader): boolean {
  const texts = (header: FoundHeader): string[] =>
    header.labels.flatMap((label) => (label ? fold(label) : []));
  const [left, right] = [new Set(texts(a)), texts(b)];
  const common = right.filter((text) => left.has(text)).length;
  return common > 0 && common / Math.max(left.size, right.length) >= ALIKE;
}

/** A computed key is there with any of the columns that it may be made of. */
function isFound(table: CompiledTable, id: string, found: ReadonlySet<string>): boolean {
  const column = table.columns.get(id);
  return found.has(id) || (column?.computed !== undefined && column.feeders.some((one) => found.has(one.id)));
}

/** Reads a sheet as a table, when it has what tells its records apart and what makes it that table. */
function tryFit(
  mapping: LoadedMapping,
  uses: Uses,
  table: CompiledTable,
  { sheet, header }: HeadedSheet,
): TableFit | undefined {
  if (header === undefined || table.spec.header?.none) return undefined;
  const labels = fitLabels(table, sheet, header, uses);
  const found = likelyColumns(labels);
  // A key by another name is asked about; without anything like it the records belong to nobody.
  const keyed = labels.some(({ state, content }) => state !== 'decided' && looksLikeDocuments(content));
  if (!keyOf(mapping, table).every((id) => keyed || isFound(table, id, found))) return undefined;
  return { table, sheet, header, labels, named: nameScore(table, sheet) };
}

/** Sheets for the tables whose records make the documents, the best first. */
function mainFits(
  mapping: LoadedMapping,
  uses: Uses,
  table: CompiledTable,
  sheets: readonly HeadedSheet[],
): TableFit[] {
  const must = table.spec.header?.must_have ?? [];
  const isConcept = (id: string): boolean => uses.classes.has(table.columns.get(id)!);
  const size = (fit: TableFit): number =>
    likelyColumns(fit.labels).size +
    (fit.named >= SCORE_LEVELS.ask && table.spec.sheet !== undefined ? 3 : 0);
  return sheets
    .flatMap((sheet) => tryFit(mapping, uses, table, sheet) ?? [])
    .filter((fit) =>
      must.filter(isConcept).every((id) => likelyColumns(fit.labels).has(id) || hasWords(fit, id, uses)),
    )
    .filter((fit) => likelyColumns(fit.labels).size > mapping.key.length + 1)
    .sort((a, b) => size(b) - size(a));
}

const CLASSES = 3;

/** Whether some column holds words of several of the classes that a column is sorted into, whatever its label. */
const hasWords = ({ labels, table }: TableFit, id: string, uses: Uses): boolean =>
  labels.some(
    ({ content, state }) =>
      state !== 'decided' && knownClasses(table.columns.get(id)!, content, uses) >= CLASSES,
  );

/** Which sheet holds which table of a mapping. */
export function assignSheets(mapping: LoadedMapping, uses: Uses, sheets: readonly HeadedSheet[]): Assignment {
  const top = [...mapping.tables.values()].filter(
    ({ parent, spec }) => parent === undefined && spec.param === undefined,
  );
  const tables: TableFit[] = [];
  const free = (): HeadedSheet[] => sheets.filter(({ sheet }) => !tables.some((fit) => fit.sheet === sheet));
  for (const main of mapping.mains) {
    const fits = mainFits(mapping, uses, main, free());
    const [best] = fits;
    if (best === undefined) continue;
    // The same header in other sheets and files: fortnights, branches.
    tables.push(best, ...fits.filter((fit) => fit !== best && isSameHeader(fit.header, best.header)));
  }
  const others = top.filter((table) => !mapping.mains.includes(table));
  const named = others.filter(({ spec }) => spec.sheet !== undefined || spec.file !== undefined);
  const open: OpenSheet[] = [];
  for (const headed of free()) {
    const ranked = named
      .map((table) => ({
        table,
        score: nameScore(table, headed.sheet),
        alike: likeName(table, headed.sheet),
      }))
      .sort((a, b) => b.score - a.score || b.alike - a.alike);
    const fits = ranked.flatMap(({ table, score }) => {
      const fit = tryFit(mapping, uses, table, headed);
      return fit === undefined ? [] : [{ fit, score }];
    });
    const [first, second] = fits;
    if (first === undefined || headed.header === undefined) continue;
    const sure =
      first.score >= SCORE_LEVELS.alone &&
      (second === undefined || second.score <= first.score - SCORE_LEVELS.margin) &&
      !tables.some(({ table }) => table === first.fit.table);
    if (sure) tables.push(first.fit);
    else
      open.push({
        sheet: headed.sheet,
        header: headed.header,
        candidates: fits.slice(0, MOST_CANDIDATES).map(({ fit, score }) => ({ table: fit.table, score })),
      });
  }
  for (const table of others.filter((one) => !named.includes(one))) {
    const fits = free()
      .flatMap((sheet) => tryFit(mapping, uses, table, sheet) ?? [])
      .filter((fit) => likelyColumns(fit.labels).size > 2)
      .sort((a, b) => likelyColumns(b.labels).size - likelyColumns(a.labels).size);
    if (fits[0] !== undefined) tables.push(fits[0]);
  }
  const asked = new Set(open.map(({ sheet }) => sheet));
  return { tables, open, unused: free().filter(({ sheet }) => !asked.has(sheet)) };
}

const likeName = ({ spec }: CompiledTable, sheet: Sheet): number =>
  Math.max(0, ...[spec.sheet ?? spec.file ?? []].flat().map((name) => similarity(name, baseName(sheet))));
