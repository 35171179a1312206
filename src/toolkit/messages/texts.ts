import type { Text } from '../../generated/issue-codes.js';
import { PHRASES, type PhrasesParams } from '../../generated/texts-cli.js';
import { type BlankForm, fillBlanks } from '../core/blanks.js';
import { isDecimal } from '../core/decimal-text.js';
import type { Language } from '../core/issue.js';

/** Text without content. */
export const NO_TEXT: Text = { es: '', en: '' };

type Values = Readonly<Record<string, string | number>>;

export const filled = (text: Text, language: Language, params: Values = {}): string =>
  fillBlanks(
    text[language],
    (name) => String(params[name] ?? `{${name}}`),
    (value, form) => inWords(value, form, language),
  );

/** Params of a text; none if it has no blanks. */
export type ParamsOfText<Params, K extends keyof Params> =
  Record<string, never> extends Params[K] ? [params?: Params[K]] : [params: Params[K]];

/** Returns a function that fills the texts of a table. An unknown text or a missing param does not compile. */
export const translatorOf =
  <Params>(texts: Readonly<Record<keyof Params, Text>>) =>
  <K extends keyof Params>(language: Language, phrase: K, ...[params]: ParamsOfText<Params, K>): string =>
    filled(texts[phrase], language, params as Values | undefined);

export type { PhrasesParams };
export type Phrase = keyof PhrasesParams;
export type TextParams<K extends Phrase> = ParamsOfText<PhrasesParams, K>;

/** Phrases without blanks. */
export type PlainPhrase = {
  [K in Phrase]: Record<string, never> extends PhrasesParams[K] ? K : never;
}[Phrase];

/** Value for a blank of a message; numbers and money are written in the reader's language when it is shown. */
type MessageParam =
  | string
  | number
  | Message
  | { readonly money: string }
  /** Written with commas between them. */
  | { readonly list: readonly Message[] }
  /** Next command, such as `resume 2026-10-03-1`; `local` if it does not call the service. */
  | { readonly next: string; readonly local?: boolean };

type MessageParams<K extends Phrase> = { readonly [Name in keyof PhrasesParams[K]]: MessageParam };

/** Sentence that is put into the reader's language when it is shown. */
export type Message =
  | { readonly key: PlainPhrase; readonly params?: undefined }
  | {
      [K in Exclude<Phrase, PlainPhrase>]: { readonly key: K; readonly params: MessageParams<K> };
    }[Exclude<Phrase, PlainPhrase>];

/** Arguments of a message: its phrase, and params if that has blanks. */
export type PhraseWithParams<K extends Phrase> = [K] extends [PlainPhrase]
  ? [key: K]
  : [key: K, params: MessageParams<K>];

/** Returns a phrase of terminal or page in a language. */
export const translate = /* @__PURE__ */ translatorOf<PhrasesParams>(PHRASES);

const LOCALE: Readonly<Record<Language, string>> = { es: 'es-CO', en: 'en-GB' };

/** Formats an ISO instant as date and time in Bogotá. */
export const formatMoment = (iso: string, language: Language): string =>
  new Date(iso).toLocaleString(LOCALE[language], {
    timeZone: 'America/Bogota',
    dateStyle: 'medium',
    timeStyle: 'short',
  });

/** `noviembre de 2026`; `month` as YYYY-MM. */
export const formatMonth = (month: string, language: Language): string =>
  new Date(`${month}-01T00:00:00Z`).toLocaleDateString(LOCALE[language], {
    timeZone: 'UTC',
    month: 'long',
    year: 'numeric',
  });

const grouped = (digits: string, language: Language): string =>
  digits.replaceAll(/\B(?=(\d{3})+$)/g, language === 'es' ? '.' : ',');

/** Formats a count: `12.345` or `12,345`. Whole numbers do without `toLocaleString`, which is slow. */
export const formatCount = (count: number, language: Language): string =>
  Number.isSafeInteger(count) ? grouped(String(count), language) : count.toLocaleString(LOCALE[language]);

/** `1750905.00` → `1.750.905,00`, without passing through a float. */
export function formatMoney(amount: string, language: Language): string {
  const [pesos = '', cents = '00'] = amount.split('.');
  return grouped(pesos, language) + (language === 'es' ? ',' : '.') + cents;
}

/** Formats a text that is a decimal as an amount; other texts are returned as they are. */
export const amountInWords = (text: string, language: Language): string =>
  isDecimal(text) ? formatMoney(text, language) : text;

const monthInWords = (text: string, language: Language): string =>
  /^\d{4}-\d\d$/.test(text) ? formatMonth(text, language) : text;

/** Formats an ISO date as `31/10/2026`, with its time if it has one; other texts are returned as they are. */
export const dateInWords = (text: string): string =>
  text.replace(/^(\d{4})-(\d\d)-(\d\d)(?!\d)(?:T(\d\d:\d\d)(?::00(?!\d))?)?/, (_, year, month, day, time) =>
    [`${day}/${month}/${year}`, time].filter(Boolean).join(' '),
  );

const FORMS: Readonly<Record<BlankForm, (text: string, language: Language) => string>> = {
  number: amountInWords,
  date: dateInWords,
  month: monthInWords,
};

/** Formats the value of a blank; a value of another form is returned as it is. */
export const inWords = (text: string, form: BlankForm, language: Language): string =>
  FORMS[form](text, language);

/** Creates a function that words messages. `command` writes the next step as the reader can do it. */
export function wordingFor(
  language: Language,
  command: (next: string, local: boolean) => string,
  /** Texts used in place of the usual ones. */
  others: Readonly<Record<string, Text>> = {},
): (message: Message) => string {
  const text = (param: MessageParam): string => {
    if (typeof param === 'string') return param;
    if (typeof param === 'number') return formatCount(param, language);
    if ('money' in param) return formatMoney(param.money, language);
    if ('next' in param) return command(param.next, param.local === true);
    if ('list' in param) return param.list.map((item) => worded(item).replaceAll(/\s+/g, ' ')).join(', ');
    return worded(param);
  };
  const worded = ({
    key,
    params = {},
  }: {
    key: Phrase;
    params?: Readonly<Record<string, MessageParam>>;
  }): string =>
    filled(
      others[key] ?? PHRASES[key],
      language,
      Object.fromEntries(Object.entries(params).map(([name, param]) => [name, text(param)])),
    );
  return worded;
}
