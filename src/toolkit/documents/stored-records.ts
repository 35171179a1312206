import { type ReadableTable, type ReadRecord, readRecord } from '../mapping/record.js';
import type { StoredRow } from '../tables/row-store.js';

/** Converts records to stored rows and back. */
export class StoredRecords {
  readonly tables: ReadableTable[] = [];

  rowOf({ table, row }: ReadRecord): StoredRow {
    let at = this.tables.indexOf(table);
    if (at < 0) at = this.tables.push(table) - 1;
    return { table: at, row };
  }

  tableOf({ table }: StoredRow): ReadableTable {
    const found = this.tables[table];
    if (found === undefined) throw new Error(`no record was put aside of table ${table}`);
    return found;
  }

  recordOf = (stored: StoredRow): ReadRecord => readRecord(this.tableOf(stored), stored.row);
}
