import { basename } from 'node:path';
import { useLoadedTables } from '../../catalogue/catalogue.js';
import { publishedTable, publishedTables } from '../../catalogue/published-tables.js';
import { storeTable } from '../../catalogue/table-store.js';
import { stop } from '../../issues/pipeline-error.js';
import { suggest } from '../../values/similar.js';
import { loadPublished, remarksOn } from '../catalogue/load-published.js';
import { tableFolder } from '../catalogue/table-folder.js';
import type { Run } from '../context.js';
import { EXIT } from '../exit-code.js';
import { createIssuePrinter } from '../issue-printer.js';
import { say } from '../say.js';

/** `cargue catalogue import FILE --as TABLE`: a published table, from now on used by lookups and rules. */
export const run: Run = async (context, [file = ''], { as = '', json = false }) => {
  const { terminal, language } = context;
  const names = publishedTables().map(({ name }) => name);
  const table = publishedTable(as);
  if (table === undefined)
    return stop('usage', {
      code: 'run/bad-option',
      value: as,
      params: { option: '--as', expected: names.join(' | ') },
      suggestions: suggest(as, names),
    });
  const read = await loadPublished(file, table);
  const printer = createIssuePrinter(terminal, { json, mask: (issue) => issue });
  for (const issue of remarksOn(read, table)) printer.print(issue);
  printer.finish();
  const folder = tableFolder(context.workspace);
  const from = { kind: 'file', source: basename(file) } as const;
  const { origin, isNew } = storeTable(folder, read.table, from, context.now());
  useLoadedTables(folder);
  if (json) terminal.out(JSON.stringify({ event: 'catalogue', name: as, isNew, ...origin }));
  else {
    const { rows, source } = origin;
    terminal.say(say(language, isNew ? 'tableLoaded' : 'tableSame', { table: as, rows, source }));
  }
  return EXIT.fine;
};
