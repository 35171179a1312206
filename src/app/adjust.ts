import { stop } from '../core/issue.js';
import type { Pointer } from '../core/json.js';
import {
  type Change,
  changesBetween,
  DELETION,
  NOTE_TYPE,
  REPLACEMENT,
  wholeAs,
} from '../families/payroll/adjust-note.js';
import { PAYROLL, type PlannedChange, plannedChanges } from '../families/payroll/family.js';
import { PREDECESSOR_LEAVES, predecessorFiller } from '../families/payroll/known-documents.js';
import type { SchemaName } from '../generated/schema-types.js';
import type { LoadedMapping } from '../mapping/load.js';
import type { Journal } from '../send/journal.js';
import type { Series } from '../send/kind.js';
import { seriesInUse } from '../send/numbering.js';
import { annotationFor, writeAnnotation } from './annotation.js';
import type { Context, UseCase } from './context.js';
import { corrections } from './corrections.js';
import { say } from './events.js';
import { type Job, loadJob } from './job.js';
import { withSender } from './journal-access.js';
import { refuseOutput } from './outputs.js';

import { type Sending, type Steps, sendAll } from './send.js';
import { serviceAddress } from './service.js';
import { firstNumber, keyIsSubject, spoolJob } from './spool.js';

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
  for await (const change of plannedChanges(journal, run)) {
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
  async (series: Series): Promise<number | undefined> => {
    if (await seriesInUse(journal, series)) return undefined;
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
