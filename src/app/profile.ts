import { existsSync } from 'node:fs';
import { mkdir, readdir, rm, writeFile } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { serviceUrl } from '../client/address.js';
import type { KnownResolution } from '../families/family.js';
import type { ProfileFile } from '../generated/profile-types.js';
import { putInPlace } from '../report/put-in-place.js';
import {
  type Checked,
  hasErrors,
  type Issue,
  type IssueCode,
  issueOf,
  PipelineError,
  refuse,
  stop,
} from '../toolkit/core/issue.js';
import type { JsonObject, JsonValue } from '../toolkit/core/json.js';
import { checkDigit, hasRightDigit, readNit } from '../toolkit/core/nit.js';
import { suggest } from '../toolkit/core/text.js';
import { yaml } from '../toolkit/core/yaml.js';
import {
  type FindingOf,
  mappingIssue,
  readYaml,
  type YamlPath,
  type YamlSource,
} from '../toolkit/mapping/yaml-source.js';
import { checkFileShape, expectedIn, type ShapeFault, schemaJson } from '../toolkit/schema/registry.js';
import { companyName } from './company-name.js';
import type { Context, UseCase } from './context.js';
import { type Environment, environmentWord } from './environment.js';
import { say } from './events.js';
import { readWithRights } from './files.js';
import type { DecisionOptions, SecretOptions, ServiceOptions } from './options.js';
import { confirmed, keptAccess, redact, setupValue, writeAccess } from './secrets.js';

export interface ProfileOptions extends ServiceOptions, SecretOptions, DecisionOptions {
  readonly environment?: Environment;
  readonly companyName?: string;
}

/** Keys whose values nobody may see. */
const SECRET_KEYS: ReadonlySet<string> = new Set(
  Object.entries(schemaJson('profile').properties ?? {})
    .filter(([, { writeOnly }]) => writeOnly === true)
    .map(([key]) => key),
);

type Report = <C extends IssueCode>(path: YamlPath, code: C, ...[finding]: FindingOf<C>) => Issue;

/** Values are never quoted: they may be secrets. */
const reporter =
  (file: string, source: YamlSource): Report =>
  (path, code, ...finding) =>
    mappingIssue(file, source.locate(path, 'key'), code, ...finding);

function shapeIssue(report: Report, { kind, path, key = '', known, expected }: ShapeFault): Issue {
  if (kind === 'unknown-key')
    return report([...path, key], 'profile/unknown-key', {
      value: key,
      suggestions: suggest(key, known, 1),
    });
  if (kind === 'missing-key') return report(path, 'profile/missing-key', { value: key });
  return report(path, 'profile/shape', { params: { key: path.join('.'), ...expectedIn(expected) } });
}

/** What one key says against another, and the address. */
function contradictions(report: Report, profile: ProfileFile): readonly Issue[] {
  const found: Issue[] = [];
  if (profile.environment === 'production' && profile.test_set !== undefined)
    found.push(report(['test_set'], 'profile/test-set-in-production'));
  if (profile.token !== undefined && profile.token_file !== undefined)
    found.push(report(['token_file'], 'profile/two-tokens'));
  const company = profile.company && readNit(profile.company.nit);
  if (company !== undefined && !hasRightDigit(company))
    found.push(
      report(['company', 'nit'], 'run/check-digit', {
        value: profile.company!.nit,
        params: { nit: company.nit, digit: checkDigit(company.nit) },
      }),
    );
  try {
    serviceUrl(profile.url);
  } catch (error) {
    if (!(error instanceof PipelineError)) throw error;
    found.push(
      ...error.issues.map(({ code, value = '' }) => report(['url'], code as 'send/bad-url', { value })),
    );
  }
  return found;
}

/**
 * A profile as its text says it.
 * @throws PipelineError('usage', profile/… with file, line and column)
 */
function parseProfile(file: string, text: string): ProfileFile {
  const name = basename(file);
  const source = readYaml(name, text);
  const report = reporter(name, source);
  // What the parser says may quote the line.
  refuse(source.issues.map(({ place }) => issueOf('profile/yaml', 'error', {}, place)));
  refuse(checkFileShape('profile', source.value).map((fault) => shapeIssue(report, fault)));
  const profile = source.value as unknown as ProfileFile;
  refuse(contradictions(report, profile));
  const { company } = profile;
  return { ...profile, ...(company && { company: { ...company, nit: companyName(company.nit) } }) };
}

const parsed = new Map<string, { readonly text: string; readonly profile: ProfileFile }>();

/** A worker reads the profiles of a thousand companies over and over. */
function parsedOnce(file: string, text: string): ProfileFile {
  const known = parsed.get(file);
  if (known?.text === text) return known.profile;
  const profile = parseProfile(file, text);
  parsed.set(file, { text, profile });
  return profile;
}

const readable = (file: string) =>
  readWithRights(file).catch((error: NodeJS.ErrnoException) =>
    stop('usage', { code: 'profile/not-readable', params: { file, reason: error.code ?? '' } }),
  );

const openToOthers = (file: string): never =>
  stop('usage', { code: 'profile/open-to-others', params: { file } });

async function tokenIn(file: string): Promise<string> {
  const { text, open } = await readable(file);
  if (open) return openToOthers(file);
  const token = text.trim();
  return /^[!-~]+$/.test(token) ? token : stop('usage', { code: 'profile/no-token', params: { file } });
}

const hasSecret = (value: JsonValue): boolean =>
  Object.keys(value as object).some((key) => SECRET_KEYS.has(key));

/**
 * Reads a profile; files that it names come back as paths from here, and the token as it is.
 * @throws PipelineError('usage', profile/…); a file with secrets that others may read is refused
 */
async function loadProfile(file: string): Promise<ProfileFile> {
  const { text, open } = await readable(file);
  const profile = parsedOnce(file, text);
  if (open && hasSecret(profile as unknown as JsonValue)) return openToOthers(file);
  const { token_file: tokenFile, ca, sispro, ...rest } = profile;
  const at = (path: string): string => resolve(dirname(file), path);
  return {
    ...rest,
    ...(ca !== undefined && { ca: at(ca) }),
    ...(sispro !== undefined && { sispro: at(sispro) }),
    ...(tokenFile !== undefined && { token: await tokenIn(at(tokenFile)) }),
  };
}

const SUFFIX = '.yaml';
/** Safe as a file name everywhere, and never a path. */
const NAME = /^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$/;

const profileFolder = (workspace: string): string => join(workspace, 'profiles');

/** Where the profile of a name is, or would be. @throws PipelineError('usage', profile/bad-name) */
function profilePath(workspace: string, name: string): string {
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
async function findProfile(workspace: string, name: string): Promise<string> {
  const file = profilePath(workspace, name);
  if (existsSync(file)) return file;
  return stop('usage', {
    code: 'profile/not-found',
    value: name,
    params: { folder: profileFolder(workspace) },
    suggestions: suggest(name, await profileNames(workspace), 1),
  });
}

/** What a command is called with. */
interface Call<C extends Context, O extends ProfileOptions> {
  readonly context: C;
  readonly options: O;
}

const isGiven = ([, value]: readonly [string, unknown]): boolean => value !== undefined;

/** What a profile says in place of options. */
const optionsOf = ({ company, test_set, concurrency, rate, timeouts }: ProfileFile): ProfileOptions =>
  Object.fromEntries(
    Object.entries({
      company: company?.nit,
      testSet: test_set,
      concurrency,
      rate,
      timeout: timeouts?.answer,
    }).filter(isGiven),
  );

const resolutionOf = ({
  document_type: documentType,
  prefix,
  number,
}: NonNullable<ProfileFile['resolutions']>[number]): KnownResolution => ({ documentType, prefix, number });

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
export async function withProfile<C extends Context, O extends ProfileOptions>({
  context,
  options,
}: Call<C, O>): Promise<Call<C, O>> {
  const name = options.profile ?? context.profileName;
  if (name === undefined) return { context, options };
  const profile = await loadProfile(await findProfile(context.workspace, name));
  const { environment, company, timeouts, ca, sispro, resolutions } = profile;
  const url = options.url ?? context.url ?? profile.url;
  const own = sameAddress(url, profile.url);
  const sameCompany = (options.company ?? company?.nit) === company?.nit;
  if (!own) warnOfAddress(context, name, url);
  const journal = context.journal ?? profile.journal;
  const token = context.token ?? (own ? profile.token : undefined);
  const softwarePin = context.softwarePin ?? (own ? profile.software_pin : undefined);
  return {
    context: {
      ...context,
      url,
      ...(journal !== undefined && { journal }),
      ...(token !== undefined && { token }),
      ...(softwarePin !== undefined && { softwarePin }),
      profile: {
        name,
        own: { company: company?.nit, url: profile.url, ca },
        ...(own && { environment }),
        // Another company than the profile's has another name.
        ...(sameCompany && company?.name !== undefined && { companyName: company.name }),
        ...(timeouts?.connect !== undefined && { connectTimeout: timeouts.connect }),
        ...(own &&
          sameCompany &&
          resolutions !== undefined && { resolutions: resolutions.map(resolutionOf) }),
      },
    },
    options: {
      ...optionsOf(profile),
      ...(own && ca !== undefined && { ca }),
      ...(own && sispro !== undefined && { sispro }),
      ...(Object.fromEntries(Object.entries(options).filter(isGiven)) as unknown as O),
    },
  };
}

/** A call as a profile has it. */
export interface ProfiledCall {
  readonly context: Context;
  readonly options: ProfileOptions;
}

/** A call for each profile of the workspace that can be used; `context` has no address and no secrets of its own. */
export async function profiledCalls(context: Context): Promise<readonly ProfiledCall[]> {
  const calls: ProfiledCall[] = [];
  for (const name of await profileNames(context.workspace))
    try {
      calls.push(await withProfile({ context, options: { profile: name } as ProfileOptions }));
    } catch (error) {
      if (!(error instanceof PipelineError)) throw error;
    }
  return calls;
}

function warnOfAddress({ tell }: Context, profile: string, url: string): void {
  const params = { profile, url: serviceUrl(url).href };
  const issue = { code: 'profile/other-address', level: 'warning', params, place: {} } as const;
  tell({ event: 'remark', issue, brief: true });
}

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
  environmentWord(text) ?? badOption('--environment', text, 'test | production');

const nit = (text: string): string =>
  readNit(text) === undefined ? badOption('--company', text, 'NIT: 900123456') : companyName(text);

/** The address, what stands behind it, and the company: from options or a person. */
async function gather(context: Context, options: ProfileOptions): Promise<ProfileFile> {
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
export const profileAdd: UseCase<ProfileOptions> = async (context, [name = ''], options) => {
  const { workspace } = context;
  const file = profilePath(workspace, name);
  if (existsSync(file)) stop('usage', { code: 'profile/exists', params: { file } });
  const known = await gather(context, options);
  const ask = options.yes ? undefined : context.ask;
  const token = (await ask?.secret({ key: 'askProfileToken' })) ?? '';
  const text = yaml().stringify({ ...known, ...(token !== '' && { token }) });
  parseProfile(file, text);
  await mkdir(dirname(file), { recursive: true, mode: 0o700 });
  const written = await putInPlace(file, (temporary) => writeFile(temporary, text));
  context.tell({ event: 'profile-added', profile: name, file: written });
  say(context, 'profileAdded', { file: written, name });
  return 'fine';
};

type KeyPath = readonly [string, ...string[]];

/** Sets what a profile says anew; a blank value is taken away, and what else the file says stays as it is written. */
async function rewrite(file: string, changes: readonly (readonly [KeyPath, string])[]): Promise<string> {
  const { text, open } = await readable(file);
  const profile = parseProfile(file, text);
  if (open && hasSecret(profile as unknown as JsonValue)) openToOthers(file);
  const document = yaml().parseDocument(text);
  for (const [path, value] of changes)
    if (value === '') document.deleteIn(path);
    else document.setIn(path, value);
  const changed = document.toString();
  parseProfile(file, changed);
  return putInPlace(file, (temporary) => writeFile(temporary, changed));
}

/** `cargue profile change NAME`: what the options say anew; a token that is typed takes the place of the one before. */
export const profileChange: UseCase<ProfileOptions> = async (context, [name = ''], options) => {
  const file = await findProfile(context.workspace, name);
  const ask = options.yes ? undefined : context.ask;
  const token = (await ask?.secret({ key: 'askNewToken' })) ?? '';
  const { url, environment: which, company, companyName, testSet, sispro } = options;
  const given: readonly (readonly [KeyPath, string | undefined])[] = [
    [['url'], url],
    [['environment'], which],
    [['company', 'nit'], company && nit(company)],
    [['company', 'name'], companyName],
    [['test_set'], testSet],
    [['sispro'], sispro && resolve(sispro)],
    [['token'], token || undefined],
    [['token_file'], token && ''],
  ];
  const changes = given.flatMap(([path, value]) => (value === undefined ? [] : [[path, value] as const]));
  const written = await rewrite(file, changes);
  context.tell({ event: 'profile-added', profile: name, file: written });
  say(context, 'profileChanged', { file: written, name });
  return 'fine';
};

/** `cargue profile remove NAME`: the access that is kept beside it goes too; the journal stays. */
export const profileRemove: UseCase<ProfileOptions> = async (context, [name = ''], options) => {
  const file = await findProfile(context.workspace, name);
  if (!(await confirmed(context, options, { key: 'askProfileRemove', params: { name } }))) return 'fine';
  for (const one of [file, accessFile(file)]) await rm(one, { force: true });
  say(context, 'profileRemoved', { file });
  return 'fine';
};

const accessFile = (profile: string): string => `${profile.slice(0, -SUFFIX.length)}.sispro${SUFFIX}`;

/**
 * Keeps the access to the authority in a private file beside the profile, which names it from then on; what is not
 * given stays as it was.
 * @throws PipelineError('usage', profile/… or document/…), never quoting a value
 */
export async function keepAccess(context: Context, name: string, given: JsonObject): Promise<void> {
  const profile = await findProfile(context.workspace, name);
  const file = accessFile(profile);
  await writeAccess(context, file, given);
  await rewrite(profile, [[['sispro'], basename(file)]]);
}

/** What the access kept beside a profile says, but its password; undefined where there is none. */
export async function accessOf(context: Context, name: string): Promise<JsonObject | undefined> {
  const file = accessFile(await findProfile(context.workspace, name));
  return existsSync(file) ? keptAccess(context, file) : undefined;
}

/** One profile a line; one that cannot be used says why, and the others are shown all the same. */
async function tellProfile({ tell, workspace }: Context, name: string): Promise<boolean> {
  try {
    const { environment, url, company } = await loadProfile(profilePath(workspace, name));
    tell({ event: 'profile', profile: name, environment, url, company: company?.nit ?? null });
    return true;
  } catch (error) {
    if (!(error instanceof PipelineError)) throw error;
    for (const issue of error.issues) tell({ event: 'remark', issue });
    return !hasErrors(error.issues);
  }
}

/** `cargue profile list` */
export const profileList: UseCase<ProfileOptions> = async (context) => {
  const { workspace } = context;
  const names = await profileNames(workspace);
  if (names.length === 0) say(context, 'noProfiles', { folder: profileFolder(workspace) });
  let fine = true;
  for (const name of names) fine = (await tellProfile(context, name)) && fine;
  return fine ? 'fine' : 'usage';
};

/** `cargue profile show NAME`: what holds, its files as whole paths, its secrets hidden. */
export const profileShow: UseCase<ProfileOptions> = async ({ tell, workspace }, [name = '']) => {
  const file = await findProfile(workspace, name);
  const shown = redact((await loadProfile(file)) as unknown as JsonValue, (key) => SECRET_KEYS.has(key));
  tell({ event: 'profile-shown', profile: name, file, content: shown as JsonObject });
  return 'fine';
};
