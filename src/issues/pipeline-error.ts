import type { Issue } from './issue.js';

/** What stops a run. The command line turns the key into an exit code. */
export type PipelineErrorKey =
  | 'usage' // the call's words are off: exit 2
  | 'mapping' // the mapping file is wrong: exit 2
  | 'input' // the input file cannot be read as data: exit 1
  | 'journal' // the journal cannot be used: exit 2
  | 'unfinished' // journal or result fail once documents have left: exit 4
  | 'busy' // another process is sending: exit 4
  | 'service' // the service cannot be reached or refuses us: exit 3
  | 'output'; // a result cannot be written: exit 2

/** The one thrown error. `issues` say what is wrong in the same words as everywhere else. */
export class PipelineError extends Error {
  override readonly name = 'PipelineError';
  constructor(
    readonly key: PipelineErrorKey,
    readonly issues: readonly Issue[],
    options?: { cause?: unknown },
  ) {
    super(issues.map((issue) => issue.code).join(', '), options);
  }
}

/** Throws one error-level issue as the reason to stop. */
export function stop(
  key: PipelineErrorKey,
  issue: Omit<Issue, 'level' | 'params' | 'place'> & Partial<Pick<Issue, 'params' | 'place'>>,
  cause?: unknown,
): never {
  const full: Issue = { level: 'error', params: {}, place: {}, ...issue };
  throw new PipelineError(key, [full], cause === undefined ? undefined : { cause });
}
