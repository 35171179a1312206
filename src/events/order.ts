import type { EventCode } from './kinds.js';

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

const STEPS: Readonly<Record<EventCode, Step>> = {
  '030': { needs: [], excludedBy: [] },
  '032': { needs: [['030', 'LGC09']], excludedBy: [] },
  '033': {
    needs: [
      ['030', 'LGC12'],
      ['032', 'LGC13'],
    ],
    excludedBy: [
      ['031', 'LGC04'],
      ['034', 'LGC07'],
    ],
  },
  '031': {
    needs: [['032', 'LGC03']],
    excludedBy: [
      ['033', 'LGC02'],
      ['034', 'LGC02'],
    ],
  },
  '034': {
    needs: [['032', 'LGC14']],
    excludedBy: [
      ['031', 'LGC04'],
      ['033', 'LGC05'],
    ],
  },
  // DIAN's own word on the document: the service lets it through, and no rule is known (events.md 2).
  '02': { needs: [], excludedBy: [] },
  '04': { needs: [], excludedBy: [] },
};

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
  const { needs, excludedBy } = STEPS[next];
  // What excludes comes first: it cannot be made good, what is missing can.
  const excluding = excludedBy.find(([code]) => done.has(code));
  const missing = needs.find(([code]) => !done.has(code));
  return excluding?.[1] ?? missing?.[1] ?? (next === '034' && !termOver ? 'LGC14' : undefined);
}
