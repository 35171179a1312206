import type { Envelope } from '../document/envelope.js';
import type { Issue } from '../issues/issue.js';
import { NOTE_TYPE, REPLACEMENT, saysTheSame } from '../payroll/adjust-note.js';
import { monthOf, payrollSubject, workerOf } from '../payroll/subject.js';
import type { JsonObject } from '../values/json.js';
import { valueAt } from '../values/pointer.js';
import { type Known, knownDocuments } from './known-documents.js';
import { monthRemarks } from './month-before.js';
import { noteStandings } from './note-standing.js';
import { say, sayCase } from './say.js';
import { behind, type Judge, type Scope, type Standing } from './standing.js';

const WORKER = { pointer: '/worker/identification_number' };

/** Payrolls and adjust notes against the journal: one document per worker and month, notes of what was accepted. */
export function payrollJudge(scope: Scope): Judge {
  const { journal, run, testSet } = scope;
  const known = knownDocuments(journal, testSet);
  const noteStanding = noteStandings(scope, known);
  const months = monthRemarks(known);

  function payrollStanding({ hash }: Envelope, body: JsonObject): Standing {
    const subject = known.inRealm(payrollSubject(body));
    const holder = known.top(subject);
    const inMonth = { subject, period: known.inRealm(monthOf(body)) };
    if (holder === undefined) return { is: 'new', ...inMonth, remarks: [] };
    const earlier: Standing = { is: 'earlier', subject, id: holder.id, documentCode: holder.documentCode };
    const isAccepted = holder.state === 'accepted';
    if (isAccepted && holder.hash === hash) return earlier;
    const held = known.body(holder.id);
    // The corrected file, after its correction was accepted.
    if (isAccepted && holder.schema === REPLACEMENT && saysTheSame(held, body)) return earlier;
    const issue = conflict(holder, run, held, body);
    if (!isAccepted && holder.run !== run) return behind(holder, inMonth, issue);
    return { is: 'refused', subject, issues: [issue] };
  }

  return {
    standing(envelope) {
      const body = envelope.document as unknown as JsonObject;
      const standing =
        body['type_document_id'] === NOTE_TYPE
          ? noteStanding(envelope, body)
          : payrollStanding(envelope, body);
      const remarks = months.take(envelope, body, standing.is === 'new');
      return standing.is === 'new' && remarks.length > 0
        ? { ...standing, remarks: [...standing.remarks, ...remarks] }
        : standing;
    },
    remarks: months.finish,
  };
}

/** Why a document cannot be sent: another one of the same worker and month is accepted, or on its way. */
export function conflict(holder: Known, run: string, held: JsonObject, body: JsonObject): Issue {
  if (holder.run === run) return say('send/month-repeated', { key: holder.key });
  if (holder.state === 'planned') return say('send/unfinished-run', { run: holder.run });
  const which = holder.state === 'accepted' ? 'accepted' : holder.state === 'pending' ? 'pending' : 'unknown';
  const params = {
    number: holder.number,
    cune: holder.documentCode ?? '—',
    date: String(valueAt(held, '/period/issue_date') ?? '—'),
    run: holder.run,
    rule: 'NIE199',
  };
  return { ...sayCase('payroll/worker-month', which, params, WORKER), value: workerOf(body) };
}
