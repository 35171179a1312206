import { CASES, CODES } from '../generated/codes.js';
import type { CaseCode, OwnCode, OwnParams } from '../generated/issue-codes.js';
import { type Issue, issueOf, type ParamsOf, type Place } from '../toolkit/core/issue.js';

/** Creates an issue at the level of its code. */
export const createIssue = <C extends OwnCode>(code: C, ...[params, place]: ParamsOf<C, Place>): Issue =>
  issueOf<OwnCode>(code, CODES[code]!.level, (params ?? {}) as OwnParams[C], place);

type CaseOf<C extends CaseCode> = NonNullable<OwnParams[C]['case']>;

/** Creates an issue of a code with several cases, at the level of the given case. */
export const createCaseIssue = <C extends CaseCode, W extends CaseOf<C>>(
  code: C,
  which: W,
  params: Omit<Extract<OwnParams[C], { readonly case: W }>, 'case'>,
  place?: Place,
): Issue =>
  issueOf<OwnCode>(
    code,
    CASES[code][which]!.level,
    { ...params, case: which } as unknown as OwnParams[C],
    place,
  );
