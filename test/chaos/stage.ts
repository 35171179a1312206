import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createClient } from '../../src/client/client.js';
import { PAYROLL } from '../../src/families/payroll/delivery.js';
import type { SandboxOptions } from '../../src/sandbox/options.js';
import { type Sandbox, startSandbox } from '../../src/sandbox/server.js';
import { outcomes } from '../../src/send/documents.js';
import type { Journal } from '../../src/send/journal.js';
import type { Policy } from '../../src/send/rate-limiter.js';
import { findRun, listRuns } from '../../src/send/runs.js';
import { type SendResult, sendRun } from '../../src/send/send.js';
import type { Outcome } from '../../src/toolkit/schema/document.js';
import { fastWorld, PIN } from '../send/support.js';
import { allOf } from '../support/all-of.js';
import { envelopesOf, plainCast, type Role } from './cast.js';
import { spoolCast, withJournal } from './cast-spool.js';
import { openToSend } from './engine.js';
import { type FaultProxy, type ProxyOptions, startFaultProxy } from './fault-proxy.js';
import { examine, type Findings } from './oracle.js';

export const TEST_SET = 'set-1';
/** Milliseconds that the client waits for an answer. */
export const PATIENCE = 200;
/** Resumes after which nothing may be left. */
const RESUMES = 3;
const POLICY: Partial<Policy> = { pollFor: 1_500 };

/** A service of its own behind a line that fails, and a journal. */
export interface Stage {
  readonly box: Sandbox;
  readonly proxy: FaultProxy;
  /** Of the journal. */
  readonly path: string;
  readonly testSet: string | undefined;
  close(): Promise<void>;
}

export interface StageOptions extends Pick<ProxyOptions, 'faultOf' | 'onArrival' | 'onProcessed'> {
  readonly testSet: boolean;
  /** How the service behaves where lines differ, and where it keeps its state. */
  readonly service?: Pick<SandboxOptions, 'errorStyle' | 'validateBeforeSending' | 'stateFile' | 'now'>;
  /** A journal that is there. @default one to be made in a folder of its own */
  readonly path?: string;
}

export async function openStage({ testSet, service, path, ...line }: StageOptions): Promise<Stage> {
  const box = await startSandbox({
    ...(!testSet && { companies: [{ nit: '900123456', environment: 'production' }] }),
    ...service,
  });
  const proxy = await startFaultProxy({ target: box.url, patience: PATIENCE, ...line });
  const folder = mkdtempSync(join(tmpdir(), 'cargue-chaos-'));
  return {
    box,
    proxy,
    path: path ?? join(folder, 'journal.db'),
    testSet: testSet ? TEST_SET : undefined,
    close: async () => {
      await proxy.close();
      await box.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

interface Line {
  readonly url?: string;
  readonly concurrency?: number;
  /** @default the right one */
  readonly pin?: string;
}

/** Sends or resumes, over the line or past it. */
export async function sendOnce(
  stage: Stage,
  journal: Journal,
  run: string,
  { url = stage.proxy.url, concurrency, pin = PIN }: Line = {},
): Promise<SendResult> {
  const policy = { ...POLICY, ...(concurrency !== undefined && { concurrency }) };
  const client = createClient({ url, token: stage.box.token, timeoutMs: PATIENCE });
  try {
    return await sendRun({
      journal,
      run,
      client,
      kind: PAYROLL,
      policy,
      world: fastWorld(),
      softwarePin: pin,
    });
  } finally {
    await client.close();
  }
}

/** An earlier run, sent past the line, which notes correct. */
export interface Before {
  readonly run?: string;
  readonly accepted: readonly Outcome[];
}

export const NOTHING_BEFORE: Before = { accepted: [] };

export const sendBefore = (stage: Stage, count: number): Promise<Before> =>
  withJournal(stage.path, async (journal) => {
    const { run } = await spoolCast(journal, envelopesOf(plainCast(count)), stage.testSet);
    await sendOnce(stage, journal, run, { url: stage.box.url });
    return { run, accepted: await allOf(outcomes(journal, run)) };
  });

export interface Ended {
  readonly run: string;
  /** How often it was resumed. */
  readonly resumes: number;
}

/** Resumes a run from its journal alone, three times at most, until nothing is left to be done. */
export async function resumeUntilDone(stage: Stage, run: string): Promise<Ended> {
  for (let resumes = 0; ; resumes++) {
    const done = await withJournal(stage.path, async (journal) => {
      if (resumes > 0) await sendOnce(stage, journal, run);
      return (
        (await findRun(journal, run)).state === 'closed' || (resumes > 0 && (await onlyPending(journal, run)))
      );
    });
    if (done || resumes === RESUMES) {
      await stage.proxy.idle();
      return { run, resumes };
    }
  }
}

const onlyPending = async (journal: Journal, run: string): Promise<boolean> => {
  for await (const { state } of outcomes(journal, run))
    if (state === 'unknown' || state === 'unsent') return false;
  return true;
};

/** Compares the books once all is quiet. */
export async function examineStage(
  stage: Stage,
  run: string,
  roles: readonly Role[],
  { accepted }: Before,
): Promise<Findings> {
  const journal = await openToSend(stage.path);
  try {
    return await examine({
      journal,
      run,
      roles,
      archive: stage.box.controls.documents(),
      earlier: new Set(accepted.map(({ number }) => number!)),
      arrived: stage.proxy.arrived,
      log: stage.box.controls.requests().requests,
    });
  } finally {
    await journal.close();
  }
}

/** As `cargue resume` does; where no run was left, as `cargue send` with the same file again. */
export async function goOn(stage: Stage, roles: readonly Role[], before: Before): Promise<Findings & Ended> {
  const run = await withJournal(stage.path, async (journal) => {
    const left = (await listRuns(journal)).find(({ id }) => id !== before.run);
    if (left !== undefined) return left.id;
    const spooled = await spoolCast(journal, envelopesOf(roles), stage.testSet);
    await sendOnce(stage, journal, spooled.run);
    return spooled.run;
  });
  const ended = await resumeUntilDone(stage, run);
  return { ...ended, ...(await examineStage(stage, run, roles, before)) };
}
