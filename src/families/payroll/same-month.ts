import { createIssue } from '../../send/create-issue.js';
import type { Admission } from '../../send/kind.js';
import type { Issue, Place } from '../../toolkit/core/issue.js';
import type { JsonObject } from '../../toolkit/core/json.js';
import { type Document, placesOf } from '../../toolkit/schema/document.js';
import type { Known, KnownDocuments } from './known-documents.js';
import {
  isNovelty,
  monthOf,
  payrollSubject,
  personOf,
  plainDocument,
  tableOf,
  WORKER_PLACE,
  workerOf,
} from './subject.js';

/** Collects the new people of a month, with what identifies them. */
export function newcomers<T>() {
  const byPerson = new Map<string, T[]>();
  return {
    add(body: JsonObject, document: T): void {
      const person = personOf(body);
      if (person !== undefined) byPerson.set(person, [...(byPerson.get(person) ?? []), document]);
    },
    get size() {
      return byPerson.size;
    },
    has: (person: string | undefined): person is string => person !== undefined && byPerson.has(person),
    /**
     * Returns the new document of a person who is gone under the old number; undefined unless it is certain who it is.
     */
    renumbered(person: string | undefined, gone: readonly (string | undefined)[]): T | undefined {
      const [document, ...others] = byPerson.get(person ?? '') ?? [];
      const isAlone = others.length === 0 && gone.filter((other) => other === person).length === 1;
      return isAlone ? document : undefined;
    },
  };
}

/** Compares the payrolls of a run with the accepted ones of the month that are not in the run. */
export function sameMonth(known: KnownDocuments, run: string) {
  /** Months with accepted documents, each with the table that is of it; undefined for the others. */
  const months = new Map<string, Place | undefined>();
  const fresh = newcomers<{ readonly sequence: number; readonly issue: (number: string) => Issue }>();
  const refused = new Set<string>();
  const absent = new Map<string, number>();

  async function isKnown(month: string, document: Document): Promise<boolean> {
    if (!months.has(month))
      months.set(month, (await known.hasMonth(known.inRealm(month))) ? tableOf(document) : undefined);
    return months.get(month) !== undefined;
  }

  return {
    async take(document: Document, admission: Admission): Promise<void> {
      const { body, sequence, key, trace } = document;
      if (document.schema !== 'payroll/payroll' || isNovelty(body)) return;
      if (!(await isKnown(monthOf(body), document))) return;
      if (admission.is === 'refused') refused.add(known.inRealm(payrollSubject(body)));
      if (admission.is !== 'new') return;
      const [cell] = placesOf(trace, WORKER_PLACE);
      const value = workerOf(body);
      const issue = (number: string): Issue => ({
        ...createIssue('payroll/renumbered', { number }, { ...cell, pointer: WORKER_PLACE }),
        documentKey: key,
        value,
      });
      fresh.add(body, { sequence, issue });
    },
    /**
     * Refuses people who came under another number, whose month would be sent twice. By sequence; `unmade`: keys of
     * documents with errors.
     */
    async refusals(unmade: Iterable<string>): Promise<ReadonlyMap<number, Issue>> {
      const faulty = new Set([...unmade].map(plainDocument));
      const found = new Map<number, Issue>();
      for (const [month, place] of months) {
        if (place === undefined) continue;
        const standing = await known.standing(known.inRealm(month));
        let missing = 0;
        const gone: { known: Known; person: string }[] = [];
        for await (const missed of known.missingFrom(run, known.inRealm(month))) {
          if (refused.has(missed.subject ?? '') || faulty.has(known.parts(missed).worker)) continue;
          missing += 1;
          // A file of another branch lacks most of the month, which is no fault.
          if (fresh.size === 0 && missing >= standing - missing) break;
          const person = fresh.size === 0 ? undefined : personOf(await known.body(missed.id));
          if (fresh.has(person)) gone.push({ known: missed, person });
        }
        const people = gone.map(({ person }) => person);
        for (const { known: before, person } of gone) {
          const now = fresh.renumbered(person, people);
          if (now === undefined) continue;
          found.set(now.sequence, now.issue(before.number));
          missing -= 1;
        }
        if (missing < standing - missing) absent.set(month, missing);
      }
      return found;
    },
    /** Yields how many accepted documents a file with most of the month lacks; after `refusals`. */
    *remarks(): Iterable<Issue> {
      for (const [month, count] of absent)
        if (count > 0) yield createIssue('payroll/absent', { month, count }, months.get(month));
    },
  };
}
