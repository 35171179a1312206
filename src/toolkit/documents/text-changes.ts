import { type Issue, issueOf, type Place } from '../core/issue.js';
import { rowPlace } from '../mapping/places.js';
import type { ReadableTable } from '../mapping/record.js';
import { type CellChange, cellPlace, type Row } from '../tables/table.js';

const CODES = {
  composed: 'cell/accents-composed',
  invisible: 'cell/invisible-signs',
  apostrophe: 'cell/text-apostrophe',
  quotes: 'cell/stray-quotes',
  blanks: 'json/outer-blanks',
  seconds: 'json/slip-seconds',
  midnight: 'json/slip-midnight',
  'empty-text': 'json/slip-empty-text',
  'number-as-text': 'json/slip-number-as-text',
  'missing-key': 'json/slip-missing-key',
  'small-letters': 'json/slip-small-letters',
} as const;

/** Counts cells whose text was normalised, so that each kind is reported once per file. */
export class TextChanges {
  private readonly found = new Map<
    string,
    { readonly change: CellChange['change']; readonly place: Place; cells: number }
  >();

  add(table: ReadableTable, row: Row): void {
    for (const { column, change } of row.changes ?? []) {
      const key = `${change} ${table.source.file}`;
      const known = this.found.get(key);
      if (known !== undefined) known.cells += 1;
      else this.found.set(key, { change, place: placeOf(table, row, column), cells: 1 });
    }
  }

  /** Returns a warning for each kind of change and file, at the first cell. */
  issues(): readonly Issue[] {
    return [...this.found.values()].map(({ change, place, cells }) =>
      issueOf(CODES[change], 'warning', { cells }, place),
    );
  }
}

const placeOf = (table: ReadableTable, row: Row, column: number): Place =>
  column < 0 ? rowPlace(table, row) : cellPlace(table.source, row, column, table.header.labels[column]);
