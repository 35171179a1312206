import { catalogue } from '../catalogue/catalogue.js';
import type { PlainDate } from '../values/plain-date.js';
import { HOLIDAYS, type Holidays } from './holidays.js';
import { EVENT_CODES, type EventCode } from './kinds.js';
import { orderRule } from './order.js';
import type { Registered } from './sequence.js';
import { termDay, termEnd, termOf } from './term.js';

/** Where an invoice stands (events.md 3). */
export type InvoiceState = 'none' | 'acknowledged' | 'received' | 'accepted' | 'claimed' | 'tacitly-accepted';

/** What is left to do with a received invoice. */
export interface Work {
  readonly state: InvoiceState;
  /** What the buyer may register today; nothing once it is settled. */
  readonly next: readonly EventCode[];
  /** Last day to claim or accept, once the goods are received. */
  readonly deadline?: PlainDate;
  /** The business day of that term that today is. */
  readonly day?: number;
}

/** Stronger ones first. */
const STATES: readonly (readonly [EventCode, InvoiceState])[] = [
  ['033', 'accepted'],
  ['031', 'claimed'],
  ['034', 'tacitly-accepted'],
  ['032', 'received'],
  ['030', 'acknowledged'],
];

const buyersCodes = (): readonly EventCode[] =>
  Object.values(EVENT_CODES).filter((code) =>
    catalogue('events')!.rows.some((row) => row['code'] === code && row['sender'] === 'comprador'),
  );

/** The state of an invoice, the term that runs, and the events that order and term allow. */
export function workOf(events: readonly Registered[], today: PlainDate, holidays: Holidays = HOLIDAYS): Work {
  const done = events.map(({ code }) => code);
  const state = STATES.find(([code]) => done.includes(code))?.[1] ?? 'none';
  const term = termOf('031')!;
  const from = events.find(({ code }) => code === term.from)?.date;
  const runs = state === 'received' && from !== undefined;
  const deadline = runs ? termEnd(from, holidays, term.days) : undefined;
  const isLate = deadline !== undefined && today > deadline;
  const next = buyersCodes().filter(
    (code) => orderRule(done, code) === undefined && !(isLate && termOf(code)?.after === 'error'),
  );
  return {
    state,
    next,
    ...(deadline !== undefined && { deadline, day: termDay(from!, today, holidays) }),
  };
}
