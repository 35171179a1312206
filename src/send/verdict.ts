import type { Route } from '../client/address.js';
import type { Answer } from '../client/answer.js';
import type { CallRequest } from '../client/client.js';
import type { OwnCode, OwnParams } from '../generated/issue-codes.js';
import type { OperationId } from '../generated/operations.js';
import { type Issue, issueOf, PipelineError, paramOf } from '../toolkit/core/issue.js';
import { formatPointer, isObject, type JsonObject, type JsonValue } from '../toolkit/core/json.js';
import { createIssue } from './create-issue.js';

/** SOAP as the service turns it into JSON (service.md 5.1). */

/** Returns the text of an element; undefined if it is nil or empty. An element with attributes has it in `_value`. */
export function textOf(value: JsonValue | undefined): string | undefined {
  if (typeof value === 'string') return value.trim() === '' ? undefined : value.trim();
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  if (Array.isArray(value)) return textOf(value[0]);
  return isObject(value) ? textOf(value['_value']) : undefined;
}

/** Returns the texts of a child: a scalar if there is one, an array if there are several of one name. */
const textsOf = (value: JsonValue | undefined): readonly string[] =>
  (Array.isArray(value) ? value : [value]).flatMap((item) => textOf(item) ?? []);

const member = (value: JsonValue | undefined, key: string): JsonValue | undefined => {
  const first = Array.isArray(value) ? value[0] : value;
  return isObject(first) ? first[key] : undefined;
};

/** Returns the value under a chain of element names, or undefined if a step is missing. */
const under = (value: JsonValue | undefined, ...keys: readonly string[]): JsonValue | undefined =>
  keys.reduce(member, value);

/** Content of a document that an answer shows, to compare with ours. */
export interface Shown {
  /** Prefix and consecutive, from every field that has them; other file names are ignored. */
  readonly numbers?: readonly string[];
  /** Document number or name of the employee. */
  readonly employee?: string;
  readonly total?: string;
  /** CUFE of the invoice that an event is about. */
  readonly cufe?: string;
  /** Facts from the document's XML, if the answer returns it. */
  readonly xml?: ShownXml;
  /** Parts of the answer that are stored. */
  readonly kept?: JsonObject;
}

interface ShownXml {
  readonly cune?: string;
  /** `HH:MM:SS-05:00` */
  readonly time?: string;
  readonly employer?: string;
  /** Undefined in a deletion. */
  readonly worker?: string;
  readonly accrued?: string;
  readonly deductions?: string;
}

/**
 * Relation of a shown document to ours: surely the same, undecided, one of another number (the answer is about
 * another document), or another one under our number.
 */
export type Fit = 'ours' | 'open' | 'other-number' | 'other-content';

/** Merges what two answers show; the later one wins. */
export const bothShown = (earlier: Shown | undefined, later: Shown): Shown => ({ ...earlier, ...later });

const FILE = /^(?:[A-Z]{3}-)?([A-Z]{0,4}\d{1,10})(?:\.[a-z]+)?$/;

/** Returns what DIAN's result and the service's files show (service.md 5.2, 13.4, 13.5). */
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

/** Decodes a payroll's XML from base64; undefined for DIAN's own response, which some lines give in its place. */
function payrollIn(value: JsonValue | undefined): string | undefined {
  const text = textOf(value);
  if (text === undefined) return undefined;
  const xml = Buffer.from(text, 'base64').toString('utf8');
  return /<NominaIndividual(DeAjuste)?[\s>]/.test(xml.slice(0, 2_000)) ? xml : undefined;
}

/** Reads one attribute of one element by pattern: the XML is small and the service's own. */
function attribute(xml: string, element: string, name: string): readonly string[] {
  const [, value] = new RegExp(`<${element}\\b[^>]*?\\b${name}="([^"]*)"`).exec(xml) ?? [];
  return value === undefined ? [] : [value];
}

const texts = (xml: string, element: string): readonly string[] => {
  const [, text] = new RegExp(`<${element}>([^<]*)</${element}>`).exec(xml) ?? [];
  return text === undefined ? [] : [text.trim()];
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
  /** `NIE187`, `90`; undefined if the line names none. */
  readonly rule?: string;
  readonly rejects: boolean;
  readonly text: string;
}

const SENTENCE = /^Regla:\s*([^,\s]+)\s*,\s*(Rechazo|Notificaci[oó]n)\s*:\s*(.*)$/is;
/** Form of the annex: id, (R) or (N), message (payroll.md 4). */
const ANNEX = /^([A-Z]{2,4}\d+[a-z]?)\s*,\s*\(?([RN])\)?\s*,\s*(.*)$/s;

function parseReason(line: string): Reason {
  const [, rule, kind = '', text = ''] = SENTENCE.exec(line) ?? ANNEX.exec(line) ?? [];
  if (rule === undefined) return { rejects: true, text: line };
  return { rule, rejects: /^R/i.test(kind), text: text.trim() };
}

/** Creates the issue of a reason; one without a rule shows the status code in its place. */
const reasonIssue = ({ rule, rejects, text }: Reason, statusCode: string, accepted: boolean): Issue => {
  const params = { rule: rule ?? statusCode, text };
  if (accepted) return createIssue('remote/notification', params);
  return rejects
    ? createIssue('remote/rejected', params)
    : createIssue('remote/notification', { ...params, case: 'beside-rejection' });
};

const childEnding = (value: JsonValue | undefined, ending: string): JsonValue | undefined => {
  const key = isObject(value) ? Object.keys(value).find((name) => name.endsWith(ending)) : undefined;
  return key === undefined ? undefined : under(value, key);
};

/** Returns the element that holds the verdict: `…Response / …Result`, for a zip one step deeper (service.md 5.2). */
export function resultOf(answer: JsonObject): JsonObject | undefined {
  const body = under(answer, 'ResponseDian', 'Envelope', 'Body');
  const result = childEnding(childEnding(body, 'Response'), 'Result');
  const inner = under(result, 'DianResponse') ?? result;
  const first = Array.isArray(inner) ? inner[0] : inner;
  return isObject(first) ? first : undefined;
}

const faultOf = (answer: JsonObject): string | undefined =>
  textOf(under(answer, 'ResponseDian', 'Envelope', 'Body', 'Fault', 'Reason', 'Text'));

/** Answers without a result of DIAN (service.md 5.4, 6, 8, 13.11). */

/** Status and body by which a refusal is recognised. */
interface ResponseFacts {
  readonly status: number;
  readonly body: JsonObject;
}

/** Returns the error text of the 2026 line, which reports every error with this shape and a 500 or 400. */
const inNewLine = ({ status, body }: ResponseFacts, statuses: readonly number[]): string | undefined =>
  statuses.includes(status) && body['success'] === false ? textOf(body['error']) : undefined;

const forAll = (issue: Issue, passing = false): Verdict => ({ kind: 'refused-for-all', issue, passing });

/** Recognisers of the shapes in which the service refuses before it acts. */
const OWN_REFUSALS = {
  /** Refuses single fields of the request, each with its texts. */
  validation: ({ status, body }) => {
    const issues = status === 422 && typeof body['message'] === 'string' ? validationIssues(body) : [];
    return issues.length > 0 ? { kind: 'refused', issues } : undefined;
  },
  'validation, in words': (facts) => {
    const text = inNewLine(facts, [400, 500]);
    return text !== undefined && VALIDATION.some((form) => form.test(text))
      ? { kind: 'refused', issues: [refusal(text)] }
      : undefined;
  },
  unauthenticated: (facts) => {
    const { status, body } = facts;
    const text = inNewLine(facts, [500]) ?? (status === 401 ? textOf(body['message']) : undefined);
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
} as const satisfies Readonly<Record<string, (facts: ResponseFacts) => Verdict | undefined>>;

type RefusalName = keyof typeof OWN_REFUSALS;

const ALL = Object.keys(OWN_REFUSALS) as readonly RefusalName[];
const VALIDATIONS: readonly RefusalName[] = ['validation', 'validation, in words'];

/**
 * Requests that must not be made twice, and the refusals that prove one was not taken: those that cannot follow
 * acceptance. Any other refusal may come from something in between after the service took it. A payroll or event that
 * is sent again asks by that; a creation of the health module makes another one.
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
  // It has no body with fields to refuse, and answers in the ministry's words (rips/generated-answer.ts).
  generateRips: [],
} as const satisfies Partial<Record<OperationId, readonly RefusalName[]>>;

/** Kind of a request: one of those above, or a query that may be repeated. */
export type Asked = keyof typeof ENDS_DOUBT | 'query';

function readFailure({ reason, sent }: Extract<Answer, { kind: 'failure' }>): Verdict {
  if (reason === 'aborted')
    return sent ? { kind: 'unknown', issue: createIssue('send/interrupted') } : { kind: 'not-sent' };
  if (sent) return { kind: 'unknown', issue: createIssue('send/no-answer', { reason }) };
  return CERTIFICATE_REASONS.has(reason)
    ? forAll(createIssue('send/untrusted-certificate', { reason }))
    : forAll(createIssue('send/unreachable', { reason }), true);
}

/** Reasons that waiting does not cure. */
const CERTIFICATE_REASONS: ReadonlySet<string> = new Set([
  'untrusted-certificate',
  'expired-certificate',
  'certificate-of-another-host',
]);

/** Reads a body that is not a JSON object, or a throttle. */
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
  const facts = { status, body };
  if (isDeclined(status, body)) {
    const sent = sentBefore(body);
    if (sent !== undefined) return sent;
  }
  const names = asked === 'query' ? ALL : (ENDS_DOUBT[asked] as readonly RefusalName[]);
  for (const name of names) {
    const verdict = OWN_REFUSALS[name](facts);
    if (verdict !== undefined) return verdict;
  }
  const text = textOf(body['error']) ?? textOf(body['message']) ?? '';
  // A wrong token is reported to the run even if the document stays unknown.
  const cause = OWN_REFUSALS.unauthenticated(facts) ?? causeOf(status, retryAfter) ?? declined(facts);
  if (asked !== 'query') return unreadable(status, text, cause);
  if (cause !== undefined) return cause;
  // For a query any clear refusal is an answer, whatever its wording.
  return status >= 400 && status < 500
    ? { kind: 'refused', issues: [createIssue('remote/refused', { text })] }
    : unreadable(status, text);
}

/** Recognises "already sent" (service.md 5.4). */
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

const declined = ({ status, body }: ResponseFacts): Verdict | undefined =>
  isDeclined(status, body)
    ? forAll(createIssue('send/not-in-service', { text: textOf(body['message']) ?? '' }), true)
    : undefined;

/** Returns `unknown` for a request that may have been taken; `cause` is what it means for the run. */
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
  ...(cause !== undefined && { cause: cause as Extract<Verdict, { kind: 'refused-for-all' | 'throttled' }> }),
});

/**
 * Returns the verdict of statuses that mean the same whatever the body. Redirects are not followed, so they count as
 * a wrong address.
 */
function causeOf(status: number, retryAfter?: string): Verdict | undefined {
  if (status === 429) return { kind: 'throttled', ...(retryAfter !== undefined && { retryAfter }) };
  if (status === 401 || status === 403) return forAll(createIssue('send/unauthenticated', { status }));
  if (status === 404 || status === 405 || (status >= 300 && status < 400))
    return forAll(createIssue('send/wrong-address', { status }));
  return undefined;
}

/** Text of a wrong token; the 2026 line sends it with a 500. */
const UNAUTHENTICATED = /^unauthenticated\.?$/i;

/** Refusals about the company or DIAN, before anything is sent (service.md 5.4). */
const OUT_OF_SERVICE = [
  /\bDIAN\b.*\bno (se encuentra |est[aá] )?disponible\b/i,
  /\bcertificado\b.*\b(venc|expir)/i,
  /\bplan\b.*\b(inactiv|agotad|venc|consumid)/i,
  /\bempresa\b.*\binactiv/i,
];

/**
 * Validation texts of the framework; the 2026 line quotes the first one in a 500 (service.md 13.11). Narrow on
 * purpose: an unrecognised text stays unknown, a wrongly recognised one would be final.
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

/** Field names of requests, as the framework writes them. */
const FIELD = /^[a-z]\w*(\.[\w*]+)*$/i;

/** Name of the document's number in refusals; no record gives it. */
const OF_NUMBER = /^((the|el|la) )?(campo )?consecutiv[eo]\b/i;

const refusal = (text: string, field?: string): Issue => {
  if (OF_NUMBER.test(field ?? text))
    return createIssue('remote/number-refused', { text }, { pointer: '/prefix' });
  return field === undefined
    ? createIssue('remote/refused', { text })
    : createIssue('remote/refused', { field, text }, { pointer: formatPointer(field.split('.')) });
};

/** Converts `{"worker.address": [text, …]}` to one issue per text, at the field's pointer. */
function validationIssues(body: JsonObject): readonly Issue[] {
  const errors = body['errors'];
  if (!isObject(errors) || !Object.keys(errors).every((field) => FIELD.test(field))) return [];
  return Object.entries(errors).flatMap(([field, texts]) =>
    textsOf(texts).map((text) => refusal(text, field)),
  );
}

/** Meaning of an answer for a document (service.md 5.3, 5.4, 8). */
export type Verdict =
  | {
      readonly kind: 'accepted';
      /** Code that the authority shows for the document. */
      readonly documentCode?: string;
      /** Code that only the service names; it computes one for every document that it sends. */
      readonly claimed?: string;
      /** True if two answers name the same code, which proves it. */
      readonly isConfirmed?: true;
      readonly shown: Shown;
      readonly issues: readonly Issue[];
      /** Content to store in the journal. */
      readonly answer?: JsonObject;
    }
  | {
      readonly kind: 'rejected';
      readonly rules: readonly string[];
      readonly shown: Shown;
      readonly issues: readonly Issue[];
      readonly answer?: JsonObject;
    }
  /** This stage is over: it was made or found, and the id was shown with the document's own number or keys. */
  | { readonly kind: 'made'; readonly id: number }
  /** The stage goes on with another request. */
  | {
      readonly kind: 'then';
      readonly step: 'send' | 'ask';
      readonly question: Question;
      /** Issue of the answered request, which may have been carried out, until the question is answered. */
      readonly unknownIssue?: Issue;
    }
  /** The document is certainly not there; it may be sent, also again. */
  | { readonly kind: 'absent' }
  /**
   * The given id may be another document's: nothing showed it with the document's own number. It is not taken, and
   * the stage is asked about. `stage` is the earlier one whose id it is. @default the stage under way
   */
  | { readonly kind: 'unproven'; readonly issue: Issue; readonly stage?: string }
  /** The question left it open and only a user can decide; the issue says how. */
  | { readonly kind: 'unclear'; readonly issue: Issue }
  /** Received by the test set; the verdict is polled with the key. `documentCode` is a claim, no proof. */
  | {
      readonly kind: 'pending';
      readonly zipKey: string;
      readonly documentCode?: string;
      readonly shown: Shown;
    }
  /** The key is known; the verdict is not there yet. */
  | { readonly kind: 'waiting' }
  /** The key is not known (yet). */
  | { readonly kind: 'not-found' }
  /** Rule 90 or "already sent": a question, even without an earlier attempt of ours. */
  | {
      readonly kind: 'received-before';
      readonly documentCode?: string;
      readonly shown: Shown;
      readonly text: string;
    }
  /** The document's data were refused and nothing was sent to DIAN; `confirmed` if a question has shown that. */
  | { readonly kind: 'refused'; readonly issues: readonly Issue[]; readonly confirmed?: true }
  /** The request was not processed, for a cause that every document would meet; `passing` if waiting may help. */
  | { readonly kind: 'refused-for-all'; readonly issue: Issue; readonly passing: boolean }
  | { readonly kind: 'throttled'; readonly retryAfter?: string }
  /** Aborted before a byte left. */
  | { readonly kind: 'not-sent' }
  /** The request may have landed; `cause` is what the answer means for the run. */
  | {
      readonly kind: 'unknown';
      readonly issue: Issue;
      readonly documentCode?: string;
      readonly cause?: Extract<Verdict, { kind: 'refused-for-all' | 'throttled' }>;
      /** True if the answer is plainly about another document. */
      readonly isAboutOther?: true;
    };

const REJECTED = new Set(['99', '89', '92']);

/** Status codes that go with `IsValid` = `true`. */
const ACCEPTED = /^0+$/;
/** Text of a batch that DIAN has not processed yet, whatever else the answer says (service.md 5.3). */
const IN_PROCESS = /\b(batch|lote)\b.*\b(en proceso|being validated)\b/i;

/** Returns the answer as text, which lists the keys, if its JSON names a key twice: the value is ambiguous. */
function unambiguous(answer: Answer): Answer {
  if (answer.kind !== 'json' || answer.duplicateKeys === undefined) return answer;
  const { status, retryAfter, duplicateKeys } = answer;
  const text = `2 × ${duplicateKeys.join(', ')}`;
  return { kind: 'text', status, text, ...(retryAfter !== undefined && { retryAfter }) };
}

export const readAnswerTo = (question: Question, answer: Answer): Verdict | Promise<Verdict> =>
  question.read(unambiguous(answer));

/** Reads an answer without any other state: the same answer always gives the same verdict. */
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

/**
 * Reads a result of DIAN. `IsValid` decides unless the rest contradicts it; the status code separates the kinds of
 * refusal.
 */
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

/** Result of a request that no authority judges: a preview, a mail, a setting. */
export type Reply<T> =
  | { readonly kind: 'done'; readonly value: T }
  /** This step is done; the next one follows. */
  | { readonly kind: 'next' }
  | Extract<Verdict, { kind: 'refused' | 'refused-for-all' | 'throttled' | 'not-sent' | 'unknown' }>;

/** Codes of the same failure outside of a run, where `resume` does not exist. */
const SERVICE_CODE = {
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

/** Changes an issue of the sender to its `service/…` code. */
export const asService = (issue: Issue): Issue =>
  ({
    ...(issue as object),
    code: SERVICE_CODE[issue.code as keyof typeof SERVICE_CODE] ?? issue.code,
  }) as Issue;

/** Returns `service/unauthenticated` if the service refuses the company's token, else undefined. */
export function tokenRefusal(answer: Answer): Issue | undefined {
  const verdict = readVerdict(unambiguous(answer), 'query');
  return verdict.kind === 'refused-for-all' && verdict.issue.code === 'send/unauthenticated'
    ? asService(verdict.issue)
    : undefined;
}

/**
 * Throws if the service refuses the company's token, whatever was asked.
 * @throws PipelineError('service', service/unauthenticated)
 */
export function requireToken(answer: Answer): void {
  const refusal = tokenRefusal(answer);
  if (refusal !== undefined) throw new PipelineError('service', [refusal]);
}

/** Returns why the outcome of a request is unknown. */
export const reasonOf = (issue: Issue): string | number =>
  paramOf(issue, 'reason') ?? paramOf(issue, 'status') ?? '';

/** Codes of refusals of one request; they carry its text. */
type RefusedCode = { [C in OwnCode]: OwnParams[C] extends { readonly text: unknown } ? C : never }[OwnCode];

/**
 * Reads an answer. `done` picks the wanted value from a body, or undefined if it is missing; `refused` is the code
 * for a refusal. `{success: false}` means a refusal here, whatever the cause (service.md 4.10).
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

/** Call of the service, with the reader of its answer. */
export interface Question {
  readonly operation: OperationId | Route;
  readonly request: CallRequest;
  readonly read: (answer: Answer) => Verdict | Promise<Verdict>;
}
