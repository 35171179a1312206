import { expect, test } from 'vitest';
import type { SchemaName } from '../../src/generated/schema-types.js';
import { ruleData, ruleEntry } from '../../src/toolkit/schema/rule-data.js';
import { checkRules } from '../../src/toolkit/schema/rules.js';
import { validate } from '../../src/toolkit/schema/validate.js';
import { asDeletion, asReplacement, type Edits, edited, GOLDEN } from './payroll-document.js';

const SOUND = GOLDEN[0]!;
const SEVERANCE = { payment: '1.00', interest_payment: '1.00' };

/** Codes that the schema of the document answers for: what says it, and where. The rule then says nothing more. */
test.each<[string, Edits, string, string]>([
  ['payroll/amount-form', { '/deductions/debt': '-1.00' }, 'document/format-money', '/deductions/debt'],
  ['payroll/amount-form', { '/deductions/afc': '1,000.00' }, 'document/format-money', '/deductions/afc'],
  ['payroll/number-form', { '/prefix': 'NOMINA' }, 'document/format-prefix', '/prefix'],
  ['payroll/novelty', { '/novelty': { novelty: true } }, 'document/required', '/novelty/uuidnov'],
  [
    'payroll/dates-present',
    { '/period/admision_date': undefined },
    'document/required',
    '/period/admision_date',
  ],
  [
    'payroll/dates-present',
    { '/period/settlement_end_date': '2026-02-30' },
    'document/format-date',
    '/period/settlement_end_date',
  ],
  ['payroll/payment-date', { '/payment_dates': [] }, 'document/too-few', '/payment_dates'],
  [
    'payroll/worker-document',
    { '/worker/identification_number': '1.2' },
    'document/format-worker-document',
    '/worker/identification_number',
  ],
  ['payroll/worker-name', { '/worker/surname': undefined }, 'document/required', '/worker/surname'],
  ['payroll/worker-name', { '/worker/first_name': '' }, 'document/blank', '/worker/first_name'],
  ['payroll/workplace', { '/worker/address': undefined }, 'document/required', '/worker/address'],
  [
    'payroll/worker-flags',
    { '/worker/high_risk_pension': 'no' },
    'document/type',
    '/worker/high_risk_pension',
  ],
  ['payroll/worked-days', { '/accrued/worked_days': -1 }, 'document/too-small', '/accrued/worked_days'],
  [
    'payroll/basic-blocks',
    { '/deductions/eps_deduction': undefined },
    'document/required',
    '/deductions/eps_deduction',
  ],
  ['payroll/base-salary', { '/worker/salary': undefined }, 'document/required', '/worker/salary'],
  [
    'payroll/severance',
    { '/accrued/severance': [SEVERANCE] },
    'document/required',
    '/accrued/severance/0/percentage',
  ],
  [
    'payroll/other-concept',
    { '/accrued/other_concepts': [{ salary_concept: '1.00' }] },
    'document/required',
    '/accrued/other_concepts/0/description_concept',
  ],
])('%s: %o', (code, edits, shape, pointer) => {
  const document = edited(SOUND, edits);
  expect(
    validate('payroll/payroll', 'draft', document).map((issue) => [issue.code, issue.place.pointer]),
  ).toEqual([[shape, pointer]]);
  expect(ruleData().rules.find((rule) => rule.code === code)?.shape).toContain(shape);
  expect(checkRules('payroll/payroll', document).filter(({ place }) => place.pointer === pointer)).toEqual(
    [],
  );
});

test.each<[SchemaName, object, string, string]>([
  [
    'payroll/adjust-note-delete',
    { ...asDeletion(SOUND), worker: SOUND['worker'] },
    'document/not-allowed',
    '/worker',
  ],
  ['payroll/adjust-note', { ...asReplacement(SOUND), type_note: 3 }, 'document/choice', '/type_note'],
])('payroll/note-kind in %s', (schema, note, shape, pointer) => {
  const [issue] = validate(schema, 'draft', note);
  expect([issue?.code, issue?.place.pointer]).toEqual([shape, pointer]);
});

test('every code that can be checked offline is known', () => {
  const codes = `accrued-total deductions-total net amount-form number-form worker-month novelty dates-present
    dates-order dates-one-month issue-date issue-before-end issue-future worked-time payment-date worker-document worker-name workplace municipality
    worker-flags bank-data cash-with-account worked-days basic-blocks base-salary overtime-id overtime-item overtime-pay
    leave-days severance other-concept law-deduction-id health-pension solidarity minimum-wage transport integral
    zero-concept accrued-refund text late note-kind`.split(/\s+/);
  expect(codes.filter((code) => ruleEntry(`payroll/${code}`) === undefined)).toEqual([]);
});
