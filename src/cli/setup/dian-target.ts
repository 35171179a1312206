import { serviceUrl } from '../../client/address.js';
import type { Checked, Language } from '../../issues/issue.js';
import { PipelineError } from '../../issues/pipeline-error.js';
import { DIAN_ADDRESS, sameAddress } from '../../payroll/dian-address.js';
import { say } from '../say.js';

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
export const checkTarget =
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
export function targetText(address: string, language: Language): string {
  if (sameAddress(address, DIAN_ADDRESS.test)) return `${say(language, 'addressTest')} (${address})`;
  if (sameAddress(address, DIAN_ADDRESS.production))
    return `${say(language, 'addressProduction')} (${address})`;
  return address;
}

/** The shortest word for an address, to be offered as an answer. */
export function targetWord(address: string): string {
  if (sameAddress(address, DIAN_ADDRESS.test)) return 'test';
  return sameAddress(address, DIAN_ADDRESS.production) ? 'production' : address;
}
