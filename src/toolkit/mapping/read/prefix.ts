import { squash } from '../../core/text.js';

/** Matches letters and dots, and what follows behind a separator, or behind the last letter if it begins with a digit. */
const PREFIXED = /^\s*(?:([\p{L}.]+)[\s.:–-]+(?=\S*\d)(\S.*)|(\p{L}[\p{L}.]*)(\d.*))$/su;

/** Cell that begins with a known word: the word as written, and what follows. */
interface Prefixed {
  readonly word: string;
  readonly rest: string;
}

/** Creates the reader of a word before a value, such as `C.C. 1.098.765`; it returns undefined if no known word stands there. */
export function prefixReader(words: readonly string[]): (text: string) => Prefixed | undefined {
  const known = new Set(words.map(squash));
  return (text) => {
    const [, word, rest, joinedWord, digits] = PREFIXED.exec(text) ?? [];
    const found = { word: word ?? joinedWord ?? '', rest: rest ?? digits ?? '' };
    return known.has(squash(found.word)) ? found : undefined;
  };
}
