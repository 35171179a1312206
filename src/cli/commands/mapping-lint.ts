import { loadMapping } from '../../mapping/load.js';
import type { Run } from '../context.js';
import { EXIT } from '../exit-code.js';
import { chooseMapping } from '../mapping-choice.js';
import { say } from '../say.js';

/** `cargue mapping lint FILE`: findings stop the run with their line and column. */
export const run: Run = async ({ terminal, language }, [file]) => {
  await loadMapping(await chooseMapping(file));
  terminal.say(say(language, 'lintFine', { file: file ?? '' }));
  return EXIT.fine;
};
