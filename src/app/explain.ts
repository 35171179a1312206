import { CODES } from '../generated/codes.js';
import { paramOf, stop } from '../toolkit/core/issue.js';
import { suggest } from '../toolkit/core/text.js';
import { entryOf } from '../toolkit/messages/wording.js';
import {
  AUTHORITY,
  codesOf,
  explainRule,
  rejectionRule,
  ruleCodes,
  ruleEntry,
} from '../toolkit/schema/rule-data.js';
import type { Context, UseCase } from './context.js';
import { chosenRun, withJournalIfAny } from './journal-access.js';
import type { ServiceOptions } from './options.js';
import { allIssues } from './report.js';

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

/** Returns what belongs to an id: what a run (by default the last one) has of it comes first. */
const asInRun = (context: Context, options: ServiceOptions, id: string, wanted: string | undefined) =>
  withJournalIfAny(context, options, async (journal) => {
    const codes = belongingTo(id);
    const run = journal && (await chosenRun(journal, wanted));
    if (journal === undefined || run === undefined) return codes;
    const found = new Set<string>();
    for await (const issue of allIssues(context, journal, run.id))
      found.add(paramOf(issue, 'rule') === id ? AUTHORITY + id : issue.code);
    return codes.toSorted((a, b) => Number(found.has(b)) - Number(found.has(a)));
  });

/**
 * `cargue explain CODE [RUN]`: what a code means and what to do about it; an authority's own code (`RVC061`) is explained by
 * ours, first by those that the run has; without a code, the list of them.
 */
export const explain: UseCase<ServiceOptions> = async (context, [given, run], options) => {
  const codes = [...Object.keys(CODES), ...ruleCodes()].sort();
  const id = given === undefined || entryOf(given, ruleEntry) !== undefined ? undefined : authorityId(given);
  const list =
    given === undefined ? codes : id === undefined ? [given] : await asInRun(context, options, id, run);
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
    context.tell({
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
