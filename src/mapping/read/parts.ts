import type { FormulaType } from '../../formula/functions.js';
import type { Parts } from '../../generated/mapping-types.js';

interface TakenPart {
  readonly type: FormulaType;
  readonly take: (text: string) => string | undefined;
}

const PREFIX_NUMBER = /^\s*([A-Za-z]*)[\s-]*(\d+)\s*$/;

/** How to take one part out of a cell; undefined when the pattern has no such part. */
export function takePart({ pattern, part }: Parts): TakenPart | undefined {
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
  }
}
