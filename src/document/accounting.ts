import type { Text } from '../issues/codes.js';
import type { Place } from '../issues/issue.js';
import type { OutcomeState } from './outcome.js';

/** read = used + skipped + heldBack. */
export interface RecordCounts {
  read: number;
  used: number;
  skipped: number;
  heldBack: number;
}

/** planned = made + heldBack. */
export interface DocumentCounts {
  planned: number;
  made: number;
  heldBack: number;
}

/** What a filled column is for: `declined` by the mapping with a reason, `unread` by nobody's decision. */
export type ColumnRole = 'used' | 'control' | 'declined' | 'unread';

/** Header of the column that an annotated copy adds; both forms are known again when the copy is read. */
export const STATE_HEADER: Text = { es: 'Estado (cargue)', en: 'Status (cargue)' };

/** One filled column of the files. */
export interface ColumnAccount {
  readonly place: Place;
  readonly role: ColumnRole;
  /** Filled cells, of a column that is not read. */
  readonly cells?: number;
  /** Of amounts, where documents have totals. */
  readonly sum?: string;
  /** Of a column that states a total: what it comes to over the documents that are compared with it. */
  readonly total?: Reconciled;
  /** Why it is declined. */
  readonly reason?: string;
}

/** A total that files state, against what the amounts that documents use come to. */
export interface Reconciled {
  /** What mappings call it. */
  readonly name: string;
  readonly stated: string;
  readonly computed: string;
  readonly difference: string;
}

/** filled = used + control + declined + unread. */
export type ColumnCounts = Record<'filled' | ColumnRole, number>;

export function countColumns(columns: readonly ColumnAccount[]): ColumnCounts {
  const counts: ColumnCounts = { filled: columns.length, used: 0, control: 0, declined: 0, unread: 0 };
  for (const { role } of columns) counts[role] += 1;
  return counts;
}

/** made = accepted + rejected + pending + unknown + unsent. */
export type OutcomeCounts = Record<OutcomeState, number>;

export const noRecords = (): RecordCounts => ({ read: 0, used: 0, skipped: 0, heldBack: 0 });
export const noDocuments = (): DocumentCounts => ({ planned: 0, made: 0, heldBack: 0 });
export const noOutcomes = (): OutcomeCounts => ({
  accepted: 0,
  rejected: 0,
  pending: 0,
  unknown: 0,
  unsent: 0,
});

/** Nothing is lost: the equations of DESIGN.md section 4 hold. */
export const balances = (records: RecordCounts, documents: DocumentCounts): boolean =>
  records.read === records.used + records.skipped + records.heldBack &&
  documents.planned === documents.made + documents.heldBack;
