import type { Answer } from '../client/answer.js';
import type { Issue } from '../issues/issue.js';
import type { JsonObject } from '../values/json.js';
import { parseReason, reasonIssue } from './reason.js';
import { type Asked, readFailure, readForeign, readRefusal } from './refusal.js';
import { say } from './say.js';
import { type Shown, showsOf } from './shown.js';
import { faultOf, isObject, resultOf, textOf, textsOf, under } from './soap-json.js';
import type { Question } from './stage.js';

/** What an answer says of a document (service.md 5.3, 5.4, 8). */
export type Verdict =
  | {
      readonly kind: 'accepted';
      readonly documentCode?: string;
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
  /** This stage of the document is over: it was made, or found. */
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
    };

const REJECTED = new Set(['99', '89', '92']);

/** Reads an answer without looking at anything else: the same answer always gives the same verdict. */
export function readVerdict(answer: Answer, asked: Asked): Verdict {
  if (answer.kind === 'failure') return readFailure(answer);
  if (answer.kind === 'text') return readForeign(answer, asked);
  const { body, status } = answer;
  return isObject(body) && isObject(body['ResponseDian']) && status !== 429
    ? readDian(body, asked)
    : readRefusal(answer, asked);
}

function readDian(body: JsonObject, asked: Asked): Verdict {
  const claimed = textOf(body['cune']);
  const claim = claimed === undefined ? {} : { documentCode: claimed };
  const result = resultOf(body);
  if (result === undefined)
    return { kind: 'unknown', issue: say('remote/no-verdict', { text: faultOf(body) ?? '' }), ...claim };
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
    issue: say('send/test-set-refused', { text: texts.join('; ') }),
    passing: false,
  };
}

/** `IsValid` decides; the status code tells the kinds of no apart. */
function readResult(result: JsonObject, asked: Asked, claim: Claim, shown: Shown): Verdict {
  const reasons = textsOf(under(result['ErrorMessage'], 'string')).map(parseReason);
  const statusCode = textOf(result['StatusCode']);
  const description = textOf(result['StatusDescription']) ?? textOf(result['StatusMessage']) ?? '';
  const key = textOf(result['XmlDocumentKey']);
  const code = key === undefined ? claim : { documentCode: key };
  const isValid = textOf(result['IsValid'])?.toLowerCase();

  if (isValid === 'true') {
    const issues = reasons.map((reason) => reasonIssue({ ...reason, rejects: false }, statusCode));
    return { kind: 'accepted', shown, issues, ...code };
  }
  const processedBefore = reasons.find(({ rule }) => rule === '90');
  if (statusCode === '90' || processedBefore !== undefined)
    return { kind: 'received-before', shown, text: processedBefore?.text ?? description, ...code };
  if (statusCode === '2')
    return { kind: 'unknown', issue: say('remote/test-set', { text: description }), ...code };
  if (statusCode === '66' && asked === 'query') return { kind: 'not-found' };
  if (statusCode === undefined || statusCode === '98') {
    if (asked === 'query') return { kind: 'waiting' };
    return { kind: 'unknown', issue: say('remote/no-verdict', { text: description }), ...code };
  }
  if (isValid === 'false' && (REJECTED.has(statusCode) || statusCode === '66')) {
    const given = reasons.length > 0 ? reasons : [{ rejects: true, text: description }];
    return {
      kind: 'rejected',
      rules: given.flatMap(({ rule, rejects }) => (rule !== undefined && rejects ? [rule] : [])),
      shown,
      issues: given.map((reason) => reasonIssue(reason, statusCode)),
    };
  }
  return {
    kind: 'unknown',
    issue: say('remote/no-verdict', { text: `${statusCode} ${description}`.trim() }),
    ...code,
  };
}
