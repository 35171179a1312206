import { openInput } from '../toolkit/tables/open.js';
import type { RowSource } from '../toolkit/tables/table.js';

/** Rows above which a header is not looked for. */
export const HEADER_WITHIN = 20;

/**
 * Reads a table from the first sheet of a workbook or a CSV that has it.
 * @param refuse stops where no sheet has it
 */
export async function readFirstSheet<T>(
  path: string,
  read: (sheet: RowSource, file: string) => Promise<T | undefined>,
  refuse: (file: string) => never,
): Promise<T> {
  const input = await openInput(path);
  try {
    for (const sheet of input.tables) {
      const found = await read(sheet, input.file);
      if (found !== undefined) return found;
    }
    return refuse(input.file);
  } finally {
    await input.close();
  }
}
