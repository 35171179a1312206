import { fold, squash } from '../core/text.js';
import type { Catalogue, CatalogueRow, CodeColumn, PublishedTable } from './catalogue.js';

interface ReadCode {
  readonly code: string;
  /** It had lost its leading zero. */
  readonly isRestored?: boolean;
  /** A CIE-10 category of three characters, as `I10`: a code (`I10X`) only where it is not divided further. */
  readonly isCategory?: boolean;
}

const forms = new Map<string, RegExp>();

function fits(form: string, code: string): boolean {
  let expression = forms.get(form);
  if (expression === undefined) {
    expression = new RegExp(form);
    forms.set(form, expression);
  }
  return expression.test(code);
}

/** A number that a spreadsheet made of a code is whole: `20110.0` was `20110`. */
const withoutFraction = (text: string): string => text.replace(/^(\d+)\.0+$/, '$1');

/**
 * The code in a cell; undefined where there is none of the form. Only one zero is ever restored, and only to a whole number that is
 * one character short: `20110` was `020110`, but `6020` may have been `602E01`.
 */
function codeIn({ form, width, read }: CodeColumn, text: string): ReadCode | undefined {
  const plain = withoutFraction(text).toUpperCase();
  if (read === 'cie10') {
    const code = plain.replaceAll('.', '');
    if (/^[A-Z]\d[0-9A-Z]$/.test(code)) return { code: `${code}X`, isCategory: true };
    return fits(form, code) ? { code } : undefined;
  }
  const isShort = width !== undefined && plain.length === width - 1 && /^\d+$/.test(plain);
  const code = isShort ? `0${plain}` : plain;
  if (!fits(form, code)) return undefined;
  return isShort ? { code, isRestored: true } : { code };
}

/** A row of a published file: the texts of its cells, by 0-based column. */
export type Cells = readonly (string | undefined)[];

/** Where the columns of a table stand in a file. */
interface Header {
  /** The column of the code, or those that make it together. */
  readonly code: readonly number[];
  readonly columns: ReadonlyMap<string, number>;
  /** The column in which the ministry's files name their table. */
  readonly table?: number;
}

/** How often something was done to codes, and the first of them. */
interface Repairs {
  readonly count: number;
  readonly first?: string;
}

export interface ReadTable {
  readonly table: Catalogue;
  /** Codes that got their leading zero back. */
  readonly restored: Repairs;
  /** Rows without a code of the table's form, which are left out. */
  readonly refused: Repairs;
  /** Rows whose code was there before. */
  readonly repeated: Repairs;
  /** What the file calls its table, if it says so. */
  readonly named?: string;
}

/** The ministry numbers the columns that only one table has: `Extra_II:NroIDPrestador`. */
const withoutNumber = (label: string): string => label.trim().replace(/^Extra_[IVX]+:/i, '');

/**
 * Where the columns stand, if this row is the header of the table: it must have the column of the code. Several columns may
 * be called so, as below headings that say whose they are (`Departamento`, `Municipio`): each is one way to read the table.
 */
export function headersIn(table: PublishedTable, cells: Cells): readonly Header[] {
  const labels = cells.map((cell) => squash(withoutNumber(cell ?? '')));
  const placesOfOne = (title: string): readonly number[] =>
    labels.flatMap((label, at) => (label === squash(title) ? [at] : []));
  const placesOf = (titles: readonly string[]): readonly number[] =>
    titles.map(placesOfOne).find((places) => places.length > 0) ?? [];
  const { titles, joined = [] } = table.code;
  const parts = joined.flatMap((part) => placesOf(part).slice(0, 1));
  const codes =
    parts.length > 0 && parts.length === joined.length
      ? [parts]
      : [...new Set(titles.flatMap(placesOfOne))].map((at) => [at]);
  const named = labels.indexOf('tabla');
  return codes.map((code) => {
    const columns = new Map<string, number>();
    for (const [name, known] of Object.entries(table.columns)) {
      const places = placesOf(known);
      // Of several columns of one title the one behind the code is of the code.
      const at = places.find((place) => place > code[0]!) ?? places[0];
      if (at !== undefined) columns.set(name, at);
    }
    return { code, columns, ...(named >= 0 && { table: named }) };
  });
}

class Counted {
  count = 0;
  first: string | undefined;
  add(text: string): void {
    this.count += 1;
    this.first ??= text;
  }
  get repairs(): Repairs {
    return { count: this.count, ...(this.first !== undefined && { first: this.first }) };
  }
}

/** Words of the publisher → our codes, folded, by column. */
function wordsOf({ words = {} }: PublishedTable): ReadonlyMap<string, ReadonlyMap<string, string>> {
  const byColumn = Object.entries(words).map(([column, codes]) => {
    const known = Object.entries(codes).flatMap(([code, list]) =>
      list.map((word) => [fold(word), code] as const),
    );
    return [column, new Map(known)] as const;
  });
  return new Map(byColumn);
}

/**
 * The rows of a published file as a code list: codes as text, a lost leading zero restored where the table's width says so, and nowhere else.
 * What the shipped list says of a code and the file does not, as the service's ids, is kept.
 */
export class PublishedReader {
  private readonly rows = new Map<string, CatalogueRow>();
  private readonly short = new Map<string, CatalogueRow>();
  private readonly restored = new Counted();
  private readonly refused = new Counted();
  private readonly repeated = new Counted();
  private named: string | undefined;
  private readonly words: ReturnType<typeof wordsOf>;
  private readonly columns: readonly [string, number][];
  private readonly kept: readonly string[];
  private readonly before: ReadonlyMap<string, CatalogueRow>;

  constructor(
    private readonly published: PublishedTable,
    private readonly header: Header,
    shipped?: Catalogue,
  ) {
    this.words = wordsOf(published);
    this.columns = [...header.columns];
    this.kept = (shipped?.columns ?? []).filter((name) => name !== 'code' && !header.columns.has(name));
    this.before = new Map(shipped?.rows.map((row) => [row['code'] ?? '', row]));
  }

  /** Whether no row had a code of the table's form. */
  get isEmpty(): boolean {
    return this.rows.size + this.short.size === 0;
  }

  add(cells: Cells): void {
    const text = this.header.code.map((at) => (cells[at] ?? '').trim()).join('-');
    if (text === '' || /^-+$/.test(text)) return;
    if (this.header.table !== undefined) this.named ??= cells[this.header.table]?.trim();
    const read = codeIn(this.published.code, text);
    if (read === undefined) this.refused.add(text);
    else this.keep(read, this.rowOf(read.code, cells));
  }

  finish(): ReadTable {
    for (const [code, row] of this.short)
      if (this.hasLonger(code.slice(0, -1))) this.refused.add(code.slice(0, -1));
      else this.keep({ code }, row);
    const columns = ['code', ...this.columns.map(([name]) => name), ...this.kept];
    return {
      table: { name: this.published.name, columns, rows: [...this.rows.values()] },
      restored: this.restored.repairs,
      refused: this.refused.repairs,
      repeated: this.repeated.repairs,
      ...(this.named && { named: this.named }),
    };
  }

  private rowOf(code: string, cells: Cells): CatalogueRow {
    const row: Record<string, string> = { code };
    for (const [name, at] of this.columns) {
      const said = (cells[at] ?? '').trim();
      row[name] = this.words.get(name)?.get(fold(said)) ?? said;
    }
    const before = this.before.get(code);
    for (const name of this.kept) row[name] = before?.[name] ?? '';
    return row;
  }

  private keep({ code, isRestored, isCategory }: ReadCode, row: CatalogueRow): void {
    if (isCategory) {
      this.short.set(code, row);
      return;
    }
    const known = this.rows.get(code);
    if (known === undefined) {
      this.rows.set(code, row);
      if (isRestored) this.restored.add(code);
      return;
    }
    this.repeated.add(code);
    if (known['habilitado'] === 'NO' && row['habilitado'] === 'SI') this.rows.set(code, row);
  }

  /** A category that is divided further is no code: `A00`, where there is `A000`. */
  private hasLonger(category: string): boolean {
    for (let last = 0; last <= 9; last++) if (this.rows.has(`${category}${last}`)) return true;
    return false;
  }
}
