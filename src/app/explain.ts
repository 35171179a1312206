import { stop } from '../core/issue.js';
import { suggest } from '../core/text.js';
import { CODES } from '../generated/codes.js';
import { entryOf } from '../messages/wording.js';
import { AUTHORITY, codesOf, explainRule, rejectionRule, ruleCodes, ruleEntry } from '../schema/rule-data.js';
import type { UseCase } from './context.js';

/** An id of an authority as it writes it: `rvc061` is RVC061, `NIE199A` is NIE199a. */
const authorityId = (given: string): string =>
  given.replace(
    /^([a-z]+)(\d+)([a-z]?)$/i,
    (_, family, number, suffix) => family.toUpperCase() + number + suffix.toLowerCase(),
  );

/** The codes that an id of an authority belongs to: what the authority itself says, then ours, those of rules first. */
const belongingTo = (id: string): readonly string[] => [
  ...(rejectionRule(id) === undefined ? [] : [AUTHORITY + id]),
  ...codesOf(id),
  ...Object.keys(CODES).filter((code) => CODES[code]!.authority?.includes(id)),
];

/**
 * `cargue explain CODE`: what a code means and what to do about it; an authority's own code (`RVC061`) is explained by
 * ours; without a code, the list of them.
 */
export const explain: UseCase = async ({ tell }, [given]) => {
  const codes = [...Object.keys(CODES), ...ruleCodes()].sort();
  const id = given === undefined || entryOf(given, ruleEntry) !== undefined ? undefined : authorityId(given);
  const list = given === undefined ? codes : id === undefined ? [given] : belongingTo(id);
  if (list.length === 0)
    return stop('usage', {
      code: 'run/unknown-name',
      value: given!,
      params: { list: 'explain' },
      suggestions: suggest(given!, codes),
    });
  for (const code of list) {
    const { field, family } = (code.startsWith(AUTHORITY) && explainRule(code.slice(AUTHORITY.length))) || {};
    const entry = entryOf(code, ruleEntry)!;
    tell({
      event: 'code',
      code,
      entry,
      id,
      brief: given === undefined,
      ...(family && { family }),
      ...(field && { field }),
    });
  }
  return 'fine';
};
