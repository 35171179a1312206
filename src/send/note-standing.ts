import type { Envelope } from '../document/envelope.js';
import type { Issue } from '../issues/issue.js';
import { DELETION } from '../payroll/adjust-note.js';
import { monthOf, plainDocument, workerMonth, workerOf } from '../payroll/subject.js';
import type { JsonObject } from '../values/json.js';
import { type Pointer, valueAt } from '../values/pointer.js';
import type { Known, KnownDocuments } from './known-documents.js';
import { say, sayCase } from './say.js';
import { behind, type Scope, type Standing } from './standing.js';

const CUNE: Pointer = '/predecessor/predecessor_cune';
const NUMBER: Pointer = '/predecessor/predecessor_number';
const DATE: Pointer = '/predecessor/predecessor_issue_date';

const textAt = (body: JsonObject, pointer: Pointer): string => String(valueAt(body, pointer) ?? '');

type Case = Parameters<typeof sayCase<'payroll/note-predecessor'>>[1];

const about = (
  which: Case,
  number: string,
  pointer: Pointer = CUNE,
  more: Readonly<Record<string, string>> = {},
): Issue => sayCase('payroll/note-predecessor', which, { number, ...more }, { pointer });

/** Whom a note is about: a deletion names nobody, but its record may. */
export const workerOfNote = (body: JsonObject, key: string, keyIsWorker: boolean): string | undefined => {
  const named = workerOf(body);
  if (named !== '') return named;
  return keyIsWorker ? plainDocument(key) : undefined;
};

/** How adjust notes stand with what the journal knows of the documents that they correct (payroll.md 8). */
export function noteStandings(
  { run, keyIsWorker }: Scope,
  known: KnownDocuments,
): (envelope: Envelope, body: JsonObject) => Standing {
  /** The predecessor by its CUNE; where no document has it, the one of the same worker, month and number. */
  function predecessorOf(body: JsonObject, worker: string | undefined): Known | undefined {
    const found = known.byCode(textAt(body, CUNE));
    if (found !== undefined || worker === undefined) return found;
    return known.namesake(known.inRealm(workerMonth(worker, monthOf(body))), Number(textAt(body, NUMBER)));
  }

  /** What the note says of its predecessor and the journal does not. */
  function differences(body: JsonObject, before: Known): Issue[] {
    const date = textAt(known.body(before.id), '/period/issue_date');
    const facts: readonly (readonly [Pointer, string])[] = [
      [NUMBER, String(before.consecutive)],
      [CUNE, before.documentCode ?? ''],
      [DATE, date],
    ];
    return facts.flatMap(([pointer, fact]) => {
      const value = textAt(body, pointer);
      if (value === fact) return [];
      return [{ ...about('differs', before.number, pointer, { known: fact }), value }];
    });
  }

  function objections(body: JsonObject, before: Known, worker: string | undefined): Issue[] {
    const { number, state, schema } = before;
    const parts = known.parts(before);
    if (worker !== undefined && (parts.worker !== worker || parts.month !== monthOf(body)))
      return [about('other-worker', number)];
    if (state === 'rejected') return [about('not-accepted', number)];
    if (state !== 'accepted') return [about('open', number, CUNE, { run: before.run })];
    if (schema === DELETION) return [about('a-deletion', number)];
    if (!known.counts(before)) return [about('deleted', number)];
    return differences(body, before);
  }

  const isUnderWay = (before: Known | undefined): before is Known =>
    before !== undefined &&
    before.run !== run &&
    before.givenUp === 0 &&
    before.state !== 'accepted' &&
    before.state !== 'rejected';

  return ({ schema, hash, key }, body) => {
    const worker = workerOfNote(body, key, keyIsWorker);
    const before = predecessorOf(body, worker);
    const own = worker === undefined ? textAt(body, CUNE) : workerMonth(worker, monthOf(body));
    const subject = before?.subject ?? known.inRealm(own);
    const inMonth = { subject, period: known.inRealm(monthOf(body)) };

    const same = known.sameNote(subject, schema, hash);
    if (same !== undefined) return { is: 'earlier', subject, id: same.id, documentCode: same.documentCode };
    const issues = before === undefined ? [] : objections(body, before, worker);
    if (issues.length > 0)
      return { is: 'refused', subject, issues, ...(isUnderWay(before) && { unfinished: before.run }) };

    const top = known.top(subject);
    if (top !== undefined && top.state !== 'accepted') {
      if (top.run !== run)
        return behind(top, { ...inMonth, ...(before !== undefined && { predecessor: before.id }) });
      return { is: 'refused', subject, issues: [say('send/month-repeated', { key: top.key })] };
    }
    if (before === undefined)
      return { is: 'new', ...inMonth, remarks: [about('not-known', textAt(body, NUMBER))] };
    const remarks =
      top === undefined || top.id === before.id
        ? []
        : [about('replaced', before.number, CUNE, { latest: top.number })];
    return { is: 'new', ...inMonth, predecessor: before.id, remarks };
  };
}
