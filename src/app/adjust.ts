import type { Notes } from '../families/family.js';
import { capability } from '../families/registry.js';
import type { Series } from '../send/kind.js';
import { seriesInUse } from '../send/numbering.js';
import { stop } from '../toolkit/core/issue.js';
import type { Pointer } from '../toolkit/core/json.js';
import type { LoadedMapping } from '../toolkit/mapping/load.js';
import { copiesFor } from './copies.js';
import { say } from './events.js';
import { onFiles } from './files.js';
import { quoted } from './follow-up.js';
import { familyFor, loadJob, senderFor } from './job.js';
import { withSender } from './journal-access.js';
import { namedValues, type SendOptions } from './options.js';
import { refuseOutput } from './outputs.js';
import { type Sending, type Steps, sendAll } from './send.js';
import { serviceAddress } from './service.js';
import { firstNumber, keyIsSubject, spoolJob } from './spool.js';
import { tellChanges } from './to-decide.js';

export interface AdjustOptions extends SendOptions {
  readonly reason?: string;
  readonly deleteMissing?: boolean;
}

/** What corrects the documents of a job. */
interface Correcting extends Sending {
  readonly options: AdjustOptions;
  readonly by: Notes;
}

/** A series goes on where the journal has it; only in an empty one the parameters say where it begins. */
const firstNumbers =
  ({ job, kind, journal, by }: Correcting, ofNotes: number | undefined) =>
  async (series: Series): Promise<number | undefined> => {
    if (await seriesInUse(journal, series)) return undefined;
    return series.typeDocumentId === by.series ? ofNotes : firstNumber(job, kind);
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
function noteSteps(correcting: Correcting): Steps {
  const { context, options, job, kind, journal, by } = correcting;
  const first = firstNumbers(correcting, job.notes.first ?? firstNumber(job, kind));
  const filled = { ...job, mapping: withoutNeeds(job.mapping, by.known) };
  const keyIsWorker = keyIsSubject(job.mapping, kind);
  const complete = by.complete({ journal, testSet: options.testSet, keyIsWorker });
  return {
    spool: (call) => spoolJob(context, options, { ...call, job: filled, complete, first }),
    show: ({ run }) => tellChanges(context, journal, by, run, false),
  };
}

/** What the corrected month comes down to; who is not in it any more is deleted only by a yes of its own. */
function wholeSteps(correcting: Correcting): Steps {
  const { context, options, job, journal, by } = correcting;
  const { reason, testSet, deleteMissing } = options;
  const first = firstNumbers(correcting, job.notes.first);
  return {
    spool: (call) => {
      const shaping = by.compare({ ...job, reason, journal, testSet, deleteMissing });
      return spoolJob(context, options, { ...call, shaping, first });
    },
    async show({ run, findings }) {
      await tellChanges(context, journal, by, run, true);
      if (findings.isPart) say(context, 'deletionsOfPart');
      else if (findings.errors > 0) say(context, 'deletionsUnknown');
    },
    async leavesOut({ proposed, planned, earlier }) {
      const count = proposed.length;
      const stay = planned + earlier - count;
      // A file that lacks most of the month is hardly the whole of it: that takes more than an option.
      if (count === 0 || (deleteMissing && count <= stay)) return false;
      const params = { count: String(count) };
      const ask = options.yes ? undefined : context.ask;
      if (deleteMissing && ask === undefined)
        stop('usage', { code: 'run/delete-most', params: { count, stay } });
      if (await ask?.confirm({ key: 'askDelete', params })) return false;
      say(context, 'deletionsLeftOut', params);
      return true;
    },
  };
}

/** The call of `send` that corrects the same files; what this call says itself stays. */
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

/** `cargue adjust FILE...`: corrects what was accepted, by notes that a sheet gives or that a corrected month needs. */
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
    const correcting: Correcting = { context: asking, options, job, ...sender, url, journal, copies, by };
    const outcome = await sendAll(correcting, (file === 'whole' ? wholeSteps : noteSteps)(correcting));
    await copies?.write();
    return outcome;
  });
});
