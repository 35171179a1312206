import { describe, expect, expectTypeOf, test } from 'vitest';
import type { SchemaTypes } from '../../src/generated/schema-types.js';
import { validator, wordIssue } from '../../src/toolkit/schema/validate.js';
import { PAYROLL, withValue } from './examples.js';
import { PATIENT } from './health-examples.js';

const payroll = validator('payroll/payroll');

test('gives back a document that is as it must be, typed', () => {
  const { value, issues } = validator('rips/patient')(PATIENT);
  expect(value).toBe(PATIENT);
  expect(issues).toEqual([]);
  expectTypeOf(value).toEqualTypeOf<SchemaTypes['rips/patient'] | undefined>();
});

describe('says where and what is wrong, and gives nothing back', () => {
  test.each<[string, string, unknown, string]>([
    ['shape', '/worker/salary', 'mucho', 'document/format-money'],
    ['a rule of the authority', '/accrued/accrued_total', '9999999.00', 'payroll/accrued-total'],
  ])('%s', (_, pointer, wrong, code) => {
    const { value, issues } = payroll(withValue(PAYROLL, pointer, wrong));
    expect(value).toBeUndefined();
    const errors = issues.filter(({ level }) => level === 'error');
    expect(errors.map((issue) => [issue.place.pointer, issue.code])).toEqual([[pointer, code]]);
  });

  test.each([null, undefined, 7, [], 'text'])('%o, without a throw', (document) => {
    expect(payroll(document).issues).not.toEqual([]);
  });
});

test('each issue is worded in two languages, rules too', () => {
  const [issue] = payroll(withValue(PAYROLL, '/accrued/accrued_total', '1.00')).issues;
  const [es, en] = [wordIssue(issue!), wordIssue(issue!, 'en')];
  expect(es.message).not.toBe(issue!.code);
  expect(en.message).not.toBe(es.message);
});

test('an unknown schema is told at once', () => {
  expect(() => validator('payroll/payrol' as 'payroll/payroll')).toThrow(
    /no schema "payroll\/payrol".*payroll\/payroll, /,
  );
});
