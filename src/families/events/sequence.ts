import type { OwnCode, OwnParams } from '../../generated/issue-codes.js';
import { type Issue, issueOf, type Level } from '../../toolkit/core/issue.js';
import type { JsonObject } from '../../toolkit/core/json.js';
import { addDays, dateInBogota, isWeekend, type PlainDate } from '../../toolkit/core/plain-date.js';
import { required, unreachable } from '../../toolkit/core/required.js';
import { squash } from '../../toolkit/core/text.js';
import type { SequenceDecision, SequenceSource } from '../../toolkit/documents/phases.js';
import { requiredCatalogue } from '../../toolkit/schema/catalogue.js';
import { cellOf } from '../../toolkit/schema/catalogue-text.js';
import { ruleAt } from '../../toolkit/schema/dated-rows.js';
import { HOLIDAYS, type Holidays } from './holidays.js';
import { type ReceivedInvoice, readAttachedDocument } from './xml/received-invoice.js';

/** Invoice of an event, as far as its body says. */
interface EventInvoice {
  readonly cufe: string;
  /** Undefined unless the body has a file. */
  readonly invoice?: ReceivedInvoice;
}

/** Reads option A and option B (service.md 7.1); undefined if the body names no invoice. */
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

/** Event codes by the service's ID (events.md 2). */
export const EVENT_CODES = {
  1: '030',
  2: '031',
  3: '032',
  4: '033',
  5: '034',
  6: '02',
  7: '04',
} as const;

/** `event_id` of a request. */
export type EventId = keyof typeof EVENT_CODES;
/**
 * 030 receipt, 031 claim, 032 goods received, 033 express and 034 tacit acceptance; 02 and 04 are DIAN's own events.
 */
export type EventCode = (typeof EVENT_CODES)[EventId];

const CODES: ReadonlySet<string> = new Set(Object.values(EVENT_CODES));
export const isEventCode = (code: string): code is EventCode => CODES.has(code);

/** Returns the event code of an ID, number or text; undefined if there is none. */
export const eventCode = (id: unknown): EventCode | undefined =>
  typeof id === 'number' || typeof id === 'string' ? EVENT_CODES[Number(id) as EventId] : undefined;

/** Returns the journal's subject of an event; an invoice has at most one event per code. */
export const eventSubject = (cufe: string, code: EventCode): string => `event:${cufe}:${code}`;

/** Returns CUFE and code of an event body. @throws TypeError for another body */
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

/** Facts the order depends on, besides the events. */
interface Circumstances {
  /** True if PaymentMeansID is not 2. @default false */
  readonly soldForCash?: boolean;
  /** True if three business days passed since 032 (events.md 4). @default true */
  readonly termOver?: boolean;
}

interface Step {
  /** Required events, each with the rule that its absence breaks; the first one first. */
  readonly needs: readonly (readonly [EventCode, OrderRule])[];
  /** Excluding events, each with the rule that its presence breaks. */
  readonly excludedBy: readonly (readonly [EventCode, OrderRule])[];
}

/** Reads the catalogue `event_order`; DIAN's own events 02 and 04 have no known rule (events.md 2). */
function steps(): ReadonlyMap<EventCode, Step> {
  const of = (event: string, relation: string) =>
    requiredCatalogue('event_order')
      .rows.filter((row) => row['event'] === event && row['relation'] === relation)
      .map((row) => [row['other'] as EventCode, row['rule'] as OrderRule] as const);
  return new Map(
    Object.values(EVENT_CODES).map((code) => [
      code,
      { needs: of(code, 'needs'), excludedBy: of(code, 'excluded_by') },
    ]),
  );
}

let known: ReturnType<typeof steps> | undefined;

function stepOf(code: EventCode): Step {
  known ??= steps();
  return required(known, code);
}

/** Returns the registered events that exclude this one. */
const excluding = (approved: Iterable<EventCode>, next: EventCode): readonly EventCode[] =>
  [...approved].filter((code) => stepOf(next).excludedBy.some(([other]) => other === code));

/** Returns the missing required events, direct and indirect, in order. */
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
 * Returns the rule the next event breaks after the approved ones (any order), or undefined. The rest of the table in
 * events.md 3 follows: 031, 033 and 034 are final.
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
  // Exclusions come first, since they cannot be corrected.
  const excluding = excludedBy.find(([code]) => done.has(code));
  const missing = needs.find(([code]) => !done.has(code));
  return excluding?.[1] ?? missing?.[1] ?? (next === '034' && !termOver ? 'LGC14' : undefined);
}

/** Term of an event: to act in, or to let pass (catalogues `event_terms` and `law_terms`; events.md 4). */
interface Term {
  /** Event whose approval starts the term, on the next business day. */
  readonly from: EventCode;
  readonly days: number;
  /** Business day of the term from which a warning is given. */
  readonly warnFrom?: number;
  /** Level of an issue while the term runs and after it; undefined for none. */
  readonly before?: Level;
  readonly after?: Level;
}

/** Returns the term of an event by the law on its first day; undefined if there is none. */
export function termOf(event: EventCode, day: PlainDate = dateInBogota(new Date())): Term | undefined {
  const row = requiredCatalogue('event_terms').rows.find((row) => row['event'] === event);
  const law = row && ruleAt('law_terms', day, { name: cellOf(row, 'term') });
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

/** Returns the start day of an event's term. */
const startOf = (event: EventCode, events: readonly Registered[]): PlainDate | undefined => {
  const start = requiredCatalogue('event_terms').rows.find((row) => row['event'] === event)?.['counted_from'];
  return events.find(({ code }) => code === start)?.date;
};

const isBusinessDay = (date: PlainDate, holidays: Holidays): boolean =>
  !isWeekend(date) && !holidays.has(date);

/** Returns the last day of a term that starts the day after `from`. @default the term of a claim or acceptance */
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

/** Returns weekday holidays after `from`, up to and including `to`. */
function holidaysBetween(from: PlainDate, to: PlainDate, holidays: Holidays): readonly PlainDate[] {
  const found: PlainDate[] = [];
  for (let at = addDays(from, 1); at <= to; at = addDays(at, 1))
    if (holidays.has(at) && !isWeekend(at)) found.push(at);
  return found;
}

/** Returns the number of business days since `from`: 1 on the first day of a term. */
export function termDay(from: PlainDate, date: PlainDate, holidays: Holidays = HOLIDAYS): number {
  let days = 0;
  for (let at = addDays(from, 1); at <= date; at = addDays(at, 1)) if (isBusinessDay(at, holidays)) days += 1;
  return days;
}

/** Registered event; its date may be unknown. */
export interface Registered {
  readonly code: EventCode;
  readonly date?: PlainDate;
  /** True if an earlier run of this journal registered it: it is passed on, not skipped. */
  readonly ours?: boolean;
}

export interface SequenceOptions {
  /** Returns the events registered before this run. @default none */
  readonly registered?: (cufe: string) => readonly Registered[] | Promise<readonly Registered[]>;
  /** Day of the run; without it, terms are not checked. */
  readonly today?: PlainDate;
  /** @default holidays of Colombia */
  readonly holidays?: Holidays;
  /** Senders of events, in words of the catalogue `events`. @default the buyer */
  readonly senders?: readonly string[];
  /** True to add a missing 030 or 032. @default false */
  readonly expand?: boolean;
}

/** Event of the run that is not registered, so that later ones of its invoice wait. */
interface HeldBack {
  /** Undefined if the record's event is not understood. */
  readonly code: EventCode | undefined;
  readonly row: number;
}

const CUFE = /^[0-9a-f]{96}$/;

/** Returns the CUFE of an invoice, else its number. */
function invoiceKey(body: JsonObject, { details }: SequenceSource): string | undefined {
  const cufe = invoiceOfEvent(body)?.cufe;
  return cufe !== undefined && CUFE.test(cufe) ? cufe : details?.['invoice'];
}

/** True if the numbers may be of one invoice, with and without prefix. */
function isSameNumber(a: string, b: string): boolean {
  const [first, second] = [squash(a), squash(b)];
  return first.endsWith(second) || second.endsWith(first);
}

const BUYER = 'comprador';
/** Events that are final for the buyer. */
const FINAL: readonly EventCode[] = ['031', '033'];
const NOWHERE: SequenceSource = { row: 0 };
const POINTER = '/event_id';

/** Codes of order rules that are not about missing events. */
const RULE_CODES: Readonly<Partial<Record<OrderRule, 'events/cash-sale' | 'events/excluded'>>> = {
  LGC62: 'events/cash-sale',
  LGC02: 'events/excluded',
  LGC04: 'events/excluded',
  LGC05: 'events/excluded',
  LGC07: 'events/excluded',
};

/** Events without legal effect, which may be added. */
const IMPLICIT_STEPS: ReadonlySet<EventCode> = new Set(['030', '032']);

const rowOf = (code: EventCode) =>
  requiredCatalogue('events').rows.find((row) => row['code'] === code) ?? unreachable(`event ${code}`);

/** Returns the title: `Recibo del bien o prestación del servicio`. */
export const eventTitle = (code: EventCode): string => rowOf(code)['name'] ?? '';

/** Returns code and title: `032 Recibo del bien o prestación del servicio`. */
export const eventName = (code: EventCode): string => `${code} ${eventTitle(code)}`;

const EVENT_IDS = new Map(Object.entries(EVENT_CODES).map(([id, code]) => [code, Number(id) as EventId]));
/** Issue codes of event order; each names the event. */
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

/** Returns the required event, with the same person and invoice. */
function stepBefore({ type_rejection_id: _, ...body }: JsonObject, code: EventCode): JsonObject {
  return { ...body, event_id: required(EVENT_IDS, code) };
}

/**
 * Takes the events of a run in order; one that needs others waits for them, which may stand further below. A refused or
 * held back one registers nothing (events.md 3, 4).
 */
export function createEventSequence({
  registered = () => [],
  today,
  holidays = HOLIDAYS,
  senders = [BUYER],
  expand = false,
}: SequenceOptions = {}) {
  const invoices = new Map<string, Registered[]>();
  const heldBack = new Map<string, HeldBack[]>();
  /** Events that wait for others of their invoice, by CUFE. */
  const waiting = new Map<string, { readonly code: EventCode; readonly from: SequenceSource }[]>();
  /** First number in the files, by CUFE. */
  const numbers = new Map<string, { readonly number: string; readonly row: number }>();

  function hold(body: JsonObject, from: SequenceSource): void {
    const key = invoiceKey(body, from);
    if (key === undefined) return;
    const entry = { code: eventCode(body['event_id']), row: from.row };
    heldBack.set(key, [...(heldBack.get(key) ?? []), entry]);
  }

  const heldBackOf = (cufe: string, { details }: SequenceSource): readonly HeldBack[] =>
    [cufe, details?.['invoice'] ?? ''].flatMap((key) => heldBack.get(key) ?? []);

  /** Returns an issue if the CUFE also occurs with another invoice number. */
  function otherInvoice(cufe: string, { row, details }: SequenceSource): Issue | undefined {
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

  /** Returns the sources of an invoice's waiting events, those with fewer needs first. */
  function waitingFor(cufe: string): readonly SequenceSource[] {
    const needs = (code: EventCode): number => missingSteps([], code).length;
    const events = [...(waiting.get(cufe) ?? [])];
    return events.sort((a, b) => needs(a.code) - needs(b.code)).map(({ from }) => from);
  }

  const eventsOf = async (cufe: string): Promise<Registered[]> => {
    const known = invoices.get(cufe) ?? [...(await registered(cufe))];
    invoices.set(cufe, known);
    return known;
  };

  const repeated = (code: EventCode, events: readonly Registered[]): SequenceDecision =>
    events.some((event) => event.code === code && event.ours)
      ? { is: 'next', before: [], issues: [] }
      : { is: 'done', issue: issue('events/already-done', 'warning', code, { rule: 'LGC01' }) };

  const refused = (reason: Issue): SequenceDecision => ({ is: 'refused', issue: reason });

  function orderIssue(
    rule: OrderRule,
    code: EventCode,
    done: readonly EventCode[],
    held: readonly HeldBack[],
  ): Issue {
    const about = RULE_CODES[rule];
    if (about !== undefined)
      return issue(about, 'error', code, { rule, done: excluding(done, code).map(eventName).join(', ') });
    const missing = missingSteps(done, code);
    const causes = held.filter((entry) => entry.code === undefined || missing.includes(entry.code));
    const [first] = causes;
    if (first === undefined)
      return issue('events/order', 'error', code, { rule, missing: missing.map(eventName).join(', ') });
    const codes = causes.flatMap((entry) => entry.code ?? []);
    if (codes.length === causes.length) {
      // Missing values of these records are reported at their cells.
      const expected = codes.flatMap((held) => [...missingSteps(done, held), held]);
      const remaining = orderRule([...done, ...expected], code);
      if (remaining !== undefined) return orderIssue(remaining, code, [...done, ...expected], []);
    }
    return issue('events/waits', 'warning', code, { first: first.row });
  }

  /** Returns the issue of the event's term; undefined if it has not started or is unknown. */
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

  async function next(body: JsonObject, from: SequenceSource, mayWait: boolean): Promise<SequenceDecision> {
    const code = eventCode(body['event_id']);
    const about = invoiceOfEvent(body);
    if (code === undefined || about === undefined) return { is: 'next', before: [], issues: [] };
    const other = otherInvoice(about.cufe, from);
    if (other !== undefined) return refused(other);
    const { sender = '' } = rowOf(code);
    if (!senders.includes(sender)) return refused(issue('events/not-yours', 'error', code, { sender }));
    const events = await eventsOf(about.cufe);
    const done = events.map((event) => event.code);
    const waits = (waiting.get(about.cufe) ?? []).filter((entry) => entry.from !== from);
    const missing = done.includes(code) || excluding(done, code).length > 0 ? [] : missingSteps(done, code);
    const mustWait = mayWait && missing.length > 0;
    waiting.set(about.cufe, mustWait ? [...waits, { code, from }] : waits);
    if (mustWait) return { is: 'waits' };
    const held = heldBackOf(about.cufe, from);
    // A row that is to be corrected may name the event, and another person.
    const isHeld = (step: EventCode): boolean =>
      held.some((entry) => entry.code === undefined || entry.code === step);
    const before = expand ? missing.filter((step) => IMPLICIT_STEPS.has(step) && !isHeld(step)) : [];
    const soldForCash = about.invoice?.payment === 'cash';
    // Added events obey the same rules.
    for (const [at, step] of [...before, code].entries()) {
      const rule = orderRule([...done, ...before.slice(0, at)], step, { soldForCash });
      if (rule === 'LGC01') return repeated(code, events);
      if (rule !== undefined) return refused(orderIssue(rule, step, done, held));
    }
    // A held back event may exclude this one, which could not be undone.
    const opposed = held.find(
      (entry) => excluding(entry.code === undefined ? FINAL : [entry.code], code).length > 0,
    );
    if (opposed !== undefined) return refused(issue('events/waits', 'warning', code, { first: opposed.row }));
    // Which of two final events is meant is not for the order of the rows to say.
    const rivals = waits.flatMap((entry) => excluding([entry.code], code));
    const exclusion = rivals.length > 0 ? orderRule(rivals, code) : undefined;
    if (exclusion !== undefined) return refused(orderIssue(exclusion, code, rivals, []));
    const term = termIssue(code, events);
    if (term?.level === 'error') return refused(term);
    const now = today === undefined ? {} : { date: today };
    events.push(...[...before, code].map((registered) => ({ code: registered, ...now })));
    return {
      is: 'next',
      before: before.map((step) => stepBefore(body, step)),
      issues: term === undefined ? [] : [term],
      frees: waitingFor(about.cufe),
    };
  }

  return {
    async next(body: JsonObject, from: SequenceSource = NOWHERE, mayWait = false): Promise<SequenceDecision> {
      const decision = await next(body, from, mayWait);
      if (decision.is === 'refused') hold(body, from);
      return decision;
    },
    heldBack: hold,
    rest: () => [...waiting.keys()].flatMap(waitingFor),
  };
}

/** State of an invoice (events.md 3). */
type InvoiceState = 'none' | 'acknowledged' | 'received' | 'accepted' | 'claimed' | 'tacitly-accepted';

/** Remaining actions on a received invoice. */
interface Work {
  readonly state: InvoiceState;
  /** Events the buyer may register today; empty once it is settled. */
  readonly next: readonly EventCode[];
  /** Day the goods were received, and the last day to claim or accept. */
  readonly received?: PlainDate;
  readonly deadline?: PlainDate;
  /** Business days of the term, and the holidays inside it. */
  readonly days?: number;
  readonly holidays?: readonly PlainDate[];
  /** Business day of the term today. */
  readonly day?: number;
}

/** States by event, the strongest first. */
const STATES: readonly (readonly [EventCode, InvoiceState])[] = [
  ['033', 'accepted'],
  ['031', 'claimed'],
  ['034', 'tacitly-accepted'],
  ['032', 'received'],
  ['030', 'acknowledged'],
];

const buyersCodes = (): readonly EventCode[] =>
  Object.values(EVENT_CODES).filter((code) =>
    requiredCatalogue('events').rows.some((row) => row['code'] === code && row['sender'] === 'comprador'),
  );

/** Returns the state of an invoice, its running term, and the events that order and term allow. */
export function workOf(events: readonly Registered[], today: PlainDate, holidays: Holidays = HOLIDAYS): Work {
  const done = events.map(({ code }) => code);
  const state = STATES.find(([code]) => done.includes(code))?.[1] ?? 'none';
  const from = startOf('031', events);
  const term = from === undefined ? undefined : termOf('031', from);
  const running =
    state === 'received' && from !== undefined && term !== undefined
      ? { received: from, days: term.days, deadline: termEnd(from, holidays, term.days) }
      : undefined;
  const isLate = running !== undefined && today > running.deadline;
  const next = buyersCodes().filter(
    (code) => orderRule(done, code) === undefined && !(isLate && termOf(code)?.after === 'error'),
  );
  return {
    state,
    next,
    ...(running !== undefined && {
      ...running,
      holidays: holidaysBetween(running.received, running.deadline, holidays),
      day: termDay(running.received, today, holidays),
    }),
  };
}
