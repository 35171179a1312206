import '../../src/families/registry.js'; // for the formats of families
import { Opened, withOpened } from '../../src/toolkit/documents/opened.js';
import { type Inspection, type InspectOptions, propose } from '../../src/toolkit/inspect/inspect.js';
import type { Edit } from '../../src/toolkit/tables/edits.js';
import type { InputFile } from '../../src/toolkit/tables/table.js';

/** Opens files; `closeInputs` closes them. */
export const openInputs = (
  files: readonly string[],
  edits: readonly Edit[] = [],
): Promise<readonly InputFile[]> => new Opened(files, edits).inputs();

export async function closeInputs(inputs: readonly InputFile[]): Promise<void> {
  for (const input of inputs) await input.close();
}

/** Does some work on files, and closes them after it. */
export const withInputs = <T>(
  files: readonly string[],
  work: (inputs: readonly InputFile[]) => T | Promise<T>,
): Promise<T> => withOpened(files, async (opened) => work(await opened.inputs()));

/** Proposes a mapping for files. */
export const proposeFor = (
  files: readonly string[],
  options: Omit<InspectOptions, 'opened'>,
): Promise<Inspection> => withOpened(files, (opened) => propose({ ...options, opened }));
