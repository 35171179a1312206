import { describe, expect, test } from 'vitest';
import { paramOf } from '../../src/toolkit/core/issue.js';
import { childKeys, isRequired, resolveNode } from '../../src/toolkit/schema/registry.js';
import { validate } from '../../src/toolkit/schema/validate.js';
import type { View } from '../../src/toolkit/schema/views.js';
import { CLAIM, CUFE, RECEIPT, RECEPTION } from './event-examples.js';
import { withValue } from './examples.js';

const codes = (name: string, view: View, document: object): string[] =>
  validate(name, view, document).map((issue) => `${issue.place.pointer} ${issue.code}`);

test.each([
  ['events/event', RECEIPT],
  ['events/event', CLAIM],
  ['events/event-by-cufe', RECEIPT],
  ['events/event-by-document', CLAIM],
  ['events/seller-reception', RECEPTION],
])('%s takes the worked example in every view', (name, document) => {
  for (const view of ['strict', 'draft', 'tolerant'] as const)
    expect(codes(name, view, document)).toEqual([]);
});

const REQUIRED: readonly (readonly [name: string, document: object, pointer: string])[] = [
  ['events/event', RECEIPT, '/event_id'],
  ['events/event', RECEIPT, '/document_reference'],
  ['events/event', RECEIPT, '/document_reference/cufe'],
  ...Object.keys(RECEIPT.issuer_party).map(
    (key) => ['events/event', RECEIPT, `/issuer_party/${key}`] as const,
  ),
  ['events/event', CLAIM, '/event_id'],
  ['events/event', CLAIM, '/type_rejection_id'],
  ['events/event', CLAIM, '/base64_attacheddocument_name'],
  ['events/event-by-document', CLAIM, '/base64_attacheddocument'],
  ['events/seller-reception', RECEPTION, '/company_idnumber'],
  ['events/seller-reception', RECEPTION, '/xml_document'],
];

test.each(REQUIRED)('%s %#: %s is required', (name, document, pointer) => {
  const lacking = withValue(document, pointer, undefined);
  for (const view of ['strict', 'tolerant'] as const)
    expect(codes(name, view, lacking)).toEqual([`${pointer} document/required`]);
});

test.each([1, 2, 3, 4, 5, 6, 7])('event %i of the contract is taken', (event_id) => {
  expect(codes('events/event', 'strict', { ...CLAIM, event_id })).toEqual([]);
});

test.each([
  ['/event_id', 8, 'document/choice'],
  ['/event_id', '030', 'document/choice'],
  ['/type_rejection_id', 5, 'document/choice'],
  ['/document_reference/cufe', CUFE.toUpperCase(), 'document/format-cufe'],
  ['/document_reference/cufe', CUFE.slice(1), 'document/format-cufe'],
  ['/issuer_party/job_title', '', 'document/blank'],
  ['/issuer_party/identification_number', 1020304050, 'document/type'],
  ['/sendmail', 'no', 'document/type'],
  ['/email_cc_list', [{ email: 'ana' }], 'document/format-email'],
  ['/extra', 1, 'document/not-allowed'],
])('%s = %j is told as a fault', (pointer, value, code) => {
  const [told, ...rest] = codes('events/event', 'strict', withValue(RECEIPT, pointer, value));
  expect(rest).toEqual([]);
  expect(told).toMatch(new RegExp(`^${pointer}.* ${code}$`));
});

test('a value that is too long to be quoted ends in an ellipsis, and its length is said', () => {
  const [issue] = validate(
    'events/event',
    'strict',
    withValue(RECEIPT, '/document_reference/cufe', CUFE.slice(1)),
  );
  expect([issue?.value, paramOf(issue!, 'length')]).toEqual([`${CUFE.slice(1, 80)}…`, 95]);
});

describe('the option is told by the file', () => {
  test('without a file the CUFE is wanted', () => {
    expect(codes('events/event', 'strict', { event_id: 1 })).toEqual([
      '/document_reference document/required',
    ]);
  });
  test('both are too many', () => {
    const both = { ...CLAIM, document_reference: { cufe: CUFE } };
    expect(codes('events/event', 'strict', both)).toEqual(['/document_reference document/not-allowed']);
  });
  test('the other option is a fault on a path that takes one only', () => {
    expect(codes('events/event-by-cufe', 'tolerant', CLAIM)).toEqual([
      '/document_reference document/required',
    ]);
    expect(codes('events/event-by-document', 'tolerant', RECEIPT).sort()).toEqual([
      '/base64_attacheddocument document/required',
      '/base64_attacheddocument_name document/required',
    ]);
  });
  test('a mapping sees the members of both, and what each option needs', () => {
    const root = resolveNode('events/event', [])!;
    expect(childKeys(root)).toEqual(
      expect.arrayContaining(['base64_attacheddocument', 'document_reference']),
    );
    expect(isRequired(root, 'event_id')).toBe(true);
    expect(isRequired(root, 'document_reference')).toBe(false);
  });
});

test.each([
  ['/event_id', '1'],
  ['/issuer_party/identification_number', 1020304050],
  ['/document_reference/cufe', CUFE.toUpperCase()],
  ['/resend_consecutive', 1],
  ['/extra', 1],
])('the tolerant view takes %s = %j', (pointer, value) => {
  expect(codes('events/event', 'tolerant', withValue(RECEIPT, pointer, value))).toEqual([]);
});

test('a claim without a reason is told in the tolerant view too, from text', () => {
  expect(codes('events/event', 'tolerant', { ...RECEIPT, event_id: '2' })).toEqual([
    '/type_rejection_id document/required',
  ]);
});

test('a file of twenty megabytes is checked all the same', () => {
  const event = { ...CLAIM, base64_attacheddocument: 'QUJD'.repeat(5_000_000) };
  expect(codes('events/event', 'strict', event)).toEqual([]);
});

test.each([
  ['QUJD', true],
  ['QUI=', true],
  ['QQ==', true],
  ['QUJDQQ==', true],
  ['', false],
  ['QUJ', false],
  ['Q===', false],
  ['====', false],
  ['QQ==QUJD', false],
  ['QU=D', false],
  ['QU-DQUJD', false],
  ['QUJDQU?D', false],
  ['QUJD\n', false],
])('%j is base64: %s', (text, is) => {
  const found = codes('events/event-by-document', 'strict', { ...CLAIM, base64_attacheddocument: text });
  expect(found.some((one) => one.startsWith('/base64_attacheddocument '))).toBe(!is);
});
