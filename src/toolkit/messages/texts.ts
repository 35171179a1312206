import type { Text } from '../../generated/issue-codes.js';
import { PHRASES, type PhrasesParams } from '../../generated/texts-cli.js';
import { type BlankForm, fillBlanks } from '../core/blanks.js';
import { isDecimal } from '../core/decimal-text.js';
import type { Language } from '../core/issue.js';

/** Where nothing is said. */
export const NO_TEXT: Text = { es: '', en: '' };

type Values = Readonly<Record<string, string | number>>;

/** A text with its blanks filled. */
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

const LOCALE: Readonly<Record<Language, string>> = { es: 'es-CO', en: 'en-US' };

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

const grouped = (whole: string, language: Language): string =>
  whole.replaceAll(/\B(?=(\d{3})+$)/g, language === 'es' ? '.' : ',');

/** Counts as the language writes them: 12.345 or 12,345. Its rules are only asked for where there is a fraction: that takes a while. */
export const formatCount = (count: number, language: Language): string =>
  Number.isSafeInteger(count) ? grouped(String(count), language) : count.toLocaleString(LOCALE[language]);

/** `1750905.00` → `1.750.905,00`, without passing through a float. */
export function formatMoney(amount: string, language: Language): string {
  const [whole = '', cents = '00'] = amount.split('.');
  return grouped(whole, language) + (language === 'es' ? ',' : '.') + cents;
}

/** An amount as people read it; what is none stays as it is. */
export const amountInWords = (text: string, language: Language): string =>
  isDecimal(text) ? formatMoney(text, language) : text;

const monthInWords = (text: string, language: Language): string =>
  /^\d{4}-\d\d$/.test(text) ? formatMonth(text, language) : text;

/** A day as people write it, 31/10/2026, with the time that follows it; what is none stays as it is. */
export const dateInWords = (text: string): string =>
  text.replace(/^(\d{4})-(\d\d)-(\d\d)(?!\d)(?:T(\d\d:\d\d)(?::00(?!\d))?)?/, (_, year, month, day, time) =>
    [`${day}/${month}/${year}`, time].filter(Boolean).join(' '),
  );

const FORMS: Readonly<Record<BlankForm, (text: string, language: Language) => string>> = {
  number: amountInWords,
  date: dateInWords,
  month: monthInWords,
};

/** What a blank holds, as the language writes it; what is of another form stays as it is. */
export const inWords = (text: string, form: BlankForm, language: Language): string =>
  FORMS[form](text, language);

/** Messages in words. `command` writes what is to be done next as the reader can do it. */
export function wordingFor(
  language: Language,
  command: (next: string, local: boolean) => string,
  /** Texts that stand in place of the usual ones. */
  others: Readonly<Record<string, Text>> = {},
): (message: Message) => string {
  const text = (param: MessageParam): string => {
    if (typeof param === 'string') return param;
    if (typeof param === 'number') return formatCount(param, language);
    if ('money' in param) return formatMoney(param.money, language);
    if ('next' in param) return command(param.next, param.local === true);
    if ('list' in param) return param.list.map((one) => worded(one).replaceAll(/\s+/g, ' ')).join(', ');
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
