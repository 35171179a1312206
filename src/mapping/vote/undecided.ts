import { CellFault } from '../read/cell-reader.js';
import { readDateText } from '../read/date-text.js';
import { readNumberText } from '../read/number-text.js';
import { dayOf } from './date-vote.js';
import type { Voter } from './vote-formats.js';

/** The question that an undecided column leaves, shown on a cell that can be read two ways, with the answers to it. */
export function undecidedFault(kind: Voter['kind'], text: string): CellFault {
  if (kind === 'decimal') {
    const reading = readNumberText(text);
    const { comma, dot } = reading.kind === 'ambiguous' ? reading : { comma: text, dot: text };
    return question(comma, dot, 'decimal=comma', 'decimal=dot');
  }
  const reading = readDateText(dayOf(text));
  const { dmy, mdy } = reading.kind === 'ambiguous' ? reading : { dmy: text, mdy: text };
  return question(dmy, mdy, 'date=dmy', 'date=mdy');
}

const question = (first: string, second: string, answer: string, other: string): CellFault =>
  new CellFault('format/undecided', { first, second, answer, other });
