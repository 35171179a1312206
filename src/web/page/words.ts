import { PAGE, type PageParams } from '../../generated/texts-page.js';
import { formatCount, formatMoment, type ParamsOfText, sayer } from '../../messages/texts.js';

const LANGUAGES = ['es', 'en'] as const;
type Language = (typeof LANGUAGES)[number];

const KEY = 'language';

/** Spanish until a person says otherwise. */
export const language: Language = LANGUAGES.find((one) => one === localStorage.getItem(KEY)) ?? LANGUAGES[0];

export const otherLanguage: Language = LANGUAGES.find((one) => one !== language)!;

export function changeLanguage(): void {
  localStorage.setItem(KEY, otherLanguage);
  location.reload();
}

const said = sayer<PageParams>(PAGE);

/** A sentence of the page. */
export const t = <K extends keyof PageParams>(phrase: K, ...params: ParamsOfText<PageParams, K>): string =>
  said(language, phrase, ...params);

export const count = (number: number): string => formatCount(number, language);

export const moment = (iso: string): string => formatMoment(iso, language);
