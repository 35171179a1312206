/** Primes by position, from the right (Orden Administrativa 4 of 1989, DIAN). */
const WEIGHTS = [3, 7, 13, 17, 19, 23, 29, 37, 41, 43, 47, 53, 59, 67, 71];

/** Returns the check digit of a NIT, or '' if it is not a number of up to 15 digits. */
export function checkDigit(nit: string): string {
  if (!/^\d{1,15}$/.test(nit)) return '';
  const digits = [...nit].reverse().map(Number);
  const rest = WEIGHTS.reduce((sum, weight, at) => sum + weight * (digits[at] ?? 0), 0) % 11;
  return String(rest < 2 ? rest : 11 - rest);
}

/** A NIT as written in a file. */
interface Nit {
  /** Digits without the check digit. */
  readonly nit: string;
  /** Check digit as written; undefined if there is none. */
  readonly digit?: string;
}

/** Digits in groups, then perhaps a hyphen and the check digit: `NIT 900.555.321-6`. */
const WRITTEN = /^(?:n\.?\s?i\.?\s?t\.?\s*:?\s*)?(\d[\d.,\s]*?)(?:\s*[-‐‑–—]\s*(\d))?$/i;

/** Company NIT; with one more digit, it includes its check digit. */
const OF_COMPANY = /^[89]\d{8}$/;
/** Personal number since 2000, used as NIT; with one more digit, it includes its check digit. */
const OF_PERSON = /^1\d{9}$/;

/** Parses a NIT in any usual form, right or wrong; undefined if the text is not one. */
export function readNit(text: string): Nit | undefined {
  const [, written = '', digit] = WRITTEN.exec(text.trim()) ?? [];
  const digits = written.replace(/\D/g, '');
  if (digits.length < 5 || digits.length > 15) return undefined;
  if (digit !== undefined) return { nit: digits, digit };
  const [nit, last] = [digits.slice(0, -1), digits.slice(-1)];
  return OF_COMPANY.test(nit) || OF_PERSON.test(nit) ? { nit, digit: last } : { nit: digits };
}

/** True unless a written check digit contradicts the NIT. */
export const hasRightDigit = ({ nit, digit }: Nit): boolean =>
  digit === undefined || digit === checkDigit(nit);
