import { remember } from '../core/remember.js';
import type { LoadedMapping } from '../mapping/load.js';
import { CellFault, createCellReader } from '../mapping/read/cell.js';
import { askingIds, type CompiledColumn, joiningColumns } from '../mapping/record.js';
import { scoreLabel } from '../tables/label-score.js';
import { squashLabel } from '../tables/titles.js';
import { type HeadedSheet, isSameHeader } from './assign.js';
import { type Content, looksLikeMoney, share } from './content.js';
import { abbreviations, type FoundHeader, type SharedKey } from './sheets.js';

/** Least share of the values of a sheet that another has too, if nothing but they say that the columns are the same. */
const ENOUGH = 0.95;
/** The same of columns with one label: a few records may belong to no person. */
const ENOUGH_OF_ALIKE = 0.8;

export const isEnough = (overlap: number, isNamedAlike: boolean): boolean =>
  overlap >= (isNamedAlike ? ENOUGH_OF_ALIKE : ENOUGH);

const HAS_DIGIT = /\d/;
export const readId = createCellReader('identifier', {});

/** True if cells may tell records apart: identifiers with digits, and no dates. */
export function mayBeIds({ filled, dated }: Content): boolean {
  if (filled.length === 0 || dated > 0.5) return false;
  return (
    share(filled, ({ text, kind }) => HAS_DIGIT.test(text) && !(readId(text, kind) instanceof CellFault)) >=
    ENOUGH
  );
}

/** True if there are several records and no two have the same text. */
export const isDistinct = ({ distinct, filled }: Content): boolean =>
  distinct.length === filled.length && filled.length > 1;

/** Least share of different documents among people: a few may stand twice by mistake. */
const MIN_DIFFERENT = 0.9;

/** Old cards have as few digits. */
const DOCUMENT = /^[1-9]\d{5,10}$/;

/** True if a column holds a document of each person. */
const isDocumentOfEach = ({ distinct, filled, counts }: Content): boolean =>
  !counts &&
  filled.length > 0 &&
  distinct.length >= filled.length * MIN_DIFFERENT &&
  share(filled, ({ text }) => DOCUMENT.test(text.replace(/[.\s]/g, ''))) >= ENOUGH_OF_ALIKE;

/** A labelled column that may tell records apart, filled in half of them or more. */
interface IdColumn {
  readonly column: number;
  readonly label: string;
  readonly content: Content;
  readonly values: ReadonlySet<string>;
}

const idColumns = remember(({ labels, contents }: FoundHeader): readonly IdColumn[] => {
  const records = Math.max(...contents.map(({ filled }) => filled.length));
  return contents.flatMap((content, column): IdColumn[] => {
    const label = labels[column];
    if (label === undefined || content.filled.length * 2 < records || !mayBeIds(content)) return [];
    const values = content.filled.flatMap(({ text, kind }) => {
      const value = readId(text, kind);
      return typeof value === 'string' ? value : [];
    });
    return [{ column, label, content, values: new Set(values) }];
  });
});

const overlap = (local: IdColumn, foreign: IdColumn): number =>
  share([...local.values], (value) => foreign.values.has(value));

/** True if two columns have one label. */
export const areNamedAlike = (...labels: readonly { readonly label: string | undefined }[]): boolean => {
  const [first, ...others] = labels.map(({ label }) => label && squashLabel(label));
  return first !== undefined && others.every((other) => other === first);
};

/** Returns the columns by which a sheet belongs to another one; undefined if no pair, or more than one, shares enough values. */
function sharedPair(
  local: readonly IdColumn[],
  foreign: readonly IdColumn[],
): readonly [IdColumn, IdColumn] | undefined {
  const unique = foreign.filter(({ content }) => isDistinct(content));
  const pairs = local
    .filter(({ content }) => !content.counts)
    .flatMap((item) =>
      unique
        // One value alone, such as that of a full month, says nothing.
        .filter((other) => areNamedAlike(item, other) || item.values.size > 1)
        .filter((other) => isEnough(overlap(item, other), areNamedAlike(item, other)))
        .map((other): readonly [IdColumn, IdColumn] => [item, other]),
    );
  const named = pairs.filter(([local, foreign]) => areNamedAlike(local, foreign));
  const likely = named.length > 0 ? named : pairs;
  // People paid for the whole month have their salary in both sheets.
  const codes = likely.filter(([{ content }]) => !looksLikeMoney(content));
  const [first, ...others] = codes.length > 0 ? codes : likely;
  return others.length === 0 ? first : undefined;
}

/** Adds to each header the key that its sheet shares with a sheet that has documents next to it. */
export function withSharedKeys(sheets: readonly HeadedSheet[]): readonly HeadedSheet[] {
  if (sheets.length < 2) return sheets;
  const columns = new Map(
    sheets.flatMap(({ header }) => (header === undefined ? [] : [[header, idColumns(header)] as const])),
  );
  const keys = new Map<FoundHeader, SharedKey>();
  const amountsIn = ({ contents }: FoundHeader): number => contents.filter(looksLikeMoney).length;
  // Amounts have as many digits as documents: the sheet of people has fewer columns of amounts than that of their pay.
  const homes = [...columns].sort(([a], [b]) => amountsIn(a) - amountsIn(b));
  for (const [home, foreign] of homes)
    for (const [header, local] of columns) {
      // Sheets with one header, such as those of branches, are the same table once more.
      if (header === home || keys.has(header) || isSameHeader(home, header)) continue;
      const pair = sharedPair(local, foreign);
      if (pair === undefined) continue;
      const [{ column }, { column: homeColumn }] = pair;
      const isOther = (keys.get(home)?.column ?? homeColumn) !== homeColumn;
      const hasDocuments = foreign.some(
        ({ column, content }) => column !== homeColumn && isDocumentOfEach(content),
      );
      if (!hasDocuments || isOther) continue;
      keys.set(home, { column: homeColumn, homeColumn });
      keys.set(header, { column, home, homeColumn });
    }
  return sheets.map((sheet) => {
    const { header } = sheet;
    const shared = header && keys.get(header);
    return header && shared ? { ...sheet, header: { ...header, shared } } : sheet;
  });
}

/** Returns the columns that hold documents, those that join the mapping's tables, and all others that are read. */
function keyColumns({ mains, key, tables }: LoadedMapping) {
  const [id] = key;
  const documents = mains.flatMap(({ columns }) => columns.get(id)?.feeders ?? []);
  const joining = [...tables.values()].flatMap(({ join }) => [
    ...joiningColumns(join).flatMap(({ feeders }) => feeders),
    ...mains.flatMap(({ columns }) => askingIds(join).flatMap((id) => columns.get(id) ?? [])),
  ]);
  const others = mains.flatMap(({ columns }) =>
    [...columns.values()].filter((column) => !documents.includes(column)),
  );
  return { documents, joining, others };
}

const titleScore = (label: string | undefined, columns: readonly CompiledColumn[]): number =>
  label === undefined
    ? 0
    : Math.max(
        0,
        ...columns.map(({ wanted }) =>
          wanted === undefined ? 0 : scoreLabel(label, undefined, wanted, abbreviations()),
        ),
      );

/** Min score of a title of documents. */
const DOCUMENT_TITLE = 0.5;

/**
 * Drops shared keys that the titles of a mapping know better as a document or as a key of the mapping, and those beside
 * the documents themselves.
 */
export function keyedFor(mapping: LoadedMapping, sheets: readonly HeadedSheet[]): readonly HeadedSheet[] {
  if (sheets.every(({ header }) => header?.shared === undefined)) return sheets;
  const { documents, joining, others } = keyColumns(mapping);
  const isDocumentTitle = ({ label }: IdColumn): boolean => {
    const score = titleScore(label, documents);
    return score >= DOCUMENT_TITLE && score >= titleScore(label, others);
  };
  /** True if a sheet has the documents of the people of its home, or of other people whom the key does not tell apart. */
  const hasDocuments = (header: FoundHeader): boolean => {
    const { home, column: key } = header.shared ?? {};
    if (home === undefined) return false;
    const people = idColumns(home).filter(
      (column) => isDocumentOfEach(column.content) && isDocumentTitle(column),
    );
    const isUnique = header.contents.some((content, column) => column === key && isDistinct(content));
    return idColumns(header).some(
      (column) =>
        isDocumentTitle(column) &&
        ((!isUnique && isDocumentOfEach(column.content)) ||
          people.some((item) => isEnough(overlap(column, item), true))),
    );
  };
  const isDropped = ({ shared, labels, contents }: FoundHeader): boolean => {
    if (shared === undefined) return false;
    const home = shared.home ?? { labels, contents };
    const score = titleScore(home.labels[shared.homeColumn], [...documents, ...joining]);
    const rivals = home.contents.map((content, column) =>
      column !== shared.homeColumn && isDocumentOfEach(content)
        ? titleScore(home.labels[column], documents)
        : 0,
    );
    return score >= Math.max(...rivals);
  };
  const kept = new Set(
    sheets.flatMap(({ header }) =>
      header?.shared !== undefined && !isDropped(header) && !hasDocuments(header) ? header : [],
    ),
  );
  /** A home without sheets that belong to it is none. */
  const isHome = (header: FoundHeader): boolean =>
    header.shared?.home !== undefined ||
    [...kept].some(({ shared }) => shared?.home?.labels === header.labels);
  return sheets.map((sheet) => {
    const { header } = sheet;
    if (header?.shared === undefined || (kept.has(header) && isHome(header))) return sheet;
    const { shared: _, ...rest } = header;
    return { ...sheet, header: rest };
  });
}
