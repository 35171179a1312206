import type { AnyOptions } from '../app/any-options.js';
import { badOption } from '../app/bad-option.js';
import { companyName } from '../app/company-name.js';
import { environmentWord } from '../app/environment.js';
import type { OPTION_GROUPS } from '../generated/texts-help.js';
import type { WebOptions } from '../page/server/main.js';
import type { Language } from '../toolkit/core/issue.js';
import { isPlainDate, type PlainDate } from '../toolkit/core/plain-date.js';

interface CommonOptions {
  readonly json?: boolean;
  readonly showValues?: boolean;
  readonly lang?: Language;
  readonly debug?: boolean;
}

/** Options as commander passes them; a command gets only those it lists. */
export type Options = AnyOptions & CommonOptions & Pick<WebOptions, 'open' | 'server'>;

/** Syntax of an option; its help is in the texts. */
export interface OptionSpec {
  readonly flags: string;
  readonly read?: (text: string) => unknown;
  readonly repeat?: boolean;
}

/** Creates a parser of numbers. @throws PipelineError('usage', run/bad-option) */
const numberBetween =
  (option: string, from: number, to: number, isInteger: boolean) =>
  (text: string): number => {
    const value = Number(text);
    const fits =
      text.trim() !== '' && value >= from && value <= to && (!isInteger || Number.isInteger(value));
    if (fits) return value;
    return badOption(option, text, `${from} … ${to}`);
  };

/** Creates a parser of keywords. @throws PipelineError('usage', run/bad-option) */
const oneOf =
  (option: string, words: readonly string[]) =>
  (text: string): string =>
    words.includes(text) ? text : badOption(option, text, words.join(' | '));

const plainDay =
  (option: string) =>
  (text: string): PlainDate =>
    isPlainDate(text) ? text : badOption(option, text, '2026-11-30');

const bookingDay = (text: string): string =>
  text === 'today' || isPlainDate(text) ? text : badOption('--booking', text, 'today | 2026-11-30');

const language = (text: string): Language => oneOf('--lang', ['es', 'en'])(text) as Language;

const environment = (text: string): string =>
  environmentWord(text) ?? oneOf('--environment', ['test', 'production'])(text);

/** Help headings with their options; others belong to their command. */
const GROUP_OPTIONS: Readonly<
  Record<'files' | 'outputs' | 'sending' | 'place' | 'general', readonly OptionName[]>
> = {
  files: ['mapping', 'param', 'params', 'month', 'answer', 'expand', 'byCufe'],
  outputs: ['output', 'report', 'pdf', 'annotate', 'failed', 'overtime', 'write', 'writeComplement', 'force'],
  sending: ['testSet', 'dryRun', 'yes', 'partial', 'hold', 'concurrency', 'rate'],
  place: ['profile', 'company', 'url', 'ca', 'timeout'],
  general: ['json', 'showValues', 'lang', 'debug'],
};

export const groupOf = (name: OptionName): keyof typeof OPTION_GROUPS =>
  (Object.keys(GROUP_OPTIONS) as (keyof typeof GROUP_OPTIONS)[]).find((group) =>
    GROUP_OPTIONS[group].includes(name),
  ) ?? 'special';

export const OPTIONS = {
  mapping: { flags: '-m, --mapping <FILE>' },
  param: { flags: '-p, --param <NAME=VALUE>', repeat: true },
  params: { flags: '--params <FILE>' },
  month: { flags: '--month <MONTH>' },
  as: { flags: '--as <TABLE>' },
  validFrom: { flags: '--valid-from <DATE>', read: plainDay('--valid-from') },
  asForm: { flags: '--as <FORM>', read: oneOf('--as', ['rips-json']) },
  output: { flags: '-o, --output <FILE>' },
  json: { flags: '--json' },
  showValues: { flags: '--show-values' },
  lang: { flags: '--lang <LANG>', read: language },
  debug: { flags: '--debug' },
  company: { flags: '--company <NAME>', read: companyName },
  url: { flags: '--url <URL>' },
  testSet: { flags: '--test-set <ID>' },
  concurrency: { flags: '--concurrency <N>', read: numberBetween('--concurrency', 1, 256, true) },
  rate: { flags: '--rate <N>', read: numberBetween('--rate', 0, 1_000_000, false) },
  partial: { flags: '--partial' },
  dryRun: { flags: '--dry-run' },
  yes: { flags: '--yes' },
  report: { flags: '--report <FILE>' },
  reason: { flags: '--reason <TEXT>' },
  deleteMissing: { flags: '--delete-missing' },
  annotate: { flags: '--annotate <FILE>' },
  pdf: { flags: '--pdf <OUT.pdf>' },
  failed: { flags: '--failed <FILE>' },
  overtime: { flags: '--overtime <FILE>' },
  answer: { flags: '--answer <ID=VALUE>', repeat: true },
  path: { flags: '--path <NAME=VALUE>', repeat: true },
  query: { flags: '--query <NAME=VALUE>', repeat: true },
  body: { flags: '--body <FILE>' },
  port: { flags: '--port <N>', read: numberBetween('--port', 0, 65_535, true) },
  host: { flags: '--host <ADDRESS>' },
  config: { flags: '--config <FILE>' },
  set: { flags: '--set <NAME=VALUE>', repeat: true },
  open: { flags: '--no-open' },
  server: { flags: '--server <FILE>' },
  data: { flags: '--data <FILE>' },
  draft07: { flags: '--draft-07' },
  plain: { flags: '--plain' },
  bundle: { flags: '--bundle' },
  write: { flags: '--write <FILE>' },
  writeComplement: { flags: '--write-complement <FILE>' },
  force: { flags: '--force' },
  folder: { flags: '-o, --folder <FOLDER>' },
  documents: { flags: '--documents <FILE>' },
  only: { flags: '--only <NUMBER>', repeat: true },
  to: { flags: '--to <ADDRESS>' },
  again: { flags: '--again' },
  softwareId: { flags: '--software-id <ID>' },
  payrollAddress: { flags: '--payroll-address <WHERE>' },
  invoiceAddress: { flags: '--invoice-address <WHERE>' },
  changeAddress: { flags: '--change-address' },
  pinFile: { flags: '--pin-file <FILE>' },
  nit: { flags: '--nit <NIT>' },
  documentType: { flags: '--document-type <TYPE>' },
  prefix: { flags: '--prefix <PREFIX>' },
  firstNumber: { flags: '--first-number <N>', read: numberBetween('--first-number', 1, 9_999_999_999, true) },
  lastNumber: { flags: '--last-number <N>', read: numberBetween('--last-number', 1, 9_999_999_999, true) },
  resolutionNumber: { flags: '--resolution-number <TEXT>' },
  replaceAll: { flags: '--replace-all' },
  profile: { flags: '--profile <NAME>' },
  ca: { flags: '--ca <FILE>' },
  timeout: { flags: '--timeout <SECONDS>', read: numberBetween('--timeout', 1, 3_600, true) },
  environment: { flags: '--environment <WHICH>', read: environment },
  companyName: { flags: '--company-name <TEXT>' },
  booking: { flags: '--booking <DAY>', read: bookingDay },
  paymentConcept: { flags: '--payment-concept <FORM>', read: oneOf('--payment-concept', ['number', 'code']) },
  sispro: { flags: '--sispro <FILE>' },
  results: { flags: '--results <FOLDER>' },
  readResults: { flags: '--read-results <PATH>', repeat: true },
  expand: { flags: '--expand' },
  expanded: { flags: '--expanded' },
  byCufe: { flags: '--by-cufe' },
  worklist: { flags: '--worklist <OUT.xlsx>' },
  ics: { flags: '--ics <OUT.ics>' },
  ask: { flags: '--ask <WHERE>', read: oneOf('--ask', ['dian', 'page', 'own', 'own-number']) },
  hold: { flags: '--hold' },
  settle: { flags: '--settle <NUMBER=WORD>', repeat: true },
  before: { flags: '--before <DATE>' },
  key: { flags: '--key <FILE>' },
  asPerson: { flags: '--as <NAME>' },
  asAuthor: { flags: '--as <NAME>' },
  lawKey: { flags: '--key <FILE>' },
  lawTable: { flags: '--as <TABLE>' },
  whyAbandon: { flags: '--reason <TEXT>' },
  queue: { flags: '--queue' },
  metrics: { flags: '--metrics <PORT>', read: numberBetween('--metrics', 0, 65_535, true) },
  places: { flags: '--concurrency <N>', read: numberBetween('--concurrency', 1, 2_000, true) },
  serviceRate: {
    flags: '--service-rate <N>',
    read: numberBetween('--service-rate', 1, 1_000_000, false),
  },
  all: { flags: '--all' },
  watch: { flags: '--watch' },
  once: { flags: '--once' },
  inbox: { flags: '--inbox <FOLDER>' },
  inboxSend: { flags: '--inbox-send <EVENT>', read: oneOf('--inbox-send', ['030', 'none']) },
} satisfies Readonly<Record<string, OptionSpec>>;

export type OptionName = keyof typeof OPTIONS;

/** Options with the same flags as another, which is their key in the result. */
interface OptionKey {
  readonly asForm: 'as';
  readonly asAuthor: 'as';
  readonly asPerson: 'as';
  readonly lawKey: 'key';
  readonly lawTable: 'as';
  readonly places: 'concurrency';
  readonly whyAbandon: 'reason';
}

/** Names of the options that a use case takes. */
export type NameOf<O> = {
  [N in OptionName]: (N extends keyof OptionKey ? OptionKey[N] : N) extends keyof (O & CommonOptions)
    ? N
    : never;
}[OptionName];
