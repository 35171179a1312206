/** True for a CUFE, CUDE or CUNE: 96 lower-case hex characters of a SHA-384. */
export const isDocumentCode = (text: string): boolean => /^[0-9a-f]{96}$/.test(text);

export const parentOf = (pointer: Pointer): Pointer => pointer.slice(0, pointer.lastIndexOf('/'));

/** JSON pointers (RFC 6901). */
export type Pointer = string;

const SPECIAL = /[~/]/;
const escapeKey = (key: string): string =>
  SPECIAL.test(key) ? key.replaceAll('~', '~0').replaceAll('/', '~1') : key;
const unescapeKey = (key: string): string => key.replaceAll('~1', '/').replaceAll('~0', '~');

export const childPointer = (parent: Pointer, key: string | number): Pointer =>
  `${parent}/${typeof key === 'number' ? key : escapeKey(key)}`;

export function parsePointer(pointer: Pointer): string[] {
  if (pointer === '') return [];
  const keys = pointer.slice(1).split('/');
  return pointer.includes('~') ? keys.map(unescapeKey) : keys;
}

export const formatPointer = (keys: readonly (string | number)[]): Pointer =>
  keys.map((key) => childPointer('', key)).join('');

/** Returns the value at a pointer, or undefined if a step is missing. */
export function valueAt(document: unknown, pointer: Pointer): unknown {
  let current = document;
  for (const key of parsePointer(pointer)) {
    if (typeof current !== 'object' || current === null) return undefined;
    current = (current as Record<string, unknown>)[key];
  }
  return current;
}

/** An object under construction: assigning costs a fraction of spreading. */
export type Writable<T> = { -readonly [Key in keyof T]: T[Key] };

export type JsonValue = string | number | boolean | null | JsonValue[] | JsonObject;
export interface JsonObject {
  [key: string]: JsonValue;
}

export const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
