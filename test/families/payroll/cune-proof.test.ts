import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { type CuneParts, cune } from '../../../src/families/payroll/cune.js';
import {
  DAY,
  issueTimeOf,
  madeOf,
  secondOf,
  secondsBetween,
} from '../../../src/families/payroll/cune-proof.js';

const vectors: { name: string; parts: CuneParts; cune: string }[] = JSON.parse(
  readFileSync(new URL('cune-vectors.json', import.meta.url), 'utf8'),
);
const at = (text: string): number => Date.parse(text);
const isTime = ({ parts }: { parts: CuneParts }): boolean => /^\d\d:\d\d:\d\d-05:00$/.test(parts.issueTime);

describe('the code of a document is found by its parts and the PIN', () => {
  test.each(vectors.filter(isTime))('$name', ({ parts, cune: code }) => {
    const { issueTime, environment, ...known } = parts;
    const moment = at(`2020-01-16T${issueTime}`);
    const near = () => secondsBetween(moment - 60_000, moment + 60_000);
    const made = madeOf(known, code.toUpperCase(), near());
    expect([made && issueTimeOf(made.second), made?.environment]).toEqual([issueTime, environment]);
    const others: Partial<typeof known>[] = [
      { number: `${known.number}1` },
      { softwarePin: '694' },
      { employerNit: '700085372' },
      { issueDate: '2020-01-17' },
      { xmlType: known.xmlType === '102' ? '103' : '102' },
      { net: '1.00' },
      { workerDocument: '8' },
    ];
    for (const other of others) expect(madeOf({ ...known, ...other }, code, near())).toBeUndefined();
    // Of the other environment, or of a time that was not tried.
    expect(madeOf(known, code, near(), [environment === '1' ? '2' : '1'])).toBeUndefined();
    expect(madeOf(known, code, secondsBetween(moment + 3_600_000, moment + 3_601_000))).toBeUndefined();
  });
});

test('the window goes over midnight in Colombia', () => {
  const { issueTime: _time, environment: _environment, ...known } = vectors[0]!.parts;
  for (const issueTime of ['23:59:58-05:00', '00:00:03-05:00']) {
    const code = cune({ ...known, issueTime, environment: '2' });
    const made = madeOf(known, code, secondsBetween(at('2026-11-22T04:59:00Z'), at('2026-11-22T05:01:00Z')));
    expect(made && issueTimeOf(made.second)).toBe(issueTime);
  }
});

test.each([
  ['a moment', 0, 1_801],
  ['an hour', 3_600_000, 5_401],
  ['days', 3 * DAY * 1_000, DAY],
])('the seconds of %s are each tried once', (_, length, count) => {
  const now = at('2026-11-22T03:00:00Z');
  const seconds = [...secondsBetween(now - length, now)];
  expect([seconds.length, new Set(seconds).size]).toEqual([count, count]);
  expect(seconds.every((second) => second >= 0 && second < DAY)).toBe(true);
  expect(seconds).toContain(secondOf(now));
});
