import type { AnyFault } from './answer-kinds.js';
import { envelopesOf, noteCast, payrollCast, type Role } from './cast.js';
import { spoolCast, withJournal } from './cast-spool.js';
import { FAULT_NAMES } from './fault-kinds.js';
import { seededFaults } from './fault-proxy.js';
import type { Findings } from './oracle.js';
import { examineStage, NOTHING_BEFORE, openStage, resumeUntilDone, sendBefore, sendOnce } from './stage.js';

/** What one run of the chaos did and found. */
export interface ChaosResult extends Findings {
  readonly seed: number;
  readonly documents: number;
  readonly testSet: boolean;
  readonly notes: boolean;
  readonly requests: number;
  readonly faults: Partial<Record<AnyFault, number>>;
  readonly resumes: number;
  readonly ms: number;
}

export interface ChaosOptions {
  /** Chooses everything: production or test set, payrolls alone or with notes, the service's line, who is rejected, what fails. */
  readonly seed: number;
  /** @default 200 */
  readonly documents?: number;
  /** Of requests that fail. @default 0.2 */
  readonly share?: number;
}

/** Payrolls that notes correct. */
const CORRECTED = 60;

/** One run: documents spooled and sent over a line that fails, then at most three resumes, then the books compared. */
export async function chaosRun({ seed, documents = 200, share = 0.2 }: ChaosOptions): Promise<ChaosResult> {
  const start = performance.now();
  const testSet = seed % 2 === 1;
  const notes = seed % 3 === 0;
  const stage = await openStage({
    testSet,
    service: { errorStyle: seed % 5 === 0 ? '2026' : 'stock', validateBeforeSending: seed % 7 < 3 },
    faultOf: seededFaults(seed, share, FAULT_NAMES),
  });
  try {
    const before = notes ? await sendBefore(stage, CORRECTED) : NOTHING_BEFORE;
    const options = { seed, count: documents, testSet };
    const roles: readonly Role[] = notes ? noteCast(options, before.accepted) : payrollCast(options);
    const run = await withJournal(stage.path, async (journal) => {
      const spooled = await spoolCast(journal, envelopesOf(roles), stage.testSet);
      await sendOnce(stage, journal, spooled.run);
      return spooled.run;
    });
    const { resumes } = await resumeUntilDone(stage, run);
    const { requests, faults } = stage.proxy.seen;
    const findings = await examineStage(stage, run, roles, before);
    const ms = performance.now() - start;
    return { seed, documents: roles.length, testSet, notes, requests, faults, resumes, ms, ...findings };
  } finally {
    await stage.close();
  }
}
