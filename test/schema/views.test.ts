import { describe, expect, test } from 'vitest';
import { validate } from '../../src/toolkit/schema/validate.js';
import type { View } from '../../src/toolkit/schema/views.js';
import { DELETE, PAYROLL, REPLACE, withValue } from './examples.js';

const codes = (name: string, view: View, document: object): string[] =>
  validate(name, view, document).map((issue) => `${issue.place.pointer} ${issue.code}`);

describe('draft', () => {
  test.each([
    ['payroll/payroll', PAYROLL],
    ['payroll/adjust-note', REPLACE],
    ['payroll/adjust-note', DELETE],
  ])('%s needs no number yet', (name, document) => {
    const unnumbered = withValue(document, '/consecutive', undefined);
    expect(codes(name, 'draft', unnumbered)).toEqual([]);
    expect(codes(name, 'draft', document)).toEqual([]);
    expect(codes(name, 'strict', unnumbered)).toEqual(['/consecutive document/required']);
  });
  test('is as closed and as exact as strict', () => {
    const document = { ...PAYROLL, extra: 1, worker: { ...PAYROLL.worker, salary: 5 } };
    expect(codes('payroll/payroll', 'draft', document)).toEqual(codes('payroll/payroll', 'strict', document));
  });
});

const TOLERATED: readonly (readonly [pointer: string, value: unknown])[] = [
  ['/worker/salary', 2200000],
  ['/worker/salary', '2200000'],
  ['/worker/salary', '2200000.5'],
  ['/period/worked_time', 780],
  ['/accrued/worked_days', '30'],
  ['/type_document_id', '9'],
  ['/consecutive', '1001'],
  ['/worker/municipality_id', '149'],
  ['/worker/identification_number', '1020304050'],
  ['/worker/high_risk_pension', 0],
  ['/worker/high_risk_pension', '1'],
  ['/prefix', 'setp'],
  ['/prefix', undefined],
  ['/extra', { anything: true }],
  ['/worker/extra', 1],
  ['/establishment_name', null],
  ['/establishment_municipality', '149'],
  // The service does not look into these lists; what is amiss there surfaces later.
  ['/accrued/HEDs/0/start_time', undefined],
  ['/accrued/HEDs/0/percentage', 25],
  ['/deductions/orders/0', 'x'],
];

const NOT_TOLERATED: readonly (readonly [pointer: string, value: unknown, code: string])[] = [
  ['/worker/salary', '2.200.000,00', 'document/format-money'],
  ['/worker/salary', true, 'document/format-money'],
  ['/accrued/worked_days', 'treinta', 'document/type'],
  ['/type_document_id', 10, 'document/choice'],
  ['/consecutive', undefined, 'document/required'],
  ['/worker/high_risk_pension', undefined, 'document/required'],
  ['/worker/high_risk_pension', 'sí', 'document/type'],
  ['/worker/identification_number', 'AB-1', 'document/format-worker-document'],
  ['/period/issue_date', '31/03/2026', 'document/format-date'],
  ['/accrued/HEDs', {}, 'document/type'],
  ['/payment_dates', [], 'document/too-few'],
];

describe('tolerant', () => {
  test.each([
    ['payroll/payroll', PAYROLL],
    ['payroll/adjust-note', REPLACE],
    ['payroll/adjust-note', DELETE],
  ])('takes the strict %s', (name, document) => {
    expect(codes(name, 'tolerant', document)).toEqual([]);
  });
  test.each(TOLERATED)('takes %s = %j, which strict refuses', (pointer, value) => {
    const document = withValue(PAYROLL, pointer, value);
    expect(codes('payroll/payroll', 'tolerant', document)).toEqual([]);
    expect(codes('payroll/payroll', 'strict', document)).not.toEqual([]);
  });
  test.each(NOT_TOLERATED)('refuses %s = %j', (pointer, value, code) => {
    expect(codes('payroll/payroll', 'tolerant', withValue(PAYROLL, pointer, value))).toEqual([
      `${pointer} ${code}`,
    ]);
  });
  test.each([true, 1, '1'])('takes %j for what is always true', (value) => {
    expect(codes('payroll/status-query', 'tolerant', { is_payroll: value })).toEqual([]);
  });
  test.each([false, 0, '0'])('refuses %j for what is always true', (value) => {
    expect(codes('payroll/status-query', 'tolerant', { is_payroll: value })).toEqual([
      '/is_payroll document/choice',
    ]);
  });
  test('tells the kind of a note from text too', () => {
    expect(codes('payroll/adjust-note', 'tolerant', { ...DELETE, type_note: '2' })).toEqual([]);
    expect(codes('payroll/adjust-note', 'tolerant', { ...DELETE, type_note: '1' })).toContain(
      '/worker document/required',
    );
    expect(codes('payroll/adjust-note', 'tolerant', { ...DELETE, type_note: 3 })).toEqual([
      '/type_note document/choice',
    ]);
  });
  test('wants the bank data of a replacement whatever the method', () => {
    const document = withValue(REPLACE, '/payment', { payment_method_id: 10 });
    expect(codes('payroll/adjust-note', 'tolerant', document)).toEqual([
      '/payment/bank_name document/required',
      '/payment/account_type document/required',
      '/payment/account_number document/required',
    ]);
  });
});
