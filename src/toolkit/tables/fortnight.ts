import { collapse, withoutEnd } from '../core/text.js';

/** A label without the words for its half of the month. */
interface Fortnight {
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

/** Parses `SALARIO Q1` as `SALARIO` of the first fortnight; undefined if the label names none. */
export function fortnightOf(text: string): Fortnight | undefined {
  const found = fortnightIn(text);
  return found && { rest: found.rest, half: found.half };
}

/** Parses like `fortnightOf`, with the words found. */
export function fortnightIn(text: string): (Fortnight & { readonly name: string }) | undefined {
  const label = text.replaceAll('_', ' ');
  for (const [mark, half] of MARKS) {
    const found = mark.exec(label);
    if (found === null) continue;
    const rest = collapse(withoutEnd(label.replace(mark, ' '), /[\s\-–_/:]/).replace(/\(\s*\)/g, ' '));
    return { rest, half: half(found[1] ?? ''), name: collapse(found[0]) };
  }
  return undefined;
}

/** True if the names of two sheets are the halves of a month. */
export function areHalves(names: readonly string[]): boolean {
  const halves = new Set(names.map((name) => fortnightOf(name)?.half));
  return names.length === 2 && halves.has(1) && halves.has(2);
}
