import { collapse, fold } from '../core/text.js';
import { labelForms, titleMatcher } from './titles.js';

/** Names of the parts of records side by side, as group over a part or words in its labels. */
export type PartNames = readonly (readonly string[])[];

const MAX_LABEL_LENGTH = 500;

const SEPARATORS_AROUND = /^[^\p{L}\p{N}$%#+(]+|[^\p{L}\p{N}$%#+).]+$/gu;

/**
 * Compiles a name of a part to a pattern that finds it anywhere in a text, `Q1` as `q. 1` too; `*` and `?` stay within
 * a word.
 */
function wordsOfName(name: string): RegExp | undefined {
  const words = fold(name).match(/[\p{L}*?]+|[\p{N}*?]+/gu);
  const letter = '[\\p{L}\\p{N}]';
  const pattern = words
    ?.map((word) => word.replaceAll('*', `${letter}*`).replaceAll('?', letter))
    .join('[^\\p{L}\\p{N}]*');
  return pattern === undefined ? undefined : new RegExp(`(?<!${letter})${pattern}(?!${letter})`, 'u');
}

/** Finds the part that a label, or the group over it, names: by the whole text, else by words in it. */
export type PartNamer = (
  text: string,
  isGroup?: true,
) => { readonly part: number; readonly rest: string } | undefined;

export function partNamer(names: PartNames): PartNamer {
  const known = names.flatMap((synonyms, part) =>
    synonyms.map((name) => ({ part, isAll: titleMatcher([name]), words: wordsOfName(name) })),
  );
  return (text, isGroup) => {
    const forms = labelForms(text);
    // The rest of a label is its meaning; a group may add text, for which `*` stands.
    const all = known.find(({ isAll }) => isAll.closeness(forms) > (isGroup ? 0 : 1));
    if (all !== undefined) return { part: all.part, rest: '' };
    if (text.length > MAX_LABEL_LENGTH) return undefined;
    const folded = fold(text).replaceAll('_', ' ');
    for (const { part, words } of known) {
      if (words?.test(folded) !== true) continue;
      const rest = folded.replace(words, ' ').replace(/\(\s*\)/g, ' ');
      return { part, rest: collapse(rest.replace(SEPARATORS_AROUND, '')) };
    }
    return undefined;
  };
}

/** Label within its part, as it would be without parts. */
export interface PartLabel {
  readonly label: string;
  readonly group: string | undefined;
  readonly part?: number;
}

/** Removes the name of the part from label and group; a label with no other text takes the group's. */
export function inPart(namer: PartNamer, label: string, group: string | undefined): PartLabel {
  const inLabel = namer(label);
  const above = group === undefined ? undefined : namer(group, true);
  const part = inLabel?.part ?? above?.part;
  if (part === undefined) return { label, group };
  const over = above === undefined ? group : above.rest || undefined;
  if (inLabel?.rest !== '') return { label: inLabel?.rest ?? label, group: over, part };
  return over === undefined ? { label, group } : { label: over, group: undefined, part };
}
