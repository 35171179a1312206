import { openInput } from '../source/open.js';
import type { InputFile, Row, RowSource } from '../source/table.js';
import { withXmlTogether } from '../source/xml/table.js';

/** Opens every file of a run, XML documents as one table; closes those already open when one cannot be. */
export async function openInputs(paths: readonly string[]): Promise<readonly InputFile[]> {
  const inputs: InputFile[] = [];
  try {
    for (const path of paths) inputs.push(await openInput(path));
    return withXmlTogether(inputs);
  } catch (cause) {
    await closeInputs(inputs);
    throw cause;
  }
}

export async function closeInputs(inputs: readonly InputFile[]): Promise<void> {
  for (const input of inputs) await input.close();
}

/** Opens the files for some work, and closes them after it, however it ends. */
export async function withInputs<T>(
  paths: readonly string[],
  work: (inputs: readonly InputFile[]) => T | Promise<T>,
): Promise<T> {
  const inputs = await openInputs(paths);
  try {
    return await work(inputs);
  } finally {
    await closeInputs(inputs);
  }
}

/** A parameter of type table, as rows: its header is the keys of its records. */
export function paramTable(name: string, records: readonly Readonly<Record<string, unknown>>[]): RowSource {
  const labels = [...new Set(records.flatMap((record) => Object.keys(record)))];
  const text = (value: unknown): string | undefined =>
    value === undefined || value === null || value === '' ? undefined : String(value);
  const row = (number: number, texts: readonly (string | undefined)[]): Row => ({
    number,
    hidden: false,
    texts,
    kinds: undefined,
  });
  return {
    file: name,
    async *batches() {
      yield [
        row(1, labels),
        ...records.map((record, index) =>
          row(
            index + 2,
            labels.map((label) => text(record[label])),
          ),
        ),
      ];
    },
  };
}
