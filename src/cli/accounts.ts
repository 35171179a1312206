import {
  type ColumnAccount,
  countColumns,
  type DocumentCounts,
  type OutcomeCounts,
  type RecordCounts,
} from '../document/accounting.js';
import type { Language } from '../issues/issue.js';
import { formatCount, type Phrase, say } from './say.js';
import type { Terminal } from './terminal.js';

/** The accounting of DESIGN: records, documents, outcomes, issues. Nothing is lost between two lines. */
export interface Accounts {
  readonly records: RecordCounts;
  readonly documents: DocumentCounts;
  /** Of a run of an older version it is not known. */
  readonly columns?: readonly ColumnAccount[];
  readonly errors: number;
  readonly warnings: number;
  /** Only where something was to be sent. */
  readonly outcomes?: OutcomeCounts;
}

/** `34 = 30 usadas + 2 de control + 2 descartadas`: what there is none of is not said. */
function columnsText(columns: readonly ColumnAccount[], language: Language): string {
  const { filled, ...roles } = countColumns(columns);
  const parts = (['used', 'control', 'declined', 'unread'] as const).flatMap((role) => {
    const count = roles[role];
    const phrase: Phrase = count === 1 ? `${role}Column` : `${role}Columns`;
    return count === 0 && role !== 'used' ? [] : [`${formatCount(count, language)} ${say(language, phrase)}`];
  });
  return `${formatCount(filled, language)} = ${parts.join(' + ')}`;
}

/** Prints the accounts for people. */
export function sayAccounts(terminal: Terminal, accounts: Accounts): void {
  const { language } = terminal;
  const line = (phrase: Phrase, counts: object): void =>
    terminal.say(
      say(
        language,
        phrase,
        Object.fromEntries(
          Object.entries(counts).map(([name, count]) => [name, formatCount(count as number, language)]),
        ),
      ),
    );
  line('records', accounts.records);
  line('documents', accounts.documents);
  if (accounts.columns !== undefined)
    terminal.say(say(language, 'columns', { list: columnsText(accounts.columns, language) }));
  if (accounts.outcomes) line('outcomes', { made: accounts.documents.made, ...accounts.outcomes });
  line('issues', { errors: accounts.errors, warnings: accounts.warnings });
}

/** Counts, and by name what no document was made of. */
function columnsEvent(columns: readonly ColumnAccount[]): object {
  const left = columns.filter(({ role }) => role === 'declined' || role === 'unread');
  return {
    ...countColumns(columns),
    left: left.map(({ place: { file, sheet, column, label }, ...account }) => ({
      file,
      sheet,
      column,
      label,
      ...account,
    })),
  };
}

/** The accounts as the last object of `--json`. */
export const summaryEvent = (accounts: Accounts, more: Readonly<Record<string, unknown>> = {}): string =>
  JSON.stringify({
    event: 'summary',
    records: accounts.records,
    documents: { ...accounts.documents, ...accounts.outcomes },
    ...(accounts.columns && { columns: columnsEvent(accounts.columns) }),
    issues: { errors: accounts.errors, warnings: accounts.warnings },
    ...more,
  });

/** The accounts to whoever reads: a program or a person. */
export function giveAccounts(terminal: Terminal, json: boolean | undefined, accounts: Accounts): void {
  if (json) terminal.out(summaryEvent(accounts));
  else sayAccounts(terminal, accounts);
}
