import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { EventCode } from '../../src/families/events/sequence.js';
import { startSandbox } from '../../src/sandbox/server.js';
import { outcomes, type PlanInput } from '../../src/send/documents.js';
import type { Journal } from '../../src/send/journal.js';
import type { JsonObject } from '../../src/toolkit/core/json.js';
import { allOf } from '../support/all-of.js';
import { withJournal } from './cast-spool.js';
import { chanceOf } from './chance.js';
import { requestFaults, startFaultProxy } from './fault-proxy.js';
import { type KindScene, killAtRequest, layIn, PATIENCE, resumeOnce } from './kind-scene.js';

/** What the run of a seed came to. */
export interface EventFindings {
  readonly seed: number;
  readonly events: number;
  readonly requests: number;
  readonly failed: number;
  readonly kills: number;
  readonly resumes: number;
  readonly ms: number;
  /** Registered twice at DIAN; before its predecessor; accepted in the journal and not at DIAN, or the other way round. */
  readonly doubles: readonly string[];
  readonly disorder: readonly string[];
  readonly lost: readonly string[];
}

export interface EventChaosOptions {
  readonly seed: number;
  readonly invoices: number;
  /** Of requests that fail. @default 0.1 */
  readonly share?: number;
  /** Senders killed on the way. @default 2 */
  readonly kills?: number;
}

const WAY: readonly EventCode[] = ['030', '032', '033'];
const IDS = { '030': 1, '032': 3, '033': 4 } as Readonly<Record<string, number>>;
const RESUMES = 8;

const cufeOf = (seed: number, invoice: number): string =>
  createHash('sha384').update(`${seed} ${invoice}`).digest('hex');

/** Three events an invoice, the invoices mixed, each event after the one before it. */
export function eventsOf(seed: number, invoices: number): readonly PlanInput[] {
  const { below } = chanceOf(seed, 'mix');
  const left = Array.from({ length: invoices }, (_, invoice) => ({ invoice, step: 0, last: 0 }));
  const made: PlanInput[] = [];
  while (left.length > 0) {
    const at = below(left.length);
    const one = left[at]!;
    const code = WAY[one.step]!;
    const body: JsonObject = {
      event_id: IDS[code]!,
      document_reference: { cufe: cufeOf(seed, one.invoice) },
    };
    made.push({
      sequence: made.length + 1,
      key: `${one.invoice} ${code}`,
      schema: 'events/event-by-cufe',
      body,
      trace: new Map(),
      hash: createHash('sha256').update(JSON.stringify(body)).digest('hex'),
      ...(one.last > 0 && { after: one.last }),
    });
    one.step += 1;
    one.last = made.length;
    if (one.step === WAY.length) left.splice(at, 1);
  }
  return made;
}

/** Compares the journal with DIAN's own book. */
export async function examineEvents(
  journal: Journal,
  { run, box }: Pick<KindScene, 'run' | 'box'>,
  seed: number,
  invoices: number,
) {
  const doubles: string[] = [];
  const disorder: string[] = [];
  const lost: string[] = [];
  const codes = new Map(
    (await allOf(outcomes(journal, run))).map(({ key, state, documentCode }) => [
      key,
      { state, documentCode },
    ]),
  );
  for (let invoice = 0; invoice < invoices; invoice++) {
    const events = box.controls.events(cufeOf(seed, invoice));
    const found = events.map(({ code }) => code);
    if (new Set(found).size < found.length) doubles.push(`${invoice} ${found}`);
    if (found.join() !== WAY.slice(0, found.length).join()) disorder.push(`${invoice} ${found}`);
    for (const code of WAY) {
      const { state, documentCode } = codes.get(`${invoice} ${code}`)!;
      const event = events.find((one) => one.code === code);
      if (state !== 'accepted' || event === undefined || event.cude !== documentCode)
        lost.push(`${invoice} ${code} ${state} ${event?.cude === documentCode}`);
    }
  }
  return { doubles, disorder, lost };
}

/** One run: killed some times over a line that fails, then resumed until nothing is left, then the books compared. */
export async function eventRun({
  seed,
  invoices,
  share = 0.1,
  kills = 2,
}: EventChaosOptions): Promise<EventFindings> {
  const start = performance.now();
  const folder = mkdtempSync(join(tmpdir(), 'cargue-event-chaos-'));
  const box = await startSandbox();
  const proxy = await startFaultProxy({
    target: box.url,
    patience: PATIENCE,
    faultOf: requestFaults(seed, share),
  });
  const path = join(folder, 'journal.db');
  try {
    const { run } = await withJournal(path, (journal) =>
      layIn(journal, 'events', eventsOf(seed, invoices), '900123456'),
    );
    const scene: KindScene = { kind: 'events', path, run, proxy, box };
    let killed = 0;
    for (let turn = 0; turn < kills; turn++)
      if (await killAtRequest(scene, Math.ceil((invoices * WAY.length) / (kills + 2)))) killed += 1;
    let resumes = 0;
    for (let done = false; !done && resumes < RESUMES; resumes++) done = await resumeOnce(scene);
    const found = await withJournal(path, async (journal) => examineEvents(journal, scene, seed, invoices));
    const failed = Object.values(proxy.seen.faults).reduce((sum, count) => sum + count, 0);
    const { requests } = proxy.seen;
    const ms = performance.now() - start;
    return { seed, events: invoices * WAY.length, requests, failed, kills: killed, resumes, ms, ...found };
  } finally {
    await proxy.close();
    await box.close();
    rmSync(folder, { recursive: true, force: true });
  }
}
