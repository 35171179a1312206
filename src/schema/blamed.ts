import { formatPointer, type Pointer, parsePointer } from '../values/pointer.js';

/** The blamed leaf: an absolute pointer, `^` in it being the item looked at; a member of the item; or the item itself. */
export function blamed(blame: string, path: readonly (string | number)[]): Pointer {
  if (!blame.startsWith('/')) return formatPointer(blame === 'self' ? path : [...path, blame]);
  if (!blame.includes('^')) return blame;
  return formatPointer(parsePointer(blame).map((key, at) => (key === '^' ? path[at]! : key)));
}
