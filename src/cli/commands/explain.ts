import { CODES } from '../../issues/codes.js';
import { stop } from '../../issues/pipeline-error.js';
import { entryOf } from '../../issues/wording.js';
import { ruleCodes, ruleEntry } from '../../schema/rules.js';
import { suggest } from '../../values/similar.js';
import type { Run } from '../context.js';
import { EXIT } from '../exit-code.js';
import { say } from '../say.js';

/** `cargue explain CODE`: what a code means and what to do about it; without a code, the list of them. */
export const run: Run = async ({ terminal, language }, [code], options) => {
  const codes = [...Object.keys(CODES), ...ruleCodes()].sort();
  const list = code === undefined ? codes : [code];
  for (const each of list) {
    const entry = entryOf(each, ruleEntry);
    if (entry === undefined)
      return stop('usage', {
        code: 'run/unknown-name',
        value: each,
        params: { list: 'explain' },
        suggestions: suggest(each, codes),
      });
    const { level } = entry;
    const title = entry.title[language];
    const message = entry.message[language];
    const fix = entry.fix[language];
    if (options.json) terminal.out(JSON.stringify({ code: each, level, title, message, fix }));
    else terminal.out(`${each}: ${title}`);
    if (options.json || code === undefined) continue;
    terminal.out(say(language, 'explainLevel', { level }));
    terminal.out(say(language, 'explainMessage', { message }));
    terminal.out(say(language, 'explainFix', { fix }));
  }
  return EXIT.fine;
};
