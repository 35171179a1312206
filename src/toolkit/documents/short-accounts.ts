import { type Issue, issueOf } from '../core/issue.js';
import { fold } from '../core/text.js';
import type { HeadedTable, ReadableColumn, ReadableTable } from '../mapping/record.js';
import { accountFault } from '../schema/roles.js';
import { cellPlace, type Row } from '../tables/table.js';

/** Min accounts of one length for a shorter one to be odd, and their min multiple of the shorter ones. */
const MIN_ALIKE = 4;
const MIN_RATIO = 4;

interface Account {
  readonly row: Row;
  readonly digits: number;
}

/** Returns the shorter accounts of a column or a bank, if nearly all others have one length. */
function shortIn(accounts: readonly Account[]): { alike: number; digits: number; short: readonly Account[] } {
  const counts = new Map<number, number>();
  for (const { digits } of accounts) counts.set(digits, (counts.get(digits) ?? 0) + 1);
  const [[digits, alike] = [0, 0]] = [...counts].sort(([, a], [, b]) => b - a);
  const isClear = alike >= MIN_ALIKE && alike >= MIN_RATIO * (accounts.length - alike);
  return { alike, digits, short: isClear ? accounts.filter((account) => account.digits < digits) : [] };
}

export const hasAccounts = ({ present }: HeadedTable): boolean =>
  present.some(({ column }) => column.holds === 'accounts');

/** Warns of accounts with fewer digits than nearly all others of their column or bank. */
export function shortAccounts(table: ReadableTable, rows: readonly Row[]): readonly Issue[] {
  const { present, source, header } = table;
  const bank = present.find(({ column }) => column.holds === 'banks');
  const issuesIn = ({ index, read }: ReadableColumn): Issue[] => {
    const accounts = rows.flatMap((row): Account[] => {
      const text = row.texts[index];
      const value = text === undefined ? undefined : read(text, row.kinds?.[index] ?? 'text');
      if (typeof value !== 'string' || accountFault(value) !== undefined) return [];
      return [{ row, digits: value.replace(/\D/g, '').length }];
    });
    const byBank = new Map<string, Account[]>();
    if (bank !== undefined)
      for (const account of accounts) {
        const name = fold(account.row.texts[bank.index] ?? '');
        const ofBank = byBank.get(name);
        if (ofBank === undefined) byBank.set(name, [account]);
        else ofBank.push(account);
      }
    const groups = [accounts, ...byBank.values()];
    const found = new Map<Row, Issue>();
    for (const group of groups) {
      const { alike, digits, short } = shortIn(group);
      for (const account of short) {
        const place = cellPlace(source, account.row, index, header.labels[index]);
        const params = { digits: account.digits, others: digits, cells: alike };
        if (!found.has(account.row))
          found.set(account.row, issueOf('cell/account-short', 'warning', params, place));
      }
    }
    return [...found.values()];
  };
  return present.filter(({ column }) => column.holds === 'accounts').flatMap(issuesIn);
}
