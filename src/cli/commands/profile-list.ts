import { hasErrors } from '../../issues/issue.js';
import { PipelineError } from '../../issues/pipeline-error.js';
import type { Context, Run } from '../context.js';
import { EXIT } from '../exit-code.js';
import { issueLine } from '../issue-line.js';
import { loadProfile } from '../profile/profile-file.js';
import { profileFolder, profileNames, profilePath } from '../profile/profile-folder.js';
import { say } from '../say.js';

/** One profile a line; one that cannot be used says why, and the others are shown all the same. */
async function tell(
  { terminal, language, workspace }: Context,
  name: string,
  json: boolean,
): Promise<boolean> {
  try {
    const { environment, url, company } = await loadProfile(profilePath(workspace, name));
    if (json)
      terminal.out(
        JSON.stringify({ event: 'profile', profile: name, environment, url, company: company?.nit ?? null }),
      );
    else terminal.out([name, environment, company?.nit ?? '–', url].join('\t'));
    return true;
  } catch (error) {
    if (!(error instanceof PipelineError)) throw error;
    for (const issue of error.issues) terminal.say(terminal.paint('red', '✗ ') + issueLine(issue, language));
    return !hasErrors(error.issues);
  }
}

/** `cargue profile list` */
export const run: Run = async (context, _args, { json }) => {
  const { terminal, language, workspace } = context;
  const names = await profileNames(workspace);
  if (names.length === 0) terminal.say(say(language, 'noProfiles', { folder: profileFolder(workspace) }));
  let fine = true;
  for (const name of names) fine = (await tell(context, name, json === true)) && fine;
  return fine ? EXIT.fine : EXIT.usage;
};
