import { CASES, CODES } from '../generated/codes.js';
import type { CaseCode, CodeEntry, OwnCode, OwnParams } from '../generated/issue-codes.js';
import { type Issue, issueOf, type Level, type ParamsOf, type Place } from '../toolkit/core/issue.js';
import { unreachable } from '../toolkit/core/required.js';

const levelOf = (entry: CodeEntry | undefined, code: string): Level =>
  entry?.level ?? unreachable(`code ${code}`);

export const createIssue = <C extends OwnCode>(code: C, ...[params, place]: ParamsOf<C, Place>): Issue =>
  issueOf<OwnCode>(code, levelOf(CODES[code], code), (params ?? {}) as OwnParams[C], place);

/** Creates an issue of a code with several cases, at the level of the given case. */
export const createCaseIssue = <C extends CaseCode, W extends NonNullable<OwnParams[C]['case']>>(
  code: C,
  which: W,
  params: Omit<Extract<OwnParams[C], { readonly case: W }>, 'case'>,
  place?: Place,
): Issue =>
  issueOf<OwnCode>(
    code,
    levelOf(CASES[code][which], `${code} ${which}`),
    { ...params, case: which } as unknown as OwnParams[C],
    place,
  );
