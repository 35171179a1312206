import { type Admission, behind, type Claim, type Judge, type Scope } from '../../send/kind.js';
import { personSaysCode, type Stage, type StageInput } from '../../send/stage.js';
import { type Fit, type Question, readVerdict, type Shown } from '../../send/verdict.js';
import { compare, type Decimal, fromScientific } from '../../toolkit/core/decimal.js';
import { type JsonObject, valueAt } from '../../toolkit/core/json.js';
import { unreachable } from '../../toolkit/core/required.js';
import { fold } from '../../toolkit/core/text.js';
import { batchRules } from '../../toolkit/schema/batch-rules.js';
import { contentHash, type Document } from '../../toolkit/schema/document.js';
import { type Hashed, proofBy, type Secret } from '../code-proof.js';
import { AS_IT_IS, CURRENT_NUMBER, type Delivery } from '../family.js';
import { DELETION, NOTE_TYPE, REPLACEMENT, saysTheSame } from './adjust-note.js';
import { cuneInput, DELETION_PARTS } from './cune.js';
import { conflict, type Known, knownDocuments, noteAdmissions } from './known-documents.js';
import { monthRemarks } from './month.js';
import { sameMonth } from './same-month.js';
import {
  monthOf,
  NAME_PARTS,
  numberAdvice,
  numberOf,
  payrollSubject,
  payrollTotals,
  plainDocument,
  WORKER_PLACE,
  workerOf,
} from './subject.js';

/** Returns the key of worker and month, by the rule that there is only one document. */
const monthKey = (body: JsonObject): string | undefined =>
  batchRules('payroll/payroll')
    .find(({ code }) => code === 'payroll/worker-month')
    ?.keysOf(body)[0]?.key;

/**
 * Judges payrolls and adjust notes against the journal: one document per worker and month, and notes only of accepted
 * ones.
 */
function payrollJudge(scope: Scope): Judge {
  const { journal, run, testSet } = scope;
  const known = knownDocuments(journal, testSet);
  const admitNote = noteAdmissions(scope, known);
  const months = monthRemarks(known);
  const same = sameMonth(known, run);

  /**
   * Finds the document of the same number with other leading zeros, if the rule of one document a month takes both for
   * one person.
   */
  async function withOtherZeros(body: JsonObject): Promise<Known | undefined> {
    const key = monthKey(body);
    const found = key && (await known.topWithOtherZeros(workerOf(body), monthOf(body)));
    return found && monthKey(await known.body(found.id)) === key ? found : undefined;
  }

  async function admitPayroll({ hash, body }: Document, renumbered = false): Promise<Admission> {
    const subject = known.inRealm(payrollSubject(body));
    const holder = (await known.top(subject)) ?? (renumbered ? undefined : await withOtherZeros(body));
    const inMonth = { subject, period: known.inRealm(monthOf(body)) };
    if (holder === undefined) return { is: 'new', ...inMonth, remarks: [] };
    const earlier: Admission = { is: 'earlier', subject, id: holder.id, documentCode: holder.documentCode };
    const isAccepted = holder.state === 'accepted';
    if (isAccepted && holder.hash === hash) return earlier;
    const held = await known.body(holder.id);
    // It was accepted while its texts were not canonical yet.
    if (isAccepted && contentHash(holder.schema, held) === hash) return earlier;
    // The corrected file is sent again after its correction was accepted.
    if (isAccepted && holder.schema === REPLACEMENT && saysTheSame(held, body)) return earlier;
    const issue = conflict(holder, run, held, body);
    if (!isAccepted && holder.run !== run) return behind(holder, inMonth, issue);
    return { is: 'refused', subject, issues: [issue] };
  }

  return {
    async admit(document, renumbered) {
      const admission =
        document.body['type_document_id'] === NOTE_TYPE
          ? await admitNote(document)
          : await admitPayroll(document, renumbered);
      await same.take(document, admission);
      const remarks = await months.take(document, admission.is === 'new');
      return admission.is === 'new' && remarks.length > 0
        ? { ...admission, remarks: [...admission.remarks, ...remarks] }
        : admission;
    },
    refusals: same.refusals,
    async *remarks() {
      yield* same.remarks();
      yield* months.finish();
    },
  };
}

/** Body of a status query; without it the invoice service is asked (service.md 4.10). */
const IS_PAYROLL = '{"is_payroll":true}';

/** Returns the worker's document; `0` for a deletion, as the service has it. */
const employeeOf = (body: JsonObject): string => workerOf(body) || DELETION_PARTS.workerDocument;

const wordsOf = (text: string): ReadonlySet<string> => new Set(fold(text).split(/\s+/).filter(Boolean));

/** Matches the number of a document: five digits or more, as names may hold some (`Ana 2`). */
const NUMBER = /\d(?:[.-]?\d){4,}/g;
/** Matches a number without letters next to it: in `W30065` it may be anything. */
const NUMBER_ALONE = new RegExp(`(?<!\\w)${NUMBER.source}(?!\\w)`);

/**
 * True if the worker named by an answer is ours; undefined if it is not certain. A document number decides, names can
 * only exclude.
 */
function isWorker(body: JsonObject, employee: string): boolean | undefined {
  const said = [employee, ...employee.split(/[\s,;:()/]+/), ...(employee.match(NUMBER) ?? [])];
  if (said.map(plainDocument).includes(employeeOf(body))) return true;
  if (NUMBER_ALONE.test(employee)) return false;
  const ourWords = wordsOf(
    NAME_PARTS.map((part) => String(valueAt(body, `/worker/${part}`) ?? '')).join(' '),
  );
  return [...wordsOf(employee)].some((word) => ourWords.has(word)) ? undefined : false;
}

/**
 * Judges whether an answer is about our document. The document decides, else the worker that is named; an amount alone
 * proves nothing.
 */
function fit(body: JsonObject, { numbers = [], employee, total, xml }: Shown): Fit {
  if (numbers.some((number) => number !== numberOf(body))) return 'other-number';
  const { net, accrued, deductions } = payrollTotals(body);
  const isDeletion = workerOf(body) === '';
  const agrees = (text: string | undefined, ...amounts: readonly Decimal[]): boolean => {
    const amount = text === undefined ? undefined : fromScientific(text);
    return amount === undefined || amounts.some((ours) => compare(ours, amount) === 0);
  };
  if (xml !== undefined) {
    const isOurs = isDeletion
      ? xml.worker === undefined
      : plainDocument(xml.worker ?? '') === employeeOf(body);
    if (!isOurs || !agrees(xml.accrued, accrued) || !agrees(xml.deductions, deductions))
      return 'other-content';
    if (!isDeletion) return 'ours';
  }
  if (!agrees(total, net, accrued)) return 'other-content';
  if (employee === undefined || isDeletion) return 'open';
  const isOurs = isWorker(body, employee);
  return isOurs === undefined ? 'open' : isOurs ? 'ours' : 'other-content';
}

/** Returns the texts whose hash is the CUNE (payroll.md 1.1), for both environments; only the time is unknown. */
function hashed({ body }: Pick<Claim, 'body'>, { nit, pin }: Secret): Hashed {
  const isNote = Number(body['type_document_id']) === NOTE_TYPE;
  const isDeletion = isNote && Number(body['type_note']) === 2;
  const worker = String(valueAt(body, WORKER_PLACE) ?? '').replace(/[.\s-]/g, '');
  const texts = (['1', '2'] as const).map((environment) => {
    const [before = '', after = ''] = cuneInput({
      number: numberOf(body),
      issueDate: String(valueAt(body, '/period/issue_date') ?? ''),
      issueTime: '\n',
      ...payrollTotals(body),
      employerNit: nit,
      workerDocument: worker,
      xmlType: isNote ? '103' : '102',
      ...(isDeletion && DELETION_PARTS),
      softwarePin: pin,
      environment,
    }).split('\n');
    return { before, after, environment };
  });
  // It is unknown how the service prints a document with letters or leading zeros.
  return { texts, isPlain: isDeletion || /^[1-9]\d*$/.test(worker) };
}

/** Sends by P3 and P5, or by P4 and P6 with a test set. */
function send({ schema, body: bodyText, testSet }: StageInput): Question {
  const isNote = schema === REPLACEMENT || schema === DELETION;
  const send = isNote ? 'sendAdjustNote' : 'sendPayroll';
  const operation = testSet === undefined ? send : (`${send}TestSet` as const);
  return {
    operation,
    request: { ...(testSet !== undefined && { path: { testSetId: testSet } }), bodyText },
    read: (answer) => readVerdict(answer, operation),
  };
}

/** Asks by P10. */
const look = (documentCode: string): Question => ({
  operation: 'getDocumentStatus',
  request: { path: { CUNE: documentCode }, bodyText: IS_PAYROLL },
  read: (answer) => readVerdict(answer, 'query'),
});

const STAGE: Stage = {
  name: 'send',
  asks: 'by-code',
  send,
  poll: (zipKey) => ({
    operation: 'getZipStatus',
    request: { path: { ZipKey: zipKey }, bodyText: IS_PAYROLL },
    read: (answer) => readVerdict(answer, 'query'),
  }),
  ask: ({ position }) => look(position.documentCode ?? unreachable('code to ask for')),
  look,
  byPerson: personSaysCode,
};

/** Delivers payrolls and their adjust notes; a run may hold both. */
export const PAYROLL: Delivery = {
  judge: payrollJudge,
  createPlanner: () => AS_IT_IS,
  subjectLeaf: WORKER_PLACE,
  greeting: CURRENT_NUMBER,
  numbers: {
    firstParam: 'first_consecutive',
    series: (body) => ({
      typeDocumentId: Number(body['type_document_id']),
      prefix: String(body['prefix'] ?? ''),
    }),
    write: (body, consecutive) => ({ ...body, consecutive }),
    clear: ({ consecutive: _, ...body }) => body,
    advice: numberAdvice,
  },
  totals: (body) => ({ ...payrollTotals(body) }),
  kept: {
    bare: { period: {} },
    leaves: ['/period/settlement_start_date', '/period/settlement_end_date', '/period/issue_date'],
  },
  stages: [STAGE],
  fit,
  proof: proofBy(hashed),
  // A deleted document cannot be deleted again, so these rules show that a deletion arrived.
  echoRules: ['NIE199', 'NIAE216a'],
  tooEarlyRules: ['NIAE191a', 'NIAE216a'],
  setUpRules: ['NIE017', 'NIE019', 'NIE020', 'NIE023', 'NIE033', '92'],
};
