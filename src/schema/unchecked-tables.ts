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
  /** The same by the list that a rule gives, which is one object for each rule. */
  private readonly byRule = new Map<readonly string[], readonly Due[]>();
  private document = 0;

  /** A document is about to be checked. */
  begin(): void {
    this.document += 1;
  }

  /** A rule of the document could not be checked, for want of these tables. */
  add(tables: readonly string[], rule: string): void {
    let dues = this.byRule.get(tables);
    if (dues === undefined) {
      dues = tables.map((table) => this.dueOf(table, rule));
      this.byRule.set(tables, dues);
    }
    for (const due of dues) {
      if (due.lastDocument === this.document) continue;
      due.lastDocument = this.document;
      due.documents += 1;
    }
  }

  /** Whether the document is counted for these tables, and the rule that gives the list known: nothing to add. */
  isCounted(tables: readonly string[]): boolean {
    return this.byRule.get(tables)?.every(({ lastDocument }) => lastDocument === this.document) === true;
  }

  private dueOf(table: string, rule: string): Due {
    let due = this.due.get(table);
    if (due === undefined) {
      due = { documents: 0, lastDocument: 0, rules: new Set() };
      this.due.set(table, due);
    }
    due.rules.add(rule);
    return due;
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
