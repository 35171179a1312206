import type { Edit } from '../tables/edits.js';
import type { InputFile } from '../tables/table.js';
import { closeInputs, openInputs } from './inputs.js';
import type { Hooks, Plan, PrepareEvent } from './phases.js';
import { run } from './run.js';

export interface PrepareOptions extends Plan, Hooks {
  readonly files: readonly string[];
  /** What a person mended in them. */
  readonly edits?: readonly Edit[];
  /** Read instead of `files`, and closed at the end: tables that are in memory already. */
  readonly inputs?: readonly InputFile[];
}

/** Opens files, and makes documents of them. */
export async function* prepare(options: PrepareOptions): AsyncGenerator<readonly PrepareEvent[]> {
  const inputs = options.inputs ?? (await openInputs(options.files, options.edits));
  try {
    yield* run(options, inputs, options);
  } finally {
    await closeInputs(inputs);
  }
}
