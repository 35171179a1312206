import { type Edit, withEdits } from '../tables/edits.js';
import { openInput } from '../tables/open.js';
import type { InputFile } from '../tables/table.js';
import { withXmlTogether } from '../tables/xml/open.js';

/** Opens every file of a run as it was mended, XML documents as one table; closes those already open when one cannot be. */
export async function openInputs(
  paths: readonly string[],
  edits: readonly Edit[] = [],
): Promise<readonly InputFile[]> {
  const inputs: InputFile[] = [];
  try {
    for (const path of paths) inputs.push(withEdits(await openInput(path), edits));
    const together = withXmlTogether(inputs);
    return together.some(({ kind }) => kind === 'json') ? together.map(withoutInvoice) : together;
  } catch (cause) {
    await closeInputs(inputs);
    throw cause;
  }
}

/** The invoice lies in the folder of its RIPS, which is what is read there. */
const withoutInvoice = (input: InputFile): InputFile =>
  input.kind === 'xml'
    ? { ...input, tables: [], passedOver: [input.file, ...(input.passedOver ?? [])] }
    : input;

export async function closeInputs(inputs: readonly InputFile[]): Promise<void> {
  for (const input of inputs) await input.close();
}

/** Opens the files for some work, and closes them after it, however it ends. */
export async function withInputs<T>(
  paths: readonly string[],
  work: (inputs: readonly InputFile[]) => T | Promise<T>,
  edits?: readonly Edit[],
): Promise<T> {
  const inputs = await openInputs(paths, edits);
  try {
    return await work(inputs);
  } finally {
    await closeInputs(inputs);
  }
}
