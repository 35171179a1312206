export type Clock = ReturnType<typeof createClock>;

export function createClock(source: () => Date) {
  let shift = 0;
  return {
    now: () => new Date(source().getTime() + shift),
    /** Sets the clock to `instant`, from which it goes on. */
    set: (instant: Date) => {
      shift = instant.getTime() - source().getTime();
    },
    advance: (seconds: number) => {
      shift += seconds * 1000;
    },
  };
}

/** Returns the wall clock in Colombia, UTC-5 all year: `YYYY-MM-DD`, and `HH:MM:SS-05:00`, the form of a CUNE. */
export function bogota(instant: Date) {
  const text = new Date(instant.getTime() - 5 * 3_600_000).toISOString();
  return { date: text.slice(0, 10), time: `${text.slice(11, 19)}-05:00` };
}
