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
