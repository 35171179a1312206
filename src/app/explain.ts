import { CODES } from '../generated/codes.js';
import { paramOf, stop } from '../toolkit/core/issue.js';
import { unreachable } from '../toolkit/core/required.js';
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

/** Returns an authority's rule ID in its own spelling: `rvc061` → RVC061, `NIE199A` → NIE199a. */
const authorityId = (given: string): string =>
  given.replace(
    /^([a-z]+)(\d+)([a-z]?)$/i,
    (_, family, number, suffix) => family.toUpperCase() + number + suffix.toLowerCase(),
  );

/** Returns the codes of an authority's rule ID: its own first, then ours, rules before others. */
const belongingTo = (id: string): readonly string[] => [
  ...(rejectionRule(id) === undefined ? [] : [AUTHORITY + id]),
  ...codesOf(id),
  ...Object.entries(CODES).flatMap(([code, { authority }]) => (authority?.includes(id) ? [code] : [])),
];

/** Returns the codes of an ID; those that occur in the run come first. The default run is the last one. */
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
 * `cargue explain CODE [RUN]`: emits what a code means and how to fix it. For an authority's code (`RVC061`) it emits
 * ours, those in the run first; without a code, the list of all.
 */
export const explain: UseCase<ServiceOptions> = async (context, [given, run], options) => {
  const codes = [...Object.keys(CODES), ...ruleCodes()].sort();
  const id = given === undefined || entryOf(given, ruleEntry) !== undefined ? undefined : authorityId(given);
  const list =
    given === undefined ? codes : id === undefined ? [given] : await asInRun(context, options, id, run);
  if (list.length === 0)
    return stop('usage', {
      code: 'run/unknown-name',
      value: given,
      params: { list: 'explain' },
      suggestions: suggest(given ?? '', codes),
    });
  for (const code of list) {
    const { field, family } = (code.startsWith(AUTHORITY) && explainRule(code.slice(AUTHORITY.length))) || {};
    const entry = entryOf(code, ruleEntry) ?? unreachable(code);
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
