import { distance } from 'fastest-levenshtein';
import type { Suggestion } from '../issues/issue.js';
import { squash } from './fold.js';

const GOOD_ENOUGH = 0.6;

/** How alike two texts are once folded, from 0 to 1. */
export const similarity = (a: string, b: string): number => likeness(squash(a), squash(b), 0);

/** The same of folded texts; 0 where their lengths alone keep it below `least`. */
function likeness(left: string, right: string, least: number): number {
  const longest = Math.max(left.length, right.length);
  if (longest === 0 || Math.min(left.length, right.length) / longest < least) return 0;
  return 1 - distance(left, right) / longest;
}

/** Nothing longer is the name of anything. */
const LONGEST = 1_000;

/** The nearest candidates, best first; only a hint for people, never a match. */
export function suggest(text: string, candidates: Iterable<string>, most = 3): Suggestion[] {
  const found: Suggestion[] = [];
  if (text.length > LONGEST) return found;
  const folded = squash(text);
  for (const value of candidates) {
    const score = likeness(folded, squash(value), GOOD_ENOUGH);
    if (score >= GOOD_ENOUGH) found.push({ value, score: Math.round(score * 100) / 100 });
  }
  return found.sort((a, b) => b.score - a.score).slice(0, most);
}
