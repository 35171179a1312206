import { createIssue } from '../../send/create-issue.js';
import type { Sql } from '../../send/database.js';
import { runFindings } from '../../send/documents.js';
import type { PlannedRow } from '../../send/planned-document.js';
import { monthsOf, PAGE, pages } from '../../send/runs.js';
import { parseCanonical } from '../../toolkit/core/canonical.js';
import { compare, subtract } from '../../toolkit/core/decimal.js';
import { type Issue, NO_ISSUES, type Place } from '../../toolkit/core/issue.js';
import { unreachable } from '../../toolkit/core/required.js';
import { fold } from '../../toolkit/core/text.js';
import type { Document } from '../../toolkit/schema/document.js';
import type { MonthDifference, PartOfRun } from '../family.js';
import { changesSince } from './adjust-note.js';
import { type Known, type KnownDocuments, knownDocuments } from './known-documents.js';
import {
  isNovelty,
  monthBefore,
  monthOf,
  netOf,
  plainDocument,
  tableOf,
  WORKER_PLACE,
  workerMonth,
  workerOf,
} from './subject.js';

/** Returns a function that is true if the journal has accepted documents of the month before the given one. */
function comparedMonths(known: KnownDocuments): (month: string) => Promise<boolean> {
  const hasBefore = new Map<string, boolean>();
  return async (month) => {
    const there = hasBefore.get(month) ?? (await known.hasMonth(known.inRealm(monthBefore(month))));
    hasBefore.set(month, there);
    return there;
  };
}

/** Yields the workers who have an accepted payroll in the month before, and nothing in the month. */
async function* missingWorkers(known: KnownDocuments, month: string): AsyncIterable<Known> {
  for await (const found of known.ofMonth(known.inRealm(monthBefore(month)))) {
    const { worker, novelty } = known.parts(found);
    if (novelty || found.state !== 'accepted') continue;
    if ((await known.top(known.inRealm(workerMonth(worker, month)))) === undefined) yield found;
  }
}

/** Warns about differences from the month before, of which the journal must have accepted documents. */
export function monthRemarks(known: KnownDocuments) {
  const isCompared = comparedMonths(known);
  /** Months of which the run holds payrolls, and not only notes, each with a place for its issues. */
  const sheets = new Map<string, Place>();

  async function* missing(month: string, place: Place): AsyncIterable<Issue> {
    for await (const { key, name } of missingWorkers(known, month)) {
      const who = name === null ? key : `${key} ${name}`;
      const issue = createIssue('payroll/missing-worker', { month: monthBefore(month), who }, place);
      yield { ...issue, value: key, documentKey: key };
    }
  }

  return {
    /** Returns the warnings for one document; none if it is not to be sent. */
    async take(document: Document, isNew: boolean): Promise<readonly Issue[]> {
      const { body } = document;
      const worker = workerOf(body);
      const isNote = document.schema !== 'payroll/payroll';
      if (worker === '' || isNovelty(body)) return NO_ISSUES;
      const month = monthOf(body);
      if (!(await isCompared(month))) return NO_ISSUES;
      if (!isNote && !sheets.has(month)) sheets.set(month, tableOf(document));
      if (!isNew) return NO_ISSUES;
      const before = monthBefore(month);
      const latest = await known.latest(known.inRealm(workerMonth(worker, before)));
      if (latest === undefined) {
        if (isNote) return NO_ISSUES;
        return [
          {
            ...createIssue('payroll/new-worker', { month: before }, { pointer: WORKER_PLACE }),
            value: worker,
          },
        ];
      }
      return changesSince(await known.body(latest.id), body).map(({ code, pointer, value }) => ({
        ...createIssue(code, { month: before }, { pointer }),
        value,
      }));
    },
    /** Yields the missing workers, after all documents were seen. */
    async *finish(): AsyncIterable<Issue> {
      for (const [month, place] of sheets) yield* missing(month, place);
    },
  };
}

type Planned = Pick<PlannedRow, 'sequence' | 'key' | 'name' | 'body'>;

const payrollsOf = (which: PartOfRun): string => `
  SELECT d.sequence, d.key, d.name, c.body FROM document d JOIN content c ON c.document = d.id
  WHERE d.run = ? AND d.schema = 'payroll/payroll' AND d.sequence > ?
    ${which === 'planned' ? `AND d.state = 'planned'` : ''}
  ORDER BY d.sequence LIMIT ${PAGE}`;

const OF_RUN = 'SELECT 1 FROM document WHERE run = ? AND subject = ? LIMIT 1';

/**
 * Yields each worker whose pay in a run differs from the month before, of which the journal must have accepted
 * documents.
 */
export async function* monthDifferences(
  journal: Sql,
  run: string,
  testSet: string | undefined,
  which: PartOfRun,
): AsyncIterable<MonthDifference> {
  const known = knownDocuments(journal, testSet);
  const isCompared = comparedMonths(known);
  const compared = new Set<string>();
  for (const month of await monthsOf(journal, run)) if (await isCompared(month)) compared.add(month);
  if (compared.size === 0) return;
  /** Months of which the run holds payrolls, and not only notes. */
  const months = new Set<string>();
  const heldBack = new Set<string>();
  /** Names in documents that were left out, whose numbers may be wrong. */
  const heldBackNames = new Set<string>();
  for await (const { issue, document } of runFindings(journal, run)) {
    if (issue.level !== 'error') continue;
    if (issue.documentKey !== undefined) heldBack.add(plainDocument(issue.documentKey));
    if (document?.name !== undefined) heldBackNames.add(fold(document.name));
  }
  for await (const { key, name, body } of pages<Planned>(journal, payrollsOf(which), run)) {
    const document = parseCanonical(body);
    const month = monthOf(document);
    if (isNovelty(document) || !compared.has(month)) continue;
    months.add(month);
    const before = monthBefore(month);
    const latest = await known.latest(known.inRealm(workerMonth(workerOf(document), before)));
    const was = latest && netOf(await known.body(latest.id));
    const is = netOf(document) ?? unreachable('net of a payroll');
    if (latest !== undefined && (was === undefined || compare(was, is) === 0)) continue;
    yield {
      month: before,
      key,
      ...(name !== null && { name }),
      is,
      ...(was !== undefined && { was, difference: subtract(is, was) }),
    };
  }
  for (const month of months)
    for await (const found of missingWorkers(known, month)) {
      const { id, key, name } = found;
      const { worker } = known.parts(found);
      // A worker with an error in the file is not missing, nor one in a held run, which the other queries do not see.
      if (heldBack.has(worker) || (name !== null && heldBackNames.has(fold(name)))) continue;
      if (await journal.first(OF_RUN, run, known.inRealm(workerMonth(worker, month)))) continue;
      const was = netOf(await known.body(id));
      yield { month: monthBefore(month), key, ...(name !== null && { name }), ...(was && { was }) };
    }
}
