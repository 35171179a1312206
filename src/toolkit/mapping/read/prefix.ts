import { squash } from '../../core/text.js';

/** Matches a word, a separator and a value, or a word and 8 digits or more; fewer digits, as in `PE083456`, may be a passport. */
const PREFIXED = /^\s*([\p{L}.]+)(?:[\s.:–-]+(?=\S*\d)(\S.*)|(\d{8,}\s*))$/su;

/** Cell that begins with a known word: the word as written, and what follows. */
interface Prefixed {
  readonly word: string;
  readonly rest: string;
}

/** Creates the reader of a word before a value, such as `C.C. 1.098.765`; it returns undefined if no known word stands there. */
export function prefixReader(words: readonly string[]): (text: string) => Prefixed | undefined {
  const known = new Set(words.map(squash));
  return (text) => {
    const [, word = '', apart, rest = apart ?? ''] = PREFIXED.exec(text) ?? [];
    return known.has(squash(word)) ? { word, rest } : undefined;
  };
}
