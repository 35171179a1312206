import { expect, test } from 'vitest';
import type { Accounts } from '../../src/app/events.js';
import { printAccounts } from '../../src/cli/accounts.js';
import type { Terminal } from '../../src/cli/terminal.js';

const total = (sheet: string, difference = '0.00') => ({
  place: { file: 'nomina.xlsx', sheet, column: 'M', label: 'NETO' },
  role: 'control' as const,
  sum: '500000.00',
  total: { name: 'net', computed: '500000.00', stated: '500000.00', difference },
});

const pay = {
  ...{ place: { file: 'nomina.xlsx', sheet: '1Q', column: 'G', label: 'DEVENGADO' } },
  ...{ role: 'used', sum: '500000.00' },
};

/** The line about columns of amounts. */
function amounts(...columns: unknown[]): string | undefined {
  const lines: string[] = [];
  const terminal = { language: 'es', print: (line: string) => lines.push(line) } as unknown as Terminal;
  const accounts = {
    records: { read: 2, used: 2, skipped: 0, heldBack: 0 },
    documents: { planned: 1, made: 1, heldBack: 0 },
    ...{ columns: [pay, ...columns], errors: 0, warnings: 0 },
  };
  printAccounts(terminal, accounts as unknown as Accounts);
  return lines.find((line) => line.includes('NETO'))?.replace(/^.*?; /, '');
}

test('a total that two sheets state alike is said once', () => {
  expect(amounts(total('1Q'), total('2Q'))).toBe('NETO cuadra (500.000,00).');
});

test('totals that differ are all said', () => {
  expect(amounts(total('1Q'), total('2Q', '-20000.00'))?.match(/NETO/g)).toHaveLength(2);
});
