import { randomUUID } from 'node:crypto';
import { cune } from '../../families/payroll/cune.js';
import { DIAN_ADDRESS, FLAGGED_NUMBER_PATH } from '../../families/payroll/subject.js';
import { OPERATIONS, type OperationId } from '../../generated/operations.js';
import { type JsonObject, parsePointer, valueAt } from '../../toolkit/core/json.js';
import { validate } from '../../toolkit/schema/validate.js';
import {
  type Answer,
  type Call,
  declined,
  type Effect,
  envelope,
  type FieldFault,
  type Handler,
  isTrue,
  member,
  NIL,
  nested,
  ok,
  type Subject,
  shapeFaults,
  type Topic,
  type Verdict,
  withoutNulls,
} from '../answer.js';
import { bogota } from '../clock.js';
import { type Context, type RequestedOutcome, readRequestedOutcome } from '../faults.js';
import type { Environment } from '../options.js';
import { onePagePdf } from '../pdf.js';
import type { Company, Resolution, Software } from '../store.js';
import {
  type Composed,
  cunePartsOf,
  fileName,
  kindOf,
  numberOf,
  type PayrollDocument,
  readDocument,
  workerOf,
} from './document.js';
import {
  contentFaults,
  dianResult,
  judge,
  outOfRange,
  PENDING_RESULT,
  rowById,
  UNKNOWN_RESULT,
} from './judge.js';
import {
  type Archive,
  type Batch,
  type Ledger,
  openArchive,
  openLedger,
  openPapers,
  type Papers,
  type Row,
} from './ledger.js';
import { payrollXml, qrOf } from './xml.js';

interface PayrollContext extends Context {
  /** Records of the service itself. */
  readonly book: Ledger;
  /** Documents held by DIAN. */
  readonly archive: Archive;
  readonly papers: Papers;
}

const text = (body: JsonObject, name: string): string | undefined =>
  body[name] === undefined || body[name] === null ? undefined : String(body[name]);

/**
 * Returns the software setup after a call: addresses that it omits become those of the test environment (service.md 12,
 * trap 12).
 */
function configured(body: JsonObject, before: Software): Software {
  const id = text(body, 'id') ?? before.id;
  const pin = text(body, 'pin') ?? before.pin;
  return {
    ...(id !== undefined && { id }),
    ...(pin !== undefined && { pin }),
    idpayroll: text(body, 'idpayroll') ?? before.idpayroll,
    pinpayroll: text(body, 'pinpayroll') ?? before.pinpayroll,
    url: text(body, 'url') ?? DIAN_ADDRESS.test,
    urlpayroll: text(body, 'urlpayroll') ?? DIAN_ADDRESS.test,
  };
}

/** Handles P1; the response shows ids and PINs, like the service's. */
const softwareSetup = ({ companies, refusals }: PayrollContext): Handler => ({
  about: () => ({}),
  answer: (call) => {
    const faults = shapeFaults(call);
    if (faults.length > 0) return refusals.invalid(faults);
    const software = configured(call.body, call.company.software);
    companies.save({ ...call.company, software });
    return ok(
      { success: true, message: 'Software creado/actualizado con éxito', software: { ...software } },
      'configured',
    );
  },
});

const known = (topic: Topic): Topic =>
  Object.fromEntries(Object.entries(topic).filter(([, value]) => value !== undefined && value !== ''));

/** Returns the subject of a request with a document. */
const documentTopic = ({ body }: Call): Topic => {
  const note = body['notes'];
  return known({
    number: numberOf(body),
    worker: workerOf(body),
    ...(typeof note === 'string' && { note }),
  });
};

/** Number ranges of a company (service.md 4.8, 4.9). */

const OPEN_PREFIX = /^[A-Z]{1,4}$/i;
const OPEN_TYPES: readonly number[] = [9, 10];

const rangesOf = (company: Company, typeDocumentId: number): readonly Resolution[] =>
  company.resolutions.filter((resolution) => resolution.typeDocumentId === typeDocumentId);

/** True if prefix and resolution number are required: after two ranges of a type were configured. */
const mustName = (company: Company, typeDocumentId: number): boolean =>
  rangesOf(company, typeDocumentId).filter((resolution) => resolution.given === undefined).length >= 2;

/**
 * Finds the range of a document, by prefix and resolution number if given; without a prefix the first one. Undefined if
 * the service would crash.
 */
function rangeFor(
  company: Company,
  typeDocumentId: number,
  prefix: string,
  number = '',
): Resolution | undefined {
  const isOpen = !mustName(company, typeDocumentId);
  const ranges = rangesOf(company, typeDocumentId).filter(
    ({ resolution, given }) => number === '' || resolution === number || (isOpen && given === true),
  );
  if (prefix === '') return ranges[0];
  const found = ranges.find((resolution) => resolution.prefix === prefix);
  if (found !== undefined || !company.openPrefixes) return found;
  if (!OPEN_TYPES.includes(typeDocumentId) || !OPEN_PREFIX.test(prefix)) return undefined;
  return { typeDocumentId, prefix, from: 1, to: 99_999_999, given: true };
}

const sameRange = (a: Resolution, b: Resolution): boolean =>
  a.typeDocumentId === b.typeDocumentId && a.prefix === b.prefix && a.resolution === b.resolution;

/** Inserts or replaces a range by type, resolution and prefix; `alone` removes the other prefixes of the type. */
function withRange(company: Company, range: Resolution, alone: boolean): Company {
  const stay = company.resolutions.filter(
    (other) => !sameRange(other, range) && !(alone && other.typeDocumentId === range.typeDocumentId),
  );
  return { ...company, resolutions: [...stay, range] };
}

/** Request that passes the service's validator but crashes its code (service.md 4.1, 4.3, 4.7, 8). */
interface Crash {
  readonly reason: string;
  /** Set to `date` for a date that the 2026 version answers with 400. */
  readonly kind?: 'date';
}

const ITEM_DATES: readonly string[] = ['start_date', 'end_date', 'start_time', 'end_time'];

/**
 * True for a pointer inside an item of a nested list, `/accrued/HEDs/0/payment`, where the service validates nothing.
 */
const isNested = (keys: readonly string[]): boolean =>
  (keys[0] === 'accrued' || keys[0] === 'deductions') && keys.length > 3 && /^\d+$/.test(keys[2] ?? '');

const CHECKS: Readonly<Record<string, (call: Call) => Crash | undefined>> = {
  'a date or time of its own at the top': ({ body }) =>
    ['date', 'time'].some((name) => name in body)
      ? { reason: 'Cannot redeclare the document date' }
      : undefined,

  'establishment data that are null': ({ body }) => {
    const field = Object.keys(body).find((name) => name.startsWith('establishment_') && body[name] === null);
    return field === undefined ? undefined : { reason: `Trying to get property '${field}' of non-object` };
  },

  'a municipality that is not in the table': ({ body }) => {
    const id = member(body, 'worker', 'municipality_id');
    return id === undefined || rowById('municipalities', id) !== undefined
      ? undefined
      : { reason: "Trying to get property 'department' of non-object" };
  },

  'items of nested lists': nestedCrash,
};

/** Finds the strict errors in nested items that crash the service: a missing member, an unreadable date or amount. */
function nestedCrash({ operation, body }: Call): Crash | undefined {
  const { body: schema } = OPERATIONS[operation];
  if (schema === null) return undefined;
  const given = withoutNulls(body);
  for (const issue of validate(schema, 'strict', given)) {
    const keys = parsePointer(issue.place.pointer ?? '');
    if (!isNested(keys)) continue;
    const name = keys.at(-1) ?? '';
    if (issue.code === 'document/required') return { reason: `Undefined index: ${name}` };
    const value = valueAt(given, issue.place.pointer ?? '');
    if (ITEM_DATES.includes(name))
      return { reason: `Failed to parse time string (${String(value)})`, kind: 'date' };
    if (typeof value !== 'number' && Number.isNaN(Number.parseFloat(String(value))))
      return { reason: 'number_format() expects parameter 1 to be float' };
  }
  return undefined;
}

/** Returns the first reason for a 500 of a valid request. */
function crashOf(call: Call): Crash | undefined {
  for (const check of Object.values(CHECKS)) {
    const crash = check(call);
    if (crash !== undefined) return crash;
  }
  return undefined;
}

const NO_RESOLUTION: Crash = { reason: "Trying to get property 'id' of non-object" };

/** Handles P2: registers a range, by type, resolution and prefix (service.md 4.9). */
function resolutionSetup({ companies, refusals }: PayrollContext): Handler {
  return {
    about: () => ({}),
    answer: (call) => {
      const faults = [...shapeFaults(call), ...rangeFaults(call.body)];
      if (faults.length > 0) return refusals.invalid(faults);
      const range = rangeOf(call.body);
      companies.save(withRange(call.company, range, isTrue(call.body['delete_all_type_resolutions'])));
      return ok(
        {
          success: true,
          message: 'Resolución creada/actualizada con éxito',
          resolution: {
            type_document_id: range.typeDocumentId,
            prefix: range.prefix,
            resolution: range.resolution ?? null,
            from: range.from,
            to: range.to,
          },
        },
        'configured',
      );
    },
  };
}

const rangeOf = (body: JsonObject): Resolution => ({
  typeDocumentId: Number(body['type_document_id']),
  prefix: String(body['prefix'] ?? ''),
  from: Number(body['from']),
  to: Number(body['to']),
  ...(member(body, 'resolution') !== undefined && { resolution: String(body['resolution']) }),
});

function rangeFaults(body: JsonObject): FieldFault[] {
  const { prefix, from, to } = rangeOf(body);
  const faults: FieldFault[] = [];
  if (prefix.length > 4)
    faults.push({ field: 'prefix', text: 'The prefix may not be greater than 4 characters.' });
  if (to < from + 1) faults.push({ field: 'to', text: `The to must be at least ${from + 1}.` });
  return faults;
}

/** Handles P8: highest accepted number + 1; advice, not a reservation. */
function currentNumber({ settings, book, refusals }: PayrollContext): Handler {
  const since2024 = settings.currentNumberPath === 'since2024';
  return {
    about: () => ({}),
    ...(since2024 && { alsoAt: [FLAGGED_NUMBER_PATH] }),
    answer: ({ company, path }) => {
      const flagged = path['flag'] !== undefined;
      const prefix = since2024 && !flagged ? '' : (path['prefix'] ?? '');
      const typeDocumentId = Number(path['type']);
      const range = rangeFor(company, typeDocumentId, prefix);
      if (range === undefined) return refusals.crash(NO_RESOLUTION.reason);
      const highest = book.highest(company.nit, typeDocumentId, range.prefix, path['flag'] === '1');
      return ok(
        { number: Math.max(range.from, highest + 1), success: true, prefix: range.prefix },
        'answered',
      );
    },
  };
}

/** Handles P11: finds only documents that the service itself marked as accepted (service.md 4.10). */
const documentMail = ({ book, outbox, clock, refusals }: PayrollContext): Handler => ({
  about: ({ body }) => ({ number: numberOf(body) }),
  answer: (call) => {
    const faults = shapeFaults(call);
    if (faults.length > 0) return refusals.invalid(faults);
    const { body, company } = call;
    const row = book.acceptedNumber(company.nit, String(body['prefix']), Number(body['consecutive']));
    if (row === undefined) return declined('No se encontró el documento');
    outbox.put({
      company: company.nit,
      to: String(body['email']),
      number: row.number,
      documentCode: row.cune,
      at: clock.now().toISOString(),
    });
    return ok({ success: true, message: 'Correo enviado con éxito' }, 'mailed');
  },
});

/** Result of the service's validation, before DIAN. */
type Admission =
  | { readonly is: 'admitted'; readonly document: PayrollDocument; readonly range: Resolution }
  | { readonly is: 'invalid'; readonly faults: readonly FieldFault[] }
  | { readonly is: 'crashed'; readonly crash: Crash };

/** Validates a request: the service's validator, then crashes of its code, then the number range. */
function admit(call: Call): Admission {
  const { body, company } = call;
  const kind = kindOf(body);
  const shape = shapeFaults(call);
  const faults = kind === undefined ? shape : [...shape, ...contentFaults(kind, body)];
  if (kind !== undefined && mustName(company, kind === 'payroll' ? 9 : 10))
    for (const field of ['resolution_number', 'prefix'])
      if (!body[field] && !faults.some((fault) => fault.field === field))
        faults.push({ field, text: `The ${field} field is required.` });
  if (kind === undefined || faults.length > 0) return { is: 'invalid', faults };

  const document = readDocument(kind, withoutNulls(body));
  const range = rangeFor(company, document.typeDocumentId, document.prefix, text(body, 'resolution_number'));
  if (range === undefined) return { is: 'crashed', crash: NO_RESOLUTION };
  // The range of notes is not checked (service.md 4.8).
  if (kind === 'payroll' && (document.consecutive < range.from || document.consecutive > range.to))
    return { is: 'invalid', faults: [outOfRange('consecutive', range.from, range.to)] };
  const crash = crashOf(call);
  return crash === undefined ? { is: 'admitted', document, range } : { is: 'crashed', crash };
}

const pesos = (amount: string): string => `$ ${amount.replace(/\B(?=(\d{3})+(?=\.))/g, ',')}`;

const sheet = (company: string, document: PayrollDocument): Buffer =>
  onePagePdf([
    { text: 'Vista previa: nómina electrónica', size: 16 },
    { text: `${company} · ${document.number} · ${document.issueDate}` },
    { text: '' },
    { text: `Trabajador: ${document.employee}` },
    { text: `Documento: ${document.worker}` },
    { text: `Periodo: ${document.month}` },
    { text: '' },
    { text: `Total devengado: ${pesos(document.accrued)}` },
    { text: `Total deducciones: ${pesos(document.deductions)}` },
    { text: `Neto a pagar: ${pesos(document.net)}`, size: 13 },
    { text: '' },
    { text: 'Documento del emulador, sin validez.' },
  ]);

/** Handles P7: the full validation of a send, with its number; nothing is sent or written. */
const preview = ({ refusals }: PayrollContext): Handler => ({
  about: documentTopic,
  answer: (call) => {
    const admission = admit(call);
    if (admission.is === 'invalid') return refusals.invalid(admission.faults);
    if (admission.is === 'crashed') return declined(admission.crash.reason);
    const { document } = admission;
    return ok(
      {
        success: true,
        message: 'Vista previa generada con éxito',
        urlpayrollpdf: fileName(document, 'pdf'),
        base64payrollpdf: sheet(call.company.name, document).toString('base64'),
        resolution_number: document.number,
      },
      'answered',
    );
  },
});

/** Sending, P3–P6: one validation, two ways to DIAN. */

/** Returns the files made by the service; zip and SOAP texts are empty (FIDELITY.md). */
const papersOf = ({ company, document, cune, xml }: Sending): JsonObject => ({
  payrollxml: xml,
  zippayrollxml: '',
  unsignedpayrollxml: xml,
  reqni: '',
  rptani: '',
  urlpayrollxml: fileName(document, 'xml'),
  urlpayrollpdf: fileName(document, 'pdf'),
  cune,
  ...(document.kind === 'payroll' && { QRStr: qrOf(cune) }),
  certificate_days_left: company.certificateDaysLeft,
});

/** Validated document on its way to DIAN. */
interface Sending extends Composed {
  /** Base64. */
  readonly xml: string;
  readonly call: Call;
  readonly subject: Subject;
  readonly range: Resolution;
  readonly wish: RequestedOutcome;
}

const SYNC = ['SendNominaSyncResponse', 'SendNominaSyncResult'];
const TEST_SET = ['SendTestSetAsyncResponse', 'SendTestSetAsyncResult'];

const synchronousSend = (context: PayrollContext): Handler => sendHandler(context, sendSync);
const testSetSend = (context: PayrollContext): Handler => sendHandler(context, sendTestSet);

function sendHandler(
  context: PayrollContext,
  deliver: (context: PayrollContext, sending: Sending) => Answer,
): Handler {
  return {
    about: documentTopic,
    answer: (call, subject) => {
      const { refusals, settings, book, clock } = context;
      const admission = admit(call);
      if (admission.is === 'invalid') return refusals.invalid(admission.faults);
      if (admission.is === 'crashed') return refusals.crash(admission.crash.reason, admission.crash.kind);
      const { document, range } = admission;
      const { company } = call;
      if (company.certificateDaysLeft <= 0)
        return declined('El certificado digital se encuentra vencido', { certificate_days_left: 0 });
      const sent = book.accepted(company.nit, document.typeDocumentId, range.prefix, document.consecutive);
      if (settings.validateBeforeSending && sent !== undefined) return alreadySent(sent);
      const parts = cunePartsOf(document, company, bogota(clock.now()).time);
      const wish = readRequestedOutcome(subject.note);
      const composed: Composed = { company, document, parts, cune: cune(parts) };
      const xml = Buffer.from(payrollXml(composed)).toString('base64');
      return deliver(context, { ...composed, xml, call, subject, range, wish });
    },
  };
}

const alreadySent = (row: Row): Answer =>
  declined(
    'Documento ya enviado',
    { employee: row.employee, cune: row.cune, total_payroll: row.net },
    'already-sent',
  );

/** Returns the environment of the configured address; P1 without an address resets it to test. */
const addressed = ({ software }: Company): Environment =>
  new URL(software.urlpayroll).host === new URL(DIAN_ADDRESS.production).host ? 'production' : 'test';

function verdictOf(
  context: PayrollContext,
  { subject, company, document, cune, wish, xml }: Sending,
  sentTo: Environment,
): Verdict {
  const now = context.clock.now();
  const chosen = context.verdicts.take(subject) ?? wish.verdict;
  const verdict = judge(
    {
      document,
      company,
      cune,
      sentTo,
      today: bogota(now).date,
      at: now.toISOString(),
      ...(chosen !== undefined && { chosen }),
    },
    context.archive,
  );
  if (verdict.state === 'accepted') context.papers.keep(cune, xml);
  return verdict;
}

/** Writes the service's own row; returns its key. */
const book = (
  context: PayrollContext,
  { company, document, range, cune }: Sending,
  accepted: boolean,
): string =>
  context.book.write({
    company: company.nit,
    typeDocumentId: document.typeDocumentId,
    prefix: range.prefix,
    consecutive: document.consecutive,
    number: document.number,
    cune,
    worker: document.worker,
    employee: document.employee,
    net: document.net,
    accepted,
  });

const GENERATED = {
  payroll: 'Nómina generada',
  replace: 'Nómina de ajuste generada',
  delete: 'Nómina de ajuste generada',
};

function sendSync(context: PayrollContext, sending: Sending): Answer {
  const { company, document, cune } = sending;
  const verdict = verdictOf(context, sending, addressed(company));
  const accepted = verdict.state === 'accepted';
  book(context, sending, accepted);
  const result = dianResult({ kind: document.kind, number: document.number, verdict });
  const answer = (bytes: JsonObject | string): JsonObject => ({
    message: GENERATED[document.kind],
    ResponseDian: envelope(nested(SYNC, { ...result, XmlBase64Bytes: bytes })),
  });
  if (!accepted)
    return ok(
      { ...answer(NIL), cune, certificate_days_left: company.certificateDaysLeft },
      verdict.findings.some(({ rule }) => rule === '90') ? 'already-sent' : 'rejected',
    );
  if (isTrue(document.body['sendmail']) && document.email !== undefined)
    context.outbox.put({
      company: company.nit,
      to: document.email,
      number: document.number,
      documentCode: cune,
      at: context.clock.now().toISOString(),
    });
  return ok(
    {
      ...answer(sending.xml),
      ...papersOf(sending),
      attacheddocument: '',
      urlpayrollattached: `${document.number}.zip`,
    },
    'accepted',
  );
}

function sendTestSet(context: PayrollContext, sending: Sending): Answer {
  const { call, company, document, cune, wish } = sending;
  const receipt = (result: JsonObject): JsonObject => ({
    message: 'Documento enviado al set de pruebas',
    ResponseDian: envelope(nested(TEST_SET, result)),
    ...papersOf(sending),
  });
  const testSetId = call.path['testSetId'];
  if (testSetId === company.software.idpayroll)
    return context.refusals.crash('TestSetId is the id of the software');
  if (company.testSetId !== undefined && testSetId !== company.testSetId) {
    const refusal = { Success: 'false', ProcessedMessage: 'Set de pruebas no encontrado' };
    return ok(receipt({ ErrorMessageList: { XmlParamsResponseTrackId: refusal }, ZipKey: NIL }), 'refused');
  }
  // Judged in order of arrival, as by DIAN's queue; only the response waits.
  const verdict = verdictOf(context, sending, 'test');
  const zipKey = randomUUID();
  context.book.saveBatch({
    zipKey,
    company: company.nit,
    kind: document.kind,
    number: document.number,
    worker: document.worker,
    cune,
    rowKey: book(context, sending, false),
    verdict,
    polls: 0,
    ...(wish.fault?.kind === 'pending-forever' && { stuck: true }),
  });
  return ok(receipt({ ErrorMessageList: NIL, ZipKey: zipKey }), 'received');
}

/** Status queries, P9 and P10: of a test-set submission, and of any document by its CUNE. */

const ZIP = ['GetStatusZipResponse', 'GetStatusZipResult', 'DianResponse'];
const DOCUMENT = ['GetStatusResponse', 'GetStatusResult'];

interface Reply {
  readonly result: JsonObject;
  readonly effect: Effect;
}
const UNKNOWN: Reply = { result: UNKNOWN_RESULT, effect: 'answered' };

const answerOf = (
  call: Call,
  path: readonly string[],
  { result, effect }: Reply,
  more: JsonObject = {},
): Answer =>
  ok(
    {
      message: 'Consulta generada con éxito',
      ResponseDian: envelope(nested(path, result)),
      reqzip: '',
      rptazip: '',
      attacheddocument: '',
      ...more,
      certificate_days_left: call.company.certificateDaysLeft,
    },
    effect,
  );

/**
 * True if the payroll service is queried; without `is_payroll` it is the invoice service, which knows no payrolls
 * (service.md 4.10).
 */
const asksPayroll = ({ body }: Call): boolean => isTrue(body['is_payroll']);

const effectOf = (verdict: Verdict): Effect =>
  verdict.state === 'accepted' ? 'accepted' : verdict.state === 'rejected' ? 'rejected' : 'answered';

/** True if the batch is still in process; counts the query. */
function inProcess(context: PayrollContext, subject: Subject, batch: Batch): boolean {
  const held = context.faults.take(subject, (fault) => fault.kind === 'pending-forever');
  if (batch.stuck === true || held !== undefined) return true;
  if (batch.polls >= context.settings.zipPolls) return false;
  context.book.saveBatch({ ...batch, polls: batch.polls + 1 });
  return true;
}

const topicOf = (key: string, batch: Batch | undefined): Topic => ({
  key,
  ...(batch !== undefined && { number: batch.number, worker: batch.worker }),
});

function zipStatus(context: PayrollContext): Handler {
  const zipKeyOf = (call: Call): string => call.path['ZipKey'] ?? '';
  const batchOf = (call: Call): Batch | undefined => {
    const batch = context.book.batch(zipKeyOf(call));
    return batch?.company === call.company.nit ? batch : undefined;
  };
  const about = (call: Call): Topic => topicOf(zipKeyOf(call), batchOf(call));
  const reply = (call: Call, subject: Subject): Reply => {
    const batch = batchOf(call);
    if (batch === undefined || !asksPayroll(call)) return UNKNOWN;
    if (inProcess(context, subject, batch)) return { result: PENDING_RESULT, effect: 'pending' };
    // Only this query marks the service's row, and never that of a deletion (service.md 5.3).
    if (batch.verdict.state === 'accepted' && batch.kind !== 'delete') context.book.accept(batch.rowKey);
    return { result: dianResult(batch), effect: effectOf(batch.verdict) };
  };
  return { about, answer: (call, subject) => answerOf(call, ZIP, reply(call, subject)) };
}

function documentStatus(context: PayrollContext): Handler {
  const cuneOf = (call: Call): string => call.path['CUNE'] ?? '';
  const batchOf = (call: Call): Batch | undefined => context.book.batchOf(call.company.nit, cuneOf(call));
  const about = (call: Call): Topic => topicOf(cuneOf(call), batchOf(call));
  const reply = (call: Call, subject: Subject): Reply => {
    if (!asksPayroll(call)) return UNKNOWN;
    const batch = batchOf(call);
    // A second submission within the same second has the same CUNE: its rejection says nothing of the document.
    if (batch === undefined || batch.verdict.state === 'rejected') {
      const known = archived(context, call, cuneOf(call));
      if (known !== undefined && batch !== undefined && 'sendmail' in call.body)
        context.book.accept(batch.rowKey);
      if (known !== undefined) return known;
    }
    if (batch === undefined) return UNKNOWN;
    if (inProcess(context, subject, batch))
      return { result: { ...PENDING_RESULT, StatusCode: '98' }, effect: 'pending' };
    // The key, even if false, makes the service mark its row (service.md 4.10).
    if (batch.verdict.state === 'accepted' && 'sendmail' in call.body) context.book.accept(batch.rowKey);
    return { result: dianResult(batch), effect: effectOf(batch.verdict) };
  };
  return {
    about,
    answer: (call, subject) => answerOf(call, DOCUMENT, reply(call, subject), { cufecude: cuneOf(call) }),
  };
}

/** Returns the status of an accepted document, or undefined if the CUNE is unknown. */
function archived({ archive }: PayrollContext, { company }: Call, cune: string): Reply | undefined {
  const document = archive.byCune({ company: company.nit, environment: company.environment }, cune);
  if (document === undefined) return undefined;
  const verdict: Verdict = { state: 'accepted', findings: [], documentKey: cune };
  return {
    result: dianResult({ kind: document.kind, number: document.number, verdict }),
    effect: 'answered',
  };
}

export type Payroll = ReturnType<typeof openPayroll>;

const handlersOf = (context: PayrollContext) =>
  ({
    configurePayrollSoftware: softwareSetup(context),
    configureResolution: resolutionSetup(context),
    sendPayroll: synchronousSend(context),
    sendPayrollTestSet: testSetSend(context),
    sendAdjustNote: synchronousSend(context),
    sendAdjustNoteTestSet: testSetSend(context),
    previewPayroll: preview(context),
    getCurrentNumber: currentNumber(context),
    getZipStatus: zipStatus(context),
    getDocumentStatus: documentStatus(context),
    emailPayroll: documentMail(context),
  }) satisfies Partial<Record<OperationId, Handler>>;

/** Opens the eleven payroll operations, P1–P11 (service.md 3.1). */
export function openPayroll(context: Context) {
  const archive = openArchive(context.store);
  const papers = openPapers(context.store);
  return {
    handlers: handlersOf({ ...context, book: openLedger(context.store), archive, papers }),
    /** Documents held by DIAN. */
    archive,
    papers,
  };
}
