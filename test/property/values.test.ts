import { describe, expect, test } from 'vitest';
import { KINDS } from './kinds.js';
import { findingOf } from './measure.js';

/** Changes of each kind; `npm run test:long` tries 8, or CARGUE_TEST_SEEDS; 200 are promised. */
const SEEDS = Number(process.env['CARGUE_TEST_SEEDS'] ?? 3);

/**
 * Sound files, changed by kinds that people and programs bring about: what is made of them is what was made before, or an issue
 * says at the cell, row, column or file that it is not.
 */
describe.each(KINDS)('$name', (kind) => {
  test(
    'no value goes out wrong without a word',
    async () => {
      const findings = [];
      for (let seed = 1; seed <= SEEDS; seed++) findings.push(await findingOf(kind, seed));
      expect(findings.every((one) => one !== undefined)).toBe(true);
      expect(findings.filter((one) => one!.silent.length > 0)).toEqual([]);
      // What looks the same is no reason to hold back rows that nobody touched.
      if (kind.explainedBy === 'errors') expect(findings.filter((one) => one!.blamed.length > 0)).toEqual([]);
    },
    SEEDS * 20_000,
  );
});
