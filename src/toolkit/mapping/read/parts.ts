import { collapse } from '../../core/text.js';

/** How the parts of a full name follow each other in a column. */
export type NameOrder = 'surnames_first' | 'names_first';

export interface FullName {
  /** Empty when the cell holds no surname; so is `first_name`. */
  readonly surname: string;
  readonly second_surname?: string;
  readonly first_name: string;
  /** Every name after the first. */
  readonly middle_name?: string;
  /** The words could be split in another way. */
  readonly unsure: boolean;
}

/** Words that belong to the one after them: `DE LA CRUZ`, `Y GASSET`, `SAN JUAN`. */
const PARTICLES = new Set('da das de del den der di do dos la las los mc san santa van von y'.split(' '));

/** What comes before the surname of a late husband: `VDA DE RUIZ`, `V. DE RUIZ`. */
const WIDOW = /^(?:(?:vda|vd|viuda|vdo|viudo)\b|v\.? del?\b)/i;

/** The words of a name, each with the particles before it. */
function namesIn(text: string): string[] {
  const names: string[] = [];
  let held = '';
  const words = text.split(' ').filter(Boolean);
  for (const [at, word] of words.entries()) {
    held = held === '' ? word : `${held} ${word}`;
    if (PARTICLES.has(word.toLowerCase()) || WIDOW.test(`${word} ${words[at + 1]}`)) continue;
    names.push(held);
    held = '';
  }
  if (held !== '') names.push(held);
  return names;
}

function compose(surnames: readonly string[], names: readonly string[], unsure: boolean): FullName {
  const [surname = '', ...secondSurname] = surnames;
  const [firstName = '', ...middleName] = names;
  return {
    surname,
    ...(secondSurname.length > 0 && { second_surname: secondSurname.join(' ') }),
    first_name: firstName,
    ...(middleName.length > 0 && { middle_name: middleName.join(' ') }),
    unsure,
  };
}

/** How many of so many words are surnames; in two words one, in more two. */
const surnamesAmong = (words: number, order: NameOrder): number =>
  words === 1 ? (order === 'surnames_first' ? 1 : 0) : words === 2 ? 1 : 2;

/** A name with the surname of a late husband, which is one of the surnames, and the last of them where others follow. */
function splitWidow(words: readonly string[], at: number, order: NameOrder): FullName {
  const isLast = at === words.length - 1;
  if (order === 'names_first') {
    const count = words.length === 2 ? 1 : words.length > 4 ? 3 : 2;
    const from = isLast ? words.length - count : at;
    return compose(words.slice(from), words.slice(0, from), true);
  }
  if (!isLast) return compose(words.slice(0, at + 1), words.slice(at + 1), true);
  const others = words.slice(0, at);
  const count = surnamesAmong(at, order);
  return compose([...others.slice(0, count), words[at]!], others.slice(count), true);
}

/**
 * A full name in one cell as surnames and names, written as they are in it. A comma splits surnames from names,
 * whatever the order; without one only two and four words can be split for sure, and no name of a widow.
 */
export function splitFullName(text: string, order: NameOrder): FullName {
  const sides = collapse(text)
    .split(',')
    .map(namesIn)
    .filter(({ length }) => length > 0);
  const [surnames, names, ...more] = sides;
  if (surnames !== undefined && names !== undefined && more.length === 0)
    return compose(surnames, names, surnames.length > 2);
  const words = sides.flat();
  const widow = words.findIndex((word) => WIDOW.test(word));
  if (widow >= 0) return splitWidow(words, widow, order);
  const count = surnamesAmong(words.length, order);
  const unsure = sides.length > 1 || (words.length !== 2 && words.length !== 4);
  if (order === 'surnames_first') return compose(words.slice(0, count), words.slice(count), unsure);
  const at = words.length - count;
  return compose(words.slice(at), words.slice(0, at), unsure);
}
