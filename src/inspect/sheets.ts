import type { InputFile, Row, RowSource } from '../source/table.js';

/** A sheet, or the table of a text file, with its first rows. */
export interface Sheet {
  readonly input: InputFile;
  readonly source: RowSource;
  /** Sheet name, or the file's where it has no sheets. */
  readonly name: string;
  readonly rows: readonly Row[];
}

/** Enough for a title block, a header, and some two hundred records. */
const ROWS = 260;

async function firstRows(source: RowSource): Promise<readonly Row[]> {
  const rows: Row[] = [];
  for await (const batch of source.batches()) {
    rows.push(...batch);
    if (rows.length >= ROWS) break;
  }
  return rows.slice(0, ROWS);
}

/** Reads the beginning of every sheet of the files. */
export async function readSheets(inputs: readonly InputFile[]): Promise<readonly Sheet[]> {
  const sheets: Sheet[] = [];
  for (const input of inputs)
    for (const source of input.tables)
      sheets.push({ input, source, name: source.sheet ?? source.file, rows: await firstRows(source) });
  return sheets;
}
