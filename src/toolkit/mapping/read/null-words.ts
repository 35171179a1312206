import { fold, isDigitAt } from '../../core/text.js';
import { readSynonyms } from '../synonyms.js';

interface NullWords {
  readonly every: readonly string[];
  readonly text: readonly string[];
  readonly date: readonly string[];
}

/** Content of a column: `every` is an amount, or words of a list that knows its own. */
export type NullWordKind = 'every' | 'text' | 'date';

let lists: Readonly<Record<NullWordKind, ReadonlySet<string>>> | undefined;

function listsOf(): Readonly<Record<NullWordKind, ReadonlySet<string>>> {
  if (lists !== undefined) return lists;
  const { every, text, date } = readSynonyms<{ null_words: NullWords }>('null-words').null_words;
  const set = (...all: (readonly string[])[]): ReadonlySet<string> => new Set(all.flat().map(fold));
  lists = { every: set(every), text: set(every, text), date: set(every, text, date) };
  return lists;
}

/** Length of the longest null word, none of which ends in a digit; other texts are not compared. */
const MAX_LENGTH = 11;

/** True if a cell of that kind of column says that there is no value: `NULL`, `N/A`, `-`. */
export const isNullWord = (text: string, kind: NullWordKind = 'date'): boolean =>
  text.length <= MAX_LENGTH && !isDigitAt(text, text.length - 1) && listsOf()[kind].has(fold(text));

/** True if a null word may be the name of a person: `Nan`, `Null`. */
export const mayBeName = (text: string): boolean => /^[a-z]+$/i.test(text) && isNullWord(text, 'text');
