import type { JsonObject, JsonValue } from '../../src/toolkit/core/json.js';
import {
  type Change,
  FAULT_KINDS,
  type FaultKind,
  type FaultName,
  HTML,
  instead,
  type Reply,
} from './fault-kinds.js';
import { WIRE_KINDS } from './wire-kinds.js';

type Members = Readonly<Record<string, (value: JsonValue) => JsonValue | undefined>>;

/** The value with members of these names changed, however deep; those that become undefined go. */
function changed(value: JsonValue, members: Members): JsonValue {
  if (Array.isArray(value)) return value.map((item) => changed(item, members));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, member]) => {
      const given = name in members ? members[name]!(member) : changed(member, members);
      return given === undefined ? [] : [[name, given]];
    }),
  );
}

/** The answer with those members changed; one that is no JSON stays as it is. */
function withMembers({ text, ...answer }: Reply, members: Members): Reply {
  try {
    return { ...answer, text: JSON.stringify(changed(JSON.parse(text) as JsonObject, members)) };
  } catch {
    return { ...answer, text };
  }
}

const to = (value: JsonValue) => () => value;
const gone = () => undefined;
const saying =
  (members: Members): Change =>
  (answer) =>
    withMembers(answer, members);
function without(names: readonly string[]): Change {
  return saying(Object.fromEntries(names.map((name) => [name, gone])));
}

const kindOf = (back: Change): FaultKind => ({ forward: 'now', back });

/** Members of the health module: what a row is known by, and what else it shows. */
const CODES = ['CodigoUnicoValidacion', 'ProcesoId'];
const NUMBERS = ['document_number', 'note_number', 'NumFactura'];
/** Members by which an answer about a payroll or an event names it. */
const NAMES = [
  ...['cune', 'XmlDocumentKey', 'QRStr', 'cude', 'employee', 'total_payroll'],
  ...['XmlFileName', 'StatusMessage', 'urlpayrollxml', 'urlpayrollpdf', 'urlpayrollattached'],
  ...['payrollxml', 'unsignedpayrollxml', 'zippayrollxml', 'XmlBase64Bytes'],
  ...['invoice_cufe', 'invoice_number', 'cufecude', 'event_number'],
];
const OF_ROWS = ['patient_id', 'appointment_id', 'user_id', 'date', 'time', 'name', 'last_name', 'email'];

const another =
  (change: Change = (answer) => answer): Change =>
  (answer, { other }) =>
    other === undefined ? answer : change(other, {});

/** Of a no that names no document nobody can tell whose it is, not even of our own (service.md 13.7, 13.9). */
const NO = /"(?:IsValid":"false"|success":false|ResultState":false|resultState":false)/;
const bareAnother = (names: readonly string[]): Change =>
  another((other, beside) => (NO.test(other.text) ? other : without(names)(other, beside)));

const ROW_ID = /"data":\{"id":(\d+)/;

/** The service's own answer but for the id, which is that of another row. */
const withIdOfAnother: Change = (answer, { other }) => {
  const id = other && ROW_ID.exec(other.text)?.[1];
  return id === undefined ? answer : { ...answer, text: answer.text.replace(ROW_ID, `"data":{"id":${id}`) };
};

/** Name of the kind after which the service has rows that were made under a false id. */
export const FALSE_ID = 'ours with the id of another' as const;

/** A good answer, about another document of the same kind. */
const ABOUT_ANOTHER = {
  'about another': kindOf(another()),
  'about another, without its id': kindOf(another(without(['id']))),
  'about another, without its number': kindOf(bareAnother(NUMBERS)),
  'about another, the id alone': kindOf(bareAnother([...NUMBERS, ...OF_ROWS])),
  'about another, without its code': kindOf(bareAnother(CODES)),
  'about another, without code and number': kindOf(bareAnother([...CODES, ...NUMBERS, ...NAMES])),
  'ours without its id': kindOf(without(['id'])),
  [FALSE_ID]: kindOf(withIdOfAnother),
} as const satisfies Record<string, FaultKind>;

const BROKEN = { string: 'Regla: NIE024, Rechazo: El valor no corresponde' };
const FINDING = {
  Clase: 'RECHAZADO',
  Codigo: 'RVC061',
  Descripcion: 'Sin pago moderador el valor es 0',
  Observaciones: '',
  PathFuente: 'rips.usuarios[0].servicios.consultas[0].valorPagoModerador',
  Fuente: 'Rips',
};
const NIL = { _attributes: { nil: 'true' } };

/** Verdicts that say yes and no. */
const CONTRADICTIONS = {
  'valid with status 99': kindOf(
    saying({
      IsValid: to('true'),
      StatusCode: to('99'),
      ResultState: to(true),
      CodigoUnicoValidacion: to('-'),
    }),
  ),
  'valid with a rejecting rule': kindOf(
    saying({
      IsValid: to('true'),
      StatusCode: to('00'),
      ErrorMessage: to(BROKEN),
      ResultState: to(true),
      ResultadosValidacion: to([FINDING]),
    }),
  ),
  'not valid with status 00': kindOf(
    saying({ IsValid: to('false'), StatusCode: to('00'), ErrorMessage: to({}), ResultState: to(false) }),
  ),
  'in process without a key': kindOf(
    saying({
      ZipKey: to(NIL),
      IsValid: to('false'),
      StatusCode: to(NIL),
      StatusDescription: to('Batch en proceso de validación.'),
      XmlDocumentKey: to(NIL),
      CodigoUnicoValidacion: gone,
      ResultState: gone,
    }),
  ),
} as const satisfies Record<string, FaultKind>;

/** Members that decide, with one value that would decide otherwise. */
const OTHERWISE: Members = {
  IsValid: (value) => (value === 'true' ? 'false' : 'true'),
  StatusCode: (value) => (value === '00' ? '99' : '00'),
  ResultState: (value) => value !== true,
  success: (value) => value !== true,
  id: (value) => Number(value) + 1,
  cune: to('0'.repeat(96)),
  cude: to('0'.repeat(96)),
  XmlDocumentKey: to('0'.repeat(96)),
  CodigoUnicoValidacion: to('0'.repeat(96)),
  ZipKey: to('00000000-0000-4000-8000-000000000000'),
  NumFactura: to('X1'),
  note_number: to('X1'),
};
const MEMBER = new RegExp(
  `"(${Object.keys(OTHERWISE).join('|')})":("(?:[^"\\\\]|\\\\.)*"|-?\\d+|true|false)`,
  'g',
);

const repeated =
  (order: (member: string, other: string) => string): Change =>
  (answer) => ({
    ...answer,
    text: answer.text.replace(MEMBER, (member, name: string, value: string) => {
      const other = OTHERWISE[name]!(JSON.parse(value) as JsonValue);
      return order(member, `"${name}":${JSON.stringify(other)}`);
    }),
  });

/** Objects that name a key twice: who reads takes the one or the other. */
const REPEATED_KEYS = {
  'keys twice, the other one last': kindOf(repeated((member, other) => `${member},${other}`)),
  'keys twice, the other one first': kindOf(repeated((member, other) => `${other},${member}`)),
} as const satisfies Record<string, FaultKind>;

const after = (status: number, text: string, headers: Reply['headers'] = {}): FaultKind => ({
  forward: 'now',
  back: instead(status, text, headers),
});
const page = (title: string): string =>
  `<html><head><title>${title}</title></head><body>${title}</body></html>`;

const DEEP = '['.repeat(200_000) + ']'.repeat(200_000);

const NESTED = {
  'nested without end': after(200, DEEP),
  'a message nested without end': after(200, `{"success":false,"message":${DEEP}}`),
  'a row nested without end': after(201, `{"success":true,"data":${DEEP}}`),
  'a verdict nested without end': after(200, `{"ResponseDian":{"Envelope":{"Body":${DEEP}}}}`),
  'errors nested without end': after(422, `{"message":"x","errors":{"worker":${DEEP}}}`),
  'more values than are read': after(200, `[${'0,'.repeat(1_000_000)}0]`),
} as const satisfies Record<string, FaultKind>;

/** Of "already sent" nothing is left but the code. */
const withoutWhose = without(['employee', 'total_payroll']);

/** The service did as it was told; what the client hears of it is not the service's own word, or not about its request. */
export const ANSWER_KINDS = {
  '401 page': after(401, page('Authorization Required'), HTML),
  '401 of a gateway': after(401, '{"message":"Unauthorized"}'),
  '403 of a gateway': after(403, '{"message":"Forbidden"}'),
  '404 page': after(404, page('404 Not Found'), HTML),
  '404 of a gateway': after(404, '{"message":"no Route matched with those values"}'),
  '429 of a gateway': after(429, '{"message":"API rate limit exceeded"}'),
  '302 to a page': after(302, '', { location: 'http://portal.invalid/login' }),
  '200 page': after(200, page('Inicio de sesión'), HTML),
  '502 page, answered': after(502, page('502 Bad Gateway'), HTML),
  'no in unknown words': after(200, '{"success":false,"message":"Solicitud bloqueada por la política 4711"}'),
  '500, no in unknown words': after(
    500,
    '{"success":false,"message":"upstream","error":"upstream connect error"}',
  ),
  'nothing at all': after(200, ''),
  'half an answer': FAULT_KINDS['truncated JSON'],
  'answer to another': { forward: 'now', back: 'swapped' },
  'twice, answered by the first': { forward: 'twice', back: (answer, { first }) => first ?? answer },
  'twice, answered by the second': { forward: 'twice', back: (answer) => answer },
  'twice, not said whose': { forward: 'twice', back: withoutWhose },
  'connection timed out': { forward: 'now', back: 'ETIMEDOUT' },
  'host gone': { forward: 'now', back: 'EHOSTUNREACH' },
  'network gone': { forward: 'now', back: 'ENETUNREACH' },
  ...ABOUT_ANOTHER,
  ...CONTRADICTIONS,
  ...REPEATED_KEYS,
  ...NESTED,
  ...WIRE_KINDS,
} as const satisfies Record<string, FaultKind>;

export type AnswerName = keyof typeof ANSWER_KINDS;
export const ANSWER_NAMES = Object.keys(ANSWER_KINDS) as AnswerName[];

/** Of both adversaries: the line and the answer. */
export const ALL_KINDS: Readonly<Record<FaultName | AnswerName, FaultKind>> = {
  ...FAULT_KINDS,
  ...ANSWER_KINDS,
};
export type AnyFault = keyof typeof ALL_KINDS;
