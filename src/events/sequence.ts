import { catalogue } from '../catalogue/catalogue.js';
import type { Issue, IssueParams, Level } from '../issues/issue.js';
import type { JsonObject } from '../values/json.js';
import type { PlainDate } from '../values/plain-date.js';
import { HOLIDAYS, type Holidays } from './holidays.js';
import { invoiceOfEvent } from './invoice-of.js';
import { EVENT_CODES, type EventCode, type EventId, eventCode } from './kinds.js';
import { excluding, missingSteps, type OrderRule, orderRule } from './order.js';
import { termDay, termEnd, termOf } from './term.js';

/** An event that is registered already; its date is not always known. */
export interface Registered {
  readonly code: EventCode;
  readonly date?: PlainDate;
  /** Registered by an earlier run of ours, which the journal tells by itself: it is passed on, not skipped. */
  readonly ours?: boolean;
}

export interface SequenceOptions {
  /** What is registered of an invoice, by its CUFE, before this run. @default nothing */
  readonly registered?: (cufe: string) => readonly Registered[];
  /** Day of the run: terms are silent without it. */
  readonly today?: PlainDate;
  /** @default those of Colombia */
  readonly holidays?: Holidays;
  /** Who registers, in the words of the catalogue `events`. @default the buyer alone */
  readonly senders?: readonly string[];
  /** Whether 030 and 032 are put in where an event needs them; never another. @default false */
  readonly expand?: boolean;
}

/** What becomes of an event, given those before it in the run. */
export type Followed =
  /** To be registered, after `before`, which it lacks. */
  | { readonly is: 'next'; readonly before: readonly JsonObject[]; readonly issues: readonly Issue[] }
  /** Registered already: nothing is left to do. */
  | { readonly is: 'done'; readonly issue: Issue }
  | { readonly is: 'refused'; readonly issue: Issue };

/** Takes the events of a run one after the other; one that is refused registers nothing (events.md 3, 4). */
export type EventSequence = (body: JsonObject) => Followed;

const BUYER = 'comprador';
const POINTER = '/event_id';

/** What an order rule is about; the other rules are about events that are missing. */
const ABOUT: Readonly<Partial<Record<OrderRule, string>>> = {
  LGC62: 'events/cash-sale',
  LGC02: 'events/excluded',
  LGC04: 'events/excluded',
  LGC05: 'events/excluded',
  LGC07: 'events/excluded',
};

/** The steps that may be put in without being named: they bind nobody. */
const MAY_BE_PUT_IN: ReadonlySet<EventCode> = new Set(['030', '032']);

const rowOf = (code: EventCode) => catalogue('events')!.rows.find((row) => row['code'] === code)!;

/** `Recibo del bien o prestación del servicio`. */
export const eventTitle = (code: EventCode): string => rowOf(code)['name'] ?? '';

/** `032 Recibo del bien o prestación del servicio`. */
export const eventName = (code: EventCode): string => `${code} ${eventTitle(code)}`;

const idOf = (code: EventCode): EventId =>
  Number(Object.entries(EVENT_CODES).find(([, one]) => one === code)![0]) as EventId;

const issue = (code: string, level: Level, event: EventCode, params: IssueParams = {}): Issue => ({
  code,
  level,
  params: { event: eventName(event), ...params },
  place: { pointer: POINTER },
});

/** A step that the event needs, by the same person on the same invoice. */
function stepBefore({ type_rejection_id: _, ...body }: JsonObject, code: EventCode): JsonObject {
  return { ...body, event_id: idOf(code) };
}

export function createEventSequence({
  registered = () => [],
  today,
  holidays = HOLIDAYS,
  senders = [BUYER],
  expand = false,
}: SequenceOptions = {}): EventSequence {
  const invoices = new Map<string, Registered[]>();

  const eventsOf = (cufe: string): Registered[] => {
    const known = invoices.get(cufe) ?? [...registered(cufe)];
    invoices.set(cufe, known);
    return known;
  };

  const repeated = (code: EventCode, events: readonly Registered[]): Followed =>
    events.some((event) => event.code === code && event.ours)
      ? { is: 'next', before: [], issues: [] }
      : { is: 'done', issue: issue('events/already-done', 'warning', code, { rule: 'LGC01' }) };

  const refused = (one: Issue): Followed => ({ is: 'refused', issue: one });

  function orderIssue(rule: OrderRule, code: EventCode, done: readonly EventCode[]): Issue {
    const about = ABOUT[rule];
    if (about !== undefined)
      return issue(about, 'error', code, { rule, done: excluding(done, code).map(eventName).join(', ') });
    const missing = missingSteps(done, code);
    return issue('events/order', 'error', code, { rule, missing: missing.map(eventName).join(', ') });
  }

  /** What the calendar says of the event; undefined when its term has not begun or is not known. */
  function termIssue(code: EventCode, events: readonly Registered[]): Issue | undefined {
    const term = termOf(code);
    const from = events.find((event) => event.code === term?.from)?.date;
    if (term === undefined || from === undefined || today === undefined) return undefined;
    const end = termEnd(from, holidays, term.days);
    const params = { from, end };
    if (today > end) return term.after && issue('events/term-over', term.after, code, params);
    if (term.before !== undefined)
      return issue('events/term-running', term.before, code, { ...params, rule: 'LGC14' });
    const day = termDay(from, today, holidays);
    return term.warnFrom !== undefined && day >= term.warnFrom
      ? issue('events/term-ending', 'warning', code, { ...params, day, days: term.days })
      : undefined;
  }

  return (body) => {
    const code = eventCode(body['event_id']);
    const about = invoiceOfEvent(body);
    if (code === undefined || about === undefined) return { is: 'next', before: [], issues: [] };
    const { sender = '' } = rowOf(code);
    if (!senders.includes(sender)) return refused(issue('events/not-yours', 'error', code, { sender }));
    const events = eventsOf(about.cufe);
    const done = events.map((event) => event.code);
    const before = expand ? missingSteps(done, code).filter((step) => MAY_BE_PUT_IN.has(step)) : [];
    const soldForCash = about.invoice?.payment === 'cash';
    // Steps that are put in obey the same rules.
    for (const [at, step] of [...before, code].entries()) {
      const rule = orderRule([...done, ...before.slice(0, at)], step, { soldForCash });
      if (rule === 'LGC01') return repeated(code, events);
      if (rule !== undefined) return refused(orderIssue(rule, step, done));
    }
    const term = termIssue(code, events);
    if (term?.level === 'error') return refused(term);
    const now = today === undefined ? {} : { date: today };
    events.push(...[...before, code].map((one) => ({ code: one, ...now })));
    return {
      is: 'next',
      before: before.map((step) => stepBefore(body, step)),
      issues: term === undefined ? [] : [term],
    };
  };
}
