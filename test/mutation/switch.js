/**
 * Put beside the built files that hold faults: says which fault is on, and notes which processes reach which faults.
 * No variable of the environment: tests start programs with one of their own.
 */
import { appendFileSync, readFileSync } from 'node:fs';

const active = Number(readFileSync(new URL('./active', import.meta.url), 'utf8'));
const log = new URL('./reached', import.meta.url);
const reached = new Set();

/** True if a fault is on. @param {number} id @returns {boolean} */
export function isOn(id) {
  if (!reached.has(id)) {
    reached.add(id);
    appendFileSync(log, `${id} ${process.pid} ${process.ppid}\n`);
  }
  return id === active;
}
