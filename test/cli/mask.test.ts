import { describe, expect, test } from 'vitest';
import { maskText, maskValue } from '../../src/app/mask.js';
import type { Issue } from '../../src/toolkit/core/issue.js';
import { isPersonal } from '../../src/toolkit/schema/registry.js';

test.each([
  ['9000100037', '9•••37'],
  ['Núñez!', 'N•••z!'],
  ['Núñez', '•••'],
  ['', '•••'],
])('%j', (text, masked) => {
  expect(maskText(text)).toBe(masked);
});

test.each([
  ['/worker/identification_number', true],
  ['/worker/surname', true],
  ['/accrued/worked_days', false],
  ['/no/such/place', false],
])('schema says whether %s is personal', (pointer, personal) => {
  expect(isPersonal('payroll/payroll', pointer)).toBe(personal);
});

describe('an issue on the screen', () => {
  const issue = (pointer: string): Issue => ({
    code: 'header/field-count',
    level: 'error',
    params: { found: 'dice 9000100037', wanted: 27 },
    place: { pointer },
    value: '9000100037',
    documentKey: '9000100074',
    suggestions: [{ value: '9000100038', score: 1 }],
  });

  test('hides the value of a personal field and what repeats it', () => {
    const masked = maskValue(issue('/worker/identification_number'), { schemas: ['payroll/payroll'] });
    expect(masked.value).toBe('9•••37');
    expect(masked.params).toEqual({ found: 'dice 9•••37', wanted: 27 });
    expect(masked.documentKey).toBe('9•••74');
    expect(masked.suggestions).toBeUndefined();
  });

  test.each([
    ['the row of a record without key', 10, '10', '10'],
    ['a key that is short', 3, '26', '•••'],
  ])('keeps the rest of a text whole: %s', (_, row, documentKey, key) => {
    const value = '31/10/2x26';
    const one: Issue = {
      code: 'cell/not-a-date',
      level: 'error',
      params: {},
      place: { row },
      value,
      documentKey,
    };
    const masked = maskValue(one, { schemas: [] });
    expect([masked.documentKey, masked.value]).toEqual([key, value]);
  });

  test('shows the value of another field, but no document number', () => {
    const masked = maskValue(issue('/accrued/worked_days'), { schemas: ['payroll/payroll'] });
    expect(masked.value).toBe('9000100037');
    expect(masked.documentKey).toBe('9•••74');
    expect(masked.suggestions).toHaveLength(1);
  });
});
