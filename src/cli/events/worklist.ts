import type { Registered } from '../../events/sequence.js';
import { eventName } from '../../events/sequence.js';
import { type Work, workOf } from '../../events/worklist.js';
import { type WorklistRow, writeWorklist } from '../../report/worklist.js';
import type { InvoiceEvent } from '../../send/events/event-queries.js';
import { dateInBogota } from '../../values/plain-date.js';
import { clientFor } from '../client-for.js';
import type { Context } from '../context.js';
import { EXIT, type ExitCode } from '../exit-code.js';
import type { Job } from '../job.js';
import type { Options } from '../options.js';
import { outputOf, refuseOutput } from '../outputs.js';
import { formatCount, say } from '../say.js';
import { confirmed, isElsewhere, serviceAddress } from '../service.js';
import { askStates } from './invoice-states.js';
import { invoicesIn, type NamedInvoice } from './invoices-in.js';

interface Line {
  readonly invoice: NamedInvoice;
  readonly events: readonly InvoiceEvent[] | undefined;
  readonly work: Work | undefined;
}

const stateOf = ({ work }: Line) => `state-${work?.state ?? 'unknown'}` as const;

const eventText = ({ code, date }: Registered): string => (date === undefined ? code : `${code} ${date}`);

function rowOf({ language }: Context, line: Line): WorklistRow {
  const { invoice, events = [], work } = line;
  const settled = work !== undefined && work.next.length === 0;
  return {
    invoice: invoice.name,
    cufe: invoice.cufe,
    state: say(language, stateOf(line)),
    tone: work === undefined ? 'doubt' : settled ? 'good' : 'waiting',
    events: events.map(eventText).join('; '),
    next: (work?.next ?? []).map(eventName).join('; '),
    deadline: work?.deadline ?? '',
    day: work?.day,
  };
}

const lineEvent = ({ invoice, events, work }: Line): string =>
  JSON.stringify({
    event: 'invoice',
    invoice: invoice.name,
    cufe: invoice.cufe,
    state: work?.state ?? null,
    events: events ?? null,
    next: work?.next ?? [],
    deadline: work?.deadline ?? null,
    day: work?.day ?? null,
  });

function sumUp({ terminal, language }: Context, lines: readonly Line[]): void {
  const counts = new Map<string, number>();
  for (const line of lines) {
    const state = say(language, stateOf(line));
    counts.set(state, (counts.get(state) ?? 0) + 1);
  }
  const states = [...counts].map(([state, count]) => `${state}: ${formatCount(count, language)}`).join(', ');
  terminal.say(say(language, 'invoicesAsked', { count: formatCount(lines.length, language), states }));
}

/** Asks where the invoices of the files stand and writes what is to be done with each; sends nothing. */
export async function makeWorklist(
  context: Context,
  job: Job,
  options: Options,
  output: string,
): Promise<ExitCode> {
  const { terminal, language } = context;
  refuseOutput(context, options, { purpose: 'worklist', output, files: job.files });
  const url = serviceAddress(context, options);
  const invoices = await invoicesIn(context, job, options, false);
  const question = say(language, 'askAsk', {
    count: formatCount(invoices.length, language),
    service: url.host,
  });
  if (isElsewhere(url) && !(await confirmed(context, options, question))) return EXIT.fine;
  const client = await clientFor(context, options, url);
  try {
    const today = dateInBogota(context.now());
    const { known, stopped } = await askStates(context, options, {
      client,
      url,
      invoices,
      ...(options.ask !== undefined && { by: options.ask }),
    });
    const lines = invoices.map((invoice): Line => {
      const events = known.get(invoice.cufe);
      return { invoice, events, work: events && workOf(events, today) };
    });
    if (options.json) for (const line of lines) terminal.out(lineEvent(line));
    const rows = lines.map((line) => rowOf(context, line));
    const file = await writeWorklist(output, rows, {
      language,
      now: context.now(),
      placing: outputOf(context, options, 'worklist'),
    });
    sumUp(context, lines);
    terminal.say(say(language, 'written', { file }));
    if (stopped) return EXIT.unreachable;
    return known.size < invoices.length ? EXIT.unfinished : EXIT.fine;
  } finally {
    await client.close();
  }
}
