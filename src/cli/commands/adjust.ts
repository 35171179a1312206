import type { SchemaName } from '../../generated/schema-types.js';
import { stop } from '../../issues/pipeline-error.js';
import type { LoadedMapping } from '../../mapping/load.js';
import { DELETION, NOTE_TYPE, REPLACEMENT } from '../../payroll/adjust-note.js';
import type { Series } from '../../send/kind.js';
import { PREDECESSOR_LEAVES, predecessorFiller } from '../../send/known-predecessor.js';
import { seriesInUse } from '../../send/numbering.js';
import type { Pointer } from '../../values/pointer.js';
import { annotationFor, writeAnnotation } from '../annotation.js';
import { tellChanges } from '../change-table.js';
import type { Run } from '../context.js';
import { corrections } from '../corrections.js';
import { type Job, loadJob } from '../job.js';
import { withSender } from '../journal-access.js';
import { refuseOutput } from '../outputs.js';
import { say } from '../say.js';
import { type Errand, type Sending, sendAll } from '../send-flow.js';
import { serviceAddress } from '../service.js';
import { firstNumber, keyIsWorker, spoolJob } from '../spooling.js';

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
    return series.typeDocumentId === NOTE_TYPE ? ofNotes : firstNumber(job);
  };

/** The mapping as it is where no column has to feed these leaves. */
const withoutNeeds = (mapping: LoadedMapping, leaves: readonly Pointer[]): LoadedMapping => ({
  ...mapping,
  targets: mapping.targets.map((target) => {
    const needs = target.tree.needs.filter(({ pointer }) => !leaves.includes(pointer));
    return { ...target, tree: { ...target.tree, needs } };
  }),
});

/** Notes as the sheet says them, with what it leaves blank of their predecessors from the journal. */
function notesErrand(sending: Sending): Errand {
  const { context, options, job, journal } = sending;
  const first = firstNumbers(sending, job.notes.first ?? firstNumber(job));
  const filled = { ...job, mapping: withoutNeeds(job.mapping, PREDECESSOR_LEAVES) };
  const complete = predecessorFiller({
    journal,
    testSet: options.testSet,
    keyIsWorker: keyIsWorker(job.mapping),
  });
  return {
    spool: (call) => spoolJob(context, options, { ...call, job: filled, complete, first }),
    show: ({ run }) => tellChanges(context, options, { journal, run, comparesMonth: false }),
  };
}

/** What the corrected month comes down to; who is not in it any more is deleted only by a yes of its own. */
function monthErrand(sending: Sending): Errand {
  const { context, options, job, journal } = sending;
  const { terminal, language } = context;
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
      await tellChanges(context, options, { journal, run, comparesMonth: true });
      if (findings.errors > 0) terminal.say(say(language, 'deletionsUnknown'));
    },
    async leavesOut({ proposed }) {
      const count = proposed.length;
      if (count === 0 || options.deleteMissing) return false;
      const asks = terminal.interactive && !options.yes;
      if (asks && (await context.ask.yes(say(language, 'askDelete', { count })))) return false;
      terminal.say(say(language, 'deletionsLeftOut', { count }));
      return true;
    },
  };
}

/** `cargue adjust FILE...`: corrects what was accepted, by notes that a sheet gives or that a corrected month needs. */
export const run: Run = async (context, files, options) => {
  const job = await loadJob(files, options);
  const errandOf = comparesMonth(job) ? monthErrand : notesErrand;
  const url = serviceAddress(context, options);
  refuseOutput(context, options, { purpose: 'report', output: options.report, files: job.files });
  const annotation = annotationFor(context, job.files, options);
  return withSender(context, options, true, async (journal) => {
    const sending: Sending = { context, options, job, url, journal, annotation };
    const code = await sendAll(sending, errandOf(sending));
    await writeAnnotation(context, annotation, options);
    return code;
  });
};
