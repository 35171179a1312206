/** Chance that a seed repeats: the same words always give the same draws. */
export interface Chance {
  /** 0 ≤ x < 1 */
  readonly next: () => number;
  /** 0 ≤ n < below, an integer. */
  readonly below: (below: number) => number;
  readonly pick: <T>(of: readonly T[]) => T;
}

/** FNV-1a over the words, then mulberry32. */
export function chanceOf(...words: readonly (string | number)[]): Chance {
  let state = 0x811c9dc5;
  for (const letter of words.join('|')) {
    state ^= letter.codePointAt(0)!;
    state = Math.imul(state, 0x01000193);
  }
  const next = (): number => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const below = (limit: number): number => Math.floor(next() * limit);
  return { next, below, pick: (of) => of[below(of.length)]! };
}
