import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';
import { childProgram } from '../support/child-program.js';
import { envelopesOf, noteCast, payrollCast } from './cast.js';
import { spoolCast, withJournal } from './cast-spool.js';
import { chanceOf } from './chance.js';
import { FAULT_NAMES } from './fault-kinds.js';
import { type ProxyOptions, seededFaults } from './fault-proxy.js';
import { KILL_POINTS, type KillPoint, type KillPointName } from './kill-points.js';
import type { Orders } from './killed-sender.js';
import type { Findings } from './oracle.js';
import { goOn, NOTHING_BEFORE, openStage, PATIENCE, type Stage, sendBefore } from './stage.js';

/** What killing and resuming came to. */
export interface KillResult extends Findings {
  readonly documents: number;
  readonly kills: number;
  /** Where the killed were, as far as one knows. */
  readonly at: readonly string[];
  readonly resumes: number;
  readonly ms: number;
}

const CHILD = new URL('killed-sender.ts', import.meta.url);

async function startSender(
  stage: Stage,
  orders: Pick<Orders, 'run' | 'cast' | 'point'> & { readonly after?: number },
) {
  const all: Orders = {
    path: stage.path,
    url: stage.proxy.url,
    token: stage.box.token,
    ...(stage.testSet !== undefined && { testSet: stage.testSet }),
    timeoutMs: PATIENCE,
    after: 0,
    ...orders,
  };
  return spawn(process.execPath, [await childProgram(CHILD), JSON.stringify(all)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
}

/** A killer at the service's side: it strikes at the given send, and waits until the sender is dead. */
function serviceKiller() {
  let victim: ChildProcess | undefined;
  let when: 'received' | 'processed' | undefined;
  let left = 0;
  const at =
    (moment: typeof when) =>
    async (passing: { readonly isSend: boolean }): Promise<void> => {
      if (victim === undefined || moment !== when || !passing.isSend) return;
      left -= 1;
      if (left >= 0) return;
      const child = victim;
      victim = undefined;
      const gone = once(child, 'exit');
      if (child.kill('SIGKILL')) await gone;
    };
  return {
    hooks: { onArrival: at('received'), onProcessed: at('processed') } satisfies Partial<ProxyOptions>,
    arm: (child: ChildProcess, moment: 'received' | 'processed', after: number): void => {
      [victim, when, left] = [child, moment, after];
    },
  };
}

/** Whether it was killed; a sender that ends by itself must have ended well. */
async function died(child: ChildProcess): Promise<boolean> {
  const [code, signal] =
    child.exitCode !== null || child.signalCode !== null
      ? [child.exitCode, child.signalCode]
      : ((await once(child, 'exit')) as [number | null, string | null]);
  if (signal === null && code !== 0) throw new Error(`the sender ended with ${code}`);
  return signal === 'SIGKILL';
}

/** Small, so that every point can be visited. */
const FEW = 24;

/** Kills a sender at a named point, goes on from what it left, and compares the books. */
export async function killAt(name: KillPointName): Promise<KillResult> {
  const start = performance.now();
  const point: KillPoint = KILL_POINTS[name];
  const killer = serviceKiller();
  const stage = await openStage({
    testSet: point.testSet === true,
    ...killer.hooks,
    ...(point.first !== undefined && {
      faultOf: ({ isSend, nth }) => (isSend && nth === 1 ? point.first : undefined),
    }),
  });
  try {
    const before = point.notes === true ? await sendBefore(stage, 8) : NOTHING_BEFORE;
    const options = { seed: 7, count: FEW, testSet: false };
    const roles = point.notes === true ? noteCast(options, before.accepted) : payrollCast(options);
    if (point.notes === true) notesComeTooEarly(stage, 2);
    const documents = envelopesOf(roles);
    const cast = `${stage.path}.cast.json`;
    writeFileSync(cast, JSON.stringify(documents));
    const run =
      point.spools === true
        ? undefined
        : await withJournal(
            stage.path,
            async (journal) => (await spoolCast(journal, documents, stage.testSet)).run,
          );
    const child = await startSender(stage, {
      ...(run === undefined ? { cast } : { run }),
      ...(point.by === 'sender' && { point: name, after: point.after }),
    });
    if (point.by === 'service')
      killer.arm(child, name === 'send: received' ? 'received' : 'processed', point.after);
    const kills = (await died(child)) ? 1 : 0;
    const ended = await goOn(stage, roles, before);
    return { documents: roles.length, kills, at: [name], ms: performance.now() - start, ...ended };
  } finally {
    await stage.close();
  }
}

/** The first notes come before DIAN finds what they correct. */
const notesComeTooEarly = ({ box, testSet }: Stage, times: number): void =>
  void box.controls.addOutcome({
    verdict: 'reject',
    rules: ['NIAE191a'],
    match: { operation: testSet === undefined ? 'sendAdjustNote' : 'sendAdjustNoteTestSet' },
    times,
  });

export interface KillOptions {
  readonly seed: number;
  readonly kills: number;
  /** @default 100 */
  readonly documents?: number;
  /** Of requests that fail. @default 0.1 */
  readonly share?: number;
}

/** Milliseconds after it began to send, within which a sender is killed. */
const MOMENTS = 250;

/** Kills one sender after the other at random moments, resumes what the last one left, and compares the books. */
export async function killRun({
  seed,
  kills,
  documents = 100,
  share = 0.1,
}: KillOptions): Promise<KillResult> {
  const start = performance.now();
  const testSet = seed % 2 === 1;
  const chance = chanceOf(seed, 'kills');
  const killer = serviceKiller();
  const stage = await openStage({
    testSet,
    ...killer.hooks,
    faultOf: seededFaults(seed, share, FAULT_NAMES),
  });
  try {
    const before = seed % 3 === 0 ? await sendBefore(stage, 20) : NOTHING_BEFORE;
    const options = { seed, count: documents, testSet };
    const roles = before.run === undefined ? payrollCast(options) : noteCast(options, before.accepted);
    const { run } = await withJournal(stage.path, (journal) =>
      spoolCast(journal, envelopesOf(roles), stage.testSet),
    );
    const at: string[] = [];
    while (at.length < kills) {
      const child = await startSender(stage, { run });
      const moment = chance.pick(['time', 'received', 'processed'] as const);
      const after = moment === 'time' ? chance.below(MOMENTS) : chance.below(documents / kills);
      if (moment === 'time') void killAfter(child, after);
      else killer.arm(child, moment, after);
      if (!(await died(child))) break;
      at.push(moment === 'time' ? `${after} ms` : `${moment} ${after}`);
    }
    const ended = await goOn(stage, roles, before);
    return { documents: roles.length, kills: at.length, at, ms: performance.now() - start, ...ended };
  } finally {
    await stage.close();
  }
}

async function killAfter(child: ChildProcess, ms: number): Promise<void> {
  await once(child.stdout!, 'data');
  await wait(ms);
  child.kill('SIGKILL');
}
