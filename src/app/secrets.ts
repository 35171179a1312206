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
import type { Ask, Context } from './context.js';
import { say } from './events.js';
import { readWithRights } from './files.js';
import { familiesOf } from './job.js';
import type { DecisionOptions, SecretOptions, ServiceOptions } from './options.js';

/** Times that a person is asked for the same. */
const TRIES = 3;

/**
 * The option's value; else a person's answer, asked again while it will not do; with `--yes`, or where nobody is
 * there, what is known.
 * @throws PipelineError('usage') for a value that will not do, or setup/needs-value where there is none
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
    if (tries === TRIES) return valueOrStop(checked);
    for (const issue of checked.issues) context.tell({ event: 'remark', issue });
  }
}

const valueOrStop = <T>({ value, issues }: Checked<T>): T => {
  if (value === undefined) throw new PipelineError('usage', issues);
  return value;
};

/** Nobody can answer a question. */
export const needsYes = ({ language }: Context, question: Message): never =>
  stop('usage', {
    code: 'run/needs-yes',
    params: { question: wordingFor(language, (next) => `cargue ${next}`)(question) },
  });

/**
 * Whether to go on: `--yes`, or a person's yes to the question.
 * @throws PipelineError('usage', run/needs-yes) where nobody can answer
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

/** Whether a member of that name is a secret. */
type IsSecret = (name: string) => boolean;

/** By the names, and patterns of names, that some schema marks `writeOnly`: PIN, passwords. */
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

/** The secrets that a body holds, as text, longest first. */
export function secretsIn(value: JsonValue, isSecret: IsSecret): readonly string[] {
  if (typeof value !== 'object' || value === null) return [];
  const found = Object.entries(value).flatMap(([name, inner]) =>
    isSecret(name) && ['string', 'number'].includes(typeof inner)
      ? [String(inner)]
      : secretsIn(inner, isSecret),
  );
  return found.filter((secret) => secret !== '').sort((a, b) => b.length - a.length);
}

/** Of the secrets of one call; made once, since every text of an answer is looked through. */
const hidersOf = remember((secrets: readonly string[]) => secrets.map(secretHider));

/** Text without the secrets that it repeats, however it writes them. */
export function redactText(text: string, secrets: readonly string[]): string {
  return hidersOf(secrets).reduce((clean, hide) => hide(clean, HIDDEN), text);
}

/** The same for the beginning of a longer text, which may have been cut in the middle of a secret. */
export function redactExcerpt(text: string, secrets: readonly string[]): string {
  const clean = redactText(text, secrets);
  for (const secret of secrets)
    for (let length = secret.length - 1; length >= 2; length--)
      if (clean.endsWith(secret.slice(0, length))) return clean.slice(0, -length) + HIDDEN;
  return clean;
}

/**
 * A copy in which the value of every secret name is hidden, however deep, and the given secrets wherever they
 * stand: the service echoes what it was told, under names of its own and in sentences.
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

/**
 * The company's token: from CARGUE_TOKEN, else asked where a person is there to answer.
 * @throws PipelineError('usage', run/needs-token)
 */
export async function companyToken(context: Context): Promise<string> {
  if (context.token !== undefined) return context.token;
  const typed = await context.ask?.secret({ key: 'askToken' });
  return !typed ? stop('usage', { code: 'run/needs-token' }) : typed;
}

/** The set-up of the one service whose software signs. */
export async function softwareSetup(context: Context): Promise<SoftwareSetup | undefined> {
  const setups = await capabilities(familiesOf(context), 'setup');
  return setups.flatMap(({ software }) => software ?? [])[0];
}

/** What is wrong with a PIN of the software, which is never part of what is said about it. */
async function pinFaults(context: Context, pin: string): Promise<readonly Issue[]> {
  const software = await softwareSetup(context);
  if (software === undefined) return [];
  return fieldIssues(software.pin.schema, software.pin.member, pin).map(({ value, ...issue }) => issue);
}

async function checked(context: Context, pin: string): Promise<string> {
  const issues = await pinFaults(context, pin);
  refuse(issues);
  return pin;
}

async function fromFile(file: string): Promise<string> {
  const { text, open } = await readWithRights(file).catch((error: NodeJS.ErrnoException) =>
    stop('usage', { code: 'setup/pin-file', params: { reason: error.code ?? '' } }),
  );
  return open ? stop('usage', { code: 'setup/open-pin-file', value: file }) : text.trim();
}

/** Typed twice: a wrong PIN would only show in the rejection of every document. */
async function typedTwice(context: Context, ask: Ask): Promise<string> {
  for (let tries = 1; ; tries++) {
    const pin = await ask.secret({ key: 'askPin' });
    const faults = await pinFaults(context, pin);
    const issues =
      faults.length > 0
        ? faults
        : (await ask.secret({ key: 'askPinAgain' })) === pin
          ? []
          : [{ code: 'setup/pins-differ', level: 'error', params: {}, place: {} } as const];
    if (issues.length === 0) return pin;
    if (tries === TRIES) throw new PipelineError('usage', issues);
    for (const issue of issues) context.tell({ event: 'remark', issue });
  }
}

/**
 * The PIN of the software where nobody has to be asked: from a private file or CARGUE_SOFTWARE_PIN.
 * @throws PipelineError('usage', setup/open-pin-file, setup/pin-file, document/format-pin)
 */
export async function givenPin(context: Context, { pinFile }: SecretOptions): Promise<string | undefined> {
  const pin = pinFile === undefined ? context.softwarePin : await fromFile(pinFile);
  return pin === undefined ? undefined : checked(context, pin);
}

const badNit = (option: string, value: string): never =>
  stop('usage', { code: 'run/bad-option', value, params: { option, expected: 'NIT: 900123456' } });

/**
 * Returns the NIT of the employer where nobody has to be asked: from `--nit`, CARGUE_NIT, or the company's name if that is
 * one.
 * @throws PipelineError('usage', run/bad-option)
 */
export function givenNit({ nit }: Context, options: SecretOptions & ServiceOptions): string | undefined {
  if (options.nit !== undefined) return nitOf(options.nit) ?? badNit('--nit', options.nit);
  if (nit !== undefined) return nitOf(nit) ?? badNit('CARGUE_NIT', nit);
  return options.company === undefined ? undefined : nitOf(options.company);
}

/** PIN and NIT that prove to whom a code belongs, as far as they are known. */
export interface ProofSecrets {
  readonly softwarePin?: string;
  readonly nit?: string;
}

/**
 * Asks for what a proof lacks, once: it is only tried on codes that are there.
 * @returns undefined where nothing usable is said; then what is known already is no more use than before
 */
export async function askedToProve(
  { ask, ...context }: Context,
  { count, lacks }: Unproven,
): Promise<ProofSecrets | undefined> {
  if (ask === undefined) return undefined;
  const params = { count: String(count) };
  const pin = lacks.includes('pin') ? await ask.secret({ key: 'askPinToProve', params }) : undefined;
  if (pin !== undefined && (pin === '' || (await pinFaults(context, pin)).length > 0)) return undefined;
  const nit = lacks.includes('nit') ? nitOf(await ask.text({ key: 'askNitToProve', params })) : undefined;
  if (lacks.includes('nit') && nit === undefined) return undefined;
  return { ...(pin !== undefined && { softwarePin: pin }), ...(nit !== undefined && { nit }) };
}

/**
 * The PIN of the software: from a private file, CARGUE_SOFTWARE_PIN or a person; never an argument.
 * @throws PipelineError('usage', setup/needs-pin, setup/open-pin-file, setup/pin-file, document/format-pin)
 */
export async function softwarePin(context: Context, options: SecretOptions): Promise<string> {
  const given = await givenPin(context, options);
  if (given !== undefined) return given;
  return context.ask ? typedTwice(context, context.ask) : stop('usage', { code: 'setup/needs-pin' });
}

/** What a file says of an access to the authority. */
interface GivenAccess {
  readonly kind: Access;
  readonly values: JsonObject;
}

/** Of an option that names a file, its members. The reason of a file that cannot be parsed is not told: it would quote the line. */
async function membersOf(file: string, { unreadable }: Access): Promise<JsonObject> {
  const refuse = (reason: string): never => stop('usage', { ...unreadable(reason), value: file });
  const { text, open } = await readWithRights(file).catch((error: NodeJS.ErrnoException) =>
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
 * The access to the authority of `--sispro`, as its family's schema has it. The password may come from
 * CARGUE_SISPRO_PASSWORD or a person instead; a file that holds it is private. Undefined without the option, and for documents that no authority is logged in for.
 * @throws PipelineError('usage', send/health-access-file, send/needs-sispro-password, document/…), never quoting a value
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

/** The access to the authority in a private file; what is not given stays as the file had it. */
export async function writeAccess(context: Context, file: string, given: JsonObject): Promise<void> {
  const kind = await accessKind(context);
  if (kind === undefined) return stop('usage', { code: 'run/not-sendable' });
  const before = existsSync(file) ? await membersOf(file, kind) : {};
  const text = yaml().stringify(checkedAccess(kind, { ...before, ...given }, file));
  await putInPlace(file, (temporary) => writeFile(temporary, text));
}

/** What such a file says, but its secrets. */
export async function keptAccess(context: Context, file: string): Promise<JsonObject | undefined> {
  const kind = await accessKind(context);
  if (kind === undefined) return undefined;
  const isSecret = secretNames();
  const members = Object.entries(await membersOf(file, kind)).filter(([name]) => !isSecret(name));
  return Object.fromEntries(members);
}

/** Stores the access in the service. @throws PipelineError('service') with what the service said, never with what it was sent */
export async function storeAccess(
  context: Context,
  client: Client,
  access: GivenAccess | undefined,
): Promise<void> {
  if (access === undefined) return;
  const reply = await access.kind.store(client, access.values);
  if (reply.kind === 'done') return say(context, access.kind.done);
  const issues = 'issues' in reply ? reply.issues : 'issue' in reply ? [reply.issue] : [];
  if (issues.length > 0) throw new PipelineError('service', issues);
  stop('service', { code: 'service/throttled' });
}
