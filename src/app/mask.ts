import { type Issue, mapParams, paramOf, withParams } from '../toolkit/core/issue.js';
import { isPersonal } from '../toolkit/schema/registry.js';
import type { Masked } from './events.js';

/** Min length of a value that shows part of itself; shorter ones are masked only as whole words. */
const SHORT = 6;

/**
 * Masks a personal value: first character and last two, with dots between; fewer than six characters, dots only.
 * Enough to recognise a row the reader has at hand.
 */
export const maskText = (text: string): string =>
  text.length < SHORT ? '•••' : `${text.slice(0, 1)}•••${text.slice(-2)}`;

const coverIn = (text: string, secret: string): string =>
  secret.length < SHORT
    ? text.replaceAll(/[\p{L}\p{N}]+/gu, (word) => (word === secret ? maskText(word) : word))
    : text.replaceAll(secret, maskText(secret));

/**
 * Returns the issue as a terminal or log may show it: the personal value, texts that repeat it, and a personal
 * document key are masked. Files with mode 0600 have them in full.
 */
export function maskValue(issue: Issue, { schemas, hasPublicKeys }: Masked): Issue {
  const { documentKey, value, suggestions, ...rest } = issue;
  const pointer = issue.place.pointer;
  const personal = pointer !== undefined && schemas.some((schema) => isPersonal(schema, pointer));
  // A record without a key goes by its row.
  const key = hasPublicKeys || documentKey === String(issue.place.row) ? undefined : documentKey;
  const secrets = [key ?? '', personal ? (value ?? '') : ''].filter((text) => text !== '');
  const cover = (text: string): string => secrets.reduce(coverIn, text);
  const coverParam = (name: string, param: string | number): string | number => {
    // A person's name, or a value of an unread column that may be one.
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

export interface Mask {
  person(text: string): string;
  /** Masks the key of these documents, unless it is public. */
  key(text: string, about: Masked): string;
  /** Masks the personal values of an issue; none if `about` is undefined. */
  issue(issue: Issue, about?: Masked, personal?: string): Issue;
}

/** Output without masking, for the user who has to decide. */
export const NO_MASK: Mask = { person: (text) => text, key: (text) => text, issue: (issue) => issue };

const MASK: Mask = {
  person: maskText,
  key: (text, about) => (about.hasPublicKeys ? text : maskText(text)),
  issue(issue, about, personal) {
    if (about === undefined) return issue;
    if (personal === undefined) return maskValue(issue, about);
    const text = String(paramOf(issue, 'text') ?? '').replaceAll(personal, maskText(personal));
    return maskValue(withParams(issue, { text }), about);
  },
};

export const maskFor = (showValues: boolean | undefined): Mask => (showValues ? NO_MASK : MASK);
