import type { Run } from '../context.js';
import { EXIT } from '../exit-code.js';
import { journalFile, warnOfFolder } from '../journal-access.js';

/** `cargue journal path`: for back-ups, and for the curious. */
export const run: Run = async (context, _args, options) => {
  const path = journalFile(context, options);
  warnOfFolder(context, { ...options, json: false }, path);
  context.terminal.out(path);
  return EXIT.fine;
};
