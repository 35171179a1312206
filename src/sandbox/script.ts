import type { Subject } from './answer.js';

/** Which requests an entry is meant for: every member given must be equal. */
export type Match = Partial<Pick<Subject, 'operation' | 'company' | 'number' | 'worker' | 'key'>>;

/** Something arranged beforehand. */
export interface Arranged {
  readonly match: Match;
  /** How many requests it catches before it is used up. */
  readonly times?: number;
}

export type Entry<T extends Arranged> = T & { readonly id: string; readonly left: number };

/** Arranged entries, the earliest first. */
export interface Script<T extends Arranged> {
  add(arranged: T): Entry<T>;
  remove(id: string): boolean;
  list(): readonly Entry<T>[];
  /** Uses one turn of the first entry that fits. */
  take(subject: Subject, fits?: (entry: T) => boolean): T | undefined;
}

export const matches = (match: Match, subject: Partial<Subject>): boolean =>
  Object.entries(match).every(([member, value]) => subject[member as keyof Match] === value);

export function createScript<T extends Arranged>(defaultTimes: number): Script<T> {
  const entries = new Map<string, T & { id: string; left: number }>();
  let last = 0;
  return {
    add: (arranged) => {
      const entry = { ...arranged, id: String(++last), left: arranged.times ?? defaultTimes };
      entries.set(entry.id, entry);
      return entry;
    },
    remove: (id) => entries.delete(id),
    list: () => [...entries.values()],
    take: (subject, fits = () => true) => {
      for (const entry of entries.values()) {
        if (!matches(entry.match, subject) || !fits(entry)) continue;
        entry.left -= 1;
        if (entry.left <= 0) entries.delete(entry.id);
        return entry;
      }
      return undefined;
    },
  };
}
