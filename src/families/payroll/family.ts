import { compare, type Decimal, fromScientific } from '../../core/decimal.js';
import type { Issue, Place } from '../../core/issue.js';
import { type JsonObject, valueAt } from '../../core/json.js';
import { fold } from '../../core/text.js';
import type { SchemaName } from '../../generated/schema-types.js';
import { codeOf } from '../../report/rows.js';
import { type Envelope, placesOf } from '../../schema/document.js';
import type { Sql } from '../../send/database.js';
import { behind, type Claim, type Judge, type Scope, type Standing } from '../../send/kind.js';
import { PAGE, pages } from '../../send/runs.js';
import { say, sayCase } from '../../send/say.js';
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
import type { Family } from '../family.js';
import { changesSince, DELETION, NOTE_TYPE, REPLACEMENT, saysTheSame } from './adjust-note.js';
import { cuneInput, DELETION_PARTS } from './cune.js';
import { type Known, type KnownDocuments, knownDocuments, noteStandings } from './known-documents.js';
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

/** A document that a draft would send, with what it corrects. */
export interface PlannedChange {
  readonly sequence: number;
  readonly schema: SchemaName;
  readonly key: string;
  readonly name?: string;
  /** Prefix and consecutive joined. */
  readonly number: string;
  readonly body: JsonObject;
  /** What a note corrects, where the journal knows it. */
  readonly predecessor?: { readonly number: string; readonly cune: string; readonly body: JsonObject };
  /** Number of the document of the same run that has to be accepted first. */
  readonly follows?: string;
  /** Number of the document of the same run that waits for this one. */
  readonly leads?: string;
}

interface Row {
  readonly sequence: number;
  readonly schema: SchemaName;
  readonly key: string;
  readonly name: string | null;
  readonly number: string;
  readonly body: string;
  readonly before: string | null;
  readonly beforeNumber: string | null;
  readonly beforeCode: string | null;
  readonly follows: string | null;
  readonly leads: string | null;
}

const toChange = (row: Row): PlannedChange => ({
  sequence: row.sequence,
  schema: row.schema,
  key: row.key,
  ...(row.name !== null && { name: row.name }),
  number: row.number,
  body: JSON.parse(row.body) as JsonObject,
  ...(row.before !== null && {
    predecessor: {
      number: row.beforeNumber ?? '',
      cune: row.beforeCode ?? '',
      body: JSON.parse(row.before) as JsonObject,
    },
  }),
  ...(row.follows !== null && { follows: row.follows }),
  ...(row.leads !== null && { leads: row.leads }),
});

const CHANGES = `
  SELECT d.sequence, d.schema, d.key, d.name, d.prefix || d.consecutive AS number, c.body,
    b.body AS before, p.prefix || p.consecutive AS "beforeNumber", p.document_code AS "beforeCode",
    w.prefix || w.consecutive AS follows, l.prefix || l.consecutive AS leads
  FROM document d JOIN content c ON c.document = d.id
    LEFT JOIN document p ON p.id = d.predecessor
    LEFT JOIN content b ON b.document = d.predecessor
    LEFT JOIN document w ON w.id = d.waits_for
    LEFT JOIN document l ON l.run = d.run AND l.waits_for = d.id
  WHERE d.run = ? AND d.state = 'planned' AND d.sequence > ? ORDER BY d.sequence LIMIT ${PAGE}`;

/** What a run would send, in order; a page at a time. */
export async function* plannedChanges(journal: Sql, run: string): AsyncIterable<PlannedChange> {
  for await (const row of pages<Row>(journal, CHANGES, run)) yield toChange(row);
}

const WORKER_PLACE = '/worker/identification_number';

/** What is not as in the month before, of which the journal must have something accepted. All of it are warnings. */
interface MonthRemarks {
  /** Of one document; of one that is not to be sent nothing is remarked. */
  take(envelope: Envelope, body: JsonObject, isNew: boolean): Promise<readonly Issue[]>;
  /** Who is missing, once all documents were seen. */
  finish(): AsyncIterable<Issue>;
}

const NONE: readonly Issue[] = [];

const tableOf = ({ trace }: Envelope): Place => {
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
    async take(envelope, body, isNew) {
      const worker = workerOf(body);
      const isNote = envelope.schema !== 'payroll/payroll';
      if (worker === '' || valueAt(body, '/novelty/novelty') === true) return NONE;
      const month = monthOf(body);
      if (!(await isCompared(month))) return NONE;
      if (!isNote && !sheets.has(month)) sheets.set(month, tableOf(envelope));
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

const WORKER = { pointer: '/worker/identification_number' };

/** Payrolls and adjust notes against the journal: one document per worker and month, notes of what was accepted. */
function payrollJudge(scope: Scope): Judge {
  const { journal, run, testSet } = scope;
  const known = knownDocuments(journal, testSet);
  const noteStanding = noteStandings(scope, known);
  const months = monthRemarks(known);

  async function payrollStanding({ hash }: Envelope, body: JsonObject): Promise<Standing> {
    const subject = known.inRealm(payrollSubject(body));
    const holder = await known.top(subject);
    const inMonth = { subject, period: known.inRealm(monthOf(body)) };
    if (holder === undefined) return { is: 'new', ...inMonth, remarks: [] };
    const earlier: Standing = { is: 'earlier', subject, id: holder.id, documentCode: holder.documentCode };
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
    async standing(envelope) {
      const body = envelope.document as unknown as JsonObject;
      const standing =
        body['type_document_id'] === NOTE_TYPE
          ? await noteStanding(envelope, body)
          : await payrollStanding(envelope, body);
      const remarks = await months.take(envelope, body, standing.is === 'new');
      return standing.is === 'new' && remarks.length > 0
        ? { ...standing, remarks: [...standing.remarks, ...remarks] }
        : standing;
    },
    remarks: months.finish,
  };
}

/** Why a document cannot be sent: another one of the same worker and month is accepted, or on its way. */
export function conflict(holder: Known, run: string, held: JsonObject, body: JsonObject): Issue {
  if (holder.run === run) return say('send/month-repeated', { key: holder.key });
  if (holder.state === 'planned') return say('send/unfinished-run', { run: holder.run });
  const which = holder.state === 'accepted' ? 'accepted' : holder.state === 'pending' ? 'pending' : 'unknown';
  const params = {
    number: holder.number,
    cune: holder.documentCode ?? '—',
    date: String(valueAt(held, '/period/issue_date') ?? '—'),
    run: holder.run,
    rule: 'NIE199',
  };
  return { ...sayCase('payroll/worker-month', which, params, WORKER), value: workerOf(body) };
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
  stages: [STAGE],
  fit,
  proof: proofBy(hashed),
  // A deletion that landed is not there to be deleted again.
  echoRules: ['NIE199', 'NIAE216a'],
  tooEarlyRules: ['NIAE191a', 'NIAE216a'],
  setUpRules: ['NIE017', 'NIE019', 'NIE020', 'NIE023', 'NIE033', '92'],
};
