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

/** Login of the company at the health system: body of R1. Secret as a whole. */
export type HealthAccess = SchemaTypes['rips/configuration'];

/** Stores the login in the service. The response holds the password in clear text, so nothing of it is stored. */
export async function configureHealthAccess(client: Client, access: HealthAccess): Promise<Reply<true>> {
  const answer = await client.call('configureRips', { body: access });
  const isDone = ({ success }: { success?: unknown }): true | undefined => success === true || undefined;
  return readReply(answer, isDone, 'send/health-access-refused');
}

/** Parses an ID, a number or a text. */
export function idOf(value: JsonValue | undefined): number | undefined {
  const id = Number(textOf(value) ?? Number.NaN);
  return Number.isSafeInteger(id) && id > 0 ? id : undefined;
}

/** Moves an issue about a member of the body to its place in the attention. */
const inPart =
  (part: Pointer) =>
  (issue: Issue): Issue =>
    issue.place.pointer === undefined
      ? issue
      : { ...issue, place: { ...issue.place, pointer: `${part}${issue.place.pointer}` } };

/**
 * Reads a response of the health module, `{success, data, message}` (service.md 6): returns what `read` makes of its
 * data, else the verdict of an error. `read` returns undefined for data it cannot read; `part` is the place of the
 * sent body in the attention.
 */
export function readHealth(
  answer: Answer,
  part: Pointer,
  read: (data: JsonValue | undefined) => Verdict | undefined,
  asked: Asked = 'query',
): Verdict {
  if (answer.kind === 'json' && answer.status < 300 && isObject(answer.body)) {
    const { success, data } = answer.body as JsonObject;
    if (success !== false) return read(data) ?? unreadable(answer.status, '');
  }
  const verdict = readVerdict(answer, asked);
  return verdict.kind === 'refused' ? { ...verdict, issues: verdict.issues.map(inPart(part)) } : verdict;
}

/**
 * Reads the row queried by ID; null means there is none. A row without this ID may be the response to another
 * request.
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

/** Creates the issue of a response with an ID that may be another document's. */
const foreignId = (id: number): Issue =>
  createIssue('send/unreadable-answer', { status: 200, text: `id ${id}` });

/** Returns the verdict for an ID without evidence: the stage that gave it is queried. */
export const unproven = (id: number, stage?: string): Extract<Verdict, { kind: 'unproven' }> => ({
  kind: 'unproven',
  issue: foreignId(id),
  ...(stage !== undefined && { stage }),
});

/** Expectations of a creation. */
interface Creation {
  readonly asked: Asked;
  /** Members the row must not contradict. */
  readonly wanted: JsonObject;
  /** Returns the verdict if the response does not show all of them. @default the stage is queried */
  readonly claimed?: (id: number) => Verdict;
}

/** Reads the response to a creation; its ID counts only if the row shows that it is ours. */
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
      const owner = compareRow(data as JsonObject, wanted);
      if (owner === 'other') return { kind: 'unknown', issue: foreignId(id) };
      return owner === 'ours' ? { kind: 'made', id } : claimed(id);
    },
    asked,
  );

/** Compares a row with the expected members; `open` if it shows only some of them and contradicts none. */
export function compareRow(row: JsonObject, wanted: JsonObject): 'ours' | 'other' | 'open' {
  const isShown = (name: string): boolean => textOf(row[name]) !== undefined;
  const names = Object.keys(wanted);
  if (!names.every((name) => !isShown(name) || agrees(name, row[name], wanted[name]))) return 'other';
  return names.every(isShown) ? 'ours' : 'open';
}

/** Characters to compare of dates and times; the service may add a time, or seconds. */
const MOMENTS: Readonly<Record<string, number>> = { date: 10, time: 5 };

function agrees(name: string, shown: JsonValue | undefined, wanted: JsonValue | undefined): boolean {
  const [text, expected] = [shown, wanted].map((value) =>
    (textOf(value) ?? '').toLowerCase().slice(0, MOMENTS[name]),
  );
  return text === expected;
}

/** Members of the transaction → fields of the attention. */
const TRANSACTION: Readonly<Record<string, Pointer>> = {
  numnota: '/document/note_number',
  tiponota: '/document/note_type',
};

/** Names and positions in a path such as `rips.usuarios[0].servicios.consultas[1].vrServicio`. */
const STEPS = /[^.[\]]+/g;

/**
 * Returns the field of the attention for a ministry's path (`PathFuente`), with or without `rips.`; undefined if the
 * path is empty or leads elsewhere.
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

/**
 * Returns the index among all services of the nth service in a group; the national form numbers each group
 * separately.
 */
function serviceAt(
  services: readonly JsonObject[],
  group: string | undefined,
  position: number,
): number | undefined {
  let count = 0;
  for (const [index, service] of services.entries()) {
    if (groupOf(service['service_type_id'])?.toLowerCase() !== group?.toLowerCase()) continue;
    if (count === position) return index;
    count += 1;
  }
  return undefined;
}

/** Returns the ministry's findings as issues, each at its field of the attention. */
function resultsOf(
  list: JsonValue | undefined,
  services: readonly JsonObject[],
  accepted: boolean,
): { readonly rules: readonly string[]; readonly issues: readonly Issue[] } {
  const objects = (Array.isArray(list) ? list : []).filter(isObject).map(lowerKeys);
  const findings = objects.filter(({ codigo }) => textOf(codigo) !== undefined);
  return {
    rules: findings
      .filter((finding) => !accepted && rejects(finding))
      .map(({ codigo }) => textOf(codigo) ?? ''),
    issues: findings.map((finding) => issueOf(finding, services, accepted)),
  };
}

const lowerKeys = (object: JsonObject): JsonObject =>
  Object.fromEntries(Object.entries(object).map(([key, value]) => [key.toLowerCase(), value]));

const rejects = ({ clase }: JsonObject): boolean => !/^notif/i.test(textOf(clase) ?? '');

/** Narrows a rule about a whole service to the one member it checks, if it checks one. */
function narrowToMember(
  pointer: Pointer | undefined,
  rule: string,
  services: readonly JsonObject[],
): Pointer | undefined {
  const [, , index, member] = pointer === undefined ? [] : parsePointer(pointer);
  const service = index === undefined || member !== undefined ? undefined : services[Number(index)];
  if (service === undefined) return pointer;
  const prefix = `/usuarios/*/servicios/${groupOf(service['service_type_id'])}/*/`;
  const members = blamedLeaves(rule).flatMap((leaf) =>
    leaf.startsWith(prefix) ? leaf.slice(prefix.length) : [],
  );
  return members.length === 1 ? `${pointer}/${members[0]}` : pointer;
}

function issueOf(finding: JsonObject, services: readonly JsonObject[], accepted: boolean): Issue {
  const found = textOf(finding['observaciones']);
  const path = textOf(finding['pathfuente']) ?? '';
  const pointer = narrowToMember(sourcePointer(path, services), textOf(finding['codigo']) ?? '', services);
  const text = [textOf(finding['descripcion']), found].filter((part) => part !== undefined).join(': ');
  const issue = createIssue(
    // A finding in the response to an accepted package cannot have rejected it.
    accepted || !rejects(finding) ? 'remote/rips-notification' : 'remote/rips-rejected',
    { rule: textOf(finding['codigo']) ?? '', text: text === '' ? '—' : text, path },
    pointer === undefined ? {} : { pointer },
  );
  // The value lets a terminal mask personal data.
  return found === undefined ? issue : { ...issue, value: found };
}

/**
 * Returns a member in any letter case: the ministry writes PascalCase for accepted packages and camelCase for
 * rejected ones.
 */
export const memberOf = (object: JsonObject, name: string): JsonValue | undefined =>
  object[Object.keys(object).find((key) => key.toLowerCase() === name.toLowerCase()) ?? name];

/** Reads a result object of the ministry; undefined if it does not say whether the package is accepted. */
function readResult(result: JsonObject, services: readonly JsonObject[]): Verdict | undefined {
  const state = textOf(memberOf(result, 'ResultState'))?.toLowerCase();
  const cuv = textOf(memberOf(result, 'CodigoUnicoValidacion'));
  const number = textOf(memberOf(result, 'NumFactura'));
  const shown: Shown = number === undefined ? {} : { numbers: [number] };
  const { rules, issues } = resultsOf(memberOf(result, 'ResultadosValidacion'), services, state === 'true');
  if (state === 'true' && isCuv(cuv))
    return { kind: 'accepted', documentCode: cuv, shown, issues, answer: result };
  // A rejection with a CUV and without a reason is neither.
  if (state !== 'false' || (isCuv(cuv) && rules.length === 0)) return undefined;
  const reasons = issues.length > 0 ? issues : [createIssue('remote/rips-no-reasons', { text: '—' })];
  return { kind: 'rejected', rules, shown, issues: reasons, answer: result };
}

/**
 * Parses a result file of the ministry (`ResultadosMSPS_….json` or `.txt`), which is complete where the service cut
 * it.
 */
export function resultIn(text: string): AuthorityResult | undefined {
  const result = foreignObject(text.replace(/^\uFEFF/, ''));
  const number = result && textOf(memberOf(result, 'NumFactura'));
  if (result === undefined || number === undefined) return undefined;
  return { number, read: (body) => readResult(result, attentionOf(body).document.services) };
}

/**
 * Returns the field of the attention for a field of the national form, or undefined; `*` stands for any item in both.
 */
export function sourceForm(leaf: Pointer): Pointer | undefined {
  const [root = '', , field = '', , , member] = parsePointer(leaf);
  if (root !== 'usuarios') return TRANSACTION[root.toLowerCase()];
  if (field === 'servicios') return member === undefined ? undefined : `/document/services/*/${member}`;
  const source = USER_SOURCES[field];
  return source === undefined ? undefined : `/patient/${source}`;
}

/**
 * Reads an error of the ministry, which comes as a 500 with the start of its response as text (service.md 6.7). A 4xx
 * proves that nothing was accepted; undefined for other errors: it may have been accepted.
 */
function readRipsFailure(text: string, services: readonly JsonObject[]): Verdict | undefined {
  if (isLogin(text)) return noAccess(text);
  const status = STATUS.exec(text)?.[1];
  const rules = [...new Set(text.match(RULES) ?? [])];
  const refused = REFUSED.test(text);
  if (refused || rules.length > 0) return readCutResult(text, rules, services);
  if (status === undefined || !PASSED_ON.test(text)) return undefined;
  if (status === '400' || status === '422') return SESSION.test(text) ? noAccess(text) : withoutReasons(text);
  return noAccess(text);
}

/** Complete rule IDs; a cut one would name another rule. */
const RULES = /\bRV(?:C\d{3}|G\d{2})\b/g;
const REFUSED = /"resultState"\s*:\s*false/i;
/** Status as the service's HTTP library writes it; 5xx are excluded, as they prove nothing. */
const STATUS = /\b(4\d\d) [A-Z][A-Za-z ]+/;
/** Start of that library's messages; the same status from a proxy is not the ministry's. */
const PASSED_ON = /^client error\b/i;
/** Session errors of the ministry, such as `TOT002`. */
const SESSION = /\bTOT\d+\b/;

/** Messages of a failed login, which comes before anything is sent. Words of the public versions of the service. */
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

/** Process ID, by which the ministry shows the reasons on request. */
const PROCESS = /"procesoId"\s*:\s*"?(\d+)\b(?=\s*[",}])/i;

function withoutReasons(text: string): Verdict {
  const process = PROCESS.exec(text)?.[1];
  const detail = process === undefined ? text.slice(0, 200) : `ProcesoId ${process}`;
  return {
    kind: 'rejected',
    rules: [],
    shown: {},
    issues: [createIssue('remote/rips-no-reasons', { text: detail })],
  };
}

/** Reads what is left of a cut result: all of it, else complete findings, else rule IDs. */
function readCutResult(text: string, rules: readonly string[], services: readonly JsonObject[]): Verdict {
  const complete = foreignObject(text.slice(text.indexOf('{'), text.lastIndexOf('}') + 1));
  const verdict = complete === undefined ? undefined : readResult(complete, services);
  if (verdict !== undefined) return verdict;
  const findings = (text.match(/\{[^{}]*\}/g) ?? []).flatMap((piece) => foreignObject(piece) ?? []);
  const known = resultsOf(findings, services, false);
  const reported = new Set(known.issues.map((issue) => paramOf(issue, 'rule')));
  const bare = rules.filter((rule) => !reported.has(rule));
  if (reported.size + bare.length === 0) return withoutReasons(text);
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

/** Reads the response to R19 (service.md 6.7): only a result, or a clear rejection, is a verdict. */
export function readGenerated(answer: Answer, services: readonly JsonObject[]): Verdict {
  if (answer.kind === 'json' && isObject(answer.body)) {
    const { body, status } = answer;
    const { data } = body;
    if (status < 300 && isObject(data)) {
      const verdict = readResult(data, services);
      // A CUV without a package number may be another's, and no query can tell.
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
