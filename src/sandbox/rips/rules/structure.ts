import { CURRENT_PROFILE, nationalSchema } from '../../../rips/fields.js';
import { validate } from '../../../schema/validate.js';
import type { JsonObject, JsonValue } from '../../../values/json.js';
import { parsePointer, valueAt } from '../../../values/pointer.js';
import type { Breach } from './rule.js';

/** Sizes are a rule of their own; whatever else is wrong with a form is the general one. */
const SIZES = [
  'document/too-short',
  'document/too-long',
  'document/too-small',
  'document/too-large',
  'document/blank',
];

/** `/usuarios/0/servicios` as the ministry writes it: `usuarios[0].servicios`. */
const sourcePath = (pointer: string): string =>
  parsePointer(pointer)
    .map((key, at) => (/^\d+$/.test(key) ? `[${key}]` : at === 0 ? key : `.${key}`))
    .join('');

/** RVG01 and RVG05: keys, types, forms and sizes of the profile in force. */
export function brokenStructure(sent: JsonObject): readonly Breach[] {
  return validate(nationalSchema(CURRENT_PROFILE, 'transaccion'), 'strict', sent).map(({ code, place }) => ({
    rule: SIZES.includes(code) ? 'RVG05' : 'RVG01',
    path: sourcePath(place.pointer ?? ''),
    value: valueAt(sent, place.pointer ?? '') as JsonValue | undefined,
  }));
}

/** RVG01: without an invoice a package has a kind of note and its number (rips.md 2.2, T03 and T04). */
export const missingNote = (sent: JsonObject): readonly Breach[] =>
  ['tipoNota', 'numNota']
    .filter((field) => sent['numFactura'] === null && sent[field] === null)
    .map((field) => ({ rule: 'RVG01', path: field, value: null }));
