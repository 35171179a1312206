import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { serviceUrl } from '../client/address.js';
import type { Client } from '../client/client.js';
import {
  type Checked,
  type Coded,
  type Issue,
  type Language,
  mapParams,
  PipelineError,
  stop,
  warning,
} from '../core/issue.js';
import { type JsonObject, type JsonValue, valueAt } from '../core/json.js';
import { DIAN_ADDRESS, sameAddress } from '../families/payroll/subject.js';
import type { SchemaName } from '../generated/schema-types.js';
import { type Phrase, say as worded } from '../messages/texts.js';
import { putInPlace } from '../report/put-in-place.js';
import { readReply, reasonOf } from '../send/verdict.js';
import type { Context, Outcome, UseCase } from './context.js';
import { issueTeller, type Message, type SetupLine, say, sayAgain } from './events.js';
import { journalFile } from './journal-access.js';
import type { Options } from './options.js';
import { confirmed, fieldIssues, redactText, setupValue, softwarePin } from './secrets.js';
import { clientFor, companyOf, isElsewhere, serviceAddress } from './service.js';

/**
 * Puts a setting, once, and gives back what the service says it stored, secrets included.
 * Nothing of the answer or of the request is in the errors but sentences without the secrets.
 * @throws PipelineError('input', setup/refused) · PipelineError('service', setup/unconfirmed or service/…)
 */
async function configure(
  client: Client,
  operation: 'configurePayrollSoftware' | 'configureResolution',
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

/** A change that a yes to the whole does not cover. */
interface Grave {
  /** What a person is asked by itself. */
  readonly question: Message;
  /** Whether an option said so already. */
  readonly allowed: boolean;
  /** Code of the refusal where `--yes` stands in for a person and no option allows it. */
  readonly needs: Coded;
}

interface SetupPlan {
  readonly url: URL;
  readonly lines: readonly SetupLine[];
  readonly warnings: readonly Issue[];
  readonly graves: readonly Grave[];
}

/** Tells what the call will change. */
function tellPlan(context: Context, options: Options, { url, lines, warnings }: SetupPlan): void {
  context.tell({ event: 'setup-plan', company: companyOf(options), url, lines });
  const teller = issueTeller(context);
  for (const issue of warnings) teller.tell(issue);
  teller.end();
}

/** Each grave change by itself: a person's yes, or the option that says so beside `--yes`. */
async function gravesAllowed(context: Context, options: Options, graves: readonly Grave[]): Promise<boolean> {
  for (const { question, allowed, needs } of graves) {
    if (options.yes) {
      if (!allowed) stop('usage', needs);
    } else if (!(await confirmed(context, options, question))) return false;
  }
  return true;
}

/**
 * Shows the plan and asks. False when nothing is to be done, which is then said.
 * @throws PipelineError('usage', run/needs-yes, or what a grave change needs)
 */
async function planAccepted(context: Context, options: Options, plan: SetupPlan): Promise<boolean> {
  tellPlan(context, options, plan);
  if (options.dryRun) {
    say(context, 'dryConfigured');
    return false;
  }
  const params = { url: plan.url.href, company: companyOf(options) };
  const yes =
    (await gravesAllowed(context, options, plan.graves)) &&
    (await confirmed(context, options, { key: 'askConfigure', params }));
  if (!yes) say(context, 'notConfigured');
  return yes;
}

/** The end for whoever reads: what the service stored otherwise, or the phrase of a good end. */
function tellFaults(context: Context, faults: readonly Issue[], fine: Phrase): Outcome {
  const teller = issueTeller(context);
  for (const issue of faults) teller.tell(issue);
  teller.end();
  if (teller.errors > 0) return 'data-errors';
  say(context, fine);
  return 'fine';
}

/** A text that a field of a schema takes. */
const checkField =
  (schema: SchemaName, field: string) =>
  (text: string): Checked<string> => {
    const issues = fieldIssues(schema, field, text);
    return issues.length === 0 ? { value: text, issues } : { issues };
  };

/** A whole number that a field of a schema takes. */
const checkNumber =
  (schema: SchemaName, field: string) =>
  (text: string): Checked<number> => {
    const value = /^\d{1,15}$/.test(text) ? Number(text) : text;
    const issues = fieldIssues(schema, field, value);
    return typeof value === 'number' && issues.length === 0 ? { value, issues } : { issues };
  };

const memberText = (body: JsonValue, pointer: string): string | undefined => {
  const value = valueAt(body, pointer);
  return typeof value === 'string' || typeof value === 'number' ? String(value) : undefined;
};

/** What the service shows of the numbers of a type. */
interface NextNumber {
  /** May be another than the one asked for (service.md 4.10). */
  readonly prefix: string;
  readonly next: number;
}

/** Asks where the numbers stand; undefined where the service shows nothing, as without a range. */
async function askNextNumber(client: Client, type: 9 | 10, prefix?: string): Promise<NextNumber | undefined> {
  const path = { type, ...(prefix !== undefined && { prefix }) };
  const answer = await client.call('getCurrentNumber', { path });
  if (answer.kind !== 'json' || answer.status !== 200) return undefined;
  const next = Number(memberText(answer.body, '/number'));
  const shown = memberText(answer.body, '/prefix');
  return Number.isSafeInteger(next) && shown !== undefined ? { next, prefix: shown } : undefined;
}

/** What is known before the call, from the service and from this machine. */
interface RangePresent {
  readonly record: SetupRecord;
  /** Of the prefix itself. */
  readonly own: NextNumber | undefined;
  /** Of the range that the service takes first. */
  readonly first: NextNumber | undefined;
}

const typeText = (language: Language, type: 9 | 10): string =>
  worded(language, type === 9 ? 'typePayroll' : 'typeAdjust');

const rangeText = ({ first, last }: RecordedRange): string => `${first} – ${last}`;

/** What will change, and what of it needs a word of its own. */
function rangePlan(
  language: Language,
  options: Options,
  range: RecordedRange,
  { record, own, first }: RangePresent,
): Omit<SetupPlan, 'url'> {
  const { type, prefix } = range;
  const of = typeText(language, type);
  const before = record.ranges.find((known) => known.type === type && known.prefix === prefix);
  const recorded = record.ranges.find((known) => known.type === type && known.prefix !== prefix);
  const other = first !== undefined && first.prefix !== prefix ? first.prefix : recorded?.prefix;
  const next = own?.prefix === prefix ? own.next : undefined;
  const lines: SetupLine[] = [
    { name: 'nameDocumentType', value: of },
    { name: 'namePrefix', value: prefix },
    { name: 'nameRange', value: rangeText(range), ...(before && { before: rangeText(before) }) },
    { name: 'nameNext', value: next === undefined ? worded(language, 'notKnown') : String(next) },
  ];
  const warnings: Issue[] = [];
  if (next !== undefined && (next < range.first || next > range.last))
    warnings.push(warning('setup/next-outside', { prefix, next, first: range.first, last: range.last }));
  if (options.replaceAll) warnings.push(warning('setup/replaces-all'));
  else if (other !== undefined) warnings.push(warning('setup/second-prefix', { other }));
  // The option itself is the word of whoever says --yes.
  const grave: Grave = {
    question: { key: 'askReplaceAll', params: { of } },
    allowed: true,
    needs: { code: 'run/needs-yes', params: {} } as const,
  };
  return { lines, warnings, graves: options.replaceAll ? [grave] : [] };
}

const MEMBERS = [
  { member: '/resolution/prefix', name: 'namePrefix', of: ({ prefix }: RecordedRange) => prefix },
  { member: '/resolution/from', name: 'askFirstNumber', of: ({ first }: RecordedRange) => String(first) },
  { member: '/resolution/to', name: 'askLastNumber', of: ({ last }: RecordedRange) => String(last) },
] as const;

/** Where the answer speaks of another range than it was told. */
const rangeFaults = (language: Language, range: RecordedRange, answer: JsonObject): readonly Issue[] =>
  MEMBERS.flatMap(({ member, name, of }): Issue[] => {
    const value = memberText(answer, member);
    if (value === undefined || value === of(range)) return [];
    const params = { of: worded(language, name), expected: of(range) };
    return [{ code: 'setup/stored-differs', level: 'error', params, place: {}, value }];
  });

/** The addresses of DIAN that the service sends to. */
interface Addresses {
  readonly payroll: string;
  readonly invoicing: string;
}

interface RecordedRange {
  /** 9 payroll, 10 adjust notes. */
  readonly type: 9 | 10;
  readonly prefix: string;
  readonly first: number;
  readonly last: number;
}

/**
 * What this machine last configured at the service, which shows none of it by itself. Nothing secret.
 * Someone else may have changed it since.
 */
interface SetupRecord {
  readonly software?: Addresses & { readonly id: string; readonly at: string };
  readonly ranges: readonly RecordedRange[];
}

const EMPTY: SetupRecord = { ranges: [] };

/** Beside the journal of the same company and address. */
const recordFile = async (context: Context, options: Options): Promise<string> =>
  join(dirname(await journalFile(context, options)), 'setup.json');

const isRecord = (value: unknown): value is SetupRecord => {
  const { software, ranges } = (value ?? {}) as Partial<SetupRecord>;
  const texts =
    software === undefined ? [] : [software.id, software.payroll, software.invoicing, software.at];
  return Array.isArray(ranges) && texts.every((text) => typeof text === 'string');
};

/** Empty where there is none, or none that can be read: then nothing is known, and that is said. */
async function readRecord(context: Context, options: Options): Promise<SetupRecord> {
  try {
    const value: unknown = JSON.parse(await readFile(await recordFile(context, options), 'utf8'));
    return isRecord(value) ? value : EMPTY;
  } catch {
    return EMPTY;
  }
}

/** @throws PipelineError('output', report/not-writable) */
async function writeRecord(context: Context, options: Options, record: SetupRecord): Promise<void> {
  const file = await recordFile(context, options);
  await mkdir(dirname(file), { recursive: true, mode: 0o700 }).catch((error) =>
    stop('output', { code: 'report/not-writable', params: { file, reason: error.code } }, error),
  );
  await putInPlace(file, (temporary) => writeFile(temporary, `${JSON.stringify(record, undefined, 2)}\n`));
}

/** The record with a range, which takes the place of that of its type and prefix, or of all of its type. */
function withRange(record: SetupRecord, range: RecordedRange, alone: boolean): SetupRecord {
  const stay = record.ranges.filter(
    ({ type, prefix }) => type !== range.type || (!alone && prefix !== range.prefix),
  );
  return { ...record, ranges: [...stay, range] };
}

const TYPES: Readonly<Record<string, 9 | 10>> = {
  payroll: 9,
  nomina: 9,
  nómina: 9,
  '9': 9,
  adjust: 10,
  ajuste: 10,
  '10': 10,
};
const EXPECTED = 'payroll | adjust';

function checkType(text: string): Checked<9 | 10> {
  const value = TYPES[text.trim().toLowerCase()];
  if (value !== undefined) return { value, issues: [] };
  const params = { option: '--document-type', expected: EXPECTED };
  return { issues: [{ code: 'run/bad-option', level: 'error', value: text, params, place: {} }] };
}

/** The range, from options or a person; the numbers are offered as most companies take them. */
async function gather(context: Context, options: Options, { ranges }: SetupRecord): Promise<RecordedRange> {
  const type = await setupValue(context, options, {
    option: '--document-type',
    given: options.documentType,
    question: 'askDocumentType',
    expected: EXPECTED,
    check: checkType,
  });
  const prefix = await setupValue(context, options, {
    option: '--prefix',
    given: options.prefix,
    question: 'askPrefix',
    expected: 'NI, NA …',
    check: checkField('payroll/resolution', 'prefix'),
  });
  const before = ranges.find((range) => range.type === type && range.prefix === prefix);
  const bound = (end: 'first' | 'last', field: 'from' | 'to', usual: number): Promise<number> =>
    setupValue(context, options, {
      option: `--${end}-number`,
      given: options[`${end}Number`]?.toString(),
      question: end === 'first' ? 'askFirstNumber' : 'askLastNumber',
      expected: 'N',
      known: String(before?.[end] ?? usual),
      check: checkNumber('payroll/resolution', field),
    });
  const first = await bound('first', 'from', 1);
  const last = await bound('last', 'to', 99_999_999);
  if (last <= first) stop('usage', { code: 'setup/bad-range', params: { first, last } });
  return { type, prefix, first, last };
}

/** One call of `setup resolution`. */
interface Registering {
  readonly context: Context;
  readonly options: Options;
  readonly url: URL;
  readonly record: SetupRecord;
  readonly range: RecordedRange;
}

/** Shows the plan with what the service says of now; without a client nobody is asked. */
async function accepted(
  { context, options, url, record, range }: Registering,
  client?: Client,
): Promise<boolean> {
  const { type, prefix } = range;
  const own = client && (await askNextNumber(client, type, prefix));
  const first = client && (await askNextNumber(client, type));
  const plan = rangePlan(context.language, options, range, { record, own, first });
  return planAccepted(context, options, { url, ...plan });
}

async function register(registering: Registering, client: Client): Promise<Outcome> {
  const { context, options, record, range } = registering;
  const { type, prefix, first, last } = range;
  const alone = options.replaceAll === true;
  const body = {
    type_document_id: type,
    prefix,
    from: first,
    to: last,
    ...(alone && { delete_all_type_resolutions: true }),
  };
  const answer = await configure(client, 'configureResolution', body);
  await writeRecord(context, options, withRange(record, range, alone));
  context.tell({ event: 'setup', what: 'resolution', ...range });
  const faults = rangeFaults(context.language, range, answer);
  return tellFaults(context, faults, 'resolutionConfigured');
}

/** `cargue setup resolution`: adds or changes the range of one prefix, and leaves the others as they are. */
export const setupResolution: UseCase = async (context, _args, options) => {
  const url = serviceAddress(context, options);
  say(context, 'introResolution');
  const record = await readRecord(context, options);
  const range = await gather(context, options, record);
  const registering: Registering = { context, options, url, record, range };
  if (options.dryRun) {
    await accepted(registering);
    return 'fine';
  }
  // Elsewhere nothing is asked before a yes.
  const mayAsk: Message = { key: 'askAskService', params: { url: url.origin } };
  if (isElsewhere(url) && !(await confirmed(context, options, mayAsk))) {
    say(context, 'notConfigured');
    return 'fine';
  }
  const client = await clientFor(context, options, url);
  try {
    return (await accepted(registering, client)) ? await register(registering, client) : 'fine';
  } finally {
    await client.close();
  }
};

/** Words for DIAN's two environments, as people say them. */
const WORDS: Readonly<Record<string, keyof typeof DIAN_ADDRESS>> = {
  test: 'test',
  tests: 'test',
  prueba: 'test',
  pruebas: 'test',
  habilitacion: 'test',
  production: 'production',
  produccion: 'production',
};

const SAME = new Set(['same', 'igual', 'lo mismo']);

const fold = (text: string): string => text.normalize('NFD').replace(/\p{M}/gu, '').trim().toLowerCase();

/** An address of DIAN from a word or a URL; `same` stands for another address where there is one. */
const checkTarget =
  (option: string, expected: string, same?: string) =>
  (text: string): Checked<string> => {
    const word = fold(text);
    const environment = WORDS[word];
    if (environment !== undefined) return { value: DIAN_ADDRESS[environment], issues: [] };
    if (same !== undefined && SAME.has(word)) return { value: same, issues: [] };
    if (/^https?:\/\//.test(word)) return checkUrl(text.trim());
    const params = { option, expected };
    return { issues: [{ code: 'run/bad-option', level: 'error', value: text, params, place: {} }] };
  };

function checkUrl(text: string): Checked<string> {
  try {
    serviceUrl(text.replace(/\?wsdl$/i, ''));
    return { value: text, issues: [] };
  } catch (error) {
    if (error instanceof PipelineError) return { issues: error.issues };
    throw error;
  }
}

/** The word for an address, and the address: `pruebas (https://…)`. */
function targetText(address: string, language: Language): string {
  if (sameAddress(address, DIAN_ADDRESS.test)) return `${worded(language, 'addressTest')} (${address})`;
  if (sameAddress(address, DIAN_ADDRESS.production))
    return `${worded(language, 'addressProduction')} (${address})`;
  return address;
}

/** The shortest word for an address, to be offered as an answer. */
function targetWord(address: string): string {
  if (sameAddress(address, DIAN_ADDRESS.test)) return 'test';
  return sameAddress(address, DIAN_ADDRESS.production) ? 'production' : address;
}

/** All that `setup software` sets but the PIN. */
type Software = Addresses & { readonly id: string };

/** Both addresses, and where the answer shows them. */
const ADDRESSES = [
  { key: 'payroll', name: 'namePayroll', member: '/software/urlpayroll' },
  { key: 'invoicing', name: 'nameInvoicing', member: '/software/url' },
] as const satisfies readonly { key: keyof Addresses; name: Phrase; member: string }[];

/** What will change, and what of it needs a word of its own. */
function softwarePlan(
  language: Language,
  options: Options,
  wanted: Software,
  before: SetupRecord['software'],
): Omit<SetupPlan, 'url'> {
  const shown = (address: string): string => targetText(address, language);
  const line = (name: Phrase, value: string, earlier: string | undefined): SetupLine =>
    earlier === undefined || earlier === value ? { name, value } : { name, value, before: earlier };
  const changes = ADDRESSES.flatMap(({ key, name }) =>
    before === undefined || sameAddress(before[key], wanted[key])
      ? []
      : [{ of: worded(language, name), before: shown(before[key]), after: shown(wanted[key]) }],
  );
  return {
    lines: [
      line('nameSoftwareId', wanted.id, before?.id),
      { name: 'namePin', value: worded(language, 'pinHidden') },
      ...ADDRESSES.map(({ key, name }) =>
        line(
          name,
          shown(wanted[key]),
          before === undefined ? worded(language, 'notKnown') : shown(before[key]),
        ),
      ),
    ],
    warnings: [
      ...(before === undefined ? [warning('setup/unknown-present')] : []),
      ...changes.map((change) => warning('setup/changes-address', change)),
      ...(sameAddress(wanted.payroll, wanted.invoicing) ? [] : [warning('setup/two-addresses')]),
    ],
    graves: changes.map(
      (change): Grave => ({
        question: { key: 'askChangeAddress', params: change },
        allowed: options.changeAddress === true,
        needs: { code: 'setup/needs-change-address', params: { of: change.of } },
      }),
    ),
  };
}

/** What the service says it stored, with what it was told where it does not say. */
function storedSoftware(wanted: Software, answer: JsonObject): Software {
  const [payroll, invoicing] = ADDRESSES.map(({ key, member }) => memberText(answer, member) ?? wanted[key]);
  return { id: wanted.id, payroll: payroll!, invoicing: invoicing! };
}

/** Where the answer speaks of other addresses than it was told, or of none. */
const softwareFaults = (language: Language, wanted: Software, answer: JsonObject): readonly Issue[] =>
  ADDRESSES.flatMap(({ key, name, member }): Issue[] => {
    const stored = memberText(answer, member);
    const of = worded(language, name);
    if (stored === undefined) return [warning('setup/not-shown', { of })];
    if (sameAddress(stored, wanted[key])) return [];
    const params = { of, expected: wanted[key] };
    return [{ code: 'setup/stored-differs', level: 'error', params, place: {}, value: stored }];
  });

const TARGETS = 'test | production | https://…';

/** Every value of the call but the PIN: from options, a person, or what was set before. */
async function gatherSoftware(
  context: Context,
  options: Options,
  { software }: SetupRecord,
): Promise<Software> {
  const id = await setupValue(context, options, {
    option: '--software-id',
    given: options.softwareId,
    question: 'askSoftwareId',
    expected: 'ID',
    ...(software !== undefined && { known: software.id }),
    check: checkField('payroll/software', 'idpayroll'),
  });
  const payroll = await setupValue(context, options, {
    option: '--payroll-address',
    given: options.payrollAddress,
    question: 'askPayrollAddress',
    expected: TARGETS,
    ...(software !== undefined && { known: targetWord(software.payroll) }),
    check: checkTarget('--payroll-address', TARGETS),
  });
  const invoicing = await setupValue(context, options, {
    option: '--invoice-address',
    given: options.invoiceAddress,
    question: 'askInvoiceAddress',
    expected: `${TARGETS} | same`,
    ...(software !== undefined && { known: targetWord(software.invoicing) }),
    check: checkTarget('--invoice-address', `${TARGETS} | same`, payroll),
  });
  return { id, payroll, invoicing };
}

/**
 * `cargue setup software`. Both addresses are always named: a call that leaves one out sends the company, its
 * invoicing too, back to DIAN's test environment (service.md 4.9).
 */
export const setupSoftware: UseCase = async (context, _args, options) => {
  const url = serviceAddress(context, options);
  say(context, 'introSoftware');
  const record = await readRecord(context, options);
  const wanted = await gatherSoftware(context, options, record);
  const pin = await softwarePin(context, options);
  const plan = softwarePlan(context.language, options, wanted, record.software);
  if (!(await planAccepted(context, options, { url, ...plan }))) return 'fine';
  const client = await clientFor(context, options, url);
  try {
    const body = { idpayroll: wanted.id, pinpayroll: pin, url: wanted.invoicing, urlpayroll: wanted.payroll };
    const answer = await configure(client, 'configurePayrollSoftware', body, [pin]);
    const software = storedSoftware(wanted, answer);
    await writeRecord(context, options, {
      ...record,
      software: { ...software, at: context.now().toISOString() },
    });
    context.tell({ event: 'setup', what: 'software', ...software });
    return tellFaults(context, softwareFaults(context.language, wanted, answer), 'softwareConfigured');
  } finally {
    await client.close();
  }
};

function showSoftware(context: Context, { software }: SetupRecord): void {
  context.tell({ event: 'setup', what: 'software', ...software, known: software !== undefined });
  if (software === undefined) {
    sayAgain(context, 'showNoSoftware');
    return;
  }
  const { language } = context;
  sayAgain(context, 'showSoftware', { at: software.at.slice(0, 10) });
  for (const [key, value] of [
    ['nameSoftwareId', software.id],
    ['namePayroll', targetText(software.payroll, language)],
    ['nameInvoicing', targetText(software.invoicing, language)],
  ] as const)
    sayAgain(context, 'planLine', { name: { key }, value });
}

async function showRanges(context: Context, client: Client, record: SetupRecord): Promise<void> {
  for (const type of [9, 10] as const) {
    const named = record.ranges.filter((range) => range.type === type).map(({ prefix }) => prefix);
    const name = typeText(context.language, type);
    for (const asked of named.length > 0 ? named : [undefined]) {
      const found = await askNextNumber(client, type, asked);
      const known = { prefix: found?.prefix ?? asked ?? null, next: found?.next ?? null };
      context.tell({ event: 'setup', what: 'resolution', type, ...known });
      if (found !== undefined)
        sayAgain(context, 'showRange', { type: name, prefix: found.prefix, next: String(found.next) });
      else sayAgain(context, 'showNoRange', { type: name, prefix: asked === undefined ? '' : ` ${asked}` });
    }
  }
}

/** `cargue setup show`: the ranges as the service shows them, the rest as this machine last set it. */
export const setupShow: UseCase = async (context, _args, options) => {
  const url = serviceAddress(context, options);
  const record = await readRecord(context, options);
  showSoftware(context, record);
  const question: Message = { key: 'askAskService', params: { url: url.origin } };
  if (isElsewhere(url) && !(await confirmed(context, options, question))) return 'fine';
  const client = await clientFor(context, options, url);
  try {
    await showRanges(context, client, record);
    return 'fine';
  } finally {
    await client.close();
  }
};
