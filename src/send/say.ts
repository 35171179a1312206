import type { Issue, IssueParams, Level, Place } from '../core/issue.js';
import {
  ADJUST_CODES,
  type AdjustCode,
  CASES,
  HEALTH_CODES,
  type HealthCode,
  SEND_CODES,
  type SendCode,
} from '../messages/codes.js';

type Code = SendCode | AdjustCode | HealthCode;

const LEVELS: Readonly<Record<Code, { readonly level: Level }>> = {
  ...SEND_CODES,
  ...ADJUST_CODES,
  ...HEALTH_CODES,
};

/** An issue of this stage, at the level of its code. */
export const say = (code: Code, params: IssueParams = {}, place: Place = {}): Issue => ({
  code,
  level: LEVELS[code].level,
  params,
  place,
});

/** An issue of a code that says several things, at the level of the one that it says here. */
export const sayCase = <C extends keyof typeof CASES>(
  code: C,
  which: keyof (typeof CASES)[C] & string,
  params: IssueParams = {},
  place: Place = {},
): Issue => ({
  code,
  level: (CASES[code] as Readonly<Record<string, { readonly level: Level }>>)[which]!.level,
  params: { ...params, case: which },
  place,
});
