import { CASES, CODES } from '../generated/codes.js';
import type { CaseCode, OwnCode, OwnParams } from '../generated/issue-codes.js';
import { type Issue, issueOf, type ParamsOf, type Place } from '../toolkit/core/issue.js';

/** An issue at the level of its code. */
export const createIssue = <C extends OwnCode>(code: C, ...[params, place]: ParamsOf<C, Place>): Issue =>
  issueOf<OwnCode>(code, CODES[code]!.level, (params ?? {}) as OwnParams[C], place);

type CaseOf<C extends CaseCode> = NonNullable<OwnParams[C]['case']>;

/** An issue of a code that says several things, at the level of the one that it says here. */
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
