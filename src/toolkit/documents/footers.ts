import type { Issue } from '../core/issue.js';
import { fold } from '../core/text.js';
import { rowPlace } from '../mapping/places.js';
import type { CompiledColumn, CompiledTable, ReadRecord } from '../mapping/record.js';
import { readSynonyms } from '../mapping/synonyms.js';
import { cellPlace, isBlank, type Row } from '../tables/table.js';

export type Kind = 'signature' | 'note' | 'heading' | 'total';

/** Row that is not a record: footer, heading of an area, total. */
interface Footer {
  readonly kind: Kind | 'unknown';
  /** Texts of the row, for users. */
  readonly text: string;
  readonly issue?: Issue;
  /** True if its amounts are to be compared with the sums of the records above. */
  readonly control: boolean;
  readonly subtotal: boolean;
}

let known: ReadonlyMap<string, Kind> | undefined;

let maxWords = 0;

/** Returns the words of mappings/synonyms/footers.yaml, folded. */
function words(): ReadonlyMap<string, Kind> {
  if (known !== undefined) return known;
  const lists = readSynonyms<Record<Kind, readonly string[]>>('footers');
  known = new Map(
    (Object.keys(lists) as Kind[]).flatMap((kind) => lists[kind].map((word) => [fold(word), kind] as const)),
  );
  maxWords = Math.max(...[...known.keys()].map((word) => word.split(' ').length));
  return known;
}

/** Returns the kind of the longest known words at the beginning of a text. */
export function kindOf(text: string): Kind | undefined {
  const table = words();
  const parts = fold(text)
    .split(/[^a-z0-9ñ]+/)
    .filter(Boolean)
    .slice(0, maxWords);
  for (let count = parts.length; count > 0; count--) {
    const kind = table.get(parts.slice(0, count).join(' '));
    if (kind !== undefined) return kind;
  }
  return undefined;
}

/** Max cells of a row without known words. */
const MAX_UNKNOWN_CELLS = 2;

/** Max cells of a row with known words. */
const MAX_FOOTER_CELLS = 8;

/** Min columns of a table in which a row with few cells is not a record. */
const MIN_COLUMNS = 5;

const [ZERO, NINE] = [48, 57];
const NUMBER = /^[\s$()+-]*\d[\d.,'\s]*%?\)?$/;

const COUNT = /^\d{1,9}$/;

/** True if an identity column begins with a digit: the row is a record, or looks like one. */
export const isIdentified = ({ identity }: CompiledTable, { table, row }: ReadRecord): boolean =>
  identity.some(({ feeders }) =>
    feeders.some(({ position }) => {
      const index = table.indexes[position];
      const first = index === undefined ? 0 : (row.texts[index]?.charCodeAt(0) ?? 0);
      return first >= ZERO && first <= NINE;
    }),
  );

/** Finds the rows of a table that are not records. */
export class Footers {
  private readonly identity: readonly CompiledColumn[];
  private signed = false;
  /** Number of records read so far. */
  records = 0;

  constructor({ identity, spec }: CompiledTable) {
    const isOn = spec.footers !== false && spec.header?.none !== true;
    this.identity = isOn ? [...new Set(identity.flatMap(({ feeders }) => feeders))] : [];
  }

  /** Returns what a row is if it is certainly not a record; a record is counted. */
  find(record: ReadRecord): Footer | undefined {
    const found =
      this.identity.length === 0
        ? undefined
        : this.identifies(record)
          ? this.count(record)
          : this.look(record);
    if (found === undefined) this.records += 1;
    return found;
  }

  /** True if an identity column has a digit and does not begin like a footer. */
  private identifies({ table, row }: ReadRecord): boolean {
    for (const { position } of this.identity) {
      const index = table.indexes[position];
      const text = index === undefined ? undefined : row.texts[index];
      if (text === undefined) continue;
      const first = text.charCodeAt(0);
      if (first >= ZERO && first <= NINE) return true; // nearly always
      if (/\d/.test(text) && (/^\s*\d/.test(text) || kindOf(text) === undefined)) return true;
    }
    return false;
  }

  /** Finds `Total registros: | 120`, whose number is in the column of the document. */
  private count({ table, row }: ReadRecord): Footer | undefined {
    if (table.header.labels.length < MIN_COLUMNS || hasMore(row.texts, MAX_UNKNOWN_CELLS)) return undefined;
    const [label, number] = filled(row.texts);
    if (label === undefined || number === undefined) return undefined;
    if (!COUNT.test(number.text) || kindOf(label.text) !== 'total') return undefined;
    return this.counted(row, table, number.text, `${label.text} ${number.text}`, number.index);
  }

  private counted(
    row: ReadRecord['row'],
    table: ReadRecord['table'],
    stated: string,
    text: string,
    index: number,
  ): Footer {
    const footer = { kind: 'total', text, control: false, subtotal: false } as const;
    if (Number(stated) === this.records) return footer;
    return {
      ...footer,
      issue: {
        code: 'control/count-differs',
        level: 'warning',
        params: { stated, counted: this.records },
        place: cellPlace(table.source, row, index, table.header.labels[index]),
        value: stated,
      },
    };
  }

  private look(record: ReadRecord): Footer | undefined {
    const { table, row } = record;
    const cells = filled(row.texts);
    const [first] = cells;
    if (first === undefined) return undefined;
    const kinds = cells.map((cell) => kindOf(cell.text));
    const text = cells.map((cell) => cell.text).join(' · ');
    const isTotal = kinds.includes('total');
    const numbers = cells.filter((cell) => NUMBER.test(cell.text) && !/^[0.,\s-]*$/.test(cell.text));
    const isNamed = cells.filter((_, at) => kinds[at] === undefined).every((cell) => NUMBER.test(cell.text));
    if (
      isTotal &&
      isNamed &&
      cells.length <= MAX_UNKNOWN_CELLS &&
      numbers.length <= 1 &&
      table.header.labels.length >= MIN_COLUMNS
    ) {
      const [number] = numbers;
      const stated = number?.text ?? /(?<![\d.,])\d{1,9}(?=\s*$)/.exec(first.text)?.[0];
      if (stated !== undefined && COUNT.test(stated) && !this.isAmount(record, number?.index))
        return this.counted(row, table, stated, text, number?.index ?? first.index);
    }
    if (isTotal && isNamed)
      return { kind: 'total', text, control: true, subtotal: /^sub ?total/.test(fold(text)) };
    if (numbers.length > 0 || hasValues(record)) return undefined;
    const kind = kinds.find((known) => known !== undefined);
    if (kind === 'signature') this.signed = true;
    if ((kind !== undefined || this.signed) && cells.length <= MAX_FOOTER_CELLS)
      return { kind: kind ?? 'signature', text, control: false, subtotal: false };
    if (cells.length > MAX_UNKNOWN_CELLS || mappedCells(record) > 1) return undefined;
    if (table.header.labels.length < MIN_COLUMNS) return undefined;
    return {
      kind: 'unknown',
      text,
      control: false,
      subtotal: false,
      issue: {
        code: 'row/no-record',
        level: 'warning',
        params: {},
        place: rowPlace(table, row),
        value: text,
      },
    };
  }

  private isAmount({ table }: ReadRecord, index: number | undefined): boolean {
    return table.present.some((entry) => entry.index === index && entry.column.kind === 'money');
  }
}

/** Returns the filled cells of a row. */
export const filled = (
  texts: readonly (string | undefined)[],
): { readonly index: number; readonly text: string }[] =>
  Array.from(texts, (text, index) => ({ index, text: text?.trim() ?? '' })).filter(({ text }) => text !== '');

/** True if more than `most` cells are filled; called for every record. */
function hasMore(texts: readonly (string | undefined)[], most: number): boolean {
  let count = 0;
  for (let index = 0; index < texts.length && count <= most; index++) {
    const text = texts[index];
    if (text !== undefined && !isBlank(text)) count += 1;
  }
  return count > most;
}

export const isTotal = ({ texts }: Row): boolean =>
  texts.some((text) => text !== undefined && kindOf(text) === 'total');

/** True if a column of amounts, counts or dates has a value. */
export const hasValues = ({ table, values }: ReadRecord): boolean =>
  table.present.some(({ column: { type, position } }) => {
    const value = values[position];
    return value !== undefined && type !== 'text' && !(type === 'decimal' && Number(value) === 0);
  });

/** Returns the number of mapped columns that the row fills. */
const mappedCells = ({ table, row }: ReadRecord): number =>
  table.present.filter(({ index }) => (row.texts[index] ?? '').trim() !== '').length;
