import { catalogue, catalogueNames } from '../../catalogue/catalogue.js';
import { stop } from '../../issues/pipeline-error.js';
import { suggest } from '../../values/similar.js';
import type { Run } from '../context.js';
import { EXIT } from '../exit-code.js';

/** `cargue catalogue show NAME`: its rows, columns parted by tabs. */
export const run: Run = async ({ terminal }, [name = '']) => {
  const list = catalogue(name);
  if (list === undefined)
    return stop('usage', {
      code: 'run/unknown-name',
      value: name,
      params: { list: 'catalogue list' },
      suggestions: suggest(name, catalogueNames()),
    });
  terminal.out(list.columns.join('\t'));
  for (const row of list.rows) terminal.out(list.columns.map((column) => row[column] ?? '').join('\t'));
  return EXIT.fine;
};
