import { DELETION, REPLACEMENT } from '../payroll/adjust-note.js';
import { monthOf, workerMonth } from '../payroll/subject.js';
import type { JsonObject } from '../values/json.js';
import { type Pointer, valueAt } from '../values/pointer.js';
import { type Known, knownDocuments } from './known-documents.js';
import { workerOfNote } from './note-standing.js';
import type { Scope } from './standing.js';

const FIELDS = ['predecessor_number', 'predecessor_cune', 'predecessor_issue_date'] as const;

/** What a note may leave to the journal. */
export const PREDECESSOR_LEAVES: readonly Pointer[] = FIELDS.map((field) => `/predecessor/${field}`);

type Given = Readonly<Record<string, unknown>>;

/**
 * Fills in what a note leaves blank of the document that it corrects, where the journal knows one accepted document
 * that it can be: by CUNE, by worker and month, or by a number that only one document of the month has. What stays
 * blank is missing, as it is without a journal. Changes the document it is given.
 */
export function predecessorFiller({
  journal,
  testSet,
  keyIsWorker,
}: Omit<Scope, 'run'>): (
  document: JsonObject,
  about: { readonly schema: string; readonly key: string },
) => void {
  const known = knownDocuments(journal, testSet);

  function find(body: JsonObject, key: string, given: Given): Known | undefined {
    const { predecessor_cune: cune, predecessor_number: number } = given;
    if (cune !== undefined) return known.byCode(String(cune));
    const month = monthOf(body);
    const worker = workerOfNote(body, key, keyIsWorker);
    if (worker !== undefined) {
      const subject = known.inRealm(workerMonth(worker, month));
      const found = number === undefined ? known.latest(subject) : known.namesake(subject, Number(number));
      if (found !== undefined) return found;
    }
    return number === undefined ? undefined : known.byNumber(known.inRealm(month), Number(number));
  }

  return (document, { schema, key }) => {
    if (schema !== REPLACEMENT && schema !== DELETION) return;
    const given = (valueAt(document, '/predecessor') ?? {}) as JsonObject;
    if (FIELDS.every((field) => given[field] !== undefined)) return;
    const found = find(document, key, given);
    if (found?.state !== 'accepted' || found.documentCode === null) return;
    document['predecessor'] = {
      predecessor_number: found.consecutive,
      predecessor_cune: found.documentCode,
      predecessor_issue_date: String(valueAt(known.body(found.id), '/period/issue_date')),
      ...given,
    };
  };
}
