import type { EventCode } from '../../events/kinds.js';
import type { PlainDate } from '../../values/plain-date.js';
import type { Collection, Store } from '../store.js';

/** Flags of the service's own book, by its own names; express and tacit acceptance share one. */
export const MARK_NAMES = ['acu_recibo', 'rec_bienes', 'aceptacion', 'rechazo'] as const;
export type MarkName = (typeof MARK_NAMES)[number];

const NAME_OF: Readonly<Partial<Record<EventCode, MarkName>>> = {
  '030': 'acu_recibo',
  '031': 'rechazo',
  '032': 'rec_bienes',
  '033': 'aceptacion',
  '034': 'aceptacion',
};

/** What the service remembers of an event that it believes done. */
export interface Mark {
  readonly cude: string;
  readonly date: PlainDate;
}

/** The service's own book of received invoices. What DIAN holds is another matter (registry.ts). */
export interface Marks {
  /** The flag that an event would set. DIAN's own events have none. */
  of(company: string, cufe: string, code: EventCode): Mark | undefined;
  set(company: string, cufe: string, code: EventCode, mark: Mark): void;
  clear(company: string, cufe: string, code: EventCode): void;
  has(company: string, cufe: string, name: MarkName): boolean;
}

const keyOf = (company: string, cufe: string, name: MarkName): string => [company, cufe, name].join('|');

export function openMarks(store: Store): Marks {
  const marks: Collection<Mark> = store.collection('eventMarks');
  return {
    of: (company, cufe, code) => {
      const name = NAME_OF[code];
      return name === undefined ? undefined : marks.get(keyOf(company, cufe, name));
    },
    set: (company, cufe, code, mark) => {
      const name = NAME_OF[code];
      if (name !== undefined) marks.put(keyOf(company, cufe, name), mark);
    },
    clear: (company, cufe, code) => {
      const name = NAME_OF[code];
      if (name !== undefined) marks.delete(keyOf(company, cufe, name));
    },
    has: (company, cufe, name) => marks.get(keyOf(company, cufe, name)) !== undefined,
  };
}
