import { setImmediate } from 'node:timers/promises';

/** Max time that a loop may block the event loop of a server, in ms. */
const MAX_TURN_MS = 50;

let lastTurn = 0;

/** Yields to other work of the process if it waited too long. Call it between the batches of a loop. */
export async function giveTurn(): Promise<void> {
  if (performance.now() - lastTurn < MAX_TURN_MS) return;
  await setImmediate();
  lastTurn = performance.now();
}
