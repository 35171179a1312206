import type { Route } from '../client/address.js';
import type { Answer } from '../client/answer.js';
import type { CallRequest } from '../client/client.js';
import type { OwnCode, OwnParams } from '../generated/issue-codes.js';
import type { OperationId } from '../generated/operations.js';
import { type Issue, issueOf, PipelineError, paramOf } from '../toolkit/core/issue.js';
import { formatPointer, isObject, type JsonObject, type JsonValue } from '../toolkit/core/json.js';
import { createIssue } from './create-issue.js';

/** SOAP as the service turns it into JSON (service.md 5.1). */

/** The text of an element; nil and empty elements have none, an element with attributes keeps it in `_value`. */
export function textOf(value: JsonValue | undefined): string | undefined {
  if (typeof value === 'string') return value.trim() === '' ? undefined : value.trim();
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  if (Array.isArray(value)) return textOf(value[0]);
  return isObject(value) ? textOf(value['_value']) : undefined;
}

/** One child is a scalar, several of one name are an array. */
const textsOf = (value: JsonValue | undefined): readonly string[] =>
  (Array.isArray(value) ? value : [value]).flatMap((item) => textOf(item) ?? []);

const member = (value: JsonValue | undefined, key: string): JsonValue | undefined => {
  const one = Array.isArray(value) ? value[0] : value;
  return isObject(one) ? one[key] : undefined;
};

/** The value under a chain of element names, where each step exists. */
const under = (value: JsonValue | undefined, ...keys: readonly string[]): JsonValue | undefined =>
  keys.reduce(member, value);

/** What an answer lets us see of the document it speaks of, to compare with ours. */
export interface Shown {
  /** Prefix and consecutive, wherever they stand; names of files that are built otherwise tell nothing. */
  readonly numbers?: readonly string[];
  /** Of a worker: the document's number, or the name. */
  readonly employee?: string;
  readonly total?: string;
  /** Of the invoice that an event is about. */
  readonly cufe?: string;
  /** Of the document itself, where the answer returns it. */
  readonly xml?: ShownXml;
  /** What is worth keeping of the answer itself. */
  readonly kept?: JsonObject;
}

interface ShownXml {
  readonly cune?: string;
  /** `HH:MM:SS-05:00` */
  readonly time?: string;
  readonly employer?: string;
  /** Absent from a deletion. */
  readonly worker?: string;
  readonly accrued?: string;
  readonly deductions?: string;
}

/**
 * How a document that was shown stands to ours: surely the same, nothing that decides, one of another number (an answer
 * that is about another document), or another one under our number.
 */
export type Fit = 'ours' | 'open' | 'other-number' | 'other-content';

/** Of what two answers show, the later one goes first. */
export const bothShown = (earlier: Shown | undefined, later: Shown): Shown => ({ ...earlier, ...later });

const FILE = /^(?:[A-Z]{3}-)?([A-Z]{0,4}\d{1,10})(?:\.[a-z]+)?$/;

/** What DIAN's result and the service's papers show (service.md 5.2, 13.4, 13.5). */
export function showsOf(body: JsonObject, result: JsonObject): Shown {
  const files = [result['XmlFileName'], body['urlpayrollxml'], body['urlpayrollpdf']];
  const xml = [body['payrollxml'], result['XmlBase64Bytes']]
    .map(payrollIn)
    .find((text) => text !== undefined);
  const numbers = [
    ...files.flatMap((name) => FILE.exec(textOf(name)?.split('/').at(-1) ?? '')?.[1] ?? []),
    ...(xml === undefined ? [] : attribute(xml, 'NumeroSecuenciaXML', 'Numero')),
  ];
  return {
    ...(numbers.length > 0 && { numbers: [...new Set(numbers)] }),
    ...(xml !== undefined && { xml: readXml(xml) }),
  };
}

/** The text of a payroll's XML in base64; DIAN's own answer, which some lines give in its place, is none. */
function payrollIn(value: JsonValue | undefined): string | undefined {
  const text = textOf(value);
  if (text === undefined) return undefined;
  const xml = Buffer.from(text, 'base64').toString('utf8');
  return /<NominaIndividual(DeAjuste)?[\s>]/.test(xml.slice(0, 2_000)) ? xml : undefined;
}

/** The document is the service's own and small: one element, one attribute. */
function attribute(xml: string, element: string, name: string): readonly string[] {
  const tag = new RegExp(`<${element}\\b[^>]*?\\b${name}="([^"]*)"`).exec(xml);
  return tag === null ? [] : [tag[1]!];
}

const texts = (xml: string, element: string): readonly string[] => {
  const found = new RegExp(`<${element}>([^<]*)</${element}>`).exec(xml);
  return found === null ? [] : [found[1]!.trim()];
};

function readXml(xml: string): ShownXml {
  const found = {
    cune: attribute(xml, 'InformacionGeneral', 'CUNE'),
    time: attribute(xml, 'InformacionGeneral', 'HoraGen'),
    employer: attribute(xml, 'Empleador', 'NIT'),
    worker: attribute(xml, 'Trabajador', 'NumeroDocumento'),
    accrued: texts(xml, 'DevengadosTotal'),
    deductions: texts(xml, 'DeduccionesTotal'),
  };
  return Object.fromEntries(Object.entries(found).flatMap(([key, [value]]) => (value ? [[key, value]] : [])));
}

/** One line of DIAN's `ErrorMessage`. */
interface Reason {
  /** `NIE187`, `90`; undefined when the line names none. */
  readonly rule?: string;
  readonly rejects: boolean;
  readonly text: string;
}

const SENTENCE = /^Regla:\s*([^,\s]+)\s*,\s*(Rechazo|Notificaci[oó]n)\s*:\s*(.*)$/is;
/** The annex's own form: id, (R) or (N), message (payroll.md 4). */
const ANNEX = /^([A-Z]{2,4}\d+[a-z]?)\s*,\s*\(?([RN])\)?\s*,\s*(.*)$/s;

function parseReason(line: string): Reason {
  const match = SENTENCE.exec(line) ?? ANNEX.exec(line);
  if (match === null) return { rejects: true, text: line };
  return { rule: match[1]!, rejects: /^R/i.test(match[2]!), text: match[3]!.trim() };
}

/** A reason as an issue; one without a rule shows the status code in its place. */
const reasonIssue = ({ rule, rejects, text }: Reason, statusCode: string, accepted: boolean): Issue => {
  const told = { rule: rule ?? statusCode, text };
  if (accepted) return createIssue('remote/notification', told);
  return rejects
    ? createIssue('remote/rejected', told)
    : createIssue('remote/notification', { ...told, case: 'beside-rejection' });
};

const childEnding = (value: JsonValue | undefined, ending: string): JsonValue | undefined => {
  const key = isObject(value) ? Object.keys(value).find((name) => name.endsWith(ending)) : undefined;
  return key === undefined ? undefined : under(value, key);
};

/** The element that holds the verdict: `…Response / …Result`, for a zip one step deeper (service.md 5.2). */
export function resultOf(answer: JsonObject): JsonObject | undefined {
  const body = under(answer, 'ResponseDian', 'Envelope', 'Body');
  const result = childEnding(childEnding(body, 'Response'), 'Result');
  const inner = under(result, 'DianResponse') ?? result;
  const one = Array.isArray(inner) ? inner[0] : inner;
  return isObject(one) ? one : undefined;
}

/** What a SOAP fault says. */
const faultOf = (answer: JsonObject): string | undefined =>
  textOf(under(answer, 'ResponseDian', 'Envelope', 'Body', 'Fault', 'Reason', 'Text'));

/** Answers that carry no word of DIAN (service.md 5.4, 6, 8, 13.11). */

/** An answer as a refusal is told by: its status and the members of its body. */
interface Said {
  readonly status: number;
  readonly body: JsonObject;
}

/** A shape in which the service itself says no before it does anything; undefined where the answer has another. */
type OwnRefusal = (said: Said) => Verdict | undefined;

/** The 2026 line says everything with a 500, or a 400, of this shape. */
const inNewLine = ({ status, body }: Said, statuses: readonly number[]): string | undefined =>
  statuses.includes(status) && body['success'] === false ? textOf(body['error']) : undefined;

const forAll = (issue: Issue, passing = false): Verdict => ({ kind: 'refused-for-all', issue, passing });

const OWN_REFUSALS = {
  /** The fields of this request that will not do, each with its texts. */
  validation: ({ status, body }) => {
    const issues = status === 422 && typeof body['message'] === 'string' ? validationIssues(body) : [];
    return issues.length > 0 ? { kind: 'refused', issues } : undefined;
  },
  'validation, in words': (said) => {
    const text = inNewLine(said, [400, 500]);
    return text !== undefined && VALIDATION.some((form) => form.test(text))
      ? { kind: 'refused', issues: [refusal(text)] }
      : undefined;
  },
  unauthenticated: (said) => {
    const { status, body } = said;
    const text = inNewLine(said, [500]) ?? (status === 401 ? textOf(body['message']) : undefined);
    return text !== undefined && UNAUTHENTICATED.test(text)
      ? forAll(createIssue('send/unauthenticated', { status }))
      : undefined;
  },
  /** Business refusals come as 200 (service.md 5.4). */
  'signing certificate': ({ status, body }) =>
    isDeclined(status, body) && Number(textOf(body['certificate_days_left']) ?? 1) <= 0
      ? forAll(createIssue('send/certificate-expired', { text: textOf(body['message']) ?? '' }))
      : undefined,
  'out of service': ({ status, body }) => {
    const text = textOf(body['message']) ?? '';
    return isDeclined(status, body) && OUT_OF_SERVICE.some((form) => form.test(text))
      ? forAll(createIssue('send/not-in-service', { text }), true)
      : undefined;
  },
} as const satisfies Readonly<Record<string, OwnRefusal>>;

type RefusalName = keyof typeof OWN_REFUSALS;

const ALL = Object.keys(OWN_REFUSALS) as readonly RefusalName[];
const VALIDATIONS: readonly RefusalName[] = ['validation', 'validation, in words'];

/**
 * The requests that must not be made twice, and the refusals that end the doubt whether one was taken: those that cannot
 * follow acceptance. Whatever else refuses may have been written by something in between after the service took it.
 * A payroll or event that is sent again asks by that; a creation of the health module makes another one.
 */
export const ENDS_DOUBT = {
  sendPayroll: ALL,
  sendPayrollTestSet: ALL,
  sendAdjustNote: ALL,
  sendAdjustNoteTestSet: ALL,
  sendEvent: ALL,
  sendEventData: ALL,
  createPatient: VALIDATIONS,
  createAppointment: VALIDATIONS,
  createRipsDocument: VALIDATIONS,
  // It has no body whose fields could be refused, and answers in the ministry's words (rips/generated-answer.ts).
  generateRips: [],
} as const satisfies Partial<Record<OperationId, readonly RefusalName[]>>;

/** What a request is to the service: one of those above, or anything that may be asked as often as one likes. */
export type Asked = keyof typeof ENDS_DOUBT | 'query';

function readFailure({ reason, sent }: Extract<Answer, { kind: 'failure' }>): Verdict {
  if (reason === 'aborted')
    return sent ? { kind: 'unknown', issue: createIssue('send/interrupted') } : { kind: 'not-sent' };
  if (sent) return { kind: 'unknown', issue: createIssue('send/no-answer', { reason }) };
  return CERTIFICATE_REASONS.has(reason)
    ? forAll(createIssue('send/untrusted-certificate', { reason }))
    : forAll(createIssue('send/unreachable', { reason }), true);
}

/** Reasons that no waiting takes away. */
const CERTIFICATE_REASONS: ReadonlySet<string> = new Set([
  'untrusted-certificate',
  'expired-certificate',
  'certificate-of-another-host',
]);

/** What a body says that is no object of JSON, or a throttle. */
function readForeign(
  {
    status,
    text,
    retryAfter,
  }: { readonly status: number; readonly text: string; readonly retryAfter?: string },
  asked: Asked,
): Verdict {
  const cause = causeOf(status, retryAfter);
  return asked === 'query' && cause !== undefined ? cause : unreadable(status, text, cause);
}

function readRefusal(
  {
    status,
    body,
    retryAfter,
  }: { readonly status: number; readonly body: JsonValue; readonly retryAfter?: string },
  asked: Asked,
): Verdict {
  const more = retryAfter === undefined ? {} : { retryAfter };
  if (!isObject(body) || status === 429)
    return readForeign({ status, text: isObject(body) ? '' : (textOf(body) ?? ''), ...more }, asked);
  const said = { status, body };
  if (isDeclined(status, body)) {
    const sent = sentBefore(body);
    if (sent !== undefined) return sent;
  }
  const names = asked === 'query' ? ALL : (ENDS_DOUBT[asked] as readonly RefusalName[]);
  for (const name of names) {
    const verdict = OWN_REFUSALS[name](said);
    if (verdict !== undefined) return verdict;
  }
  const text = textOf(body['error']) ?? textOf(body['message']) ?? '';
  // The run hears of a wrong token also where the document stays in doubt.
  const cause = OWN_REFUSALS.unauthenticated(said) ?? causeOf(status, retryAfter) ?? declined(said);
  if (asked !== 'query') return unreadable(status, text, cause);
  if (cause !== undefined) return cause;
  // A question is not asked for nothing: a clear no of any wording is an answer.
  return status >= 400 && status < 500
    ? { kind: 'refused', issues: [createIssue('remote/refused', { text })] }
    : unreadable(status, text);
}

/** "Already sent" (service.md 5.4). */
function sentBefore(body: JsonObject): Verdict | undefined {
  const documentCode = textOf(body['cune']);
  const employee = textOf(body['employee']);
  const total = textOf(body['total_payroll']);
  if (documentCode === undefined && total === undefined) return undefined;
  return {
    kind: 'received-before',
    shown: { ...(employee !== undefined && { employee }), ...(total !== undefined && { total }) },
    text: textOf(body['message']) ?? '',
    ...(documentCode !== undefined && { documentCode }),
  };
}

const isDeclined = (status: number, body: JsonObject): boolean => status < 300 && body['success'] === false;

const declined = ({ status, body }: Said): Verdict | undefined =>
  isDeclined(status, body)
    ? forAll(createIssue('send/not-in-service', { text: textOf(body['message']) ?? '' }), true)
    : undefined;

type Cause = Extract<Verdict, { kind: 'refused-for-all' | 'throttled' }>;

/** It may have been taken all the same; `cause` is what the run as a whole is told. */
const unreadable = (status: number, text: string, cause?: Verdict): Verdict => ({
  kind: 'unknown',
  issue: createIssue('send/unreadable-answer', {
    status,
    text: text
      .replace(/<[^<>]*>/g, ' ')
      .replace(/\s+/g, ' ')
      .trim()
      .slice(0, 160),
  }),
  ...(cause !== undefined && { cause: cause as Cause }),
});

/** Statuses that mean the same whatever the body says. A redirect is no service: it was not followed. */
function causeOf(status: number, retryAfter?: string): Verdict | undefined {
  if (status === 429) return { kind: 'throttled', ...(retryAfter !== undefined && { retryAfter }) };
  if (status === 401 || status === 403) return forAll(createIssue('send/unauthenticated', { status }));
  if (status === 404 || status === 405 || (status >= 300 && status < 400))
    return forAll(createIssue('send/wrong-address', { status }));
  return undefined;
}

/** The 2026 line says this with a 500. */
const UNAUTHENTICATED = /^unauthenticated\.?$/i;

/** What the service says of the company or of DIAN before it sends (service.md 5.4). */
const OUT_OF_SERVICE = [
  /\bDIAN\b.*\bno (se encuentra |est[aá] )?disponible\b/i,
  /\bcertificado\b.*\b(venc|expir)/i,
  /\bplan\b.*\b(inactiv|agotad|venc|consumid)/i,
  /\bempresa\b.*\binactiv/i,
];

/**
 * The forms of the framework's validation texts; the 2026 line quotes the first one in a 500 (service.md 13.11).
 * Narrow on purpose: what is not recognised is merely unknown, what is recognised wrongly would be called final.
 */
const VALIDATION = [
  /^the [\w. -]+ field (is required|is prohibited|must (be|have|not)|has a)/i,
  /^the [\w. -]+ (must (be|have|contain|not|match|start|end)|may (not|only)|has already been taken|format is invalid|is not a valid|does not match)/i,
  /^the selected [\w. -]+ is invalid/i,
  /^the given data was invalid/i,
  /^(el|la) (campo|valor|atributo|formato)\b.* (es|no es|debe|no debe|ya ha sido|ya existe)\b/i,
  /^(el|la) [\w. -]+ seleccionad[oa] /i,
  // A bad date (service.md 8).
  /^(failed to parse time string|could not parse|datetime::__construct)/i,
];

/** Fields of requests, as the framework names them. */
const FIELD = /^[a-z]\w*(\.[\w*]+)*$/i;

/** How the service calls the number of a document, which no record gives. */
const OF_NUMBER = /^((the|el|la) )?(campo )?consecutiv[eo]\b/i;

const refusal = (text: string, field?: string): Issue => {
  if (OF_NUMBER.test(field ?? text))
    return createIssue('remote/number-refused', { text }, { pointer: '/prefix' });
  return field === undefined
    ? createIssue('remote/refused', { text })
    : createIssue('remote/refused', { field, text }, { pointer: formatPointer(field.split('.')) });
};

/** `{"worker.address": [text, …]}`: one issue a text, at the field's pointer. */
function validationIssues(body: JsonObject): readonly Issue[] {
  const errors = body['errors'];
  if (!isObject(errors) || !Object.keys(errors).every((field) => FIELD.test(field))) return [];
  return Object.entries(errors).flatMap(([field, texts]) =>
    textsOf(texts).map((text) => refusal(text, field)),
  );
}

/** What an answer says of a document (service.md 5.3, 5.4, 8). */
export type Verdict =
  | {
      readonly kind: 'accepted';
      /** Code that the authority shows for the document. */
      readonly documentCode?: string;
      /** Code that only the service names, where the authority shows none: it computes one for every document that it sends. */
      readonly claimed?: string;
      /** True if two answers name the same code: no doubt is left. */
      readonly isConfirmed?: true;
      readonly shown: Shown;
      readonly issues: readonly Issue[];
      /** Worth keeping in the journal. */
      readonly answer?: JsonObject;
    }
  | {
      readonly kind: 'rejected';
      readonly rules: readonly string[];
      readonly shown: Shown;
      readonly issues: readonly Issue[];
      readonly answer?: JsonObject;
    }
  /** This stage of the document is over: it was made, or found, and the id was shown with the document's own number or keys. */
  | { readonly kind: 'made'; readonly id: number }
  /** The stage goes on with another request. */
  | {
      readonly kind: 'then';
      readonly step: 'send' | 'ask';
      readonly question: Question;
      /** What the request that was answered may have done all the same, until the question is answered. */
      readonly doubted?: Issue;
    }
  /** Asked about, and surely not there: it may be sent, also again. */
  | { readonly kind: 'absent' }
  /**
   * The id that was given may be another's: nothing showed it together with the document's own number. It is not taken,
   * and the stage is asked about. `stage` is an earlier one whose id it is. @default the stage under way
   */
  | { readonly kind: 'unproven'; readonly issue: Issue; readonly stage?: string }
  /** Asked about, and nobody but a person can tell; the issue says how. */
  | { readonly kind: 'unclear'; readonly issue: Issue }
  /** Received by the test set; the verdict is asked for with the key. `documentCode` is a claim, no proof. */
  | {
      readonly kind: 'pending';
      readonly zipKey: string;
      readonly documentCode?: string;
      readonly shown: Shown;
    }
  /** The key is known, the verdict is not there yet. */
  | { readonly kind: 'waiting' }
  /** The key asked about is not known (yet). */
  | { readonly kind: 'not-found' }
  /** Rule 90 or "already sent": a question, also without an earlier attempt of ours. */
  | {
      readonly kind: 'received-before';
      readonly documentCode?: string;
      readonly shown: Shown;
      readonly text: string;
    }
  /** This document's data will not do, and nothing was sent to DIAN; `confirmed` where asking has shown that. */
  | { readonly kind: 'refused'; readonly issues: readonly Issue[]; readonly confirmed?: true }
  /** Not processed, for a cause that every document would meet; `passing` when waiting may help. */
  | { readonly kind: 'refused-for-all'; readonly issue: Issue; readonly passing: boolean }
  | { readonly kind: 'throttled'; readonly retryAfter?: string }
  /** We hung up before anything left. */
  | { readonly kind: 'not-sent' }
  /** May or may not have landed; `cause` is what the answer says of the run as a whole, the document aside. */
  | {
      readonly kind: 'unknown';
      readonly issue: Issue;
      readonly documentCode?: string;
      readonly cause?: Extract<Verdict, { kind: 'refused-for-all' | 'throttled' }>;
      /** True if the answer is plainly about something else. */
      readonly isAboutOther?: true;
    };

const REJECTED = new Set(['99', '89', '92']);

/** Status codes that go with `IsValid` = `true`. */
const ACCEPTED = /^0+$/;
/** DIAN has not looked at the batch yet, whatever else the answer says (service.md 5.3). */
const IN_PROCESS = /\b(batch|lote)\b.*\b(en proceso|being validated)\b/i;

/**
 * Returns the answer as text if its JSON names a key twice: which of the values counts is not known. The text names the
 * keys.
 */
function unambiguous(answer: Answer): Answer {
  if (answer.kind !== 'json' || answer.duplicateKeys === undefined) return answer;
  const { status, retryAfter, duplicateKeys } = answer;
  const text = `2 × ${duplicateKeys.join(', ')}`;
  return { kind: 'text', status, text, ...(retryAfter !== undefined && { retryAfter }) };
}

/** Reads the answer to a question. */
export const readAnswerTo = (question: Question, answer: Answer): Verdict | Promise<Verdict> =>
  question.read(unambiguous(answer));

/** Reads an answer without looking at anything else: the same answer always gives the same verdict. */
export function readVerdict(given: Answer, asked: Asked): Verdict {
  const answer = unambiguous(given);
  if (answer.kind === 'failure') return readFailure(answer);
  if (answer.kind === 'text') return readForeign(answer, asked);
  const { body, status } = answer;
  return isObject(body) && isObject(body['ResponseDian']) && status !== 429
    ? readDian(body, asked)
    : readRefusal(answer, asked);
}

function readDian(body: JsonObject, asked: Asked): Verdict {
  const claimed = textOf(body['cune']);
  const claim: Claim = claimed === undefined ? {} : { documentCode: claimed };
  const result = resultOf(body);
  if (result === undefined)
    return {
      kind: 'unknown',
      issue: createIssue('remote/no-verdict', { text: faultOf(body) ?? '' }),
      ...claim,
    };
  if ('ZipKey' in result) return readReceipt(result, claim, showsOf(body, result));
  return readResult(result, asked, claim, showsOf(body, result));
}

type Claim = { readonly documentCode?: string };

function readReceipt(result: JsonObject, claim: Claim, shown: Shown): Verdict {
  const zipKey = textOf(result['ZipKey']);
  if (zipKey !== undefined) return { kind: 'pending', zipKey, shown, ...claim };
  const list = result['ErrorMessageList'];
  const texts = [
    ...textsOf(under(list, 'XmlParamsResponseTrackId', 'ProcessedMessage')),
    ...textsOf(under(list, 'string')),
  ];
  return {
    kind: 'refused-for-all',
    issue: createIssue('send/test-set-refused', { text: texts.join('; ') }),
    passing: false,
  };
}

/** `IsValid` decides, unless the rest of the result contradicts it; the status code tells the kinds of no apart. */
function readResult(result: JsonObject, asked: Asked, claim: Claim, shown: Shown): Verdict {
  const reasons = textsOf(under(result['ErrorMessage'], 'string')).map(parseReason);
  const statusCode = textOf(result['StatusCode']);
  const description = textOf(result['StatusDescription']) ?? textOf(result['StatusMessage']) ?? '';
  const key = textOf(result['XmlDocumentKey']);
  const code = key === undefined ? claim : { documentCode: key };
  const isValid = textOf(result['IsValid'])?.toLowerCase();
  const processedBefore = reasons.find(({ rule }) => rule === '90');
  const isQuestion = statusCode === '90' || processedBefore?.rejects === true;
  const isInProcess = statusCode === '98' || (statusCode === undefined && IN_PROCESS.test(description));

  if (isValid === 'true' && !isQuestion && !isInProcess) {
    const rejecting = reasons.find(({ rule, rejects }) => rule !== undefined && rejects);
    const isContradicted = statusCode !== undefined && !ACCEPTED.test(statusCode);
    if (rejecting !== undefined || isContradicted) {
      const text = [statusCode, rejecting?.rule, rejecting?.text ?? description].filter(Boolean).join(' ');
      return { kind: 'unknown', issue: createIssue('remote/contradictory', { text }), ...code };
    }
    const issues = reasons.map((reason) => reasonIssue(reason, statusCode ?? '', true));
    if (key !== undefined) return { kind: 'accepted', shown, issues, documentCode: key };
    return { kind: 'accepted', shown, issues, ...(claim.documentCode && { claimed: claim.documentCode }) };
  }
  if (statusCode === '90' || processedBefore !== undefined)
    return { kind: 'received-before', shown, text: processedBefore?.text ?? description, ...code };
  if (statusCode === '2')
    return { kind: 'unknown', issue: createIssue('remote/test-set', { text: description }), ...code };
  if (statusCode === '66' && asked === 'query') return { kind: 'not-found' };
  if (statusCode === undefined || statusCode === '98') {
    if (asked === 'query') return { kind: 'waiting' };
    return { kind: 'unknown', issue: createIssue('remote/no-verdict', { text: description }), ...code };
  }
  if (isValid === 'false' && (REJECTED.has(statusCode) || statusCode === '66')) {
    const given = reasons.length > 0 ? reasons : [{ rejects: true, text: description }];
    return {
      kind: 'rejected',
      rules: given.flatMap(({ rule, rejects }) => (rule !== undefined && rejects ? [rule] : [])),
      shown,
      issues: given.map((reason) => reasonIssue(reason, statusCode, false)),
    };
  }
  return {
    kind: 'unknown',
    issue: createIssue('remote/no-verdict', { text: `${statusCode} ${description}`.trim() }),
    ...code,
  };
}

/** What came of a request that no authority judges: a preview, a mail, a setting. */
export type Reply<T> =
  | { readonly kind: 'done'; readonly value: T }
  /** This step did its work; the next one follows in its turn. */
  | { readonly kind: 'next' }
  | Extract<Verdict, { kind: 'refused' | 'refused-for-all' | 'throttled' | 'not-sent' | 'unknown' }>;

/** The same failure, said to someone who cannot `resume`. */
const OWN_CODE = {
  'send/unreachable': 'service/unreachable',
  'send/untrusted-certificate': 'service/untrusted-certificate',
  'send/no-answer': 'service/no-answer',
  'send/interrupted': 'service/no-answer',
  'send/unreadable-answer': 'service/unreadable-answer',
  'remote/no-verdict': 'service/unreadable-answer',
  'send/unauthenticated': 'service/unauthenticated',
  'send/wrong-address': 'service/wrong-address',
  'send/throttled': 'service/throttled',
} as const satisfies Partial<Record<OwnCode, OwnCode>>;

/** An issue of the sender in the words of `service/…`. */
export const asService = (issue: Issue): Issue =>
  ({ ...(issue as object), code: OWN_CODE[issue.code as keyof typeof OWN_CODE] ?? issue.code }) as Issue;

/** Returns `service/unauthenticated` if the service refuses the company's token, else undefined. */
export function tokenRefusal(answer: Answer): Issue | undefined {
  const verdict = readVerdict(unambiguous(answer), 'query');
  return verdict.kind === 'refused-for-all' && verdict.issue.code === 'send/unauthenticated'
    ? asService(verdict.issue)
    : undefined;
}

/**
 * Throws if the service refuses the company's token: its answer says nothing of what was asked.
 * @throws PipelineError('service', service/unauthenticated)
 */
export function requireToken(answer: Answer): void {
  const refusal = tokenRefusal(answer);
  if (refusal !== undefined) throw new PipelineError('service', [refusal]);
}

/** Why it is not known what became of a request. */
export const reasonOf = (issue: Issue): string | number =>
  paramOf(issue, 'reason') ?? paramOf(issue, 'status') ?? '';

/** Codes that say no to one request: they say why. */
type RefusedCode = { [C in OwnCode]: OwnParams[C] extends { readonly text: unknown } ? C : never }[OwnCode];

/**
 * Reads an answer. `done` picks out of a body what was wanted, undefined when it is not there; `refused` is the code of
 * a no to this one request. `{success: false}` says here that it will not do, whatever the cause (service.md 4.10).
 */
export function readReply<T>(
  given: Answer,
  done: (body: JsonObject) => T | undefined,
  refused: RefusedCode,
): Reply<T> {
  const answer = unambiguous(given);
  if (answer.kind === 'json' && answer.status < 300 && isObject(answer.body)) {
    const { body } = answer;
    const value = done(body);
    if (value !== undefined) return { kind: 'done', value };
    if (body['success'] === false && body['errors'] === undefined) {
      const params = { text: textOf(body['message']) ?? '' };
      return { kind: 'refused', issues: [issueOf(refused, 'error', params)] };
    }
  }
  const verdict = readVerdict(answer, 'query');
  switch (verdict.kind) {
    case 'refused':
      return {
        kind: 'refused',
        issues: verdict.issues.map((issue) => ({ ...issue, code: refused }) as Issue),
      };
    case 'refused-for-all':
      return { ...verdict, issue: asService(verdict.issue) };
    case 'unknown':
      return { kind: 'unknown', issue: asService(verdict.issue) };
    case 'throttled':
    case 'not-sent':
      return verdict;
    default:
      return {
        kind: 'unknown',
        issue: {
          code: 'service/unreadable-answer',
          level: 'error',
          params: { status: 200, text: '' },
          place: {},
        },
      };
  }
}

/** One call of the service, and how its answer is read. */
export interface Question {
  readonly operation: OperationId | Route;
  readonly request: CallRequest;
  readonly read: (answer: Answer) => Verdict | Promise<Verdict>;
}
