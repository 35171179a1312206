import type { Run } from '../context.js';
import { EXIT } from '../exit-code.js';
import { journalFile } from '../journal-access.js';

/** `cargue journal path`: for back-ups, and for the curious. */
export const run: Run = async (context, _args, options) => {
  context.terminal.out(journalFile(context, options));
  return EXIT.fine;
};
