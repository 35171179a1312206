import { setImmediate } from 'node:timers/promises';

/** Longest time that a loop keeps the thread of a server, in ms. */
const MAX_TURN_MS = 50;

let lastTurn = 0;

/** Lets other work of this process go on, if it has waited for long. Call it between the batches of a loop. */
export async function giveTurn(): Promise<void> {
  if (performance.now() - lastTurn < MAX_TURN_MS) return;
  await setImmediate();
  lastTurn = performance.now();
}
