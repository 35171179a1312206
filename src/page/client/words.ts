import { PAGE, type PageParams } from '../../generated/texts-page.js';
import {
  amountInWords,
  dateInWords,
  formatCount,
  formatMoment,
  formatMonth,
  type ParamsOfText,
  translatorOf,
} from '../../toolkit/messages/texts.js';

type Language = 'es' | 'en';

/** Set by the server in the page's `lang`. */
export const language: Language = document.documentElement.lang === 'en' ? 'en' : 'es';

export const otherLanguage: Language = language === 'en' ? 'es' : 'en';

const format = translatorOf<PageParams>(PAGE);

/** Formats a sentence of the page. */
export const t = <K extends keyof PageParams>(phrase: K, ...params: ParamsOfText<PageParams, K>): string =>
  format(language, phrase, ...params);

/** Phrases for the answers about how amounts and dates are read. */
const READINGS = {
  'read.date=dmy': 'readDayFirst',
  'read.date=mdy': 'readMonthFirst',
  'read.date=ymd': 'readYearFirst',
  'read.decimal=comma': 'readDecimalComma',
  'read.decimal=dot': 'readDecimalDot',
  'read.time=24h': 'readHoursAsTheyAre',
  'read.time=afternoon': 'readHoursOfAfternoon',
} as const;

/** Formats an answer about how cells are read; undefined if it is about something else. */
export function readingText(id: string, value: string): string | undefined {
  const answer = `${id}=${value}`;
  if (Object.hasOwn(READINGS, answer)) return t(READINGS[answer as keyof typeof READINGS]);
  return id.startsWith('read.') ? t('isName', { value: id.slice('read.'.length) }) : undefined;
}

export const count = (number: number): string => formatCount(number, language);

/** Formats an amount, with cents only if it has any; a text that is no plain number stays as it is. */
export const money = (amount: string): string => amountInWords(amount, language).replace(/[.,]00$/, '');

export const moment = (iso: string): string => formatMoment(iso, language);

/** Formats a month, such as `2026-10`. */
export const month = (text: string): string => formatMonth(text, language);

/** Formats a day, such as `2027-12-31`. */
export const day = (date: string): string => dateInWords(date);

export const environmentText = (environment: string): string =>
  t(environment === 'production' ? 'productionEnvironment' : 'testEnvironment');
