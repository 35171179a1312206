import type { JsonObject } from '../../values/json.js';
import { say } from '../say.js';
import { isObject } from '../soap-json.js';
import type { Verdict } from '../verdict.js';
import { readResult } from './ministry-result.js';
import { resultsOf } from './validation-results.js';

/**
 * What the ministry did not answer with a 2xx comes as a 500 whose text holds the beginning of its answer (service.md 6.7).
 * A 4xx says for certain that nothing was accepted; what is none of this is undefined: it may have been accepted.
 */
export function readRipsFailure(text: string, services: readonly JsonObject[]): Verdict | undefined {
  if (isLogin(text)) return noAccess(text);
  const status = STATUS.exec(text)?.[1];
  const rules = [...new Set(text.match(RULES) ?? [])];
  const refused = REFUSED.test(text);
  if (refused || rules.length > 0) return readPieces(text, rules, services);
  if (status === undefined || !PASSED_ON.test(text)) return undefined;
  if (status === '400' || status === '422') return SESSION.test(text) ? noAccess(text) : withoutReasons(text);
  return noAccess(text);
}

const RULES = /\bRV[CG]\d+\b/g;
const REFUSED = /"resultState"\s*:\s*false/i;
/** As the service's HTTP library writes it; 5xx are left out: they prove nothing. */
const STATUS = /\b(4\d\d) [A-Z][A-Za-z ]+/;
/** How that library begins; the same status from something in between is no word of the ministry. */
const PASSED_ON = /^client error\b/i;
/** The ministry's own errors about the session, `TOT002`. */
const SESSION = /\bTOT\d+\b/;

/** The login comes first: when it fails, nothing was sent. */
const isLogin = (text: string): boolean => /LoginSISPRO/i.test(text) && !/CargarRips/i.test(text);

const noAccess = (text: string): Verdict => ({
  kind: 'refused-for-all',
  issue: say('send/health-access', { text: text.slice(0, 200) }),
  passing: false,
});

const withoutReasons = (text: string): Verdict => ({
  kind: 'rejected',
  rules: [],
  shown: {},
  issues: [say('remote/rips-no-reasons', { text: text.slice(0, 200) })],
});

/** The whole result where the text still has it, else its whole findings, else the codes that are left. */
function readPieces(text: string, rules: readonly string[], services: readonly JsonObject[]): Verdict {
  const whole = parsed(text.slice(text.indexOf('{'), text.lastIndexOf('}') + 1));
  const verdict = whole === undefined ? undefined : readResult(whole, services);
  if (verdict !== undefined) return verdict;
  const findings = (text.match(/\{[^{}]*\}/g) ?? []).flatMap((piece) => parsed(piece) ?? []);
  const known = resultsOf(findings, services, false);
  const told = new Set(known.issues.map(({ params }) => params['rule']));
  const bare = rules.filter((rule) => !told.has(rule));
  if (told.size + bare.length === 0) return withoutReasons(text);
  return {
    kind: 'rejected',
    rules: [...known.rules, ...bare],
    shown: {},
    issues: [
      ...known.issues,
      ...bare.map((rule) => say('remote/rips-rejected', { rule, text: '…' })),
      say('remote/rips-cut-off'),
    ],
  };
}

function parsed(text: string): JsonObject | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
