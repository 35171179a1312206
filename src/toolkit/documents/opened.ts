import { type Edit, withEdits } from '../tables/edits.js';
import { openInput } from '../tables/open.js';
import type { InputFile } from '../tables/table.js';

/** Files of a run with the user's edits, files of one list combined; opened on first use, and again after `close`. */
export class Opened {
  private opening: Promise<readonly InputFile[]> | undefined;

  constructor(
    readonly files: readonly string[],
    readonly edits: readonly Edit[] = [],
  ) {}

  /** Opens all files, or returns them if they are open; closes those already open if one fails. */
  inputs(): Promise<readonly InputFile[]> {
    this.opening ??= openAll(this.files, this.edits);
    return this.opening;
  }

  /** Closes the files, as while the user is asked or documents are sent; data already read stays valid. */
  async close(): Promise<void> {
    const inputs = await this.opening?.catch(() => []);
    this.opening = undefined;
    await closeAll(inputs ?? []);
  }
}

async function openAll(paths: readonly string[], edits: readonly Edit[]): Promise<readonly InputFile[]> {
  const inputs: InputFile[] = [];
  try {
    for (const path of paths) inputs.push(withEdits(await openInput(path), edits));
    const together = listsTogether(inputs);
    return together.some(({ kind }) => kind === 'json') ? together.map(withoutDocuments) : together;
  } catch (cause) {
    await closeAll(inputs);
    throw cause;
  }
}

/** Combines files that each are a record of one list into one input, in the position of the first. */
function listsTogether(inputs: readonly InputFile[]): readonly InputFile[] {
  const isOfList = ({ together }: InputFile): boolean => together !== undefined;
  const listed = inputs.filter(isOfList);
  const [first] = listed;
  const list = listed.length < 2 ? undefined : first?.together?.(listed);
  return list === undefined
    ? inputs
    : inputs.flatMap((input) => (input === first ? list : isOfList(input) ? [] : input));
}

/** Ignores documents in a folder of records: only the records are read. */
const withoutDocuments = (input: InputFile): InputFile =>
  input.kind === 'xml'
    ? { ...input, tables: [], ignoredParts: [input.file, ...(input.ignoredParts ?? [])] }
    : input;

async function closeAll(inputs: readonly InputFile[]): Promise<void> {
  for (const input of inputs) await input.close();
}

/** Runs `work` on opened files and closes them at the end. */
export async function withOpened<T>(
  files: readonly string[],
  work: (opened: Opened) => T | Promise<T>,
  edits?: readonly Edit[],
): Promise<T> {
  const opened = new Opened(files, edits);
  try {
    return await work(opened);
  } finally {
    await opened.close();
  }
}
