import { stop } from '../issues/pipeline-error.js';
import type { GivenFormats } from '../pipeline/voted.js';
import { namedValues, type Options } from './options.js';

const ANSWERS: Readonly<Record<string, readonly string[]>> = {
  decimal: ['comma', 'dot'],
  date: ['dmy', 'mdy', 'ymd'],
};

/** `--answer decimal=comma`, `--answer date=dmy`: how amounts and dates are read where the cells leave it open. */
export function givenFormats({ answer }: Options): GivenFormats {
  const answers = namedValues('--answer', answer);
  for (const [id, value] of Object.entries(answers))
    if (!ANSWERS[id]?.includes(value)) {
      const expected = Object.entries(ANSWERS).map(([name, values]) => `${name}=${values.join('|')}`);
      stop('usage', {
        code: 'run/bad-option',
        value: `${id}=${value}`,
        params: { option: '--answer', expected: expected.join(', ') },
      });
    }
  return answers as GivenFormats;
}
