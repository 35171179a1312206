import { beforeAll, describe, expect, it } from 'vitest';
import { EVENT_CODES, type EventCode, orderRule } from '../../../src/families/events/sequence.js';
import type { Sandbox } from '../../../src/sandbox/server.js';
import { byCufe, cufeOf, IN_BOOK, MORNING, morning, outcome, sendEvent } from './requests.js';

const CODES = Object.values(EVENT_CODES);
const WEEK = 7 * 24 * 3_600_000;

const upTo = (length: number): EventCode[][] =>
  length === 0 ? [[]] : [[], ...upTo(length - 1).flatMap((rest) => CODES.map((code) => [code, ...rest]))];
const ORDERS = upTo(3).filter((order) => order.length > 0);

let box: Sandbox;
let digit = 0;
beforeAll(async () => {
  // No two resends of an invoice get the same digit, so that none is told 90.
  box = await morning({ resendDigit: () => digit++ % 10 });
});

/** Sends a week after each other, so that the term of a tacit acceptance is over. */
async function outcomes(name: string, order: readonly EventCode[], resend: boolean): Promise<string[]> {
  const found: string[] = [];
  for (const [step, code] of order.entries()) {
    box.controls.setClock(new Date(MORNING.getTime() + step * WEEK));
    const body = byCufe(code, cufeOf(`${name} ${order}`), resend ? { resend_consecutive: true } : {});
    found.push(outcome(await sendEvent(box, body)));
  }
  return found;
}

/** What order.ts says of each step. */
function ruled(order: readonly EventCode[]): string[] {
  const approved: EventCode[] = [];
  return order.map((next) => {
    const rule = orderRule(approved, next);
    if (rule === undefined) approved.push(next);
    return rule ?? 'accepted';
  });
}

/** The flag of the service's book that an event has. */
const flagOf = (code: EventCode): string | undefined =>
  code === '034' ? '033' : code.startsWith('03') ? code : undefined;

/** The same where the service's book answers first, and DIAN knows a repeated number before any rule. */
function booked(order: readonly EventCode[]): string[] {
  const flags = new Set<string>();
  return ruled(order).map((rule, step) => {
    const flag = flagOf(order[step]!);
    if (flag !== undefined && flags.has(flag)) return IN_BOOK;
    if (rule === 'accepted' && flag !== undefined) flags.add(flag);
    return rule === 'LGC01' ? '90' : rule;
  });
}

describe('all orders of up to three events', () => {
  it('are 399', () => expect(ORDERS).toHaveLength(399));

  it.each(CODES)('that end with %s, past the book', async (last) => {
    for (const order of ORDERS.filter((each) => each.at(-1) === last))
      expect([order, await outcomes('resend', order, true)]).toEqual([order, ruled(order)]);
  });

  it.each(CODES)('that end with %s, with the book', async (last) => {
    for (const order of ORDERS.filter((each) => each.at(-1) === last))
      expect([order, await outcomes('plain', order, false)]).toEqual([order, booked(order)]);
  });
});
