import { sealEnvelope } from '../../pipeline/seal.js';
import { seriesInUse } from '../../send/numbering.js';
import { type CareOptions, forDeployment } from '../../send/rips/deployment.js';
import type { Spoolable } from '../../send/spool.js';
import type { JsonObject } from '../../values/json.js';
import type { Context } from '../context.js';
import type { Job } from '../job.js';
import type { Options } from '../options.js';
import { say } from '../say.js';
import { type Shaping, type SpoolCall, type SpooledRun, spoolJob } from '../spooling.js';

export const isCareJob = ({ mapping }: Pick<Job, 'mapping'>): boolean =>
  mapping.targets.every(({ schema }) => schema === 'rips/attention');

function careOptions({ params }: Job, { booking, paymentConcept }: Options): CareOptions {
  const { note_number_prefix: prefix = '', note_number_width: width = 1 } = params.values;
  return {
    notes: { prefix: String(prefix), width: Number(width) },
    ...(booking !== undefined && { booking }),
    ...(paymentConcept !== undefined && { paymentConcept }),
  };
}

/** Type 1 of the seven; the others are contract, and not observed to work everywhere (service.md 6.6). */
const CONSULTATION = 1;

const hasLaterTypes = (attention: JsonObject): boolean =>
  ((attention['document'] as JsonObject)['services'] as JsonObject[]).some(
    ({ service_type_id: type }) => Number(type) !== CONSULTATION,
  );

/** Lays attentions into the journal as the deployment wants them, numbered on from where the journal is. */
export async function spoolCare(context: Context, options: Options, call: SpoolCall): Promise<SpooledRun> {
  const { job, journal } = call;
  const wishes = careOptions(job, options);
  const now = context.now().getTime();
  let later = false;
  const shaping: Shaping = {
    async *shape(reading) {
      for await (const drafts of reading.drafts)
        yield drafts.map((draft): Spoolable => {
          const envelope = sealEnvelope(draft);
          const attention = envelope.document as unknown as JsonObject;
          later ||= hasLaterTypes(attention);
          return { ...envelope, document: forDeployment(attention, wishes, now) as never };
        });
    },
    added: 0,
  };
  const { first_note_number: first } = job.params.values;
  const spooled = await spoolJob(context, options, {
    ...call,
    shaping,
    // The parameter says where an empty series begins; one in use goes on.
    first: (series) => (first === undefined || seriesInUse(journal, series) ? undefined : Number(first)),
  });
  if (later) context.terminal.say(say(context.language, 'laterTypes'));
  return spooled;
}
