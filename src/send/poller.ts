/** Asks again in rounds, in the background, as long as something waits. */
export interface Poller {
  /** Something new waits for a verdict. */
  notice(): void;
  /** Resolves when no round is under way or due; throws what a round threw. */
  idle(): Promise<void>;
}

/** `round` asks all that is due and says whether there was any; `pause` is the time between rounds. */
export function createPoller(
  round: () => Promise<boolean>,
  pause: () => Promise<void>,
  going: () => boolean,
): Poller {
  let noticed = false;
  let rounds: Promise<void> | undefined;

  async function run(): Promise<void> {
    for (let asked = true; going() && (asked || noticed); ) {
      noticed = false;
      await pause();
      asked = going() && (await round());
    }
    rounds = undefined;
  }

  return {
    notice: () => {
      noticed = true;
      rounds ??= run();
      // Whoever waits for idle() hears of it.
      rounds.catch(() => {});
    },
    idle: async () => {
      while (rounds !== undefined) await rounds;
    },
  };
}
