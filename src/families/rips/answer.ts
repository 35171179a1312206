import type { Answer } from '../../client/answer.js';
import type { Client } from '../../client/client.js';
import type { SchemaTypes } from '../../generated/schema-types.js';
import { createIssue } from '../../send/create-issue.js';
import type { AuthorityResult } from '../../send/read-back.js';
import {
  type Asked,
  type Reply,
  readReply,
  readVerdict,
  type Shown,
  textOf,
  type Verdict,
} from '../../send/verdict.js';
import { foreignObject } from '../../toolkit/core/foreign-json.js';
import { type Issue, paramOf } from '../../toolkit/core/issue.js';
import {
  formatPointer,
  isObject,
  type JsonObject,
  type JsonValue,
  type Pointer,
  parsePointer,
} from '../../toolkit/core/json.js';
import { blamedLeaves } from '../../toolkit/schema/rule-data.js';
import { attentionOf, OF_THE_USER, USER_ID } from './attention.js';
import { groupOf, isCuv, USER_SOURCES } from './national.js';

/** Who logs in at the health system for the company: body of R1. A secret as a whole. */
export type HealthAccess = SchemaTypes['rips/configuration'];

/** Stores the access in the service, which answers with the password in clear: nothing of the answer is kept. */
export async function configureHealthAccess(client: Client, access: HealthAccess): Promise<Reply<true>> {
  const answer = await client.call('configureRips', { body: access });
  const isDone = ({ success }: { success?: unknown }): true | undefined => success === true || undefined;
  return readReply(answer, isDone, 'send/health-access-refused');
}

/** Answers of the health module: `{success, data, message}`, and all the ways of refusing that payroll knows (service.md 6, 8). */

/** Ids come as numbers or as text. */
export function idOf(value: JsonValue | undefined): number | undefined {
  const id = Number(textOf(value) ?? Number.NaN);
  return Number.isSafeInteger(id) && id > 0 ? id : undefined;
}

const cannotRead = (status: number): Verdict => ({
  kind: 'unknown',
  issue: createIssue('send/unreadable-answer', { status, text: '' }),
});

/** A complaint about a member of the body, at its place in the attention. */
const inPart =
  (part: Pointer) =>
  (issue: Issue): Issue =>
    issue.place.pointer === undefined
      ? issue
      : { ...issue, place: { ...issue.place, pointer: `${part}${issue.place.pointer}` } };

/**
 * What `read` makes of the data of a success, undefined where it cannot read it. Else what the answer says in its place;
 * `part` is where the body that was sent stands in the attention.
 */
export function readHealth(
  answer: Answer,
  part: Pointer,
  read: (data: JsonValue | undefined) => Verdict | undefined,
  asked: Asked = 'query',
): Verdict {
  if (answer.kind === 'json' && answer.status < 300 && isObject(answer.body)) {
    const { success, data } = answer.body as JsonObject;
    if (success !== false) return read(data) ?? cannotRead(answer.status);
  }
  const verdict = readVerdict(answer, asked);
  return verdict.kind === 'refused' ? { ...verdict, issues: verdict.issues.map(inPart(part)) } : verdict;
}

/**
 * Reads the row that was asked for by its id; null says that there is none. What does not show that id may be the answer to
 * another question.
 */
export const readRow = (
  answer: Answer,
  part: Pointer,
  id: number,
  read: (data: JsonValue | undefined) => Verdict | undefined,
): Verdict =>
  readHealth(answer, part, (data) => {
    const isRow = isObject(data) && idOf(data['id']) === id;
    return isRow || data === null ? read(data) : undefined;
  });

/** Says that an answer gave an id which may be another's. */
const ofAnother = (id: number): Issue =>
  createIssue('send/unreadable-answer', { status: 200, text: `id ${id}` });

/** An id without evidence: the stage that gave it is asked about. */
export const unproven = (id: number, stage?: string): Extract<Verdict, { kind: 'unproven' }> => ({
  kind: 'unproven',
  issue: ofAnother(id),
  ...(stage !== undefined && { stage }),
});

/** What a creation asked for. */
interface Creation {
  readonly asked: Asked;
  /** Members that the row must not show otherwise. */
  readonly wanted: JsonObject;
  /** Returns the verdict where the answer does not show all of them. @default the stage is asked about */
  readonly claimed?: (id: number) => Verdict;
}

/** Reads the answer to a creation: the id of what was made, which counts only where the row shows whose it is. */
export const readMade = (
  answer: Answer,
  part: Pointer,
  { asked, wanted, claimed = unproven }: Creation,
): Verdict =>
  readHealth(
    answer,
    part,
    (data) => {
      const id = isObject(data) ? idOf(data['id']) : undefined;
      if (id === undefined) return undefined;
      const whose = whoseIs(data as JsonObject, wanted);
      if (whose === 'other') return { kind: 'unknown', issue: ofAnother(id) };
      return whose === 'ours' ? { kind: 'made', id } : claimed(id);
    },
    asked,
  );

/** Compares what a row shows with what it should: `open` where it does not show all of it, nor anything else. */
export function whoseIs(row: JsonObject, wanted: JsonObject): 'ours' | 'other' | 'open' {
  const isShown = (name: string): boolean => textOf(row[name]) !== undefined;
  const names = Object.keys(wanted);
  if (!names.every((name) => !isShown(name) || agrees(name, row[name], wanted[name]))) return 'other';
  return names.every(isShown) ? 'ours' : 'open';
}

/** The service may add a time to a date, or seconds to a time. */
const MOMENTS: Readonly<Record<string, number>> = { date: 10, time: 5 };

function agrees(name: string, shown: JsonValue | undefined, wanted: JsonValue | undefined): boolean {
  const [text, expected] = [shown, wanted].map((value) =>
    (textOf(value) ?? '').toLowerCase().slice(0, MOMENTS[name]),
  );
  return text === expected;
}

/** Members of the transaction → leaves of the attention. */
const TRANSACTION: Readonly<Record<string, Pointer>> = {
  numnota: '/document/note_number',
  tiponota: '/document/note_type',
};

/** `rips.usuarios[0].servicios.consultas[1].vrServicio`: names and positions, whatever stands before `usuarios`. */
const STEPS = /[^.[\]]+/g;

/**
 * The leaf of the attention behind a path of the ministry (`PathFuente`), with or without `rips.` before it; undefined
 * where the path is empty or leads elsewhere.
 */
export function sourcePointer(path: string, services: readonly JsonObject[]): Pointer | undefined {
  const steps = path.match(STEPS) ?? [];
  const at = steps.findIndex((step) => step.toLowerCase() === 'usuarios');
  if (at < 0) return TRANSACTION[(steps.at(-1) ?? '').toLowerCase()];
  const [field, group, position, member] = steps.slice(at + 2);
  if (field === undefined) return '/patient';
  if (field.toLowerCase() !== 'servicios') {
    const source = USER_SOURCES[field];
    return source === undefined ? '/patient' : `/patient/${source}`;
  }
  const index = serviceAt(services, group, Number(position ?? 0));
  if (index === undefined) return '/document/services';
  if (member === undefined) return formatPointer(['document', 'services', index]);
  const value = services[index]?.[member];
  if (OF_THE_USER.includes(member) && (value === undefined || value === null)) return USER_ID;
  return formatPointer(['document', 'services', index, member]);
}

/** Place of the nth service of a group among all services: groups count by themselves in the national form. */
function serviceAt(
  services: readonly JsonObject[],
  group: string | undefined,
  position: number,
): number | undefined {
  let seen = 0;
  for (const [index, service] of services.entries()) {
    if (groupOf(service['service_type_id'])?.toLowerCase() !== group?.toLowerCase()) continue;
    if (seen === position) return index;
    seen += 1;
  }
  return undefined;
}

/** The ministry's findings as issues, each at the leaf of the attention that its path came from. */
function resultsOf(
  list: JsonValue | undefined,
  services: readonly JsonObject[],
  accepted: boolean,
): { readonly rules: readonly string[]; readonly issues: readonly Issue[] } {
  const findings = (Array.isArray(list) ? list : []).filter(isObject).map(lowerKeys).filter(isFinding);
  return {
    rules: findings.filter((one) => !accepted && rejects(one)).map(({ codigo }) => textOf(codigo) ?? ''),
    issues: findings.map((finding) => issueOf(finding, services, accepted)),
  };
}

const lowerKeys = (object: JsonObject): JsonObject =>
  Object.fromEntries(Object.entries(object).map(([key, value]) => [key.toLowerCase(), value]));

const isFinding = ({ codigo }: JsonObject): boolean => textOf(codigo) !== undefined;

const rejects = ({ clase }: JsonObject): boolean => !/^notif/i.test(textOf(clase) ?? '');

/** A rule that is said of a service as a whole is about the one member that it looks at, where it looks at one. */
function narrowed(
  pointer: Pointer | undefined,
  rule: string,
  services: readonly JsonObject[],
): Pointer | undefined {
  const [, , index, member] = pointer === undefined ? [] : parsePointer(pointer);
  const service = index === undefined || member !== undefined ? undefined : services[Number(index)];
  if (service === undefined) return pointer;
  const own = `/usuarios/*/servicios/${groupOf(service['service_type_id'])}/*/`;
  const members = blamedLeaves(rule).flatMap((leaf) => (leaf.startsWith(own) ? leaf.slice(own.length) : []));
  return members.length === 1 ? `${pointer}/${members[0]}` : pointer;
}

function issueOf(finding: JsonObject, services: readonly JsonObject[], accepted: boolean): Issue {
  const found = textOf(finding['observaciones']);
  const path = textOf(finding['pathfuente']) ?? '';
  const pointer = narrowed(sourcePointer(path, services), textOf(finding['codigo']) ?? '', services);
  const text = [textOf(finding['descripcion']), found].filter((part) => part !== undefined).join(': ');
  const issue = createIssue(
    // What stands in the answer to an accepted package cannot have rejected it.
    accepted || !rejects(finding) ? 'remote/rips-notification' : 'remote/rips-rejected',
    { rule: textOf(finding['codigo']) ?? '', text: text === '' ? '—' : text, path },
    pointer === undefined ? {} : { pointer },
  );
  // So that a terminal can mask what it shows of a person.
  return found === undefined ? issue : { ...issue, value: found };
}

/** A member whatever the case of its name: the ministry writes PascalCase when good and camelCase when bad. */
export const memberOf = (object: JsonObject, name: string): JsonValue | undefined =>
  object[Object.keys(object).find((key) => key.toLowerCase() === name.toLowerCase()) ?? name];

/** What a result object of the ministry says; undefined when it does not say whether the package is accepted. */
function readResult(result: JsonObject, services: readonly JsonObject[]): Verdict | undefined {
  const state = textOf(memberOf(result, 'ResultState'))?.toLowerCase();
  const cuv = textOf(memberOf(result, 'CodigoUnicoValidacion'));
  const number = textOf(memberOf(result, 'NumFactura'));
  const shown: Shown = number === undefined ? {} : { numbers: [number] };
  const { rules, issues } = resultsOf(memberOf(result, 'ResultadosValidacion'), services, state === 'true');
  if (state === 'true' && isCuv(cuv))
    return { kind: 'accepted', documentCode: cuv, shown, issues, answer: result };
  // A no beside the code of a yes, and without a reason, is neither.
  if (state !== 'false' || (isCuv(cuv) && rules.length === 0)) return undefined;
  const said = issues.length > 0 ? issues : [createIssue('remote/rips-no-reasons', { text: '—' })];
  return { kind: 'rejected', rules, shown, issues: said, answer: result };
}

/** A result of the ministry as it saves it (`ResultadosMSPS_….json` or `.txt`): what the service cut off is whole in it. */
export function paperIn(text: string): AuthorityResult | undefined {
  const result = foreignObject(text.replace(/^\uFEFF/, ''));
  const number = result && textOf(memberOf(result, 'NumFactura'));
  if (result === undefined || number === undefined) return undefined;
  return { number, read: (body) => readResult(result, attentionOf(body).document.services) };
}

/** The leaf of the attention behind one of the national form; in both `*` stands for any item. Undefined where there is none. */
export function sourceForm(leaf: Pointer): Pointer | undefined {
  const [root = '', , field = '', , , member] = parsePointer(leaf);
  if (root !== 'usuarios') return TRANSACTION[root.toLowerCase()];
  if (field === 'servicios') return member === undefined ? undefined : `/document/services/*/${member}`;
  const source = USER_SOURCES[field];
  return source === undefined ? undefined : `/patient/${source}`;
}

/**
 * What the ministry did not answer with a 2xx comes as a 500 whose text holds the beginning of its answer (service.md 6.7).
 * A 4xx says for certain that nothing was accepted; what is none of this is undefined: it may have been accepted.
 */
function readRipsFailure(text: string, services: readonly JsonObject[]): Verdict | undefined {
  if (isLogin(text)) return noAccess(text);
  const status = STATUS.exec(text)?.[1];
  const rules = [...new Set(text.match(RULES) ?? [])];
  const refused = REFUSED.test(text);
  if (refused || rules.length > 0) return readPieces(text, rules, services);
  if (status === undefined || !PASSED_ON.test(text)) return undefined;
  if (status === '400' || status === '422') return SESSION.test(text) ? noAccess(text) : withoutReasons(text);
  return noAccess(text);
}

/** Whole ids: one that was cut off in its middle would name another rule. */
const RULES = /\bRV(?:C\d{3}|G\d{2})\b/g;
const REFUSED = /"resultState"\s*:\s*false/i;
/** As the service's HTTP library writes it; 5xx are left out: they prove nothing. */
const STATUS = /\b(4\d\d) [A-Z][A-Za-z ]+/;
/** How that library begins; the same status from something in between is no word of the ministry. */
const PASSED_ON = /^client error\b/i;
/** The ministry's own errors about the session, `TOT002`. */
const SESSION = /\bTOT\d+\b/;

/** The login comes first: when it fails, nothing was sent. The words are those of the public versions of the service. */
const LOGIN = [
  /LoginSISPRO/i,
  /^error (en la autenticaci[oó]n|al autenticar con SISPRO)/i,
  /^no se encontr[oó] la configuraci[oó]n de RIPS/i,
  /\bcredenciales de usuario no son v[aá]lidas/i,
];
const isLogin = (text: string): boolean => LOGIN.some((form) => form.test(text)) && !/CargarRips/i.test(text);

const noAccess = (text: string): Verdict => ({
  kind: 'refused-for-all',
  issue: createIssue('send/health-access', { text: text.slice(0, 200) }),
  passing: false,
});

/** By its process the ministry shows the reasons to whoever asks it. */
const PROCESS = /"procesoId"\s*:\s*"?(\d+)\b(?=\s*[",}])/i;

function withoutReasons(text: string): Verdict {
  const process = PROCESS.exec(text)?.[1];
  const told = process === undefined ? text.slice(0, 200) : `ProcesoId ${process}`;
  return {
    kind: 'rejected',
    rules: [],
    shown: {},
    issues: [createIssue('remote/rips-no-reasons', { text: told })],
  };
}

/** The whole result where the text still has it, else its whole findings, else the codes that are left. */
function readPieces(text: string, rules: readonly string[], services: readonly JsonObject[]): Verdict {
  const whole = foreignObject(text.slice(text.indexOf('{'), text.lastIndexOf('}') + 1));
  const verdict = whole === undefined ? undefined : readResult(whole, services);
  if (verdict !== undefined) return verdict;
  const findings = (text.match(/\{[^{}]*\}/g) ?? []).flatMap((piece) => foreignObject(piece) ?? []);
  const known = resultsOf(findings, services, false);
  const told = new Set(known.issues.map((issue) => paramOf(issue, 'rule')));
  const bare = rules.filter((rule) => !told.has(rule));
  if (told.size + bare.length === 0) return withoutReasons(text);
  return {
    kind: 'rejected',
    rules: [...known.rules, ...bare],
    shown: {},
    issues: [
      ...known.issues,
      ...bare.map((rule) => createIssue('remote/rips-rejected', { rule, text: '…' })),
      createIssue('remote/rips-cut-off'),
    ],
  };
}

/** The answer to R19 (service.md 6.7): nothing but a result, or a clear no, is an answer. */
export function readGenerated(answer: Answer, services: readonly JsonObject[]): Verdict {
  if (answer.kind === 'json' && isObject(answer.body)) {
    const { body, status } = answer;
    const { data } = body;
    if (status < 300 && isObject(data)) {
      const verdict = readResult(data, services);
      // A CUV of no package that is named may be another's: nothing can be asked that would tell.
      const isProof = verdict?.kind !== 'accepted' || verdict.shown.numbers !== undefined;
      if (verdict !== undefined && isProof) return verdict;
    }
    if (status < 300) {
      const verdict = unreadable(status, textOf(body['message']) ?? '');
      // A row of the service is no result of the ministry.
      return isObject(data) && data['id'] !== undefined ? { ...verdict, isAboutOther: true } : verdict;
    }
    const inner = isObject(body['error']) ? body['error']['message'] : body['error'];
    const text = textOf(inner) ?? textOf(body['message']) ?? '';
    if (status === 500 && body['success'] === false) {
      const verdict = readRipsFailure(text, services);
      if (verdict !== undefined) return verdict;
    }
  }
  return readVerdict(answer, 'generateRips');
}

const unreadable = (status: number, text: string): Extract<Verdict, { kind: 'unknown' }> => ({
  kind: 'unknown',
  issue: createIssue('send/unreadable-answer', { status, text: text.slice(0, 160) }),
});
