import { payrollSubject, payrollTotals, workerOf } from '../payroll/subject.js';
import { compare, fromScientific } from '../values/decimal.js';
import type { JsonObject } from '../values/json.js';
import type { DocumentKind } from './kind.js';
import { readVerdict, type Shown } from './verdict.js';

/** Without it the invoice service is asked (service.md 4.10). */
const IS_PAYROLL = '{"is_payroll":true}';

const numberOf = (body: JsonObject): string => `${body['prefix'] ?? ''}${body['consecutive'] ?? ''}`;

function fits(body: JsonObject, { number, employee, total }: Shown): boolean {
  // Some lines show the name of the XML file here, which does not read prefix and digits.
  if (number !== undefined && /^[A-Z]{0,4}\d+$/.test(number) && number !== numberOf(body)) return false;
  if (employee !== undefined && /^\d+$/.test(employee) && employee !== workerOf(body)) return false;
  const amount = total === undefined ? undefined : fromScientific(total);
  if (amount === undefined) return true;
  const { net, accrued } = payrollTotals(body);
  return compare(amount, net) === 0 || compare(amount, accrued) === 0;
}

/** Individual payroll, P3 or P4 with a test set. */
export const PAYROLL: DocumentKind = {
  subject: payrollSubject,
  series: (body) => ({
    typeDocumentId: Number(body['type_document_id']),
    prefix: String(body['prefix'] ?? ''),
  }),
  totals: payrollTotals,
  send: (bodyText, testSet) =>
    testSet === undefined
      ? { operation: 'sendPayroll', request: { bodyText }, read: (answer) => readVerdict(answer, 'send') }
      : {
          operation: 'sendPayrollTestSet',
          request: { path: { testSetId: testSet }, bodyText },
          read: (answer) => readVerdict(answer, 'send'),
        },
  poll: (zipKey) => ({
    operation: 'getZipStatus',
    request: { path: { ZipKey: zipKey }, bodyText: IS_PAYROLL },
    read: (answer) => readVerdict(answer, 'query'),
  }),
  ask: (documentCode) => ({
    operation: 'getDocumentStatus',
    request: { path: { CUNE: documentCode }, bodyText: IS_PAYROLL },
    read: (answer) => readVerdict(answer, 'query'),
  }),
  fits,
  echoRules: ['NIE199'],
  setUpRules: ['NIE017', 'NIE019', 'NIE020', 'NIE023', 'NIE033', '92'],
};
