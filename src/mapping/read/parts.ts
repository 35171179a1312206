import type { FormulaType } from '../../formula/functions.js';
import type { Parts } from '../../generated/mapping-types.js';
import type { Repaired } from '../workbench.js';
import { CellFault } from './cell-reader.js';
import { type FullName, type NameOrder, splitFullName } from './full-name.js';

interface TakenPart {
  readonly type: FormulaType;
  /** The part, with a warning where the cell could be taken apart in another way; undefined when it has none. */
  readonly take: (text: string) => string | Repaired | undefined;
}

const PREFIX_NUMBER = /^\s*([A-Za-z]*)[\s-]*(\d+)\s*$/;

/** Each part of a name, and the words of it: all surnames and all names are parts too. */
const NAME_PARTS = {
  surname: ['surname'],
  second_surname: ['second_surname'],
  first_name: ['first_name'],
  middle_name: ['middle_name'],
  surnames: ['surname', 'second_surname'],
  names: ['first_name', 'middle_name'],
} as const;
type NamePart = keyof typeof NAME_PARTS;

const joined = (...words: readonly (string | undefined)[]): string => words.filter(Boolean).join(' ');

function takeName(text: string, part: NamePart, order: NameOrder) {
  const name: FullName = splitFullName(text, order);
  const value = joined(...NAME_PARTS[part].map((one) => name[one])) || undefined;
  if (value === undefined || !name.unsure) return value;
  const surnames = joined(name.surname, name.second_surname);
  const names = joined(name.first_name, name.middle_name);
  return { value, warning: new CellFault('cell/name-unsure', { surnames, names }) };
}

/** How to take one part out of a cell; undefined when the pattern has no such part, or its order is not said here. */
export function takePart({ pattern, part, order }: Parts): TakenPart | undefined {
  switch (pattern) {
    case 'prefix_number':
      if (part === 'prefix')
        return { type: 'text', take: (text) => PREFIX_NUMBER.exec(text)?.[1]?.toUpperCase() };
      if (part === 'number')
        return { type: 'decimal', take: (text) => PREFIX_NUMBER.exec(text)?.[2]?.replace(/^0+(?=\d)/, '') };
      return undefined;
    case 'words': {
      const position = Number(part);
      if (!Number.isInteger(position) || position === 0) return undefined;
      return { type: 'text', take: (text) => text.split(' ').at(position > 0 ? position - 1 : position) };
    }
    case 'date_time':
      if (part === 'date') return { type: 'date', take: (text) => text.slice(0, 10) };
      if (part === 'time') return { type: 'text', take: (text) => text.slice(11) || undefined };
      return undefined;
    case 'full_name': {
      if (typeof part !== 'string' || !(part in NAME_PARTS) || typeof order !== 'string') return undefined;
      return { type: 'text', take: (text) => takeName(text, part as NamePart, order) };
    }
  }
}
