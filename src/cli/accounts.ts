import type { DocumentCounts, OutcomeCounts, RecordCounts } from '../document/accounting.js';
import { formatCount, type Phrase, say } from './say.js';
import type { Terminal } from './terminal.js';

/** The accounting of DESIGN: records, documents, outcomes, issues. Nothing is lost between two lines. */
export interface Accounts {
  readonly records: RecordCounts;
  readonly documents: DocumentCounts;
  readonly errors: number;
  readonly warnings: number;
  /** Only where something was to be sent. */
  readonly outcomes?: OutcomeCounts;
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
  if (accounts.outcomes) line('outcomes', { made: accounts.documents.made, ...accounts.outcomes });
  line('issues', { errors: accounts.errors, warnings: accounts.warnings });
}

/** The accounts as the last object of `--json`. */
export const summaryEvent = (accounts: Accounts, more: Readonly<Record<string, unknown>> = {}): string =>
  JSON.stringify({
    event: 'summary',
    records: accounts.records,
    documents: { ...accounts.documents, ...accounts.outcomes },
    issues: { errors: accounts.errors, warnings: accounts.warnings },
    ...more,
  });

/** The accounts to whoever reads: a program or a person. */
export function giveAccounts(terminal: Terminal, json: boolean | undefined, accounts: Accounts): void {
  if (json) terminal.out(summaryEvent(accounts));
  else sayAccounts(terminal, accounts);
}
