import { describe, expect, test } from 'vitest';
import {
  changesBetween,
  changesSince,
  deletionOf,
  fieldsAs,
  replacementOf,
  saysTheSame,
  titlesOf,
} from '../../../src/families/payroll/adjust-note.js';
import { monthBefore, personOf } from '../../../src/families/payroll/subject.js';
import type { JsonObject } from '../../../src/toolkit/core/json.js';
import { checkRules } from '../../../src/toolkit/schema/rules.js';
import { validate } from '../../../src/toolkit/schema/validate.js';
import { type Edits, edited, GOLDEN } from '../../schema/payroll-document.js';

const OPTIONS = {
  prefix: 'NA',
  issueDate: '2026-11-09',
  reason: 'Bonificación omitida',
  predecessor: { number: 2, cune: 'ab'.repeat(48), issueDate: '2026-10-31' },
};
const payroll = GOLDEN[1]!;
const banked = GOLDEN.filter(({ payment }) => (payment as JsonObject)['bank_name'] !== undefined);

describe('notes are whole documents', () => {
  test.each(banked.map((document) => [String(document['consecutive']), document] as const))(
    'a replacement of the sample %s',
    (_, document) => {
      const note = { ...replacementOf(document, OPTIONS), consecutive: 1 };
      expect(validate('payroll/adjust-note-replace', 'strict', note)).toEqual([]);
      const errors = checkRules('payroll/adjust-note-replace', note).filter(({ level }) => level === 'error');
      expect(errors).toEqual([]);
      expect(saysTheSame(document, note)).toBe(true);
      const { type_document_id, prefix, consecutive, period, ...content } = document;
      expect(note).toMatchObject(content);
    },
  );

  test('a deletion has no worker and no amounts, and the period of what it takes back', () => {
    const note = deletionOf(payroll, OPTIONS);
    expect(validate('payroll/adjust-note-delete', 'strict', { ...note, consecutive: 1 })).toEqual([]);
    expect(note).toEqual({
      type_document_id: 10,
      type_note: 2,
      prefix: 'NA',
      payroll_period_id: 5,
      predecessor: {
        predecessor_number: 2,
        predecessor_cune: 'ab'.repeat(48),
        predecessor_issue_date: '2026-10-31',
      },
      notes: 'Bonificación omitida',
      period: { ...(payroll['period'] as JsonObject), issue_date: '2026-11-09' },
    });
  });

  test('what only a payroll has is left out; the code of the worker moves to the worker', () => {
    const body = { ...payroll, worker_code: 'E7', resolution_number: '1', novelty: { novelty: false } };
    const note = replacementOf(body, OPTIONS);
    expect(note).not.toHaveProperty('worker_code');
    expect(note).not.toHaveProperty('resolution_number');
    expect(note).not.toHaveProperty('novelty');
    expect(note['worker']).toMatchObject({ worker_code: 'E7' });
    expect(validate('payroll/adjust-note-replace', 'draft', note)).toEqual([]);
    expect(saysTheSame(body, note)).toBe(true);
  });
});

describe('what counts as a change', () => {
  test.each<[string, Edits, boolean]>([
    ['number and prefix', { '/consecutive': 77, '/prefix': 'OTRA' }, true],
    ['date of issue', { '/period/issue_date': '2026-11-09' }, true],
    ['notes and mail', { '/notes': 'x', '/sendmail': true }, true],
    ['an amount', { '/accrued/salary': '4148000.01' }, false],
    ['an account', { '/payment/account_number': '1' }, false],
    ['a day of payment', { '/payment_dates/0/payment_date': '2026-10-29' }, false],
    ['a bonus that was not there', { '/accrued/bonuses': [{ salary_bonus: '1.00' }] }, false],
    ['the period', { '/period/worked_time': '29.00' }, false],
  ])('%s', (_, edits, same) => {
    const other = edited(payroll, edits);
    expect(saysTheSame(payroll, other)).toBe(same);
    expect(changesBetween(payroll, other).length === 0).toBe(same);
  });

  test('leaf by leaf, with differences where there is something to count', () => {
    const after = edited(payroll, {
      '/accrued/bonuses': [{ non_salary_bonus: '150000.00' }],
      '/payment/bank_name': 'Otro',
      '/accrued/commissions': undefined,
    });
    const found = changesBetween(payroll, after).map(({ pointer, before, after: now, difference }) => [
      pointer,
      before,
      now,
      difference,
    ]);
    expect(found).toEqual([
      ['/payment/bank_name', 'Banco Cordillera', 'Otro', undefined],
      ['/accrued/accrued_total', '6699081.00', '6372000.00', '-327081.00'],
      ['/accrued/bonuses/0/non_salary_bonus', undefined, '150000.00', '150000.00'],
      ['/accrued/commissions/0/commission', '477081.00', undefined, '-477081.00'],
    ]);
  });

  test('a whole document comes or goes with its totals', () => {
    expect(fieldsAs('before', payroll).map(({ difference }) => difference)).toEqual([
      '-6699081.00',
      '-535926.00',
    ]);
    expect(fieldsAs('after', payroll).map(({ difference }) => difference)).toEqual([
      '6699081.00',
      '535926.00',
    ]);
  });

  test.each([
    ['/worker/salary', ['Trabajador', 'Salario']],
    ['/payment_dates/0/payment_date', ['Fechas de pago 1', 'Fecha de pago']],
  ])('titles of %s', (pointer, titles) => expect(titlesOf(pointer)).toEqual(titles));
});

test.each([
  ['2026-10', '2026-09'],
  ['2026-01', '2025-12'],
  ['2026-12', '2026-11'],
])('the month before %s is %s', (month, before) => expect(monthBefore(month)).toBe(before));

describe('known again under another document number', () => {
  const person = personOf(payroll);
  test.each<[string, Edits, boolean]>([
    ['another number', { '/worker/identification_number': 1 }, true],
    ['accents and case', { '/worker/surname': 'SANCHEZ' }, true],
    ['another name', { '/worker/first_name': 'Ana' }, false],
    ['another admission', { '/period/admision_date': '2017-07-27' }, false],
  ])('%s', (_, edits, same) => expect(personOf(edited(payroll, edits)) === person).toBe(same));

  test('nobody without names or admission date', () => {
    expect(personOf({ period: { admision_date: '2020-01-01' } })).toBeUndefined();
    expect(personOf({ worker: { surname: 'X' } })).toBeUndefined();
  });
});

test.each<[string, Edits, string[]]>([
  ['nothing', {}, []],
  ['salary', { '/worker/salary': '1.00' }, ['payroll/salary-changed']],
  ['account', { '/payment/account_number': '1' }, ['payroll/account-changed']],
  ['an account that is no longer there', { '/payment/account_number': undefined }, []],
])('against the month before: %s', (_, edits, codes) =>
  expect(changesSince(payroll, edited(payroll, edits)).map(({ code }) => code)).toEqual(codes),
);
