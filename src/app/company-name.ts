import { stop } from '../toolkit/core/issue.js';
import { checkDigit, hasRightDigit, readNit } from '../toolkit/core/nit.js';

/**
 * Returns a company as it is named from here on: of a NIT the digits without check digit, any other name as it is.
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
