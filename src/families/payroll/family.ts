import { compare, type Decimal, fromScientific } from '../../core/decimal.js';
import type { Issue, Place } from '../../core/issue.js';
import { isObject, type JsonObject, valueAt } from '../../core/json.js';
import { fold } from '../../core/text.js';
import { codeOf } from '../../report/rows.js';
import { type Document, placesOf } from '../../schema/document.js';
import { type Admission, behind, type Claim, type Judge, type Scope } from '../../send/kind.js';
import { say } from '../../send/say.js';
import {
  type Fit,
  type Matter,
  personSaysCode,
  type Question,
  readVerdict,
  type Shown,
  type Stage,
} from '../../send/verdict.js';
import { type Hashed, proofBy, type Secret } from '../code-proof.js';
import type { Family, KnownResolution } from '../family.js';
import { changesSince, DELETION, NOTE_TYPE, REPLACEMENT, saysTheSame } from './adjust-note.js';
import { CORRECTIONS } from './corrections.js';
import { cuneInput, DELETION_PARTS } from './cune.js';
import { conflict, type KnownDocuments, knownDocuments, noteAdmissions } from './known-documents.js';
import { MAIL } from './mail.js';
import { SETUP } from './setup.js';
import {
  monthBefore,
  monthOf,
  numberAdvice,
  numberOf,
  payrollSubject,
  payrollTotals,
  plainDocument,
  workerMonth,
  workerOf,
} from './subject.js';

const WORKER_PLACE = '/worker/identification_number';

/** What is not as in the month before, of which the journal must have something accepted. All of it are warnings. */
interface MonthRemarks {
  /** Of one document; of one that is not to be sent nothing is remarked. */
  take(document: Document, isNew: boolean): Promise<readonly Issue[]>;
  /** Who is missing, once all documents were seen. */
  finish(): AsyncIterable<Issue>;
}

const NONE: readonly Issue[] = [];

const tableOf = ({ trace }: Document): Place => {
  const [{ file, sheet } = {} as Place] = placesOf(trace, WORKER_PLACE);
  return { ...(file !== undefined && { file }), ...(sheet !== undefined && { sheet }) };
};

function monthRemarks(known: KnownDocuments): MonthRemarks {
  const hasBefore = new Map<string, boolean>();
  /** Months of which the run holds payrolls, and not only notes, each with a place to speak of it. */
  const sheets = new Map<string, Place>();

  async function isCompared(month: string): Promise<boolean> {
    const there = hasBefore.get(month) ?? (await known.hasMonth(known.inRealm(monthBefore(month))));
    hasBefore.set(month, there);
    return there;
  }

  async function* missing(month: string, place: Place): AsyncIterable<Issue> {
    const before = monthBefore(month);
    for await (const one of known.ofMonth(known.inRealm(before))) {
      const { worker, novelty } = known.parts(one);
      if (novelty || one.state !== 'accepted') continue;
      if ((await known.top(known.inRealm(workerMonth(worker, month)))) !== undefined) continue;
      const issue = say('payroll/missing-worker', { month: before }, place);
      yield { ...issue, value: one.key, documentKey: one.key };
    }
  }

  return {
    async take(document, isNew) {
      const { body } = document;
      const worker = workerOf(body);
      const isNote = document.schema !== 'payroll/payroll';
      if (worker === '' || valueAt(body, '/novelty/novelty') === true) return NONE;
      const month = monthOf(body);
      if (!(await isCompared(month))) return NONE;
      if (!isNote && !sheets.has(month)) sheets.set(month, tableOf(document));
      if (!isNew) return NONE;
      const before = monthBefore(month);
      const latest = await known.latest(known.inRealm(workerMonth(worker, before)));
      if (latest === undefined) {
        if (isNote) return NONE;
        return [
          { ...say('payroll/new-worker', { month: before }, { pointer: WORKER_PLACE }), value: worker },
        ];
      }
      return changesSince(await known.body(latest.id), body).map(({ code, pointer, value }) => ({
        ...say(code, { month: before }, { pointer }),
        value,
      }));
    },
    async *finish() {
      for (const [month, place] of sheets) yield* missing(month, place);
    },
  };
}

/** Payrolls and adjust notes against the journal: one document per worker and month, notes of what was accepted. */
function payrollJudge(scope: Scope): Judge {
  const { journal, run, testSet } = scope;
  const known = knownDocuments(journal, testSet);
  const admitNote = noteAdmissions(scope, known);
  const months = monthRemarks(known);

  async function admitPayroll({ hash, body }: Document): Promise<Admission> {
    const subject = known.inRealm(payrollSubject(body));
    const holder = await known.top(subject);
    const inMonth = { subject, period: known.inRealm(monthOf(body)) };
    if (holder === undefined) return { is: 'new', ...inMonth, remarks: [] };
    const earlier: Admission = { is: 'earlier', subject, id: holder.id, documentCode: holder.documentCode };
    const isAccepted = holder.state === 'accepted';
    if (isAccepted && holder.hash === hash) return earlier;
    const held = await known.body(holder.id);
    // The corrected file, after its correction was accepted.
    if (isAccepted && holder.schema === REPLACEMENT && saysTheSame(held, body)) return earlier;
    const issue = conflict(holder, run, held, body);
    if (!isAccepted && holder.run !== run) return behind(holder, inMonth, issue);
    return { is: 'refused', subject, issues: [issue] };
  }

  return {
    async admit(document) {
      const admission =
        document.body['type_document_id'] === NOTE_TYPE
          ? await admitNote(document)
          : await admitPayroll(document);
      const remarks = await months.take(document, admission.is === 'new');
      return admission.is === 'new' && remarks.length > 0
        ? { ...admission, remarks: [...admission.remarks, ...remarks] }
        : admission;
    },
    remarks: months.finish,
  };
}

/** Without it the invoice service is asked (service.md 4.10). */
const IS_PAYROLL = '{"is_payroll":true}';

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

/** What a CUNE is the hash of (payroll.md 1.1): time and environment are the service's, all else is known. */
function hashed({ body }: Pick<Claim, 'body'>, { nit, pin }: Secret): Hashed {
  const isNote = Number(body['type_document_id']) === NOTE_TYPE;
  const isDeletion = isNote && Number(body['type_note']) === 2;
  const worker = String(valueAt(body, '/worker/identification_number') ?? '').replace(/[.\s-]/g, '');
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
  // Of a document with letters or leading zeros nobody knows how the service prints it.
  return { texts, isPlain: isDeletion || /^[1-9]\d*$/.test(worker) };
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

/** What the document says itself goes first. */
function withResolution(body: JsonObject, known: readonly KnownResolution[]): JsonObject {
  if (body['resolution_number'] !== undefined) return body;
  const type = body['type_document_id'] === NOTE_TYPE ? 'adjust' : 'payroll';
  const found = known.find(({ documentType, prefix }) => documentType === type && prefix === body['prefix']);
  return found === undefined ? body : { ...body, resolution_number: found.number };
}

/** Individual payrolls and their adjust notes; a run may hold both. */
export const PAYROLL: Family = {
  schemas: ['payroll/payroll', REPLACEMENT, DELETION],
  judge: payrollJudge,
  subjectLeaf: '/worker/identification_number',
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
  columns: [
    ['key', 15, 'code'],
    ['name', 32, 'long'],
    ['number', 12, 'code'],
    ['state', 15, 'code'],
    ['message', 44, 'long'],
    ['cune', 30, 'hash', codeOf],
    ['zipKey', 22, 'hash'],
    ['attempts', 10, 'count'],
    ['where', 18, 'code'],
  ],
  totals: (body) => ({ ...payrollTotals(body) }),
  corrections: CORRECTIONS,
  preview: {
    schema: 'payroll/payroll',
    operation: 'previewPayroll',
    subject: (body) => (isObject(body['worker']) ? workerOf(body) : undefined),
    read: ({ base64payrollpdf: pdf }) => (typeof pdf === 'string' ? pdf : undefined),
  },
  mail: MAIL,
  setup: SETUP,
  withResolution,
  kept: {
    bare: { period: {} },
    leaves: ['/period/settlement_start_date', '/period/settlement_end_date', '/period/issue_date'],
  },
  template: { name: 'payroll', mapping: 'payroll/multi-sheet' },
  stages: [STAGE],
  fit,
  proof: proofBy(hashed),
  // A deletion that landed is not there to be deleted again.
  echoRules: ['NIE199', 'NIAE216a'],
  tooEarlyRules: ['NIAE191a', 'NIAE216a'],
  setUpRules: ['NIE017', 'NIE019', 'NIE020', 'NIE023', 'NIE033', '92'],
};
