import { groupOf } from '../../rips/groups.js';
import { nationalPackage } from '../../rips/national.js';
import type { JsonObject } from '../../values/json.js';
import { type Answer, type Call, type Handler, ok, type Subject } from '../answer.js';
import type { ChosenVerdict } from '../verdict.js';
import { readWish } from '../wishes.js';
import type { RipsContext } from './context.js';
import { type Judgement, validatePackage } from './health-system.js';
import type { Professional } from './professionals.js';
import type { Document, Patient } from './records.js';
import { loginFailed, notTransmitted } from './replies.js';

/** Makes every login fail, as a password that is really wrong does. */
const WRONG_PASSWORD = 'wrong';

/** A document with all that its package needs. */
interface Assembled {
  readonly document: Document;
  readonly patient: Patient;
  readonly attendant: Professional;
}

/** R19. A document that is generated again is sent again, and gets another code. */
export const generation = (context: RipsContext): Handler => ({
  about: (call) => {
    const document = ownDocument(context, call);
    const note = document === undefined ? undefined : wishIn(document);
    return { key: document?.note_number ?? call.path['id'] ?? '', ...(note !== undefined && { note }) };
  },
  answer: (call, subject) => {
    const assembled = assemble(context, call);
    if (assembled === undefined)
      return notTransmitted(`No query results for model [RipsDocument] ${call.path['id']}`);
    const password = context.records.configurations.holder('company', call.company.nit)?.password;
    if (password === undefined || password === WRONG_PASSWORD) return loginFailed();
    if (assembled.document.services.some((service) => groupOf(service?.['service_type_id']) === undefined))
      return notTransmitted('Undefined array key "service_type_id"');
    return transmit(context, call, subject, assembled);
  },
});

const ownDocument = ({ records }: RipsContext, { company, path }: Call): Document | undefined =>
  records.documents.own(company.nit, path['id']);

/** The text of a service that asks for an outcome (wishes.ts). */
const wishIn = ({ services }: Document): string | undefined =>
  services
    .flatMap((service) => Object.values(service ?? {}))
    .find((value): value is string => typeof value === 'string' && value.includes('cargue:'));

function assemble(context: RipsContext, call: Call): Assembled | undefined {
  const { records, professionals } = context;
  const { nit } = call.company;
  const document = ownDocument(context, call);
  const appointment = records.appointments.own(nit, document?.appointment_id);
  const patient = records.patients.own(nit, appointment?.patient_id);
  const attendant = professionals.of(nit, appointment?.user_id);
  if (document === undefined || patient === undefined || attendant === undefined) return undefined;
  return { document, patient, attendant };
}

function transmit(context: RipsContext, { company }: Call, subject: Subject, assembled: Assembled): Answer {
  const { document, patient, attendant } = assembled;
  const chosen = context.verdicts.take(subject) ?? readWish(subject.note).verdict;
  const sent = nationalPackage({
    nit: company.nit,
    note: document,
    patient: { ...patient },
    attendant,
    services: document.services,
  });
  const judgement = validatePackage(context, sent, chosen);
  if (judgement.cuv === undefined) return refused(context, judgement, chosen?.verdict);
  context.records.packages.add({
    company: company.nit,
    documentId: document.id,
    noteNumber: document.note_number ?? '',
    patient: patient.document_number,
    cuv: judgement.cuv,
    processId: judgement.processId,
    acceptedAt: context.clock.now().toISOString(),
    rips: sent,
  });
  return ok({ success: true, message: 'RIPS enviado', data: judgement.result }, 'accepted');
}

/** The health system's 400 comes through as a 500 with a cut-off text, or whole inside a 200 (service.md 6.7). */
function refused(
  { settings }: RipsContext,
  { result }: Judgement,
  wished: ChosenVerdict['verdict'] | undefined,
): Answer {
  const form = wished === 'reject-200' ? '200' : wished === 'reject-500' ? '500' : settings.ripsRefusal;
  return form === '200'
    ? ok({ success: true, message: 'RIPS enviado', data: result }, 'rejected')
    : notTransmitted(clientError(result, settings.ripsRefusalLength), 'rejected');
}

function clientError(result: JsonObject, length: number): string {
  const text = JSON.stringify(result);
  const cut = text.length > length ? `${text.slice(0, length)} (truncated...)` : text;
  return `Client error: \`POST /api/PaquetesFevRips/CargarRipsSinFactura\` resulted in a \`400 Bad Request\` response:\n${cut}\n`;
}
