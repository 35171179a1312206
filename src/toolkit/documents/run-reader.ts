import type { Issue } from '../core/issue.js';
import type { CompiledTable, HeadedTable, ReadableTable } from '../mapping/record.js';
import type { ColumnAccount } from '../schema/document.js';
import type { Row } from '../tables/table.js';
import { CellAccounting } from './cells.js';
import { FormatDecider } from './decide.js';
import { isRecord } from './joined-tables.js';
import type { Located } from './locate.js';
import type { Plan } from './phases.js';
import { type OnRow, type RowStep, readTable, recordsIn } from './read.js';
import { TextChanges } from './text-changes.js';
import { createBatchChecks } from './totals.js';

/** Reads the tables of a run and counts all rows, cells and totals. */
export class RunReader {
  readonly formats: FormatDecider;
  readonly cells: CellAccounting;
  readonly batch: ReturnType<typeof createBatchChecks>;
  /** Number of records read. */
  recordCount = 0;
  private readonly changes = new TextChanges();

  constructor(
    private readonly plan: Plan,
    private readonly located: Located,
    private readonly onRow: OnRow | undefined,
  ) {
    const { mapping, params, chosen, formats, company: ofRun } = plan;
    this.formats = new FormatDecider(formats);
    this.cells = new CellAccounting(mapping, chosen !== undefined, located.issues);
    this.batch = createBatchChecks(mapping, params.values, { present: located.present, ofRun });
  }

  /** Returns the located tables of a table of the mapping. */
  sourcesOf({ tableIndex }: CompiledTable): readonly HeadedTable[] {
    return this.located.tables.filter((table) => table.tableIndex === tableIndex);
  }

  /** Reads a table of the mapping from every sheet that has it. */
  async *read(
    table: CompiledTable,
  ): AsyncGenerator<{ readonly source: HeadedTable; readonly steps: readonly RowStep[] }> {
    const isMain = this.plan.mapping.mains.includes(table);
    const onRow = (source: ReadableTable, row: Row): void => {
      this.onRow?.(source, row);
      if (row.changes !== undefined) this.changes.add(source, row);
      if (isMain || isRecord(table, row)) this.recordCount += 1;
    };
    for (const source of this.sourcesOf(table))
      for await (const steps of readTable(table, source, this.formats, { onRow })) {
        const records = recordsIn(steps);
        this.batch.add(records);
        if (table.spec.param === undefined) this.cells.add(source, records);
        yield { source, steps };
      }
  }

  /** Returns accounts and issues of the files as a whole, once they are read. */
  finish(): { readonly columns: readonly ColumnAccount[]; readonly issues: readonly Issue[] } {
    const { columns, issues } = this.cells.finish();
    return { columns, issues: [...this.changes.issues(), ...issues] };
  }
}
