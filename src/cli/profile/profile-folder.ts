import { existsSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { stop } from '../../issues/pipeline-error.js';
import { suggest } from '../../values/similar.js';

const SUFFIX = '.yaml';
/** Safe as a file name everywhere, and never a path. */
const NAME = /^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$/;

export const profileFolder = (workspace: string): string => join(workspace, 'profiles');

/** Where the profile of a name is, or would be. @throws PipelineError('usage', profile/bad-name) */
export function profilePath(workspace: string, name: string): string {
  if (!NAME.test(name)) stop('usage', { code: 'profile/bad-name', value: name });
  return join(profileFolder(workspace), name + SUFFIX);
}

/** Names of the profiles of a workspace, in order; none where there is no folder. */
export async function profileNames(workspace: string): Promise<readonly string[]> {
  const files = await readdir(profileFolder(workspace)).catch(() => []);
  return files
    .filter((file) => file.endsWith(SUFFIX))
    .map((file) => file.slice(0, -SUFFIX.length))
    .filter((name) => NAME.test(name))
    .sort();
}

/** The file of a profile that is there. @throws PipelineError('usage', profile/bad-name or profile/not-found) */
export async function findProfile(workspace: string, name: string): Promise<string> {
  const file = profilePath(workspace, name);
  if (existsSync(file)) return file;
  return stop('usage', {
    code: 'profile/not-found',
    value: name,
    params: { folder: profileFolder(workspace) },
    suggestions: suggest(name, await profileNames(workspace), 1),
  });
}
