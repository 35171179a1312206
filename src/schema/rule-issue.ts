import type { Rule } from '../generated/rule-types.js';
import type { Issue, IssueParams, Level } from '../issues/issue.js';
import type { PlainDate } from '../values/plain-date.js';
import type { Pointer } from '../values/pointer.js';

/** What a caller makes of a rule, by code, instead of its own level. */
export type Levels = ReadonlyMap<string, Level | 'off'>;

/** Level of a rule on the day of sending: before the authority rejects it, an error is only a warning. */
export const levelOn = (rule: Rule, level: Level, today: PlainDate | undefined): Level =>
  rule.rejects_from !== undefined && today !== undefined && today < rule.rejects_from ? 'warning' : level;

/** The issue of a broken rule; its authority's ids are in `params.rule`. Undefined when the caller silences it. */
export function ruleIssue(
  rule: Rule,
  level: Level,
  pointer: Pointer | undefined,
  params: IssueParams,
  levels: Levels | undefined,
): Issue | undefined {
  const wanted = levels?.get(rule.code) ?? level;
  if (wanted === 'off') return undefined;
  const { code, authority } = rule;
  return {
    code,
    level: wanted,
    params: { ...params, ...(authority !== undefined && { rule: authority.join(', ') }) },
    place: pointer === undefined ? {} : { pointer },
  };
}
