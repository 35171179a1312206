import type { Edit } from '../tables/edits.js';
import { Opened } from './opened.js';
import type { Hooks, Plan, PrepareEvent } from './phases.js';
import { run } from './run.js';

export interface PrepareOptions extends Plan, Hooks {
  readonly files: readonly string[];
  /** Edits of the files by a user. */
  readonly edits?: readonly Edit[];
}

/** Opens files and makes documents of them. */
export async function* prepare(options: PrepareOptions): AsyncGenerator<readonly PrepareEvent[]> {
  const opened = new Opened(options.files, options.edits);
  try {
    yield* run(options, await opened.inputs(), options);
  } finally {
    await opened.close();
  }
}
