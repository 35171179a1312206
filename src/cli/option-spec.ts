import type { Text } from '../issues/codes.js';
import { stop } from '../issues/pipeline-error.js';

/** How an option is written, explained and read. */
export interface OptionSpec {
  readonly flags: string;
  readonly about: Text;
  readonly read?: (text: string) => unknown;
  readonly repeat?: boolean;
}

/** Reads a number; throws a PipelineError (`usage`, run/bad-option) for any other text. */
export const numberBetween =
  (option: string, from: number, to: number, whole: boolean) =>
  (text: string): number => {
    const value = Number(text);
    const fits = text.trim() !== '' && value >= from && value <= to && (!whole || Number.isInteger(value));
    if (fits) return value;
    return stop('usage', {
      code: 'run/bad-option',
      value: text,
      params: { option, expected: `${from} … ${to}` },
    });
  };

/** Reads one of a few words; throws a PipelineError (`usage`, run/bad-option) for any other text. */
export const oneOf =
  (option: string, words: readonly string[]) =>
  (text: string): string =>
    words.includes(text)
      ? text
      : stop('usage', {
          code: 'run/bad-option',
          value: text,
          params: { option, expected: words.join(' | ') },
        });
