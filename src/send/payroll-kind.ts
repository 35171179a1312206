import { DELETION, NOTE_TYPE, REPLACEMENT } from '../payroll/adjust-note.js';
import { DELETION_PARTS } from '../payroll/cune.js';
import { payrollTotals, plainDocument, workerOf } from '../payroll/subject.js';
import { compare, type Decimal, fromScientific } from '../values/decimal.js';
import { fold } from '../values/fold.js';
import type { JsonObject } from '../values/json.js';
import { valueAt } from '../values/pointer.js';
import type { DocumentKind } from './kind.js';
import { payrollJudge } from './payroll-judge.js';
import type { Hashed } from './proof.js';
import type { Fit, Shown } from './shown.js';
import { type Matter, personSaysCode, type Question, type Stage } from './stage.js';
import { readVerdict } from './verdict.js';

/** Without it the invoice service is asked (service.md 4.10). */
const IS_PAYROLL = '{"is_payroll":true}';

const numberOf = (body: JsonObject): string => `${body['prefix'] ?? ''}${body['consecutive'] ?? ''}`;

/** A deletion names nobody; the service has a zero for it. */
const employeeOf = (body: JsonObject): string => workerOf(body) || DELETION_PARTS.workerDocument;

const NAMES = ['first_name', 'middle_name', 'surname', 'second_surname'];

const wordsOf = (text: string): ReadonlySet<string> => new Set(fold(text).split(/\s+/).filter(Boolean));

/** Whether a worker as an answer names him is ours: a document decides, names only against it. */
function isWorker(body: JsonObject, employee: string): boolean | undefined {
  if (/\d/.test(employee)) return plainDocument(employee) === employeeOf(body);
  const own = wordsOf(NAMES.map((part) => String(valueAt(body, `/worker/${part}`) ?? '')).join(' '));
  return [...wordsOf(employee)].some((word) => own.has(word)) ? undefined : false;
}

/** The document itself decides; beside it a worker that is named, unless it is nobody. An amount alone is anybody's. */
function fit(body: JsonObject, { numbers = [], employee, total, xml }: Shown): Fit {
  if (numbers.some((number) => number !== numberOf(body))) return 'other-number';
  const { net, accrued, deductions } = payrollTotals(body);
  const isDeletion = workerOf(body) === '';
  const agrees = (text: string | undefined, ...amounts: readonly Decimal[]): boolean => {
    const amount = text === undefined ? undefined : fromScientific(text);
    return amount === undefined || amounts.some((one) => compare(one, amount) === 0);
  };
  if (xml !== undefined) {
    const isOurs = isDeletion ? xml.worker === undefined : isWorker(body, xml.worker ?? '');
    if (isOurs !== true || !agrees(xml.accrued, accrued) || !agrees(xml.deductions, deductions))
      return 'other-content';
    if (!isDeletion) return 'ours';
  }
  if (!agrees(total, net, accrued)) return 'other-content';
  if (employee === undefined || isDeletion) return 'open';
  const isOurs = isWorker(body, employee);
  return isOurs === undefined ? 'open' : isOurs ? 'ours' : 'other-content';
}

/** The parts of a CUNE (payroll.md 1.1). */
function hashed(body: JsonObject): Hashed {
  const isNote = Number(body['type_document_id']) === NOTE_TYPE;
  const isDeletion = isNote && Number(body['type_note']) === 2;
  const worker = String(valueAt(body, '/worker/identification_number') ?? '').replace(/[.\s-]/g, '');
  return {
    parts: {
      number: numberOf(body),
      issueDate: String(valueAt(body, '/period/issue_date') ?? ''),
      ...payrollTotals(body),
      workerDocument: worker,
      xmlType: isNote ? '103' : '102',
      ...(isDeletion && DELETION_PARTS),
    },
    // Of a document with letters or leading zeros nobody knows how the service prints it.
    isPlain: isDeletion || /^[1-9]\d*$/.test(worker),
  };
}

/** P3 and P5, or P4 and P6 with a test set. */
function send({ schema, body: bodyText, testSet }: Matter): Question {
  const isNote = schema === REPLACEMENT || schema === DELETION;
  const send = isNote ? 'sendAdjustNote' : 'sendPayroll';
  const operation = testSet === undefined ? send : (`${send}TestSet` as const);
  return {
    operation,
    request: { ...(testSet !== undefined && { path: { testSetId: testSet } }), bodyText },
    read: (answer) => readVerdict(answer, operation),
  };
}

const STAGE: Stage = {
  name: 'send',
  asks: 'by-code',
  send,
  poll: (zipKey) => ({
    operation: 'getZipStatus',
    request: { path: { ZipKey: zipKey }, bodyText: IS_PAYROLL },
    read: (answer) => readVerdict(answer, 'query'),
  }),
  ask: ({ position }) => ({
    operation: 'getDocumentStatus',
    request: { path: { CUNE: position.documentCode! }, bodyText: IS_PAYROLL },
    read: (answer) => readVerdict(answer, 'query'),
  }),
  byPerson: personSaysCode,
};

/** Individual payrolls and their adjust notes; a run may hold both. */
export const PAYROLL: DocumentKind = {
  judge: payrollJudge,
  numbers: {
    series: (body) => ({
      typeDocumentId: Number(body['type_document_id']),
      prefix: String(body['prefix'] ?? ''),
    }),
    write: (body, consecutive) => ({ ...body, consecutive }),
    clear: ({ consecutive: _, ...body }) => body,
  },
  totals: (body) => ({ ...payrollTotals(body) }),
  stages: [STAGE],
  fit,
  hashed,
  // A deletion that landed is not there to be deleted again.
  echoRules: ['NIE199', 'NIAE216a'],
  tooEarlyRules: ['NIAE191a', 'NIAE216a'],
  setUpRules: ['NIE017', 'NIE019', 'NIE020', 'NIE023', 'NIE033', '92'],
};
