import type { SchemaName } from '../../generated/schema-types.js';
import { createCaseIssue, createIssue } from '../../send/create-issue.js';
import { onlyRow, type Sql } from '../../send/database.js';
import { type Admission, behind, type Scope } from '../../send/kind.js';
import { GIVEN_UP, NOT_HELD, PAGE, paged } from '../../send/runs.js';
import { parseCanonical } from '../../toolkit/core/canonical.js';
import type { Issue } from '../../toolkit/core/issue.js';
import { type JsonObject, type Pointer, valueAt } from '../../toolkit/core/json.js';
import type { Document, DocumentState } from '../../toolkit/schema/document.js';
import type { MonthDocument } from '../family.js';
import { DELETION, REPLACEMENT } from './adjust-note.js';
import {
  monthOf,
  netOf,
  plainDocument,
  subjectParts,
  textAt,
  WORKER_PLACE,
  workerMonth,
  workerOf,
} from './subject.js';

/** A document of payroll in the journal. */
export interface Known {
  readonly id: number;
  readonly run: string;
  readonly key: string;
  readonly name: string | null;
  readonly schema: SchemaName;
  /** Subject as in the journal: see `inRealm`. */
  readonly subject: string | null;
  readonly state: DocumentState;
  readonly hash: string;
  /** Prefix and consecutive, joined. */
  readonly number: string;
  readonly consecutive: number;
  /** Proven if the document is accepted; else only used to ask. */
  readonly documentCode: string | null;
  /** Truthy, as the database has it, if the document is no longer asked about. */
  readonly givenUp: unknown;
}

/**
 * Queries for payrolls and notes of one test set, or of production. Subjects and months are those of the journal
 * (`inRealm`).
 */
export type KnownDocuments = ReturnType<typeof knownDocuments>;

const COLUMNS = `d.id, d.run, d.key, d.name, d.schema, d.subject, d.state, d.hash, d.prefix || d.consecutive AS number,
  d.consecutive, d.document_code AS "documentCode", ${GIVEN_UP} AS "givenUp"`;

/** An accepted deletion takes back all earlier documents of its subject. */
const COUNTS = `d.id > coalesce((SELECT max(x.id) FROM document x WHERE x.subject = d.subject
  AND x.schema = '${DELETION}' AND x.state = 'accepted' AND x.earlier IS NULL), 0)`;
const STANDS = `d.earlier IS NULL AND d.state <> 'rejected' AND NOT (d.schema = '${DELETION}' AND d.state = 'accepted')`;

/** Rule by which DIAN rejects a second payroll of a worker and month. */
const MONTH_RULE = 'NIE199';

/** Max digits of a document number. */
const MAX_DIGITS = 15;

const firstOf = (condition: string, order = 'd.id DESC'): string =>
  `SELECT ${COLUMNS} FROM document d WHERE ${condition} ORDER BY ${order} LIMIT 1`;

const topOf = (subjects: number): string =>
  firstOf(
    `d.subject IN (${Array(subjects).fill('?').join(', ')}) AND ${STANDS} AND ${NOT_HELD} AND ${COUNTS}`,
    `${GIVEN_UP}, d.state = 'accepted', d.id DESC`,
  );
const TOP = topOf(1);
const LATEST = firstOf(`d.subject = ? AND ${STANDS} AND d.state = 'accepted' AND ${COUNTS}`);
const NUMBER_ELSEWHERE = firstOf(
  `d.subject = ? AND d.state = 'rejected' AND instr(d.issues, '"rule":"${MONTH_RULE}"') > 0 AND ${COUNTS}`,
);
const COUNTED = firstOf(`d.id = ? AND ${COUNTS}`);
const BY_CODE = firstOf(
  `d.document_code = ? AND d.earlier IS NULL AND (SELECT test_set FROM run WHERE id = d.run) IS NOT DISTINCT FROM ?`,
  `d.state = 'accepted' DESC`,
);
const SAME_NOTE = firstOf(
  `d.subject = ? AND d.schema = ? AND d.hash = ? AND d.state = 'accepted' AND d.earlier IS NULL`,
);
const NAMESAKE = firstOf(
  `d.subject = ? AND d.consecutive = ? AND d.earlier IS NULL AND ${NOT_HELD}`,
  `d.state = 'accepted' DESC, d.id DESC`,
);
const BY_NUMBER = `
  SELECT ${COLUMNS} FROM document d
  WHERE d.period = ? AND d.consecutive = ? AND d.state = 'accepted' AND d.earlier IS NULL LIMIT 2`;
const SUBJECTS = `
  SELECT DISTINCT subject FROM document WHERE period = ? AND subject > ? AND earlier IS NULL
  ORDER BY subject LIMIT ${PAGE}`;
const OF_MONTH = `d.period = ? AND d.state = 'accepted' AND d.earlier IS NULL`;
const MISSING = `
  SELECT DISTINCT d.subject FROM document d WHERE ${OF_MONTH} AND d.subject > ?
    AND NOT EXISTS (SELECT 1 FROM document r WHERE r.run = ? AND r.subject = d.subject)
  ORDER BY d.subject LIMIT ${PAGE}`;
const STANDING = `SELECT count(DISTINCT d.subject) AS standing FROM document d WHERE ${OF_MONTH} AND ${STANDS} AND ${COUNTS}`;
const ANY = `SELECT 1 FROM document WHERE period = ? AND state = 'accepted' LIMIT 1`;

const COUNTED_IN_MONTH = `
  SELECT d.id, d.run, d.key, d.name, d.subject, d.state, c.body
  FROM document d LEFT JOIN content c ON c.document = d.id AND d.state = 'accepted'
  WHERE d.period = ? AND d.id > ? AND ${NOT_HELD} AND ${COUNTS} AND (${STANDS} OR d.state = 'rejected' AND d.earlier IS NULL)
  ORDER BY d.id LIMIT ${PAGE}`;

/** Yields the documents of a month that no deletion took back, in the order in which they were planned. */
export async function* monthDocuments(
  journal: Sql,
  month: string,
  testSet: string | undefined,
): AsyncIterable<MonthDocument> {
  const { inRealm } = knownDocuments(journal, testSet);
  interface Row extends Pick<Known, 'id' | 'run' | 'key' | 'name' | 'subject' | 'state'> {
    readonly body: string | null;
  }
  const page = (after: number) => journal.all<Row>(COUNTED_IN_MONTH, inRealm(month), after);
  for await (const { id, subject, body, ...document } of paged(0, page, (row) => row.id)) {
    const total = body === null ? undefined : netOf(parseCanonical(body));
    const { worker } = subjectParts((subject ?? '').slice(inRealm('').length));
    yield { ...document, subject: subject ?? String(id), person: worker, ...(total && { total }) };
  }
}

export function knownDocuments(journal: Sql, testSet: string | undefined) {
  const inRealm = (text: string): string => (testSet === undefined ? text : `${testSet}|${text}`);
  const top = (subject: string): Promise<Known | undefined> => journal.first<Known>(TOP, subject);
  const parts = ({ subject }: Known): ReturnType<typeof subjectParts> =>
    subjectParts((subject ?? '').slice(inRealm('').length));

  /** Yields the `top` of each subject of a query, page by page; `more` are its values after the last subject seen. */
  async function* tops(page: string, month: string, ...more: string[]): AsyncIterable<Known> {
    const rows = (after: string) => journal.all<{ subject: string }>(page, month, after, ...more);
    for await (const { subject } of paged('', rows, (row) => row.subject)) {
      const found = await top(subject);
      if (found !== undefined) yield found;
    }
  }

  return {
    /** Converts a subject or month to the form of the journal, which separates test sets. */
    inRealm,
    /**
     * Returns the document that counts for a worker's month: one that is still being sent, else the last accepted one,
     * else an unknown one that was given up. Accepted deletions with all that they took back, rejected documents and those
     * of held runs do not count.
     */
    top,
    /** Returns the same for the worker's number with other leading zeros. */
    async topWithOtherZeros(worker: string, month: string): Promise<Known | undefined> {
      const plain = worker.replace(/^0+(?=.)/, '');
      if (!/^\d+$/.test(plain)) return undefined;
      const subjects = Array.from(
        { length: MAX_DIGITS + 1 - plain.length },
        (_, zeros) => '0'.repeat(zeros) + plain,
      )
        .filter((number) => number !== worker)
        .map((number) => inRealm(workerMonth(number, month)));
      return subjects.length === 0 ? undefined : journal.first<Known>(topOf(subjects.length), ...subjects);
    },
    /** Returns the last accepted payroll or replacement. */
    latest: (subject: string) => journal.first<Known>(LATEST, subject),
    /**
     * Returns the number of a document of the subject that was rejected because DIAN has another one, which this journal
     * does not know.
     */
    takenElsewhere: async (subject: string) =>
      (await journal.first<Known>(NUMBER_ELSEWHERE, subject))?.number,
    /** True if no accepted deletion came after the document. */
    counts: async ({ id }: Known) => (await journal.first(COUNTED, id)) !== undefined,
    byCode: (code: string) => journal.first<Known>(BY_CODE, code, testSet ?? null),
    /** Returns the accepted note of a subject with this content, unless another document came after it. */
    async sameNote(subject: string, schema: SchemaName, hash: string): Promise<Known | undefined> {
      const same = await journal.first<Known>(SAME_NOTE, subject, schema, hash);
      if (same === undefined || schema === DELETION) return same;
      return (await top(subject))?.id === same.id ? same : undefined;
    },
    /** Returns the accepted document of a month that has the consecutive; undefined unless exactly one has it. */
    async byNumber(month: string, consecutive: number): Promise<Known | undefined> {
      const [only, ...others] = await journal.all<Known>(BY_NUMBER, month, consecutive);
      return others.length === 0 ? only : undefined;
    },
    /** Returns the document of a worker's month with this consecutive, in any state, an accepted one first. */
    namesake: (subject: string, consecutive: number) => journal.first<Known>(NAMESAKE, subject, consecutive),
    /** Yields the `top` of every worker's month that is not empty, by subject. */
    ofMonth: (month: string) => tops(SUBJECTS, month),
    /** Yields the accepted documents of workers of whom a run has nothing in the month; no novelties. */
    async *missingFrom(run: string, month: string): AsyncIterable<Known> {
      for await (const found of tops(MISSING, month, run))
        if (found.state === 'accepted' && !parts(found).novelty) yield found;
    },
    /** Counts the workers with an accepted document of the month that no deletion took back. */
    standing: async (month: string) =>
      (await onlyRow<{ standing: number }>(journal, STANDING, month)).standing,
    /** True if anything of the month was accepted. */
    hasMonth: async (month: string) => (await journal.first(ANY, month)) !== undefined,
    async body(id: number): Promise<JsonObject> {
      const text = 'SELECT body FROM content WHERE document = ?';
      return parseCanonical((await onlyRow<{ body: string }>(journal, text, id)).body);
    },
    /** Returns worker and month of a document. */
    parts,
  };
}

/** Says why a document cannot be sent: another one of the same worker and month is accepted, or not finished. */
export function conflict(holder: Known, run: string, held: JsonObject, body: JsonObject): Issue {
  if (holder.run === run) return createIssue('send/month-repeated', { key: holder.key });
  if (holder.state === 'planned') return createIssue('send/unfinished-run', { run: holder.run });
  const which = holder.state === 'accepted' ? 'accepted' : holder.state === 'pending' ? 'pending' : 'unknown';
  const params = {
    number: holder.number,
    cune: holder.documentCode ?? '—',
    date: String(valueAt(held, '/period/issue_date') ?? '—'),
    run: holder.run,
    rule: MONTH_RULE,
  };
  return {
    ...createCaseIssue('payroll/worker-month', which, params, { pointer: WORKER_PLACE }),
    value: workerOf(body),
  };
}

const CUNE: Pointer = '/predecessor/predecessor_cune';
const NUMBER: Pointer = '/predecessor/predecessor_number';
const DATE: Pointer = '/predecessor/predecessor_issue_date';

const NOTE = 'payroll/note-predecessor';
const AT_CUNE = { pointer: CUNE };

/** Returns the worker that a note is about: a deletion names no worker, but the key of its record may. */
const workerOfNote = (body: JsonObject, key: string, keyIsWorker: boolean): string | undefined => {
  const named = workerOf(body);
  if (named !== '') return named;
  return keyIsWorker ? plainDocument(key) : undefined;
};

/** Judges adjust notes by the documents that the journal has of their predecessors (payroll.md 8). */
export function noteAdmissions(
  { run, keyIsWorker }: Scope,
  known: KnownDocuments,
): (document: Document) => Promise<Admission> {
  /** Finds the predecessor by its CUNE; if no document has it, by worker, month and number. */
  async function predecessorOf(body: JsonObject, worker: string | undefined): Promise<Known | undefined> {
    const found = await known.byCode(textAt(body, CUNE));
    if (found !== undefined || worker === undefined) return found;
    return known.namesake(known.inRealm(workerMonth(worker, monthOf(body))), Number(textAt(body, NUMBER)));
  }

  /** Returns issues for values that the note and the journal state differently of the predecessor. */
  async function differences(body: JsonObject, before: Known): Promise<Issue[]> {
    const date = textAt(await known.body(before.id), '/period/issue_date');
    const facts: readonly (readonly [Pointer, string])[] = [
      [NUMBER, String(before.consecutive)],
      [CUNE, before.documentCode ?? ''],
      [DATE, date],
    ];
    return facts.flatMap(([pointer, fact]) => {
      const value = textAt(body, pointer);
      if (value === fact) return [];
      return [
        { ...createCaseIssue(NOTE, 'differs', { number: before.number, known: fact }, { pointer }), value },
      ];
    });
  }

  async function objections(body: JsonObject, before: Known, worker: string | undefined): Promise<Issue[]> {
    const { number, state, schema } = before;
    const parts = known.parts(before);
    if (worker !== undefined && (parts.worker !== worker || parts.month !== monthOf(body)))
      return [createCaseIssue(NOTE, 'other-worker', { number }, AT_CUNE)];
    if (state === 'rejected') return [createCaseIssue(NOTE, 'not-accepted', { number }, AT_CUNE)];
    if (state !== 'accepted') return [createCaseIssue(NOTE, 'open', { number, run: before.run }, AT_CUNE)];
    if (schema === DELETION) return [createCaseIssue(NOTE, 'a-deletion', { number }, AT_CUNE)];
    if (!(await known.counts(before))) return [createCaseIssue(NOTE, 'deleted', { number }, AT_CUNE)];
    return differences(body, before);
  }

  const isUnderWay = (before: Known | undefined): before is Known =>
    before !== undefined &&
    before.run !== run &&
    !before.givenUp &&
    before.state !== 'accepted' &&
    before.state !== 'rejected';

  return async ({ schema, hash, key, body }) => {
    const worker = workerOfNote(body, key, keyIsWorker);
    const before = await predecessorOf(body, worker);
    const ownSubject = worker === undefined ? textAt(body, CUNE) : workerMonth(worker, monthOf(body));
    const subject = before?.subject ?? known.inRealm(ownSubject);
    const inMonth = { subject, period: known.inRealm(monthOf(body)) };

    const same = await known.sameNote(subject, schema, hash);
    if (same !== undefined) return { is: 'earlier', subject, id: same.id, documentCode: same.documentCode };
    const issues = before === undefined ? [] : await objections(body, before, worker);
    if (issues.length > 0)
      return { is: 'refused', subject, issues, ...(isUnderWay(before) && { unfinished: before.run }) };

    const top = await known.top(subject);
    if (top !== undefined && top.state !== 'accepted') {
      if (top.run !== run)
        return behind(top, { ...inMonth, ...(before !== undefined && { predecessor: before.id }) });
      return { is: 'refused', subject, issues: [createIssue('send/month-repeated', { key: top.key })] };
    }
    if (before === undefined)
      return {
        is: 'new',
        ...inMonth,
        remarks: [createCaseIssue(NOTE, 'not-known', { number: textAt(body, NUMBER) }, AT_CUNE)],
      };
    const remarks =
      top === undefined || top.id === before.id
        ? []
        : [createCaseIssue(NOTE, 'replaced', { number: before.number, latest: top.number }, AT_CUNE)];
    return { is: 'new', ...inMonth, predecessor: before.id, remarks };
  };
}

const FIELDS = ['predecessor_number', 'predecessor_cune', 'predecessor_issue_date'] as const;

/** Fields that a note may leave blank, to be filled from the journal. */
export const PREDECESSOR_LEAVES: readonly Pointer[] = FIELDS.map((field) => `/predecessor/${field}`);

/**
 * Fills in the blank fields of a note's predecessor, if the journal has exactly one accepted document that can be it:
 * by CUNE, by worker and month, or by a number that only one document of the month has. Fields that stay blank are
 * missing, as without a journal. Changes the document.
 */
export function predecessorFiller({
  journal,
  testSet,
  keyIsWorker,
}: Omit<Scope, 'run'>): (
  document: JsonObject,
  about: { readonly schema: string; readonly key: string },
) => Promise<void> {
  const known = knownDocuments(journal, testSet);

  async function find(
    body: JsonObject,
    key: string,
    given: Readonly<Record<string, unknown>>,
  ): Promise<Known | undefined> {
    const { predecessor_cune: cune, predecessor_number: number } = given;
    if (cune !== undefined) return known.byCode(String(cune));
    const month = monthOf(body);
    const worker = workerOfNote(body, key, keyIsWorker);
    if (worker !== undefined) {
      const subject = known.inRealm(workerMonth(worker, month));
      const found = await (number === undefined
        ? known.latest(subject)
        : known.namesake(subject, Number(number)));
      if (found !== undefined) return found;
    }
    return number === undefined ? undefined : known.byNumber(known.inRealm(month), Number(number));
  }

  return async (document, { schema, key }) => {
    if (schema !== REPLACEMENT && schema !== DELETION) return;
    const given = (valueAt(document, '/predecessor') ?? {}) as JsonObject;
    if (FIELDS.every((field) => given[field] !== undefined)) return;
    const found = await find(document, key, given);
    if (found?.state !== 'accepted' || found.documentCode === null) return;
    document['predecessor'] = {
      predecessor_number: found.consecutive,
      predecessor_cune: found.documentCode,
      predecessor_issue_date: String(valueAt(await known.body(found.id), '/period/issue_date')),
      ...given,
    };
  };
}
