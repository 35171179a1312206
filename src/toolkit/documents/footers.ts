import type { Issue } from '../core/issue.js';
import { fold } from '../core/text.js';
import { rowPlace } from '../mapping/places.js';
import type { CompiledColumn, CompiledTable, ReadRecord } from '../mapping/record.js';
import { readSynonyms } from '../mapping/synonyms.js';
import { cellPlace, isBlank, type Row } from '../tables/table.js';

export type Kind = 'signature' | 'note' | 'heading' | 'total';

/** A row that is no record: footer, heading of an area, total. */
interface Footer {
  readonly kind: Kind | 'unknown';
  /** What stands in it, as people read it. */
  readonly text: string;
  readonly issue?: Issue;
  /** Whether its amounts are to be compared with the sums of the records above. */
  readonly control: boolean;
  readonly subtotal: boolean;
}

let known: ReadonlyMap<string, Kind> | undefined;

let longest = 0;

/** Words of mappings/synonyms/footers.yaml, folded. */
function words(): ReadonlyMap<string, Kind> {
  if (known !== undefined) return known;
  const lists = readSynonyms<Record<Kind, readonly string[]>>('footers');
  known = new Map(
    (Object.keys(lists) as Kind[]).flatMap((kind) => lists[kind].map((word) => [fold(word), kind] as const)),
  );
  longest = Math.max(...[...known.keys()].map((word) => word.split(' ').length));
  return known;
}

/** What a text begins with, the longest word first. */
export function kindOf(text: string): Kind | undefined {
  const table = words();
  const parts = fold(text)
    .split(/[^a-z0-9ñ]+/)
    .filter(Boolean)
    .slice(0, longest);
  for (let count = parts.length; count > 0; count--) {
    const kind = table.get(parts.slice(0, count).join(' '));
    if (kind !== undefined) return kind;
  }
  return undefined;
}

/** Cells of a row about which no word is known, at most. */
const FEW = 2;

/** Cells of a row of words that are known, at most. */
const SOME = 8;

/** A table of fewer columns says too little of a row with few cells. */
const WIDE = 5;

const [ZERO, NINE] = [48, 57];
const NUMBER = /^[\s$()+-]*\d[\d.,'\s]*%?\)?$/;

const WHOLE = /^\d{1,9}$/;

/** Whether a figure stands first where a record says whom it is about: then it is a record, or looks like one. */
export const isIdentified = ({ identity }: CompiledTable, { table, row }: ReadRecord): boolean =>
  identity.some(({ feeders }) =>
    feeders.some(({ position }) => {
      const index = table.indexes[position];
      const first = index === undefined ? 0 : (row.texts[index]?.charCodeAt(0) ?? 0);
      return first >= ZERO && first <= NINE;
    }),
  );

/** Finds the rows of a table that are no records. */
export class Footers {
  private readonly identity: readonly CompiledColumn[];
  private signed = false;
  /** Those that were read so far. */
  records = 0;

  constructor({ identity, spec }: CompiledTable) {
    const isOn = spec.footers !== false && spec.header?.none !== true;
    this.identity = isOn ? [...new Set(identity.flatMap(({ feeders }) => feeders))] : [];
  }

  /** What a row is that is surely no record; a record is counted. */
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

  /** An identification has a figure; what begins like a footer is none. */
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

  /** `Total registros: | 120`, where the number stands in the column of the document. */
  private count({ table, row }: ReadRecord): Footer | undefined {
    if (table.header.labels.length < WIDE || hasMore(row.texts, FEW)) return undefined;
    const [label, number] = filled(row.texts);
    if (label === undefined || number === undefined) return undefined;
    if (!WHOLE.test(number.text) || kindOf(label.text) !== 'total') return undefined;
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
      cells.length <= FEW &&
      numbers.length <= 1 &&
      table.header.labels.length >= WIDE
    ) {
      const [number] = numbers;
      const stated = number?.text ?? /(?<![\d.,])\d{1,9}(?=\s*$)/.exec(first.text)?.[0];
      if (stated !== undefined && WHOLE.test(stated) && !this.isAmount(record, number?.index))
        return this.counted(row, table, stated, text, number?.index ?? first.index);
    }
    if (isTotal && isNamed)
      return { kind: 'total', text, control: true, subtotal: /^sub ?total/.test(fold(text)) };
    if (numbers.length > 0 || hasValues(record)) return undefined;
    const kind = kinds.find((one) => one !== undefined);
    if (kind === 'signature') this.signed = true;
    if ((kind !== undefined || this.signed) && cells.length <= SOME)
      return { kind: kind ?? 'signature', text, control: false, subtotal: false };
    if (cells.length > FEW || named(record) > 1 || table.header.labels.length < WIDE) return undefined;
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
    return table.present.some((one) => one.index === index && one.column.kind === 'money');
  }
}

/** The filled cells of a row. */
export const filled = (
  texts: readonly (string | undefined)[],
): { readonly index: number; readonly text: string }[] =>
  Array.from(texts, (text, index) => ({ index, text: text?.trim() ?? '' })).filter(({ text }) => text !== '');

/** Whether more cells than that are filled; every record passes here. */
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

/** Whether any column of amounts, counts or dates has a value. */
export const hasValues = ({ table, values }: ReadRecord): boolean =>
  table.present.some(({ column: { type, position } }) => {
    const value = values[position];
    return value !== undefined && type !== 'text' && !(type === 'decimal' && Number(value) === 0);
  });

/** Columns of the mapping that the row fills. */
const named = ({ table, row }: ReadRecord): number =>
  table.present.filter(({ index }) => (row.texts[index] ?? '').trim() !== '').length;
