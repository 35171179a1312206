import { schemaNames } from '../../schema/registry.js';
import type { Run } from '../context.js';
import { EXIT } from '../exit-code.js';

/** `cargue schema list`: one name a line. */
export const run: Run = async ({ terminal }) => {
  for (const name of schemaNames()) terminal.out(name);
  return EXIT.fine;
};
