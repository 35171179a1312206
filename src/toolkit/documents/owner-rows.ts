import { fold } from '../core/text.js';
import type { HeadedTable } from '../mapping/record.js';
import type { OwnedTable, OwnerField } from '../schema/document.js';
import type { CellKind, Row, RowSource } from '../tables/table.js';
import { filled, isTotal, kindOf } from './footers.js';

/** Label and value of an owner's row; a row of a number and words has an empty label. */
interface Datum {
  readonly label: string;
  readonly value: string;
  readonly kind: CellKind;
  readonly column: number;
}

/** `Label: value`, or a label whose value is in the next cell. */
const LABELLED = /^(\p{L}[^:\d]{0,38}?)\s*:\s*(.*)$/su;

/** Number, with its kind before it or not, and the words beside it. */
const NUMBER_FIRST = /^((?:(?:\p{L}\.?){1,3}[\s:-]+)?\d[\d.,]*\d)\s*[-–—:|/]?\s*(\p{L}.*)$/su;
const NUMBER_LAST = /^(\p{L}.*\p{L}{3,})\s*[-–—|(]\s*(\d[\d.,]*\d)\)?$/su;

/** Min digits of a number without label: concepts have short codes. */
const MIN_DIGITS = 5;

const MAX_VALUE_LENGTH = 200;

/** Splits a value into its number and its words. */
export function numberAndWords(value: string): readonly [number: string, words: string] | undefined {
  if (value.length > MAX_VALUE_LENGTH) return undefined;
  const [, number, words] = NUMBER_FIRST.exec(value) ?? [];
  if (number !== undefined && words !== undefined) return [number, words];
  const [, before, behind] = NUMBER_LAST.exec(value) ?? [];
  return before === undefined || behind === undefined ? undefined : [behind, before];
}

const hasDigit = (text: string): boolean => /\d/.test(text);

/** Labels are compared without case, accents and space before the colon. */
export const labelKey = (label: string): string => fold(label).replace(/\s*:$/, ':');

/** Splits the text of a cell that states several values: `Cédula: 52100200  Nombre: Ana Ruiz`. */
function piecesOf(text: string): readonly string[] {
  if (text.length > MAX_VALUE_LENGTH) return [text];
  const pieces = text.split(/\s*\n\s*|\s{2,}|\s+\|\s+/);
  return pieces.length > 1 && pieces.every((piece) => LABELLED.test(piece)) ? pieces : [text];
}

/** Returns what a row states, if all its cells are labels and values, or a number and words alone. */
export function dataOf(row: Row, bare: ReadonlySet<string> = new Set()): readonly Datum[] | undefined {
  const cells = filled(row.texts).flatMap(({ text, index }) =>
    piecesOf(text).map((piece) => ({ text: piece, index })),
  );
  const [first] = cells;
  if (first === undefined) return undefined;
  const kindAt = (index: number): CellKind => row.kinds?.[index] ?? 'text';
  const isLabel = (text: string): boolean => LABELLED.test(text) || bare.has(labelKey(text));
  const data: Datum[] = [];
  const others: string[] = [];
  let taken = -1;
  for (const [at, { text, index }] of cells.entries()) {
    if (at === taken) continue;
    const [, label, value = ''] = LABELLED.exec(text) ?? [];
    const next = cells[at + 1];
    const isBare = label === undefined && bare.has(labelKey(text));
    if (label !== undefined && value !== '') {
      data.push({ label: `${label}:`, value, kind: 'text', column: index });
    } else if (next !== undefined && (isBare || label !== undefined) && !isLabel(next.text)) {
      const shown = isBare ? text : `${label}:`;
      data.push({ label: shown, value: next.text, kind: kindAt(next.index), column: next.index });
      taken = at + 1;
    } else if (label === undefined) others.push(text);
  }
  if (data.length > 0) return others.some(hasDigit) ? undefined : data;
  if (cells.length > 2) return undefined;
  const value = cells.map(({ text }) => text).join(' ');
  // A concept and its amount are words and a number too, in two cells.
  const [number = ''] = cells.length === 1 || NUMBER_FIRST.test(value) ? (numberAndWords(value) ?? []) : [];
  return number.replace(/\D/g, '').length >= MIN_DIGITS
    ? [{ label: '', value, kind: 'text', column: first.index }]
    : undefined;
}

const isWordy = ({ texts }: Row): boolean =>
  !texts.some((text) => text !== undefined && (hasDigit(text) || LABELLED.test(text)));

/** Finds the titles of the records, directly above the first of them or above the rows of its owner. */
export function titlesIn(rows: readonly Row[], bare?: ReadonlySet<string>): Row | undefined {
  const others = rows.filter((row) => dataOf(row, bare) === undefined && filled(row.texts).length > 1);
  return others.find(
    (row, at) => isWordy(row) && others[at + 1]?.texts.some((text) => text !== undefined && hasDigit(text)),
  );
}

const textOf = ({ texts }: Row): string =>
  filled(texts)
    .map(({ index, text }) => `${index} ${fold(text)}`)
    .join('\n');

const ownerRow = (row: Row): Row => ({ ...row, texts: [], kinds: undefined, owner: 'read' });

/** True if a row has several cells, one with a number, and states nothing of an owner. */
export function isRecord(row: Row): boolean {
  const cells = filled(row.texts);
  return cells.length > 1 && cells.some(({ text }) => hasDigit(text)) && dataOf(row) === undefined;
}

/** True for totals, a lone word, and words of those who sign, print or head a part. */
function isAside(row: Row): boolean {
  if (isTotal(row)) return true;
  const [first, ...more] = filled(row.texts);
  if (first === undefined || [first, ...more].some(({ text }) => hasDigit(text))) return false;
  return more.length === 0 || kindOf(first.text) !== undefined;
}

/** Cell that an owner's row gives its records. */
interface Given {
  readonly text: string;
  readonly kind: CellKind;
  readonly row: number;
  readonly column: number;
}

/** Adds the data of owners to the records below their rows. */
export class OwnerReader {
  private readonly labels: readonly string[];
  private readonly bare: ReadonlySet<string>;
  private readonly first: number;
  private readonly names: readonly string[];
  private readonly header: string;
  private cells: (Given | undefined)[] = [];
  /** Data above the row with which the next block begins. */
  private pending: (Given | undefined)[] = [];
  private state: 'above' | 'owner' | 'titles' | 'records' = 'above';
  /** Rows above the first owner and its titles, which come again above others. */
  private readonly above = new Set<string>();
  /** True if the titles stand between an owner and its records. */
  private isTitledBelow = false;
  /** Lengths of the codes of records, by column: a number like them begins no block. */
  private readonly codes = new Set<string>();

  /** @param from first column of the data; unsaid, that behind the titles */
  constructor(
    private readonly fields: readonly OwnerField[],
    titles: Row,
    private readonly from = titles.texts.length,
  ) {
    this.header = textOf(titles);
    this.labels = fields.map(({ label = '' }) => labelKey(label));
    this.bare = bareLabels(fields);
    this.first = Math.max(
      0,
      fields.findIndex(({ begins }) => begins),
    );
    this.names = fields.flatMap(({ columns }) => columns);
  }

  next(row: Row): Row {
    const text = textOf(row);
    if (text === this.header) return this.titled(row);
    const data = this.state === 'titles' ? [] : this.dataIn(row);
    if (data.some(([field]) => this.state === 'owner' || field <= this.first)) return this.owned(row, data);
    if (this.state === 'above' && !isRecord(row)) {
      this.above.add(text);
      return row;
    }
    if (this.above.has(text)) {
      if (this.isTitledBelow) this.forget();
      return ownerRow(row);
    }
    // A row above the titles that states something else is no record.
    if (this.state === 'owner' && this.isTitledBelow && !isRecord(row)) return { ...row, owner: 'unread' };
    // Data of another owner, or words alone that may be its unread row, end the block.
    if (data.length > 0 || this.mayBeOwner(row)) this.forget();
    this.state = 'records';
    this.pending = [];
    for (const [index, text] of row.texts.entries())
      if (text !== undefined && /^\d+$/.test(text)) this.codes.add(`${index} ${text.length}`);
    return isAside(row) ? row : this.extended(row);
  }

  private titled(row: Row): Row {
    if (this.state === 'owner') {
      this.isTitledBelow = true;
      this.state = 'titles';
    } else if (this.isTitledBelow) this.forget();
    const { texts, kinds } = this.padded(row);
    texts.push(...this.names);
    kinds?.push(...this.names.map(() => 'text' as const));
    return { ...row, texts, kinds };
  }

  /** Returns the declared data of a row. */
  private dataIn(row: Row): readonly (readonly [field: number, datum: Datum])[] {
    return (dataOf(row, this.bare) ?? []).flatMap((datum) => {
      const { label, column } = datum;
      if (label === '' && this.codes.has(`${column} ${row.texts[column]?.trim().length}`)) return [];
      const field = this.labels.indexOf(labelKey(label));
      return field < 0 ? [] : [[field, datum] as const];
    });
  }

  private owned(row: Row, data: readonly (readonly [field: number, datum: Datum])[]): Row {
    const isFirst = data.some(([field]) => field === this.first);
    if (isFirst) {
      this.cells = this.pending;
      this.pending = [];
      this.state = 'owner';
    }
    for (const [field, { value, kind, column }] of data) {
      // Data above the first value belong to the next block.
      const cells = field < this.first && !isFirst ? this.pending : this.cells;
      const isSplit = this.fields[field]?.columns.length === 2;
      const at = this.fields.slice(0, field).reduce((sum, { columns }) => sum + columns.length, 0);
      const parts = isSplit ? (numberAndWords(value) ?? []) : [value];
      for (const [part, text] of parts.entries())
        cells[at + part] = { text, kind: isSplit ? 'text' : kind, row: row.number, column };
    }
    const isRead = data.length === dataOf(row, this.bare)?.length;
    return isRead ? ownerRow(row) : { ...row, owner: 'unread' };
  }

  /** True for words alone that may be the unread row of another owner. */
  private mayBeOwner({ texts }: Row): boolean {
    const [only, ...more] = filled(texts);
    if (only === undefined || more.length > 0 || kindOf(only.text) !== undefined) return false;
    return /\s|\d/.test(only.text);
  }

  private forget(): void {
    this.cells = [];
    this.pending = [];
    this.state = 'records';
  }

  private padded({ texts, kinds }: Row) {
    const width = this.from;
    return {
      texts: Array.from({ length: width }, (_, index) => texts[index]),
      kinds: kinds && Array.from({ length: width }, (_, index) => kinds[index]),
    };
  }

  private extended(row: Row): Row {
    if (row.texts.some((text, index) => index >= this.from && text !== undefined))
      return { ...row, fault: { code: 'row/beyond-titles', params: {} } };
    const cells = this.names.map((_, at) => this.cells[at]);
    const { texts, kinds } = this.padded(row);
    texts.push(...cells.map((cell) => cell?.text));
    if (kinds !== undefined || cells.some((cell) => cell !== undefined && cell.kind !== 'text')) {
      const all = kinds ?? texts.slice(0, this.from).map(() => 'text' as const);
      return this.withCells({ ...row, texts, kinds: [...all, ...cells.map((cell) => cell?.kind)] }, cells);
    }
    return this.withCells({ ...row, texts, kinds }, cells);
  }

  private withCells(row: Row, cells: readonly (Given | undefined)[]): Row {
    return {
      ...row,
      ownerCells: {
        from: this.from,
        cells: cells.map((cell) => cell && { row: cell.row, column: cell.column }),
      },
    };
  }
}

/** Last row that says how wide a table is: the first ones are always read, whatever they are read for. */
const LAST_MEASURED = 30;

/** Labels without colon, folded. */
const bareLabels = (fields: readonly OwnerField[]): ReadonlySet<string> =>
  new Set(fields.flatMap(({ label }) => (label === undefined || label.endsWith(':') ? [] : labelKey(label))));

/**
 * Returns the source whose records have the data of their owners as last columns; the source itself if its first rows have
 * no titles, or none of the fields.
 */
export function withOwners(
  source: RowSource,
  fields: readonly OwnerField[],
  rows: readonly Row[],
): RowSource {
  const bare = bareLabels(fields);
  const titles = titlesIn(rows, bare);
  const labels = new Set(fields.map(({ label = '' }) => labelKey(label)));
  const isThere = rows.some((row) => dataOf(row, bare)?.some(({ label }) => labels.has(labelKey(label))));
  if (titles === undefined || !isThere) return source;
  const width = Math.max(...rows.map(({ number, texts }) => (number > LAST_MEASURED ? 0 : texts.length)));
  return {
    ...source,
    async *batches() {
      const reader = new OwnerReader(fields, titles, width);
      for await (const batch of source.batches()) yield batch.map((row) => reader.next(row));
    },
  };
}

/** Returns the table if it is read with the data of owners. */
export function ownedTables({
  compiled: { spec },
  source: { file, sheet },
}: HeadedTable): readonly OwnedTable[] {
  return spec.owner_rows === undefined
    ? []
    : [{ file, ...(sheet !== undefined && { sheet }), fields: spec.owner_rows }];
}
