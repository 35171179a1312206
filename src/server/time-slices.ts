/** Min time slice of a run while others wait, in ms; restarting has a cost. */
const MIN_SLICE_MS = 10_000;
/** Max time slice even if no run waits, in ms, so that an idle worker can take over. */
const MAX_SLICE_MS = 15 * 60_000;

/**
 * Returns the runs to interrupt so that waiting ones get a place: those that were sent longest. They go on behind the
 * others.
 */
export function runsToPreempt(
  active: readonly { readonly id: string; readonly since: number }[],
  { now, waiting, places }: { readonly now: number; readonly waiting: number; readonly places: number },
): readonly string[] {
  const room = Math.max(0, places - active.length);
  const asked = Math.max(0, waiting - room);
  return active
    .toSorted((a, b) => a.since - b.since)
    .filter(({ since }, at) => now - since >= (at < asked ? MIN_SLICE_MS : MAX_SLICE_MS))
    .map(({ id }) => id);
}

/** Result of sending a run for one slice. */
export interface TurnEnd {
  /** True if nothing of the run is left to send. */
  readonly finished: boolean;
  /** True if it was interrupted, for other runs or because the worker stops. */
  readonly interrupted: boolean;
  /**
   * True if the cause lies in the documents or the set-up, according to the service or the authority: only a user can
   * correct it.
   */
  readonly hopeless: boolean;
  /** True if documents changed their state. */
  readonly moved: boolean;
}

/** Max tries in a row without progress: at half an hour each, two days, which is what the authority grants. */
const MAX_TRIES = 96;
const MIN_RETRY_S = 5;

/** Decision about the job: it is over, or goes back to the queue for some seconds. */
type JobDecision =
  | { readonly is: 'over' }
  | { readonly is: 'back'; readonly seconds: number; readonly tries: number };

/** Decides about a job after a slice. `pause`: seconds to wait for a service that is down. */
export function afterTurn(
  { finished, interrupted, hopeless, moved }: TurnEnd,
  tries: number,
  pause: number,
): JobDecision {
  if (finished || hopeless) return { is: 'over' };
  if (interrupted) return { is: 'back', seconds: 0, tries: moved ? 0 : tries };
  const triesInVain = moved ? 1 : tries + 1;
  return triesInVain > MAX_TRIES
    ? { is: 'over' }
    : { is: 'back', seconds: Math.max(pause, MIN_RETRY_S), tries: triesInVain };
}

const MAX_HANDOFF_DELAY_S = 60;

/** Returns the seconds until a job is offered again after a worker had no token for it; they double up to the max. */
export const handoffDelay = (passed: number): number =>
  Math.min(MAX_HANDOFF_DELAY_S, 2 ** Math.min(passed, 6));
