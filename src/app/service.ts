import { readFile } from 'node:fs/promises';
import { issueLine } from '../cli/issue-printer.js';
import type { Options } from '../cli/options.js';
import { formatCount, type Phrase, say } from '../cli/texts.js';
import { isLoopback, proxyFor, serviceUrl } from '../client/address.js';
import { type Client, createClient } from '../client/client.js';
import { type Issue, PipelineError, stop } from '../core/issue.js';
import type { JsonObject, JsonValue } from '../core/json.js';
import { type Hider, secretHider } from '../core/secret-hider.js';
import { configureHealthAccess, type HealthAccess } from '../families/rips/answer.js';
import type { SchemaName } from '../generated/schema-types.js';
import { readYaml } from '../mapping/yaml-source.js';
import type { Draft } from '../schema/document.js';
import {
  childKeys,
  isList,
  leafKind,
  resolveNode,
  type SchemaNode,
  schemaJson,
  schemaNames,
} from '../schema/registry.js';
import { validate } from '../schema/validate.js';
import type { Totals } from '../send/kind.js';
import type { NumberRange } from '../send/numbering.js';
import type { Context, Environment } from './context.js';
import { readWithRights } from './files.js';
import { formatMoney } from './job.js';
import { companyOf } from './journal-access.js';
import { fieldIssues, TRIES } from './setup.js';

/**
 * Address of the service, from `--url` or CARGUE_URL, checked but not called.
 * @throws PipelineError('usage', run/needs-url or send/bad-url or send/insecure-url)
 */
export function serviceAddress(context: Context, options: Options): URL {
  const given = options.url ?? context.url;
  if (given === undefined) return stop('usage', { code: 'run/needs-url' });
  return serviceUrl(given);
}

/**
 * The company's token: from CARGUE_TOKEN, else asked where a person is there to answer.
 * @throws PipelineError('usage', run/needs-token)
 */
export async function companyToken(context: Context): Promise<string> {
  if (context.token !== undefined) return context.token;
  const { terminal, language } = context;
  const typed = terminal.interactive ? await context.ask.secret(say(language, 'askToken')) : '';
  return typed === '' ? stop('usage', { code: 'run/needs-token' }) : typed;
}

/**
 * Whether to go on: `--yes`, or a person's yes to the question.
 * @throws PipelineError('usage', run/needs-yes) where nobody can answer
 */
export async function confirmed(context: Context, options: Options, question: string): Promise<boolean> {
  if (options.yes) return true;
  if (!context.terminal.interactive) return stop('usage', { code: 'run/needs-yes' });
  return context.ask.yes(question);
}

/** Beyond this machine, nothing happens without a yes. */
export const isElsewhere = (url: URL): boolean => !isLoopback(url.hostname);

async function readCa(file: string): Promise<string> {
  const refuse = (reason: string): never =>
    stop('usage', { code: 'run/ca-file', params: { reason }, value: file });
  const pem = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => refuse(error.code ?? ''));
  return pem.includes('-----BEGIN CERTIFICATE-----') ? pem : refuse('PEM');
}

/**
 * A client for the service as options, profile and token say; a person is asked for the token where it is missing.
 * @throws PipelineError('usage', run/ca-file, run/needs-token, send/bad-token, run/bad-proxy)
 */
export async function clientFor(context: Context, options: Options, url: URL): Promise<Client> {
  const { concurrency, timeout } = options;
  const { connectTimeout } = context.profile ?? {};
  const proxy = proxyFor(url, context.proxies ?? {});
  const ca = options.ca === undefined ? undefined : await readCa(options.ca);
  return createClient({
    url: url.href,
    token: await companyToken(context),
    ...(proxy !== undefined && { proxy }),
    ...(concurrency !== undefined && { maxConnections: concurrency }),
    ...(timeout !== undefined && { timeoutMs: timeout * 1_000 }),
    ...(connectTimeout !== undefined && { connectTimeoutMs: connectTimeout * 1_000 }),
    ...(ca !== undefined && { ca }),
  });
}

/** As the profile says; without its word, what goes to another machine and to no test set is taken for final. */
export const environmentOf = ({ profile }: Context, url: URL, testSet: string | undefined): Environment =>
  profile?.environment ?? (testSet === undefined && isElsewhere(url) ? 'production' : 'test');

/** Where documents go, in one line: environment and test set. */
export const targetText = (context: Context, url: URL, testSet: string | undefined): string => {
  const { language } = context;
  const environment = say(language, environmentOf(context, url, testSet));
  return testSet === undefined
    ? say(language, 'direct', { environment })
    : say(language, 'testSet', { environment, testSet });
};

/** `Comercial Andina SAS (900123456)` */
export function companyText({ profile }: Context, options: Options): string {
  const company = companyOf(options);
  return profile?.companyName === undefined ? company : `${profile.companyName} (${company})`;
}

/** `Neto: 1.750.905,00` of each figure, where there are any. */
const totalsText = ({ language }: Context, totals: Totals): string =>
  Object.entries(totals)
    .map(([name, amount]) =>
      say(language, name as Phrase, { amount: formatMoney(amount, language) }).replaceAll(/\s+/g, ' '),
    )
    .join(', ');

export interface Leaving {
  readonly url: URL;
  /** Documents. */
  readonly count: number;
  readonly totals: Totals;
}

/**
 * The yes before documents become final: it names company, environment, count and amounts. `--yes` stands in only
 * where nobody is there to be asked, and `--partial` is about errors alone.
 * @throws PipelineError('usage', run/needs-yes) where nobody can answer
 */
export async function productionConfirmed(
  context: Context,
  options: Options,
  { url, count, totals }: Leaving,
): Promise<boolean> {
  const { terminal, language, ask } = context;
  if (!terminal.interactive) return options.yes === true || stop('usage', { code: 'run/needs-yes' });
  const amounts = totalsText(context, totals);
  return ask.yes(
    say(language, 'askProduction', {
      count: formatCount(count, language),
      company: companyText(context, options),
      service: url.host,
      totals: amounts === '' ? '' : ` ${amounts}.`,
    }),
  );
}

/** A PIN is never part of what is said about it. */
const faults = (pin: string): readonly Issue[] =>
  fieldIssues('payroll/software', 'pinpayroll', pin).map(({ value, ...issue }) => issue);

function checked(pin: string): string {
  const issues = faults(pin);
  if (issues.length > 0) throw new PipelineError('usage', issues);
  return pin;
}

async function fromFile(file: string): Promise<string> {
  const { text, open } = await readWithRights(file).catch((error: NodeJS.ErrnoException) =>
    stop('usage', { code: 'setup/pin-file', params: { reason: error.code ?? '' } }),
  );
  return open ? stop('usage', { code: 'setup/open-pin-file', value: file }) : text.trim();
}

/** Typed twice: a wrong PIN would only show in the rejection of every document. */
async function typedTwice({ terminal, language, ask }: Context): Promise<string> {
  for (let tries = 1; ; tries++) {
    const pin = await ask.secret(say(language, 'askPin'));
    const issues =
      faults(pin).length > 0
        ? faults(pin)
        : (await ask.secret(say(language, 'askPinAgain'))) === pin
          ? []
          : [{ code: 'setup/pins-differ', level: 'error', params: {}, place: {} } as const];
    if (issues.length === 0) return pin;
    if (tries === TRIES) throw new PipelineError('usage', issues);
    for (const issue of issues) terminal.say(terminal.paint('red', '✗ ') + issueLine(issue, language));
  }
}

/**
 * The PIN of the payroll software where nobody has to be asked: from a private file or CARGUE_SOFTWARE_PIN.
 * @throws PipelineError('usage', setup/open-pin-file, setup/pin-file, document/format-pin)
 */
export async function givenPin({ softwarePin }: Context, { pinFile }: Options): Promise<string | undefined> {
  if (pinFile !== undefined) return checked(await fromFile(pinFile));
  return softwarePin === undefined ? undefined : checked(softwarePin);
}

/**
 * Asks for the PIN, once: it is only tried on codes that are there. Undefined when nothing is said, or no PIN.
 */
export async function pinToProve({ ask, language }: Context, count: number): Promise<string | undefined> {
  const pin = await ask.secret(say(language, 'askPinToProve', { count }));
  return pin === '' || faults(pin).length > 0 ? undefined : pin;
}

/**
 * The PIN of the payroll software: from a private file, CARGUE_SOFTWARE_PIN or a person; never an argument.
 * @throws PipelineError('usage', setup/needs-pin, setup/open-pin-file, setup/pin-file, document/format-pin)
 */
export async function softwarePin(context: Context, options: Options): Promise<string> {
  const given = await givenPin(context, options);
  if (given !== undefined) return given;
  return context.terminal.interactive ? typedTwice(context) : stop('usage', { code: 'setup/needs-pin' });
}

const refuse = (file: string, reason: string): never =>
  stop('usage', { code: 'send/health-access-file', params: { reason }, value: file });

/** The reason of a file that cannot be parsed is not told: it would quote the line. */
function parsed(file: string, text: string): Record<string, unknown> {
  const { value, issues } = readYaml(file, text);
  if (issues.length > 0) return refuse(file, 'YAML');
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return refuse(file, 'key: value');
  return value as Record<string, unknown>;
}

async function passwordOf({ sisproPassword, terminal, language, ask }: Context): Promise<string> {
  if (sisproPassword !== undefined) return sisproPassword;
  const typed = terminal.interactive ? await ask.secret(say(language, 'askSisproPassword')) : '';
  return typed === '' ? stop('usage', { code: 'send/needs-sispro-password' }) : typed;
}

/**
 * The access to SISPRO of `--sispro`: four members of schemas/rips/configuration. The password may come from
 * CARGUE_SISPRO_PASSWORD or a person instead; a file that holds it is private. Undefined without the option.
 * @throws PipelineError('usage', send/health-access-file, send/needs-sispro-password, document/…), never quoting a value
 */
export async function sisproAccess(
  context: Context,
  { sispro: file }: Options,
): Promise<HealthAccess | undefined> {
  if (file === undefined) return undefined;
  const { text, open } = await readWithRights(file).catch((error: NodeJS.ErrnoException) =>
    refuse(file, error.code ?? ''),
  );
  const given = parsed(file, text);
  if (given['password'] !== undefined && open) return refuse(file, '0600');
  const access = { ...given, password: given['password'] ?? (await passwordOf(context)) };
  const issues = validate('rips/configuration', 'strict', access);
  if (issues.length > 0)
    throw new PipelineError(
      'usage',
      issues.map(({ value, ...issue }) => issue),
    );
  return access as unknown as HealthAccess;
}

/** Stores the access in the service. @throws PipelineError('service') with what the service said, never with what it was sent */
export async function storeSisproAccess(
  { terminal, language }: Context,
  client: Client,
  access: HealthAccess | undefined,
): Promise<void> {
  if (access === undefined) return;
  const reply = await configureHealthAccess(client, access);
  if (reply.kind === 'done') return terminal.say(say(language, 'sisproStored'));
  const issues = 'issues' in reply ? reply.issues : 'issue' in reply ? [reply.issue] : [];
  if (issues.length > 0) throw new PipelineError('service', issues);
  stop('service', { code: 'service/throttled' });
}

/** How many ranges are named: a cell of a workbook takes 32,767 characters, a person far less. */
const NAMED = 60;

/** `NOM7–NOM9, NOM12` */
export function rangesText(ranges: readonly NumberRange[]): string {
  const named = ranges
    .slice(0, NAMED)
    .map(({ prefix, from, to }) => (from === to ? `${prefix}${from}` : `${prefix}${from}–${prefix}${to}`));
  return named.join(', ') + (ranges.length > NAMED ? ` … (+${ranges.length - NAMED})` : '');
}

type Mark = 'x-series' | 'x-assigned';

/** The leaves of a schema with a mark, lists left out, as keys on the way to each: `consecutive`, `document` `note_number`. */
function pathsTo(
  mark: Mark,
  schema: SchemaName,
  above: readonly string[] = [],
): readonly (readonly string[])[] {
  const node = resolveNode(schema, above);
  if (node === undefined || isList(node)) return [];
  if (node[mark] === true) return [above];
  return leafKind(node) !== undefined
    ? []
    : childKeys(node).flatMap((key) => pathsTo(mark, schema, [...above, key]));
}

/** Top-level leaves that a schema marks as a number series: `consecutive`. */
export const seriesKeys = (schema: SchemaName): readonly string[] =>
  pathsTo('x-series', schema).flatMap(([key, ...more]) =>
    key === undefined || more.length > 0 ? [] : [key],
  );

function withValue(document: JsonObject, [key, ...rest]: readonly string[], value: JsonValue): JsonObject {
  if (key === undefined) return document;
  const inner = document[key];
  const part = typeof inner === 'object' && inner !== null && !Array.isArray(inner) ? inner : {};
  const said = rest.length === 0 ? value : withValue(part, rest, value);
  return value === null && rest.length === 0 ? { [key]: null, ...document } : { ...document, [key]: said };
}

/**
 * Fills number series in order of the documents, each prefix counting by itself from the parameter `first_<leaf>`,
 * or from 1; a series of texts reads `<leaf>_prefix` and the number in `<leaf>_width` digits. Ids that the service will give are null.
 * For `convert` only: what is sent gets its numbers from the journal.
 */
export function createNumbering(params: Readonly<Record<string, unknown>>): (draft: Draft) => JsonObject {
  const next = new Map<string, number>();
  const paths = new Map<SchemaName, Readonly<Record<Mark, ReturnType<typeof pathsTo>>>>();
  const written = (schema: SchemaName, path: readonly string[], number: number): JsonValue => {
    const node = resolveNode(schema, path);
    if (node === undefined || leafKind(node) !== 'text') return number;
    const leaf = path.at(-1);
    const digits = String(number).padStart(Number(params[`${leaf}_width`] ?? 1), '0');
    return String(params[`${leaf}_prefix`] ?? '') + digits;
  };
  return ({ schema, document }) => {
    let known = paths.get(schema);
    if (known === undefined) {
      known = { 'x-series': pathsTo('x-series', schema), 'x-assigned': pathsTo('x-assigned', schema) };
      paths.set(schema, known);
    }
    const whole = known['x-assigned'].reduce((made, path) => withValue(made, path, null), document);
    return known['x-series'].reduce<JsonObject>((numbered, path) => {
      const series = `${path.join('/')} ${String(document['prefix'] ?? '')}`;
      const number = next.get(series) ?? Number(params[`first_${path.at(-1)}`] ?? 1);
      next.set(series, number + 1);
      return withValue(numbered, path, written(schema, path, number));
    }, whole);
  };
}

const HIDDEN = '•••';

/** Whether a member of that name is a secret. */
export type IsSecret = (name: string) => boolean;

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
const hiders = new WeakMap<readonly string[], readonly Hider[]>();

/** Text without the secrets that it repeats, however it writes them. */
export function redactText(text: string, secrets: readonly string[]): string {
  const known = hiders.get(secrets) ?? secrets.map(secretHider);
  hiders.set(secrets, known);
  return known.reduce((clean, hide) => hide(clean, HIDDEN), text);
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
