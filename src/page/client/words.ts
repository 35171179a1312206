import { PAGE, type PageParams } from '../../generated/texts-page.js';
import {
  dateInWords,
  formatCount,
  formatMoment,
  formatMoney,
  type ParamsOfText,
  sayer,
} from '../../toolkit/messages/texts.js';

type Language = 'es' | 'en';

/** As the server keeps it. */
export const language: Language = document.documentElement.lang === 'en' ? 'en' : 'es';

export const otherLanguage: Language = language === 'en' ? 'es' : 'en';

const said = sayer<PageParams>(PAGE);

/** A sentence of the page. */
export const t = <K extends keyof PageParams>(phrase: K, ...params: ParamsOfText<PageParams, K>): string =>
  said(language, phrase, ...params);

/** Words of the answers about how amounts and dates are read. */
const READINGS = {
  'read.date=dmy': 'readDayFirst',
  'read.date=mdy': 'readMonthFirst',
  'read.date=ymd': 'readYearFirst',
  'read.decimal=comma': 'readDecimalComma',
  'read.decimal=dot': 'readDecimalDot',
  'read.time=24h': 'readHoursAsTheyAre',
  'read.time=afternoon': 'readHoursOfAfternoon',
} as const;

/** An answer about how cells are read, as a person says it; undefined if it is about something else. */
export function readingText(id: string, value: string): string | undefined {
  const answer = `${id}=${value}`;
  if (Object.hasOwn(READINGS, answer)) return t(READINGS[answer as keyof typeof READINGS]);
  return id.startsWith('read.') ? t('isName', { value: id.slice('read.'.length) }) : undefined;
}

export const count = (number: number): string => formatCount(number, language);

export const money = (amount: string): string => formatMoney(amount, language);

export const moment = (iso: string): string => formatMoment(iso, language);

/** A day, `2027-12-31`, as people write it. */
export const day = (date: string): string => dateInWords(date);
