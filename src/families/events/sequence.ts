import type { OwnCode, OwnParams } from '../../generated/issue-codes.js';
import { type Issue, issueOf, type Level } from '../../toolkit/core/issue.js';
import type { JsonObject } from '../../toolkit/core/json.js';
import { addDays, dateInBogota, type PlainDate } from '../../toolkit/core/plain-date.js';
import { squash } from '../../toolkit/core/text.js';
import type { Followable } from '../../toolkit/documents/phases.js';
import { catalogue } from '../../toolkit/schema/catalogue.js';
import { ruleAt } from '../../toolkit/schema/dated-rows.js';
import { HOLIDAYS, type Holidays } from './holidays.js';
import { type ReceivedInvoice, readAttachedDocument } from './xml/received-invoice.js';

/** The invoice that the body of an event is about, as far as the body tells. */
interface EventInvoice {
  readonly cufe: string;
  /** Only a body with a file tells more. */
  readonly invoice?: ReceivedInvoice;
}

/** Reads option A and option B (service.md 7.1); undefined when the body names no invoice. */
export function invoiceOfEvent(body: JsonObject): EventInvoice | undefined {
  const file = body['base64_attacheddocument'];
  if (typeof file === 'string') {
    const reading = readAttachedDocument(Buffer.from(file, 'base64'));
    if (reading.is === 'refused') return undefined;
    const { invoice } = reading.document;
    return { cufe: invoice.cufe, invoice };
  }
  const { cufe } = (body['document_reference'] ?? {}) as { cufe?: unknown };
  return typeof cufe === 'string' ? { cufe } : undefined;
}

/** The seven kinds of event by the service's own id (events.md 2); a list of kinds, not of states. */
export const EVENT_CODES = {
  1: '030',
  2: '031',
  3: '032',
  4: '033',
  5: '034',
  6: '02',
  7: '04',
} as const;

/** `event_id`, what the request says. */
export type EventId = keyof typeof EVENT_CODES;
/** 030 receipt, 031 claim, 032 goods received, 033 express and 034 tacit acceptance, 02 and 04 DIAN's own word. */
export type EventCode = (typeof EVENT_CODES)[EventId];

const CODES: ReadonlySet<string> = new Set(Object.values(EVENT_CODES));
export const isEventCode = (code: string): code is EventCode => CODES.has(code);

/** The code of an id that may come as number or text; undefined when there is no such event. */
export const eventCode = (id: unknown): EventCode | undefined =>
  typeof id === 'number' || typeof id === 'string' ? EVENT_CODES[Number(id) as EventId] : undefined;

/** What the journal calls an event: an invoice has at most one of a code. */
export const eventSubject = (cufe: string, code: EventCode): string => `event:${cufe}:${code}`;

/** The invoice and code of a body that is an event. Throws a TypeError for another body. */
export function eventOf(body: JsonObject): { readonly cufe: string; readonly code: EventCode } {
  const code = eventCode(body['event_id']);
  const invoice = invoiceOfEvent(body);
  if (code === undefined || invoice === undefined) throw new TypeError('Not the body of an event');
  return { cufe: invoice.cufe, code };
}

/** Rules of DIAN on the order of events (events.md 3). */
export type OrderRule =
  | 'LGC01'
  | 'LGC02'
  | 'LGC03'
  | 'LGC04'
  | 'LGC05'
  | 'LGC07'
  | 'LGC09'
  | 'LGC12'
  | 'LGC13'
  | 'LGC14'
  | 'LGC62';

/** What the order depends on besides the events. */
interface Circumstances {
  /** PaymentMeansID of the invoice is not 2. @default false */
  readonly soldForCash?: boolean;
  /** Three business days have gone by since 032 (events.md 4). @default true */
  readonly termOver?: boolean;
}

interface Step {
  /** Each with the rule that its absence breaks, the first one first. */
  readonly needs: readonly (readonly [EventCode, OrderRule])[];
  /** Each with the rule that its presence breaks. */
  readonly excludedBy: readonly (readonly [EventCode, OrderRule])[];
}

/** The catalogue `event_order`; DIAN's own words on the document, 02 and 04, have no rule that is known (events.md 2). */
function steps(): Readonly<Partial<Record<EventCode, Step>>> {
  const of = (event: string, relation: string) =>
    catalogue('event_order')!
      .rows.filter((row) => row['event'] === event && row['relation'] === relation)
      .map((row) => [row['other'] as EventCode, row['rule'] as OrderRule] as const);
  return Object.fromEntries(
    Object.values(EVENT_CODES).map((code) => [
      code,
      { needs: of(code, 'needs'), excludedBy: of(code, 'excluded_by') },
    ]),
  );
}

let known: ReturnType<typeof steps> | undefined;

function stepOf(code: EventCode): Step {
  known ??= steps();
  return known[code]!;
}

/** The registered events that an event can no longer follow. */
const excluding = (approved: Iterable<EventCode>, next: EventCode): readonly EventCode[] =>
  [...approved].filter((code) => stepOf(next).excludedBy.some(([other]) => other === code));

/** What must be registered before an event and is not, in order: `needs` of the event, and what those need. */
export function missingSteps(approved: Iterable<EventCode>, next: EventCode): readonly EventCode[] {
  const done = new Set(approved);
  const missing: EventCode[] = [];
  const visit = (code: EventCode): void => {
    for (const [needed] of stepOf(code).needs) {
      if (done.has(needed) || missing.includes(needed)) continue;
      visit(needed);
      missing.push(needed);
    }
  };
  visit(next);
  return missing;
}

/**
 * The rule that the next event breaks, given those that DIAN has approved for the invoice, in any order;
 * undefined when it is allowed. The rest of the table in events.md 3 follows from it: 031, 033 and 034 end the way.
 */
export function orderRule(
  approved: Iterable<EventCode>,
  next: EventCode,
  { soldForCash = false, termOver = true }: Circumstances = {},
): OrderRule | undefined {
  const done = new Set(approved);
  if (done.has(next)) return 'LGC01';
  if (next === '030' && soldForCash) return 'LGC62';
  const { needs, excludedBy } = stepOf(next);
  // What excludes comes first: it cannot be made good, what is missing can.
  const excluding = excludedBy.find(([code]) => done.has(code));
  const missing = needs.find(([code]) => !done.has(code));
  return excluding?.[1] ?? missing?.[1] ?? (next === '034' && !termOver ? 'LGC14' : undefined);
}

/** The days that a person has for an event, or must let go by (catalogues `event_terms` and `law_terms`; events.md 4). */
interface Term {
  /** It starts the business day after this event was approved. */
  readonly from: EventCode;
  /** Business days. */
  readonly days: number;
  /** The business day of the term from which one is told to hurry. */
  readonly warnFrom?: number;
  /** What the event is while the term runs, and once it is over; fine where nothing is said. */
  readonly before?: Level;
  readonly after?: Level;
}

/** Returns the term of an event as the law has it on the day on which it starts; undefined if it has none then. */
export function termOf(event: EventCode, day: PlainDate = dateInBogota(new Date())): Term | undefined {
  const row = catalogue('event_terms')!.rows.find((one) => one['event'] === event);
  const law = row && ruleAt('law_terms', day, { name: row['term']! });
  if (row === undefined || law?.kind !== 'row') return undefined;
  const { warn_from_day: warnFrom, before_end: before, after_end: after } = row;
  return {
    from: row['counted_from'] as EventCode,
    days: Number(law.row['amount']),
    ...(warnFrom && { warnFrom: Number(warnFrom) }),
    ...(before && { before: before as Level }),
    ...(after && { after: after as Level }),
  };
}

/** The day on which the term of an event started, of the events of its invoice. */
const startOf = (event: EventCode, events: readonly Registered[]): PlainDate | undefined => {
  const start = catalogue('event_terms')!.rows.find((row) => row['event'] === event)?.['counted_from'];
  return events.find(({ code }) => code === start)?.date;
};

const isWeekend = (date: PlainDate): boolean => [0, 6].includes(new Date(`${date}T00:00:00Z`).getUTCDay());

const isBusinessDay = (date: PlainDate, holidays: Holidays): boolean =>
  !isWeekend(date) && !holidays.has(date);

/** The last day of a term that starts the day after `from`; by default that of a claim or an acceptance. */
export function termEnd(
  from: PlainDate,
  holidays: Holidays = HOLIDAYS,
  days = termOf('031', from)?.days ?? 0,
): PlainDate {
  let date = from;
  for (let left = days; left > 0; ) {
    date = addDays(date, 1);
    if (isBusinessDay(date, holidays)) left -= 1;
  }
  return date;
}

/** Holidays that no weekend hides, after one day and up to another. */
function holidaysBetween(from: PlainDate, to: PlainDate, holidays: Holidays): readonly PlainDate[] {
  const found: PlainDate[] = [];
  for (let at = addDays(from, 1); at <= to; at = addDays(at, 1))
    if (holidays.has(at) && !isWeekend(at)) found.push(at);
  return found;
}

/** How many business days have begun since `from`: 1 on the first day of a term. */
export function termDay(from: PlainDate, date: PlainDate, holidays: Holidays = HOLIDAYS): number {
  let days = 0;
  for (let at = addDays(from, 1); at <= date; at = addDays(at, 1)) if (isBusinessDay(at, holidays)) days += 1;
  return days;
}

/** An event that is registered already; its date is not always known. */
export interface Registered {
  readonly code: EventCode;
  readonly date?: PlainDate;
  /** Registered by an earlier run of ours, which the journal tells by itself: it is passed on, not skipped. */
  readonly ours?: boolean;
}

export interface SequenceOptions {
  /** What is registered of an invoice, by its CUFE, before this run. @default nothing */
  readonly registered?: (cufe: string) => readonly Registered[] | Promise<readonly Registered[]>;
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

/** An event of the run that is not registered, so that others of its invoice cannot follow it. */
interface HeldBack {
  /** Unknown where the record does not say it in known words. */
  readonly code: EventCode | undefined;
  readonly row: number;
}

/** Takes the events of a run one after the other; one that is refused or held back registers nothing (events.md 3, 4). */
interface EventSequence {
  next(body: JsonObject, from?: Followable): Promise<Followed>;
  heldBack(body: JsonObject, from: Followable): void;
}

const CUFE = /^[0-9a-f]{96}$/;

/** What an event and the rows of its invoice have in common: the CUFE, else the number. */
function invoiceKey(body: JsonObject, { details }: Followable): string | undefined {
  const cufe = invoiceOfEvent(body)?.cufe;
  return cufe !== undefined && CUFE.test(cufe) ? cufe : details?.['invoice'];
}

/** Whether two numbers may be of one invoice: people write them with and without the prefix. */
function isSameNumber(a: string, b: string): boolean {
  const [one, other] = [squash(a), squash(b)];
  return one.endsWith(other) || other.endsWith(one);
}

const BUYER = 'comprador';
/** What settles an invoice. */
const FINAL: readonly EventCode[] = ['031', '033'];
const NOWHERE: Followable = { row: 0 };
const POINTER = '/event_id';

/** What an order rule is about; the other rules are about events that are missing. */
const ABOUT: Readonly<Partial<Record<OrderRule, 'events/cash-sale' | 'events/excluded'>>> = {
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

/** Codes of this stage: all name the event. */
type OrderCode = Extract<OwnCode, `events/${string}`>;

const issue = <C extends OrderCode>(
  code: C,
  level: Level,
  event: EventCode,
  params: Omit<OwnParams[C], 'event'>,
): Issue =>
  issueOf<OrderCode>(code, level, { event: eventName(event), ...params } as OwnParams[C], {
    pointer: POINTER,
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
  const waitedFor = new Map<string, HeldBack[]>();
  /** The first number that the files give for a CUFE. */
  const numbers = new Map<string, { readonly number: string; readonly row: number }>();

  function hold(body: JsonObject, from: Followable): void {
    const key = invoiceKey(body, from);
    if (key === undefined) return;
    const one = { code: eventCode(body['event_id']), row: from.row };
    waitedFor.set(key, [...(waitedFor.get(key) ?? []), one]);
  }

  const heldBackOf = (cufe: string, { details }: Followable): readonly HeldBack[] =>
    [cufe, details?.['invoice'] ?? ''].flatMap((key) => waitedFor.get(key) ?? []);

  /** A CUFE that stands in the row of another invoice as well: one of the two would get an event that is not its own. */
  function otherInvoice(cufe: string, { row, details }: Followable): Issue | undefined {
    const invoice = details?.['invoice'];
    if (invoice === undefined) return undefined;
    const first = numbers.get(cufe);
    if (first === undefined) numbers.set(cufe, { number: invoice, row });
    if (first === undefined || isSameNumber(first.number, invoice)) return undefined;
    const params = { first: first.row, other: first.number, invoice };
    return issueOf<OrderCode>('events/other-invoice', 'error', params, {
      pointer: '/document_reference/cufe',
    });
  }

  const eventsOf = async (cufe: string): Promise<Registered[]> => {
    const known = invoices.get(cufe) ?? [...(await registered(cufe))];
    invoices.set(cufe, known);
    return known;
  };

  const repeated = (code: EventCode, events: readonly Registered[]): Followed =>
    events.some((event) => event.code === code && event.ours)
      ? { is: 'next', before: [], issues: [] }
      : { is: 'done', issue: issue('events/already-done', 'warning', code, { rule: 'LGC01' }) };

  const refused = (one: Issue): Followed => ({ is: 'refused', issue: one });

  function orderIssue(
    rule: OrderRule,
    code: EventCode,
    done: readonly EventCode[],
    held: readonly HeldBack[],
  ): Issue {
    const about = ABOUT[rule];
    if (about !== undefined)
      return issue(about, 'error', code, { rule, done: excluding(done, code).map(eventName).join(', ') });
    const missing = missingSteps(done, code);
    const causes = held.filter((one) => one.code === undefined || missing.includes(one.code));
    const [first] = causes;
    if (first === undefined)
      return issue('events/order', 'error', code, { rule, missing: missing.map(eventName).join(', ') });
    if (causes.every((one) => one.code !== undefined)) {
      // What those records lack is said of them.
      const theirs = causes.flatMap((one) => [...missingSteps(done, one.code!), one.code!]);
      const own = orderRule([...done, ...theirs], code);
      if (own !== undefined) return orderIssue(own, code, [...done, ...theirs], []);
    }
    return issue('events/waits', 'warning', code, { first: first.row });
  }

  /** What the calendar says of the event; undefined when its term has not begun or is not known. */
  function termIssue(code: EventCode, events: readonly Registered[]): Issue | undefined {
    const from = startOf(code, events);
    const term = from === undefined ? undefined : termOf(code, from);
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

  async function next(body: JsonObject, from: Followable): Promise<Followed> {
    const code = eventCode(body['event_id']);
    const about = invoiceOfEvent(body);
    if (code === undefined || about === undefined) return { is: 'next', before: [], issues: [] };
    const other = otherInvoice(about.cufe, from);
    if (other !== undefined) return refused(other);
    const { sender = '' } = rowOf(code);
    if (!senders.includes(sender)) return refused(issue('events/not-yours', 'error', code, { sender }));
    const events = await eventsOf(about.cufe);
    const done = events.map((event) => event.code);
    const before = expand ? missingSteps(done, code).filter((step) => MAY_BE_PUT_IN.has(step)) : [];
    const soldForCash = about.invoice?.payment === 'cash';
    // Steps that are put in obey the same rules.
    for (const [at, step] of [...before, code].entries()) {
      const rule = orderRule([...done, ...before.slice(0, at)], step, { soldForCash });
      if (rule === 'LGC01') return repeated(code, events);
      if (rule !== undefined) return refused(orderIssue(rule, step, done, heldBackOf(about.cufe, from)));
    }
    // What is to be corrected may be the event that excludes this one, which could not be taken back.
    const opposed = heldBackOf(about.cufe, from).find(
      (one) => excluding(one.code === undefined ? FINAL : [one.code], code).length > 0,
    );
    if (opposed !== undefined) return refused(issue('events/waits', 'warning', code, { first: opposed.row }));
    const term = termIssue(code, events);
    if (term?.level === 'error') return refused(term);
    const now = today === undefined ? {} : { date: today };
    events.push(...[...before, code].map((one) => ({ code: one, ...now })));
    return {
      is: 'next',
      before: before.map((step) => stepBefore(body, step)),
      issues: term === undefined ? [] : [term],
    };
  }

  return {
    async next(body, from = NOWHERE) {
      const followed = await next(body, from);
      if (followed.is === 'refused') hold(body, from);
      return followed;
    },
    heldBack: hold,
  };
}

/** Where an invoice stands (events.md 3). */
type InvoiceState = 'none' | 'acknowledged' | 'received' | 'accepted' | 'claimed' | 'tacitly-accepted';

/** What is left to do with a received invoice. */
interface Work {
  readonly state: InvoiceState;
  /** What the buyer may register today; nothing once it is settled. */
  readonly next: readonly EventCode[];
  /** When the goods were received, and the last day to claim or accept. */
  readonly received?: PlainDate;
  readonly deadline?: PlainDate;
  /** Business days of the term, and the holidays that it goes over. */
  readonly days?: number;
  readonly holidays?: readonly PlainDate[];
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
  const from = startOf('031', events);
  const term = from === undefined ? undefined : termOf('031', from);
  const runs = state === 'received' && from !== undefined && term !== undefined;
  const deadline = runs ? termEnd(from, holidays, term.days) : undefined;
  const isLate = deadline !== undefined && today > deadline;
  const next = buyersCodes().filter(
    (code) => orderRule(done, code) === undefined && !(isLate && termOf(code)?.after === 'error'),
  );
  return {
    state,
    next,
    ...(deadline !== undefined && {
      received: from!,
      deadline,
      days: term!.days,
      holidays: holidaysBetween(from!, deadline, holidays),
      day: termDay(from!, today, holidays),
    }),
  };
}
