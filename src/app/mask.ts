import { type Issue, mapParams } from '../core/issue.js';
import { parsePointer } from '../core/json.js';
import type { Family } from '../families/family.js';
import type { SchemaName } from '../generated/schema-types.js';
import { resolveNode } from '../schema/registry.js';
import type { Options } from './options.js';

/**
 * What a terminal shows of a personal value: the first character and the last two, dots between; of one with fewer
 * than six characters, dots alone. Enough to recognise a row that one has before one's eyes, too little to learn from.
 */
export const maskText = (text: string): string =>
  text.length < 6 ? '•••' : `${text.slice(0, 1)}•••${text.slice(-2)}`;

/** What a person is called, as a call may show it on a terminal or to a program. */
export const shownPerson =
  ({ showValues }: Pick<Options, 'showValues'>) =>
  (text: string): string =>
    showValues ? text : maskText(text);

/** Whose personal fields are masked, and whether the keys of documents are numbers of persons. */
export type Masked = Pick<Family, 'schemas' | 'openKeys'>;

/** How issues about such documents may be shown, on a terminal as to a program. */
export const maskFor =
  ({ showValues }: Pick<Options, 'showValues'>, masked: Masked) =>
  (issue: Issue): Issue =>
    showValues ? issue : maskValue(issue, masked);

/** Whether a schema marks the place of a pointer, or what it lies in, as `x-personal`. */
export function isPersonal(schema: SchemaName, pointer: string): boolean {
  const keys = parsePointer(pointer);
  return keys.some((_, last) => resolveNode(schema, keys.slice(0, last + 1))?.['x-personal'] === true);
}

/**
 * The issue as a terminal or a log may show it: the value found in a personal field, what repeats it, and the key of
 * a document, where it is a person's number, are masked. Files that only their owner can read have them in full.
 */
export function maskValue(issue: Issue, { schemas, openKeys }: Masked): Issue {
  const { documentKey, value, suggestions, ...rest } = issue;
  const pointer = issue.place.pointer;
  const personal = pointer !== undefined && schemas.some((schema) => isPersonal(schema, pointer));
  const key = openKeys ? undefined : documentKey;
  const secrets = [key ?? '', personal ? (value ?? '') : ''].filter((text) => text !== '');
  const cover = (text: string): string =>
    secrets.reduce((covered, secret) => covered.replaceAll(secret, maskText(secret)), text);
  const coverParam = (name: string, param: string | number): string | number => {
    // Nobody knows whether a column that no one reads is about people.
    if (name === 'example') return maskText(String(param));
    const covered = cover(String(param));
    return covered === String(param) ? param : covered;
  };
  return {
    ...mapParams(rest as Issue, coverParam),
    ...(documentKey !== undefined && { documentKey: key === undefined ? documentKey : maskText(key) }),
    ...(value !== undefined && { value: cover(value) }),
    ...(suggestions !== undefined && !personal && { suggestions }),
  };
}
