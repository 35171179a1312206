import { basename } from 'node:path';
import type { RowSource } from '../toolkit/tables/table.js';
import { withInputs } from './files.js';

/** Max rows searched for a header. */
export const HEADER_WITHIN = 20;

/**
 * Reads a table from the first sheet of a workbook, or from a CSV, that has it.
 * @param refuse throws if no sheet has it
 */
export const readFirstSheet = <T>(
  path: string,
  read: (sheet: RowSource, file: string) => Promise<T | undefined>,
  refuse: (file: string) => never,
): Promise<T> =>
  withInputs(path, async (inputs) => {
    for (const { file, tables } of inputs)
      for (const sheet of tables) {
        const found = await read(sheet, file);
        if (found !== undefined) return found;
      }
    return refuse(basename(path));
  });
