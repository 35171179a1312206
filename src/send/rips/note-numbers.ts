import type { JsonObject } from '../../values/json.js';
import type { Numbers } from '../kind.js';
import type { AttentionParts } from './attention-parts.js';

/** How the numbers of packages read: `RS-2026-10-` and four digits. */
export interface NoteNumbers {
  readonly prefix: string;
  /** Digits, zeros before; longer numbers keep all of theirs. */
  readonly width: number;
}

/** `RS-2026-10-####`: in a body that has no number yet it says how that will read. */
export const noteForm = ({ prefix, width }: NoteNumbers): string => prefix + '#'.repeat(width);

const FORM = /^(.*?)(#*)$/s;

/** No document type of DIAN: these numbers are counted apart from theirs. */
const RIPS_SERIES = 0;

const numberOf = (body: JsonObject): string =>
  String((body as unknown as AttentionParts).document['note_number'] ?? '');

function formOf(body: JsonObject): NoteNumbers {
  const [, prefix = '', digits = ''] = FORM.exec(numberOf(body)) ?? [];
  return { prefix, width: digits.length };
}

const withNumber = (body: JsonObject, note_number: string): JsonObject => ({
  ...body,
  document: { ...(body['document'] as JsonObject), note_number },
});

/** Numbers of packages; a body that is laid out holds the form of its number. */
export const NOTE_NUMBERS: Numbers = {
  series: (body) => ({ typeDocumentId: RIPS_SERIES, prefix: formOf(body).prefix }),
  write: (body, consecutive) => {
    const { prefix, width } = formOf(body);
    return withNumber(body, prefix + String(consecutive).padStart(width, '0'));
  },
  clear: (body, { prefix }) =>
    withNumber(body, noteForm({ prefix, width: numberOf(body).length - prefix.length })),
  text: numberOf,
};
