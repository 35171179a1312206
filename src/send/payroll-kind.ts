import { DELETION, REPLACEMENT } from '../payroll/adjust-note.js';
import { DELETION_PARTS } from '../payroll/cune.js';
import { payrollTotals, workerOf } from '../payroll/subject.js';
import { compare, fromScientific } from '../values/decimal.js';
import type { JsonObject } from '../values/json.js';
import type { DocumentKind } from './kind.js';
import { payrollJudge } from './payroll-judge.js';
import { type Matter, personSaysCode, type Question, type Stage } from './stage.js';
import { readVerdict, type Shown } from './verdict.js';

/** Without it the invoice service is asked (service.md 4.10). */
const IS_PAYROLL = '{"is_payroll":true}';

const numberOf = (body: JsonObject): string => `${body['prefix'] ?? ''}${body['consecutive'] ?? ''}`;

/** A deletion names nobody; the service has a zero for it. */
const employeeOf = (body: JsonObject): string => workerOf(body) || DELETION_PARTS.workerDocument;

function fits(body: JsonObject, { number, employee, total }: Shown): boolean {
  // Some lines show the name of the XML file here, which does not read prefix and digits.
  if (number !== undefined && /^[A-Z]{0,4}\d+$/.test(number) && number !== numberOf(body)) return false;
  if (employee !== undefined && /^\d+$/.test(employee) && employee !== employeeOf(body)) return false;
  const amount = total === undefined ? undefined : fromScientific(total);
  if (amount === undefined) return true;
  const { net, accrued } = payrollTotals(body);
  return compare(amount, net) === 0 || compare(amount, accrued) === 0;
}

/** P3 and P5, or P4 and P6 with a test set. */
function send({ schema, body: bodyText, testSet }: Matter): Question {
  const isNote = schema === REPLACEMENT || schema === DELETION;
  const read: Question['read'] = (answer) => readVerdict(answer, 'send');
  if (testSet === undefined)
    return { operation: isNote ? 'sendAdjustNote' : 'sendPayroll', request: { bodyText }, read };
  const operation = isNote ? 'sendAdjustNoteTestSet' : 'sendPayrollTestSet';
  return { operation, request: { path: { testSetId: testSet }, bodyText }, read };
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
  fits,
  // A deletion that landed is not there to be deleted again.
  echoRules: ['NIE199', 'NIAE216a'],
  tooEarlyRules: ['NIAE191a', 'NIAE216a'],
  setUpRules: ['NIE017', 'NIE019', 'NIE020', 'NIE023', 'NIE033', '92'],
};
