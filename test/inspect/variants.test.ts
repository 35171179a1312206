import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { type Prepared, prepareFiles } from '../support/prepare-file.js';
import { answerAll, meaningOf, type Variant } from './answering.js';
import { LISTS } from './list-variants.js';
import { WIDE } from './wide-variants.js';

interface Sample {
  readonly book: string;
  readonly mapping: string;
  readonly params: string;
}

const SAMPLES: Readonly<Record<string, Sample>> = {
  simple: {
    book: 'samples/payroll/nomina-octubre-2026.xlsx',
    mapping: 'mappings/payroll/wide.yaml',
    params: 'samples/payroll/params.json',
  },
  multihoja: {
    book: 'samples/payroll/multihoja/Nomina_octubre_multihoja.xlsx',
    mapping: 'mappings/payroll/multi-sheet.yaml',
    params: 'samples/payroll/multihoja/params.json',
  },
  conceptos: {
    book: 'samples/payroll/conceptos/acumulado_conceptos_oct2026.xlsx',
    mapping: 'mappings/payroll/long.yaml',
    params: 'samples/payroll/conceptos/params.json',
  },
};

const paramsOf = (name: string): Record<string, unknown> =>
  JSON.parse(readFileSync(SAMPLES[name]!.params, 'utf8')) as Record<string, unknown>;

const originals = new Map<string, Promise<Prepared>>();

/** The documents that a sample gives as it is. */
function original(name: string): Promise<Prepared> {
  const { book, mapping } = SAMPLES[name]!;
  const known = originals.get(name) ?? prepareFiles({ files: [book], mapping, params: paramsOf(name) });
  originals.set(name, known);
  return known;
}

const byKey = ({ drafts }: Prepared): unknown[] =>
  [...drafts].sort((a, b) => (a.key < b.key ? -1 : 1)).map(({ body }) => body);

describe.each<Variant>([...WIDE, ...LISTS])(
  '$name',
  ({ sample, files, layout, known, asks = [], asksNothing, params }) => {
    test('gives the documents of the sample, and nothing is decided wrongly', async () => {
      const paths = await files();
      const { first, last, asked, mapping } = await answerAll(paths, known);
      expect(first.fit?.name).toBe(layout);
      const wrong = [...first.labels, ...last.labels].filter(
        (fit) =>
          (fit.state === 'decided' && fit.means !== meaningOf(known, fit)) ||
          (fit.state === 'ignored' && fit.content.filled.length > 0 && meaningOf(known, fit) !== 'ignore'),
      );
      expect(wrong.map(({ id, label, state, means }) => [id, label, state, means])).toEqual([]);
      expect(asked).toEqual(expect.arrayContaining([...asks]));
      if (asksNothing) expect(asked).toEqual([]);
      expect(last.open).toEqual([]);
      const given = { ...paramsOf(sample), ...params };
      const prepared = await prepareFiles({ files: paths, mappingText: mapping, params: given });
      const whole = await original(sample);
      const errors = ({ issues }: Prepared): string[] =>
        issues.flatMap(({ level, code }) => (level === 'error' ? [code] : [])).sort();
      expect(errors(prepared)).toEqual(errors(whole));
      expect(byKey(prepared)).toEqual(byKey(whole));
    });
  },
);
