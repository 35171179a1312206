import { type Issue, mapParams, paramOf, withParams } from '../toolkit/core/issue.js';
import { isPersonal } from '../toolkit/schema/registry.js';
import type { Masked } from './events.js';

/** A text that is shorter shows nothing of itself, and stands in others by chance: it is sought as a word alone. */
const SHORT = 6;

/**
 * What a terminal shows of a personal value: the first character and the last two, dots between; of one with fewer
 * than six characters, dots alone. Enough to recognise a row that one has before one's eyes, too little to learn from.
 */
export const maskText = (text: string): string =>
  text.length < SHORT ? '•••' : `${text.slice(0, 1)}•••${text.slice(-2)}`;

const coverIn = (text: string, secret: string): string =>
  secret.length < SHORT
    ? text.replaceAll(/[\p{L}\p{N}]+/gu, (word) => (word === secret ? maskText(word) : word))
    : text.replaceAll(secret, maskText(secret));

/**
 * The issue as a terminal or a log may show it: the value found in a personal field, what repeats it, and the key of
 * a document, where it is a person's number, are masked. Files that only their owner can read have them in full.
 */
export function maskValue(issue: Issue, { schemas, openKeys }: Masked): Issue {
  const { documentKey, value, suggestions, ...rest } = issue;
  const pointer = issue.place.pointer;
  const personal = pointer !== undefined && schemas.some((schema) => isPersonal(schema, pointer));
  // A record that does not say its document goes by its row.
  const key = openKeys || documentKey === String(issue.place.row) ? undefined : documentKey;
  const secrets = [key ?? '', personal ? (value ?? '') : ''].filter((text) => text !== '');
  const cover = (text: string): string => secrets.reduce(coverIn, text);
  const coverParam = (name: string, param: string | number): string | number => {
    // Somebody's name; or what nobody knows to be none, in a column that no one reads.
    if (name === 'who' || name === 'example') return maskText(String(param));
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

/** How personal values are shown, on a terminal as to a program. */
export interface Mask {
  /** What a person is called. */
  person(text: string): string;
  /** The key of such documents. */
  key(text: string, about: Masked): string;
  /** What is wrong with such documents; all of it where nothing is said of them. */
  issue(issue: Issue, about?: Masked, personal?: string): Issue;
}

/** Of what is before the person who has to decide about it. */
export const NO_MASK: Mask = { person: (text) => text, key: (text) => text, issue: (issue) => issue };

const MASK: Mask = {
  person: maskText,
  key: (text, about) => (about.openKeys ? text : maskText(text)),
  issue(issue, about, personal) {
    if (about === undefined) return issue;
    if (personal === undefined) return maskValue(issue, about);
    const text = String(paramOf(issue, 'text') ?? '').replaceAll(personal, maskText(personal));
    return maskValue(withParams(issue, { text }), about);
  },
};

export const maskFor = (showValues: boolean | undefined): Mask => (showValues ? NO_MASK : MASK);
