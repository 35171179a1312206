import type { Options as UseCaseOptions } from '../app/options.js';
import { type Language, stop } from '../core/issue.js';
import { isPlainDate } from '../core/plain-date.js';
import type { Text } from '../generated/issue-codes.js';
import { OPTION_TEXTS } from '../generated/texts-help.js';

/** Options as commander hands them over; a command only sees those it lists. */
export interface Options extends UseCaseOptions {
  readonly json?: boolean;
  readonly showValues?: boolean;
  readonly lang?: Language;
  readonly debug?: boolean;
}

/** Other meanings of `--as` and `--reason`, which are filed under `as` and `reason`. */
export type OptionName = keyof Options | 'asForm' | 'asPerson' | 'whyAbandon';

/** How an option is written, explained and read. */
interface OptionSpec {
  readonly flags: string;
  readonly about: Text;
  readonly read?: (text: string) => unknown;
  readonly repeat?: boolean;
}

/** Reads a number; throws a PipelineError (`usage`, run/bad-option) for any other text. */
const numberBetween =
  (option: string, from: number, to: number, whole: boolean) =>
  (text: string): number => {
    const value = Number(text);
    const fits = text.trim() !== '' && value >= from && value <= to && (!whole || Number.isInteger(value));
    if (fits) return value;
    return stop('usage', {
      code: 'run/bad-option',
      value: text,
      params: { option, expected: `${from} … ${to}` },
    });
  };

/** Reads one of a few words; throws a PipelineError (`usage`, run/bad-option) for any other text. */
const oneOf =
  (option: string, words: readonly string[]) =>
  (text: string): string =>
    words.includes(text)
      ? text
      : stop('usage', {
          code: 'run/bad-option',
          value: text,
          params: { option, expected: words.join(' | ') },
        });

const bookingDay = (text: string): string =>
  text === 'today' || isPlainDate(text)
    ? text
    : stop('usage', {
        code: 'run/bad-option',
        value: text,
        params: { option: '--booking', expected: 'today | 2026-11-30' },
      });

const language = (text: string): Language =>
  text === 'es' || text === 'en'
    ? text
    : stop('usage', {
        code: 'run/bad-option',
        value: text,
        params: { option: '--lang', expected: 'es | en' },
      });

export const OPTIONS: Readonly<Record<OptionName, OptionSpec>> = {
  mapping: {
    flags: '-m, --mapping <FILE>',
    about: OPTION_TEXTS.mapping,
  },
  param: {
    flags: '-p, --param <NAME=VALUE>',
    about: OPTION_TEXTS.param,
    repeat: true,
  },
  params: {
    flags: '--params <FILE>',
    about: OPTION_TEXTS.params,
  },
  as: {
    flags: '--as <TABLE>',
    about: OPTION_TEXTS.as,
  },
  asForm: {
    flags: '--as <FORM>',
    about: OPTION_TEXTS.asForm,
    read: oneOf('--as', ['rips-json']),
  },
  output: { flags: '-o, --output <FILE>', about: OPTION_TEXTS.output },
  json: {
    flags: '--json',
    about: OPTION_TEXTS.json,
  },
  showValues: {
    flags: '--show-values',
    about: OPTION_TEXTS.showValues,
  },
  lang: {
    flags: '--lang <LANG>',
    about: OPTION_TEXTS.lang,
    read: language,
  },
  debug: {
    flags: '--debug',
    about: OPTION_TEXTS.debug,
  },
  company: {
    flags: '--company <NAME>',
    about: OPTION_TEXTS.company,
  },
  url: {
    flags: '--url <URL>',
    about: OPTION_TEXTS.url,
  },
  testSet: {
    flags: '--test-set <ID>',
    about: OPTION_TEXTS.testSet,
  },
  concurrency: {
    flags: '--concurrency <N>',
    about: OPTION_TEXTS.concurrency,
    read: numberBetween('--concurrency', 1, 256, true),
  },
  rate: {
    flags: '--rate <N>',
    about: OPTION_TEXTS.rate,
    read: numberBetween('--rate', 0, 1_000_000, false),
  },
  partial: {
    flags: '--partial',
    about: OPTION_TEXTS.partial,
  },
  dryRun: {
    flags: '--dry-run',
    about: OPTION_TEXTS.dryRun,
  },
  yes: {
    flags: '--yes',
    about: OPTION_TEXTS.yes,
  },
  report: {
    flags: '--report <FILE>',
    about: OPTION_TEXTS.report,
  },
  reason: {
    flags: '--reason <TEXT>',
    about: OPTION_TEXTS.reason,
  },
  deleteMissing: {
    flags: '--delete-missing',
    about: OPTION_TEXTS.deleteMissing,
  },
  annotate: {
    flags: '--annotate <FILE>',
    about: OPTION_TEXTS.annotate,
  },
  answer: {
    flags: '--answer <ID=VALUE>',
    about: OPTION_TEXTS.answer,
    repeat: true,
  },
  path: {
    flags: '--path <NAME=VALUE>',
    about: OPTION_TEXTS.path,
    repeat: true,
  },
  query: {
    flags: '--query <NAME=VALUE>',
    about: OPTION_TEXTS.query,
    repeat: true,
  },
  body: {
    flags: '--body <FILE>',
    about: OPTION_TEXTS.body,
  },
  port: {
    flags: '--port <N>',
    about: OPTION_TEXTS.port,
    read: numberBetween('--port', 0, 65_535, true),
  },
  data: {
    flags: '--data <FILE>',
    about: OPTION_TEXTS.data,
  },
  draft07: {
    flags: '--draft-07',
    about: OPTION_TEXTS.draft07,
  },
  write: {
    flags: '--write <FILE>',
    about: OPTION_TEXTS.write,
  },
  force: {
    flags: '--force',
    about: OPTION_TEXTS.force,
  },
  folder: {
    flags: '-o, --folder <FOLDER>',
    about: OPTION_TEXTS.folder,
  },
  documents: {
    flags: '--documents <FILE>',
    about: OPTION_TEXTS.documents,
  },
  only: {
    flags: '--only <NUMBER>',
    about: OPTION_TEXTS.only,
    repeat: true,
  },
  to: {
    flags: '--to <ADDRESS>',
    about: OPTION_TEXTS.to,
  },
  again: {
    flags: '--again',
    about: OPTION_TEXTS.again,
  },
  softwareId: {
    flags: '--software-id <ID>',
    about: OPTION_TEXTS.softwareId,
  },
  payrollAddress: {
    flags: '--payroll-address <WHERE>',
    about: OPTION_TEXTS.payrollAddress,
  },
  invoiceAddress: {
    flags: '--invoice-address <WHERE>',
    about: OPTION_TEXTS.invoiceAddress,
  },
  changeAddress: {
    flags: '--change-address',
    about: OPTION_TEXTS.changeAddress,
  },
  pinFile: {
    flags: '--pin-file <FILE>',
    about: OPTION_TEXTS.pinFile,
  },
  documentType: {
    flags: '--document-type <TYPE>',
    about: OPTION_TEXTS.documentType,
  },
  prefix: {
    flags: '--prefix <PREFIX>',
    about: OPTION_TEXTS.prefix,
  },
  firstNumber: {
    flags: '--first-number <N>',
    about: OPTION_TEXTS.firstNumber,
    read: numberBetween('--first-number', 1, 9_999_999_999, true),
  },
  lastNumber: {
    flags: '--last-number <N>',
    about: OPTION_TEXTS.lastNumber,
    read: numberBetween('--last-number', 1, 9_999_999_999, true),
  },
  replaceAll: {
    flags: '--replace-all',
    about: OPTION_TEXTS.replaceAll,
  },
  profile: {
    flags: '--profile <NAME>',
    about: OPTION_TEXTS.profile,
  },
  ca: {
    flags: '--ca <FILE>',
    about: OPTION_TEXTS.ca,
  },
  timeout: {
    flags: '--timeout <SECONDS>',
    about: OPTION_TEXTS.timeout,
    read: numberBetween('--timeout', 1, 3_600, true),
  },
  environment: {
    flags: '--environment <WHICH>',
    about: OPTION_TEXTS.environment,
    read: oneOf('--environment', ['test', 'production']),
  },
  companyName: {
    flags: '--company-name <TEXT>',
    about: OPTION_TEXTS.companyName,
  },
  booking: {
    flags: '--booking <DAY>',
    about: OPTION_TEXTS.booking,
    read: bookingDay,
  },
  paymentConcept: {
    flags: '--payment-concept <FORM>',
    about: OPTION_TEXTS.paymentConcept,
    read: oneOf('--payment-concept', ['number', 'code']),
  },
  sispro: {
    flags: '--sispro <FILE>',
    about: OPTION_TEXTS.sispro,
  },
  results: {
    flags: '--results <FOLDER>',
    about: OPTION_TEXTS.results,
  },
  expand: {
    flags: '--expand',
    about: OPTION_TEXTS.expand,
  },
  byCufe: {
    flags: '--by-cufe',
    about: OPTION_TEXTS.byCufe,
  },
  worklist: {
    flags: '--worklist <OUT.xlsx>',
    about: OPTION_TEXTS.worklist,
  },
  ask: {
    flags: '--ask <WHERE>',
    about: OPTION_TEXTS.ask,
    read: oneOf('--ask', ['dian', 'page', 'own', 'own-number']),
  },
  hold: {
    flags: '--hold',
    about: OPTION_TEXTS.hold,
  },
  settle: {
    flags: '--settle <NUMBER=WORD>',
    about: OPTION_TEXTS.settle,
    repeat: true,
  },
  before: {
    flags: '--before <DATE>',
    about: OPTION_TEXTS.before,
  },
  asPerson: {
    flags: '--as <NAME>',
    about: OPTION_TEXTS.asPerson,
  },
  whyAbandon: {
    flags: '--reason <TEXT>',
    about: OPTION_TEXTS.whyAbandon,
  },
};
