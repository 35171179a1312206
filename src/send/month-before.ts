import type { Envelope } from '../document/envelope.js';
import { placesOf } from '../document/trace.js';
import type { Issue, Place } from '../issues/issue.js';
import { changesSince } from '../payroll/month-changes.js';
import { monthBefore, monthOf, workerMonth, workerOf } from '../payroll/subject.js';
import type { JsonObject } from '../values/json.js';
import { valueAt } from '../values/pointer.js';
import type { KnownDocuments } from './known-documents.js';
import { say } from './say.js';

const WORKER = '/worker/identification_number';

/** What is not as in the month before, of which the journal must have something accepted. All of it are warnings. */
export interface MonthRemarks {
  /** Of one document; of one that is not to be sent nothing is remarked. */
  take(envelope: Envelope, body: JsonObject, isNew: boolean): readonly Issue[];
  /** Who is missing, once all documents were seen. */
  finish(): Iterable<Issue>;
}

const NONE: readonly Issue[] = [];

const tableOf = ({ trace }: Envelope): Place => {
  const [{ file, sheet } = {} as Place] = placesOf(trace, WORKER);
  return { ...(file !== undefined && { file }), ...(sheet !== undefined && { sheet }) };
};

export function monthRemarks(known: KnownDocuments): MonthRemarks {
  const hasBefore = new Map<string, boolean>();
  /** Months of which the run holds payrolls, and not only notes, each with a place to speak of it. */
  const sheets = new Map<string, Place>();

  function isCompared(month: string): boolean {
    const there = hasBefore.get(month) ?? known.hasMonth(known.inRealm(monthBefore(month)));
    hasBefore.set(month, there);
    return there;
  }

  function* missing(month: string, place: Place): Iterable<Issue> {
    const before = monthBefore(month);
    for (const one of known.ofMonth(known.inRealm(before))) {
      const { worker, novelty } = known.parts(one);
      if (novelty || one.state !== 'accepted') continue;
      if (known.top(known.inRealm(workerMonth(worker, month))) !== undefined) continue;
      const issue = say('payroll/missing-worker', { month: before }, place);
      yield { ...issue, value: one.key, documentKey: one.key };
    }
  }

  return {
    take(envelope, body, isNew) {
      const worker = workerOf(body);
      const isNote = envelope.schema !== 'payroll/payroll';
      if (worker === '' || valueAt(body, '/novelty/novelty') === true) return NONE;
      const month = monthOf(body);
      if (!isCompared(month)) return NONE;
      if (!isNote && !sheets.has(month)) sheets.set(month, tableOf(envelope));
      if (!isNew) return NONE;
      const before = monthBefore(month);
      const latest = known.latest(known.inRealm(workerMonth(worker, before)));
      if (latest === undefined) {
        if (isNote) return NONE;
        return [{ ...say('payroll/new-worker', { month: before }, { pointer: WORKER }), value: worker }];
      }
      return changesSince(known.body(latest.id), body).map(({ code, pointer, value }) => ({
        ...say(code, { month: before }, { pointer }),
        value,
      }));
    },
    *finish() {
      for (const [month, place] of sheets) yield* missing(month, place);
    },
  };
}
