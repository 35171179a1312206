import type { Decimal } from '../toolkit/core/decimal.js';
import type { PlainDate } from '../toolkit/core/plain-date.js';

export interface Person {
  readonly key: string;
  readonly name: string | null;
}

/** Documents of a month by their fate: accepted + open + refused. */
export interface MonthCounts {
  readonly accepted: number;
  /** On their way: a verdict is still to come, or they are still to be sent. */
  readonly open: number;
  /** Rejected or left out, and not sent again. */
  readonly refused: number;
  /** Sum of the accepted documents; null if they have no amount, or one was removed from the journal. */
  readonly total: Decimal | null;
}

/** Job of a company's month: the documents of one family. */
export interface MonthJob extends MonthCounts {
  readonly family: string;
  /** True if documents say no month and count in the month they were sent; their terms are then those of the month before. */
  readonly isBySending: boolean;
  /** Month before; null if nothing of it was accepted. */
  readonly before: MonthCounts | null;
  /** total − before.total */
  readonly difference: Decimal | null;
  /** People with a document in the month before and none in this one; none before anything was sent. */
  readonly missing: readonly Person[];
  readonly fresh: readonly Person[];
  /** Last days by law, a day for each reading, with the days left. */
  readonly deadlines: readonly { readonly date: PlainDate; readonly left: number }[];
  /** Run with the latest documents of the month; null if there is none. */
  readonly run: string | null;
  /** Runs that wait for an approval, or to be sent after one. */
  readonly held: readonly string[];
}

export interface CompanyMonth {
  /** `2026-10` */
  readonly month: string;
  readonly today: PlainDate;
  /** Families of which the company ever sent anything, those with the earliest deadline first. */
  readonly jobs: readonly MonthJob[];
}

/** Month of one of several companies. */
export interface CompanyRow {
  readonly profile: string;
  /** NIT; null if the profile has none. */
  readonly company: string | null;
  readonly environment: string;
  readonly jobs: readonly MonthJob[];
}

export interface CompaniesMonth {
  /** `2026-10` */
  readonly month: string;
  readonly today: PlainDate;
  readonly companies: readonly CompanyRow[];
}

export interface FoundDocument {
  readonly run: string;
  readonly key: string;
  readonly name: string | null;
  readonly number: string | null;
  readonly state: string;
  readonly documentCode: string | null;
}
