import type { Client } from '../../src/client/client.js';
import type { OperationId } from '../../src/generated/operations.js';
import type { DocumentKind } from '../../src/send/kind.js';
import type { Policy, Runtime } from '../../src/send/rate-limiter.js';
import type { OutcomeCounts } from '../../src/toolkit/schema/document.js';

/** Told of every point that a sender passes. */
export type Reach = (point: string) => void;

/** Dies at a point, once it was passed so many times. */
export function trap(point: string | undefined, after: number): Reach {
  let left = after;
  return (passed) => {
    if (passed !== point) return;
    left -= 1;
    if (left < 0) process.kill(process.pid, 'SIGKILL');
  };
}

/** While a group of writes is on its way to the disk: it begins in the next turn of the loop. */
const meanwhile = (reach: () => void): void => void setImmediate(() => setImmediate(reach));

const STEPS: Partial<Record<OperationId, string>> = { getZipStatus: 'poll', getDocumentStatus: 'ask' };

/** Before a request everything it needs is durable; after its answer nothing is yet. */
export function trappedClient(client: Client, reach: Reach): Client {
  return {
    ...client,
    async call(id, request, options) {
      const step = STEPS[id as OperationId] ?? 'send';
      reach(`${step}: before request`);
      const answer = await client.call(id, request, options);
      reach(`${step}: answered`);
      return answer;
    },
  };
}

/** A send is put into words just before its mark is written. */
export function trappedKind(kind: DocumentKind, reach: Reach): DocumentKind {
  const stages = kind.stages.map((stage) => ({
    ...stage,
    send: (...given: Parameters<typeof stage.send>) => {
      reach('send: before mark');
      meanwhile(() => reach('send: marking'));
      return stage.send(...given);
    },
  }));
  return { ...kind, stages };
}

/** Pauses are told apart by their length. */
export const TRAPPED_POLICY = {
  pollEvery: 3,
  predecessorPause: 7,
  pause: 2,
  pauseCap: 2,
  pollFor: 200,
} satisfies Partial<Policy>;

const isTurn = (ms: number): boolean => Number.isInteger(Math.log2(ms / TRAPPED_POLICY.predecessorPause));

export interface Watch {
  readonly world: Runtime;
  readonly onProgress: (counts: OutcomeCounts) => void;
}

/** What a sender's clock, its pauses and its tidings tell of where it is. */
export function trappedWorld(world: Runtime, reach: Reach): Watch {
  let asked = 0;
  let before: OutcomeCounts | undefined;
  let isFinal = false;
  return {
    world: {
      ...world,
      clock: () => {
        asked += 1;
        if (asked === 1) reach('run: opened');
        if (isFinal) reach('run: leaving');
        return world.clock();
      },
      sleep: (ms, signal) => {
        reach(ms === TRAPPED_POLICY.pollEvery ? 'poll: pause' : isTurn(ms) ? 'turn: pause' : 'retry: pause');
        return world.sleep(ms, signal);
      },
    },
    onProgress: (counts) => {
      const step = isLess(counts, before, 'pending')
        ? 'poll'
        : isLess(counts, before, 'unknown')
          ? 'ask'
          : 'send';
      before = { ...counts };
      isFinal = counts.pending + counts.unknown + counts.unsent === 0;
      reach(`${step}: settled`);
    },
  };
}

const isLess = (
  now: OutcomeCounts,
  before: OutcomeCounts | undefined,
  state: 'pending' | 'unknown',
): boolean => before !== undefined && now[state] < before[state];
