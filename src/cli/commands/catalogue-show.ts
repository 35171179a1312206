import { catalogue, catalogueNames } from '../../catalogue/catalogue.js';
import { stop } from '../../issues/pipeline-error.js';
import { suggest } from '../../values/similar.js';
import { originOf, originText } from '../catalogue/shown-origin.js';
import type { Run } from '../context.js';
import { EXIT } from '../exit-code.js';

/** `cargue catalogue show NAME`: its rows, columns parted by tabs; where it comes from is said to people. */
export const run: Run = async ({ terminal, language }, [name = ''], { json }) => {
  const list = catalogue(name);
  if (list === undefined)
    return stop('usage', {
      code: 'run/unknown-name',
      value: name,
      params: { list: 'catalogue list' },
      suggestions: suggest(name, catalogueNames()),
    });
  if (json) {
    terminal.out(JSON.stringify({ event: 'catalogue', name, ...originOf(name) }));
    for (const row of list.rows) terminal.out(JSON.stringify({ event: 'entry', ...row }));
    return EXIT.fine;
  }
  terminal.say(`${name}: ${originText(language, name)}`);
  terminal.out(list.columns.join('\t'));
  for (const row of list.rows) terminal.out(list.columns.map((column) => row[column] ?? '').join('\t'));
  return EXIT.fine;
};
