import { readFileSync } from 'node:fs';
import { createClient } from '../../src/client/client.js';
import { PAYROLL } from '../../src/families/payroll/delivery.js';
import type { PlanInput } from '../../src/send/documents.js';
import { REAL_RUNTIME } from '../../src/send/rate-limiter.js';
import { sendRun } from '../../src/send/send.js';
import { PIN } from '../send/support.js';
import { spoolCast, withJournal } from './cast-spool.js';
import { TRAPPED_POLICY, trap, trappedClient, trappedKind, trappedWorld } from './trap.js';

/** A sender in a process of its own, which dies where it is told to. */
export interface Orders {
  readonly path: string;
  readonly url: string;
  readonly token: string;
  readonly testSet?: string;
  readonly timeoutMs: number;
  /** File with the documents to lay in; else the run is there. */
  readonly cast?: string;
  readonly run?: string;
  readonly point?: string;
  readonly after: number;
}

const orders = JSON.parse(process.argv[2]!) as Orders;
const reach = trap(orders.point, orders.after);

/** Traces are of no matter here, and JSON has no maps. */
const castOf = (file: string): readonly PlanInput[] =>
  (JSON.parse(readFileSync(file, 'utf8')) as PlanInput[]).map((envelope) => ({
    ...envelope,
    trace: new Map(),
  }));

await withJournal(orders.path, async (journal) => {
  const { cast, testSet, url, token, timeoutMs } = orders;
  const run =
    cast === undefined
      ? orders.run!
      : (await spoolCast(journal, castOf(cast), testSet, () => reach('spool: complete'))).run;
  reach('spool: durable');
  const client = trappedClient(createClient({ url, token, timeoutMs }), reach);
  const { world, onProgress } = trappedWorld(REAL_RUNTIME, reach);
  process.stdout.write('go');
  await sendRun({
    journal,
    run,
    client,
    kind: trappedKind(PAYROLL, reach),
    policy: TRAPPED_POLICY,
    world,
    onProgress,
    softwarePin: PIN,
  });
  await client.close();
});
