/** Primes by position, from the right (Orden Administrativa 4 of 1989, DIAN). */
const WEIGHTS = [3, 7, 13, 17, 19, 23, 29, 37, 41, 43, 47, 53, 59, 67, 71];

/** The check digit of a NIT; empty for an identification that is no number of up to 15 digits. */
export function checkDigit(nit: string): string {
  if (!/^\d{1,15}$/.test(nit)) return '';
  const digits = [...nit].reverse().map(Number);
  const rest = digits.reduce((sum, digit, at) => sum + digit * WEIGHTS[at]!, 0) % 11;
  return String(rest < 2 ? rest : 11 - rest);
}
