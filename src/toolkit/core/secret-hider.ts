/** Replaces a secret in a text by `mark`. */
type Hider = (text: string, mark: string) => string;

const NAMES: Readonly<Record<string, string>> = {
  '"': 'quot',
  '&': 'amp',
  "'": 'apos',
  '<': 'lt',
  '>': 'gt',
};

/** Pattern for a character as JSON, a URL or HTML may write it, also nested: PHP writes `/` as `\/`. */
function forms(unit: string, encoded: boolean): string {
  if (/[a-z0-9]/i.test(unit) && !encoded) return unit;
  const code = unit.charCodeAt(0);
  const hex = code.toString(16).padStart(4, '0');
  const named = NAMES[unit] === undefined ? '' : `|&${NAMES[unit]};`;
  return `(?:\\\\*\\u${hex}|\\\\+u${hex}|%${hex.slice(2)}|&#0*${code};|&#x0*${code.toString(16)};${named})`;
}

const patternOf = (secret: string, encoded: boolean): RegExp =>
  new RegExp(
    secret
      .split('')
      .map((unit) => forms(unit, encoded))
      .join(''),
    'gi',
  );

/** Sign that letters may be encoded, which is rare; else only their plain form is searched. */
const ENCODED = /&#|\\u00|%[2-7][0-9a-f]/i;

const reversed = (text: string): string => text.split('').reverse().join('');

/** Returns the base64 characters that depend on the secret alone, for each of the three alignments. */
function inBase64(secret: string): readonly string[] {
  const bytes = Buffer.from(secret);
  const cores = [0, 1, 2].map((offset) => {
    const text = Buffer.concat([Buffer.alloc(offset), bytes]).toString('base64');
    const end = Math.floor(((offset + bytes.length) * 8) / 6);
    return text.slice(Math.ceil((offset * 8) / 6), end);
  });
  return [...new Set(cores.flatMap((core) => [core, core.replaceAll('+', '-').replaceAll('/', '_')]))];
}

/** Min length of a piece of a secret that is hidden. */
const MIN_PIECE = 8;
const MAX_PIECE = 12;

/**
 * Hides each run of at least `least` characters that a text shares with one of the words: a secret cut at
 * either end. Samples the text, so that megabytes cost milliseconds.
 */
function pieceHider(words: readonly string[], least: number): Hider {
  const size = Math.ceil(least / 2);
  const step = least - size + 1;
  const grams = new Map<string, (readonly [word: string, at: number])[]>();
  for (const word of words)
    for (let at = 0; at + size <= word.length; at++) {
      const gram = word.slice(at, at + size);
      grams.set(gram, [...(grams.get(gram) ?? []), [word, at]]);
    }

  /** Returns the longest run through a place, if it is long enough. */
  function runAt(text: string, place: number, from: number): readonly [number, number] | undefined {
    let best: readonly [number, number] | undefined;
    for (const [word, at] of grams.get(text.slice(place, place + size)) ?? []) {
      let [begin, end] = [place, place + size];
      while (begin > from && at - (place - begin) > 0 && text[begin - 1] === word[at - (place - begin) - 1])
        begin -= 1;
      while (end < text.length && text[end] === word[at + (end - place)]) end += 1;
      if (end - begin >= least && end - begin > (best === undefined ? 0 : best[1] - best[0]))
        best = [begin, end];
    }
    return best;
  }

  return (text, mark) => {
    let clean = '';
    let from = 0;
    for (let place = 0; place + size <= text.length; place += step) {
      if (place < from) continue;
      const run = runAt(text, place, from);
      if (run === undefined) continue;
      // Its escaping backslashes go with it.
      let begin = run[0];
      while (begin > from && text[begin - 1] === '\\') begin -= 1;
      clean += text.slice(from, begin) + mark;
      from = run[1];
    }
    return from === 0 ? text : clean + text.slice(from);
  };
}

const asIs: Hider = (text) => text;

/**
 * Hides a secret as it is, as JSON, a URL or HTML writes it, reversed, in base64, and pieces of a long one.
 * Makes a fixed number of passes over the text.
 */
export function secretHider(secret: string): Hider {
  const both = [...new Set([secret, reversed(secret)])];
  const plain = both.map((word) => patternOf(word, false));
  let encoded: readonly RegExp[] | undefined;
  const least = Math.min(MAX_PIECE, Math.max(MIN_PIECE, Math.ceil(secret.length / 2)));
  const words = [...both, ...both.flatMap(inBase64)].filter(({ length }) => length >= least);
  const hidePieces = secret.length > MIN_PIECE ? pieceHider(words, least) : asIs;
  const all = (text: string, patterns: readonly RegExp[], mark: string): string =>
    patterns.reduce((clean, pattern) => clean.replace(pattern, () => mark), text);

  return (text, mark) => {
    let clean = all(text, plain, mark);
    if (ENCODED.test(clean)) {
      encoded ??= both.map((word) => patternOf(word, true));
      clean = all(clean, encoded, mark);
    }
    return hidePieces(clean, mark);
  };
}
