import { serviceUrl } from '../../client/address.js';
import type { Client } from '../../client/client.js';
import type { SchemaName } from '../../generated/schema-types.js';
import { requireToken } from '../../send/verdict.js';
import {
  type Checked,
  type Issue,
  type Language,
  PipelineError,
  stop,
  warning,
} from '../../toolkit/core/issue.js';
import { type JsonObject, type JsonValue, valueAt } from '../../toolkit/core/json.js';
import { fold } from '../../toolkit/core/text.js';
import { type Message, type PlainPhrase, translate as worded } from '../../toolkit/messages/texts.js';
import { fieldIssues } from '../../toolkit/schema/validate.js';
import type {
  KnownResolution,
  Setting,
  SettingSite,
  Setup,
  SetupFact,
  SetupLine,
  SetupPlan,
  SoftwareSetup,
} from '../family.js';
import { NOTE_TYPE } from './adjust-note.js';
import { DIAN_ADDRESS, sameAddress } from './subject.js';

const checkField =
  (schema: SchemaName, field: string) =>
  (text: string): Checked<string> => {
    const issues = fieldIssues(schema, field, text);
    return issues.length === 0 ? { value: text, issues } : { issues };
  };

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

/** The next number of a type and prefix, as the service shows it. */
interface NextNumber {
  /** Prefix of the answer, which may differ from the one asked for (service.md 4.10). */
  readonly prefix: string;
  readonly next: number;
}

/**
 * Asks the service for the next number; undefined if it shows none, as without a range.
 * @throws PipelineError('service', service/unauthenticated, run/no-answer)
 */
async function askNextNumber(client: Client, type: 9 | 10, prefix?: string): Promise<NextNumber | undefined> {
  const path = { type, ...(prefix !== undefined && { prefix }) };
  const answer = await client.call('getCurrentNumber', { path });
  if (answer.kind === 'failure')
    stop('service', { code: 'run/no-answer', value: client.url, params: { reason: answer.reason } });
  requireToken(answer);
  if (answer.kind !== 'json' || answer.status !== 200) return undefined;
  const next = Number(memberText(answer.body, '/number'));
  const shown = memberText(answer.body, '/prefix');
  return Number.isSafeInteger(next) && shown !== undefined ? { next, prefix: shown } : undefined;
}

/** Addresses of DIAN that the service sends to. */
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
  /** Number of the resolution, which documents name if there are two of a type. */
  readonly resolution?: string;
}

/**
 * Settings that this computer last sent; the service does not show them. Holds no secrets. Another user may have
 * changed them since.
 */
interface SetupRecord {
  readonly software?: Addresses & { readonly id: string; readonly at: string };
  readonly ranges: readonly RecordedRange[];
}

const EMPTY: SetupRecord = { ranges: [] };

const isRecord = (value: unknown): value is SetupRecord => {
  const { software, ranges } = (value ?? {}) as Partial<SetupRecord>;
  const texts =
    software === undefined ? [] : [software.id, software.payroll, software.invoicing, software.at];
  return Array.isArray(ranges) && texts.every((text) => typeof text === 'string');
};

/** Reads the record; the empty one if it is unreadable. */
const recordOf = (value: unknown): SetupRecord => (isRecord(value) ? value : EMPTY);

/** State before the call, from the service and from this machine. */
interface RangePresent {
  readonly record: SetupRecord;
  readonly ofPrefix: NextNumber | undefined;
  /** Next number of the range that the service uses first. */
  readonly first: NextNumber | undefined;
}

const typeText = (language: Language, type: 9 | 10): string =>
  worded(language, type === 9 ? 'typePayroll' : 'typeAdjust');

const rangeText = ({ first, last }: RecordedRange): string => `${first} – ${last}`;

/** Lists the changes to a range, and those that need a confirmation of their own. */
function rangePlan(
  language: Language,
  replaceAll: boolean,
  range: RecordedRange,
  { record, ofPrefix, first }: RangePresent,
): SetupPlan {
  const { type, prefix } = range;
  const of = typeText(language, type);
  const before = record.ranges.find((known) => known.type === type && known.prefix === prefix);
  const recorded = record.ranges.find((known) => known.type === type && known.prefix !== prefix);
  const other = first !== undefined && first.prefix !== prefix ? first.prefix : recorded?.prefix;
  const next = ofPrefix?.prefix === prefix ? ofPrefix.next : undefined;
  const lines: SetupLine[] = [
    { name: 'nameDocumentType', value: of },
    { name: 'namePrefix', value: prefix },
    { name: 'nameRange', value: rangeText(range), ...(before && { before: rangeText(before) }) },
    ...(range.resolution === undefined ? [] : [{ name: 'nameResolution', value: range.resolution } as const]),
    { name: 'nameNext', value: next === undefined ? worded(language, 'notKnown') : String(next) },
  ];
  const warnings: Issue[] = [];
  if (next !== undefined && (next < range.first || next > range.last))
    warnings.push(warning('setup/next-outside', { prefix, next, first: range.first, last: range.last }));
  if (replaceAll) warnings.push(warning('setup/replaces-all'));
  else if (other !== undefined) warnings.push(warning('setup/second-prefix', { other }));
  // With --yes the option itself confirms.
  const grave = {
    question: { key: 'askReplaceAll', params: { of } },
    allowed: true,
    needs: { code: 'run/needs-yes', params: { question: of } },
  } as const;
  return { lines, warnings, graves: replaceAll ? [grave] : [] };
}

const MEMBERS = [
  { member: '/resolution/prefix', name: 'namePrefix', of: ({ prefix }: RecordedRange) => prefix },
  { member: '/resolution/from', name: 'askFirstNumber', of: ({ first }: RecordedRange) => String(first) },
  { member: '/resolution/to', name: 'askLastNumber', of: ({ last }: RecordedRange) => String(last) },
  {
    member: '/resolution/resolution',
    name: 'nameResolution',
    of: ({ resolution }: RecordedRange) => resolution ?? '',
  },
] as const;

/** Returns errors where the answer shows another range than was sent. */
const rangeFaults = (language: Language, range: RecordedRange, answer: JsonObject): readonly Issue[] =>
  MEMBERS.flatMap(({ member, name, of }): Issue[] => {
    const value = memberText(answer, member);
    if (value === undefined || value === of(range)) return [];
    const params = { of: worded(language, name), expected: of(range) };
    return [{ code: 'setup/stored-differs', level: 'error', params, place: {}, value }];
  });

/** Adds a range to the record, in place of the one of its type and prefix, or of all of its type. */
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

const textOf = (option: unknown): string | undefined => (option === undefined ? undefined : String(option));

/** Gathers the range from options or a person; proposes the numbers that most companies have. */
async function gatherRange({ options, ask }: SettingSite, { ranges }: SetupRecord): Promise<RecordedRange> {
  const type = await ask({
    option: '--document-type',
    given: textOf(options['documentType']),
    question: 'askDocumentType',
    expected: EXPECTED,
    check: checkType,
  });
  const prefix = await ask({
    option: '--prefix',
    given: textOf(options['prefix']),
    question: 'askPrefix',
    expected: 'NI, NA …',
    check: checkField('payroll/resolution', 'prefix'),
  });
  const before = ranges.find((range) => range.type === type && range.prefix === prefix);
  const bound = (end: 'first' | 'last', field: 'from' | 'to', usual: number): Promise<number> =>
    ask({
      option: `--${end}-number`,
      given: textOf(options[`${end}Number`]),
      question: end === 'first' ? 'askFirstNumber' : 'askLastNumber',
      expected: 'N',
      known: String(before?.[end] ?? usual),
      check: checkNumber('payroll/resolution', field),
    });
  const first = await bound('first', 'from', 1);
  const last = await bound('last', 'to', 99_999_999);
  if (last <= first) stop('usage', { code: 'setup/bad-range', params: { first, last } });
  const resolution = textOf(options['resolutionNumber']) ?? before?.resolution;
  return { type, prefix, first, last, ...(resolution !== undefined && { resolution }) };
}

/** Adds or changes the range of one prefix, and leaves the others unchanged. */
const RESOLUTION: Setting = {
  intro: 'introResolution',
  done: 'resolutionConfigured',
  asksFirst: true,
  operation: 'configureResolution',
  async want(site) {
    const { language, options } = site;
    const record = recordOf(site.record);
    const range = await gatherRange(site, record);
    const { type, prefix, first: from, last: to, resolution } = range;
    const alone = options['replaceAll'] === true;
    return {
      async plan(client) {
        const ofPrefix = client && (await askNextNumber(client, type, prefix));
        const first = client && (await askNextNumber(client, type));
        return rangePlan(language, alone, range, { record, ofPrefix, first });
      },
      body: () => ({
        type_document_id: type,
        prefix,
        from,
        to,
        ...(resolution !== undefined && { resolution }),
        ...(alone && { delete_all_type_resolutions: true }),
      }),
      stored: (answer) => ({
        record: withRange(record, range, alone),
        fact: range,
        faults: rangeFaults(language, range, answer),
      }),
    };
  },
};

/** Words that people use for DIAN's two environments. */
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

/** Returns a check for an address of DIAN, by word or URL; `same` stands for the other address, if there is one. */
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

/** Formats an address with its word: `pruebas (https://…)`. */
function targetText(address: string, language: Language): string {
  if (sameAddress(address, DIAN_ADDRESS.test)) return `${worded(language, 'addressTest')} (${address})`;
  if (sameAddress(address, DIAN_ADDRESS.production))
    return `${worded(language, 'addressProduction')} (${address})`;
  return address;
}

/** Returns the shortest word for an address, to be offered as an answer. */
function targetWord(address: string): string {
  if (sameAddress(address, DIAN_ADDRESS.test)) return 'test';
  return sameAddress(address, DIAN_ADDRESS.production) ? 'production' : address;
}

/** All settings of `setup software` except the PIN. */
type Software = Addresses & { readonly id: string };

/** Both addresses, and where the answer shows them. */
const ADDRESSES = [
  { key: 'payroll', name: 'namePayroll', member: '/software/urlpayroll' },
  { key: 'invoicing', name: 'nameInvoicing', member: '/software/url' },
] as const satisfies readonly { key: keyof Addresses; name: PlainPhrase; member: string }[];

/** Lists the changes to the software, and those that need a confirmation of their own. */
function softwarePlan(
  language: Language,
  mayChange: boolean,
  wanted: Software,
  before: SetupRecord['software'],
): SetupPlan {
  const shown = (address: string): string => targetText(address, language);
  const line = (name: PlainPhrase, value: string, earlier: string | undefined): SetupLine =>
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
      (change) =>
        ({
          question: { key: 'askChangeAddress', params: change },
          allowed: mayChange,
          needs: { code: 'setup/needs-change-address', params: { of: change.of } },
        }) as const,
    ),
  };
}

/** Returns the settings that the service stored; those that were sent where the answer does not show them. */
function storedSoftware(wanted: Software, answer: JsonObject): Software {
  const stored = ADDRESSES.map(
    ({ key, member }) => [key, memberText(answer, member) ?? wanted[key]] as const,
  );
  return { ...wanted, ...Object.fromEntries(stored) };
}

/** Returns errors where the answer shows other addresses than were sent, or none. */
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

/** Gathers all values of the call except the PIN, from options, a person, or the last settings. */
async function gatherSoftware({ options, ask }: SettingSite, { software }: SetupRecord): Promise<Software> {
  const id = await ask({
    option: '--software-id',
    given: textOf(options['softwareId']),
    question: 'askSoftwareId',
    expected: 'ID',
    ...(software !== undefined && { known: software.id }),
    check: checkField('payroll/software', 'idpayroll'),
  });
  const payroll = await ask({
    option: '--payroll-address',
    given: textOf(options['payrollAddress']),
    question: 'askPayrollAddress',
    expected: TARGETS,
    ...(software !== undefined && { known: targetWord(software.payroll) }),
    check: checkTarget('--payroll-address', TARGETS),
  });
  const invoicing = await ask({
    option: '--invoice-address',
    given: textOf(options['invoiceAddress']),
    question: 'askInvoiceAddress',
    expected: `${TARGETS} | same`,
    ...(software !== undefined && { known: targetWord(software.invoicing) }),
    check: checkTarget('--invoice-address', `${TARGETS} | same`, payroll),
  });
  return { id, payroll, invoicing };
}

/**
 * Always names both addresses: a call that omits one moves the company, with its invoicing, back to DIAN's test
 * environment (service.md 4.9).
 */
const SOFTWARE: Setting = {
  intro: 'introSoftware',
  done: 'softwareConfigured',
  hasPin: true,
  operation: 'configurePayrollSoftware',
  async want(site) {
    const { language, options, now } = site;
    const record = recordOf(site.record);
    const wanted = await gatherSoftware(site, record);
    return {
      plan: async () => softwarePlan(language, options['changeAddress'] === true, wanted, record.software),
      body: (pin) => ({
        idpayroll: wanted.id,
        ...(pin !== undefined && { pinpayroll: pin }),
        url: wanted.invoicing,
        urlpayroll: wanted.payroll,
      }),
      stored(answer) {
        const software = storedSoftware(wanted, answer);
        return {
          record: { ...record, software: { ...software, at: now.toISOString() } },
          fact: software,
          faults: softwareFaults(language, wanted, answer),
        };
      },
    };
  },
};

function softwareFact(language: Language, { software }: SetupRecord): SetupFact {
  const fact = { what: 'software' as const, ...software, known: software !== undefined };
  if (software === undefined) return { fact, says: [{ key: 'showNoSoftware' }] };
  const { id, at, payroll, invoicing } = software;
  const line = (key: PlainPhrase, value: string): Message => ({
    key: 'planLine',
    params: { name: { key }, value },
  });
  return {
    fact,
    says: [
      { key: 'showSoftware', params: { at: at.slice(0, 10) } },
      line('nameSoftwareId', id),
      line('namePayroll', targetText(payroll, language)),
      line('nameInvoicing', targetText(invoicing, language)),
    ],
  };
}

async function* rangeFacts(
  language: Language,
  { ranges }: SetupRecord,
  client: Client,
): AsyncIterable<SetupFact> {
  for (const type of [9, 10] as const) {
    const named = ranges.filter((range) => range.type === type).map(({ prefix }) => prefix);
    const name = typeText(language, type);
    for (const asked of named.length > 0 ? named : [undefined]) {
      const found = await askNextNumber(client, type, asked);
      const prefix = found?.prefix ?? asked ?? null;
      const shown: Message =
        found === undefined
          ? { key: 'showNoRange', params: { type: name, prefix: asked === undefined ? '' : ` ${asked}` } }
          : { key: 'showRange', params: { type: name, prefix: found.prefix, next: String(found.next) } };
      yield { fact: { what: 'resolution', type, prefix, next: found?.next ?? null }, says: [shown] };
    }
  }
}

/** Adds the resolution number to a document, unless it has one. */
function withResolution(body: JsonObject, known: readonly KnownResolution[]): JsonObject {
  if (body['resolution_number'] !== undefined) return body;
  const type = body['type_document_id'] === NOTE_TYPE ? 'adjust' : 'payroll';
  const found = known.find(({ documentType, prefix }) => documentType === type && prefix === body['prefix']);
  return found === undefined ? body : { ...body, resolution_number: found.number };
}

/** Configures the software that signs payrolls, with DIAN's addresses, and the ranges of their numbers. */
const PAYROLL_SOFTWARE: SoftwareSetup = {
  pin: { schema: 'payroll/software', member: 'pinpayroll' },
  settings: { software: SOFTWARE, resolution: RESOLUTION },
  resolutions: (record) =>
    recordOf(record).ranges.flatMap(({ type, prefix, resolution }): KnownResolution[] =>
      resolution === undefined
        ? []
        : [{ documentType: type === 9 ? 'payroll' : 'adjust', prefix, number: resolution }],
    ),
  withResolution,
  ranges: (record) =>
    recordOf(record).ranges.map(({ type: typeDocumentId, prefix, first, last }) => ({
      typeDocumentId,
      prefix,
      first,
      last,
    })),
  sent: (language, record) => softwareFact(language, recordOf(record)),
  shown: (language, record, client) => rangeFacts(language, recordOf(record), client),
};

export const SETUP: Setup = { software: PAYROLL_SOFTWARE, lists: {} };
