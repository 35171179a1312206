import { OWN_PARAMS } from '../../generated/texts-issue.js';
import type { Sql } from '../../send/database.js';
import { stop } from '../../toolkit/core/issue.js';
import { dateInBogota, isPlainDate } from '../../toolkit/core/plain-date.js';
import type { Follow } from '../../toolkit/documents/phases.js';
import type { ResolvedParams } from '../../toolkit/mapping/params.js';
import type { FollowSite } from '../family.js';
import {
  createEventSequence,
  EVENT_CODES,
  type EventCode,
  eventCode,
  eventSubject,
  isEventCode,
  type Registered,
} from './sequence.js';

const ACCEPTED = `
  SELECT updated FROM document WHERE subject = ? AND state = 'accepted' AND earlier IS NULL ORDER BY id LIMIT 1`;

/** The events of an invoice that this journal saw accepted, with their day. */
async function acceptedEvents(journal: Sql, cufe: string): Promise<readonly Registered[]> {
  const found: Registered[] = [];
  for (const code of Object.values(EVENT_CODES)) {
    const row = await journal.first<{ updated: number }>(ACCEPTED, eventSubject(cufe, code));
    if (row !== undefined) found.push({ code, date: dateInBogota(new Date(row.updated)), ours: true });
  }
  return found;
}

const eventCodeOf = (given: unknown): EventCode | undefined =>
  isEventCode(String(given)) ? (given as EventCode) : eventCode(given);

/**
 * The events that the parameters of a run say are registered: `already_registered`, a list of {cufe, event, date}.
 * @throws PipelineError('usage', param/wrong)
 */
function givenEvents(params: ResolvedParams): ReadonlyMap<string, readonly Registered[]> {
  const found = new Map<string, Registered[]>();
  for (const { cufe, event, date } of params.tables['already_registered'] ?? []) {
    const code = eventCodeOf(event);
    // What is not understood would be registered twice.
    if (typeof cufe !== 'string' || code === undefined)
      return stop('usage', {
        code: 'param/wrong',
        value: JSON.stringify({ cufe, event }),
        params: {
          name: 'already_registered',
          type: 'event',
          about_es: OWN_PARAMS.already_registered.es,
          about_en: OWN_PARAMS.already_registered.en,
        },
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

/** What is registered already is not registered again: by the parameters, the journal, and the list of DIAN where it was asked. */
export function follow({ params, today, journal, told = new Map() }: FollowSite): Follow {
  const { sender, expand } = params.values;
  const given = givenEvents(params);
  return createEventSequence({
    async registered(cufe) {
      const ours = journal === undefined ? [] : await acceptedEvents(journal, cufe);
      // DIAN knows the date; that it was us the journal knows.
      const listed = ((told.get(cufe) ?? []) as readonly Registered[]).map((event) =>
        ours.some(({ code }) => code === event.code) ? { ...event, ours: true } : event,
      );
      return eachOnce([...listed, ...ours, ...(given.get(cufe) ?? [])]);
    },
    today,
    senders: ['comprador', ...(typeof sender === 'string' ? [sender] : [])],
    expand: expand === true,
  });
}
