import { describe, expect, test } from 'vitest';
import {
  createEventSequence,
  EVENT_CODES,
  type EventCode,
  missingSteps,
  orderRule,
  type SequenceOptions,
} from '../../../src/families/events/sequence.js';
import { paramOf } from '../../../src/toolkit/core/issue.js';
import type { JsonObject } from '../../../src/toolkit/core/json.js';
import type { SequenceDecision } from '../../../src/toolkit/documents/phases.js';
import { attached } from './attached.js';

const CUFE = 'a'.repeat(96);
const EVERYBODY = ['comprador', 'vendedor', 'DIAN'];
const CODES = Object.values(EVENT_CODES);
const idOf = (code: EventCode): number =>
  Number(Object.entries(EVENT_CODES).find(([, one]) => one === code)![0]);
const body = (code: EventCode, more: JsonObject = {}): JsonObject => ({
  event_id: idOf(code),
  document_reference: { cufe: CUFE },
  ...more,
});

const said = (followed: SequenceDecision): string => {
  if (followed.is === 'next')
    return [
      'next',
      ...followed.before.map(({ event_id: id }) => EVENT_CODES[id as 1]),
      ...codesOf(followed),
    ].join(' ');
  if (followed.is === 'waits') return 'waits';
  const { code, params, level } = followed.issue;
  return [followed.is, level, code, paramOf({ params }, 'rule')].filter(Boolean).join(' ');
};
const codesOf = (followed: Extract<SequenceDecision, { is: 'next' }>): string[] =>
  followed.issues.map(({ level, code }) => `${level} ${code}`);

const outcomes = async (order: readonly EventCode[], options: SequenceOptions = {}): Promise<string[]> => {
  const follow = createEventSequence(options);
  const found: string[] = [];
  for (const code of order) found.push(said(await follow.next(body(code))));
  return found;
};

const upTo = (length: number): EventCode[][] =>
  length === 0 ? [[]] : [[], ...upTo(length - 1).flatMap((rest) => CODES.map((code) => [code, ...rest]))];

describe('all orders of up to three events', () => {
  const ORDERS = upTo(3).filter((order) => order.length > 0);
  test('are 399', () => expect(ORDERS).toHaveLength(399));

  test('are taken or refused by the same rules as in the registry; what is refused registers nothing', async () => {
    for (const order of ORDERS) {
      const approved: EventCode[] = [];
      const ruled = order.map((next) => {
        const rule = orderRule(approved, next);
        if (rule === undefined) approved.push(next);
        return rule;
      });
      const follow = createEventSequence({ senders: EVERYBODY });
      for (const [at, code] of order.entries()) {
        const followed = await follow.next(body(code));
        expect([order, followed.is !== 'next']).toEqual([order, ruled[at] !== undefined]);
        if (followed.is === 'waits') throw new Error('An event waits only where it may');
        if (followed.is !== 'next' && followed.issue.code !== 'events/waits')
          expect([order, paramOf(followed.issue, 'rule')]).toEqual([order, ruled[at]]);
        // What it waits for was refused before it.
        if (followed.is !== 'next' && followed.issue.code === 'events/waits')
          expect(ruled.slice(0, at).some((rule) => rule !== undefined)).toBe(true);
      }
    }
  });
});

test.each<[string, JsonObject, EventCode, string]>([
  ['an acceptance waits for a claim', body('031'), '033', 'refused warning events/waits'],
  ['a claim waits for an acceptance', body('033'), '031', 'refused warning events/waits'],
  [
    'either waits for what is not known',
    { ...body('030'), event_id: 99 },
    '033',
    'refused warning events/waits',
  ],
  ['what excludes nothing does not', body('030'), '033', 'next'],
])('%s of its invoice that is to be corrected', async (_, held, code, expected) => {
  const registered = () => [{ code: '030' }, { code: '032' }] as const;
  const follow = createEventSequence({ registered });
  follow.heldBack(held, { row: 5 });
  expect(said(await follow.next(body(code)))).toBe(expected);
});

test.each<[string, EventCode[], SequenceOptions, string[]]>([
  ['the whole way', ['030', '032', '033'], {}, ['next', 'next', 'next']],
  ['twice', ['030', '030'], {}, ['next', 'done warning events/already-done LGC01']],
  ['too early', ['032'], {}, ['refused error events/order LGC09']],
  ['033 without 032', ['030', '033'], {}, ['next', 'refused error events/order LGC13']],
  [
    'claim after acceptance',
    ['030', '032', '033', '031'],
    {},
    ['next', 'next', 'next', 'refused error events/excluded LGC02'],
  ],
  ['the seller, undeclared', ['034'], {}, ['refused error events/not-yours']],
  [
    'DIAN',
    ['02', '04'],
    { senders: ['comprador', 'vendedor'] },
    ['refused error events/not-yours', 'refused error events/not-yours'],
  ],
  ['expanded', ['033'], { expand: true }, ['next 030 032']],
  ['expanded from the middle', ['030', '033'], { expand: true }, ['next', 'next 032']],
  ['expanded claim', ['031'], { expand: true }, ['next 030 032']],
  ['nothing to expand', ['030'], { expand: true }, ['next']],
  [
    'an acceptance is never put in',
    ['031'],
    { expand: true, registered: () => [{ code: '034' }] },
    ['refused error events/excluded LGC02'],
  ],
  [
    'registered elsewhere',
    ['030', '032'],
    { registered: () => [{ code: '030' }] },
    ['done warning events/already-done LGC01', 'next'],
  ],
  [
    'registered by us before',
    ['030', '032'],
    { registered: () => [{ code: '030', ours: true }] },
    ['next', 'next'],
  ],
])('%s', async (_name, order, options, expected) => expect(await outcomes(order, options)).toEqual(expected));

test('invoices do not see each other', async () => {
  const follow = createEventSequence();
  expect(said(await follow.next(body('030')))).toBe('next');
  expect(said(await follow.next(body('032', { document_reference: { cufe: 'b'.repeat(96) } })))).toBe(
    'refused error events/order LGC09',
  );
});

test('a step that is put in is about the same invoice and by the same person, without the reason of the claim', async () => {
  const person = { identification_number: '1', first_name: 'Ana' };
  const followed = await createEventSequence({ expand: true }).next(
    body('031', { type_rejection_id: 3, issuer_party: person }),
  );
  expect(followed).toMatchObject({
    before: [
      { event_id: 1, document_reference: { cufe: CUFE }, issuer_party: person },
      { event_id: 3, document_reference: { cufe: CUFE }, issuer_party: person },
    ],
  });
  expect(JSON.stringify(followed)).not.toContain('type_rejection_id');
});

describe('an event with its file', () => {
  const withFile = (payment: string): JsonObject => ({
    event_id: 1,
    base64_attacheddocument: Buffer.from(
      attached({ payment: `<cac:PaymentMeans><cbc:ID>${payment}</cbc:ID></cac:PaymentMeans>` }),
    ).toString('base64'),
    base64_attacheddocument_name: 'a.xml',
  });
  test('on credit', async () => expect(said(await createEventSequence().next(withFile('2')))).toBe('next'));
  test('for cash', async () =>
    expect(said(await createEventSequence().next(withFile('1')))).toBe(
      'refused error events/cash-sale LGC62',
    ));
});

describe('the term, 032 on Friday 2026-11-13, a moved holiday on Monday: until 2026-11-19', () => {
  const registered = () => [{ code: '030' }, { code: '032', date: '2026-11-13' }] as const;
  test.each<[EventCode, string, string]>([
    ['031', '2026-11-13', 'next'],
    ['031', '2026-11-17', 'next'],
    ['031', '2026-11-18', 'next warning events/term-ending'],
    ['031', '2026-11-19', 'next warning events/term-ending'],
    ['031', '2026-11-20', 'refused error events/term-over'],
    ['033', '2026-11-18', 'next warning events/term-ending'],
    ['033', '2026-11-20', 'next warning events/term-over'],
    ['034', '2026-11-19', 'refused error events/term-running LGC14'],
    ['034', '2026-11-20', 'next'],
  ])('%s on %s', async (code, today, expected) =>
    expect(await outcomes([code], { registered, today, senders: EVERYBODY })).toEqual([expected]),
  );

  test('other holidays', async () => {
    const holidays = new Set<string>();
    expect(await outcomes(['031'], { registered, today: '2026-11-19', holidays })).toEqual([
      'refused error events/term-over',
    ]);
  });

  test('an event of the same run is of today', async () => {
    const options = { today: '2026-11-21', senders: EVERYBODY };
    expect(await outcomes(['030', '032', '034'], options)).toEqual([
      'next',
      'next',
      'refused error events/term-running LGC14',
    ]);
  });
});

test.each<[EventCode[], EventCode, EventCode[]]>([
  [[], '033', ['030', '032']],
  [['030'], '031', ['032']],
  [['032'], '033', ['030']],
  [[], '030', []],
])('what %j lacks for %s', (done, next, missing) => expect(missingSteps(done, next)).toEqual(missing));

describe('one CUFE in rows of two invoices', () => {
  test.each<[string, string | undefined, string]>([
    ['FV8009', 'FV7777', 'refused error events/other-invoice'],
    ['FV-8009', 'fv 8009', 'next'],
    ['FV8009', '8009', 'next'],
    ['FV8009', undefined, 'next'],
  ])('%s, then %s: %s', async (first, second, expected) => {
    const follow = createEventSequence();
    const from = (row: number, invoice: string | undefined) => ({
      row,
      ...(invoice !== undefined && { details: { invoice } }),
    });
    expect(said(await follow.next(body('030'), from(2, first)))).toBe('next');
    expect(said(await follow.next(body('032'), from(3, second)))).toBe(expected);
  });
});
