/** What an input file may ask of the machine. An honest workbook of 1,000,000 rows × 50 columns stays below all of them. */
export interface ReadLimits {
  /** Entries in the zip of a workbook. */
  readonly entries: number;
  /** Bytes of one part, unpacked. */
  readonly partBytes: number;
  /** Bytes of all parts together, unpacked. */
  readonly totalBytes: number;
  /** Unpacked size over packed size, looked at only in parts above `ratioFromBytes`: small ones do no harm. */
  readonly ratio: number;
  readonly ratioFromBytes: number;
  /** XML characters without the start of an element: one cell holds 32,767 in Excel. */
  readonly tokenChars: number;
  /** Elements within elements. */
  readonly depth: number;
  /** Bytes of text held in memory for the shared strings of a workbook. */
  readonly stringBytes: number;
  /** Bytes of one CSV record. */
  readonly recordBytes: number;
}

const MIB = 2 ** 20;

export const DEFAULT_LIMITS: ReadLimits = {
  entries: 10_000,
  partBytes: 8192 * MIB,
  totalBytes: 16_384 * MIB,
  ratio: 250,
  ratioFromBytes: 64 * MIB,
  tokenChars: 8 * MIB,
  depth: 100,
  stringBytes: 1024 * MIB,
  recordBytes: 4 * MIB,
};
