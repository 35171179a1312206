import { fork } from 'node:child_process';
import { once } from 'node:events';
import { createClient } from '../../src/client/client.js';
import { EVENTS } from '../../src/families/events/delivery.js';
import { RIPS } from '../../src/families/rips/delivery.js';
import type { Sandbox } from '../../src/sandbox/server.js';
import { type PlanInput, type SpoolResult, spoolRun } from '../../src/send/documents.js';
import type { Journal } from '../../src/send/journal.js';
import type { DocumentKind } from '../../src/send/kind.js';
import { findRun } from '../../src/send/runs.js';
import { sendRun } from '../../src/send/send.js';
import { fastWorld } from '../send/support.js';
import { childProgram } from '../support/child-program.js';
import { withJournal } from './cast-spool.js';
import type { FaultProxy } from './fault-proxy.js';

/** What is the same for events and packages: neither has a test set. */
const KINDS = { events: EVENTS, rips: RIPS } as const satisfies Record<string, DocumentKind>;
export type KindName = keyof typeof KINDS;

const SENDER = new URL('kind-sender.ts', import.meta.url);

/** Milliseconds that a client waits for an answer. */
export const PATIENCE = 250;

/** A run in its journal, and the service behind a line that fails. */
export interface KindScene {
  readonly kind: KindName;
  readonly path: string;
  readonly run: string;
  readonly proxy: FaultProxy;
  readonly box: Sandbox;
}

export const layIn = (
  journal: Journal,
  kind: KindName,
  documents: readonly PlanInput[],
  company: string,
): Promise<SpoolResult> =>
  spoolRun({
    journal,
    kind: KINDS[kind],
    meta: { company, url: 'http://127.0.0.1', inputs: [], params: {}, versions: {} },
    documents: (async function* () {
      yield documents;
    })(),
    closing: () => ({
      records: { read: documents.length, used: documents.length, skipped: 0, heldBack: 0 },
      documents: { planned: documents.length, made: documents.length, heldBack: 0 },
      defaults: {},
      issues: [],
      skipped: [],
    }),
  });

export interface Sending {
  readonly kind: KindName;
  readonly path: string;
  readonly run: string;
  readonly url: string;
  readonly token: string;
  /** @default PATIENCE */
  readonly patience?: number;
}

/** A sender's time with the journal; whether nothing is left of the run. */
export const sendKind = ({ kind, path, run, url, token, patience = PATIENCE }: Sending): Promise<boolean> =>
  withJournal(path, async (journal) => {
    const client = createClient({ url, token, timeoutMs: patience });
    try {
      const policy = { concurrency: 16 };
      await sendRun({ journal, run, client, kind: KINDS[kind], policy, world: fastWorld() });
    } finally {
      await client.close();
    }
    return (await findRun(journal, run)).state === 'closed';
  });

/** Sends or resumes over the line, until nothing is on its way any more. */
export async function resumeOnce({ kind, path, run, proxy, box }: KindScene): Promise<boolean> {
  const done = await sendKind({ kind, path, run, url: proxy.url, token: box.token });
  await proxy.idle();
  return done;
}

/** A sender in a process of its own, killed once so many more requests have come; whether it was killed. */
export async function killAtRequest(
  { kind, path, run, proxy, box }: KindScene,
  after: number,
): Promise<boolean> {
  const sending: Sending = { kind, path, run, url: proxy.url, token: box.token };
  const child = fork(await childProgram(SENDER), [JSON.stringify(sending)], {
    execArgv: [],
    stdio: 'ignore',
  });
  const ended = once(child, 'exit');
  let alive = true;
  ended.then(() => (alive = false));
  const wanted = proxy.seen.requests + after;
  while (alive && proxy.seen.requests < wanted) await new Promise((resolve) => setTimeout(resolve, 5));
  const killed = alive && child.kill('SIGKILL');
  await ended;
  await proxy.idle();
  return killed;
}
