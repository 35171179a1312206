import { type Edit, withEdits } from '../tables/edits.js';
import { openInput } from '../tables/open.js';
import type { InputFile } from '../tables/table.js';

/** Files of a run as a person edited them, those of one list together: opened at the first look, and anew after a `close`. */
export class Opened {
  private opening: Promise<readonly InputFile[]> | undefined;

  constructor(
    readonly files: readonly string[],
    readonly edits: readonly Edit[] = [],
  ) {}

  /** Opens every file, or returns those that are open; closes those already open when one cannot be. */
  inputs(): Promise<readonly InputFile[]> {
    this.opening ??= openAll(this.files, this.edits);
    return this.opening;
  }

  /** Closes the files, as while a person is asked or documents are sent; what was read stays valid. */
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

/** Files that are one list, each a record of it, become one input in the place of the first. */
function listsTogether(inputs: readonly InputFile[]): readonly InputFile[] {
  const isOfList = ({ together }: InputFile): boolean => together !== undefined;
  const listed = inputs.filter(isOfList);
  const [first] = listed;
  const list = listed.length < 2 ? undefined : first?.together?.(listed);
  return list === undefined
    ? inputs
    : inputs.flatMap((input) => (input === first ? list : isOfList(input) ? [] : input));
}

/** Documents that lie in the folder of records are beside them: the records are what is read there. */
const withoutDocuments = (input: InputFile): InputFile =>
  input.kind === 'xml'
    ? { ...input, tables: [], ignoredParts: [input.file, ...(input.ignoredParts ?? [])] }
    : input;

async function closeAll(inputs: readonly InputFile[]): Promise<void> {
  for (const input of inputs) await input.close();
}

/** Does some work on files that are opened once, and closes them after it, however it ends. */
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
