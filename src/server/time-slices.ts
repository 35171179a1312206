/** A run that a worker has begun, and when. */
interface Going {
  readonly id: string;
  readonly since: number;
}

/** So long a run is left alone, whoever waits: to stop and to begin anew costs a moment too. */
const SLICE_MS = 10_000;
/** Then also one that nobody waits for goes back: another worker may have more time. */
const LONGEST_MS = 15 * 60_000;

/**
 * Which of the runs that are under way end their turn, so that others get theirs: those that are longest at it, as many as
 * wait and find no place. They go on behind the others.
 */
export function runsToPreempt(
  going: readonly Going[],
  { now, waiting, places }: { readonly now: number; readonly waiting: number; readonly places: number },
): readonly string[] {
  const room = Math.max(0, places - going.length);
  const asked = Math.max(0, waiting - room);
  return going
    .toSorted((a, b) => a.since - b.since)
    .filter(({ since }, at) => now - since >= (at < asked ? SLICE_MS : LONGEST_MS))
    .map(({ id }) => id);
}

/** How a turn ended. */
export interface TurnEnd {
  /** Nothing of the run is left. */
  readonly finished: boolean;
  /** It was asked to end, for others or because the worker stops. */
  readonly interrupted: boolean;
  /** What stopped it lies in the documents or the set-up, as the service or the authority says: only a person can help. */
  readonly hopeless: boolean;
  /** Whether anything came of it. */
  readonly moved: boolean;
}

/** Tries in a row that come to nothing: at half an hour each, two days, which is what the authority grants. */
const MOST_TRIES = 96;
const SHORT_S = 5;

/** What becomes of the job: it is over, or goes back after so many seconds. */
type Next =
  | { readonly is: 'over' }
  | { readonly is: 'back'; readonly seconds: number; readonly tries: number };

/** `pause`: how long a service that is down is left alone, in seconds. */
export function afterTurn(
  { finished, interrupted, hopeless, moved }: TurnEnd,
  tries: number,
  pause: number,
): Next {
  if (finished || hopeless) return { is: 'over' };
  if (interrupted) return { is: 'back', seconds: 0, tries: moved ? 0 : tries };
  const vain = moved ? 1 : tries + 1;
  return vain > MOST_TRIES ? { is: 'over' } : { is: 'back', seconds: Math.max(pause, SHORT_S), tries: vain };
}

const LONGEST_PASS_S = 60;

/** After how many seconds a job is offered again that found a worker without its token: soon at first, then ever later. */
export const passAfter = (passed: number): number => Math.min(LONGEST_PASS_S, 2 ** Math.min(passed, 6));
