import { type Issue, PipelineError, paramOf } from '../toolkit/core/issue.js';
import type { JsonObject } from '../toolkit/core/json.js';
import type { Database } from './database.js';
import { keptAnswer } from './documents.js';
import type { DocumentKind } from './kind.js';
import { settleByPerson } from './settle.js';
import type { Verdict } from './verdict.js';

/** A paper of the authority's own about one document. */
export interface AuthorityResult {
  /** Of the document, as the paper writes it. */
  readonly number: string;
  /** What it says of a document with this body; undefined where it says nothing. */
  read(body: JsonObject): Verdict | undefined;
}

/** What a paper was good for: its reasons are kept, it ended a doubt, no document has its number, or it contradicts ours. */
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
const TOLD = 'UPDATE document SET issues = ?, updated = ? WHERE id = ?';

const rulesOf = (issues: readonly Issue[]): readonly string[] =>
  issues.flatMap((issue) => (paramOf(issue, 'rule') === undefined ? [] : [String(paramOf(issue, 'rule'))]));

/** Whether a paper can be about the document: it says all that is known, and nothing else of a code. */
function agrees(row: Row, verdict: Verdict): boolean {
  if (verdict.kind === 'accepted')
    return row.state === 'accepted'
      ? row.code?.toLowerCase() === verdict.documentCode?.toLowerCase()
      : ['sending', 'unknown', 'pending'].includes(row.state);
  if (verdict.kind !== 'rejected' || row.state !== 'rejected') return false;
  const said = rulesOf(verdict.issues);
  return rulesOf(JSON.parse(row.issues ?? '[]') as Issue[]).every((rule) => said.includes(rule));
}

/**
 * Takes from a paper what the service did not deliver: the whole reasons of a document, or the code of one that is in
 * doubt, as if a person had looked it up. Needs the sender lock.
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
  const isDoubt = row.state !== verdict.kind;
  if (isDoubt && verdict.kind === 'accepted')
    try {
      await settleByPerson(journal, kind, run, { number, word: `accepted:${verdict.documentCode}`, by, now });
    } catch (error) {
      if (error instanceof PipelineError) return 'other'; // of another document, or of one that never came so far
      throw error;
    }
  const issues = verdict.issues.length === 0 ? null : JSON.stringify(verdict.issues);
  await journal.transaction(async (sql) => {
    await sql.run(TOLD, issues, now, row.id);
    const { answer } = verdict;
    if (answer !== undefined) for (const write of keptAnswer(row.id, answer)) await sql.run(...write);
  });
  return isDoubt ? 'settled' : 'kept';
}
