/** A UTF-16 unit as plain text, JSON, an address or a page may write it, also one within the other. */
function forms(unit: string): string {
  if (/[a-z0-9]/i.test(unit)) return unit;
  const code = unit.charCodeAt(0);
  const hex = code.toString(16).padStart(4, '0');
  const named = NAMES[unit] === undefined ? '' : `|&${NAMES[unit]};`;
  return `(?:\\\\*\\u${hex}|\\\\+u${hex}|%${hex.slice(2)}|&#0*${code};|&#x0*${code.toString(16)};${named})`;
}

const NAMES: Readonly<Record<string, string>> = {
  '"': 'quot',
  '&': 'amp',
  "'": 'apos',
  '<': 'lt',
  '>': 'gt',
};

/** Finds a secret in whatever repeats it: PHP writes `/` as `\/` in JSON, a page writes `"` as `&quot;`. */
export const secretPattern = (secret: string): RegExp =>
  new RegExp(secret.split('').map(forms).join(''), 'gi');
