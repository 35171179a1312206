/** What a person knows of some files, in words of their own. */
export interface Known {
  /** `SHEET!Label` → what it is. What is not named is not used. */
  readonly columns: Record<string, string>;
  /** Word of a cell → what it means. */
  readonly words: Record<string, string>;
  /** Sheet → what it holds. */
  readonly sheets: Record<string, string>;
  /** Answers by the beginning of the id of their question. */
  readonly others: Record<string, string>;
  /** What the files say of a loan; its lender if undefined. */
  loanName?: string;
  hasTotals?: boolean;
}

/** Files, what a person knows of them, and the documents that are right. */
export interface Scene {
  readonly files: readonly string[];
  readonly known: Known;
  readonly params: Readonly<Record<string, unknown>>;
  /** By key, without their numbers. */
  readonly documents: ReadonlyMap<string, unknown>;
  /** True if the files are of several companies, of which a run can be of one alone: an error must stop it. */
  readonly isStopped?: boolean;
  readonly keyOf: (body: unknown) => string;
  /** The part of a body that the right documents have. */
  readonly comparable: (body: unknown) => unknown;
}
