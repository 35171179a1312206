import type { DocumentState } from '../document/outcome.js';
import type { SchemaName } from '../generated/schema-types.js';
import { DELETION } from '../payroll/adjust-note.js';
import { subjectParts } from '../payroll/subject.js';
import type { JsonObject } from '../values/json.js';
import type { Journal } from './journal.js';
import { GIVEN_UP, NOT_HELD } from './runs.js';

/** A document of payroll as the journal knows it. */
export interface Known {
  readonly id: number;
  readonly run: string;
  readonly key: string;
  readonly name: string | null;
  readonly schema: SchemaName;
  /** As the journal has it: see `inRealm`. */
  readonly subject: string | null;
  readonly state: DocumentState;
  readonly hash: string;
  /** Prefix and consecutive joined. */
  readonly number: string;
  readonly consecutive: number;
  /** Proven once accepted; before, only something to ask with. */
  readonly documentCode: string | null;
  /** Whether nobody asks about it any more: 1 or 0. */
  readonly givenUp: number;
}

/**
 * What the journal knows of payrolls and notes of one test set, or of production. Subjects and months are those of the
 * journal (`inRealm`). Statements are prepared once.
 */
export interface KnownDocuments {
  /** A subject, or a month, as it is told apart from those of other test sets. */
  inRealm(text: string): string;
  /**
   * How a worker's month stands: what is still on its way, else the last one accepted, else what was given up in doubt.
   * What an accepted deletion took back, what was rejected, and what a held run has, does not count.
   */
  top(subject: string): Known | undefined;
  /** The last one accepted, payroll or replacement. */
  latest(subject: string): Known | undefined;
  /** Whether no accepted deletion came after it. */
  counts(known: Known): boolean;
  byCode(code: string): Known | undefined;
  /** The note of a subject that was accepted with this content, unless another document came after it. */
  sameNote(subject: string, schema: SchemaName, hash: string): Known | undefined;
  /** An accepted document of a month by its consecutive; undefined unless exactly one has it. */
  byNumber(month: string, consecutive: number): Known | undefined;
  /** The document of a worker's month with this consecutive, in any state, an accepted one first. */
  namesake(subject: string, consecutive: number): Known | undefined;
  /** The `top` of every worker's month that is not empty, by subject. */
  ofMonth(month: string): Iterable<Known>;
  /** Whether anything of the month was accepted. */
  hasMonth(month: string): boolean;
  body(id: number): JsonObject;
  /** Worker and month of a document. */
  parts(known: Known): ReturnType<typeof subjectParts>;
}

const COLUMNS = `d.id, d.run, d.key, d.name, d.schema, d.subject, d.state, d.hash, d.prefix || d.consecutive AS number,
  d.consecutive, d.document_code AS documentCode, ${GIVEN_UP} AS givenUp`;

/** An accepted deletion takes back all of its subject that came before. */
const COUNTS = `d.id > coalesce((SELECT max(x.id) FROM document x WHERE x.subject = d.subject
  AND x.schema = '${DELETION}' AND x.state = 'accepted' AND x.earlier IS NULL), 0)`;
const STANDS = `d.earlier IS NULL AND d.state <> 'rejected' AND NOT (d.schema = '${DELETION}' AND d.state = 'accepted')`;

const PAGE = 256;

export function knownDocuments(journal: Journal, testSet: string | undefined): KnownDocuments {
  const where = (condition: string, order = 'd.id DESC') =>
    journal.prepare(`SELECT ${COLUMNS} FROM document d WHERE ${condition} ORDER BY ${order} LIMIT 1`);
  const top = where(
    `d.subject = ? AND ${STANDS} AND ${NOT_HELD} AND ${COUNTS}`,
    `${GIVEN_UP}, d.state = 'accepted', d.id DESC`,
  );
  const latest = where(`d.subject = ? AND ${STANDS} AND d.state = 'accepted' AND ${COUNTS}`);
  const counts = where(`d.id = ? AND ${COUNTS}`);
  const byCode = where(
    `d.document_code = ? AND d.earlier IS NULL AND (SELECT test_set FROM run WHERE id = d.run) IS ?`,
    `d.state = 'accepted' DESC`,
  );
  const sameNote = where(
    `d.subject = ? AND d.schema = ? AND d.hash = ? AND d.state = 'accepted' AND d.earlier IS NULL`,
  );
  const namesake = where(
    `d.subject = ? AND d.consecutive = ? AND d.earlier IS NULL AND ${NOT_HELD}`,
    `d.state = 'accepted' DESC, d.id DESC`,
  );
  const byNumber = journal.prepare(`
    SELECT ${COLUMNS} FROM document d
    WHERE d.period = ? AND d.consecutive = ? AND d.state = 'accepted' AND d.earlier IS NULL LIMIT 2`);
  const subjects = journal.prepare(`
    SELECT DISTINCT subject FROM document WHERE period = ? AND subject > ? AND earlier IS NULL
    ORDER BY subject LIMIT ${PAGE}`);
  const any = journal.prepare(`SELECT 1 FROM document WHERE period = ? AND state = 'accepted' LIMIT 1`);
  const body = journal.prepare('SELECT body FROM content WHERE document = ?');

  const inRealm = (text: string): string => (testSet === undefined ? text : `${testSet}|${text}`);

  return {
    inRealm,
    top: (subject) => top.first<Known>(subject),
    latest: (subject) => latest.first<Known>(subject),
    counts: ({ id }) => counts.first(id) !== undefined,
    byCode: (code) => byCode.first<Known>(code, testSet ?? null),
    sameNote(subject, schema, hash) {
      const same = sameNote.first<Known>(subject, schema, hash);
      if (same === undefined || schema === DELETION) return same;
      return top.first<Known>(subject)?.id === same.id ? same : undefined;
    },
    byNumber(month, consecutive) {
      const [only, ...others] = byNumber.all<Known>(month, consecutive);
      return others.length === 0 ? only : undefined;
    },
    namesake: (subject, consecutive) => namesake.first<Known>(subject, consecutive),
    *ofMonth(month) {
      for (let after = ''; ; ) {
        const page = subjects.all<{ subject: string }>(month, after);
        for (const { subject } of page) {
          const found = top.first<Known>(subject);
          if (found !== undefined) yield found;
        }
        if (page.length < PAGE) return;
        after = page.at(-1)!.subject;
      }
    },
    hasMonth: (month) => any.first(month) !== undefined,
    body: (id) => JSON.parse(body.first<{ body: string }>(id)!.body) as JsonObject,
    parts: ({ subject }) => subjectParts((subject ?? '').slice(inRealm('').length)),
  };
}
