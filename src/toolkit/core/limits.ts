/**
 * Limits of foreign input: files, uploads, responses and bodies. What exceeds them is refused, or taken as text
 * without meaning. Regular files and responses stay far below.
 */

const MIB = 2 ** 20;

/** Excel's last cell is XFD1048576. */
export const MAX_SHEET_ROWS = 1_048_576;
export const MAX_SHEET_COLUMNS = 16_384;

/** Max row of a header that a mapping or an answer may name; all rows above are held in memory. */
export const MAX_HEADER_ROW = 10_000;

/** Max labels of a header compared with the mappings, each with every field: 30 ms a label. */
export const MAX_COMPARED_LABELS = 500;

/** Max characters of an Excel cell. */
export const MAX_CELL_LENGTH = 32_767;

/** Max characters of an Excel number format; a longer one is ignored. */
export const MAX_FORMAT_LENGTH = 255;

/** Max characters of a sheet's name. Excel allows 31; other programs write longer ones. */
export const MAX_SHEET_NAME_LENGTH = 255;

/** Max characters of a column's name, a code and its name, or an entry of a list; a longer text is prose. */
export const MAX_NAME_LENGTH = 1_000;

/** Limits of an input file. A workbook of 1,000,000 rows × 50 columns stays below all of them. */
export interface ReadLimits {
  /** Entries in the zip of a workbook. */
  readonly entries: number;
  /** Bytes of one part, unpacked. */
  readonly partBytes: number;
  /** Bytes of all parts together, unpacked. */
  readonly totalBytes: number;
  /** Unpacked bytes over packed bytes, of a part and of all together; checked above `freeBytes` only. */
  readonly ratio: number;
  readonly freeBytes: number;
  /**
   * Number of times that all announced bytes can be read while the file is open: choose a mapping, ask, read.
   */
  readonly passes: number;
  readonly sheets: number;
  /** XML characters between two starts of elements; an Excel cell holds 32,767. */
  readonly tokenChars: number;
  /** Depth of nested elements. */
  readonly depth: number;
  /**
   * Bytes held in memory for the shared strings of a workbook, plus `stringRatio` for each packed byte of
   * their part.
   */
  readonly stringBytes: number;
  readonly stringRatio: number;
  /** Bytes of one CSV record, or characters of all texts of a sheet's row. */
  readonly recordBytes: number;
  /** Columns of one CSV record: twice what a sheet of Excel has. */
  readonly columns: number;
}

export const READ_LIMITS: ReadLimits = {
  entries: 10_000,
  partBytes: 8192 * MIB,
  totalBytes: 16_384 * MIB,
  ratio: 40,
  freeBytes: 128 * MIB,
  passes: 8,
  sheets: 1000,
  tokenChars: 8 * MIB,
  depth: 100,
  stringBytes: 64 * MIB,
  stringRatio: 10,
  recordBytes: 4 * MIB,
  columns: 32_768,
};

/** Limits of an XML document that is held in memory: invoices with thousands of lines stay below. */
export const XML_DOCUMENT = { maxBytes: 8 * MIB, maxDepth: 100 } as const;

/** Limits of settings in YAML or JSON: mappings, decisions, profiles, parameters. */
export const SETTINGS = {
  /** Thirty times the longest mapping of the package. */
  maxBytes: MIB,
  /** Punctuation of the syntax; each costs the parser about a kilobyte. */
  maxSigns: 100_000,
  maxDepth: 100,
  /** Nodes that aliases may expand to, as a multiple of those written out. */
  maxAliases: 100,
} as const;

/** Limits of uploads; 2 GiB is beyond any workbook that Excel opens. */
export const UPLOAD = { maxBytes: 2 ** 31, maxFiles: 200, maxNameLength: 200 } as const;

/** Limits of a JSON text of another program. */
export interface JsonLimits {
  /** Size of the text, in UTF-16 units. */
  readonly maxLength: number;
  readonly maxDepth: number;
  /** Values of any kind, lists and objects included. */
  readonly maxValues: number;
}

/** Max size of a response that is read, in bytes. */
export const MAX_ANSWER_BYTES = 32 * 2 ** 20;

/** Limits of JSON that is held in memory: responses, request bodies, values of a journal. */
export const FOREIGN_JSON: JsonLimits = {
  maxLength: MAX_ANSWER_BYTES,
  // Responses of the service have about a dozen levels.
  maxDepth: 64,
  maxValues: 1_000_000,
};

/** Max size of a pack of law tables, in bytes; the packaged ones have a hundredth of it. */
export const MAX_LAW_PACK_BYTES = 4 * 2 ** 20;

export const PAGE_JSON: JsonLimits = { maxLength: 16 * 2 ** 20, maxDepth: 32, maxValues: 200_000 };

/** Limits of bodies sent to the sandbox; the largest is a snapshot of many documents. */
export const SANDBOX_JSON: JsonLimits = {
  maxLength: 256 * 2 ** 20,
  // Limit of PHP's parser, which the service uses.
  maxDepth: 512,
  maxValues: 20_000_000,
};

/** Limits of a JSON file, which is streamed; the values of one item are held in memory. */
export const JSON_FILE = {
  maxDepth: 40,
  maxItemBytes: 64 * 2 ** 20,
  /** Values of one item, or values of a file outside its items. */
  maxValues: 1_000_000,
  /** Characters of the JSON pointers of those values. */
  maxPointerLength: 64 * 2 ** 20,
} as const;
