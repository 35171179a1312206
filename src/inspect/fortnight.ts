import { collapse } from '../values/fold.js';

/** A label without what says that it is one half of the month. */
export interface Fortnight {
  readonly rest: string;
  readonly half: 1 | 2;
}

const MARKS: readonly (readonly [RegExp, (found: string) => 1 | 2])[] = [
  [
    /\b(primera|1(?:ra|era|a|ª)?\.?|segunda|2(?:da|a|ª)?\.?|i{1,2})[\s_-]*(?:quincena|quinc|qna|q)\b\.?/iu,
    halfOf,
  ],
  [/\b(?:quincena|quinc|qna|q)\.?[\s_-]*(?:n[o°º]?\.?[\s_-]*)?(1|2|i{1,2})\b/iu, halfOf],
  [/\b(?:del?\s*)?(0?1)\s*(?:al?|-)\s*15\b/iu, () => 1],
  [/\b(?:del?\s*)?16\s*(?:al?|-)\s*(?:28|29|30|31)\b/iu, () => 2],
];

function halfOf(found: string): 1 | 2 {
  return /^(segunda|2|ii)/i.test(found) ? 2 : 1;
}

/** `SALARIO Q1` is `SALARIO` of the first fortnight; undefined when the label names no fortnight. */
export function fortnightOf(text: string): Fortnight | undefined {
  const label = text.replaceAll('_', ' ');
  for (const [mark, half] of MARKS) {
    const found = mark.exec(label);
    if (found === null) continue;
    const rest = collapse(label.replace(mark, ' ').replace(/\(\s*\)|[\s\-–_/:]+$/gu, ' '));
    return { rest, half: half(found[1] ?? '') };
  }
  return undefined;
}
