import { CODES } from '../../issues/codes.js';
import { stop } from '../../issues/pipeline-error.js';
import { entryOf } from '../../issues/wording.js';
import { codesOf, ruleCodes, ruleEntry } from '../../schema/rules.js';
import { suggest } from '../../values/similar.js';
import type { Run } from '../context.js';
import { EXIT } from '../exit-code.js';
import { say } from '../say.js';

/** An id of an authority as it writes it: `rvc061` is RVC061, `NIE199A` is NIE199a. */
const authorityId = (given: string): string =>
  given.replace(
    /^([a-z]+)(\d+)([a-z]?)$/i,
    (_, family, number, suffix) => family.toUpperCase() + number + suffix.toLowerCase(),
  );

/** The codes that an id of an authority belongs to, those of rules first. */
const belongingTo = (id: string): readonly string[] => [
  ...codesOf(id),
  ...Object.keys(CODES).filter((code) => CODES[code]!.authority?.includes(id)),
];

/**
 * `cargue explain CODE`: what a code means and what to do about it; an authority's own code (`RVC061`) is explained by
 * ours; without a code, the list of them.
 */
export const run: Run = async ({ terminal, language }, [given], options) => {
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
    const { level, authority, ...words } = entryOf(code, ruleEntry)!;
    const title = words.title[language];
    const message = words.message[language];
    const fix = words.fix[language];
    if (options.json)
      terminal.out(
        JSON.stringify({ code, level, title, message, fix, ...(authority && { rules: authority }) }),
      );
    else terminal.out(`${id === undefined ? '' : `${id} → `}${code}: ${title}`);
    if (options.json || given === undefined) continue;
    terminal.out(say(language, 'explainLevel', { level }));
    if (authority !== undefined) terminal.out(say(language, 'explainRules', { rules: authority.join(', ') }));
    terminal.out(say(language, 'explainMessage', { message }));
    terminal.out(say(language, 'explainFix', { fix }));
  }
  return EXIT.fine;
};
