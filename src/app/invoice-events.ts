import { writeFile } from 'node:fs/promises';
import type { Inquiry, Worklist } from '../families/family.js';
import { capability } from '../families/registry.js';
import { icsOf } from '../report/ics.js';
import { putInPlace } from '../report/put-in-place.js';
import { writeWorkbook } from '../report/workbook.js';
import { stop } from '../toolkit/core/issue.js';
import { dateInBogota } from '../toolkit/core/plain-date.js';
import { formatCount } from '../toolkit/messages/texts.js';
import type { Context, Outcome } from './context.js';
import { emitMessage } from './events.js';
import { onFiles } from './files.js';
import { familyFor, isReady, type Job, loadJob, readyFor } from './job.js';
import { withJournalIfAny } from './journal-access.js';
import type { SendOptions } from './options.js';
import { outputOf, refuseOutput } from './outputs.js';
import { confirmed } from './secrets.js';
import { sendJob } from './send.js';
import { clientFor, isRemote, serviceAddress } from './service.js';
import { askStates, subjectsIn } from './states.js';

export interface EventsOptions extends SendOptions {
  readonly worklist?: string;
  readonly ics?: string;
  /** Name of a query. */
  readonly ask?: string;
}

/** Returns the inquiry of the documents' family. @throws PipelineError('usage', events/not-events) if it has none */
const inquiryOf = async (context: Context, { mapping }: Job): Promise<Inquiry> =>
  (await capability(familyFor(context, mapping), 'inquiry')) ??
  stop('usage', { code: 'events/not-events', value: mapping.name });

/** Asks DIAN for the state of each invoice and writes the actions due; sends nothing. */
async function makeWorklist(context: Context, job: Job, options: EventsOptions): Promise<Outcome> {
  const { language } = context;
  const { worklist, ics } = options;
  refuseOutput(context, options, { purpose: 'worklist', output: worklist, files: job.opened.files });
  refuseOutput(context, options, { purpose: 'calendar', output: ics, files: job.opened.files });
  const url = serviceAddress(context, options);
  const inquiry = await inquiryOf(context, job);
  const subjects = await subjectsIn(context, job, inquiry, false);
  const params = { count: subjects.length, service: url.host };
  if (isRemote(url) && !(await confirmed(context, options, { key: 'askAsk', params }))) return 'fine';
  const client = await clientFor(context, options, url);
  try {
    const { known, stopped } = await askStates(context, options, {
      client,
      url,
      inquiry,
      subjects,
      ...(options.ask !== undefined && { by: options.ask }),
    });
    const named = await withJournalIfAny(context, options, async (journal) =>
      journal === undefined
        ? subjects
        : Promise.all(subjects.map((subject) => inquiry.known(journal, subject))),
    );
    const list = inquiry.worklist(language, dateInBogota(context.now()));
    const counts = new Map<string, number>();
    for (const subject of named) {
      const { state, shown } = list.add(subject, known.get(subject.id));
      counts.set(state, (counts.get(state) ?? 0) + 1);
      context.tell({ event: 'invoice', ...shown });
    }
    const written = await writeList(context, options, list);
    const states = [...counts]
      .map(([state, count]) => `${state}: ${formatCount(count, language)}`)
      .join(', ');
    emitMessage(context, 'invoicesAsked', { count: subjects.length, states });
    for (const file of written) emitMessage(context, 'written', { file });
    if (stopped) return 'unreachable';
    return known.size < subjects.length ? 'unfinished' : 'fine';
  } finally {
    await client.close();
  }
}

/** Writes the workbook and the calendar if requested; returns their paths. */
async function writeList(
  context: Context,
  options: EventsOptions,
  list: Worklist,
): Promise<readonly string[]> {
  const { worklist, ics } = options;
  const now = context.now();
  const written: string[] = [];
  if (worklist !== undefined)
    written.push(
      await putInPlace(
        worklist,
        (temporary) => writeWorkbook(temporary, [list.sheet()], { now }),
        outputOf(context, options, 'worklist'),
      ),
    );
  if (ics !== undefined)
    written.push(
      await putInPlace(
        ics,
        (temporary) => writeFile(temporary, icsOf(list.deadlines(), now)),
        outputOf(context, options, 'calendar'),
      ),
    );
  return written;
}

/** `cargue events FILE...`: registers events that follow those at DIAN, or writes a worklist of invoices. */
export const events = onFiles<EventsOptions>(async (context, opened, options) => {
  if (options.worklist === undefined && options.ics === undefined) {
    const job = await loadJob(context, opened, options);
    await inquiryOf(context, job);
    return sendJob(context, job, options);
  }
  const fromFiles =
    isReady(context, options.mapping) || readyFor(context, await opened.inputs()) !== undefined;
  // The worklist needs the invoices, not the events to register: their CUFEs are enough.
  const asked = fromFiles ? { byCufe: true, param: ['event_id=1', ...(options.param ?? [])] } : {};
  const job = await loadJob(context, opened, { ...options, ...asked });
  return makeWorklist(context, job, options);
});
