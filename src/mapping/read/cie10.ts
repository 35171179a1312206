import type { CellKind } from '../../source/table.js';
import { CellFault } from './cell-reader.js';

const CODE = /^[A-Z]\d{2}[0-9X]?$/;

/** A diagnosis of CIE-10 as the national system wants it: capitals, no dot, four characters; categories end in X (rips.md section 2). */
export function readCie10(text: string, kind: CellKind): string | CellFault {
  const code = text.replace(/[\s.\u00a0-]/g, '').toUpperCase();
  if (kind !== 'text' || !CODE.test(code)) return new CellFault('cell/not-a-diagnosis');
  return code.length === 3 ? `${code}X` : code;
}
