import { serviceUrl } from '../../client/address.js';
import type { ProfileFile } from '../../generated/profile-types.js';
import type { Context } from '../context.js';
import { issueLine } from '../issue-line.js';
import type { Options } from '../options.js';
import { loadProfile } from './profile-file.js';
import { findProfile } from './profile-folder.js';

/** What a command is called with. */
export interface Call {
  readonly context: Context;
  readonly options: Options;
}

const isGiven = ([, value]: readonly [string, unknown]): boolean => value !== undefined;

/** What a profile says in place of options. */
const optionsOf = ({ company, test_set, concurrency, rate, timeouts }: ProfileFile): Options =>
  Object.fromEntries(
    Object.entries({
      company: company?.nit,
      testSet: test_set,
      concurrency,
      rate,
      timeout: timeouts?.answer,
    }).filter(isGiven),
  );

const sameAddress = (one: string, other: string): boolean => {
  const [first, second] = [one, other].map((url) => serviceUrl(url).href.replace(/\/+$/, ''));
  return first === second;
};

/**
 * The call with what the profile of `--profile` or CARGUE_PROFILE adds: options go first, then the environment, then
 * the profile. Token, PIN, certificates and environment of a profile hold for its own address alone: no secret goes to
 * another one.
 * @throws PipelineError('usage', profile/…)
 */
export async function withProfile({ context, options }: Call): Promise<Call> {
  const name = options.profile ?? context.profileName;
  if (name === undefined) return { context, options };
  const profile = await loadProfile(await findProfile(context.workspace, name));
  const { environment, company, timeouts, ca } = profile;
  const url = options.url ?? context.url ?? profile.url;
  const own = sameAddress(url, profile.url);
  if (!own) warnOfAddress(context, name, url);
  const token = context.token ?? (own ? profile.token : undefined);
  const softwarePin = context.softwarePin ?? (own ? profile.software_pin : undefined);
  return {
    context: {
      ...context,
      url,
      ...(token !== undefined && { token }),
      ...(softwarePin !== undefined && { softwarePin }),
      profile: {
        name,
        own: { company: company?.nit, url: profile.url, ca },
        ...(own && { environment }),
        // Another company than the profile's has another name.
        ...((options.company ?? company?.nit) === company?.nit &&
          company?.name !== undefined && { companyName: company.name }),
        ...(timeouts?.connect !== undefined && { connectTimeout: timeouts.connect }),
      },
    },
    options: {
      ...optionsOf(profile),
      ...(own && ca !== undefined && { ca }),
      ...Object.fromEntries(Object.entries(options).filter(isGiven)),
    },
  };
}

function warnOfAddress({ terminal, language }: Context, profile: string, url: string): void {
  const params = { profile, url: serviceUrl(url).href };
  const line = issueLine({ code: 'profile/other-address', level: 'warning', params, place: {} }, language);
  terminal.say(terminal.paint('yellow', '! ') + line);
}
