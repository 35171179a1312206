import type { Answer } from '../../client/answer.js';
import type { Client } from '../../client/client.js';
import { OPERATIONS } from '../../generated/operations.js';
import type { Advice } from '../../send/kind.js';
import { readVerdict, tokenRefusal } from '../../send/verdict.js';
import { type Decimal, fromScientific, subtract, toMoney } from '../../toolkit/core/decimal.js';
import type { Place } from '../../toolkit/core/issue.js';
import { isObject, type JsonObject, type Pointer, valueAt } from '../../toolkit/core/json.js';
import { fold } from '../../toolkit/core/text.js';
import { type Document, placesOf } from '../../toolkit/schema/document.js';

export const textAt = (body: JsonObject, pointer: string): string => String(valueAt(body, pointer) ?? '');

/** Removes dots, blanks and hyphens from a worker's document (payroll.md 1.1). */
export const plainDocument = (text: string): string => text.replace(/[.\s-]/g, '').toUpperCase();

/** Leaf with the document of the worker. */
export const WORKER_PLACE: Pointer = '/worker/identification_number';

/** Returns file and sheet of a payroll, for issues about the whole of them. */
export const tableOf = ({ trace }: Document): Place => {
  const [{ file, sheet } = {} as Place] = placesOf(trace, WORKER_PLACE);
  return { ...(file !== undefined && { file }), ...(sheet !== undefined && { sheet }) };
};

/** Returns the worker's document of a payroll or replacement; blank for a deletion, which names no worker. */
export const workerOf = (body: JsonObject): string => plainDocument(textAt(body, WORKER_PLACE));

export const numberOf = (body: JsonObject): string => `${body['prefix'] ?? ''}${body['consecutive'] ?? ''}`;

/** Returns the month of `settlement_start_date`, as `YYYY-MM`. */
export const monthOf = (body: JsonObject): string =>
  textAt(body, '/period/settlement_start_date').slice(0, 7);

/** Returns the month before: `2026-01` → `2025-12`. */
export function monthBefore(month: string): string {
  const [year = 0, number = 1] = month.split('-').map(Number);
  return number === 1 ? `${year - 1}-12` : `${year}-${String(number - 1).padStart(2, '0')}`;
}

/** Formats a worker's month: `9000100000|2026-10`. */
export const workerMonth = (worker: string, month: string): string => `${worker}|${month}`;

export const isNovelty = (body: JsonObject): boolean => valueAt(body, '/novelty/novelty') === true;

/**
 * Returns worker and month: `9000100000|2026-10`. DIAN takes one payroll per worker and month (payroll.md 2); a
 * declared novelty is another one, identified by the CUNE it follows.
 */
export function payrollSubject(body: JsonObject): string {
  const novelty = isNovelty(body) ? `|${textAt(body, '/novelty/uuidnov')}` : '';
  return `${workerMonth(workerOf(body), monthOf(body))}${novelty}`;
}

export function subjectParts(subject: string): { worker: string; month: string; novelty: boolean } {
  const [worker = '', month = '', ...more] = subject.split('|');
  return { worker, month, novelty: more.length > 0 };
}

/** Parts of a worker's name, in the order of the document. */
export const NAME_PARTS = ['first_name', 'middle_name', 'surname', 'second_surname'];

/** Returns the worker's full name; undefined for a deletion, which names no worker. */
export const nameOf = (body: JsonObject): string | undefined =>
  NAME_PARTS.flatMap((name) => textAt(body, `/worker/${name}`) || []).join(' ') || undefined;

/**
 * Returns a text that identifies a person's month under any document number: names and admission date. Undefined
 * without them.
 */
export function personOf(body: JsonObject): string | undefined {
  const names = NAME_PARTS.map((name) => fold(textAt(body, `/worker/${name}`)));
  const admission = textAt(body, '/period/admision_date');
  return names.join('') === '' || admission === ''
    ? undefined
    : [...names, admission, monthOf(body)].join('|');
}

/** True if the data of a payroll or replacement was removed from the journal. */
export const isForgotten = (body: JsonObject): boolean =>
  valueAt(body, '/accrued/accrued_total') === undefined;

const money = (amount: Decimal): Decimal => toMoney(amount) ?? amount;
const moneyAt = (body: JsonObject, pointer: string): Decimal =>
  money(fromScientific(textAt(body, pointer)) ?? '0');

/** Returns the amounts that people know a payroll by, with two decimals; zero for a deletion. */
export function payrollTotals(body: JsonObject) {
  const accrued = moneyAt(body, '/accrued/accrued_total');
  const deductions = moneyAt(body, '/deductions/deductions_total');
  return { accrued, deductions, net: money(subtract(accrued, deductions)) };
}

/** Returns accrued less deductions; undefined if they were removed from the journal. */
export const netOf = (body: JsonObject): Decimal | undefined =>
  isForgotten(body) ? undefined : payrollTotals(body).net;

/**
 * Path by which services since 2024 show the next number of a prefix: they have a flag where the contract has the
 * prefix, and answer `9/NI` for the first range of the type (service.md 4.10).
 */
export const FLAGGED_NUMBER_PATH = OPERATIONS.getCurrentNumber.path.replace('{prefix}', '{flag}/{prefix}');

/** Asks the service for the next number; if it answers for another prefix, asks again by the path of 2024. */
export const numberAdvice =
  (client: Client, testSet: string | undefined): Advice =>
  async ({ typeDocumentId, prefix }) => {
    if (typeDocumentId !== 9 && typeDocumentId !== 10) return undefined;
    const path = { type: typeDocumentId, prefix } as const;
    const answer = await client.call('getCurrentNumber', { path });
    const refusal = tokenRefusal(answer);
    if (refusal !== undefined) return refusal;
    const isUnsaid = readVerdict(answer, 'query').kind === 'unknown';
    if (answer.kind !== 'failure' && answer.status === 500 && isUnsaid) return 'no-range'; // service.md 5.2
    const { shown, number } = shownNumber(answer);
    if (shown === undefined || shown === prefix) return number;
    // 1 counts documents without a verdict too, as those of a test set are until they are polled.
    const flagged = { ...path, flag: testSet === undefined ? 0 : 1 } as const;
    const again = shownNumber(
      await client.call('getCurrentNumber', { path: flagged, pathForm: FLAGGED_NUMBER_PATH }),
    );
    return again.shown === prefix ? again.number : undefined;
  };

/** Reads the number of an answer, and its prefix. */
function shownNumber(answer: Answer): { readonly shown?: string; readonly number?: number } {
  if (answer.kind !== 'json' || answer.status !== 200 || !isObject(answer.body)) return {};
  const { number, prefix } = answer.body;
  if (typeof prefix !== 'string') return {};
  return {
    shown: prefix,
    ...(Number.isSafeInteger(Number(number)) && Number(number) > 0 && { number: Number(number) }),
  };
}

/** Web services of DIAN that receive a company's documents, by environment. */
export const DIAN_ADDRESS = {
  test: 'https://vpfe-hab.dian.gov.co/WcfDianCustomerServices.svc',
  production: 'https://vpfe.dian.gov.co/WcfDianCustomerServices.svc',
} as const;

const comparable = (address: string): string => {
  if (!URL.canParse(address)) return address.trim();
  const { host, pathname } = new URL(address);
  return `${host}${pathname.replace(/\/+$/, '')}`;
};

/** True if two addresses lead to the same place, as `…svc` and `…svc?wsdl` do. */
export const sameAddress = (a: string, b: string): boolean => comparable(a) === comparable(b);
