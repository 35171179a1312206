import { foreignObject } from '../toolkit/core/foreign-json.js';
import { type Issue, type Place, paramOf } from '../toolkit/core/issue.js';
import type { JsonObject, Pointer } from '../toolkit/core/json.js';
import {
  type Document,
  type DocumentState,
  type Outcome,
  placesOf,
  type Settled,
  type Trace,
} from '../toolkit/schema/document.js';
import { createIssue } from './create-issue.js';
import { type Database, type ManyRows, onlyRow, type Sql, type Write, type Writer } from './database.js';
import { type Contest, type IdHolder, idHolders, markHolderUnknown } from './holders.js';
import type { Admission, DocumentKind, KnownRange, Series } from './kind.js';
import { type NumberingOptions, numbering } from './numbering.js';
import {
  correctedIn,
  doubtOf,
  idsFromText,
  idsToText,
  type PlannedDocument,
  plannedBy,
  plannedPage,
} from './planned-document.js';
import {
  completeDraft,
  employerOf,
  fateOf,
  findRun,
  HELD_BACK,
  insertDraft,
  nextRunId,
  PAGE,
  paged,
  pages,
  type RunCounts,
  type RunMeta,
  withHeldBack,
} from './runs.js';
import { leaveOut, type Plan, planTally } from './spool.js';
import { type CompletedStage, withSpent } from './stage.js';
import type { Position } from './state-machine.js';
import { detailsFromText, recordNames, rowsIn, traceFromText, traceToText } from './trace-text.js';
import { sweepDrafts } from './waiting.js';

interface StoredAnswer {
  readonly sequence: number;
  readonly key: string;
  readonly state: DocumentState;
  readonly answer: JsonObject;
}

const ANSWERS = `
  SELECT d.sequence, d.key, d.state, a.body FROM document d JOIN answer a ON a.document = d.id
  WHERE d.run = ? AND d.sequence > ? ORDER BY d.sequence LIMIT ${PAGE}`;

/** Yields the stored answers of a run in the order of its documents. */
export async function* storedAnswers(journal: Sql, run: string): AsyncIterable<StoredAnswer> {
  type Row = Omit<StoredAnswer, 'answer'> & { readonly body: string };
  for await (const { body, ...row } of pages<Row>(journal, ANSWERS, run))
    yield { ...row, answer: answerIn(body) };
}

/** Record that the mapping skips on purpose. */
interface Skipped {
  readonly place: Place;
  readonly note: string;
}

/** Name of a document that was not made, and its records, main record first. */
export interface HeldBack {
  readonly name?: string;
  readonly records: readonly Place[];
}

/** Facts about a run that are known after its last document. */
interface Closing extends RunCounts {
  /** Issues of the records and documents held back, and warnings. */
  readonly issues: Iterable<Issue>;
  readonly skipped: Iterable<Skipped>;
  /** Documents that were not made, by key. */
  readonly heldBack?: ReadonlyMap<string, HeldBack>;
  /** True if the files are part of others, so that people who are not in them are not missing. */
  readonly isPart?: boolean;
}

export type PlanInput = Document & PlanHints;

/** Knowledge of a document's maker that overrides the journal. */
interface PlanHints {
  /** Accepted document with the same content: nothing is sent. */
  readonly accepted?: { readonly id: number; readonly documentCode: string | null };
  /** Errors found after the document was made: it is not sent. */
  readonly refused?: readonly Issue[];
  /** Unfinished run because of which it is refused. */
  readonly unfinished?: string;
  /** True if its maker compares it with what the journal has of the person under another number. */
  readonly renumbered?: boolean;
  /** True if it is sent only after a separate confirmation. */
  readonly proposed?: boolean;
  /** Sequence of an earlier document of the run that may only be sent once this one is accepted. */
  readonly before?: number;
  /** Sequence of an earlier document of the run that must be accepted before this one is sent. */
  readonly after?: number;
}

export interface SpoolOptions {
  readonly journal: Database;
  readonly kind: DocumentKind;
  readonly meta: RunMeta;
  readonly testSet?: string;
  readonly documents: AsyncIterable<readonly PlanInput[]>;
  /** Called once, after the last document. */
  readonly closing: () => Closing;
  /** Start and advice for the numbers. */
  readonly numbers?: Omit<NumberingOptions, 'journal'>;
  /** Known ranges of numbers; a number outside of them is refused. */
  readonly ranges?: readonly KnownRange[];
  /** True if the key of a document is the employee's document number. @default false */
  readonly keyIsWorker?: boolean;
  /** Receives the issues found against the journal, at their cells: errors of refused documents, and warnings. */
  readonly onIssue?: (issue: Issue) => void;
  /** Receives the sequence of each document held back, and whether an unfinished run has it. */
  readonly onHeldBack?: (sequence: number, elsewhere: boolean) => void;
  /** Returns milliseconds since 1970. @default Date.now */
  readonly clock?: () => number;
}

export interface SpoolResult extends Plan {
  readonly run: string;
  /** Documents accepted before with the same content: nothing is sent. */
  readonly earlier: number;
  /** Documents that the checks here held back; the service did not reject them. */
  readonly blocked: number;
  /** Number of blocked documents by the unfinished run that has them. */
  readonly unfinished: ReadonlyMap<string, number>;
  /**
   * Planned documents that may be at the service already, by sequence with the reason; sent only after a separate
   * confirmation.
   */
  readonly doubtful: ReadonlyMap<number, Issue>;
  /** Sequences of documents that their maker proposes; sent only after a separate confirmation. */
  readonly proposed: readonly number[];
  readonly records: RunCounts['records'];
  readonly documents: RunCounts['documents'];
}

/**
 * Writes a checked run into the journal, with numbers, as a draft until it is sent. All or nothing, whatever
 * interrupts it; an error thrown by `documents` is rethrown and leaves no trace. Needs the sender lock. Memory does
 * not grow with the number of documents.
 */
export async function spoolRun(options: SpoolOptions): Promise<SpoolResult> {
  const { journal, kind, onIssue, onHeldBack } = options;
  const { late, ...result } = await planRun(options);
  if (late.size === 0) return result;
  const plan = await leaveOut(journal, kind, result.run, late);
  for (const [sequence, issue] of late) {
    onIssue?.(issue);
    onHeldBack?.(sequence, false);
  }
  const { records, documents } = (await findRun(journal, result.run)).counts;
  return { ...result, ...plan, blocked: result.blocked + late.size, records, documents };
}

/** Plans the run in one transaction; `late` are the documents that the last check holds back, still in the draft. */
async function planRun(
  options: SpoolOptions,
): Promise<SpoolResult & { readonly late: ReadonlyMap<number, Issue> }> {
  const { closing, meta, testSet } = options;
  const now = (options.clock ?? Date.now)();
  return options.journal.transaction(async (journal) => {
    await sweepDrafts(journal, options.journal.path, now);
    const run = await nextRunId(journal, now);
    await insertDraft(journal, run, testSet, now);
    const planner = createPlanner(options, journal, run, now);
    for await (const batch of options.documents) for (const document of batch) await planner.take(document);
    const { issues, skipped, heldBack: unmade, isPart = false, ...counts } = closing();
    const late = await planner.refusals(unmade?.keys() ?? []);
    // A person whose record was held back is not missing.
    if (counts.documents.heldBack === 0 && !isPart) await planner.finish();
    const left = new Map(unmade);
    for (const issue of issues) {
      // Stored with the first of its errors only.
      const { documentKey: key = '' } = issue;
      const document = issue.level === 'error' ? left.get(key) : undefined;
      if (document !== undefined) left.delete(key);
      await insertIssue(journal, run, issue, document);
    }
    for (const skip of skipped) await insertFinding(journal, run, 'skip', skip);
    const { planned, made, heldBack } = counts.documents;
    const { blocked } = planner.tally;
    const records = await withHeldBack(journal, run, counts.records, planner.idle);
    const documents = { planned, made: made - blocked, heldBack: heldBack + blocked };
    const plan = planner.plan();
    const runMeta = options.keyIsWorker ? { ...meta, keyIsWorker: true } : meta;
    await completeDraft(journal, run, runMeta, { ...counts, records, documents }, plan.digest);
    return { run, ...plan, ...planner.tally, records, documents, late };
  });
}

const WAIT =
  'UPDATE document SET waits_for = (SELECT id FROM document WHERE run = ? AND sequence = ?) WHERE run = ? AND sequence = ?';

function createPlanner(options: SpoolOptions, journal: Sql, run: string, now: number) {
  const { kind, testSet, numbers, ranges = [], keyIsWorker = false } = options;
  const { onIssue = () => undefined, onHeldBack = () => undefined } = options;
  const judge = kind.judge({ journal, run, testSet, keyIsWorker });
  const insert = documentInsert(journal, run, now);
  const plan = planTally(kind, testSet);
  const tally = {
    earlier: 0,
    blocked: 0,
    unfinished: new Map<string, number>(),
    doubtful: new Map<number, Issue>(),
    proposed: [] as number[],
  };

  const remark = async (issue: Issue, document?: HeldBack): Promise<void> => {
    await insertIssue(journal, run, issue, document);
    onIssue(issue);
  };
  const nextNumber = numbering({ journal, ...numbers, onIssue: remark });
  /** Keys of the documents held back, by sequence. */
  const heldBack = new Map<number, string>();
  const idle = new Set<string>();
  /** Refuses a document whose predecessor is held back. */
  function waitsInVain({ after = 0, accepted }: PlanHints): Admission | undefined {
    const number = heldBack.get(after);
    if (number === undefined || accepted !== undefined) return undefined;
    return { is: 'refused', issues: [createIssue('send/predecessor-not-accepted', { number })] };
  }

  /** Refuses a number outside of its range: the service would refuse it, and the number would be spent. */
  function outside({ typeDocumentId, prefix }: Series, number: number): Admission | undefined {
    const known = ranges.find((range) => range.typeDocumentId === typeDocumentId && range.prefix === prefix);
    if (known === undefined || (number >= known.first && number <= known.last)) return undefined;
    const { first, last } = known;
    return { is: 'refused', issues: [createIssue('send/number-outside', { number, prefix, first, last })] };
  }

  return {
    tally,
    idle,
    plan: plan.finish,
    refusals: async (unmade: Iterable<string>) => (await judge.refusals?.(unmade)) ?? new Map(),
    finish: async () => {
      for await (const issue of judge.remarks()) await remark(issue);
    },
    async take(document: PlanInput): Promise<void> {
      const { body } = document;
      const judged =
        waitsInVain(document) ?? overruled(await judge.admit(document, document.renumbered), document);
      const { numbers } = kind;
      const range = judged.is === 'new' ? numbers?.series(body) : undefined;
      const consecutive = range && (await nextNumber(range));
      const refused =
        range === undefined || consecutive === undefined ? undefined : outside(range, consecutive);
      const admission = refused ?? judged;
      if (admission.is === 'earlier') {
        tally.earlier += 1;
        await insert(document, body, admission);
      } else if (admission.is === 'refused') {
        const { unfinished: run } = admission;
        tally.blocked += 1;
        heldBack.set(document.sequence, document.key);
        for (const record of recordNames(document)) idle.add(record);
        if (run !== undefined) tally.unfinished.set(run, (tally.unfinished.get(run) ?? 0) + 1);
        for (const issue of admission.issues) await remark(atCell(issue, document), heldBackOf(document));
        onHeldBack(document.sequence, run !== undefined);
      } else {
        if (admission.doubt !== undefined)
          tally.doubtful.set(document.sequence, atCell(admission.doubt, document));
        if (document.proposed) tally.proposed.push(document.sequence);
        const { sequence, before, after } = document;
        if (numbers === undefined || range === undefined || consecutive === undefined) {
          plan.take(document, body);
          await insert(document, body, admission);
        } else {
          const { write, text } = numbers;
          const numbered = write(body, consecutive);
          plan.take(document, numbered, range);
          const { typeDocumentId, prefix } = range;
          const number = { typeDocumentId, prefix, consecutive, text: text?.(numbered) };
          await insert(document, numbered, admission, number);
        }
        for (const issue of admission.remarks) await remark(atCell(issue, document));
        if (before !== undefined) await journal.later(WAIT, run, sequence, run, before);
        if (after !== undefined) await journal.later(WAIT, run, after, run, sequence);
      }
    },
  };
}

/** Lets the hints of a document's maker override the journal's decision. */
function overruled(admission: Admission, { refused, unfinished, accepted }: PlanHints): Admission {
  if (refused !== undefined)
    return { is: 'refused', issues: refused, ...(unfinished !== undefined && { unfinished }) };
  return accepted === undefined ? admission : { is: 'earlier', ...accepted };
}

/** Adds the cells behind the leaf of an issue; an issue of the whole document gets its record. */
function atCell(issue: Issue, { trace, key }: Document): Issue {
  const { pointer } = issue.place;
  const found = pointer === undefined ? [] : placesOf(trace, pointer);
  const [place, ...related] = found.length > 0 ? found : [recordOf(trace)];
  return {
    ...issue,
    documentKey: key,
    place: { ...place, ...issue.place },
    ...(related.length > 0 && { related: related as Place[] }),
  };
}

function recordOf(trace: Trace): Place | undefined {
  for (const [place] of trace.values()) {
    if (place?.row === undefined) continue;
    const { column, label, ...record } = place;
    return record;
  }
  return undefined;
}

const INSERT_DOCUMENT = `
  INSERT INTO document (run, sequence, key, name, schema, subject, hash, place, type_document_id, prefix, consecutive,
    state, document_code, earlier, updated, period, predecessor, number)
  VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`;
const INSERT_CONTENT = 'INSERT INTO content (document, body, trace) VALUES (last_insert_rowid(), ?, ?)';

const documentInsert =
  (journal: Sql, run: string, now: number) =>
  async (
    document: Document,
    body: JsonObject,
    admission: Exclude<Admission, { is: 'refused' }>,
    number?: Series & { readonly consecutive: number; readonly text: string | undefined },
  ): Promise<void> => {
    const earlier = admission.is === 'earlier' ? admission : undefined;
    const fresh = admission.is === 'new' ? admission : undefined;
    await journal.later(
      INSERT_DOCUMENT,
      run,
      document.sequence,
      document.key,
      document.name ?? null,
      document.schema,
      admission.subject ?? null,
      document.hash,
      firstPlace(document.trace),
      number?.typeDocumentId ?? null,
      number?.prefix ?? null,
      number?.consecutive ?? null,
      admission.is === 'new' ? 'planned' : 'accepted',
      earlier?.documentCode ?? null,
      earlier?.id ?? null,
      now,
      fresh?.period ?? null,
      fresh?.predecessor ?? null,
      number?.text ?? null,
    );
    await journal.later(INSERT_CONTENT, JSON.stringify(body), traceToText(document));
  };

/** Returns the first cell of a document as JSON, or null if it has none. */
function firstPlace(trace: Trace): string | null {
  for (const [place] of trace.values()) if (place?.row !== undefined) return JSON.stringify(place);
  return null;
}

const heldBackOf = ({ name, records, beside = [], trace }: Document): HeldBack => ({
  ...(name !== undefined && { name }),
  records: records === undefined ? rowsIn(trace) : [...records, ...beside],
});

const insertIssue = (
  journal: Sql,
  run: string,
  issue: Issue,
  document: HeldBack | undefined,
): Promise<void> => insertFinding(journal, run, 'issue', { ...(issue as object), document });

async function insertFinding(
  journal: Sql,
  run: string,
  kind: 'issue' | 'skip',
  content: object,
): Promise<void> {
  const sql = 'INSERT INTO finding (run, kind, content) VALUES (?, ?, ?)';
  await journal.later(sql, run, kind, JSON.stringify(content));
}

export interface Attempt {
  readonly asked: string;
  readonly answered: string;
  readonly excerpt?: string;
}

interface Settlement {
  readonly to: Position;
  readonly issues: readonly Issue[];
  readonly answer?: JsonObject;
}

/** Documents of one run for the sender. Statements are prepared once. */
export type Documents = ReturnType<typeof documentsOf>;

/** Condition without documents that wait for another one which is not accepted yet. */
const mayLeave = (states: string): string =>
  `d.state ${states} AND (d.waits_for IS NULL OR (SELECT state FROM document WHERE id = d.waits_for) = 'accepted')`;
const OPEN = plannedPage(mayLeave(`IN ('planned', 'unknown')`));
const PENDING = plannedPage(`d.zip_key IS NOT NULL AND ${mayLeave(`= 'pending'`)}`);

const MADE_BY_OTHER = `SELECT 1 FROM document WHERE id <> ? AND made IS NOT NULL AND CAST(json_extract(made, '$.' || ?) AS BIGINT) = ? LIMIT 1`;
const COMPLETED = `
  SELECT c.body, CAST(json_extract(d.made, '$.' || ?) AS BIGINT) AS made FROM document d JOIN content c ON c.document = d.id
  WHERE d.id <> ? AND d.made IS NOT NULL AND json_extract(d.made, '$.' || ?) IS NOT NULL ORDER BY d.id DESC LIMIT 200`;
const ACCEPTED = `state = 'accepted' AND earlier IS NULL`;
const HOLDER = `SELECT id FROM document WHERE document_code = ? AND id <> ? AND ${ACCEPTED} LIMIT 1`;
const CODES_AT_ONCE = 32;
const ANY_HOLDER = `
  SELECT 1 FROM document WHERE document_code IN (${Array(CODES_AT_ONCE).fill('?').join()}) AND ${ACCEPTED} LIMIT 1`;
const NAME =
  'SELECT run, coalesce(number, prefix || consecutive, key) AS number, made FROM document WHERE id = ?';

const INTERRUPTED = `
  UPDATE document SET state = 'unknown', doubt = CASE WHEN doubt < 1 THEN 1 ELSE doubt END, issues = NULL
  WHERE run = ? AND state = 'sending'`;
const MARK_UNKNOWN = `UPDATE document SET state = 'unknown', doubt = 1, made = ?, issues = ?, updated = ? WHERE id = ? AND state = 'accepted'`;
const REOPEN = `UPDATE run SET state = 'open' WHERE id = ?`;
const EMPLOYED = `UPDATE run SET meta = json_set(meta, '$.employer', ?) WHERE id = ?`;
const SENDING = `UPDATE document SET state = 'sending', attempts = attempts + ?, updated = ? WHERE id = ?`;
const SETTLED = `
  UPDATE document SET state = ?, doubt = ?, document_code = ?, zip_key = ?, made = ?, issues = ?, updated = ? WHERE id = ?`;
/** Reads a stored answer; `{}` if it is unreadable. */
export const answerIn = (body: string): JsonObject => foreignObject(body) ?? {};
/** Writes that replace the stored answer of a document. */
export const storeAnswer = (document: number, answer: JsonObject): readonly Write[] => [
  ['DELETE FROM answer WHERE document = ?', document],
  ['INSERT INTO answer (document, body) VALUES (?, ?)', document, JSON.stringify(answer)],
];
const SET_FIRST_ISSUES = 'UPDATE document SET issues = ? WHERE id = ? AND issues IS NULL';
export const ATTEMPTED =
  'INSERT INTO attempt (document, at, asked, answered, excerpt) VALUES (?, ?, ?, ?, ?)';

/** Forms of the most frequent writes for many rows at once, by their statement. */
export const MANY: ReadonlyMap<string, ManyRows> = new Map([
  [
    SENDING,
    {
      row: 2,
      types: ['integer', 'bigint', 'bigint'],
      sql: `UPDATE document AS d SET state = 'sending', attempts = d.attempts + c1, updated = c2 FROM v WHERE d.id = c3`,
    },
  ],
  [
    SETTLED,
    {
      row: 7,
      types: ['text', 'integer', 'text', 'text', 'text', 'text', 'bigint', 'bigint'],
      sql: `UPDATE document AS d SET state = c1, doubt = c2, document_code = c3, zip_key = c4, made = c5, issues = c6, updated = c7
        FROM v WHERE d.id = c8`,
    },
  ],
  [
    ATTEMPTED,
    {
      types: ['bigint', 'bigint', 'text', 'text', 'text'],
      sql: 'INSERT INTO attempt (document, at, asked, answered, excerpt) SELECT * FROM v',
    },
  ],
]);

const logged = ({ id }: PlannedDocument, { asked, answered, excerpt }: Attempt, now: number): Write => [
  ATTEMPTED,
  id,
  now,
  asked,
  answered,
  excerpt ?? null,
];

const settled = ({ id }: PlannedDocument, { to, issues }: Settlement, now: number): Write => [
  SETTLED,
  to.state,
  doubtOf(to),
  to.documentCode ?? null,
  to.zipKey ?? null,
  idsToText(to),
  issues.length === 0 ? null : JSON.stringify(issues),
  now,
  id,
];

interface CodeSearch {
  readonly code: string;
  readonly but: number;
  readonly answer: (holder: number | undefined) => void;
  readonly fail: (error: unknown) => void;
}

/** Looks up the codes of two turns of the event loop with one query, since nearly always none has a holder. */
function holderSearch(journal: Sql): (code: string, but: number) => Promise<number | undefined> {
  let searches: CodeSearch[] = [];

  async function look(batch: readonly CodeSearch[]): Promise<void> {
    try {
      const codes = Array.from({ length: CODES_AT_ONCE }, (_, at) => batch[at]?.code ?? null);
      const found = await journal.first(ANY_HOLDER, ...codes);
      for (const { code, but, answer } of batch)
        answer(
          found === undefined ? undefined : (await journal.first<{ id: number }>(HOLDER, code, but))?.id,
        );
    } catch (error) {
      for (const { fail } of batch) fail(error);
    }
  }

  return (code, but) =>
    new Promise((answer, fail) => {
      if (searches.length === CODES_AT_ONCE) searches = [];
      const search = { code, but, answer, fail };
      if (searches.push(search) > 1) return;
      const batch = searches;
      setImmediate(() =>
        setImmediate(() => {
          if (searches === batch) searches = [];
          void look(batch);
        }),
      );
    });
}

export function documentsOf(journal: Sql, writer: Writer, run: string, kind: Pick<DocumentKind, 'stages'>) {
  return {
    /**
     * Yields documents to send or ask about, by sequence and page by page; writes in between do not disturb. Documents
     * that wait for another one are left out until that one is accepted.
     */
    open: () => plannedBy(journal, OPEN, run),
    pending: () => plannedBy(journal, PENDING, run),
    /** Marks what a killed process was sending as unknown: it may have landed. */
    markInterruptedUnknown: async () => void (await journal.run(INTERRUPTED, run)),
    /** True if a stage of another document, of any run, made this. */
    isTaken: async (document: number, stage: string, made: number) =>
      (await journal.first(MADE_BY_OTHER, document, stage, made)) !== undefined,
    /** Finds the other documents that have an id of a stage, or whose last request was answered under it. */
    idHolders: (document: number, stage: string, id: number) => idHolders(journal, kind, stage, id, document),
    /** Marks another holder of an id unknown. Returns true if it is of this run. */
    async markIdHolderUnknown(holder: IdHolder, contest: Contest): Promise<boolean> {
      await writer.commit(...markHolderUnknown(kind, holder, contest));
      return holder.run === run;
    },
    /** Returns other documents, of any run, for which a stage is over, the latest first; at most 200. */
    completedStages: (document: number, stage: string) =>
      journal.all<CompletedStage>(COMPLETED, stage, document, stage),
    /** Returns the NIT of the employer that an answer to any document of the journal showed. */
    employer: () => employerOf(journal),
    storeEmployer: (nit: string) => writer.commit([EMPLOYED, nit, run]),
    /** Returns the accepted document, of any run, that has a code. */
    holderOf: holderSearch(journal),
    /** Marks an accepted document unknown and reopens its run. Returns true if it is of this run. */
    markUnknown: async (document: number, issueOf: (number: string) => Issue, now: number) => {
      type Row = { readonly run: string; readonly number: string; readonly made: string | null };
      const { run: owner, number, made } = await onlyRow<Row>(journal, NAME, document);
      const ids = idsToText(withSpent(idsFromText(made), kind.stages.at(-1)));
      const issues = JSON.stringify([issueOf(number)]);
      await writer.commit([MARK_UNKNOWN, ids, issues, now, document], [REOPEN, owner]);
      return owner === run;
    },
    /**
     * Stores that a request is about to leave; durable before it does. `counts`: it sends the document itself, which is
     * an attempt.
     */
    markSending: (item: PlannedDocument, counts: boolean, now: number) =>
      writer.commit([SENDING, counts ? 1 : 0, now, item.id]),
    /** Logs an answer that changed nothing. */
    log: (item: PlannedDocument, attempt: Attempt, now: number) => writer.commit(logged(item, attempt, now)),
    /** Stores a change; durable before it is reported. */
    settle(item: PlannedDocument, settlement: Settlement, attempt: Attempt, now: number): Promise<void> {
      const writes = [settled(item, settlement, now), logged(item, attempt, now)];
      const { answer } = settlement;
      if (answer !== undefined) writes.push(...storeAnswer(item.id, answer));
      return writer.commit(...writes);
    },
    /** Stores instructions for the user, unless an issue is stored already. */
    leaveToUser: (item: PlannedDocument, issue: Issue) =>
      writer.commit([SET_FIRST_ISSUES, JSON.stringify([issue]), item.id]),
  };
}

interface OutcomeOptions {
  /**
   * Returns the leaves that an authority's rule blames, to show the cells behind them; `*` is any item. @default none
   * known
   */
  readonly blame?: (rule: string) => readonly Pointer[];
  /** True for documents with issues only. @default false */
  readonly withIssues?: boolean;
}

interface OutcomeRow {
  id: number;
  sequence: number;
  key: string;
  name: string | null;
  state: DocumentState;
  heldBack: unknown;
  number: string | null;
  documentCode: string | null;
  zipKey: string | null;
  attempts: number;
  earlier: number | null;
  issues: string | null;
  place: string | null;
  settled: string | null;
}

const outcomePage = (condition = ''): string => `
  SELECT d.id, d.sequence, d.key, d.name, d.state, d.attempts, d.earlier, d.issues, d.place, d.settled,
    ${HELD_BACK} AS "heldBack",
    coalesce(d.number, d.prefix || d.consecutive, e.number, e.prefix || e.consecutive,
      json_extract(a.body, '$.consecutive')) AS number,
    d.document_code AS "documentCode", d.zip_key AS "zipKey"
  FROM document d LEFT JOIN document e ON e.id = d.earlier LEFT JOIN answer a ON a.document = coalesce(d.earlier, d.id)
  WHERE d.run = ? AND d.sequence > ? ${condition} ORDER BY d.sequence LIMIT ${PAGE}`;
const OUTCOMES = outcomePage();
const WITH_ISSUES = outcomePage('AND d.issues IS NOT NULL');

/** Yields every document of a run with its outcome, by sequence and page by page, so that any run fits in memory. */
export async function* outcomes(
  journal: Sql,
  run: string,
  options: OutcomeOptions = {},
): AsyncIterable<Outcome> {
  const page = options.withIssues ? WITH_ISSUES : OUTCOMES;
  const corrected = await correctedIn(journal, run);
  for await (const row of pages<OutcomeRow>(journal, page, run)) {
    const by = corrected.get(row.earlier ?? row.id)?.by;
    const trace = row.issues === null ? NO_TRACE : await traceOf(journal, row.id);
    yield { ...toOutcome(row, trace, options), ...(by !== undefined && { correctedBy: by }) };
  }
}

const NO_TRACE: Trace = new Map();

export const detailsOf = async (
  journal: Sql,
  document: number,
): Promise<NonNullable<Document['details']>> => {
  const text = await traceTextOf(journal, document);
  return text === undefined ? {} : detailsFromText(text);
};

async function traceOf(journal: Sql, document: number): Promise<Trace> {
  const text = await traceTextOf(journal, document);
  return text === undefined ? NO_TRACE : traceFromText(text);
}

async function traceTextOf(journal: Sql, document: number): Promise<string | undefined> {
  const row = await journal.first<{ trace: string }>(
    'SELECT trace FROM content WHERE document = ?',
    document,
  );
  return row?.trace;
}

function toOutcome(row: OutcomeRow, trace: Trace, { blame }: OutcomeOptions): Outcome {
  const place = row.place === null ? undefined : (JSON.parse(row.place) as Place);
  const found = row.issues === null ? [] : (JSON.parse(row.issues) as Issue[]);
  return {
    sequence: row.sequence,
    key: row.key,
    ...(row.name !== null && { name: row.name }),
    state: fateOf(row.state, row.heldBack),
    ...(row.number !== null && { number: row.number }),
    // A code is shown once it is proven; before, it serves only to ask with.
    ...(row.state === 'accepted' && row.documentCode !== null && { documentCode: row.documentCode }),
    ...(row.zipKey !== null && { zipKey: row.zipKey }),
    attempts: row.attempts,
    ...(row.earlier !== null && { earlier: true }),
    issues: found.length === 0 ? [] : locate(found, row.key, trace, place, blame),
    ...(place !== undefined && { place }),
    ...(row.settled !== null && { settled: JSON.parse(row.settled) as Settled }),
  };
}

/** Returns the records that a document was made of, in the order of its leaves. */
export async function recordsOf(journal: Sql, run: string, sequence: number): Promise<readonly Place[]> {
  const row = await journal.first<{ trace: string }>(
    'SELECT c.trace FROM document d JOIN content c ON c.document = d.id WHERE d.run = ? AND d.sequence = ?',
    run,
    sequence,
  );
  return row === undefined ? [] : rowsIn(traceFromText(row.trace));
}

/** Adds the cells behind the leaves that an issue or its rule points at; else the first cell of the record. */
function locate(
  issues: readonly Issue[],
  documentKey: string,
  trace: Trace,
  first: Place | undefined,
  blame: OutcomeOptions['blame'],
): readonly Issue[] {
  return issues.map((issue) => {
    const pointerOfIssue = issue.place.pointer;
    const blamed =
      pointerOfIssue !== undefined ? [pointerOfIssue] : (blame?.(String(paramOf(issue, 'rule') ?? '')) ?? []);
    const pointers = blamed.flatMap((pointer) => leavesOf(trace, pointer));
    const [place, ...related] = pointers.flatMap((pointer) =>
      placesOf(trace, pointer).map((cell) => ({ ...cell, pointer })),
    );
    // A leaf without cells belongs to the run, not to the document's first cell.
    const [about] = blamed;
    return {
      ...issue,
      documentKey,
      place:
        place ??
        (about === undefined ? { ...first, ...issue.place } : about === '' ? {} : { pointer: about }),
      ...(related.length > 0 && { related }),
    };
  });
}

/**
 * Returns the leaves that a pointer with `*` fits, of those that cells fill; the pointer itself if there are none.
 */
function leavesOf(trace: Trace, pointer: Pointer): readonly Pointer[] {
  if (!pointer.includes('/*')) return [pointer];
  const form = pointer.split('/');
  const fits = (leaf: Pointer): boolean => {
    const steps = leaf.split('/');
    return steps.length === form.length && form.every((step, at) => step === '*' || step === steps[at]);
  };
  const found = [...trace.keys()].filter(fits);
  return found.length > 0 ? found : [pointer];
}

/** Yields the issues found while the run was planned. */
export async function* runIssues(journal: Sql, run: string): AsyncIterable<Issue> {
  for await (const { issue } of runFindings(journal, run)) yield issue;
}
/** Yields the same issues with their documents; the names are for files with mode 0600 only. */
export async function* runFindings(
  journal: Sql,
  run: string,
): AsyncIterable<{ readonly issue: Issue; readonly document?: HeldBack }> {
  for await (const { document, ...issue } of findings<Issue & { readonly document?: HeldBack }>(
    journal,
    run,
    'issue',
  ))
    yield { issue: issue as Issue, ...(document && { document }) };
}
export const runSkipped = (journal: Sql, run: string): AsyncIterable<Skipped> =>
  findings<Skipped>(journal, run, 'skip');

const FINDINGS = `SELECT id, content FROM finding WHERE run = ? AND kind = ? AND id > ? ORDER BY id LIMIT ${PAGE}`;

async function* findings<T>(journal: Sql, run: string, kind: 'issue' | 'skip'): AsyncIterable<T> {
  const page = (after: number) => journal.all<{ id: number; content: string }>(FINDINGS, run, kind, after);
  for await (const { content } of paged(0, page, ({ id }) => id)) yield JSON.parse(content) as T;
}
