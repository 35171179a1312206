import type { Follow } from '../../pipeline/follow.js';
import type { AskedInvoice } from '../../send/events/event-queries.js';
import { eventOf } from '../../send/events/event-subject.js';
import type { JsonObject } from '../../values/json.js';
import type { Context } from '../context.js';
import type { Job } from '../job.js';
import type { Options } from '../options.js';
import { readJob } from '../reading.js';

/** An invoice of the files, as people call it. */
export interface NamedInvoice extends AskedInvoice {
  readonly name: string;
}

/** Whatever the order, every invoice is asked about. */
const ANY_ORDER: Follow = () => ({ is: 'next', before: [], issues: [] });

/**
 * The invoices that sound records of the files name, each once.
 * @param quiet whether what is wrong with the records is left unsaid, as it is said elsewhere
 */
export async function invoicesIn(
  context: Context,
  job: Job,
  options: Options,
  quiet = true,
): Promise<readonly NamedInvoice[]> {
  const invoices = new Map<string, NamedInvoice>();
  const reading = readJob(context, job, options, { quiet, follow: ANY_ORDER });
  for await (const drafts of reading.drafts)
    for (const { document, key, name } of drafts) {
      const { cufe } = eventOf(document as unknown as JsonObject);
      // A list shows the number beside its key; a file has it for its key.
      const number = 'base64_attacheddocument' in document ? key : (name ?? key);
      if (!invoices.has(cufe)) invoices.set(cufe, { cufe, number, name: name ?? key });
    }
  return [...invoices.values()];
}
