import { USER_SOURCES } from '../../rips/national-user.js';
import { type Pointer, parsePointer } from '../../values/pointer.js';
import { TRANSACTION } from './source-pointer.js';

/** The leaf of the attention behind one of the national form; in both `*` stands for any item. Undefined where there is none. */
export function sourceForm(leaf: Pointer): Pointer | undefined {
  const [root = '', , field = '', , , member] = parsePointer(leaf);
  if (root !== 'usuarios') return TRANSACTION[root.toLowerCase()];
  if (field === 'servicios') return member === undefined ? undefined : `/document/services/*/${member}`;
  const source = USER_SOURCES[field];
  return source === undefined ? undefined : `/patient/${source}`;
}
