import { catalogueNames } from '../../catalogue/catalogue.js';
import { publishedTables } from '../../catalogue/published-tables.js';
import { originOf, originText } from '../catalogue/shown-origin.js';
import type { Run } from '../context.js';
import { EXIT } from '../exit-code.js';

/** `cargue catalogue list`: each list with its origin and version, parted by a tab; tables that could be loaded among them. */
export const run: Run = async ({ terminal, language }, _args, { json }) => {
  const names = new Set([...catalogueNames(), ...publishedTables().map(({ name }) => name)]);
  for (const name of [...names].sort())
    terminal.out(
      json
        ? JSON.stringify({ event: 'catalogue', name, ...originOf(name) })
        : `${name}\t${originText(language, name)}`,
    );
  return EXIT.fine;
};
