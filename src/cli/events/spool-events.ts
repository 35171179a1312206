import type { Registered } from '../../events/sequence.js';
import type { Issue } from '../../issues/issue.js';
import { sealEnvelope } from '../../pipeline/seal.js';
import type { AskedInvoice } from '../../send/events/event-queries.js';
import { acceptedEvents, eventOf } from '../../send/events/event-subject.js';
import type { Spoolable } from '../../send/spool.js';
import type { JsonObject } from '../../values/json.js';
import { dateInBogota } from '../../values/plain-date.js';
import { clientFor } from '../client-for.js';
import type { Context } from '../context.js';
import { createIssuePrinter } from '../issue-printer.js';
import type { Options } from '../options.js';
import type { Reading } from '../reading.js';
import { formatCount, say } from '../say.js';
import { type Shaping, type SpoolCall, type SpooledRun, spoolJob } from '../spooling.js';
import { followFor } from './event-follow.js';
import { askStates, type InvoiceStates } from './invoice-states.js';
import { invoicesIn } from './invoices-in.js';

const NOTHING_ASKED: InvoiceStates['known'] = new Map();

/** Each event of an invoice waits until the one before it is accepted; different invoices go side by side. */
const inTurn = (): Shaping => {
  const last = new Map<string, number>();
  return {
    async *shape(reading: Reading) {
      for await (const drafts of reading.drafts)
        yield drafts.map((draft): Spoolable => {
          const { cufe } = eventOf(draft.document as unknown as JsonObject);
          const after = last.get(cufe);
          last.set(cufe, draft.sequence);
          return { ...sealEnvelope(draft), ...(after !== undefined && { after }) };
        });
    },
    added: 0,
  };
};

/** Invoices that DIAN did not tell of: the journal alone counts, and one is told. */
function sayUnknown(
  { terminal }: Context,
  options: Options,
  invoices: readonly AskedInvoice[],
  known: InvoiceStates['known'],
): void {
  const printer = createIssuePrinter(terminal, { json: options.json === true, mask: (issue) => issue });
  for (const { cufe } of invoices)
    if (!known.has(cufe))
      printer.print({
        code: 'events/state-unknown',
        level: 'warning',
        params: { cufe },
        place: {},
      } satisfies Issue);
  printer.finish();
}

/** Beyond this machine DIAN is asked before the plan is shown, if a person lets us: what others did decides what is sent. */
async function mayAsk(
  { terminal, language, ask }: Context,
  { dryRun }: Options,
  { url }: SpoolCall,
  count: number,
): Promise<boolean> {
  if (dryRun || !terminal.interactive || count === 0) return false;
  return ask.yes(say(language, 'askAsk', { count: formatCount(count, language), service: url.host }));
}

/** What DIAN has on the invoices of the files; nothing where it may not be asked. */
async function stateOf(context: Context, options: Options, call: SpoolCall): Promise<InvoiceStates['known']> {
  const { job, url } = call;
  const invoices = await invoicesIn(context, job, options);
  const own =
    call.client === undefined && (await mayAsk(context, options, call, invoices.length))
      ? await clientFor(context, options, url)
      : undefined;
  const client = call.client ?? own;
  if (client === undefined) return NOTHING_ASKED;
  try {
    const { known } = await askStates(context, options, { client, url, invoices });
    sayUnknown(context, options, invoices, known);
    return known;
  } finally {
    await own?.close();
  }
}

/**
 * Lays events into the journal, each after what is registered already: by the journal, and by the list of DIAN when the
 * service may be asked.
 */
export async function spoolEvents(context: Context, options: Options, call: SpoolCall): Promise<SpooledRun> {
  const { job, journal } = call;
  const known = await stateOf(context, options, call);
  const accepted = acceptedEvents(journal);
  const registered = (cufe: string): readonly Registered[] => {
    const ours = accepted(cufe);
    const listed = known.get(cufe) ?? [];
    // DIAN knows the date; that it was us the journal knows.
    const told = listed.map((event) =>
      ours.some(({ code }) => code === event.code) ? { ...event, ours: true } : event,
    );
    return [...told, ...ours];
  };
  const follow = followFor(job, dateInBogota(context.now()), registered);
  return spoolJob(context, options, { ...call, shaping: inTurn(), ...(follow && { follow }) });
}
