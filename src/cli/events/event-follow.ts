import { EVENT_CODES, type EventCode, eventCode } from '../../events/kinds.js';
import { createEventSequence, type Registered } from '../../events/sequence.js';
import { stop } from '../../issues/pipeline-error.js';
import type { Follow } from '../../pipeline/follow.js';
import { isPlainDate, type PlainDate } from '../../values/plain-date.js';
import type { Job } from '../job.js';

export const isEventJob = ({ mapping }: Pick<Job, 'mapping'>): boolean =>
  mapping.targets.every(({ schema }) => schema.startsWith('events/event-'));

const CODES: ReadonlySet<string> = new Set(Object.values(EVENT_CODES));

const codeOf = (given: unknown): EventCode | undefined =>
  CODES.has(String(given)) ? (given as EventCode) : eventCode(given);

/**
 * The events that the parameters of a run say are registered: `already_registered`, a list of {cufe, event, date}.
 * @throws PipelineError('usage', param/wrong)
 */
function givenEvents({ params }: Pick<Job, 'params'>): ReadonlyMap<string, readonly Registered[]> {
  const found = new Map<string, Registered[]>();
  for (const { cufe, event, date } of params.tables['already_registered'] ?? []) {
    const code = codeOf(event);
    // What is not understood would be registered twice.
    if (typeof cufe !== 'string' || code === undefined)
      return stop('usage', {
        code: 'param/wrong',
        value: JSON.stringify({ cufe, event }),
        params: { name: 'already_registered', type: '{cufe, event, date}' },
      });
    const one = { code, ...(typeof date === 'string' && isPlainDate(date) && { date }) };
    const key = cufe.toLowerCase();
    found.set(key, [...(found.get(key) ?? []), one]);
  }
  return found;
}

/** Of two that tell of one event the first stands. */
const eachOnce = (events: readonly Registered[]): readonly Registered[] =>
  events.filter(({ code }, at) => events.findIndex((one) => one.code === code) === at);

/**
 * How the events of a job follow each other; undefined for documents of another kind.
 * @param registered what journal and service tell of an invoice; undefined when nothing was asked
 */
export function followFor(
  job: Pick<Job, 'mapping' | 'params'>,
  today: PlainDate,
  registered: (cufe: string) => readonly Registered[] = () => [],
): Follow | undefined {
  if (!isEventJob(job)) return undefined;
  const { sender, expand } = job.params.values;
  const given = givenEvents(job);
  return createEventSequence({
    registered: (cufe) => eachOnce([...registered(cufe), ...(given.get(cufe) ?? [])]),
    today,
    senders: ['comprador', ...(typeof sender === 'string' ? [sender] : [])],
    expand: expand === true,
  });
}
