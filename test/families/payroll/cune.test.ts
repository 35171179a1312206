import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import {
  type CuneParts,
  cune,
  cuneInput,
  DELETION_PARTS,
  truncateToCents,
} from '../../../src/families/payroll/cune.js';

interface Vector {
  readonly name: string;
  readonly parts: CuneParts;
  readonly input: string;
  readonly cune: string;
}

const vectors: Vector[] = JSON.parse(readFileSync(new URL('cune-vectors.json', import.meta.url), 'utf8'));
const [V1] = vectors;

describe('CUNE', () => {
  it.each(vectors)('$name', ({ parts, input, cune: expected }) => {
    expect(cuneInput(parts)).toBe(input);
    expect(cune(parts)).toBe(expected);
  });

  it('of a deletion leaves worker and amounts out', () => {
    const eliminar = vectors.find((vector) => vector.name.startsWith('V5'));
    expect(cune({ ...V1!.parts, ...DELETION_PARTS })).toBe(eliminar!.cune);
  });

  it('cuts amounts before hashing', () => {
    expect(cune({ ...V1!.parts, accrued: '3500000.009', deductions: '1000000', net: '2500000.0' })).toBe(
      V1!.cune,
    );
  });
});

describe('truncateToCents', () => {
  it.each([
    ['10.999', '10.99'],
    ['10.9', '10.90'],
    ['7', '7.00'],
    ['-0.555', '-0.55'],
    ['12345678901234567890.125', '12345678901234567890.12'],
  ])('%s → %s', (amount, expected) => {
    expect(truncateToCents(amount)).toBe(expected);
  });
});
