/** What an input file may ask of the machine. An honest workbook of 1,000,000 rows × 50 columns stays below all of them. */
export interface ReadLimits {
  /** Entries in the zip of a workbook. */
  readonly entries: number;
  /** Bytes of one part, unpacked. */
  readonly partBytes: number;
  /** Bytes of all parts together, unpacked. */
  readonly totalBytes: number;
  /** Unpacked bytes over packed bytes, of a part and of all together, looked at only above `freeBytes`: small ones do no harm. */
  readonly ratio: number;
  readonly freeBytes: number;
  /** How often all that may be announced can be read while the file is open. */
  readonly passes: number;
  /** Sheets of a workbook. */
  readonly sheets: number;
  /** XML characters without the start of an element: one cell holds 32,767 in Excel. */
  readonly tokenChars: number;
  /** Elements within elements. */
  readonly depth: number;
  /** Bytes held in memory for the shared strings of a workbook: so many in any, and so many for each byte of its part in the zip. */
  readonly stringBytes: number;
  readonly stringRatio: number;
  /** Bytes of one CSV record, characters of the texts of a row in a sheet. */
  readonly recordBytes: number;
  /** Columns of one CSV record: twice what a sheet of Excel has. */
  readonly columns: number;
}

const MIB = 2 ** 20;

export const DEFAULT_LIMITS: ReadLimits = {
  entries: 10_000,
  partBytes: 8192 * MIB,
  totalBytes: 16_384 * MIB,
  ratio: 40,
  freeBytes: 128 * MIB,
  passes: 4,
  sheets: 1000,
  tokenChars: 8 * MIB,
  depth: 100,
  stringBytes: 64 * MIB,
  stringRatio: 10,
  recordBytes: 4 * MIB,
  columns: 32_768,
};
