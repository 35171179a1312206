import { catalogueNames } from '../../catalogue/catalogue.js';
import type { Run } from '../context.js';
import { EXIT } from '../exit-code.js';

/** `cargue catalogue list`: one name a line. */
export const run: Run = async ({ terminal }) => {
  for (const name of catalogueNames()) terminal.out(name);
  return EXIT.fine;
};
