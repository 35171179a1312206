import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Client } from '../client/client.js';
import type {
  IrreversibleChange,
  KnownResolution,
  SetupFact,
  SetupPlan,
  SoftwareSetup,
} from '../families/family.js';
import type { OperationId } from '../generated/operations.js';
import { notWritable, putInPlace } from '../report/put-in-place.js';
import type { KnownRange } from '../send/kind.js';
import { readReply, reasonOf } from '../send/verdict.js';
import { type Issue, mapParams, PipelineError, stop } from '../toolkit/core/issue.js';
import type { JsonObject } from '../toolkit/core/json.js';
import type { PlainPhrase } from '../toolkit/messages/texts.js';
import type { Context, Outcome, UseCase } from './context.js';
import { emitIssues, emitMessage } from './events.js';
import { journalFile } from './journal-access.js';
import { companyText, type DecisionOptions, type SecretOptions, type ServiceOptions } from './options.js';
import { confirmed, redactText, setupValue, softwarePin, softwareSetup } from './secrets.js';
import { clientFor, isRemote, serviceAddress } from './service.js';

export interface SetupOptions extends ServiceOptions, SecretOptions, DecisionOptions {
  readonly softwareId?: string;
  readonly payrollAddress?: string;
  readonly invoiceAddress?: string;
  readonly changeAddress?: boolean;
  readonly documentType?: string;
  readonly prefix?: string;
  readonly firstNumber?: number;
  readonly lastNumber?: number;
  readonly resolutionNumber?: string;
  readonly replaceAll?: boolean;
}

/**
 * Stores a setting with one request and returns the service's response, secrets included. Errors hold only sentences,
 * without the secrets.
 * @throws PipelineError('input', setup/refused) · PipelineError('service', setup/unconfirmed or service/…)
 */
async function configure(
  client: Client,
  operation: OperationId,
  body: JsonObject,
  secrets: readonly string[] = [],
): Promise<JsonObject> {
  const answer = await client.call(operation, { bodyText: JSON.stringify(body) });
  const reply = readReply(
    answer,
    (shown) => (shown['success'] === false ? undefined : shown),
    'setup/refused',
  );
  const clean = (issue: Issue): Issue =>
    mapParams(issue, (_, value) => (typeof value === 'string' ? redactText(value, secrets) : value));
  switch (reply.kind) {
    case 'done':
      return reply.value;
    case 'refused':
      throw new PipelineError('input', reply.issues.map(clean));
    case 'refused-for-all':
      throw new PipelineError('service', [clean(reply.issue)]);
    case 'throttled':
      throw new PipelineError('service', [
        { code: 'service/throttled', level: 'error', params: {}, place: {} },
      ]);
    default: {
      const params = { reason: reply.kind === 'unknown' ? reasonOf(reply.issue) : '' };
      throw new PipelineError('service', [{ code: 'setup/unconfirmed', level: 'error', params, place: {} }]);
    }
  }
}

type Plan = SetupPlan & { readonly url: URL };

/** Emits what the call will change. */
function emitPlan(context: Context, options: SetupOptions, { url, lines, warnings }: Plan): void {
  context.tell({ event: 'setup-plan', company: options.company, url, lines });
  emitIssues(context, warnings);
}

/** Confirms each irreversible change: the user, or its option together with `--yes`. */
async function gravesAllowed(
  context: Context,
  options: SetupOptions,
  graves: readonly IrreversibleChange[],
): Promise<boolean> {
  for (const { question, allowed, needs } of graves) {
    if (options.yes) {
      if (!allowed) stop('usage', needs);
    } else if (!(await confirmed(context, options, question))) return false;
  }
  return true;
}

/**
 * Emits the plan and asks for confirmation; returns false if nothing is to be done.
 * @throws PipelineError('usage', run/needs-yes, or the issue of an irreversible change)
 */
async function planAccepted(context: Context, options: SetupOptions, plan: Plan): Promise<boolean> {
  emitPlan(context, options, plan);
  if (options.dryRun) {
    emitMessage(context, 'dryConfigured');
    return false;
  }
  const params = { url: plan.url.href, company: companyText(options) };
  const yes =
    (await gravesAllowed(context, options, plan.graves)) &&
    (await confirmed(context, options, { key: 'askConfigure', params }));
  if (!yes) emitMessage(context, 'notConfigured');
  return yes;
}

/** Emits what the service stored differently, or the success message. */
function emitResult(context: Context, faults: readonly Issue[], fine: PlainPhrase): Outcome {
  if (emitIssues(context, faults) > 0) return 'data-errors';
  emitMessage(context, fine);
  return 'fine';
}

/** Returns the file of values last sent to the service, next to the journal; the service shows few of them. */
const recordFile = async (context: Context, options: SetupOptions): Promise<string> =>
  join(dirname(await journalFile(context, options)), 'setup.json');

/** Undefined if there is no readable record. */
async function readRecord(context: Context, options: SetupOptions): Promise<unknown> {
  try {
    return JSON.parse(await readFile(await recordFile(context, options), 'utf8'));
  } catch {
    return undefined;
  }
}

/** @throws PipelineError('output', report/not-writable) */
async function writeRecord(context: Context, options: SetupOptions, record: object): Promise<void> {
  const file = await recordFile(context, options);
  await mkdir(dirname(file), { recursive: true, mode: 0o700 }).catch((error) => notWritable(file, error));
  await putInPlace(file, (temporary) => writeFile(temporary, `${JSON.stringify(record, undefined, 2)}\n`));
}

/** Returns the company's known resolutions: those of the profile, then those sent from here. */
export async function knownResolutions(
  context: Context,
  options: SetupOptions,
): Promise<readonly KnownResolution[]> {
  const sent = (await softwareSetup(context))?.resolutions(await readRecord(context, options));
  return [...(context.profile?.resolutions ?? []), ...(sent ?? [])];
}

/** Returns the number ranges sent from here. */
export async function knownRanges(context: Context, options: SetupOptions): Promise<readonly KnownRange[]> {
  return (await softwareSetup(context))?.ranges(await readRecord(context, options)) ?? [];
}

/** @throws PipelineError('usage', run/not-sendable) */
const setupOf = async (context: Context): Promise<SoftwareSetup> =>
  (await softwareSetup(context)) ?? stop('usage', { code: 'run/not-sendable' });

/** Asks for confirmation before a remote service is called. */
const mayAsk = async (context: Context, options: SetupOptions, url: URL): Promise<boolean> =>
  !isRemote(url) || confirmed(context, options, { key: 'askAskService', params: { url: url.origin } });

/** Creates the use case of a setting: asks for values, emits the plan, sends it and compares the response. */
const settingOf =
  (what: 'software' | 'resolution'): UseCase<SetupOptions> =>
  async (context, _args, options) => {
    const { intro, done, operation, hasPin, asksFirst, want } = (await setupOf(context)).settings[what];
    const url = serviceAddress(context, options);
    emitMessage(context, intro);
    const wanted = await want({
      language: context.language,
      options: { ...options },
      now: context.now(),
      record: await readRecord(context, options),
      ask: (value) => setupValue(context, options, value),
    });
    const pin = hasPin && (await softwarePin(context, options));
    const asks = asksFirst && !options.dryRun;
    if (asks && !(await mayAsk(context, options, url))) {
      emitMessage(context, 'notConfigured');
      return 'fine';
    }
    let client = asks ? await clientFor(context, options, url) : undefined;
    try {
      const plan = await wanted.plan(client);
      if (!(await planAccepted(context, options, { url, ...plan }))) return 'fine';
      client ??= await clientFor(context, options, url);
      const answer = await configure(client, operation, wanted.body(pin), pin === undefined ? [] : [pin]);
      const { record, fact, faults } = wanted.stored(answer);
      await writeRecord(context, options, record);
      context.tell({ event: 'setup', what, ...fact });
      return emitResult(context, faults, done);
    } finally {
      await client?.close();
    }
  };

/** `cargue setup software`: configures the software that signs. */
export const setupSoftware = settingOf('software');

/** `cargue setup resolution`: configures a numbering resolution. */
export const setupResolution = settingOf('resolution');

function emitFact(context: Context, { fact, says }: SetupFact): void {
  context.tell({ event: 'setup', ...fact });
  for (const message of says) context.tell({ event: 'message', ...message, repeats: true });
}

/** `cargue setup show`: emits the service's settings, and those it does not show as last sent from here. */
export const setupShow: UseCase<SetupOptions> = async (context, _args, options) => {
  const { sent, shown } = await setupOf(context);
  const { language } = context;
  const url = serviceAddress(context, options);
  const record = await readRecord(context, options);
  emitFact(context, sent(language, record));
  if (!(await mayAsk(context, options, url))) return 'fine';
  const client = await clientFor(context, options, url);
  try {
    for await (const fact of shown(language, record, client)) emitFact(context, fact);
    return 'fine';
  } finally {
    await client.close();
  }
};
