import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import {
  DAY,
  findMatch,
  type HashedText,
  issueTimeOf,
  outward,
  secondOf,
} from '../../src/families/code-proof.js';
import { cude } from '../../src/families/events/cude.js';
import { hashed } from '../../src/families/events/delivery.js';
import { type CuneParts, cune, cuneInput } from '../../src/families/payroll/cune.js';
import type { JsonObject } from '../../src/toolkit/core/json.js';
import { attached, CUFE } from './events/attached.js';

const VECTORS = new URL('payroll/cune-vectors.json', import.meta.url);
const vectors: { name: string; parts: CuneParts; cune: string }[] = JSON.parse(readFileSync(VECTORS, 'utf8'));
const isTime = ({ parts }: { parts: CuneParts }): boolean => /^\d\d:\d\d:\d\d-05:00$/.test(parts.issueTime);
const at = (text: string): number => Date.parse(text);

const textsOf = (parts: CuneParts, ...environments: readonly ('1' | '2')[]): readonly HashedText[] =>
  environments.map((environment) => {
    const [before = '', after = ''] = cuneInput({ ...parts, issueTime: '\n', environment }).split('\n');
    return { before, after, environment };
  });

describe('the CUNE of a document is found by its parts and the PIN', () => {
  test.each(vectors.filter(isTime))('$name', ({ parts, cune: code }) => {
    const { issueTime, environment } = parts;
    const near = (minutes = 0) => outward([secondOf(at(`2020-01-16T${issueTime}`)) + 60 * minutes], 90);
    for (const minutes of [0, 1, -1]) {
      const made = findMatch(textsOf(parts, '1', '2'), code.toUpperCase(), near(minutes));
      expect([made && issueTimeOf(made.second), made?.text.environment]).toEqual([issueTime, environment]);
    }
    const others: Partial<CuneParts>[] = [
      { number: `${parts.number}1` },
      { softwarePin: '694' },
      { employerNit: '700085372' },
      { issueDate: '2020-01-17' },
      { xmlType: parts.xmlType === '102' ? '103' : '102' },
      { net: '1.00' },
      { workerDocument: '8' },
    ];
    for (const other of others)
      expect(findMatch(textsOf({ ...parts, ...other }, '1', '2'), code, near())).toBeUndefined();
    // Of the other environment, or of a time that was not tried.
    expect(findMatch(textsOf(parts, environment === '1' ? '2' : '1'), code, near())).toBeUndefined();
    expect(findMatch(textsOf(parts, '1', '2'), code, near(60))).toBeUndefined();
  });
});

test('the search goes over midnight in Colombia', () => {
  const { parts } = vectors[0]!;
  for (const issueTime of ['23:59:58-05:00', '00:00:03-05:00']) {
    const code = cune({ ...parts, issueTime, environment: '2' });
    const made = findMatch(textsOf(parts, '2'), code, outward([secondOf(at('2026-11-22T05:00:00Z'))], 60));
    expect(made && issueTimeOf(made.second)).toBe(issueTime);
  }
});

test.each<[string, readonly number[], number | undefined, number]>([
  ['one, a minute around', [100], 60, 121],
  ['two that overlap', [100, 130], 60, 151],
  ['one at midnight', [0], 60, 121],
  ['one, the whole day', [5], undefined, DAY],
  ['two, the whole day', [5, 50_000], undefined, DAY],
  ['one, further than a day', [5], 3 * DAY, DAY],
])('outward from %s: each second once, the nearest first', (_, centres, reach, count) => {
  const seconds = [...outward(centres, reach)];
  expect([seconds.length, new Set(seconds).size]).toEqual([count, count]);
  expect(seconds.filter((second) => !(second >= 0 && second < DAY))).toEqual([]);
  expect(seconds.slice(0, centres.length)).toEqual(centres);
  const far = (second: number): number =>
    Math.min(
      ...centres.map((centre) => Math.min(Math.abs(second - centre), DAY - Math.abs(second - centre))),
    );
  const distances = seconds.map(far);
  expect(distances).toEqual([...distances].sort((a, b) => a - b));
});

/** The worked example of service.md 13.9: made at 10:00 with the PIN 12345. */
const WORKED =
  'ec6c117f30acb43d5596771ddabc624efeffd9d995ff8e77516214f6e58d0fbb6980af52bb5cc47b6d5053b186293e08';
const BY_CUFE: JsonObject = { event_id: 1, document_reference: { cufe: CUFE } };
const BY_FILE: JsonObject = {
  event_id: 1,
  base64_attacheddocument: Buffer.from(attached()).toString('base64'),
};
const PARTS = { transmitter_id: '860012345', receiver_id: '900123456', invoice_number: 'FE2301' };
const LISTED = { event_number: '860012345FE2301030', date: '2026-03-11', time: '10:00:00-05:00' };
const RESENT = cude({
  eventNumber: '860012345FE23010307',
  issueDate: '2026-03-11',
  issueTime: '10:00:00-05:00',
  sender: '900123456',
  receiver: '860012345',
  eventCode: '030',
  invoiceNumber: 'FE2301',
  invoiceType: '01',
  softwarePin: '12345',
});
const TACIT = cude({
  eventNumber: '900123456FV9034',
  issueDate: '2026-03-11',
  issueTime: '10:00:00-05:00',
  sender: '900123456',
  receiver: '860012345',
  eventCode: '034',
  invoiceNumber: 'FV9',
  invoiceType: '01',
  softwarePin: '12345',
});

type Case = [
  name: string,
  body: JsonObject,
  kept: JsonObject,
  isOurs: boolean,
  more?: { pin?: string; code?: string; at?: string },
];
test.each<Case>([
  ['the parts in the answer', BY_CUFE, PARTS, true],
  ["the service's own book", BY_CUFE, { seller_id: '860012345', invoice_number: 'FE2301' }, true],
  ["the number and time in DIAN's list", BY_CUFE, LISTED, true],
  ['the invoice that went along', BY_FILE, {}, true],
  ['the invoice that went along, and the list', BY_FILE, LISTED, true],
  [
    'a resend, which has a digit more',
    { ...BY_CUFE, resend_consecutive: true },
    PARTS,
    true,
    { code: RESENT },
  ],
  [
    'a resend in the list',
    BY_CUFE,
    { ...LISTED, event_number: '860012345FE23010307' },
    true,
    { code: RESENT },
  ],
  [
    'a tacit acceptance, by the seller',
    { ...BY_CUFE, event_id: 5 },
    { transmitter_id: '900123456', receiver_id: '860012345', invoice_number: 'FV9' },
    true,
    { code: TACIT },
  ],
  ['a day that began meanwhile', BY_CUFE, PARTS, false, { at: '2026-03-12T05:20:00Z' }],
  ['another PIN', BY_CUFE, PARTS, false, { pin: '54321' }],
  ['another PIN, by the list', BY_CUFE, LISTED, false, { pin: '54321' }],
  ['another invoice', BY_CUFE, { ...PARTS, invoice_number: 'FE2302' }, false],
  ['another seller', BY_CUFE, { ...PARTS, transmitter_id: '860012346' }, false],
  ['another event', { ...BY_CUFE, event_id: 3 }, PARTS, false],
  ['another event, by the list', { ...BY_CUFE, event_id: 3 }, LISTED, false],
  ['another time in the list', BY_CUFE, { ...LISTED, time: '10:00:01-05:00' }, false],
  ['a resend that nobody asked for', BY_CUFE, PARTS, false, { code: RESENT }],
  ['nothing', BY_CUFE, {}, false],
])(
  "an event's CUDE by %s",
  (_, body, kept, isOurs, { pin = '12345', code = WORKED, at: asked = '2026-03-11T15:05:00Z' } = {}) => {
    const claim = { body, documentCode: code, shown: { kept }, moments: [at(asked)] };
    const { texts, time } = hashed(claim, { nit: '900123456', pin });
    const seconds =
      time === undefined ? outward([secondOf(at(asked))], 900) : [secondOf(at(`2026-03-11T${time}`))];
    expect(findMatch(texts, code, seconds) !== undefined).toBe(isOurs);
  },
);
