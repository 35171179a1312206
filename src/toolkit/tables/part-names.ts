import { collapse, fold } from '../core/text.js';
import { labelForms, titleMatcher } from './titles.js';

/** Names of the parts of a record that stand side by side: of the group over a part, or words in its labels. */
export type PartNames = readonly (readonly string[])[];

/** A text that names a part, without that name. */
interface Named {
  readonly part: number;
  readonly rest: string;
}

/** What is longer is no label of anybody's. */
const LONGEST_LABEL = 500;

const SEPARATORS_AROUND = /^[^\p{L}\p{N}$%#+(]+|[^\p{L}\p{N}$%#+).]+$/gu;

/** A name of a part as words anywhere in a text, `Q1` as `q. 1` too; `*` and `?` stay within a word. */
function wordsOfName(name: string): RegExp | undefined {
  const words = fold(name).match(/[\p{L}*?]+|[\p{N}*?]+/gu);
  const letter = '[\\p{L}\\p{N}]';
  const pattern = words
    ?.map((word) => word.replaceAll('*', `${letter}*`).replaceAll('?', letter))
    .join('[^\\p{L}\\p{N}]*');
  return pattern === undefined ? undefined : new RegExp(`(?<!${letter})${pattern}(?!${letter})`, 'u');
}

/** Tells which part a label, or the group over it, names: by the whole text, else by words in it. */
export type PartNamer = (text: string, isGroup?: true) => Named | undefined;

export function partNamer(names: PartNames): PartNamer {
  const known = names.flatMap((some, part) =>
    some.map((name) => ({ part, isAll: titleMatcher([name]), words: wordsOfName(name) })),
  );
  return (text, isGroup) => {
    const forms = labelForms(text);
    // Behind the name a label says what it is; a group may say more of the same, which `*` stands for.
    const all = known.find(({ isAll }) => isAll.closeness(forms) > (isGroup ? 0 : 1));
    if (all !== undefined) return { part: all.part, rest: '' };
    if (text.length > LONGEST_LABEL) return undefined;
    const folded = fold(text).replaceAll('_', ' ');
    for (const { part, words } of known) {
      if (words?.test(folded) !== true) continue;
      const rest = folded.replace(words, ' ').replace(/\(\s*\)/g, ' ');
      return { part, rest: collapse(rest.replace(SEPARATORS_AROUND, '')) };
    }
    return undefined;
  };
}

/** A label in the part that it stands in, as it would be called if there were but one. */
interface PartLabel {
  readonly label: string;
  readonly group: string | undefined;
  readonly part?: number;
}

/** Label and group without the name of the part, which either may hold; a label that says nothing else is called as its group. */
export function inPart(namer: PartNamer, label: string, group: string | undefined): PartLabel {
  const own = namer(label);
  const above = group === undefined ? undefined : namer(group, true);
  const part = own?.part ?? above?.part;
  if (part === undefined) return { label, group };
  const over = above === undefined ? group : above.rest || undefined;
  if (own?.rest !== '') return { label: own?.rest ?? label, group: over, part };
  return over === undefined ? { label, group } : { label: over, group: undefined, part };
}
