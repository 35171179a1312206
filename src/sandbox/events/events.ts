import { cude } from '../../families/events/cude.js';
import { type EventCode, eventCode, orderRule, termEnd } from '../../families/events/sequence.js';
import {
  type AttachedDocumentReading,
  type AttachedDocumentRefusal,
  type ReceivedInvoice,
  readAttachedDocument,
} from '../../families/events/xml/received-invoice.js';
import type { OperationId } from '../../generated/operations.js';
import { add } from '../../toolkit/core/decimal.js';
import type { JsonObject } from '../../toolkit/core/json.js';
import { checkDigit } from '../../toolkit/core/nit.js';
import { unreachable } from '../../toolkit/core/required.js';
import { catalogue } from '../../toolkit/schema/catalogue.js';
import {
  type Answer,
  type Call,
  type ChosenVerdict,
  declined,
  envelope,
  type Finding,
  type Handler,
  isTrue,
  member,
  NIL,
  nested,
  ok,
  type Subject,
  schemaFaults,
  shapeFaults,
  type Topic,
  text,
  type Verdict,
  verdictResult,
} from '../answer.js';
import { bogota } from '../clock.js';
import { type Context, readRequestedOutcome } from '../faults.js';
import type { Environment, InvoiceOptions, Settings } from '../options.js';
import type { Company } from '../store.js';
import {
  type InvoiceKey,
  type Invoices,
  inventedInvoice,
  MARK_NAMES,
  type Mark,
  type Marks,
  openInvoices,
  openMarks,
  openRegistry,
  partyOf,
  type RegisteredEvent,
  type Registry,
} from './registry.js';

interface EventContext extends Context {
  readonly invoices: Invoices;
  readonly registry: Registry;
  /** Records of the service itself. */
  readonly marks: Marks;
}

/** Queries E5 and E6: events of buyers for an invoice that a company of this service issued (service.md 7.4). */

/** Keys of the response, with the events that make each true. */
const SENTENCES: Readonly<Record<string, readonly EventCode[]>> = {
  'Acuse de recibo de Factura Electrónica de Venta': ['030'],
  'Recibo del bien y/o prestación del servicio': ['032'],
  'Aceptación expresa': ['033', '034'],
  'Reclamo de la Factura Electrónica de Venta': ['031'],
};

/** Handles E5: any company may query any invoice issued here. */
const eventsByUuid = (context: EventContext): Handler => ({
  about: ({ path }) => ({ key: path['uuid'] ?? '' }),
  answer: ({ company, path }) => {
    const invoice = context.invoices.fixed(path['uuid'] ?? '');
    const issuers = context.companies.all().map(({ nit }) => nit);
    const issued = invoice !== undefined && issuers.includes(invoice.seller.id);
    return answerOf(context, company, issued ? invoice : undefined);
  },
});

/** Handles E6: only the company's own invoices. */
const eventsByNumber = (context: EventContext): Handler => {
  const numberOf = ({ path }: Call): string => `${path['prefix']}${path['number']}`;
  return {
    about: (call) => ({ number: numberOf(call) }),
    answer: (call) => {
      const { company } = call;
      const invoice = context.invoices
        .list()
        .find(({ seller, number }) => seller.id === company.nit && number === numberOf(call));
      return answerOf(context, company, invoice);
    },
  };
};

function answerOf(
  { registry }: EventContext,
  { environment }: Call['company'],
  invoice: ReceivedInvoice | undefined,
): Answer {
  if (invoice === undefined) return declined('El documento no fue encontrado', {}, 'answered');
  const codes = registry
    .of({ environment, buyer: invoice.buyer.id, cufe: invoice.cufe })
    .map(({ code }) => code);
  const flags = Object.entries(SENTENCES).map(([sentence, needed]): [string, boolean] => [
    sentence,
    needed.some((code) => codes.includes(code)),
  ]);
  const happened: JsonObject = flags.some(([, flag]) => flag)
    ? Object.fromEntries(flags)
    : { 'Aceptación Tácita': true };
  return ok(
    { success: true, ...happened, send_email_success: false, send_email_date_time: null },
    'answered',
  );
}

/** Event submitted to DIAN. */
interface EventSubmission {
  readonly event: RegisteredEvent;
  readonly invoice: ReceivedInvoice;
  readonly chosen?: Pick<ChosenVerdict, 'verdict' | 'rules'>;
}

const rejects = (rule: string): Finding => ({ rule, rejects: true });

/** Returns the ordering rule that the event violates, given the events of its invoice. */
function brokenRule(
  { event, invoice }: EventSubmission,
  earlier: readonly RegisteredEvent[],
): readonly Finding[] {
  const received = earlier.find(({ code }) => code === '032');
  const rule = orderRule(
    earlier.map(({ code }) => code),
    event.code,
    {
      soldForCash: invoice.payment !== 'credit',
      termOver: received !== undefined && event.date > termEnd(received.date),
    },
  );
  return rule === undefined ? [] : [rejects(rule)];
}

/** Returns DIAN's verdict; registers an approved event. */
function judgeEvent(submission: EventSubmission, registry: Registry): Verdict {
  const { event, chosen } = submission;
  const documentKey = event.cude;
  if (chosen?.verdict === 'set-accepted') return { state: 'set-accepted', findings: [], documentKey };
  if (chosen?.verdict === 'reject')
    return { state: 'rejected', findings: (chosen.rules ?? []).map(rejects), documentKey };

  const earlier = registry.of(event);
  const same = earlier.find(({ number }) => number === event.number);
  if (same !== undefined) return { state: 'rejected', findings: [rejects('90')], documentKey: same.cude };

  const broken = brokenRule(submission, earlier);
  const notified = chosen?.verdict === 'notify' ? (chosen.rules ?? []) : [];
  const findings = [...broken, ...notified.map((rule): Finding => ({ rule, rejects: false }))];
  if (broken.length > 0) return { state: 'rejected', findings, documentKey };
  registry.register(event);
  return { state: 'accepted', findings, documentKey };
}

/** Texts of DIAN by rule (events.md 3); other ids get a general text. */
export const EVENT_RULE_TEXTS: Readonly<Record<string, string>> = {
  // The service compares this sentence, letter by letter, before it marks its records.
  '90': 'Documento procesado anteriormente.',
  LGC01: 'el evento ya se encuentra registrado para la factura',
  LGC02: 'la factura tiene una aceptación registrada',
  LGC03: 'no existe recibo del bien o servicio previo al reclamo',
  LGC04: 'la factura tiene un reclamo registrado',
  LGC05: 'la factura tiene una aceptación expresa registrada',
  LGC07: 'la factura tiene una aceptación tácita registrada',
  LGC09: 'no existe acuse de recibo previo',
  LGC12: 'no existe acuse de recibo previo a la aceptación',
  LGC13: 'no existe recibo del bien o servicio previo a la aceptación',
  LGC14: 'no existe recibo del bien o servicio, o no han transcurrido tres días hábiles sin reclamo',
  LGC62: 'la factura no es una venta a crédito',
};

/** Response of E1 and E2 (service.md 7.3, 13.9). */

const RESULT = ['SendEventUpdateStatusResponse', 'SendEventUpdateStatusResult'];

/**
 * Response of a sent event, whatever the verdict: `success` is true on a rejection too. `consecutive` is the number of
 * the event; the contract does not name it, the key is the sandbox's own.
 */
const sent = (company: Company, event: RegisteredEvent, verdict: Verdict): JsonObject => ({
  success: true,
  message: 'Evento enviado',
  ResponseDian: envelope(
    nested(
      RESULT,
      verdictResult(verdict, {
        fileName: event.number,
        authorised: `El evento ${event.number} ha sido autorizado.`,
        ruleTexts: EVENT_RULE_TEXTS,
      }),
    ),
  ),
  cude: event.cude,
  consecutive: event.number,
  certificate_days_left: company.certificateDaysLeft,
});

/** Members of the response to an approved event. */
const accepted = (invoice: ReceivedInvoice): JsonObject => ({
  transmitter_id: invoice.seller.id,
  transmitter_name: invoice.seller.name,
  receiver_id: invoice.buyer.id,
  receiver_name: invoice.buyer.name,
  invoice_number: invoice.number,
  invoice_date: invoice.issueDate,
  invoice_cufe: invoice.cufe,
  invoice_total: invoice.total,
  invoice_tax: invoice.tax,
});

/** Refusal by the service itself; only E2 returns the recorded event. */
const alreadyInBook = (invoice: ReceivedInvoice, mark: Mark, isDetailed: boolean): Answer =>
  declined(
    'Evento registrado previamente',
    isDetailed
      ? {
          cude: mark.cude,
          date_issue: mark.date,
          seller_id: invoice.seller.id,
          seller_name: invoice.seller.name,
          invoice_number: invoice.number,
          invoice_cufe: invoice.cufe,
        }
      : {},
    'already-sent',
  );

/** Invoice of a request, or the service's refusal. */
type Target = FoundInvoice | { readonly is: 'refused'; readonly message: string };

interface FoundInvoice {
  readonly is: 'found';
  readonly invoice: ReceivedInvoice;
  readonly invented: boolean;
}

const NOT_LOADED = 'El archivo no se pudo cargar, revise los problemas asociados';
const REFUSALS: Readonly<Record<AttachedDocumentRefusal, string>> = {
  'not-utf8': NOT_LOADED,
  'too-large': NOT_LOADED,
  'xml-too-deep': NOT_LOADED,
  'xml-doctype': NOT_LOADED,
  'xml-malformed': NOT_LOADED,
  'not-attached-document': 'El archivo no es un AttachedDocument XML',
  'not-an-invoice': 'El archivo no corresponde al AttachedDocument de una factura',
  'invoice-incomplete': 'A la factura del archivo le faltan datos',
  'other-invoice': 'El archivo habla de otra factura',
};

const refused = (message: string): Target => ({ is: 'refused', message });
const found = (invoice: ReceivedInvoice, invented = false): Target => ({ is: 'found', invoice, invented });

/** Returns the service's text about a file that is not a received invoice. */
const refusalText = (refusal: AttachedDocumentRefusal): string => REFUSALS[refusal];

const readFile = (base64: string): AttachedDocumentReading =>
  readAttachedDocument(Buffer.from(base64, 'base64'));

const BY_FILE = 'events/event-by-document';
const BY_CUFE = 'events/event-by-cufe';

/**
 * Returns the schema of the option in a body: both paths accept both, or each its own (service.md 7.2), which also
 * applies to a body without either.
 */
function optionOf({ eventPaths }: Settings, { operation, body }: Call): typeof BY_FILE | typeof BY_CUFE {
  if (eventPaths === 'contract') {
    if (member(body, 'base64_attacheddocument') !== undefined) return BY_FILE;
    if (member(body, 'document_reference') !== undefined) return BY_CUFE;
  }
  return operation === 'sendEvent' ? BY_FILE : BY_CUFE;
}

function inFile({ invoices }: EventContext, { body }: Call): Target {
  const reading = readFile(text(body, 'base64_attacheddocument'));
  if (reading.is === 'refused') return refused(refusalText(reading.refusal));
  const { invoice, dianAnswer } = reading.document;
  if (dianAnswer === undefined) return refused('En el archivo no se encontró la respuesta de la DIAN');
  if (dianAnswer.code !== '02') return refused('El documento no fue validado por la DIAN');
  return found(invoices.fixed(invoice.cufe) ?? invoice);
}

function atDian({ invoices, settings }: EventContext, { body, company }: Call): Target {
  const cufe = text(body, 'document_reference', 'cufe');
  const fixed = invoices.fixed(cufe);
  if (fixed !== undefined) return found(fixed);
  const invented =
    settings.unknownInvoices === 'invent' ? inventedInvoice(cufe, partyOf(company)) : undefined;
  return invented === undefined ? refused('El CUFE no se encuentra en la DIAN') : found(invented, true);
}

const targetOf = (context: EventContext, call: Call): Target =>
  optionOf(context.settings, call) === BY_FILE ? inFile(context, call) : atDian(context, call);

/** True if the company may register the event: 034 is the seller's, all others are the buyer's (events.md 2). */
const mayRegister = ({ nit }: Company, code: EventCode, { invoice, invented }: FoundInvoice): boolean =>
  invented || (code === '034' ? invoice.seller : invoice.buyer).id === nit;

const codeOf = ({ body }: Call): EventCode | undefined => eventCode(body['event_id']);

/** Returns the copy of the invoice that a company queries: as its seller that of the buyer, else its own. */
function invoiceKey({ invoices }: EventContext, company: Company, cufe: string): InvoiceKey {
  const fixed = invoices.fixed(cufe);
  const buyer = fixed?.seller.id === company.nit ? fixed.buyer.id : company.nit;
  return { environment: company.environment, buyer, cufe };
}

/** Queries E3 and E4: events registered at DIAN for an invoice, for buyer and seller (service.md 7.4). */

const STATUS_RESULT = ['GetStatusEventResponse', 'GetStatusEventResult'];
const PUBLIC_CODES: readonly EventCode[] = ['030', '031', '032', '033', '034'];

const descriptionOf = (code: EventCode): string =>
  catalogue('events')?.rows.find((row) => row['code'] === code)?.['name'] ?? code;

/** Handles E3, the reliable query; code 67 means no events. */
function invoiceEvents(context: EventContext): Handler {
  const cufeOf = (call: Call): string => call.path['CUFE'] ?? '';
  return {
    about: (call) => ({ key: cufeOf(call) }),
    answer: (call): Answer => {
      const { company } = call;
      const cufe = cufeOf(call);
      const events = context.registry.of(invoiceKey(context, company, cufe));
      const result = {
        ErrorMessage: NIL,
        IsValid: events.length > 0 ? 'true' : 'false',
        StatusCode: events.length > 0 ? '00' : '67',
        StatusDescription:
          events.length > 0 ? 'Procesado Correctamente.' : 'El documento no tiene eventos asociados.',
        StatusMessage: NIL,
        XmlDocumentKey: cufe,
      };
      return ok(
        {
          success: events.length > 0,
          message: 'Consulta de eventos generada con éxito',
          ...(events.length > 0 && { events: events.map(listed) }),
          ResponseDian: envelope(nested(STATUS_RESULT, result)),
          cufecude: cufe,
          certificate_days_left: company.certificateDaysLeft,
        },
        'answered',
      );
    },
  };
}

const listed = ({ number, code, date, time, cude }: RegisteredEvent): JsonObject => ({
  event_number: number,
  dian_code: code,
  description: descriptionOf(code),
  date,
  time,
  cude,
});

/** Handles E4, DIAN's public page: the environment is a parameter, and `success` is a text. */
function publicPage(context: EventContext): Handler {
  const cufeOf = (call: Call): string => call.path['cufe'] ?? '';
  return {
    about: (call) => ({ key: cufeOf(call) }),
    answer: (call): Answer => {
      const environment: Environment = call.path['ambiente'] === '1' ? 'production' : 'test';
      const key = { ...invoiceKey(context, call.company, cufeOf(call)), environment };
      const events = context.registry.of(key).filter(({ code }) => PUBLIC_CODES.includes(code));
      if (events.length === 0) return ok({ success: 'false', message: 'Sin eventos' }, 'answered');
      const lists = PUBLIC_CODES.map((code) => [
        `Evento_${code}`,
        events.filter((event) => event.code === code).map(shown),
      ]);
      return ok({ success: 'true', ...Object.fromEntries(lists) }, 'answered');
    },
  };
}

const shown = ({ code, date, sender, receiver }: RegisteredEvent): JsonObject => ({
  success: 'true',
  [`Evento_${code}`]: code,
  Descripción: descriptionOf(code),
  Fecha: date,
  Nit_Emisor: sender.id,
  Emisor: sender.name,
  Nit_Receptor: receiver.id,
  Receptor: receiver.name,
});

/** Returns seller's NIT, invoice and code joined, with the digit that a resend appends (service.md 7.3). */
const eventNumber = ({ seller, number }: ReceivedInvoice, code: EventCode, digit = ''): string =>
  `${seller.id}${number}${code}${digit}`;

/** Composes an event like the service: dated by the clock, with its CUDE (service.md 13.9). */
function composeEvent(
  company: Company,
  invoice: ReceivedInvoice,
  code: EventCode,
  number: string,
  now: Date,
): RegisteredEvent {
  const { date, time } = bogota(now);
  const [sender, receiver] =
    code === '034' ? [invoice.seller, invoice.buyer] : [invoice.buyer, invoice.seller];
  return {
    environment: company.environment,
    buyer: invoice.buyer.id,
    cufe: invoice.cufe,
    code,
    number,
    cude: cude({
      eventNumber: number,
      issueDate: date,
      issueTime: time,
      sender: sender.id,
      receiver: receiver.id,
      eventCode: code,
      invoiceNumber: invoice.number,
      invoiceType: invoice.type,
      softwarePin: company.software.pin ?? company.software.pinpayroll,
    }),
    sender,
    receiver,
    date,
    time,
  };
}

/** Handles E7: returns the content of the seller's file; stores nothing (service.md 7.4, 7.5). */
const sellerReception = ({ refusals, marks }: EventContext): Handler => ({
  about: () => ({}),
  answer: (call) => {
    const faults = shapeFaults(call);
    if (faults.length > 0) return refusals.invalid(faults);
    const { body, company } = call;
    const reading = readFile(text(body, 'xml_document'));
    if (reading.is === 'refused') return declined(refusalText(reading.refusal));
    const { invoice } = reading.document;
    const asked = text(body, 'company_idnumber');
    if (asked !== company.nit || invoice.buyer.id !== asked)
      return declined(`El archivo no corresponde al adquiriente ${asked}`);
    return ok(
      {
        success: true,
        message: 'El archivo fue cargado satisfactoriamente',
        data: dataOf(invoice, company.nit, marks),
      },
      'answered',
    );
  },
});

const dataOf = (invoice: ReceivedInvoice, company: string, marks: Marks): JsonObject => ({
  identification_number: invoice.seller.id,
  dv: checkDigit(invoice.seller.id),
  name_seller: invoice.seller.name,
  state_document_id: 1,
  // Code of UBL, not the service's id.
  type_document_id: invoice.type,
  customer: invoice.buyer.id,
  prefix: invoice.prefix,
  number: invoice.number,
  xml: null,
  cufe: invoice.cufe,
  date_issue: `${invoice.issueDate} ${invoice.issueTime.replace(/[+-]\d\d:\d\d$/, '')}`,
  sale: add(invoice.subtotal, invoice.tax),
  total_discount: invoice.discount,
  subtotal: invoice.subtotal,
  total_tax: invoice.tax,
  total: invoice.total,
  pdf: null,
  ...Object.fromEntries(MARK_NAMES.map((name) => [name, marks.has(company, invoice.cufe, name) ? 1 : 0])),
});

/** Mails an approved event with `sendmail` to the seller's address in the invoice, and to the copies. */
function mailEvent(
  { outbox, clock }: EventContext,
  { body, company }: Call,
  { seller }: ReceivedInvoice,
  { number, cude }: RegisteredEvent,
): void {
  if (!isTrue(body['sendmail'])) return;
  const list = body['email_cc_list'];
  const copies = Array.isArray(list) ? list.map((entry) => text({ entry }, 'entry', 'email')) : [];
  for (const to of [seller.email ?? '', ...copies])
    if (to !== '')
      outbox.put({ company: company.nit, to, number, documentCode: cude, at: clock.now().toISOString() });
}

/**
 * Returns the subject of an event: CUFE and event code joined by a hyphen; the receiver's job title may contain a wish.
 */
function topicOf(context: EventContext, call: Call): Topic {
  const target = targetOf(context, call);
  const code = codeOf(call);
  const note = text(call.body, 'issuer_party', 'job_title');
  return {
    ...(target.is === 'found' && {
      number: target.invoice.number,
      ...(code !== undefined && { key: `${target.invoice.cufe}-${code}` }),
    }),
    ...(note !== '' && { note }),
  };
}

function eventSend(context: EventContext): Handler {
  const { refusals, marks, settings, clock } = context;
  return {
    about: (call) => topicOf(context, call),
    answer: (call, subject) => {
      const { body, company } = call;
      // E1 and E2: each path accepts its own option, as observed, or both, as in the contract (service.md 7.2).
      const faults = schemaFaults(optionOf(settings, call), body);
      if (faults.length > 0) return refusals.invalid(faults);
      const code = codeOf(call) ?? unreachable('event code');
      if (company.certificateDaysLeft <= 0)
        return declined('El certificado digital se encuentra vencido', { certificate_days_left: 0 });
      const target = targetOf(context, call);
      if (target.is === 'refused') return declined(target.message);
      if (!mayRegister(company, code, target))
        return declined(`El documento no corresponde al adquiriente ${company.nit}`);

      const { invoice } = target;
      const again = isTrue(body['resend_consecutive']);
      if (again) marks.clear(company.nit, invoice.cufe, code);
      const mark = marks.of(company.nit, invoice.cufe, code);
      if (mark !== undefined) return alreadyInBook(invoice, mark, call.operation === 'sendEventData');
      const number = eventNumber(invoice, code, again ? String(settings.resendDigit()) : '');
      return deliver(
        context,
        call,
        subject,
        invoice,
        composeEvent(company, invoice, code, number, clock.now()),
      );
    },
  };
}

/** Submits the event to DIAN and handles the verdict. */
function deliver(
  context: EventContext,
  call: Call,
  subject: Subject,
  invoice: ReceivedInvoice,
  event: RegisteredEvent,
): Answer {
  const chosen = context.verdicts.take(subject) ?? readRequestedOutcome(subject.note).verdict;
  const verdict = judgeEvent({ event, invoice, ...(chosen !== undefined && { chosen }) }, context.registry);
  const { cufe, code, cude, date } = event;
  // The service records the event as done on acceptance and rule 90, but not on LGC01, which means the same (service.md 7.3).
  if (verdict.state === 'accepted' || has(verdict, '90'))
    context.marks.set(call.company.nit, cufe, code, { cude, date });
  const body = sent(call.company, event, verdict);
  if (verdict.state !== 'accepted')
    return ok(body, has(verdict, '90', 'LGC01') ? 'already-sent' : 'rejected');
  mailEvent(context, call, invoice, event);
  return ok({ ...body, ...accepted(invoice) }, 'accepted');
}

const has = ({ findings }: Verdict, ...rules: readonly string[]): boolean =>
  findings.some(({ rule, rejects }) => rejects && rules.includes(rule));

/** Event registered by other people or programs. */
export interface EventElsewhere {
  readonly cufe: string;
  readonly code: EventCode;
  /** NIT of the buyer of an invented invoice. @default the first company */
  readonly company?: string;
}

/** Event number of other programs, which number as they like. */
const NUMBER_ELSEWHERE = '1';

const handlersOf = (context: EventContext) =>
  ({
    sendEvent: eventSend(context),
    sendEventData: eventSend(context),
    getInvoiceEvents: invoiceEvents(context),
    queryEventsByCufe: publicPage(context),
    queryEventsByUuid: eventsByUuid(context),
    queryEventsByNumber: eventsByNumber(context),
    receiveSellerDocument: sellerReception(context),
  }) satisfies Partial<Record<OperationId, Handler>>;

export type Events = ReturnType<typeof openEvents>;

/** Opens the seven operations of acquirer events, E1–E7 (service.md 3.3), with their state. */
export function openEvents(context: Context) {
  const { store, settings, companies, clock } = context;
  const [invoices, registry] = [openInvoices(store), openRegistry(store)];
  const companyOf = (nit?: string): Company =>
    companies.all().find((company) => company.nit === nit) ?? companies.all()[0] ?? unreachable('company');
  const fixInvoice = (options: InvoiceOptions): ReceivedInvoice =>
    invoices.fix(options, partyOf(companyOf(options.buyer)));

  for (const invoice of settings.invoices) fixInvoice(invoice);
  return {
    handlers: handlersOf({ ...context, invoices, registry, marks: openMarks(store) }),
    invoices,
    registry,
    /** Adds an invoice to DIAN. Throws a TypeError if the CUFE is malformed. */
    fixInvoice,
    /** Registers an event of another program at DIAN. Throws a TypeError if the CUFE is malformed. */
    registerElsewhere: ({ cufe, code, company: nit }: EventElsewhere) => {
      const company = companyOf(nit);
      const invoice = invoices.fixed(cufe) ?? inventedInvoice(cufe, partyOf(company));
      if (invoice === undefined) throw new TypeError(`Not a CUFE: ${cufe}`);
      const event = composeEvent(company, invoice, code, NUMBER_ELSEWHERE, clock.now());
      registry.register(event);
      return event;
    },
  };
}
