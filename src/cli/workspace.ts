import { homedir } from 'node:os';
import { join } from 'node:path';

/** Returns the folder of the journals: CARGUE_WORKSPACE, else the platform's user data folder. */
export function workspaceFolder(
  env: Readonly<Record<string, string | undefined>>,
  platform: NodeJS.Platform = process.platform,
  home: string = homedir(),
): string {
  const given = env['CARGUE_WORKSPACE'];
  if (given) return given;
  if (platform === 'win32') return join(env['LOCALAPPDATA'] || join(home, 'AppData', 'Local'), 'cargue');
  if (platform === 'darwin') return join(home, 'Library', 'Application Support', 'cargue');
  return join(env['XDG_DATA_HOME'] || join(home, '.local', 'share'), 'cargue');
}
