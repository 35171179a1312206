import { existsSync } from 'node:fs';
import { mkdir, readdir, rm, stat, writeFile } from 'node:fs/promises';
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
import { badOption } from './bad-option.js';
import { companyName } from './company-name.js';
import type { Context, UseCase } from './context.js';
import { type Environment, environmentWord } from './environment.js';
import { emitMessage } from './events.js';
import { readWithRights, refuseNoFolder } from './files.js';
import type { DecisionOptions, SecretOptions, ServiceOptions } from './options.js';
import { confirmed, readAccess, redact, setupValue, writeAccess } from './secrets.js';

export interface ProfileOptions extends ServiceOptions, SecretOptions, DecisionOptions {
  readonly environment?: Environment;
  readonly companyName?: string;
  /** Folder that the page watches; blank for none. */
  readonly inbox?: string;
  /** Event that the inbox sends without a question. */
  readonly inboxSend?: '030' | 'none';
}

const SECRET_KEYS: ReadonlySet<string> = new Set(
  Object.entries(schemaJson('profile').properties ?? {})
    .filter(([, { writeOnly }]) => writeOnly === true)
    .map(([key]) => key),
);

type Report = <C extends IssueCode>(path: YamlPath, code: C, ...[finding]: FindingOf<C>) => Issue;

/** Creates issues without values, which may be secrets. */
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

/** Returns issues for keys that conflict with each other, and for a bad URL. */
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
        ...(profile.company && { value: profile.company.nit }),
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

/** Parses and checks a profile. @throws PipelineError('usage', profile/… with file, line and column) */
function parseProfile(file: string, text: string): ProfileFile {
  const name = basename(file);
  const source = readYaml(name, text);
  const report = reporter(name, source);
  // Parser messages may quote the line.
  refuse(source.issues.map(({ place }) => issueOf('profile/yaml', 'error', {}, place)));
  refuse(checkFileShape('profile', source.value).map((fault) => shapeIssue(report, fault)));
  const profile = source.value as unknown as ProfileFile;
  refuse(contradictions(report, profile));
  const { company } = profile;
  return { ...profile, ...(company && { company: { ...company, nit: companyName(company.nit) } }) };
}

const parsed = new Map<string, { readonly text: string; readonly profile: ProfileFile }>();

/** Caches profiles by text, since a worker reads thousands of them repeatedly. */
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

/** Reads a secret from a separate file. @throws PipelineError('usage', profile/…), also if others may read it */
export async function secretIn(file: string): Promise<string> {
  const { text, isOpenToOthers: open } = await readable(file);
  if (open) return openToOthers(file);
  const token = text.trim();
  return /^[!-~]+$/.test(token) ? token : stop('usage', { code: 'profile/no-token', params: { file } });
}

const hasSecret = (value: JsonValue): boolean =>
  Object.keys(value as object).some((key) => SECRET_KEYS.has(key));

/**
 * Reads a profile; paths in it become absolute and its token file is read.
 * @throws PipelineError('usage', profile/…), also if a file with secrets is readable by others
 */
async function loadProfile(file: string): Promise<ProfileFile> {
  const { text, isOpenToOthers: open } = await readable(file);
  const profile = parsedOnce(file, text);
  if (open && hasSecret(profile as unknown as JsonValue)) return openToOthers(file);
  const { token_file: tokenFile, ca, sispro, inbox, ...rest } = profile;
  const at = (path: string): string => resolve(dirname(file), path);
  return {
    ...rest,
    ...(ca !== undefined && { ca: at(ca) }),
    ...(sispro !== undefined && { sispro: at(sispro) }),
    ...(inbox !== undefined && { inbox: { ...inbox, folder: at(inbox.folder) } }),
    ...(tokenFile !== undefined && { token: await secretIn(at(tokenFile)) }),
  };
}

const SUFFIX = '.yaml';
/** Valid profile names: file names on every system, never a path. */
const NAME = /^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$/;

const profileFolder = (workspace: string): string => join(workspace, 'profiles');

/** Returns the path of a profile, which may not exist. @throws PipelineError('usage', profile/bad-name) */
function profilePath(workspace: string, name: string): string {
  if (!NAME.test(name)) stop('usage', { code: 'profile/bad-name', value: name });
  return join(profileFolder(workspace), name + SUFFIX);
}

export async function profileNames(workspace: string): Promise<readonly string[]> {
  const files = await readdir(profileFolder(workspace)).catch(() => []);
  return files
    .filter((file) => file.endsWith(SUFFIX))
    .map((file) => file.slice(0, -SUFFIX.length))
    .filter((name) => NAME.test(name))
    .sort();
}

/** Returns the file of an existing profile. @throws PipelineError('usage', profile/bad-name or profile/not-found) */
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

interface Call<C extends Context, O extends ProfileOptions> {
  readonly context: C;
  readonly options: O;
}

const isGiven = ([, value]: readonly [string, unknown]): boolean => value !== undefined;

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

const sameAddress = (a: string, b: string): boolean => {
  const [first, second] = [a, b].map((url) => serviceUrl(url).href.replace(/\/+$/, ''));
  return first === second;
};

/**
 * Adds the profile of `--profile` or CARGUE_PROFILE to a call: options take precedence, then the environment, then
 * the profile. Its token, PIN, certificates and environment are used only at its own address, so no secret goes to
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
  const { environment, company, timeouts, ca, sispro, resolutions, inbox } = profile;
  const url = options.url ?? context.url ?? profile.url;
  const isOwnAddress = sameAddress(url, profile.url);
  const sameCompany = (options.company ?? company?.nit) === company?.nit;
  if (!isOwnAddress) warnOfAddress(context, name, url);
  const journal = context.journal ?? profile.journal;
  const token = context.token ?? (isOwnAddress ? profile.token : undefined);
  const softwarePin = context.softwarePin ?? (isOwnAddress ? profile.software_pin : undefined);
  return {
    context: {
      ...context,
      url,
      ...(journal !== undefined && { journal }),
      ...(token !== undefined && { token }),
      ...(softwarePin !== undefined && { softwarePin }),
      profile: {
        name,
        stored: { company: company?.nit, url: profile.url, ca },
        ...(isOwnAddress && { environment }),
        // Another company has another name.
        ...(sameCompany && company?.name !== undefined && { companyName: company.name }),
        ...(timeouts?.connect !== undefined && { connectTimeout: timeouts.connect }),
        ...(isOwnAddress &&
          sameCompany &&
          resolutions !== undefined && { resolutions: resolutions.map(resolutionOf) }),
        ...(isOwnAddress && sameCompany && inbox?.send !== undefined && { inboxSends: inbox.send }),
      },
    },
    options: {
      ...optionsOf(profile),
      ...(isOwnAddress && ca !== undefined && { ca }),
      ...(isOwnAddress && sispro !== undefined && { sispro }),
      ...(Object.fromEntries(Object.entries(options).filter(isGiven)) as unknown as O),
    },
  };
}

export interface ProfiledCall {
  readonly context: Context;
  readonly options: ProfileOptions;
}

/** Returns a call for each usable profile of the workspace; `context` must have no address and no secrets. */
export async function profiledCalls(
  context: Context,
  isWanted = (_profile: string): boolean => true,
): Promise<readonly ProfiledCall[]> {
  const calls: ProfiledCall[] = [];
  for (const name of (await profileNames(context.workspace)).filter(isWanted))
    try {
      calls.push(await withProfile({ context, options: { profile: name } as ProfileOptions }));
    } catch (error) {
      if (!(error instanceof PipelineError)) throw error;
    }
  return calls;
}

/** Folder from which the page takes a company's files. */
interface WatchedFolder {
  readonly profile: string;
  readonly folder: string;
}

/** Lists the folders of the usable profiles. */
export async function watchedFolders({
  workspace,
}: Pick<Context, 'workspace'>): Promise<readonly WatchedFolder[]> {
  const folders: WatchedFolder[] = [];
  for (const profile of await profileNames(workspace)) {
    const { inbox } = await loadProfile(profilePath(workspace, profile)).catch(() => NO_INBOX);
    if (inbox !== undefined) folders.push({ profile, folder: inbox.folder });
  }
  return folders;
}

/** Returns what changes with any file of the profiles. */
export async function profilesMark(workspace: string): Promise<string> {
  const marks = (await profileNames(workspace)).map(async (name) => {
    const file = await stat(profilePath(workspace, name)).catch(() => undefined);
    return [name, file?.mtimeMs, file?.size].join(' ');
  });
  return (await Promise.all(marks)).join('\n');
}

const NO_INBOX: Pick<ProfileFile, 'inbox'> = {};

function warnOfAddress({ tell }: Context, profile: string, url: string): void {
  const params = { profile, url: serviceUrl(url).href };
  const issue = { code: 'profile/other-address', level: 'warning', params, place: {} } as const;
  tell({ event: 'remark', issue, brief: true });
}

const checkedBy =
  <T>(read: (text: string) => T) =>
  (text: string): Checked<T> => {
    try {
      return { value: read(text), issues: [] };
    } catch (error) {
      if (!(error instanceof PipelineError)) throw error;
      return { issues: error.issues };
    }
  };

const environment = (text: string): ProfileFile['environment'] =>
  environmentWord(text) ?? badOption('--environment', text, 'test | production');

const nit = (text: string): string =>
  readNit(text) === undefined ? badOption('--company', text, 'NIT: 900123456') : companyName(text);

/** Collects address, environment and company, from options or the user. */
async function gather(context: Context, options: ProfileOptions): Promise<ProfileFile> {
  const url = await setupValue(context, options, {
    option: '--url',
    given: options.url,
    question: 'askProfileUrl',
    expected: 'https://…',
    check: checkedBy((text) => serviceUrl(text).href),
  });
  const which = await setupValue(context, options, {
    option: '--environment',
    given: options.environment,
    question: 'askEnvironment',
    expected: 'test | production',
    check: checkedBy(environment),
  });
  const company = await setupValue(context, options, {
    option: '--company',
    given: options.company,
    question: 'askNit',
    expected: 'NIT',
    check: checkedBy(nit),
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

/** `cargue profile add NAME`: writes a profile with mode 0600; the token is never an option. */
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
  emitMessage(context, 'profileAdded', { file: written, name });
  return 'fine';
};

type KeyPath = readonly [string, ...string[]];

/** Changes values of a profile and leaves the rest of its text unchanged; a blank value removes the key. */
async function rewrite(file: string, changes: readonly (readonly [KeyPath, JsonValue])[]): Promise<string> {
  const { text, isOpenToOthers: open } = await readable(file);
  const profile = parseProfile(file, text);
  if (open && hasSecret(profile as unknown as JsonValue)) openToOthers(file);
  const document = yaml().parseDocument(text);
  for (const [path, value] of changes)
    if (value === '') document.deleteIn(path);
    else document.setIn(path, document.createNode(value));
  const changed = document.toString();
  parseProfile(file, changed);
  return putInPlace(file, (temporary) => writeFile(temporary, changed));
}

/** Returns the inbox to write; blank to remove it, undefined to leave it. @throws PipelineError('usage', inbox/no-folder) */
async function inboxOf(file: string, { inbox, inboxSend }: ProfileOptions): Promise<JsonValue | undefined> {
  if (inbox === '' || (inbox ?? inboxSend) === undefined) return inbox;
  const before = (await loadProfile(file)).inbox;
  const folder = inbox === undefined ? (before?.folder ?? '') : resolve(inbox);
  await refuseNoFolder(folder);
  const send = inboxSend === undefined ? before?.send : inboxSend === 'none' ? undefined : [inboxSend];
  return { folder, ...(send !== undefined && { send: [...send] }) };
}

/** `cargue profile change NAME`: replaces the values given as options; a typed token replaces the earlier one. */
export const profileChange: UseCase<ProfileOptions> = async (context, [name = ''], options) => {
  const file = await findProfile(context.workspace, name);
  const ask = options.yes ? undefined : context.ask;
  const token = (await ask?.secret({ key: 'askNewToken' })) ?? '';
  const { url, environment: which, company, companyName, testSet, sispro } = options;
  const given: readonly (readonly [KeyPath, JsonValue | undefined])[] = [
    [['url'], url],
    [['environment'], which],
    [['company', 'nit'], company && nit(company)],
    [['company', 'name'], companyName],
    [['test_set'], testSet],
    [['sispro'], sispro && resolve(sispro)],
    [['inbox'], await inboxOf(file, options)],
    [['token'], token || undefined],
    [['token_file'], token && ''],
  ];
  const changes = given.flatMap(([path, value]) => (value === undefined ? [] : [[path, value] as const]));
  const written = await rewrite(file, changes);
  context.tell({ event: 'profile-added', profile: name, file: written });
  emitMessage(context, 'profileChanged', { file: written, name });
  return 'fine';
};

/** `cargue profile remove NAME`: deletes a profile and its SISPRO login; the journal stays. */
export const profileRemove: UseCase<ProfileOptions> = async (context, [name = ''], options) => {
  const file = await findProfile(context.workspace, name);
  if (!(await confirmed(context, options, { key: 'askProfileRemove', params: { name } }))) return 'fine';
  for (const path of [file, accessFile(file)]) await rm(path, { force: true });
  emitMessage(context, 'profileRemoved', { file });
  return 'fine';
};

const accessFile = (profile: string): string => `${profile.slice(0, -SUFFIX.length)}.sispro${SUFFIX}`;

/**
 * Stores the SISPRO login with mode 0600 next to the profile, which refers to it; absent members are unchanged.
 * @throws PipelineError('usage', profile/… or document/…), which never quotes a value
 */
export async function storeProfileAccess(context: Context, name: string, given: JsonObject): Promise<void> {
  const profile = await findProfile(context.workspace, name);
  const file = accessFile(profile);
  await writeAccess(context, file, given);
  await rewrite(profile, [[['sispro'], basename(file)]]);
}

/** Returns the profile's SISPRO login without its password, or undefined if none is stored. */
export async function accessOf(context: Context, name: string): Promise<JsonObject | undefined> {
  const file = accessFile(await findProfile(context.workspace, name));
  return existsSync(file) ? readAccess(context, file) : undefined;
}

/** Emits a profile, or why it cannot be used; returns false for errors. */
async function emitProfile({ tell, workspace }: Context, name: string): Promise<boolean> {
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

/** `cargue profile list`: emits each profile of the workspace. */
export const profileList: UseCase<ProfileOptions> = async (context) => {
  const { workspace } = context;
  const names = await profileNames(workspace);
  if (names.length === 0) emitMessage(context, 'noProfiles', { folder: profileFolder(workspace) });
  let fine = true;
  for (const name of names) fine = (await emitProfile(context, name)) && fine;
  return fine ? 'fine' : 'usage';
};

/** `cargue profile show NAME`: emits a profile with absolute paths and without secrets. */
export const profileShow: UseCase<ProfileOptions> = async ({ tell, workspace }, [name = '']) => {
  const file = await findProfile(workspace, name);
  const shown = redact((await loadProfile(file)) as unknown as JsonValue, (key) => SECRET_KEYS.has(key));
  tell({ event: 'profile-shown', profile: name, file, content: shown as JsonObject });
  return 'fine';
};
