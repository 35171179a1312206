import { openApi } from '../../schema/registry.js';
import type { Run } from '../context.js';
import { EXIT } from '../exit-code.js';

/** `cargue schema openapi`: every operation of the service. */
export const run: Run = async ({ terminal }) => {
  terminal.out(JSON.stringify(openApi(), undefined, 2));
  return EXIT.fine;
};
