import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import type { Rule } from '../../src/generated/rule-types.js';
import type { SchemaName } from '../../src/generated/schema-types.js';
import { checkFileShape } from '../../src/schema/file-shape.js';
import { childKeys, isList, leafKind, resolveNode } from '../../src/schema/registry.js';
import { blamedLeaves, checkRules, compareStated, deriveTotals, ruleEntry } from '../../src/schema/rules.js';
import type { JsonObject } from '../../src/values/json.js';
import { parsePointer } from '../../src/values/pointer.js';

const rules = readdirSync('schemas/rules')
  .filter((file) => !file.endsWith('.schema.json'))
  .flatMap((file) => JSON.parse(readFileSync(`schemas/rules/${file}`, 'utf8')) as Rule[]);

const golden = readFileSync('test/golden/payroll/nomina-octubre-2026.jsonl', 'utf8')
  .trim()
  .split('\n')
  .map((line) => JSON.parse(line) as JsonObject);

const changed = (change: (document: Record<string, JsonObject>) => void): JsonObject => {
  const document = structuredClone(golden[0]!);
  change(document as Record<string, JsonObject>);
  return document;
};

describe('the data', () => {
  test.each(rules)('$code has the shape of a rule', (rule) => {
    const [first] = checkFileShape('rules/rule', JSON.parse(JSON.stringify(rule)));
    expect(first).toBeUndefined();
  });

  test('codes are unique', () => {
    expect(new Set(rules.map(({ code }) => code)).size).toBe(rules.length);
  });

  test.each(rules)('$code blames leaves that its documents have', ({ schemas, blame = [], derive }) => {
    for (const schema of schemas)
      for (const pointer of [...blame, ...(derive?.into === undefined ? [] : [derive.into])])
        expect(resolveNode(schema, parsePointer(pointer)), pointer).toBeDefined();
  });

  test.each(rules)('$code compiles for its documents', ({ schemas }) => {
    for (const schema of schemas) expect(() => checkRules(schema as SchemaName, {})).not.toThrow();
  });
});

/** Every amount below a node, as pointers of rules. */
function amounts(schema: SchemaName, keys: readonly string[]): string[] {
  const node = resolveNode(schema, keys)!;
  if (leafKind(node) === 'money') return [`/${keys.join('/')}`];
  if (isList(node)) return amounts(schema, [...keys, '*']);
  return childKeys(node).flatMap((key) => amounts(schema, [...keys, key]));
}

describe('the totals add up every amount of their side', () => {
  test.each([
    ['accrued_total', 'accrued', ['/accrued/accrued_total', '/accrued/refund']], // the service drops accrued.refund
    ['deductions_total', 'deductions', ['/deductions/deductions_total']],
  ])('%s', (name, side, left) => {
    const formula = rules.find(({ derive }) => derive?.name === name)?.derive?.formula ?? '';
    const summed = formula.match(/\/[\w/*]+/g)!;
    expect(new Set([...summed, ...left])).toEqual(new Set(amounts('payroll/payroll', [side])));
  });

  test('and equal the golden documents to the cent', () => {
    for (const document of golden) {
      const fresh = structuredClone(document) as Record<string, JsonObject>;
      delete fresh['accrued']!['accrued_total'];
      delete fresh['deductions']!['deductions_total'];
      deriveTotals('payroll/payroll', fresh);
      expect(fresh).toEqual(document);
    }
  });
});

describe('a complete document', () => {
  test.each<[string, JsonObject, [string, string, string | undefined][]]>([
    ['sound', golden[0]!, []],
    [
      'accrued total off by 1,000',
      changed(({ accrued }) => (accrued!['accrued_total'] = '2305714.08')),
      [['payroll/accrued-total', 'error', '/accrued/accrued_total']],
    ],
    [
      'accrued total off by 2.00 warns',
      changed(({ accrued }) => (accrued!['accrued_total'] = '2304716.08')),
      [['payroll/accrued-total', 'warning', '/accrued/accrued_total']],
    ],
    [
      'deductions total off by 2.01',
      changed(({ deductions }) => (deductions!['deductions_total'] = '423412.01')),
      [['payroll/deductions-total', 'error', '/deductions/deductions_total']],
    ],
    [
      'more deducted than earned',
      changed(({ deductions }) => {
        deductions!['debt'] = '9000000.00';
        deductions!['deductions_total'] = '9423410.00';
      }),
      [['payroll/net-negative', 'error', '/deductions/deductions_total']],
    ],
  ])('%s', (_, document, expected) => {
    const found = checkRules('payroll/payroll', document);
    expect(found.map(({ code, level, place }) => [code, level, place.pointer])).toEqual(expected);
  });
});

test('a stated total is compared with the derived one', () => {
  const document = structuredClone(golden[0]!);
  const totals = deriveTotals('payroll/payroll', document);
  const stated = (name: string) => (name === 'net' ? '1881305.08' : undefined);
  expect(compareStated('payroll/payroll', totals, stated)).toMatchObject([
    {
      name: 'net',
      issue: {
        code: 'payroll/net',
        level: 'warning',
        params: { computed: '1881304.08', difference: '1.00', rule: 'NIE189' },
      },
    },
  ]);
});

test('a rejection of the authority finds the leaves it is about', () => {
  expect(blamedLeaves('NIE187')).toEqual(['/accrued/accrued_total']);
  expect(blamedLeaves('ZZ99')).toEqual([]);
});

test('rules are worded', () => {
  expect(ruleEntry('payroll/net')?.title.es).toBe('Neto a pagar');
});
