import type { Accounts } from '../app/events.js';
import { amountsOf } from '../app/objects.js';
import type { Language } from '../toolkit/core/issue.js';
import {
  formatCount,
  formatMoney,
  type Phrase,
  type PhrasesParams,
  type TextParams,
  translate,
} from '../toolkit/messages/texts.js';
import { type ColumnAccount, countColumns } from '../toolkit/schema/document.js';
import type { Terminal } from './terminal.js';

/** Formats the columns by role: `34 = 30 usadas + 2 de control + 2 descartadas`; roles without columns are left out. */
function columnsText(columns: readonly ColumnAccount[], language: Language): string {
  const { filled, ...roles } = countColumns(columns);
  const parts = (['used', 'control', 'declined', 'unread'] as const).flatMap((role) => {
    const count = roles[role];
    const phrase: Phrase = count === 1 ? `${role}Column` : `${role}Columns`;
    return count === 0 && role !== 'used'
      ? []
      : [`${formatCount(count, language)} ${translate(language, phrase)}`];
  });
  return `${formatCount(filled, language)} = ${parts.join(' + ')}`;
}

/**
 * Formats the columns of amounts like `columnsText`, with the totals of the files; undefined if documents have no
 * totals.
 */
function amountsText(columns: readonly ColumnAccount[], language: Language): string | undefined {
  const amounts = amountsOf(columns);
  if (amounts.length === 0) return undefined;
  const left = amounts.filter(({ role }) => role === 'declined' || role === 'unread');
  const listed = left.map(
    ({ place: { label, column }, sum }) => `${label ?? column} ${formatMoney(sum ?? '0', language)}`,
  );
  const totals = amounts.flatMap(({ place: { label, column }, total }) =>
    total === undefined
      ? []
      : [
          translate(language, Number(total.difference) === 0 ? 'totalAgrees' : 'totalDiffers', {
            label: label ?? column ?? total.name,
            sum: formatMoney(total.computed, language),
            difference: formatMoney(total.difference, language),
          }),
        ],
  );
  const list = [columnsText(amounts, language), listed.length > 0 && `(${listed.join(', ')})`]
    .filter(Boolean)
    .join(' ');
  // A column that several sheets have is compared with all of them at once.
  return [list, ...new Set(totals)].join('; ');
}

export function printAccounts(terminal: Terminal, accounts: Accounts): void {
  const { language } = terminal;
  const line = <K extends Phrase>(
    phrase: K,
    counts: Readonly<Record<keyof PhrasesParams[K], number>>,
  ): void => {
    const shown = Object.entries<number>(counts).map(([name, count]) => [name, formatCount(count, language)]);
    terminal.print(translate(language, phrase, ...([Object.fromEntries(shown)] as unknown as TextParams<K>)));
  };
  line('records', accounts.records);
  line('documents', accounts.documents);
  if (accounts.columns !== undefined)
    terminal.print(translate(language, 'columns', { list: columnsText(accounts.columns, language) }));
  const amounts = accounts.columns && amountsText(accounts.columns, language);
  if (amounts !== undefined) terminal.print(translate(language, 'amounts', { list: amounts }));
  if (accounts.outcomes) line('outcomes', { made: accounts.documents.made, ...accounts.outcomes });
  line('issues', { errors: accounts.errors, warnings: accounts.warnings });
}
