import type { Notes } from '../families/family.js';
import { capability } from '../families/registry.js';
import type { Series } from '../send/kind.js';
import { seriesInUse } from '../send/numbering.js';
import { stop } from '../toolkit/core/issue.js';
import type { Pointer } from '../toolkit/core/json.js';
import type { LoadedMapping } from '../toolkit/mapping/load.js';
import { emitChanges } from './approval-summary.js';
import { copiesFor } from './copies.js';
import { draftRun, firstNumber, keyIsSubject } from './draft-run.js';
import { emitMessage } from './events.js';
import { onFiles } from './files.js';
import { familyFor, loadJob, senderFor } from './job.js';
import { withSender } from './journal-access.js';
import { quoted } from './next-command.js';
import { namedValues, type SendOptions } from './options.js';
import { refuseOutput } from './outputs.js';
import { type Sending, type Steps, sendAll } from './send.js';
import { serviceAddress } from './service.js';

export interface AdjustOptions extends SendOptions {
  readonly reason?: string;
  readonly deleteMissing?: boolean;
}

/** Input of `adjust`: the job to send, and how its family corrects documents. */
interface AdjustRun extends Sending {
  readonly options: AdjustOptions;
  readonly by: Notes;
}

/** Returns the first number of a series: undefined if the journal has used it, else the number the parameters state. */
const firstNumbers =
  ({ job, kind, journal, by }: AdjustRun, firstNote: number | undefined) =>
  async (series: Series): Promise<number | undefined> => {
    if (await seriesInUse(journal, series)) return undefined;
    return series.typeDocumentId === by.series ? firstNote : firstNumber(job, kind);
  };

/** Returns the mapping with these fields optional: no column has to fill them. */
const withOptionalFields = (mapping: LoadedMapping, leaves: readonly Pointer[]): LoadedMapping => ({
  ...mapping,
  targets: mapping.targets.map((target) => {
    const fields = target.fields.map((field) =>
      leaves.includes(field.pointer) ? { ...field, needed: false } : field,
    );
    return { ...target, fields };
  }),
});

/** Makes the notes a sheet lists; fields it leaves blank come from their predecessors in the journal. */
function noteSteps(correcting: AdjustRun): Steps {
  const { context, options, job, kind, journal, by } = correcting;
  const first = firstNumbers(correcting, job.notes.first ?? firstNumber(job, kind));
  const filled = { ...job, mapping: withOptionalFields(job.mapping, by.known) };
  const keyIsWorker = keyIsSubject(job.mapping, kind);
  const complete = by.complete({ journal, testSet: options.testSet, keyIsWorker });
  return {
    draft: (call) => draftRun(context, options, { ...call, job: filled, complete, first }),
    show: ({ run }) => emitChanges(context, journal, by, run, false),
  };
}

/**
 * Compares the corrected month with the journal. A document that is no longer in the file is deleted only after a
 * separate confirmation.
 */
function monthSteps(correcting: AdjustRun): Steps {
  const { context, options, job, journal, by } = correcting;
  const { reason, testSet, deleteMissing } = options;
  const first = firstNumbers(correcting, job.notes.first);
  return {
    draft: (call) => {
      const shaping = by.compare({ ...job, reason, journal, testSet, deleteMissing });
      return draftRun(context, options, { ...call, shaping, first });
    },
    async show({ run, findings }) {
      await emitChanges(context, journal, by, run, true);
      if (findings.isPart) emitMessage(context, 'deletionsOfPart');
      else if (findings.errors > 0) emitMessage(context, 'deletionsUnknown');
    },
    async leavesOut({ proposed, planned, earlier }) {
      const count = proposed.length;
      const stay = planned + earlier - count;
      // A file without most of the month is rarely complete, so deleting them takes more than the option.
      if (count === 0 || (deleteMissing && count <= stay)) return false;
      const params = { count: String(count) };
      const ask = options.yes ? undefined : context.ask;
      if (deleteMissing && ask === undefined)
        stop('usage', { code: 'run/delete-most', params: { count, stay } });
      if (await ask?.confirm({ key: 'askDelete', params })) return false;
      emitMessage(context, 'deletionsLeftOut', params);
      return true;
    },
  };
}

/** Formats the `send` command that corrects the same files, with the options of this call. */
function sendCall(
  files: readonly string[],
  { mapping, params, month, param }: AdjustOptions,
  correcting: Readonly<Record<string, string>>,
): string {
  const named = { ...correcting, ...namedValues('-p', param) };
  const flags = Object.entries({ '-m': mapping, '--params': params, '--month': month });
  return [
    'send',
    ...files.map(quoted),
    ...flags.flatMap(([flag, value]) => (value === undefined ? [] : [flag, quoted(value)])),
    ...Object.entries(named).flatMap(([name, value]) => ['-p', quoted(`${name}=${value}`)]),
  ].join(' ');
}

/** `cargue adjust FILE...`: corrects accepted documents, by a sheet of notes or by a corrected month. */
export const adjust = onFiles<AdjustOptions>(async (context, opened, options, patterns) => {
  const job = await loadJob(context, opened, options);
  const schemas = job.mapping.targets.map(({ schema }) => schema);
  const family = familyFor(context, job.mapping);
  const { notes: by, bySend = {} } = (await capability(family, 'corrections')) ?? {};
  const file = by?.fileOf(schemas);
  if (Object.keys(bySend).some((name) => job.mapping.params.has(name)))
    return stop('usage', {
      code: 'run/adjusted-by-send',
      params: { command: sendCall(patterns, options, bySend) },
    });
  if (by === undefined || file === undefined)
    return stop('usage', { code: 'run/not-adjustable', value: schemas.join(', ') });
  const sender = await senderFor(context, job.mapping);
  const url = serviceAddress(context, options);
  refuseOutput(context, options, { purpose: 'report', output: options.report, files: job.opened.files });
  const copies = await copiesFor(context, job, options);
  return withSender(context, options, true, async (journal, asking) => {
    const correcting: AdjustRun = { context: asking, options, job, ...sender, url, journal, copies, by };
    const outcome = await sendAll(correcting, (file === 'whole' ? monthSteps : noteSteps)(correcting));
    await copies?.write();
    return outcome;
  });
});
