import type { Issue } from '../issues/issue.js';

/** What the checks of a table would have been: how many documents they were due for, and by whose rules. */
interface Due {
  documents: number;
  lastDocument: number;
  readonly rules: Set<string>;
}

/** Tables that rules needed in a run and that are not loaded: said once each, never passed over in silence. */
export class UncheckedTables {
  private readonly due = new Map<string, Due>();
  private document = 0;

  /** A document is about to be checked. */
  begin(): void {
    this.document += 1;
  }

  /** A rule of the document could not be checked, for want of these tables. */
  add(tables: readonly string[], rule: string): void {
    for (const table of tables) {
      let due = this.due.get(table);
      if (due === undefined) {
        due = { documents: 0, lastDocument: 0, rules: new Set() };
        this.due.set(table, due);
      }
      if (due.lastDocument !== this.document) {
        due.lastDocument = this.document;
        due.documents += 1;
      }
      due.rules.add(rule);
    }
  }

  /** A warning a table: `table` is what `cargue catalogue import --as` calls it, with the column where only that is missing. */
  issues(): readonly Issue[] {
    return [...this.due].sort().map(([needed, { documents, rules }]) => {
      const [table = needed, column] = needed.split('.');
      return {
        code: column === undefined ? 'catalogue/not-loaded' : 'catalogue/column-missing',
        level: 'warning',
        params: {
          table,
          documents,
          rules: [...rules].sort().join(', '),
          ...(column !== undefined && { column }),
        },
        place: {},
      };
    });
  }
}
