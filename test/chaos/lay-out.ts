import { canonicalAddress, tokenFingerprint } from '../../src/client/address.js';
import { PAYROLL } from '../../src/families/payroll/delivery.js';
import { spoolRun } from '../../src/send/documents.js';
import type { Journals } from '../../src/send/journals.js';
import type { Job, Queue } from '../../src/send/queue.js';
import { openRun } from '../../src/send/runs.js';
import { envelopesOf, payrollCast, plainCast, type Role } from './cast.js';

/** A company's numbers and people are its own: whose a request is shows in its number. */
export const ROOM = 100_000;
const NIT = 900_100_000;

export const nitsOf = (companies: number): readonly string[] =>
  Array.from({ length: companies }, (_, index) => String(NIT + index));

export interface Company {
  readonly nit: string;
  readonly path: string;
  readonly journal: number;
  readonly run: string;
  readonly roles: readonly Role[];
}

interface Cast {
  readonly url: string;
  readonly nit: string;
  readonly index: number;
  readonly count: number;
  /** Some are to be rejected, or doubted. @default none */
  readonly seed?: number;
  /** Known to the journal, as it is where the command handed the run over. @default none */
  readonly token?: string;
}

/** Lays the documents of a company out and lets the run go; nobody is told of it yet. */
export async function layOut(
  journals: Journals,
  { url, nit, index, count, seed, token }: Cast,
): Promise<Company> {
  const from = index * ROOM + 1;
  const roles =
    seed === undefined
      ? plainCast(count, from)
      : payrollCast({ seed: seed + index, count, testSet: false, from });
  const path = journals.newPath({ url, company: nit });
  const journal = await journals.open(path, { warn: () => {} });
  try {
    const { run } = await spoolRun({
      journal,
      kind: PAYROLL,
      meta: { company: nit, url, inputs: [], params: {}, versions: {} },
      keyIsWorker: true,
      documents: (async function* () {
        yield envelopesOf(roles);
      })(),
      numbers: { first: from },
      closing: () => ({
        records: { read: count, used: count, skipped: 0, heldBack: 0 },
        documents: { planned: count, made: count, heldBack: 0 },
        defaults: {},
        issues: [],
        skipped: [],
      }),
    });
    await openRun(journal, run);
    const owner = { address: canonicalAddress(url), company: nit };
    if (token !== undefined) await journal.claim?.(owner, tokenFingerprint(url, token));
    const own = await journal.first<{ journal: number }>('SELECT cargue.wanted() AS journal');
    return { nit, path, journal: own!.journal, run, roles };
  } finally {
    await journal.close();
  }
}

/** Hands all of them over in one moment; `more`: how each is to be sent. */
export const handOver = (
  journals: Journals,
  queue: Queue,
  companies: readonly Company[],
  more: Pick<Job, 'concurrency'> = {},
): Promise<void> =>
  journals.shared!.database.transaction(async (sql) => {
    for (const { journal, run } of companies) await queue.put(sql, { journal, run, ...more });
  });

/** Of so many things, some at a time. */
export async function each<T>(
  items: readonly T[],
  atOnce: number,
  work: (item: T, at: number) => Promise<void>,
): Promise<void> {
  let next = 0;
  const one = async (): Promise<void> => {
    while (next < items.length) {
      const at = next++;
      await work(items[at]!, at);
    }
  };
  await Promise.all(Array.from({ length: atOnce }, one));
}
