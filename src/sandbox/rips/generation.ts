import { createHash } from 'node:crypto';
import { groupOf, NEWEST_PROFILE, nationalPackage, nationalSchema } from '../../families/rips/national.js';
import type { Issue } from '../../toolkit/core/issue.js';
import { type JsonObject, type Pointer, parsePointer } from '../../toolkit/core/json.js';
import type { PlainDate } from '../../toolkit/core/plain-date.js';
import { type Levels, ruleAuthority, shapeAuthority } from '../../toolkit/schema/rule-data.js';
import { checkRules } from '../../toolkit/schema/rules.js';
import { validate } from '../../toolkit/schema/validate.js';
import { type Answer, type Call, type ChosenVerdict, type Handler, ok, type Subject } from '../answer.js';
import { bogota } from '../clock.js';
import { type Context, readRequestedOutcome } from '../faults.js';
import type { Document, Patient, Professional, Professionals, Records } from './records.js';
import { crashed, type Finding, loginFailed, notTransmitted, shownFinding } from './replies.js';

export interface RipsContext extends Context {
  readonly records: Records;
  readonly professionals: Professionals;
}

/** Schema of the ministry's rules, the same as in preflight; rules whose table is not loaded are skipped. */

const SCHEMA = nationalSchema(NEWEST_PROFILE, 'transaccion');

/** Structure and sizes, which the ministry checks first and which hide other rules (rips.md 4). */
const STRUCTURE = 'RVG01';
const HIDING = [STRUCTURE, 'RVG05'];

/**
 * Rules that are not imitated: the service has no field for the SIRAS record, and fictitious companies and sites are in
 * no register.
 */
export const NOT_IMITATED: readonly string[] = [
  'rips/siras',
  'rips/unknown-reporter',
  'rips/unknown-site',
  'rips/foreign-site',
];
const LEVELS: Levels = new Map(NOT_IMITATED.map((code) => [code, 'off']));

/** Formats a pointer like the ministry: `/usuarios/0/servicios` as `usuarios[0].servicios`. */
const sourcePath = (pointer: Pointer): string =>
  parsePointer(pointer)
    .map((key, at) => (/^\d+$/.test(key) ? `[${key}]` : at === 0 ? key : `.${key}`))
    .join('');

const findingOf = (rule: string, { level, place, value }: Issue): Finding => ({
  rule,
  path: sourcePath(place.pointer ?? ''),
  value,
  rejects: level === 'error',
});

/** Returns the rules that a package in the national form violates on a day, without those unknown to the ministry. */
function brokenRules(sent: JsonObject, today: PlainDate): readonly Finding[] {
  const faults = validate(SCHEMA, 'strict', sent);
  const malformed = new Set(faults.map(({ place }) => place.pointer));
  const issues = checkRules(SCHEMA, sent, { today, levels: LEVELS });
  const findings = [
    ...faults.map((fault) => findingOf(shapeAuthority(SCHEMA, fault.code) ?? STRUCTURE, fault)),
    ...issues.flatMap((issue) => {
      const rule = ruleAuthority(issue.code);
      return rule === undefined || malformed.has(issue.place.pointer) ? [] : [findingOf(rule, issue)];
    }),
  ];
  const structure = findings.filter(({ rule }) => HIDING.includes(rule));
  return structure.length > 0 ? structure : findings;
}

/** The ministry's validator, as the service sees it (rips.md 5). */

/** Result for a package; the response is in `result` either way. */
interface Judgement {
  readonly processId: number;
  /** Code of an accepted package. */
  readonly cuv?: string;
  readonly result: JsonObject;
}

type Chosen = Pick<ChosenVerdict, 'verdict' | 'rules'>;

/**
 * Computes a code by SHA-384 of package and process; the ministry's formula is not published. The same package sent
 * twice has two codes.
 */
const cuvOf = (sent: JsonObject, processId: number): string =>
  createHash('sha384')
    .update(JSON.stringify([sent, processId]))
    .digest('hex');

const filedAt = ({ date, time }: ReturnType<typeof bogota>): string => `${date}T${time.slice(0, 8)}`;

function validatePackage(
  { records, clock }: RipsContext,
  sent: JsonObject,
  chosen: Chosen | undefined,
): Judgement {
  const now = bogota(clock.now());
  const processId = records.nextProcess();
  if (isRefused(chosen)) return refusal(processId, now, sent, arranged(sent, chosen));
  const findings = [...brokenRules(sent, now.date), ...arranged(sent, chosen)];
  if (findings.some(({ rejects }) => rejects)) return refusal(processId, now, sent, findings);
  const cuv = cuvOf(sent, processId);
  return {
    processId,
    cuv,
    result: {
      ResultState: true,
      ProcesoId: processId,
      NumFactura: sent['numNota'] ?? null,
      CodigoUnicoValidacion: cuv,
      CodigoUnicoValidacionToShow: cuv,
      FechaRadicacion: filedAt(now),
      RutaArchivos: null,
      ResultadosValidacion: findings.map((finding) => shownFinding(finding, false)),
    },
  };
}

const refusal = (
  processId: number,
  now: ReturnType<typeof bogota>,
  sent: JsonObject,
  findings: readonly Finding[],
): Judgement => ({
  processId,
  result: {
    resultState: false,
    procesoId: processId,
    numFactura: sent['numNota'] ?? null,
    codigoUnicoValidacion: '-',
    codigoUnicoValidacionToShow: '-',
    fechaRadicacion: filedAt(now),
    rutaArchivos: null,
    resultadosValidacion: findings.map((finding) => shownFinding(finding, true)),
  },
});

const isRefused = (chosen: Chosen | undefined): boolean => chosen?.verdict.startsWith('reject') ?? false;

/** Returns findings set by the test; they blame the first service. */
function arranged(sent: JsonObject, chosen: Chosen | undefined): readonly Finding[] {
  const [user] = sent['usuarios'] as JsonObject[];
  const [group] = Object.keys((user?.['servicios'] ?? {}) as JsonObject);
  const path = group === undefined ? 'usuarios[0]' : `usuarios[0].servicios.${group}[0]`;
  const rejects = isRefused(chosen);
  return (chosen?.rules ?? []).map((rule) => ({ rule, path, value: undefined, rejects }));
}

/** Password with which every login fails. */
const WRONG_PASSWORD = 'wrong';

/** Document with the data of its package. */
interface Assembled {
  readonly document: Document;
  readonly patient: Patient;
  readonly attendant: Professional;
}

/** Handles R19. A document that is generated again is sent again, and gets another code. */
export const generation = (context: RipsContext): Handler => ({
  about: (call) => {
    const document = ownDocument(context, call);
    const note = document === undefined ? undefined : wishIn(document);
    return { key: document?.note_number ?? call.path['id'] ?? '', ...(note !== undefined && { note }) };
  },
  answer: (call, subject) => {
    const assembled = assemble(context, call);
    if (assembled === undefined)
      return crashed(`No query results for model [RipsDocument] ${call.path['id']}`);
    const password = context.records.configurations.holder('company', call.company.nit)?.password;
    if (password === undefined || password === WRONG_PASSWORD) return loginFailed();
    if (assembled.document.services.some((service) => groupOf(service?.['service_type_id']) === undefined))
      return crashed('Undefined array key "service_type_id"');
    return transmit(context, call, subject, assembled);
  },
});

const ownDocument = ({ records }: RipsContext, { company, path }: Call): Document | undefined =>
  records.documents.find(company.nit, path['id']);

/** Returns the text of a service that contains a wish. */
const wishIn = ({ services }: Document): string | undefined =>
  services
    .flatMap((service) => Object.values(service ?? {}))
    .find((value): value is string => typeof value === 'string' && value.includes('cargue:'));

function assemble(context: RipsContext, call: Call): Assembled | undefined {
  const { records, professionals } = context;
  const { nit } = call.company;
  const document = ownDocument(context, call);
  const appointment = records.appointments.find(nit, document?.appointment_id);
  const patient = records.patients.find(nit, appointment?.patient_id);
  const attendant = professionals.of(nit, appointment?.user_id);
  if (document === undefined || patient === undefined || attendant === undefined) return undefined;
  return { document, patient, attendant };
}

function transmit(context: RipsContext, { company }: Call, subject: Subject, assembled: Assembled): Answer {
  const { document, patient, attendant } = assembled;
  const chosen = context.verdicts.take(subject) ?? readRequestedOutcome(subject.note).verdict;
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

/** Returns the health system's 400 as a 500 with a truncated text, or complete in a 200 (service.md 6.7). */
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
