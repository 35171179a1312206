/**
 * Limits of what others hand over: files, side files, uploads, responses and bodies. What is beyond them is refused, or
 * taken for text that says nothing. No honest file or answer comes near one of them.
 */

const MIB = 2 ** 20;

/** Excel's last cell is XFD1048576. */
export const MAX_SHEET_ROWS = 1_048_576;
export const MAX_SHEET_COLUMNS = 16_384;

/** Row of a header that a mapping or an answer may name: all rows down to it are held in memory. */
export const MAX_HEADER_ROW = 10_000;

/** Labels of a header that are compared with the mappings, each with every field: 30 ms a label. */
export const MAX_COMPARED_LABELS = 500;

/** Characters of a cell of Excel. */
export const MAX_CELL_LENGTH = 32_767;

/** Characters of a number format of Excel; a longer one formats nothing. */
export const MAX_FORMAT_LENGTH = 255;

/** Characters of the name of a sheet. Excel takes 31; other programs write longer ones. */
export const MAX_SHEET_NAME_LENGTH = 255;

/** Characters of a name of a column, of a code and its name, of an entry of a list; a longer text is prose. */
export const MAX_NAME_LENGTH = 1_000;

/** Limits of an input file. A workbook of 1,000,000 rows × 50 columns stays below all of them. */
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
  /** How often all that may be announced can be read while the file is open: to choose a mapping, to ask, to read. */
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

/** Limits of an XML document that is read whole: received invoices with thousands of lines stay below. */
export const XML_DOCUMENT = { maxBytes: 8 * MIB, maxDepth: 100 } as const;

/** Limits of settings in YAML or JSON: mappings, decisions, profiles, parameters. */
export const SETTINGS = {
  /** Thirty times the longest mapping that comes with the program. */
  maxBytes: MIB,
  /** Signs of the syntax; each costs the parser about a kilobyte. */
  maxSigns: 100_000,
  maxDepth: 100,
  /** Nodes that aliases may stand for, as a multiple of those that are written out. */
  maxAliases: 100,
} as const;

/** Limits of what the page's visitors upload; 2 GiB is beyond any workbook that Excel opens. */
export const UPLOAD = { maxBytes: 2 ** 31, maxFiles: 200, maxNameLength: 200 } as const;

/** Limits of one JSON text that another program wrote. */
export interface JsonLimits {
  /** Size of the text, in UTF-16 units. */
  readonly maxLength: number;
  /** Levels of lists and objects. */
  readonly maxDepth: number;
  /** Values of any kind, lists and objects included. */
  readonly maxValues: number;
}

/** Largest response of the service that is read, in bytes. */
export const MAX_ANSWER_BYTES = 32 * 2 ** 20;

/** Limits of JSON that comes whole: responses of the service, bodies of requests, values of a journal. */
export const FOREIGN_JSON: JsonLimits = {
  maxLength: MAX_ANSWER_BYTES,
  // The service's own responses have about a dozen levels.
  maxDepth: 64,
  maxValues: 1_000_000,
};

/** Bytes of a pack of law tables; the shipped ones are a hundredth of it. */
export const MAX_LAW_PACK_BYTES = 4 * 2 ** 20;

/** Limits of bodies that the page sends. */
export const PAGE_JSON: JsonLimits = { maxLength: 16 * 2 ** 20, maxDepth: 32, maxValues: 200_000 };

/** Limits of bodies that the sandbox takes; the largest is a snapshot of many documents. */
export const SANDBOX_JSON: JsonLimits = {
  maxLength: 256 * 2 ** 20,
  // The limit of PHP's own reader, which the service uses.
  maxDepth: 512,
  maxValues: 20_000_000,
};

/** Limits of a JSON file, which is read as a stream; the values of one item of a list are held in memory. */
export const JSON_FILE = {
  maxDepth: 40,
  /** Size of one item. */
  maxItemBytes: 64 * 2 ** 20,
  /** Values of one item; of a file, values outside its items. */
  maxValues: 1_000_000,
  /** Characters of the JSON pointers of those values. */
  maxPointerLength: 64 * 2 ** 20,
} as const;
