import { isSameSheet, type Place } from '../core/issue.js';
import { createKeyTable, widened } from '../tables/key-table.js';

/** Places as two numbers each: column of a sheet, and row. */
export class Columns {
  private readonly numbers = new Map<string, number>();
  private readonly places: Place[] = [];
  private last = 0;

  number(place: Place): number {
    const last = this.places[this.last];
    if (last === undefined || !(last.column === place.column && isSameSheet(last, place)))
      this.last = this.find(place);
    return this.last;
  }

  private find(place: Place): number {
    const { file, sheet, column, label } = place;
    const text = [file, sheet, column].join('\n');
    const known = this.numbers.get(text);
    if (known !== undefined) return known;
    this.numbers.set(text, this.places.length);
    this.places.push({
      ...(file !== undefined && { file }),
      ...(sheet !== undefined && { sheet }),
      ...(column !== undefined && { column }),
      ...(label !== undefined && { label }),
    });
    return this.places.length - 1;
  }

  place = (number: number, row: number): Place => ({ ...this.places[number], row });

  /** Returns the place without its row, one object per column. */
  column = (place: Place): Place => this.places[this.number(place)] ?? {};
}

/** Place of each key, exact and outside the heap: the key and 8 bytes. */
export class KeyPlaces {
  private readonly keys = createKeyTable();
  private readonly places = new Columns();
  /** Columns by number of the key. */
  private columns = new Uint32Array(1024);
  private rows = new Uint32Array(1024);

  has = (key: string): boolean => this.keys.find(key) !== undefined;

  get(key: string): Place | undefined {
    const number = this.keys.find(key);
    return number === undefined
      ? undefined
      : this.places.place(this.columns[number] ?? 0, this.rows[number] ?? 0);
  }

  set(key: string, place: Place): void {
    const number = this.keys.add(key);
    this.columns = widened(this.columns, number + 1);
    this.rows = widened(this.rows, number + 1);
    this.columns[number] = this.places.number(place);
    this.rows[number] = place.row ?? 0;
  }
}
