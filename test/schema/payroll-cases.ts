import type { RuleOptions } from '../../src/toolkit/schema/rules.js';
import type { Edits } from './payroll-document.js';

const NO_HOURS: Edits = { '/accrued/HEDs': undefined, '/accrued/HENs': undefined };

/** Changes of a sound payroll, and what one rule says of it: nothing without `fires`. */
export interface Case {
  readonly code: string;
  readonly what: string;
  readonly edits: Edits;
  readonly fires?: readonly (readonly ['error' | 'warning', string])[];
  readonly options?: RuleOptions;
}

const item = (list: string, members: Edits): Edits => ({ [`/accrued/${list}`]: [members as never] });
const leave = (members: Edits): Edits =>
  item('common_vacation', { payment: '100000.00', ...members } as Edits);
const overtime = (list: string, members: Edits): Edits =>
  item(list, {
    start_time: '2026-10-01T00:00:00',
    end_time: '2026-10-31T23:59:59',
    quantity: '6',
    percentage: 1,
    payment: '62532.33',
    ...members,
  } as Edits);
const pay = (salary: string, more: Edits = {}): Edits => ({
  ...NO_HOURS,
  '/worker/salary': salary,
  '/accrued/salary': salary,
  '/accrued/transportation_allowance': undefined,
  ...more,
});

const NOTHING: Edits = {
  ...NO_HOURS,
  '/accrued/worked_days': 0,
  '/accrued/salary': '0.00',
  '/accrued/transportation_allowance': undefined,
  '/accrued/bonuses': undefined,
  '/accrued/commissions': undefined,
  '/accrued/accrued_total': '0.00',
};

/** Each rule with what it finds and its nearest neighbour that is fine. */
export const CASES: readonly Case[] = [
  {
    code: 'payroll/net-negative',
    what: 'more deducted than earned',
    edits: { '/deductions/debt': '9000000.00' },
    fires: [['error', '/deductions/deductions_total']],
  },
  { code: 'payroll/net-negative', what: 'all deducted', edits: { '/deductions/debt': '1881304.08' } },
  {
    code: 'payroll/dates-order',
    what: 'start after end',
    edits: { '/period/settlement_start_date': '2026-11-01' },
    fires: [['error', '/period/settlement_end_date']],
  },
  {
    code: 'payroll/dates-order',
    what: 'one day',
    edits: { '/period/settlement_start_date': '2026-10-31' },
  },
  {
    code: 'payroll/dates-order',
    what: 'admitted after the end',
    edits: { '/period/admision_date': '2026-11-01' },
    fires: [['error', '/period/admision_date']],
  },
  {
    code: 'payroll/dates-order',
    what: 'retired before admission',
    edits: { '/period/retirement_date': '2025-04-19' },
    fires: [['error', '/period/retirement_date']],
  },
  {
    code: 'payroll/dates-order',
    what: 'retired on the day of admission',
    edits: { '/period/retirement_date': '2025-04-20' },
  },
  {
    code: 'payroll/retirement-after-end',
    what: 'the end of a contract that still runs',
    edits: { '/period/retirement_date': '2027-01-19' },
    fires: [['warning', '/period/retirement_date']],
  },
  {
    code: 'payroll/retirement-after-end',
    what: 'retired on the last day of the month',
    edits: { '/period/retirement_date': '2026-10-31' },
  },
  {
    code: 'payroll/date-far',
    what: 'retired in another year',
    edits: { '/period/retirement_date': '2025-10-15' },
    fires: [['warning', '/period/retirement_date']],
  },
  {
    code: 'payroll/dates-one-month',
    what: 'two months',
    edits: { '/period/settlement_start_date': '2026-09-30' },
    fires: [['warning', '/period/settlement_end_date']],
  },
  {
    code: 'payroll/dates-one-month',
    what: 'second fortnight',
    edits: { '/period/settlement_start_date': '2026-10-16' },
  },
  {
    code: 'payroll/issue-before-end',
    what: 'while the period lasts',
    edits: { '/period/issue_date': '2026-10-30' },
    fires: [['warning', '/period/issue_date']],
  },
  {
    code: 'payroll/issue-before-end',
    what: 'on its last day',
    edits: { '/period/issue_date': '2026-10-31' },
  },
  {
    code: 'payroll/issue-future',
    what: 'later, without a day of the run',
    edits: { '/period/issue_date': '2026-11-03' },
  },
  {
    code: 'payroll/issue-date',
    what: 'not today',
    edits: { '/period/issue_date': '2026-11-03' },
    options: { today: '2026-11-04' },
    fires: [['warning', '/period/issue_date']],
  },
  {
    code: 'payroll/issue-future',
    what: 'a day that has not come',
    edits: { '/period/issue_date': '2026-11-03' },
    options: { today: '2026-11-02' },
    fires: [['warning', '/period/issue_date']],
  },
  {
    code: 'payroll/issue-date',
    what: 'today',
    edits: { '/period/issue_date': '2026-11-03' },
    options: { today: '2026-11-03' },
  },
  {
    code: 'payroll/worked-time',
    what: 'neither days nor seniority',
    edits: { '/period/worked_time': '45.00' },
    fires: [['warning', '/period/worked_time']],
  },
  {
    code: 'payroll/worked-time',
    what: 'below one',
    edits: { '/period/worked_time': '0.00', '/accrued/worked_days': 0 },
    fires: [['warning', '/period/worked_time']],
  },
  {
    code: 'payroll/worked-time',
    what: 'seniority since 2025-04-20',
    edits: { '/period/worked_time': '551.00' },
  },
  { code: 'payroll/worked-time', what: 'without its first day', edits: { '/period/worked_time': '550.00' } },
  {
    code: 'payroll/late',
    what: 'after the tenth of the next month',
    edits: {},
    options: { today: '2026-11-11' },
    fires: [['warning', '/period/settlement_end_date']],
  },
  { code: 'payroll/late', what: 'on the tenth', edits: {}, options: { today: '2026-11-10' } },
  { code: 'payroll/late', what: 'on no known day', edits: {} },
  {
    code: 'payroll/date-far',
    what: 'a payment of another year',
    edits: { '/payment_dates/0/payment_date': '2022-10-30' },
    fires: [['warning', '/payment_dates/0/payment_date']],
  },
  {
    code: 'payroll/date-far',
    what: 'a payment of the month after',
    edits: { '/payment_dates/0/payment_date': '2026-11-30' },
  },
  {
    code: 'payroll/date-far',
    what: 'a settlement of another month than the run',
    edits: {},
    options: { params: { month: '2026-01' } },
    fires: [
      ['warning', '/period/settlement_start_date'],
      ['warning', '/period/settlement_end_date'],
    ],
  },
  {
    code: 'payroll/date-far',
    what: 'a settlement that begins in the month before',
    edits: { '/period/settlement_start_date': '2026-09-26' },
    options: { params: { month: '2026-10' } },
  },
  {
    code: 'payroll/date-far',
    what: 'overtime of another year',
    edits: overtime('HEDs', { start_time: '2022-10-01T08:00:00', end_time: '2022-10-01T10:00:00' }),
    fires: [
      ['warning', '/accrued/HEDs/0/start_time'],
      ['warning', '/accrued/HEDs/0/end_time'],
    ],
  },
  { code: 'payroll/date-far', what: 'overtime of the month', edits: overtime('HEDs', {}) },
  {
    code: 'payroll/date-far',
    what: 'a vacation of another year',
    edits: leave({ start_date: '2022-10-01', end_date: '2026-10-15', quantity: '15' }),
    fires: [['warning', '/accrued/common_vacation/0/start_date']],
  },
  {
    code: 'payroll/date-far',
    what: 'a long leave',
    edits: item('maternity_leave', {
      start_date: '2026-07-01',
      end_date: '2026-11-03',
      quantity: '31',
      payment: '100000.00',
    }),
  },
  {
    code: 'payroll/admission-unlikely',
    what: 'hired tomorrow',
    edits: { '/period/admision_date': '2026-10-20' },
    options: { today: '2026-10-19' },
    fires: [['warning', '/period/admision_date']],
  },
  {
    code: 'payroll/admission-unlikely',
    what: 'hired today',
    edits: { '/period/admision_date': '2026-10-20' },
    options: { today: '2026-10-20' },
  },
  {
    code: 'payroll/admission-unlikely',
    what: 'the day on which Excel begins to count',
    edits: { '/period/admision_date': '1900-01-30' },
    fires: [['warning', '/period/admision_date']],
  },
  {
    code: 'payroll/worker-document',
    what: 'letters in a cédula',
    edits: { '/worker/identification_number': 'AB900' },
    fires: [['error', '/worker/identification_number']],
  },
  {
    code: 'payroll/worker-document',
    what: 'letters in a passport',
    edits: { '/worker/identification_number': 'AB900', '/worker/payroll_type_document_identification_id': 7 },
  },
  ...(
    [
      ['PPT5123456', 12],
      ['CE345678', 5],
      ['PAAB123456', 7],
      ['pa1234567', 7],
      ['PEP912345678901', 10],
    ] as const
  ).map(
    ([number, kind]): Case => ({
      code: 'payroll/document-kind-within',
      what: number,
      edits: {
        '/worker/identification_number': number,
        '/worker/payroll_type_document_identification_id': kind,
      },
      fires: [['error', '/worker/identification_number']],
    }),
  ),
  ...['AB12345', 'XDA123456', '12AB34567', 'CEF123456'].map(
    (number): Case => ({
      code: 'payroll/document-kind-within',
      what: `passport ${number}`,
      edits: {
        '/worker/identification_number': number,
        '/worker/payroll_type_document_identification_id': 7,
      },
    }),
  ),
  {
    code: 'payroll/document-zeros',
    what: 'zeros before a cédula',
    edits: { '/worker/identification_number': '0079000001' },
    fires: [['warning', '/worker/identification_number']],
  },
  {
    code: 'payroll/document-zeros',
    what: 'zeros of a passport',
    edits: {
      '/worker/identification_number': '0079000001',
      '/worker/payroll_type_document_identification_id': 7,
    },
  },
  {
    code: 'payroll/apprentice-code',
    what: 'a kind that no apprentice has any more',
    edits: { '/worker/type_contract_id': 4, '/worker/type_worker_id': 4 },
    fires: [['warning', '/worker/type_worker_id']],
  },
  {
    code: 'payroll/apprentice-code',
    what: 'contract of an apprentice, kind of an employee',
    edits: { '/worker/type_contract_id': 4, '/worker/type_worker_id': 1 },
  },
  {
    code: 'payroll/apprentice-stage',
    what: 'contributions of who is at school',
    edits: { '/worker/type_contract_id': 4, '/worker/type_worker_id': 6 },
    fires: [['warning', '/worker/type_worker_id']],
  },
  {
    code: 'payroll/apprentice-stage',
    what: 'contributions of who works',
    edits: { '/worker/type_contract_id': 4, '/worker/type_worker_id': 1 },
  },
  {
    code: 'payroll/apprentice-contributions',
    what: 'contributions before the reform',
    edits: {
      '/worker/type_contract_id': 4,
      '/worker/type_worker_id': 6,
      '/period/settlement_end_date': '2025-05-31',
    },
    fires: [['warning', '/deductions/eps_deduction']],
  },
  {
    code: 'payroll/apprentice-contributions',
    what: 'contributions after it',
    edits: { '/worker/type_contract_id': 4, '/worker/type_worker_id': 1 },
  },
  {
    code: 'payroll/apprentice-support',
    what: 'half the minimum wage',
    edits: { '/worker/type_contract_id': 4, '/worker/type_worker_id': 6, '/worker/salary': '875452.50' },
    fires: [['warning', '/worker/salary']],
  },
  {
    code: 'payroll/apprentice-support',
    what: 'three quarters of it',
    edits: { '/worker/type_contract_id': 4, '/worker/type_worker_id': 6, '/worker/salary': '1313178.75' },
  },
  {
    code: 'payroll/apprentice-dual',
    what: 'three quarters of the minimum wage',
    edits: { '/worker/type_contract_id': 4, '/worker/type_worker_id': 1, '/worker/salary': '1313178.75' },
    fires: [['warning', '/worker/salary']],
  },
  {
    code: 'payroll/apprentice-dual',
    what: 'the whole minimum wage',
    edits: { '/worker/type_contract_id': 4, '/worker/type_worker_id': 1 },
  },
  {
    code: 'payroll/apprentice-kind',
    what: 'support of an apprentice, kind of an employee',
    edits: { '/worker/type_worker_id': 1, '/accrued/sustenance_support': '1.00' },
    fires: [['warning', '/accrued/sustenance_support']],
  },
  {
    code: 'payroll/apprentice-kind',
    what: 'contract and kind of an apprentice',
    edits: {
      '/worker/type_contract_id': 4,
      '/worker/type_worker_id': 6,
      '/accrued/sustenance_support': '1.00',
    },
  },
  {
    code: 'payroll/worker-name',
    what: 'no second surname',
    edits: { '/worker/second_surname': undefined },
    fires: [['warning', '/worker/second_surname']],
  },
  { code: 'payroll/worker-name', what: 'no middle name', edits: { '/worker/middle_name': undefined } },
  ...['Luis (retirado)', 'Luis *', 'Luis 79000006', 'N/A'].map(
    (name): Case => ({
      code: 'payroll/name-signs',
      what: name,
      edits: { '/worker/first_name': name },
      fires: [['warning', '/worker/first_name']],
    }),
  ),
  {
    code: 'payroll/name-signs',
    what: 'signs of names',
    edits: {
      '/worker/surname': 'de la Cruz',
      '/worker/second_surname': "O'Brien-Ñáñez",
      '/worker/first_name': 'Ma. José',
    },
  },
  {
    code: 'payroll/municipality',
    what: 'beyond the table',
    edits: { '/worker/municipality_id': 1123 },
    fires: [['error', '/worker/municipality_id']],
  },
  { code: 'payroll/municipality', what: 'last of the table', edits: { '/worker/municipality_id': 1122 } },
  {
    code: 'payroll/base-salary',
    what: 'zero',
    edits: { '/worker/salary': '0.00' },
    fires: [['error', '/worker/salary']],
  },
  { code: 'payroll/base-salary', what: 'a cent', edits: { '/worker/salary': '0.01' } },
  {
    code: 'payroll/bank-data',
    what: 'transfer without account',
    edits: { '/payment/account_number': undefined, '/payment/bank_name': undefined },
    fires: [
      ['error', '/payment/bank_name'],
      ['error', '/payment/account_number'],
    ],
  },
  { code: 'payroll/bank-data', what: 'cheque', edits: { '/payment': { payment_method_id: 20 } } },
  {
    code: 'payroll/cash-with-account',
    what: 'cash and an account',
    edits: { '/payment/payment_method_id': 10 },
    fires: [['warning', '/payment/payment_method_id']],
  },
  { code: 'payroll/cash-with-account', what: 'cash', edits: { '/payment': { payment_method_id: 10 } } },
  {
    code: 'payroll/text',
    what: 'ampersand and line break',
    edits: { '/worker/address': 'Calle 1 & 2', '/deductions/orders/0/description': 'Libranza\nBanco' },
    fires: [
      ['warning', '/deductions/orders/0/description'],
      ['warning', '/worker/address'],
    ],
  },
  { code: 'payroll/text', what: 'accents and #', edits: { '/worker/address': 'Calle 1ª # 2-3, Bogotá' } },
  {
    code: 'payroll/worked-days',
    what: '31',
    edits: { '/accrued/worked_days': 31 },
    fires: [['error', '/accrued/worked_days']],
  },
  { code: 'payroll/worked-days', what: '30', edits: { '/accrued/worked_days': 30 } },
  {
    code: 'payroll/overtime-id',
    what: 'day overtime in the list of nights',
    edits: { '/accrued/HENs/0/percentage': 1 },
    fires: [['error', '/accrued/HENs/0/percentage']],
  },
  { code: 'payroll/overtime-id', what: 'seven in its list', edits: overtime('HRNDFs', { percentage: 7 }) },
  {
    code: 'payroll/overtime-item',
    what: 'ends before it starts',
    edits: { '/accrued/HEDs/0/end_time': '2026-09-30T23:59:59' },
    fires: [['error', '/accrued/HEDs/0/end_time']],
  },
  {
    code: 'payroll/overtime-item',
    what: 'nothing worked, nothing paid',
    edits: { '/accrued/HENs/0/quantity': '0', '/accrued/HENs/0/payment': '0.00' },
    fires: [
      ['error', '/accrued/HENs/0/quantity'],
      ['error', '/accrued/HENs/0/payment'],
    ],
  },
  {
    code: 'payroll/overtime-hours',
    what: 'an amount for hours',
    edits: { '/accrued/HENs/0/quantity': '62532' },
    fires: [['error', '/accrued/HENs/0/quantity']],
  },
  {
    code: 'payroll/overtime-hours',
    what: 'all hours of a month',
    edits: { '/accrued/HENs/0/quantity': '744' },
  },
  {
    code: 'payroll/overtime-many',
    what: 'a percentage for hours',
    edits: { '/accrued/HENs/0/quantity': '175' },
    fires: [['warning', '/accrued/HENs/0/quantity']],
  },
  { code: 'payroll/overtime-many', what: 'many hours', edits: { '/accrued/HENs/0/quantity': '99' } },
  { code: 'payroll/overtime-many', what: 'more than many', edits: { '/accrued/HENs/0/quantity': '745' } },
  { code: 'payroll/overtime-item', what: 'half an hour', edits: { '/accrued/HENs/0/quantity': '0.5' } },
  {
    code: 'payroll/overtime-pay',
    what: 'more than a peso an hour below the law',
    edits: { '/accrued/HEDs/0/payment': '62520.00' },
    fires: [['warning', '/accrued/HEDs/0/payment']],
  },
  {
    code: 'payroll/overtime-pay',
    what: 'hour rounded to the peso',
    edits: { '/accrued/HEDs/0/payment': '62527.00' },
  },
  {
    code: 'payroll/overtime-pay',
    what: 'better than the law',
    edits: { '/accrued/HEDs/0/payment': '90000.00' },
  },
  {
    code: 'payroll/overtime-pay',
    what: '210 hours a month since 2026-07-15',
    edits: overtime('HEDs', { start_time: '2026-07-15T18:00:00', payment: '59690.00' }),
    fires: [['warning', '/accrued/HEDs/0/payment']],
  },
  {
    code: 'payroll/overtime-pay',
    what: '220 the day before',
    edits: overtime('HEDs', { start_time: '2026-07-14T18:00:00', payment: '59690.00' }),
  },
  {
    code: 'payroll/overtime-pay',
    what: 'Sunday surcharge of 100 % since 2027-07-01',
    edits: overtime('HRDDFs', { start_time: '2027-07-01T08:00:00', percentage: 5, payment: '45023.27' }),
    fires: [['warning', '/accrued/HRDDFs/0/payment']],
  },
  {
    code: 'payroll/overtime-pay',
    what: 'of 90 % the day before, the hour itself not paid again',
    edits: overtime('HRDDFs', { start_time: '2027-06-30T08:00:00', percentage: 5, payment: '45023.27' }),
  },
  {
    code: 'payroll/night-hours',
    what: 'a day hour after 19:00',
    edits: overtime('HEDs', { start_time: '2026-10-06T19:30:00', end_time: '2026-10-06T20:30:00' }),
    fires: [['warning', '/accrued/HEDs/0/start_time']],
  },
  {
    code: 'payroll/night-hours',
    what: 'a day hour before',
    edits: overtime('HEDs', { start_time: '2026-10-06T18:00:00', end_time: '2026-10-06T19:00:00' }),
  },
  {
    code: 'payroll/night-border',
    what: 'a day hour across 19:00',
    edits: overtime('HEDs', { start_time: '2026-10-06T18:30:00', end_time: '2026-10-06T19:30:00' }),
    fires: [['warning', '/accrued/HEDs/0/start_time']],
  },
  {
    code: 'payroll/night-border',
    what: 'a day hour before',
    edits: overtime('HEDs', { start_time: '2026-10-06T18:00:00', end_time: '2026-10-06T19:00:00' }),
  },
  {
    code: 'payroll/overtime-limit',
    what: 'three hours a day',
    edits: overtime('HEDs', {
      start_time: '2026-10-06T07:00:00',
      end_time: '2026-10-06T10:00:00',
      quantity: '3.00',
    }),
    fires: [['warning', '/accrued/HEDs/0/quantity']],
  },
  {
    code: 'payroll/overtime-limit',
    what: 'two',
    edits: overtime('HEDs', {
      start_time: '2026-10-06T07:00:00',
      end_time: '2026-10-06T09:00:00',
      quantity: '2.00',
    }),
  },
  {
    code: 'payroll/leave-days',
    what: 'end before start',
    edits: leave({ start_date: '2026-10-12', end_date: '2026-10-11', quantity: '1' }),
    fires: [['error', '/accrued/common_vacation/0/end_date']],
  },
  {
    code: 'payroll/leave-days',
    what: 'nine days of ten',
    edits: leave({ start_date: '2026-10-12', end_date: '2026-10-21', quantity: '9' }),
    fires: [['warning', '/accrued/common_vacation/0/quantity']],
  },
  {
    code: 'payroll/leave-days',
    what: 'both ends counted',
    edits: leave({ start_date: '2026-10-12', end_date: '2026-10-21', quantity: '10' }),
  },
  {
    code: 'payroll/leave-days',
    what: 'vacation of 31 days',
    edits: leave({ start_date: '2026-10-01', end_date: '2026-10-31', quantity: '31' }),
    fires: [['warning', '/accrued/common_vacation/0/quantity']],
  },
  {
    code: 'payroll/leave-days',
    what: 'maternity of 31 days',
    edits: item('maternity_leave', {
      start_date: '2026-10-01',
      end_date: '2026-10-31',
      quantity: '31',
      payment: '1.00',
    } as Edits),
  },
  {
    code: 'payroll/other-concept',
    what: 'no amount',
    edits: item('other_concepts', { description_concept: 'Otros' } as Edits),
    fires: [['error', '/accrued/other_concepts/0/salary_concept']],
  },
  {
    code: 'payroll/other-concept',
    what: 'one amount',
    edits: item('other_concepts', { description_concept: 'Otros', non_salary_concept: '1.00' } as Edits),
  },
  {
    code: 'payroll/law-deduction-id',
    what: "the employer's share, a pension row for health, no row",
    edits: {
      '/deductions/eps_type_law_deductions_id': 5,
      '/deductions/pension_type_law_deductions_id': 6,
      '/deductions/fondossp_type_law_deductions_id': 99,
    },
    fires: [
      ['error', '/deductions/eps_type_law_deductions_id'],
      ['error', '/deductions/pension_type_law_deductions_id'],
      ['error', '/deductions/fondossp_type_law_deductions_id'],
    ],
  },
  {
    code: 'payroll/law-deduction-id',
    what: 'exempt employer and high risk',
    edits: { '/deductions/eps_type_law_deductions_id': 3, '/deductions/pension_type_law_deductions_id': 7 },
  },
  {
    code: 'payroll/health-pension',
    what: 'forgot the overtime',
    edits: { '/deductions/eps_deduction': '70036.00', '/deductions/pension_deduction': '70036.00' },
    fires: [
      ['warning', '/deductions/eps_deduction'],
      ['warning', '/deductions/pension_deduction'],
    ],
  },
  {
    code: 'payroll/health-pension',
    what: 'rounded up to the hundred',
    edits: { '/deductions/eps_deduction': '73800.00', '/deductions/pension_deduction': '73800.00' },
  },
  {
    code: 'payroll/health-pension',
    what: 'an apprentice in school',
    edits: {
      '/worker/type_contract_id': 4,
      '/worker/type_worker_id': 6,
      '/deductions/eps_deduction': '0.00',
      '/deductions/pension_deduction': '0.00',
    },
  },
  {
    code: 'payroll/health-pension',
    what: 'a pensioner who works',
    edits: { '/worker/sub_type_worker_id': 2, '/deductions/pension_deduction': '0.00' },
  },
  {
    code: 'payroll/health-pension',
    what: '70 % of an integral salary',
    edits: pay('30000000.00', {
      '/worker/integral_salarary': true,
      '/deductions/eps_deduction': '840000.00',
      '/deductions/pension_deduction': '840000.00',
    }),
  },
  {
    code: 'payroll/health-pension',
    what: 'at most 25 minimum wages',
    edits: pay('50000000.00', {
      '/deductions/eps_deduction': '1750905.00',
      '/deductions/pension_deduction': '2000000.00',
    }),
    fires: [['warning', '/deductions/pension_deduction']],
  },
  {
    code: 'payroll/solidarity',
    what: 'missing at four minimum wages',
    edits: pay('7003620.00'),
    fires: [['warning', '/deductions/fondosp_deduction_SP']],
  },
  { code: 'payroll/solidarity', what: 'missing a peso below', edits: pay('7003619.00') },
  {
    code: 'payroll/solidarity',
    what: 'present below',
    edits: pay('7003619.00', { '/deductions/fondosp_deduction_sub': '35018.00' }),
    fires: [['warning', '/deductions/fondosp_deduction_SP']],
  },
  {
    code: 'payroll/solidarity',
    what: 'in two parts',
    edits: pay('7003620.00', {
      '/deductions/fondosp_deduction_SP': '35018.00',
      '/deductions/fondosp_deduction_sub': '35018.00',
    }),
  },
  {
    code: 'payroll/solidarity',
    what: '70 % of an integral salary stays below',
    edits: pay('10005171.00', { '/worker/integral_salarary': true }),
  },
  {
    code: 'payroll/minimum-wage',
    what: 'salary a peso below',
    edits: { '/worker/salary': '1750904.00' },
    fires: [['warning', '/worker/salary']],
  },
  {
    code: 'payroll/minimum-wage',
    what: 'paid less than its days',
    edits: { '/accrued/worked_days': 15, '/accrued/salary': '875450.00' },
    fires: [['warning', '/accrued/salary']],
  },
  {
    code: 'payroll/minimum-wage',
    what: 'pro rata, two fortnights rounded',
    edits: { '/accrued/worked_days': 15, '/accrued/salary': '875451.00' },
  },
  {
    code: 'payroll/minimum-wage',
    what: 'part time',
    edits: { '/worker/type_worker_id': 13, '/worker/salary': '900000.00', '/accrued/salary': '900000.00' },
  },
  {
    code: 'payroll/severance-percentage',
    what: 'a fraction of what the interest is',
    edits: item('severance', { payment: '1000000.00', percentage: '0.12', interest_payment: '120000.00' }),
    fires: [['warning', '/accrued/severance/0/percentage']],
  },
  {
    code: 'payroll/severance-percentage',
    what: 'interest of less than a month',
    edits: item('severance', { payment: '1000000.00', percentage: '0.83', interest_payment: '8300.00' }),
  },
  {
    code: 'payroll/transport',
    what: 'for 30 days where 28 were worked',
    edits: { '/accrued/worked_days': 28 },
    fires: [['warning', '/accrued/transportation_allowance']],
  },
  {
    code: 'payroll/transport',
    what: 'pro rata',
    edits: { '/accrued/worked_days': 28, '/accrued/transportation_allowance': '232489.00' },
  },
  {
    code: 'payroll/transport',
    what: 'for 32 days, which are the error',
    edits: { '/accrued/worked_days': 32 },
  },
  {
    code: 'payroll/transport',
    what: 'above two minimum wages with overtime',
    edits: { '/accrued/commissions': [{ commission: '1700000.00' }] },
    fires: [['warning', '/accrued/transportation_allowance']],
  },
  {
    code: 'payroll/transport',
    what: 'two minimum wages of salary pay, and a bonus that is none',
    edits: {
      ...NO_HOURS,
      '/accrued/commissions': [{ commission: '1750905.00' }],
      '/accrued/bonuses': [{ non_salary_bonus: '900000.00' }],
    },
  },
  {
    code: 'payroll/transport',
    what: 'on an integral salary',
    edits: { '/worker/integral_salarary': true },
    fires: [['warning', '/accrued/transportation_allowance']],
  },
  {
    code: 'payroll/integral',
    what: 'a peso below thirteen minimum wages',
    edits: { '/worker/integral_salarary': true, '/worker/salary': '22761764.00' },
    fires: [['warning', '/worker/salary']],
  },
  {
    code: 'payroll/integral',
    what: 'thirteen',
    edits: { '/worker/integral_salarary': true, '/worker/salary': '22761765.00' },
  },
  {
    code: 'payroll/zero-concept',
    what: 'zeros on both sides',
    edits: { '/accrued/bonuses/0/salary_bonus': '0.00', '/deductions/afc': '0.00' },
    fires: [
      ['warning', '/accrued/bonuses/0/salary_bonus'],
      ['warning', '/deductions/afc'],
    ],
  },
  {
    code: 'payroll/zero-concept',
    what: 'health and pension may be zero',
    edits: { '/deductions/eps_deduction': '0.00', '/deductions/pension_deduction': '0.00' },
  },
  ...[
    { what: 'a twelfth of the salary as severance', payment: '166666.67', isOne: true },
    { what: 'the rate of 8.33 %', payment: '166600.00', isOne: true },
    { what: 'the severance of a year', payment: '2000000.00', isOne: false },
  ].map(({ what, payment, isOne }) => ({
    code: 'payroll/provision',
    what,
    edits: {
      '/accrued/salary': '2000000.00',
      ...item('severance', { payment, percentage: '12.00', interest_payment: '20000.00' }),
    },
    ...(isOne && { fires: [['warning', '/accrued/severance/0/payment'] as const] }),
  })),
  {
    code: 'payroll/provision',
    what: 'a twelfth to somebody who leaves after a month',
    edits: {
      '/accrued/salary': '2000000.00',
      '/period/retirement_date': '2026-10-31',
      ...item('severance', { payment: '166666.67', percentage: '12.00', interest_payment: '20000.00' }),
    },
  },
  {
    code: 'payroll/nothing-paid',
    what: 'no days, no pay and no leave',
    edits: NOTHING,
    fires: [['warning', '/accrued/worked_days']],
  },
  {
    code: 'payroll/nothing-paid',
    what: 'days and no pay',
    edits: { ...NOTHING, '/accrued/worked_days': 30 },
    fires: [['warning', '/accrued/worked_days']],
  },
  {
    code: 'payroll/nothing-paid',
    what: 'a month of leave without pay',
    edits: {
      ...NOTHING,
      ...item('non_paid_leave', {
        start_date: '2026-10-01',
        end_date: '2026-10-31',
        quantity: '30',
      } as Edits),
    },
  },
  {
    code: 'payroll/accrued-refund',
    what: 'used',
    edits: { '/accrued/refund': '1000.00' },
    fires: [['error', '/accrued/refund']],
  },
  { code: 'payroll/accrued-refund', what: 'a deducted one', edits: { '/deductions/refund': '1000.00' } },
];
