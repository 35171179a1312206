export interface Clock {
  now(): Date;
  /** Sets the clock to `instant`, from which it goes on. */
  set(instant: Date): void;
  advance(seconds: number): void;
}

export function createClock(source: () => Date): Clock {
  let shift = 0;
  return {
    now: () => new Date(source().getTime() + shift),
    set: (instant) => {
      shift = instant.getTime() - source().getTime();
    },
    advance: (seconds) => {
      shift += seconds * 1000;
    },
  };
}

/** Returns the wall clock in Colombia, UTC-5 all year: `YYYY-MM-DD`, and `HH:MM:SS-05:00`, the form of a CUNE. */
export function bogota(instant: Date) {
  const text = new Date(instant.getTime() - 5 * 3_600_000).toISOString();
  return { date: text.slice(0, 10), time: `${text.slice(11, 19)}-05:00` };
}
