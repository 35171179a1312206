import type { Client } from '../client/client.js';
import { type Issue, PipelineError, paramOf, stop } from '../toolkit/core/issue.js';
import type { JsonObject } from '../toolkit/core/json.js';
import type { Settled } from '../toolkit/schema/document.js';
import { createCaseIssue, createIssue } from './create-issue.js';
import type { Database } from './database.js';
import { ATTEMPTED } from './documents.js';
import { idHolders, markHolderUnknown } from './holders.js';
import type { DocumentKind, Proof } from './kind.js';
import { doubtOf, idsFromText, idsToText, type PlannedRow, RESTORED } from './planned-document.js';
import { employerOf, findRun, nitOf } from './runs.js';
import { idUnder, lastStage, type Stage, stageAt } from './stage.js';
import { idsBefore, type Position, transition } from './state-machine.js';
import { readAnswerTo, type Verdict } from './verdict.js';

type Row = Pick<PlannedRow, 'id' | 'zipKey' | 'made' | 'doubt' | 'updated' | 'body'> & {
  readonly issues: string | null;
};

/** Word for "not there": the lost request may be sent once more. */
export const NOT_THERE = 'none';

interface PersonsWord {
  /** Number or key of the document, or `#` and its position in the run. */
  readonly number: string;
  /** `none`, `accepted:CODE`, or the id that a stage under way asks for. */
  readonly word: string;
  readonly by?: string;
  readonly now: number;
}

/** Evidence that a user's code is compared with before it counts. */
interface Comparison {
  readonly client?: Pick<Client, 'call'> | undefined;
  readonly pin?: string | undefined;
  /** NIT of the employer. @default that of the run's company, or one that the journal knows */
  readonly nit?: string | undefined;
}

/**
 * Stores a user's decision on a document that no request can ask about, or a correction of such a decision. The run
 * is resumed as usual afterwards; in a run that was given up, a missing document is given up too. User and time are
 * stored with the document. A code that the authority, the journal or the PIN contradicts is refused; if neither
 * could be asked, a remark says so. Needs the sender lock.
 * @param comparison undefined if the decision is the authority's own
 * @throws PipelineError('usage', send/cannot-settle, send/settle-ambiguous, send/code-of-another,
 * send/code-contradicted)
 */
export async function settleByPerson(
  journal: Database,
  kind: DocumentKind,
  run: string,
  { number, word, by = '', now }: PersonsWord,
  comparison?: Comparison,
): Promise<Issue | undefined> {
  const { abandonment, meta } = await findRun(journal, run);
  const rows = await journal.all<Row>(SETTLEABLE, run, number);
  const [row] = rows;
  if (rows.length > 1)
    stop('usage', { code: 'send/settle-ambiguous', params: { number, run, count: rows.length } });
  const from: Position = {
    state: 'unknown',
    doubt: true,
    ...(row?.doubt === RESTORED && { restored: true }),
    ...idsFromText(row?.made ?? null),
  };
  const stage = stageAt(kind.stages, from);
  const to = row === undefined ? undefined : settled(kind, stage, from, word);
  if (row === undefined || to === undefined)
    return stop('usage', { code: 'send/cannot-settle', params: { number, run }, value: word });
  const code = to.documentCode ?? null;
  const other =
    code === null
      ? undefined
      : await journal.first<{ readonly run: string; readonly number: string }>(HOLDER, code, row.id);
  if (other !== undefined)
    stop('usage', {
      code: 'send/code-of-another',
      params: { number, other: other.number, run: other.run },
      value: word,
    });
  const employer = async () => ({
    nit: comparison?.nit ?? nitOf(meta.company) ?? (await employerOf(journal)),
  });
  const { found, remark }: Finding =
    code === null || comparison === undefined
      ? {}
      : await compared({ number, run, code, now }, row, kind, stage, {
          client: comparison.client,
          proof:
            comparison.pin === undefined
              ? undefined
              : kind.proof?.({ journal, run, employer: await employer(), pin: comparison.pin }),
        });
  const givenUp = abandonment !== undefined && word === NOT_THERE;
  const id = stage.hasOwnIds === true ? to.settledId : undefined;
  const holders = id === undefined ? [] : await idHolders(journal, kind, stage.name, id, row.id);
  await journal.transaction(async (sql) => {
    await sql.run(
      `UPDATE document SET state = ?, doubt = ?, document_code = ?, zip_key = ?, made = ?, issues = ?, settled = ?,
        updated = ? WHERE id = ?`,
      givenUp ? 'rejected' : to.state,
      doubtOf(to),
      code,
      to.state === 'accepted' ? row.zipKey : null,
      idsToText(to),
      givenUp ? JSON.stringify([createIssue('send/abandoned')]) : null,
      JSON.stringify({ by, word, at: new Date(now).toISOString(), found } satisfies Partial<Settled>),
      to.state === 'unknown' ? row.updated : now, // nothing left at the moment of the word
      row.id,
    );
    for (const holder of holders) {
      if (id === undefined || !holder.holds) continue;
      for (const write of markHolderUnknown(kind, holder, { stage: stage.name, id, other: number, now }))
        await sql.run(...write);
    }
    await sql.run('UPDATE document SET document_code = ? WHERE earlier = ?', code, row.id);
    await sql.run('UPDATE run SET ended = ended WHERE id = ?', run); // who keeps its counts counts again
    const answered = word === NOT_THERE ? word : 'found';
    const line = [row.id, now, `${stage.name} person`, answered, by === '' ? null : by];
    await sql.run(ATTEMPTED, ...line);
  });
  return remark;
}

interface StatedCode {
  readonly number: string;
  readonly run: string;
  readonly code: string;
  readonly now: number;
}

interface Finding {
  readonly found?: Settled['found'];
  /** Reason why the authority could not be asked. */
  readonly remark?: Issue;
}

/**
 * Checks that a user's code belongs to the document. The authority is asked with it (P10); what it shows overrides
 * the code that it named when the number was sent, and the proof by the PIN.
 * @throws PipelineError('usage', send/code-contradicted)
 */
async function compared(
  { number, run, code, now }: StatedCode,
  row: Row,
  kind: DocumentKind,
  stage: Stage,
  { client, proof }: { readonly client: Comparison['client']; readonly proof: Proof | undefined },
): Promise<Finding> {
  const refuse = (issue: Issue): never => {
    throw new PipelineError('usage', [{ ...issue, value: code }]);
  };
  const body = JSON.parse(row.body) as JsonObject;
  const question = stage.look?.(code);
  const verdict =
    question === undefined || client === undefined
      ? undefined
      : await readAnswerTo(question, await client.call(question.operation, question.request));
  if (verdict?.kind === 'rejected' || verdict?.kind === 'not-found')
    return refuse(createCaseIssue('send/code-contradicted', 'not-there', { number }));
  const shown = verdict?.kind === 'accepted' ? verdict.shown : {};
  const fit = Object.keys(shown).length === 0 ? 'open' : kind.fit(body, shown);
  const isAnother = verdict?.kind === 'accepted' && (verdict.documentCode ?? code).toLowerCase() !== code;
  if (isAnother || fit === 'other-number' || fit === 'other-content')
    return refuse(createCaseIssue('send/code-contradicted', 'another', { number }));
  if (fit === 'ours') return { found: 'ours' };
  const earlier = (JSON.parse(row.issues ?? '[]') as Issue[]).map((issue) => paramOf(issue, 'cune'));
  const cune = earlier.find((known) => known !== undefined);
  if (cune !== undefined && String(cune).toLowerCase() !== code)
    return refuse(createCaseIssue('send/code-contradicted', 'not-as-told', { number, cune: String(cune) }));
  const proven = await proof?.compare({ body, documentCode: code, shown, moments: [row.updated, now] });
  if (proven === 'other-content')
    return refuse(createCaseIssue('send/code-contradicted', 'not-by-pin', { number }));
  if (proven === 'ours') return { found: 'ours' };
  if (verdict?.kind === 'accepted') return { found: 'open' };
  const remark =
    question === undefined
      ? createIssue('send/settled-unasked', { case: 'no-question', number, run })
      : createIssue('send/settled-unasked', { number, run, reason: silenceOf(verdict) });
  return { found: 'unasked', remark };
}

/** Returns why a question has no answer. */
function silenceOf(verdict: Verdict | undefined): string {
  if (verdict === undefined) return 'no-token';
  if ('issue' in verdict && verdict.issue.code === 'send/unauthenticated') return 'bad-token';
  const reason =
    'issue' in verdict ? (paramOf(verdict.issue, 'reason') ?? paramOf(verdict.issue, 'status')) : undefined;
  return String(reason ?? 'no-result');
}

/** Reads an unknown document, or one with nothing but a user's decision. */
const SETTLEABLE = `
  SELECT d.id, d.zip_key AS "zipKey", d.made, d.doubt, d.issues, d.updated, c.body
  FROM document d JOIN content c ON c.document = d.id
  WHERE d.run = ? AND ? IN (coalesce(d.number, d.prefix || d.consecutive), d.key, '#' || d.sequence)
    AND d.earlier IS NULL AND (d.state IN ('sending', 'unknown', 'pending') OR (d.settled IS NOT NULL
      AND coalesce(json_extract(d.settled, '$.found'), '') <> 'ours'
      AND CASE json_extract(d.settled, '$.word')
        WHEN '${NOT_THERE}' THEN d.state = 'planned' OR (d.state = 'rejected' AND instr(d.issues, '"send/abandoned"') > 0)
        ELSE d.state = 'accepted' AND instr(lower(json_extract(d.settled, '$.word')), d.document_code) > 0 END))`;

/** Finds the other document that has a code. */
const HOLDER = `
  SELECT run, coalesce(number, prefix || consecutive, key) AS number FROM document
  WHERE lower(document_code) = ? AND id <> ? AND earlier IS NULL LIMIT 1`;

/** Returns the position that a user's decision means; undefined if it cannot be meant. */
function settled(kind: DocumentKind, stage: Stage, from: Position, word: string): Position | undefined {
  const { spentIds = [] } = from;
  const spent = spentIds.length > 0 && { spentIds };
  if (word === NOT_THERE) {
    // The request under that id may be another's: ask the stage that gave it for another id.
    if (spentIds.includes(idUnder(stage, from) ?? 0))
      return { state: 'unknown', doubt: true, ...idsBefore(from, stage.under), ...spent };
    // Later stages cannot be there either.
    return { ...from, state: 'planned', doubt: false, restored: false };
  }
  // A user who said "none" by mistake may have the code all the same.
  const late = spentIds.length > 0 ? lastStage(kind.stages).byPerson?.(word) : undefined;
  const verdict = stage.byPerson?.(word) ?? late;
  if (verdict === undefined || (verdict.kind === 'made' && spentIds.includes(verdict.id))) return undefined;
  const expected = {
    number: '',
    echoRules: [],
    fit: () => 'ours' as const,
    asks: stage.asks,
    stage: stage.name,
  };
  const to = transition(from, 'ask', verdict, expected).to;
  return verdict.kind === 'made' && to !== undefined ? { ...to, settledId: verdict.id } : to;
}
