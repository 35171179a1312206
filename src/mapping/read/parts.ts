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

const NAME_PARTS = ['surname', 'second_surname', 'first_name', 'middle_name'] as const;

const joined = (...words: readonly (string | undefined)[]): string => words.filter(Boolean).join(' ');

function takeName(text: string, part: (typeof NAME_PARTS)[number], order: NameOrder) {
  const name: FullName = splitFullName(text, order);
  const value = name[part] || undefined;
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
      const known = NAME_PARTS.find((name) => name === part);
      if (known === undefined || typeof order !== 'string') return undefined;
      return { type: 'text', take: (text) => takeName(text, known, order) };
    }
  }
}
