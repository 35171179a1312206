import { PAGE, type PageParams } from '../../generated/texts-page.js';
import { formatCount, formatMoment, formatMoney, type ParamsOfText, sayer } from '../../messages/texts.js';

type Language = 'es' | 'en';

/** As the server keeps it. */
export const language: Language = document.documentElement.lang === 'en' ? 'en' : 'es';

export const otherLanguage: Language = language === 'en' ? 'es' : 'en';

const said = sayer<PageParams>(PAGE);

/** A sentence of the page. */
export const t = <K extends keyof PageParams>(phrase: K, ...params: ParamsOfText<PageParams, K>): string =>
  said(language, phrase, ...params);

export const count = (number: number): string => formatCount(number, language);

export const money = (amount: string): string => formatMoney(amount, language);

export const moment = (iso: string): string => formatMoment(iso, language);
