import { OWN_PARAMS } from '../../generated/texts-issue.js';
import type { Sql } from '../../send/database.js';
import { stop } from '../../toolkit/core/issue.js';
import { dateInBogota, isPlainDate } from '../../toolkit/core/plain-date.js';
import type { DocumentSequence } from '../../toolkit/documents/phases.js';
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

/** Returns the events of an invoice accepted in this journal, with their days. */
async function acceptedEvents(journal: Sql, cufe: string): Promise<readonly Registered[]> {
  const found: Registered[] = [];
  for (const code of Object.values(EVENT_CODES)) {
    const row = await journal.first<{ updated: number }>(ACCEPTED, eventSubject(cufe, code));
    if (row !== undefined) found.push({ code, date: dateInBogota(new Date(row.updated)), ours: true });
  }
  return found;
}

/**
 * Returns the events a run's parameter `already_registered` states: a list of {cufe, event, date}.
 * @throws PipelineError('usage', param/wrong)
 */
function givenEvents(params: ResolvedParams): ReadonlyMap<string, readonly Registered[]> {
  const found = new Map<string, Registered[]>();
  for (const { cufe, event, date } of params.tables['already_registered'] ?? []) {
    const code = isEventCode(String(event)) ? (event as EventCode) : eventCode(event);
    // An entry that is not understood would be registered twice.
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
    const registered = { code, ...(typeof date === 'string' && isPlainDate(date) && { date }) };
    const key = cufe.toLowerCase();
    found.set(key, [...(found.get(key) ?? []), registered]);
  }
  return found;
}

/** Keeps the first of equal events. */
const withoutRepeats = (events: readonly Registered[]): readonly Registered[] =>
  events.filter(({ code }, at) => events.findIndex((other) => other.code === code) === at);

/** Creates the order rules, with events already registered according to parameters, journal and DIAN's list. */
export function follow({ params, today, journal, registered = new Map() }: FollowSite): DocumentSequence {
  const { sender, expand } = params.values;
  const given = givenEvents(params);
  return createEventSequence({
    async registered(cufe) {
      const ours = journal === undefined ? [] : await acceptedEvents(journal, cufe);
      // The date is in DIAN's list; that it was ours is in the journal.
      const listed = ((registered.get(cufe) ?? []) as readonly Registered[]).map((event) =>
        ours.some(({ code }) => code === event.code) ? { ...event, ours: true } : event,
      );
      return withoutRepeats([...listed, ...ours, ...(given.get(cufe) ?? [])]);
    },
    today,
    senders: ['comprador', ...(typeof sender === 'string' ? [sender] : [])],
    expand: expand === true,
  });
}
