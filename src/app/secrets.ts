import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { basename } from 'node:path';
import type { Client } from '../client/client.js';
import type { Access, Family, SetupValue, SoftwareSetup } from '../families/family.js';
import { capabilities, capability } from '../families/registry.js';
import { putInPlace } from '../report/put-in-place.js';
import { nitOf } from '../send/runs.js';
import type { Unproven } from '../send/send.js';
import { type Checked, type Issue, PipelineError, refuse, stop } from '../toolkit/core/issue.js';
import { isObject, type JsonObject, type JsonValue } from '../toolkit/core/json.js';
import { remember } from '../toolkit/core/remember.js';
import { secretHider } from '../toolkit/core/secret-hider.js';
import { yaml } from '../toolkit/core/yaml.js';
import { readYaml } from '../toolkit/mapping/yaml-source.js';
import { type Message, wordingFor } from '../toolkit/messages/texts.js';
import { type SchemaNode, schemaJson, schemaNames } from '../toolkit/schema/registry.js';
import { fieldIssues, validate } from '../toolkit/schema/validate.js';
import { badOption } from './bad-option.js';
import type { Ask, Context } from './context.js';
import { emitMessage } from './events.js';
import { readWithRights } from './files.js';
import { familiesOf } from './job.js';
import type { DecisionOptions, SecretOptions, ServiceOptions } from './options.js';

/** Max prompts for the same value. */
const MAX_TRIES = 3;

/**
 * Returns the option's value, else the user's answer, asked again while it is invalid; with `--yes` or without a
 * user, the known value.
 * @throws PipelineError('usage') for an invalid value, setup/needs-value if there is none
 */
export async function setupValue<T>(
  context: Context,
  { yes }: DecisionOptions,
  wanted: SetupValue<T>,
): Promise<T> {
  const { given, known, option, expected, check } = wanted;
  if (given !== undefined) return valueOrStop(check(given));
  if (context.ask && !(yes && known !== undefined)) return typed(context, context.ask, wanted);
  if (known !== undefined) return valueOrStop(check(known));
  return stop('usage', { code: 'setup/needs-value', params: { option, expected } });
}

async function typed<T>(context: Context, ask: Ask, { question, known, check }: SetupValue<T>): Promise<T> {
  const prompt: Message =
    known === undefined
      ? { key: 'prompt', params: { question: { key: question } } }
      : { key: 'promptKnown', params: { question: { key: question }, known } };
  for (let tries = 1; ; tries++) {
    const answer = await ask.text(prompt);
    const checked = check(answer === '' ? (known ?? '') : answer);
    if (checked.value !== undefined) return checked.value;
    if (tries === MAX_TRIES) return valueOrStop(checked);
    for (const issue of checked.issues) context.tell({ event: 'remark', issue: ofAnswer(issue) });
  }
}

/** Turns the issue of an option into that of an answer; the question shows the valid answers. */
const ofAnswer = (issue: Issue): Issue =>
  issue.code === 'run/bad-option' ? { ...issue, code: 'run/bad-answer', params: {} } : issue;

const valueOrStop = <T>({ value, issues }: Checked<T>): T => {
  if (value === undefined) throw new PipelineError('usage', issues);
  return value;
};

/**
 * Throws because a confirmation is needed and there is no user to ask.
 * @throws PipelineError('usage', run/needs-yes)
 */
export const needsYes = ({ language }: Context, question: Message): never =>
  stop('usage', {
    code: 'run/needs-yes',
    params: { question: wordingFor(language, (next) => `cargue ${next}`)(question) },
  });

/**
 * Returns true with `--yes` or if the user confirms.
 * @throws PipelineError('usage', run/needs-yes) if there is no user to ask
 */
export async function confirmed(
  context: Context,
  options: DecisionOptions,
  question: Message,
  typed?: string,
): Promise<boolean> {
  if (options.yes) return true;
  return context.ask === undefined ? needsYes(context, question) : context.ask.confirm(question, typed);
}

const HIDDEN = '•••';

/** Tests whether a member of this name is a secret. */
type IsSecret = (name: string) => boolean;

/** Creates a test for names, and patterns of names, that a schema marks `writeOnly`. */
export function secretNames(): IsSecret {
  const names = new Set<string>();
  const patterns = new Set<string>();
  const visit = (node: unknown): void => {
    if (typeof node !== 'object' || node === null) return;
    const { properties = {}, patternProperties = {} } = node as SchemaNode;
    for (const [name, property] of Object.entries(properties)) if (property.writeOnly) names.add(name);
    for (const [pattern, property] of Object.entries(patternProperties as Record<string, SchemaNode>))
      if (property.writeOnly) patterns.add(pattern);
    for (const inner of Object.values(node)) visit(inner);
  };
  for (const name of schemaNames()) visit(schemaJson(name));
  const forms = [...patterns].map((pattern) => new RegExp(pattern, 'u'));
  return (name) => names.has(name) || forms.some((form) => form.test(name));
}

/** Returns the secrets in a body as text, longest first. */
export function secretsIn(value: JsonValue, isSecret: IsSecret): readonly string[] {
  if (typeof value !== 'object' || value === null) return [];
  const found = Object.entries(value).flatMap(([name, inner]) =>
    isSecret(name) && ['string', 'number'].includes(typeof inner)
      ? [String(inner)]
      : secretsIn(inner, isSecret),
  );
  return found.filter((secret) => secret !== '').sort((a, b) => b.length - a.length);
}

/** Creates the hiders of a call's secrets; cached, as they run on each text of a response. */
const hidersOf = remember((secrets: readonly string[]) => secrets.map(secretHider));

/** Removes secrets from a text, in any spelling. */
export function redactText(text: string, secrets: readonly string[]): string {
  return hidersOf(secrets).reduce((clean, hide) => hide(clean, HIDDEN), text);
}

/** Removes secrets from the start of a longer text, also one cut in the middle. */
export function redactExcerpt(text: string, secrets: readonly string[]): string {
  const clean = redactText(text, secrets);
  for (const secret of secrets)
    for (let length = secret.length - 1; length >= 2; length--)
      if (clean.endsWith(secret.slice(0, length))) return clean.slice(0, -length) + HIDDEN;
  return clean;
}

/**
 * Copies a value with secret members hidden at any depth, and the given secrets wherever they occur: the service
 * repeats them under other names and in sentences.
 */
export function redact(value: JsonValue, isSecret: IsSecret, secrets: readonly string[] = []): JsonValue {
  if (Array.isArray(value)) return value.map((item) => redact(item, isSecret, secrets));
  if (typeof value === 'string') return redactText(value, secrets);
  if (typeof value === 'number') return secrets.includes(String(value)) ? HIDDEN : value;
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [
      key,
      isSecret(key) && inner !== null ? HIDDEN : redact(inner, isSecret, secrets),
    ]),
  );
}

/** Returns the company's token from CARGUE_TOKEN or a prompt. @throws PipelineError('usage', run/needs-token) */
export async function companyToken(context: Context): Promise<string> {
  if (context.token !== undefined) return context.token;
  const typed = await context.ask?.secret({ key: 'askToken' });
  return !typed ? stop('usage', { code: 'run/needs-token' }) : typed;
}

/** Returns the software setup of the service that signs, if any. */
export async function softwareSetup(context: Context): Promise<SoftwareSetup | undefined> {
  const setups = await capabilities(familiesOf(context), 'setup');
  return setups.flatMap(({ software }) => software ?? [])[0];
}

/** Returns the issues of a software PIN; they never contain it. */
async function pinIssues(context: Context, pin: string): Promise<readonly Issue[]> {
  const software = await softwareSetup(context);
  if (software === undefined) return [];
  return fieldIssues(software.pin.schema, software.pin.member, pin).map(({ value, ...issue }) => issue);
}

async function checked(context: Context, pin: string): Promise<string> {
  const issues = await pinIssues(context, pin);
  refuse(issues);
  return pin;
}

async function fromFile(file: string): Promise<string> {
  const { text, isOpenToOthers: open } = await readWithRights(file).catch((error: NodeJS.ErrnoException) =>
    stop('usage', { code: 'setup/pin-file', params: { reason: error.code ?? '' } }),
  );
  return open ? stop('usage', { code: 'setup/open-pin-file', value: file }) : text.trim();
}

/** Asks twice: a wrong PIN would show only when every document is rejected. */
async function typedTwice(context: Context, ask: Ask): Promise<string> {
  for (let tries = 1; ; tries++) {
    const pin = await ask.secret({ key: 'askPin' });
    const invalid = await pinIssues(context, pin);
    const issues =
      invalid.length > 0
        ? invalid
        : (await ask.secret({ key: 'askPinAgain' })) === pin
          ? []
          : [{ code: 'setup/pins-differ', level: 'error', params: {}, place: {} } as const];
    if (issues.length === 0) return pin;
    if (tries === MAX_TRIES) throw new PipelineError('usage', issues);
    for (const issue of issues) context.tell({ event: 'remark', issue });
  }
}

/**
 * Returns the software PIN from a private file or CARGUE_SOFTWARE_PIN, without a prompt.
 * @throws PipelineError('usage', setup/open-pin-file, setup/pin-file, document/format-pin)
 */
export async function givenPin(context: Context, { pinFile }: SecretOptions): Promise<string | undefined> {
  const pin = pinFile === undefined ? context.softwarePin : await fromFile(pinFile);
  return pin === undefined ? undefined : checked(context, pin);
}

const badNit = (option: string, value: string): never => badOption(option, value, 'NIT: 900123456');

/**
 * Returns the employer's NIT without a prompt: from `--nit`, CARGUE_NIT, or the company if it is a NIT.
 * @throws PipelineError('usage', run/bad-option)
 */
export function givenNit({ nit }: Context, options: SecretOptions & ServiceOptions): string | undefined {
  if (options.nit !== undefined) return nitOf(options.nit) ?? badNit('--nit', options.nit);
  if (nit !== undefined) return nitOf(nit) ?? badNit('CARGUE_NIT', nit);
  return options.company === undefined ? undefined : nitOf(options.company);
}

/** PIN and NIT that prove whose an acceptance code is, as far as known. */
export interface ProofSecrets {
  readonly softwarePin?: string;
  readonly nit?: string;
}

/** Asks once for the values a proof still needs. @returns undefined if no usable value is given */
export async function askForProof(
  { ask, ...context }: Context,
  { count, lacks }: Unproven,
): Promise<ProofSecrets | undefined> {
  if (ask === undefined) return undefined;
  const params = { count: String(count) };
  const pin = lacks.includes('pin') ? await ask.secret({ key: 'askPinToProve', params }) : undefined;
  if (pin !== undefined && (pin === '' || (await pinIssues(context, pin)).length > 0)) return undefined;
  const nit = lacks.includes('nit') ? nitOf(await ask.text({ key: 'askNitToProve', params })) : undefined;
  if (lacks.includes('nit') && nit === undefined) return undefined;
  return { ...(pin !== undefined && { softwarePin: pin }), ...(nit !== undefined && { nit }) };
}

/**
 * Returns the software PIN from a private file, CARGUE_SOFTWARE_PIN or a prompt; it is never an argument.
 * @throws PipelineError('usage', setup/needs-pin, setup/open-pin-file, setup/pin-file, document/format-pin)
 */
export async function softwarePin(context: Context, options: SecretOptions): Promise<string> {
  const given = await givenPin(context, options);
  if (given !== undefined) return given;
  return context.ask ? typedTwice(context, context.ask) : stop('usage', { code: 'setup/needs-pin' });
}

/** Login at the authority, from a file. */
interface GivenAccess {
  readonly kind: Access;
  readonly values: JsonObject;
}

/** Reads the members of a login file. The parser's message is not passed on, as it would quote the line. */
async function membersOf(file: string, { unreadable }: Access): Promise<JsonObject> {
  const refuse = (reason: string): never => stop('usage', { ...unreadable(reason), value: file });
  const { text, isOpenToOthers: open } = await readWithRights(file).catch((error: NodeJS.ErrnoException) =>
    refuse(error.code ?? ''),
  );
  const { value, issues } = readYaml(file, text);
  if (issues.length > 0) return refuse('YAML');
  if (!isObject(value)) return refuse('key: value');
  return value['password'] !== undefined && open ? refuse('0600') : value;
}

async function passwordOf({ sisproPassword, ask }: Context, { password }: Access): Promise<string> {
  if (sisproPassword !== undefined) return sisproPassword;
  const typed = await ask?.secret({ key: password.question });
  return !typed ? stop('usage', password.needs) : typed;
}

/**
 * Returns the login of `--sispro` as its family's schema defines it; the password may come from
 * CARGUE_SISPRO_PASSWORD or a prompt. Undefined without the option, or if the documents need no login.
 * @throws PipelineError('usage', send/health-access-file, send/needs-sispro-password, document/…), which never quotes
 * a value
 */
export async function authorityAccess(
  context: Context,
  family: Family,
  { sispro: file }: SecretOptions,
): Promise<GivenAccess | undefined> {
  const kind = file === undefined ? undefined : (await capability(family, 'setup'))?.access;
  if (file === undefined || kind === undefined) return undefined;
  const given = await membersOf(file, kind);
  const values = { ...given, password: given['password'] ?? (await passwordOf(context, kind)) };
  return { kind, values: checkedAccess(kind, values, file) };
}

async function accessKind(context: Context): Promise<Access | undefined> {
  const setups = await capabilities(familiesOf(context), 'setup');
  return setups.flatMap(({ access }) => access ?? [])[0];
}

function checkedAccess({ schema }: Access, values: JsonObject, file: string): JsonObject {
  const issues = validate(schema, 'strict', values).map(({ value, place: { pointer }, ...issue }) => ({
    ...issue,
    place: { file: basename(file), ...(pointer !== undefined && { pointer, json: pointer }) },
  }));
  refuse(issues);
  return values;
}

/** Writes the login to a private file; absent members keep their values. */
export async function writeAccess(context: Context, file: string, given: JsonObject): Promise<void> {
  const kind = await accessKind(context);
  if (kind === undefined) return stop('usage', { code: 'run/not-sendable' });
  const before = existsSync(file) ? await membersOf(file, kind) : {};
  const text = yaml().stringify(checkedAccess(kind, { ...before, ...given }, file));
  await putInPlace(file, (temporary) => writeFile(temporary, text));
}

/** Returns a login file without its secrets. */
export async function readAccess(context: Context, file: string): Promise<JsonObject | undefined> {
  const kind = await accessKind(context);
  if (kind === undefined) return undefined;
  const isSecret = secretNames();
  const members = Object.entries(await membersOf(file, kind)).filter(([name]) => !isSecret(name));
  return Object.fromEntries(members);
}

/** Stores the login in the service. @throws PipelineError('service') with the response, never with what was sent */
export async function storeAccess(
  context: Context,
  client: Client,
  access: GivenAccess | undefined,
): Promise<void> {
  if (access === undefined) return;
  const reply = await access.kind.store(client, access.values);
  if (reply.kind === 'done') return emitMessage(context, access.kind.done);
  const issues = 'issues' in reply ? reply.issues : 'issue' in reply ? [reply.issue] : [];
  if (issues.length > 0) throw new PipelineError('service', issues);
  stop('service', { code: 'service/throttled' });
}
