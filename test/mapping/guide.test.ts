import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { parse, stringify } from 'yaml';
import { PipelineError } from '../../src/toolkit/core/issue.js';
import { compileMapping } from '../../src/toolkit/mapping/load.js';

const GUIDE = readFileSync('docs/mappings.md', 'utf8');
/** Line of the page and text of each example. */
const BLOCKS = [...GUIDE.matchAll(/^```yaml\n([\s\S]*?)^```/gm)].map(
  ({ index, 1: text = '' }) => [GUIDE.slice(0, index).split('\n').length, text] as const,
);

/** Codes of what the lint finds. */
function findings(text: string): readonly string[] {
  try {
    compileMapping('m.yaml', text);
    return [];
  } catch (error) {
    if (!(error instanceof PipelineError)) throw error;
    return error.issues.map(({ code, place }) => `${code} ${place.line}`);
  }
}

/** Keys that a mapping must have and that a part of one leaves out. */
const REST = {
  cargue: 1,
  name: 'part',
  target: 'payroll/bonus',
  tables: { workers: { columns: { document: { read: 'identifier' } } } },
  one_per: { record: 'workers' },
  key: 'document',
  document: { salary_bonus: { const: '1.00' } },
};

const isWhole = (text: string): boolean => text.startsWith('cargue:');

describe('the guide of mappings', () => {
  test('has at most 6,000 words', () => {
    expect(GUIDE.split(/\s+/).length).toBeLessThanOrEqual(6_000);
    expect(BLOCKS.length).toBeGreaterThan(10);
  });

  test.each(BLOCKS.filter(([, text]) => isWhole(text)))('line %i has a mapping', (_, text) =>
    expect(findings(text)).toEqual([]),
  );

  // A part names columns and parameters that it does not show; its keys, forms and formulas must be right.
  test.each(BLOCKS.filter(([, text]) => !isWhole(text)))('line %i has a part of one', (_, text) => {
    const found = findings(stringify({ ...REST, ...(parse(text) as object) }));
    expect(
      found.filter((code) => /unknown-key|shape|missing-key|syntax|unknown-function/.test(code)),
    ).toEqual([]);
  });
});
