import { describe, expect, test } from 'vitest';
import { afterTurn, handoffDelay, runsToPreempt } from '../../src/server/time-slices.js';

const SECOND = 1_000;
const going = (...ages: readonly number[]) =>
  ages.map((age, at) => ({ id: `r${at}`, since: 1_000_000 - age * SECOND }));
const at = (waiting: number, places: number) => ({ now: 1_000_000, waiting, places });

describe('whose turn ends', () => {
  test.each([
    ['nobody waits', going(60, 600), at(0, 2), []],
    ['one waits: the one that is longest at it', going(60, 600, 30), at(1, 3), ['r1']],
    ['nobody before his time', going(5, 9), at(2, 2), []],
    ['as many as wait, and no more', going(20, 30, 40), at(2, 3), ['r2', 'r1']],
    ['who waits has a place', going(20, 30), at(3, 5), []],
    ['who waits has a place but one', going(20, 30), at(4, 5), ['r1']],
    ['nobody waits, and it has been at it for very long', going(2_000, 60), at(0, 2), ['r0']],
  ])('%s', (_, runs, state, ended) => {
    expect(runsToPreempt(runs, state)).toEqual(ended);
  });
});

describe('what becomes of a run after its turn', () => {
  const LEFT = { finished: false, interrupted: false, hopeless: false, moved: false };
  test.each([
    ['it is done', { ...LEFT, finished: true }, 0, { is: 'over' }],
    ['only a person can help', { ...LEFT, hopeless: true }, 0, { is: 'over' }],
    ['others wait', { ...LEFT, interrupted: true, moved: true }, 7, { is: 'back', seconds: 0, tries: 0 }],
    ['the service is down', LEFT, 3, { is: 'back', seconds: 1_800, tries: 4 }],
    [
      'the service is down again after some were sent',
      { ...LEFT, moved: true },
      3,
      { is: 'back', seconds: 1_800, tries: 1 },
    ],
    ['it was down for two days', LEFT, 96, { is: 'over' }],
  ])('%s', (_, end, tries, next) => {
    expect(afterTurn(end, tries, 1_800)).toEqual(next);
  });

  test('a run without a token is offered soon, then ever later, and never given up', () => {
    expect([0, 1, 2, 5, 6, 1_000].map(handoffDelay)).toEqual([1, 2, 4, 32, 60, 60]);
  });
});

/** Turns of runs by these rules, in a time of their own: a run takes so many seconds of sending. Returns when each is done. */
function simulate(seconds: readonly number[], places: number): number[] {
  const left = [...seconds];
  const done: number[] = seconds.map(() => 0);
  const queue = seconds.map((_, run) => run);
  const turns = new Map<number, number>();
  for (let now = 0; left.some((work) => work > 0); now += 1) {
    while (turns.size < places && queue.length > 0) turns.set(queue.shift()!, now);
    const list = [...turns].map(([run, since]) => ({ id: String(run), since: since * SECOND }));
    for (const id of runsToPreempt(list, { now: now * SECOND, waiting: queue.length, places })) {
      turns.delete(Number(id));
      queue.push(Number(id));
    }
    for (const run of turns.keys()) {
      left[run]! -= 1;
      if (left[run]! > 0) continue;
      done[run] = now + 1;
      turns.delete(run);
    }
  }
  return done;
}

describe('fairness', () => {
  test('a run of a day takes nothing from two hundred small ones that came with it', () => {
    const [, ...small] = simulate([20_000, ...Array.from({ length: 200 }, () => 5)], 256);
    expect(Math.max(...small)).toBeLessThanOrEqual(2 * 5);
  });

  test('large runs that fill every place make room for a small one within a turn', () => {
    const done = simulate([...Array.from({ length: 8 }, () => 2_000), 5], 8);
    expect(done.at(-1)).toBeLessThanOrEqual(20);
  });

  test('of two large ones on one place neither waits for the other to be done', () => {
    const [one, other] = simulate([500, 500], 1);
    expect(Math.abs(one! - other!)).toBeLessThanOrEqual(20);
  });
});
