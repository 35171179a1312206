import { type Suggestion, stop } from '../toolkit/core/issue.js';

/** Refuses the value of an option. @throws PipelineError('usage', run/bad-option) */
export function badOption(
  option: string,
  value: string,
  expected: string,
  suggestions?: readonly Suggestion[],
): never {
  return stop('usage', {
    code: 'run/bad-option',
    value,
    params: { option, expected },
    ...(suggestions && { suggestions }),
  });
}
