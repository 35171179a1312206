import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import type { JsonObject } from '../../src/toolkit/core/json.js';
import { validate } from '../../src/toolkit/schema/validate.js';

interface Attention {
  readonly patient: JsonObject;
  readonly document: JsonObject & { readonly note_number: string };
}

const attentions = JSON.parse(readFileSync('test/sandbox/rips/documents.json', 'utf8')) as Attention[];

/** Attentions of clinics, one or more of each service group: what a mapping makes must pass the strict views. */
test.each(attentions.map((attention) => [attention.document.note_number, attention] as const))(
  '%s',
  (_, { patient, document }) => {
    expect(validate('rips/patient', 'strict', patient)).toEqual([]);
    expect(validate('rips/document', 'strict', { ...document, appointment_id: 1 })).toEqual([]);
  },
);

test('the attentions cover all seven groups', () => {
  const groups = attentions.flatMap(({ document }) =>
    (document['services'] as JsonObject[]).map((service) => service['service_type_id']),
  );
  expect(new Set(groups)).toEqual(new Set([1, 2, 3, 4, 5, 6, 7]));
});
