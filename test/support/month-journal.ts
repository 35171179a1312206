import { canonicalAddress } from '../../src/client/address.js';
import { openJournal } from '../../src/send/journal.js';
import { fileJournals } from '../../src/send/journals.js';
import { openRun } from '../../src/send/runs.js';
import type { JsonObject } from '../../src/toolkit/core/json.js';
import { META, payroll, spool } from '../send/support.js';

/** A payroll of October or November 2026 whose net pay is `net`. */
export const paid = (worker: number, month: '2026-10' | '2026-11', net: number): JsonObject => {
  const body = payroll(worker);
  const last = month === '2026-10' ? '31' : '30';
  return {
    ...body,
    period: {
      ...(body['period'] as JsonObject),
      settlement_start_date: `${month}-01`,
      settlement_end_date: `${month}-${last}`,
    },
    accrued: { worked_days: 30, salary: `${net}.00`, accrued_total: `${net}.00` },
    deductions: { deductions_total: '0.00' },
  };
};

/** One company's journal with these payrolls, each accepted unless its worker is rejected. */
export async function journalWith(
  workspace: string,
  owner: { readonly url: string; readonly company: string },
  runs: readonly (readonly JsonObject[])[],
  rejected: readonly number[] = [],
): Promise<readonly string[]> {
  const path = fileJournals(workspace).newPath(owner);
  const known = { address: canonicalAddress(owner.url), company: owner.company };
  const journal = await openJournal(path, { owner: known });
  await journal.claim?.(known);
  const made: string[] = [];
  for (const bodies of runs) {
    const { settlement_start_date: begin } = bodies[0]!['period'] as JsonObject;
    const file = `nomina-${String(begin).slice(0, 7)}.xlsx`;
    const { run } = await spool(journal, bodies, {
      meta: { ...META, inputs: [{ file, sha256: '0'.repeat(64) }] },
    });
    await openRun(journal, run);
    await journal.run(`UPDATE document SET state = 'accepted', attempts = 1 WHERE run = ?`, run);
    for (const worker of rejected)
      await journal.run(
        `UPDATE document SET state = 'rejected' WHERE run = ? AND key = ?`,
        run,
        String(9000100000 + worker),
      );
    made.push(run);
  }
  await journal.close();
  return made;
}
