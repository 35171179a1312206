import { createEventSequence } from '../../src/families/events/sequence.js';
import { formatPlace, type Issue, PipelineError, type Place } from '../../src/toolkit/core/issue.js';
import { columnIndex, columnLetter } from '../../src/toolkit/core/text.js';
import type { Document } from '../../src/toolkit/schema/document.js';
import { prepareFiles } from '../support/prepare-file.js';
import { type Book, type Cell, type Change, openBook } from './book.js';
import type { Case } from './cases.js';

/** What a run made of files: documents and issues, or issues alone where the files were refused. */
export interface Made {
  readonly documents: readonly Document[];
  readonly issues: readonly Issue[];
}

/** A value of a document that cells fed. */
export interface Fed {
  readonly pointer: string;
  readonly value: unknown;
  readonly label: string | undefined;
}

/** A case, what is made of it as it is, and which cells feed what. */
export interface Scene {
  readonly own: Case;
  readonly book: Book;
  readonly made: Made;
  /** By `cellKey`. */
  readonly fed: ReadonlyMap<string, readonly Fed[]>;
  make(changes: readonly Change[], params?: Readonly<Record<string, unknown>>): Promise<Made>;
}

export const cellKey = ({
  file,
  sheet = '',
  row,
  column,
}: Pick<Cell, 'file' | 'sheet' | 'row' | 'column'>): string => `${file}|${sheet}|${row}|${column}`;

/** The key of the cell that a place names; undefined for rows, columns and files. */
export const placeKey = ({ file = '', sheet, row, column }: Place): string | undefined =>
  row === undefined || column === undefined
    ? undefined
    : cellKey({ file, ...(sheet !== undefined && { sheet }), row, column: columnIndex(column) });

const issuesOf = (error: unknown): readonly Issue[] => {
  if (error instanceof PipelineError) return error.issues;
  const wrong: unknown =
    error instanceof Error && error.message.startsWith('[') ? JSON.parse(error.message) : undefined;
  if (Array.isArray(wrong)) return wrong as Issue[];
  throw error;
};

/** The leaves of a document, by their pointers. */
export function leavesOf(value: unknown, pointer = ''): Map<string, unknown> {
  if (typeof value !== 'object' || value === null)
    return new Map(value === null || value === undefined ? [] : [[pointer, value]]);
  return new Map(Object.entries(value).flatMap(([key, inner]) => [...leavesOf(inner, `${pointer}/${key}`)]));
}

export async function makeOf(options: Parameters<typeof prepareFiles>[0]): Promise<Made> {
  try {
    const { drafts, issues } = await prepareFiles(options);
    return { documents: drafts, issues };
  } catch (error) {
    return { documents: [], issues: issuesOf(error) };
  }
}

export async function openScene(own: Case): Promise<Scene> {
  const book = await openBook(own.files);
  const make: Scene['make'] = (changes, params = own.params) =>
    makeOf({
      files: changes.length === 0 ? own.files : book.write(changes),
      mapping: own.mapping,
      params: { ...params },
      ...(own.mapping.includes('events') && { follow: createEventSequence() }),
    });
  const made = await make([]);
  const fed = new Map<string, Fed[]>();
  for (const { body, trace } of made.documents) {
    const leaves = leavesOf(body);
    for (const [pointer, places] of trace)
      for (const place of places) {
        const key = placeKey(place);
        if (key === undefined || !leaves.has(pointer)) continue;
        const found = { pointer, value: leaves.get(pointer), label: place.label };
        fed.set(key, [...(fed.get(key) ?? []), found]);
      }
  }
  return { own, book, made, fed, make };
}

/** What is wrong without a word, or blamed without reason. */
export interface Verdict {
  readonly silent: readonly string[];
  readonly blamed: readonly string[];
}

/** The row of a cell; an XML document is one row. */
const rowKey = ({ file, sheet = '', row }: Change['cell']): string =>
  file.endsWith('.xml') ? file.replace(/.*\//, '') : `${file}|${sheet}|${row}`;

/** All places that a document was made of. */
const placesIn = ({ records = [], beside = [], trace }: Document): readonly Place[] => [
  ...records,
  ...beside,
  ...[...trace.values()].flat().filter(({ file, row }) => row !== undefined || file?.endsWith('.xml')),
];

const rowsOf = (document: Document): readonly string[] =>
  placesIn(document).map((place) => rowKey(cellOf(place)));

/** True if a document has fewer records than before: what follows the lost one stands at other pointers, and its totals differ. */
const isMoved = ({ records = [] }: Document, { records: before = [] }: Document): boolean =>
  records.length !== before.length;

/** Where a document begins: the same in the changed file. */
const beginOf = ({ records = [], trace, key }: Document): string => {
  const [first] = records.length > 0 ? records : [...trace.values()].flat();
  return first === undefined ? key : `${first.file}|${first.sheet ?? ''}|${first.json ?? first.row ?? ''}`;
};

const byBegin = (documents: readonly Document[]): ReadonlyMap<string, Document> => {
  const found = new Map<string, Document>();
  for (const document of documents) {
    let key = beginOf(document);
    while (found.has(key)) key += '+';
    found.set(key, document);
  }
  return found;
};

interface Expected {
  readonly reference: Made;
  /** What was changed. */
  readonly touched: readonly Change['cell'][];
  /** An issue about any changed cell explains any value: they are a column as a whole. */
  readonly isOfColumn: boolean;
  /** Only errors explain that a value differs. */
  readonly byErrors: boolean;
  /** An issue must name one of these where documents are made of their columns; the others are let through. */
  readonly mustBeSaid?: readonly Change['cell'][];
}

const sameSheet = (place: Place, { file, sheet }: Change['cell']): boolean =>
  place.file === file && (place.sheet === undefined || place.sheet === sheet);

/** True if an issue is about a cell: at it, at its row, at its column, or at its file. */
function isAbout(issue: Issue, cell: Change['cell']): boolean {
  const places = [issue.place, ...(issue.related ?? [])];
  return places.some((place) => {
    if (place.param !== undefined || place.file === undefined) return place.file === undefined;
    if (!sameSheet(place, cell)) return false;
    if (place.json !== undefined) return place.line === cell.row;
    const column = place.column === undefined ? undefined : columnIndex(place.column);
    if (column === undefined) return place.row === undefined || place.row === cell.row;
    return column === cell.column && (place.row === cell.row || issue.level === 'warning');
  });
}

const cellOf = (place: Place): Change['cell'] => ({
  file: place.file ?? '',
  ...(place.sheet !== undefined && { sheet: place.sheet }),
  row: (place.json === undefined ? place.row : place.line) ?? 0,
  column: place.column === undefined ? -1 : columnIndex(place.column),
});

/** The issues that the reference does not have. */
function newIssues({ issues }: Made, reference: Made): readonly Issue[] {
  const keyOf = ({ code, place }: Issue): string => `${code} ${formatPlace(place)}`;
  const known = new Set(reference.issues.map(keyOf));
  return issues.filter((issue) => !known.has(keyOf(issue)));
}

/** Compares what was made of changed files with what should have been made, value by value. */
export function judge(
  made: Made,
  { reference, touched, isOfColumn, byErrors, mustBeSaid = [] }: Expected,
): Verdict {
  const added = newIssues(made, reference);
  const counting = byErrors ? added.filter(({ level }) => level === 'error') : added;
  const isSaid = (cells: readonly Change['cell'][]): boolean =>
    counting.some((issue) => cells.some((cell) => isAbout(issue, cell)));
  const [before, after] = [byBegin(reference.documents), byBegin(made.documents)];
  const silent: string[] = [];
  const blamed: string[] = [];
  const touchedRows = new Set(touched.map(rowKey));
  for (const [begin, document] of after) {
    const expected = before.get(begin);
    const own = new Set([document, ...(expected ? [expected] : [])].flatMap(rowsOf));
    const ofRows = (rows: ReadonlySet<string>) => touched.filter((cell) => rows.has(rowKey(cell)));
    if (expected === undefined) {
      // What could not be read may have kept it back: a contradiction, an event that was done already.
      if (!isSaid(touched)) silent.push(`${begin}: made, though it should not be`);
      continue;
    }
    const [known, found] = [leavesOf(expected.body), leavesOf(document.body)];
    for (const pointer of new Set([...known.keys(), ...found.keys()])) {
      const [is, was] = [found.get(pointer), known.get(pointer)];
      if (is === was) continue;
      const cells = [document, expected].flatMap(({ trace }) => (trace.get(pointer) ?? []).map(cellOf));
      const isLost = is === undefined || is === null || cells.length === 0 || isMoved(document, expected);
      if (!isSaid([...cells, ...(isOfColumn ? touched : isLost ? ofRows(own) : [])]))
        silent.push(`${begin} ${pointer}: ${JSON.stringify(was)} → ${JSON.stringify(is)}`);
    }
  }
  const errors = added.filter(({ level }) => level === 'error');
  const isRefused = errors.some(({ place }) => place.row === undefined);
  for (const [begin, document] of before) {
    if (after.has(begin)) continue;
    const own = new Set(rowsOf(document));
    const inRows = (rows: ReadonlySet<string>): Issue[] =>
      errors.filter(({ place }) => place.row !== undefined && rows.has(rowKey(cellOf(place))));
    const [atOwn, atTouched] = [inRows(own), inRows(touchedRows)];
    if (!isRefused && atOwn.length === 0 && atTouched.length === 0) silent.push(`${begin}: not made`);
    const isTouched = [...own].some((row) => touchedRows.has(row));
    if (!isTouched && atOwn.length > 0)
      blamed.push(`${begin}: ${atOwn.map(({ code, place }) => `${code} ${formatPlace(place)}`).join(' ')}`);
  }
  const isFedBy = (document: Document, cell: Change['cell']): boolean =>
    [...document.trace.values()].some((places) =>
      places.some((place) => sameSheet(place, cell) && cellOf(place).column === cell.column),
    );
  for (const cell of mustBeSaid)
    if (!isSaid(mustBeSaid) && made.documents.some((document) => isFedBy(document, cell)))
      silent.push(`${formatPlace(placeOfCell(cell))}: still read, without a word`);
  return { silent, blamed };
}

const placeOfCell = ({ file, sheet, row, column }: Change['cell']): Place => ({
  file,
  ...(sheet !== undefined && { sheet }),
  row,
  column: columnLetter(column),
});
