import { readdirSync, readFileSync } from 'node:fs';
import { Ajv } from 'ajv';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { editorSchema } from '../../src/codegen/editor-schema.js';
import { readExamples } from '../../src/codegen/pages.js';
import { packageFile } from '../../src/toolkit/core/package-file.js';
import { readLayout } from '../../src/toolkit/mapping/layout.js';
import { mappingWithTargets } from '../../src/toolkit/schema/views.js';
import { wholeMapping } from '../support/language-example.js';

const validate = new Ajv({ strict: false, allErrors: true }).compile(
  editorSchema(mappingWithTargets(['rips/attention'])),
);

/** Where an editor marks something. */
function marked(mapping: unknown): string[] {
  validate(mapping);
  return (validate.errors ?? []).map(({ instancePath, keyword }) => `${instancePath} ${keyword}`);
}

/** Marks of keys and fields that may not stand where they do. */
const unknown = (mapping: unknown): string[] =>
  marked(mapping).flatMap((mark) => (mark.endsWith(' additionalProperties') ? [mark.split(' ')[0]!] : []));

describe('marks nothing in', () => {
  test.each(readdirSync(packageFile('mappings', 'payroll')))('payroll/%s', (file) => {
    const text = readFileSync(packageFile('mappings', 'payroll', file), 'utf8');
    expect(marked(readLayout(file, text).value)).toEqual([]);
  });

  test.each(readdirSync(packageFile('mappings', 'payroll')))('payroll/%s as it is written', (file) => {
    expect(marked(parse(readFileSync(packageFile('mappings', 'payroll', file), 'utf8')))).toEqual([]);
  });

  const good = readExamples(packageFile('schemas', 'mapping.examples')).filter(
    ({ lint }) => lint === undefined,
  );
  test.each(good)('the example $id', (example) => {
    expect(marked(parse(wholeMapping(example)))).toEqual([]);
  });
});

const PAYROLL = {
  cargue: 1,
  name: 'x',
  target: 'payroll/payroll',
  tables: { workers: { columns: { id: { read: 'identifier' } } } },
  one_per: { record: 'workers' },
};
const withDocument = (document: unknown, more: object = {}) => ({ ...PAYROLL, ...more, document });
const LEAF = { from: 'id' };

describe('marks', () => {
  test.each<[string, unknown, string]>([
    [
      'a field that the target does not have',
      withDocument({ worker: { shoe_size: LEAF } }),
      '/document/worker',
    ],
    [
      'one inside $each',
      withDocument({ accrued: { bonuses: [{ $each: 'workers', $sort: 'id', bonus: LEAF }] } }),
      '/document/accrued/bonuses/0',
    ],
    ['$each where no list is', withDocument({ worker: { $each: 'workers' } }), '/document/worker'],
    ['a total, which is derived', withDocument({ accrued: { accrued_total: LEAF } }), '/document/accrued'],
    ['a number of a series', withDocument({ consecutive: LEAF }), '/document'],
    ['an unknown key', withDocument({}, { tabels: {} }), ''],
    [
      'an unknown key of a concept',
      { extends: 'payroll/wide', concepts: { commission: { nams: ['X'] } } },
      '/concepts/commission',
    ],
    [
      'an unknown key of a layout',
      { cargue: 2, extends: 'payroll/wide', tables: { w: { roww: 'event' } } },
      '/tables/w',
    ],
    [
      'an unknown key on top of a base',
      { extends: 'payroll/wide', tables: { w: { colums: {} } } },
      '/tables/w',
    ],
    [
      'a field of the target that an extension names',
      { extends: 'payroll/wide', target: 'payroll/payroll', document: { worker: { shoe_size: LEAF } } },
      '/document/worker',
    ],
  ])('%s', (_, mapping, place) => {
    expect(unknown(mapping)).toContain(place);
  });

  test('what a whole mapping lacks', () => {
    expect(marked({ cargue: 1 })).toContain(' required');
  });
});

describe('leaves free', () => {
  test.each<[string, unknown]>([
    [
      'fields on top of a base, whose target it does not know',
      { extends: 'payroll/wide', document: { any: { thing: LEAF } } },
    ],
    [
      'a part of a leaf',
      { extends: 'payroll/wide', document: { worker: { surname: { default: { const: 'x' } } } } },
    ],
    [
      'what is taken away',
      { extends: 'payroll/wide', tables: { workers: { columns: { bank: null } } }, stated: null },
    ],
    [
      'fields of any of several targets',
      withDocument(
        { worker_code: LEAF, predecessor: { predecessor_number: LEAF } },
        { target: [{ schema: 'payroll/payroll', when: 'true' }, { schema: 'payroll/adjust-note' }] },
      ),
    ],
  ])('%s', (_, mapping) => {
    expect(marked(mapping)).toEqual([]);
  });
});
