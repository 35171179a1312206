import type { CodeColumn } from './published-tables.js';

export interface ReadCode {
  readonly code: string;
  /** It had lost its leading zero. */
  readonly isRestored?: boolean;
  /** A CIE-10 category of three characters, as `I10`: a code (`I10X`) only where it is not divided further. */
  readonly isCategory?: boolean;
}

const forms = new Map<string, RegExp>();

function fits(form: string, code: string): boolean {
  let expression = forms.get(form);
  if (expression === undefined) {
    expression = new RegExp(form);
    forms.set(form, expression);
  }
  return expression.test(code);
}

/** A number that a spreadsheet made of a code is whole: `20110.0` was `20110`. */
const withoutFraction = (text: string): string => text.replace(/^(\d+)\.0+$/, '$1');

/**
 * The code in a cell; undefined where there is none of the form. Only one zero is ever restored, and only to a whole number that is
 * one character short: `20110` was `020110`, but `6020` may have been `602E01`.
 */
export function codeIn({ form, width, read }: CodeColumn, text: string): ReadCode | undefined {
  const plain = withoutFraction(text).toUpperCase();
  if (read === 'cie10') {
    const code = plain.replaceAll('.', '');
    if (/^[A-Z]\d[0-9A-Z]$/.test(code)) return { code: `${code}X`, isCategory: true };
    return fits(form, code) ? { code } : undefined;
  }
  const isShort = width !== undefined && plain.length === width - 1 && /^\d+$/.test(plain);
  const code = isShort ? `0${plain}` : plain;
  if (!fits(form, code)) return undefined;
  return isShort ? { code, isRestored: true } : { code };
}
