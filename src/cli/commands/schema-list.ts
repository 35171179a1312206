import { OWN_SCHEMAS, schemaNames } from '../../schema/registry.js';
import type { Run } from '../context.js';
import { EXIT } from '../exit-code.js';

/** `cargue schema list`: one name a line, those of the service first. */
export const run: Run = async ({ terminal }) => {
  for (const name of [...schemaNames(), ...OWN_SCHEMAS]) terminal.out(name);
  return EXIT.fine;
};
