import { distance } from 'fastest-levenshtein';
import type { Suggestion } from '../issues/issue.js';
import { squash } from './fold.js';

const GOOD_ENOUGH = 0.6;

/** How alike two texts are once folded, from 0 to 1. */
export function similarity(a: string, b: string): number {
  const left = squash(a);
  const right = squash(b);
  const longest = Math.max(left.length, right.length);
  return longest === 0 ? 0 : 1 - distance(left, right) / longest;
}

/** The nearest candidates, best first; only a hint for people, never a match. */
export function suggest(text: string, candidates: Iterable<string>, most = 3): Suggestion[] {
  const found: Suggestion[] = [];
  for (const value of candidates) {
    const score = similarity(text, value);
    if (score >= GOOD_ENOUGH) found.push({ value, score: Math.round(score * 100) / 100 });
  }
  return found.sort((a, b) => b.score - a.score).slice(0, most);
}
