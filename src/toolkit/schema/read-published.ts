import { type NonEmpty, nonEmpty } from '../core/non-empty.js';
import { getOrAdd } from '../core/remember.js';
import { fold, squash } from '../core/text.js';
import type { Catalogue, CatalogueRow, CodeColumn, PublishedTable } from './catalogue.js';

interface ReadCode {
  readonly code: string;
  /** True if a leading zero was restored. */
  readonly isRestored?: boolean;
  /** True for a CIE-10 category of three characters, as `I10`: a code (`I10X`) only if it is not subdivided. */
  readonly isCategory?: boolean;
}

const forms = new Map<string, RegExp>();

function fits(form: string, code: string): boolean {
  const expression = getOrAdd(forms, form, () => new RegExp(form));
  return expression.test(code);
}

/** Removes the fraction that a spreadsheet adds to a code: `20110.0` was `20110`. */
const withoutFraction = (text: string): string => text.replace(/^(\d+)\.0+$/, '$1');

/**
 * Parses the code of a cell; undefined if it has none of the form. Restores one zero only, and only to an
 * integer that is one character short: `20110` was `020110`, but `6020` may have been `602E01`.
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

/** Texts of the cells of a row, by 0-based column. */
export type Cells = readonly (string | undefined)[];

/** Columns of a table in a file. */
interface Header {
  /** Column of the code, or those that form it together. */
  readonly code: readonly number[];
  readonly columns: ReadonlyMap<string, number>;
  /** Column that names the table, in files of the ministry. */
  readonly table?: number;
}

/** Number of codes that were changed or refused, and the first of them. */
interface Repairs {
  readonly count: number;
  readonly first?: string;
}

export interface ReadTable {
  readonly table: Catalogue;
  /** Codes whose leading zero was restored. */
  readonly restored: Repairs;
  /** Omitted rows without a code of the table's form. */
  readonly refused: Repairs;
  /** Rows whose code occurred before. */
  readonly repeated: Repairs;
  /** Name that the file gives its table. */
  readonly named?: string;
}

/** Removes the number of columns of one table: `Extra_II:NroIDPrestador`. */
const withoutNumber = (label: string): string => label.trim().replace(/^Extra_[IVX]+:/i, '');

/**
 * Finds the columns if this row is the header of the table: it must have the code. If several columns have that
 * label, as below group headings (`Departamento`, `Municipio`), each gives one reading.
 */
export function headersIn(table: PublishedTable, cells: Cells): readonly Header[] {
  const labels = cells.map((cell) => squash(withoutNumber(cell ?? '')));
  const placesOfOne = (title: string): readonly number[] =>
    labels.flatMap((label, at) => (label === squash(title) ? [at] : []));
  const placesOf = (titles: readonly string[]): readonly number[] =>
    titles.map(placesOfOne).find((places) => places.length > 0) ?? [];
  const { titles, joined = [] } = table.code;
  const parts = nonEmpty(joined.flatMap((part) => placesOf(part).slice(0, 1)));
  const codes: readonly NonEmpty<number>[] =
    parts?.length === joined.length
      ? [parts]
      : [...new Set(titles.flatMap(placesOfOne))].map((at): NonEmpty<number> => [at]);
  const named = labels.indexOf('tabla');
  return codes.map((code) => {
    const columns = new Map<string, number>();
    for (const [name, known] of Object.entries(table.columns)) {
      const places = placesOf(known);
      // If several columns have the title, the first after the code belongs to it.
      const at = places.find((place) => place > code[0]) ?? places[0];
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

/** Returns our codes by folded word of the publisher, by column. */
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
 * Reads the rows of a published file as a code list. Codes are text; a lost leading zero is restored only if
 * the table's
 * width requires it. What only the packaged list says of a code, such as the service's id, is retained.
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

  /** True if no row had a code of the table's form. */
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

  /** True if a category is subdivided and so not a code: `A00` if there is `A000`. */
  private hasLonger(category: string): boolean {
    for (let last = 0; last <= 9; last++) if (this.rows.has(`${category}${last}`)) return true;
    return false;
  }
}
