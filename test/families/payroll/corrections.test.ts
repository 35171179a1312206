import { expect, test } from 'vitest';
import { DELETION, REPLACEMENT } from '../../../src/families/payroll/adjust-note.js';
import { kindOf } from '../../../src/families/payroll/corrections.js';

test.each([
  ['payroll/payroll', 'new'],
  [REPLACEMENT, 'replace'],
  [DELETION, 'delete'],
] as const)('%s is shown as %s', (schema, kind) => {
  expect(kindOf(schema)).toBe(kind);
});
