import { collapse } from '../../core/text.js';

/** Order of the parts of a full name in a column. */
export type NameOrder = 'surnames_first' | 'names_first';

export interface FullName {
  /** Surname; empty if the cell has none, as `first_name`. */
  readonly surname: string;
  readonly second_surname?: string;
  readonly first_name: string;
  /** All names after the first. */
  readonly middle_name?: string;
  /** True if the words could be split in another way. */
  readonly unsure: boolean;
}

/** Words that belong to the next one: `DE LA CRUZ`, `Y GASSET`, `SAN JUAN`. */
const PARTICLES = new Set('da das de del den der di do dos la las los mc san santa van von y'.split(' '));

/** Matches what precedes the surname of a late husband: `VDA DE RUIZ`, `V. DE RUIZ`. */
const WIDOW = /^(?:(?:vda|vd|viuda|vdo|viudo)\b|v\.? del?\b)/i;

/** Splits a text into names, each with the particles before it. */
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

/** Returns how many of the words are surnames: one of two, two of more. */
const surnamesAmong = (words: number, order: NameOrder): number =>
  words === 1 ? (order === 'surnames_first' ? 1 : 0) : words === 2 ? 1 : 2;

/**
 * Splits a name with the surname of a late husband, which is one of the surnames, and the last of them where others
 * follow.
 */
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
  return compose([...others.slice(0, count), ...words.slice(at)], others.slice(count), true);
}

/**
 * Splits a full name in one cell into surnames and names, written as they are in it. A comma splits surnames from
 * names, whatever the order; without one only two and four words can be split for sure, and no name of a widow.
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
