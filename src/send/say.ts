import type { Issue, IssueParams, Place } from '../core/issue.js';
import { CASES, CODES } from '../generated/codes.js';
import type { CaseCode, OwnCode, OwnParams } from '../generated/issue-codes.js';

/** An issue of this stage, at the level of its code. */
export const say = (code: OwnCode, params: IssueParams = {}, place: Place = {}): Issue => ({
  code,
  level: CODES[code]!.level,
  params,
  place,
});

/** An issue of a code that says several things, at the level of the one that it says here. */
export const sayCase = <C extends CaseCode>(
  code: C,
  which: NonNullable<OwnParams[C]['case']>,
  params: IssueParams = {},
  place: Place = {},
): Issue => ({
  code,
  level: CASES[code][which]!.level,
  params: { ...params, case: which },
  place,
});
