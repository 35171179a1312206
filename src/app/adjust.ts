import { hasErrors, type Issue, stop } from '../core/issue.js';
import { type JsonObject, type Pointer, valueAt } from '../core/json.js';
import {
  type Change,
  changesBetween,
  DELETION,
  deletionOf,
  NOTE_TYPE,
  type NoteOptions,
  REPLACEMENT,
  replacementOf,
  saysTheSame,
  wholeAs,
} from '../families/payroll/adjust-note.js';
import { conflict, PAYROLL, type PlannedChange, plannedChanges } from '../families/payroll/family.js';
import {
  type Known,
  knownDocuments,
  PREDECESSOR_LEAVES,
  predecessorFiller,
} from '../families/payroll/known-documents.js';
import { monthOf, payrollSubject, personOf, plainDocument } from '../families/payroll/subject.js';
import type { SchemaName } from '../generated/schema-types.js';
import type { LoadedMapping } from '../mapping/load.js';
import { type Draft, sealEnvelope } from '../schema/document.js';
import { checkRules } from '../schema/rules.js';
import { validate } from '../schema/validate.js';
import type { Spoolable } from '../send/documents.js';
import type { Journal } from '../send/journal.js';
import type { Series } from '../send/kind.js';
import { seriesInUse } from '../send/numbering.js';
import { annotationFor, writeAnnotation } from './annotation.js';
import type { Context, UseCase } from './context.js';
import { say } from './events.js';
import { type Job, loadJob } from './job.js';
import { withSender } from './journal-access.js';
import { refuseOutput } from './outputs.js';
import type { Findings } from './reading.js';
import { type Sending, type Steps, sendAll } from './send.js';
import { serviceAddress } from './service.js';
import { firstNumber, keyIsSubject, type Shaping, type ShapingScope, spoolJob } from './spool.js';

const kindOf = ({ schema }: PlannedChange): 'replace' | 'delete' | 'new' =>
  schema === REPLACEMENT ? 'replace' : schema === DELETION ? 'delete' : 'new';

/** What changes for a person: leaf by leaf where the document of before is known, else the totals. */
function fieldsOf(change: PlannedChange): readonly Change[] {
  const { body, predecessor } = change;
  if (kindOf(change) === 'delete')
    return predecessor === undefined ? [] : wholeAs('before', predecessor.body);
  return predecessor === undefined ? wholeAs('after', body) : changesBetween(predecessor.body, body);
}

/** Whether a change takes out somebody who is merely not in the file any more. */
const isProposed = (change: PlannedChange, comparesMonth: boolean): boolean =>
  comparesMonth && kindOf(change) === 'delete' && change.leads === undefined;

/**
 * Tells what a draft would change, per person and field, before anything is sent. `comparesMonth`: the file is a whole
 * month, so that a deletion means that somebody is not in it any more.
 */
async function tellChanges(
  context: Context,
  { journal, run, comparesMonth }: { journal: Journal; run: string; comparesMonth: boolean },
): Promise<void> {
  for (const change of plannedChanges(journal, run)) {
    const kind = kindOf(change);
    const proposed = isProposed(change, comparesMonth);
    context.tell({ event: 'change', kind, change, proposed, fields: fieldsOf(change) });
    await context.taken();
  }
}

const NOTES: readonly SchemaName[] = [REPLACEMENT, DELETION];

/** What `notes` says where nobody gave a reason; it goes to DIAN, in Spanish. */
const REASON = 'Corrección de la nómina';

/** A sheet of corrections makes notes itself; a whole month is compared with the journal. */
function comparesMonth({ mapping }: Job): boolean {
  const schemas = mapping.targets.map(({ schema }) => schema);
  if (schemas.every((schema) => schema === 'payroll/payroll')) return true;
  if (schemas.every((schema) => NOTES.includes(schema))) return false;
  return stop('usage', { code: 'run/not-adjustable', value: schemas.join(', ') });
}

/** A series goes on where the journal has it; only in an empty one the parameters say where it begins. */
const firstNumbers =
  ({ job, journal }: Sending, ofNotes: number | undefined) =>
  (series: Series): number | undefined => {
    if (seriesInUse(journal, series)) return undefined;
    return series.typeDocumentId === NOTE_TYPE ? ofNotes : firstNumber(job, PAYROLL);
  };

/** The mapping as it is where no column has to feed these leaves. */
const withoutNeeds = (mapping: LoadedMapping, leaves: readonly Pointer[]): LoadedMapping => ({
  ...mapping,
  targets: mapping.targets.map((target) => {
    const fields = target.fields.map((field) =>
      leaves.includes(field.pointer) ? { ...field, needed: false } : field,
    );
    return { ...target, fields };
  }),
});

/** Notes as the sheet says them, with what it leaves blank of their predecessors from the journal. */
function noteSteps(sending: Sending): Steps {
  const { context, options, job, journal } = sending;
  const first = firstNumbers(sending, job.notes.first ?? firstNumber(job, PAYROLL));
  const filled = { ...job, mapping: withoutNeeds(job.mapping, PREDECESSOR_LEAVES) };
  const complete = predecessorFiller({
    journal,
    testSet: options.testSet,
    keyIsWorker: keyIsSubject(job.mapping, PAYROLL),
  });
  return {
    spool: (call) => spoolJob(context, options, { ...call, job: filled, complete, first }),
    show: ({ run }) => tellChanges(context, { journal, run, comparesMonth: false }),
  };
}

/** What the corrected month comes down to; who is not in it any more is deleted only by a yes of its own. */
function monthSteps(sending: Sending): Steps {
  const { context, options, job, journal } = sending;
  const { reason = REASON, testSet } = options;
  const first = firstNumbers(sending, job.notes.first);

  return {
    spool: (call) =>
      spoolJob(context, options, {
        ...call,
        shaping: corrections(job, { reason }, { journal, testSet }),
        first,
      }),
    async show({ run, findings }) {
      await tellChanges(context, { journal, run, comparesMonth: true });
      if (findings.errors > 0) say(context, 'deletionsUnknown');
    },
    async leavesOut({ proposed }) {
      const count = proposed.length;
      if (count === 0 || options.deleteMissing) return false;
      const params = { count: String(count) };
      const ask = options.yes ? undefined : context.ask;
      if (await ask?.confirm({ key: 'askDelete', params })) return false;
      say(context, 'deletionsLeftOut', params);
      return true;
    },
  };
}

/** `cargue adjust FILE...`: corrects what was accepted, by notes that a sheet gives or that a corrected month needs. */
export const adjust: UseCase = async (context, files, options) => {
  const job = await loadJob(context, files, options);
  const stepsOf = comparesMonth(job) ? monthSteps : noteSteps;
  const url = serviceAddress(context, options);
  refuseOutput(context, options, { purpose: 'report', output: options.report, files: job.files });
  const annotation = annotationFor(context, job.files, options);
  return withSender(context, options, true, async (journal) => {
    const sending: Sending = { context, options, job, url, journal, annotation };
    const outcome = await sendAll(sending, stepsOf(sending));
    await writeAnnotation(context, annotation, options);
    return outcome;
  });
};

export interface CorrectionOptions {
  /** Goes to `notes` of every note. */
  readonly reason: string;
}

/** A person whom the file does not have and the journal does. */
interface Vanished {
  readonly known: Known;
  readonly body: JsonObject;
  readonly person: string | undefined;
}

/**
 * Compares the corrected payroll of a month with what the journal has as accepted: nothing for who did not change, a
 * replacement for who did, a new payroll for who is new, a deletion for who is gone. Who is gone and new under another
 * document number is one person: the deletion goes first, and the new payroll only after it. Other deletions are proposals.
 */
export function corrections(
  { mapping, notes }: Job,
  { reason }: CorrectionOptions,
  { journal, testSet }: ShapingScope,
): Shaping {
  const known = knownDocuments(journal, testSet);
  const levels = new Map([...mapping.rules].map(([code, { level }]) => [code, level]));
  const seen = new Set<string>();
  /** Date of issue of each month's documents. */
  const issueDates = new Map<string, string>();
  /** New people of the file: sequences by person. */
  const newcomers = new Map<string, number[]>();
  const counts = { last: 0, added: 0 };

  function noteOptions(before: Known, body: JsonObject, issueDate: string): NoteOptions {
    const { prefix = stop('usage', { code: 'run/needs-note-prefix' }) } = notes;
    const predecessor = {
      number: before.consecutive,
      cune: before.documentCode ?? '',
      issueDate: String(valueAt(body, '/period/issue_date')),
    };
    return { prefix, issueDate, reason, predecessor };
  }

  /** What a note needs and a payroll does not, such as bank data. */
  function errorsOf(note: JsonObject): readonly Issue[] {
    const rules = checkRules(REPLACEMENT, note, { derived: true, levels });
    return [...validate(REPLACEMENT, 'draft', note), ...rules].filter(({ level }) => level === 'error');
  }

  function compared(draft: Draft): Spoolable {
    const { document } = draft;
    const envelope = sealEnvelope(draft);
    const subject = known.inRealm(payrollSubject(document));
    const issueDate = String(valueAt(document, '/period/issue_date'));
    seen.add(subject);
    issueDates.set(monthOf(document), issueDate);
    counts.last = draft.sequence;

    const top = known.top(subject);
    if (top === undefined) {
      const person = personOf(document);
      if (person !== undefined) newcomers.set(person, [...(newcomers.get(person) ?? []), draft.sequence]);
      return envelope;
    }
    if (top.state !== 'accepted') return envelope; // its run must be finished first: the journal says so
    const before = known.body(top.id);
    if (top.hash === envelope.hash || saysTheSame(before, document)) return { ...envelope, accepted: top };
    const note = replacementOf(document, noteOptions(top, before, issueDate));
    const errors = errorsOf(note);
    const { sequence, key, name, trace } = draft;
    return {
      ...sealEnvelope({ sequence, key, ...(name && { name }), trace, schema: REPLACEMENT, document: note }),
      ...(hasErrors(errors) && { refused: errors }),
    };
  }

  function* vanished(heldBack: ReadonlySet<string>): Iterable<Vanished> {
    for (const month of issueDates.keys())
      for (const top of known.ofMonth(known.inRealm(month))) {
        const { worker, novelty } = known.parts(top);
        if (novelty || seen.has(top.subject ?? '') || heldBack.has(worker)) continue;
        const body = known.body(top.id);
        yield { known: top, body, person: personOf(body) };
      }
  }

  /** Of one without a verdict yet it is only said that its run comes first. */
  function deletion({ known: top, body }: Vanished, before?: number): Spoolable {
    counts.last += 1;
    counts.added += 1;
    const issueDate = issueDates.get(monthOf(body))!;
    const open = top.state !== 'accepted';
    return {
      ...sealEnvelope({
        sequence: counts.last,
        key: top.key,
        ...(top.name !== null && { name: top.name }),
        schema: DELETION,
        document: deletionOf(body, noteOptions(top, body, issueDate)),
        trace: new Map(),
      }),
      ...(open && { refused: [conflict(top, '', body, body)], unfinished: top.run }),
      ...(before !== undefined && { before }),
    };
  }

  /** The new document of a person who is gone under the old number; undefined unless it is plain who it is. */
  function renumbered({ person, known: { state } }: Vanished, gone: readonly Vanished[]): number | undefined {
    if (person === undefined || state !== 'accepted') return undefined;
    const [sequence, ...others] = newcomers.get(person) ?? [];
    const alone = others.length === 0 && gone.filter((one) => one.person === person).length === 1;
    return alone ? sequence : undefined;
  }

  function deletions({ errors, issues }: Findings): Spoolable[] {
    const faulty = issues.filter(({ level }) => level === 'error');
    const gone = [...vanished(new Set(faulty.map(({ documentKey = '' }) => plainDocument(documentKey))))];
    const certain: Spoolable[] = [];
    const proposals: Vanished[] = [];
    for (const one of gone) {
      const sequence = renumbered(one, gone);
      if (sequence !== undefined) certain.push(deletion(one, sequence));
      else if (errors === 0 && one.known.state !== 'accepted') certain.push(deletion(one));
      else proposals.push(one);
    }
    // A record with an error may be anybody's: only of people who are found again is it plain what became of them.
    if (errors > 0) return certain;
    return [...certain, ...proposals.map((one) => ({ ...deletion(one), proposed: true }))];
  }

  return {
    async *shape(reading) {
      for await (const drafts of reading.drafts) yield drafts.map(compared);
      yield deletions(reading.findings());
    },
    get added() {
      return counts.added;
    },
  };
}
