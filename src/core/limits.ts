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

/** Limits of bodies that the page sends. */
export const PAGE_JSON: JsonLimits = { maxLength: 16 * 2 ** 20, maxDepth: 32, maxValues: 200_000 };

/** Limits of bodies that the sandbox takes; the largest is a snapshot of many documents. */
export const SANDBOX_JSON: JsonLimits = {
  maxLength: 256 * 2 ** 20,
  // That of PHP's own reader, by which the service reads.
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
