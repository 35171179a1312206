import { stringify } from 'yaml';
import type { JsonValue } from '../../values/json.js';
import type { Run } from '../context.js';
import { EXIT } from '../exit-code.js';
import { loadProfile, SECRET_KEYS } from '../profile/profile-file.js';
import { findProfile } from '../profile/profile-folder.js';
import { redact } from '../redact.js';

/** `cargue profile show NAME`: what holds, its files as whole paths, its secrets hidden. */
export const run: Run = async ({ terminal, workspace }, [name = ''], { json }) => {
  const file = await findProfile(workspace, name);
  const shown = redact((await loadProfile(file)) as unknown as JsonValue, (key) => SECRET_KEYS.has(key));
  if (json) terminal.out(JSON.stringify({ event: 'profile', profile: name, file, ...(shown as object) }));
  else {
    terminal.out(`# ${file}`);
    terminal.out(stringify(shown).trimEnd());
  }
  return EXIT.fine;
};
