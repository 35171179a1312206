import type { Effect, Subject } from './answer.js';
import type { FaultKind } from './faults.js';

/** One request that really arrived, secrets and amounts left out. */
export interface LoggedRequest extends Partial<Pick<Subject, 'company' | 'number' | 'worker' | 'key'>> {
  readonly sequence: number;
  /** ISO instant of the sandbox's clock. */
  readonly at: string;
  readonly operation: Subject['operation'];
  /** SHA-256 of the body's bytes: equal for a true repetition. */
  readonly bodyHash: string;
  readonly effect: Effect;
  /** Status that went out; null when the connection was closed instead. */
  readonly status: number | null;
  readonly fault?: FaultKind;
}

export interface RequestLog {
  add(request: Omit<LoggedRequest, 'sequence'>): void;
  readonly count: number;
  list(): readonly LoggedRequest[];
  clear(): void;
}

export function createRequestLog(keep: boolean): RequestLog {
  let count = 0;
  let entries: LoggedRequest[] = [];
  return {
    add: (request) => {
      count += 1;
      if (keep) entries.push({ sequence: count, ...request });
    },
    get count() {
      return count;
    },
    list: () => entries,
    clear: () => {
      count = 0;
      entries = [];
    },
  };
}
