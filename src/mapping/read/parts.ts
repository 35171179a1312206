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

/** The words of a name, each with the particles before it. */
function namesIn(text: string): string[] {
  const names: string[] = [];
  let held = '';
  for (const word of text.split(' ')) {
    if (word === '') continue;
    held = held === '' ? word : `${held} ${word}`;
    if (PARTICLES.has(word.toLowerCase())) continue;
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

/**
 * A full name in one cell as surnames and names, written as they are in it. A comma splits surnames from names,
 * whatever the order; without one only two and four words can be split for sure.
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
  const count = surnamesAmong(words.length, order);
  const unsure = sides.length > 1 || (words.length !== 2 && words.length !== 4);
  if (order === 'surnames_first') return compose(words.slice(0, count), words.slice(count), unsure);
  const at = words.length - count;
  return compose(words.slice(at), words.slice(0, at), unsure);
}
