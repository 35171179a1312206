import { type Issue, PipelineError, paramOf } from '../toolkit/core/issue.js';
import type { JsonObject } from '../toolkit/core/json.js';
import type { Database } from './database.js';
import { storeAnswer } from './documents.js';
import type { DocumentKind } from './kind.js';
import { settleByPerson } from './settle.js';
import type { Verdict } from './verdict.js';

/** Result file of the authority about one document. */
export interface AuthorityResult {
  /** Number of the document, as the file writes it. */
  readonly number: string;
  /** Returns the verdict on a document with this body; undefined if the file says nothing about it. */
  read(body: JsonObject): Verdict | undefined;
}

/**
 * Use of a result file: its reasons were stored, it resolved an unknown, no document has its number, or it
 * contradicts the journal.
 */
type ResultUse = 'kept' | 'settled' | 'no-document' | 'other';

interface Row {
  readonly id: number;
  readonly state: string;
  readonly code: string | null;
  readonly issues: string | null;
  readonly body: string;
}

const NUMBERED = `
  SELECT d.id, d.state, d.document_code AS code, d.issues, c.body FROM document d JOIN content c ON c.document = d.id
  WHERE d.run = ? AND coalesce(d.number, d.prefix || d.consecutive) = ? AND d.earlier IS NULL`;
const SET_ISSUES = 'UPDATE document SET issues = ?, updated = ? WHERE id = ?';

const rulesOf = (issues: readonly Issue[]): readonly string[] =>
  issues.flatMap((issue) => (paramOf(issue, 'rule') === undefined ? [] : [String(paramOf(issue, 'rule'))]));

/** True if a result can be about the document: it covers all known reasons, and names no other code. */
function agrees(row: Row, verdict: Verdict): boolean {
  if (verdict.kind === 'accepted')
    return row.state === 'accepted'
      ? row.code?.toLowerCase() === verdict.documentCode?.toLowerCase()
      : ['sending', 'unknown', 'pending'].includes(row.state);
  if (verdict.kind !== 'rejected' || row.state !== 'rejected') return false;
  const rulesOfResult = rulesOf(verdict.issues);
  return rulesOf(JSON.parse(row.issues ?? '[]') as Issue[]).every((rule) => rulesOfResult.includes(rule));
}

/**
 * Stores what the service did not deliver: all reasons of a rejection, or the code of an unknown document, as if a
 * user had settled it. Needs the sender lock.
 */
export async function readBack(
  journal: Database,
  kind: DocumentKind,
  run: string,
  { number, read }: AuthorityResult,
  { by, now }: { readonly by: string; readonly now: number },
): Promise<ResultUse> {
  const row = await journal.first<Row>(NUMBERED, run, number);
  if (row === undefined) return 'no-document';
  const verdict = read(JSON.parse(row.body) as JsonObject);
  if (verdict === undefined || !('answer' in verdict) || !agrees(row, verdict)) return 'other';
  const wasUnknown = row.state !== verdict.kind;
  if (wasUnknown && verdict.kind === 'accepted')
    try {
      await settleByPerson(journal, kind, run, { number, word: `accepted:${verdict.documentCode}`, by, now });
    } catch (error) {
      if (error instanceof PipelineError) return 'other'; // of another document, or of one that never came so far
      throw error;
    }
  const issues = verdict.issues.length === 0 ? null : JSON.stringify(verdict.issues);
  await journal.transaction(async (sql) => {
    await sql.run(SET_ISSUES, issues, now, row.id);
    const { answer } = verdict;
    if (answer !== undefined) for (const write of storeAnswer(row.id, answer)) await sql.run(...write);
  });
  return wasUnknown ? 'settled' : 'kept';
}
