import { existsSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { stringify } from 'yaml';
import { serviceUrl } from '../../client/address.js';
import type { ProfileFile } from '../../generated/profile-types.js';
import type { Checked } from '../../issues/issue.js';
import { PipelineError, stop } from '../../issues/pipeline-error.js';
import { putInPlace } from '../../report/put-in-place.js';
import type { Context, Run } from '../context.js';
import { EXIT } from '../exit-code.js';
import type { Options } from '../options.js';
import { parseProfile } from '../profile/profile-file.js';
import { profilePath } from '../profile/profile-folder.js';
import { say } from '../say.js';
import { setupValue } from '../setup/setup-value.js';

const taken =
  <T>(read: (text: string) => T) =>
  (text: string): Checked<T> => {
    try {
      return { value: read(text), issues: [] };
    } catch (error) {
      if (!(error instanceof PipelineError)) throw error;
      return { issues: error.issues };
    }
  };

const badOption = (option: string, value: string, expected: string): never =>
  stop('usage', { code: 'run/bad-option', value, params: { option, expected } });

const environment = (text: string): ProfileFile['environment'] =>
  text === 'test' || text === 'production' ? text : badOption('--environment', text, 'test | production');

const nit = (text: string): string =>
  /^\d{5,15}$/.test(text) ? text : badOption('--company', text, 'NIT: 900123456');

/** The address, what stands behind it, and the company: from options or a person. */
async function gather(context: Context, options: Options): Promise<ProfileFile> {
  const url = await setupValue(context, options, {
    option: '--url',
    given: options.url,
    question: 'askProfileUrl',
    expected: 'https://…',
    check: taken((text) => serviceUrl(text).href),
  });
  const which = await setupValue(context, options, {
    option: '--environment',
    given: options.environment,
    question: 'askEnvironment',
    expected: 'test | production',
    check: taken(environment),
  });
  const company = await setupValue(context, options, {
    option: '--company',
    given: options.company,
    question: 'askNit',
    expected: 'NIT',
    check: taken(nit),
  });
  const { companyName, testSet, concurrency, rate, timeout, ca } = options;
  return {
    url,
    environment: which,
    company: { nit: company, ...(companyName !== undefined && { name: companyName }) },
    ...(testSet !== undefined && { test_set: testSet }),
    ...(concurrency !== undefined && { concurrency }),
    ...(rate !== undefined && { rate }),
    ...(timeout !== undefined && { timeouts: { answer: timeout } }),
    ...(ca !== undefined && { ca: resolve(ca) }),
  };
}

/** `cargue profile add NAME`: writes a private file (0600); the token is never an option. */
export const run: Run = async (context, [name = ''], options) => {
  const { terminal, language, workspace, ask } = context;
  const file = profilePath(workspace, name);
  if (existsSync(file)) stop('usage', { code: 'profile/exists', params: { file } });
  const known = await gather(context, options);
  const asks = terminal.interactive && !options.yes;
  const token = asks ? await ask.secret(say(language, 'askProfileToken')) : '';
  const text = stringify({ ...known, ...(token !== '' && { token }) });
  parseProfile(file, text);
  await mkdir(dirname(file), { recursive: true, mode: 0o700 });
  const written = await putInPlace(file, (temporary) => writeFile(temporary, text));
  if (options.json) terminal.out(JSON.stringify({ event: 'profile', profile: name, file: written }));
  terminal.say(say(language, 'profileAdded', { file: written, name }));
  return EXIT.fine;
};
