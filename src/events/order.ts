import { catalogue } from '../catalogue/catalogue.js';
import { EVENT_CODES, type EventCode } from './kinds.js';

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
export interface Circumstances {
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
export const excluding = (approved: Iterable<EventCode>, next: EventCode): readonly EventCode[] =>
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
