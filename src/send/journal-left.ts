import { sum } from '../values/decimal.js';
import type { JsonObject } from '../values/json.js';
import type { Journal } from './journal.js';
import type { DocumentKind, Totals } from './kind.js';
import { PAGE, pages } from './pages.js';

/** The figures of what is not final in a run: what a resumed sender may still send. Empty where the kind has none. */
export function leftTotals(journal: Journal, run: string, { totals }: Pick<DocumentKind, 'totals'>): Totals {
  if (totals === undefined) return {};
  const page = journal.prepare(`
    SELECT d.sequence, c.body FROM document d JOIN content c ON c.document = d.id
    WHERE d.run = ? AND d.sequence > ? AND d.state NOT IN ('accepted', 'rejected')
    ORDER BY d.sequence LIMIT ${PAGE}`);
  let found: Totals = {};
  for (const { body } of pages<{ sequence: number; body: string }>(page, run))
    found = added([found, totals(JSON.parse(body) as JsonObject)]);
  return found;
}

/** The figures of all, by name. */
function added(all: readonly Totals[]): Totals {
  const names = new Set(all.flatMap((one) => Object.keys(one)));
  return Object.fromEntries([...names].map((name) => [name, sum(all.map((one) => one[name] ?? '0.00'))]));
}
