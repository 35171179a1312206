import { PAYROLL } from '../../src/families/payroll/delivery.js';
import { type PlanInput, type SpoolResult, spoolRun } from '../../src/send/documents.js';
import type { Journal } from '../../src/send/journal.js';
import { openToSend } from './engine.js';

/** A process's time with a journal: it takes the lock and gives everything back. */
export async function withJournal<T>(path: string, use: (journal: Journal) => Promise<T>): Promise<T> {
  const journal = await openToSend(path);
  try {
    return await use(journal);
  } finally {
    await journal.close();
  }
}

const BATCH = 8;

/** Lays documents into the journal as `cargue send` does; `onComplete` is told before all of it becomes durable. */
export function spoolCast(
  journal: Journal,
  documents: readonly PlanInput[],
  testSet: string | undefined,
  onComplete: () => void = () => undefined,
  company = '900123456',
): Promise<SpoolResult> {
  const count = documents.length;
  async function* batches(): AsyncIterable<readonly PlanInput[]> {
    for (let at = 0; at < count; at += BATCH) yield documents.slice(at, at + BATCH);
  }
  return spoolRun({
    journal,
    kind: PAYROLL,
    meta: { company, url: 'http://127.0.0.1', inputs: [], params: {}, versions: {} },
    ...(testSet !== undefined && { testSet }),
    keyIsWorker: true,
    documents: batches(),
    closing: () => {
      onComplete();
      return {
        records: { read: count, used: count, skipped: 0, heldBack: 0 },
        documents: { planned: count, made: count, heldBack: 0 },
        defaults: {},
        issues: [],
        skipped: [],
      };
    },
  });
}
