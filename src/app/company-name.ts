import { stop } from '../toolkit/core/issue.js';
import { checkDigit, hasRightDigit, readNit } from '../toolkit/core/nit.js';

/**
 * Returns the name of a company in the journal: for a NIT its digits without check digit, any other text unchanged.
 * @throws PipelineError('usage', run/check-digit)
 */
export function companyName(text: string): string {
  const found = readNit(text);
  if (found === undefined) return text;
  const { nit } = found;
  if (hasRightDigit(found)) return nit;
  const digit = checkDigit(nit);
  const suggestions = [{ value: `${nit}-${digit}`, score: 1 }];
  return stop('usage', { code: 'run/check-digit', value: text.trim(), params: { nit, digit }, suggestions });
}
