import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { CODES } from '../../src/generated/codes.js';
import type { SchemaName } from '../../src/generated/schema-types.js';
import { type JsonObject, parsePointer } from '../../src/toolkit/core/json.js';
import { compareStated, deriveTotals } from '../../src/toolkit/schema/derived-totals.js';
import {
  checkFileShape,
  childKeys,
  isList,
  leafKind,
  resolveNode,
  schemaNames,
} from '../../src/toolkit/schema/registry.js';
import { blamedLeaves, blamedLeavesOf, ruleData, ruleEntry } from '../../src/toolkit/schema/rule-data.js';
import { checkRules } from '../../src/toolkit/schema/rules.js';
import { offenders } from '../support/offenders.js';
import { GOLDEN } from './payroll-document.js';

const files = readdirSync('schemas/rules').filter((file) => !file.endsWith('.schema.json'));
const { rules, terms } = ruleData();

const changed = (change: (document: Record<string, JsonObject>) => void): JsonObject => {
  const document = structuredClone(GOLDEN[0]!);
  change(document as Record<string, JsonObject>);
  return document;
};

describe('the data', () => {
  test('every file has the shape of rules', async () => {
    const shape = (file: string) =>
      expect(checkFileShape('rules/rule', JSON.parse(readFileSync(`schemas/rules/${file}`, 'utf8')))).toEqual(
        [],
      );
    expect(await offenders(files, shape)).toEqual([]);
  });

  test('codes and terms are unique', () => {
    for (const names of [rules.map(({ code }) => code), terms.map(({ name }) => name)])
      expect(new Set(names).size).toBe(names.length);
  });

  const ofEach = (check: (rule: (typeof rules)[number]) => void) =>
    offenders(rules, check, ({ code }) => code);

  test('every rule is worded in both languages', async () => {
    const worded = ({ title, message, fix }: (typeof rules)[number]) => {
      for (const { es, en } of [title, message, fix]) expect([es.trim(), en.trim()]).not.toContain('');
    };
    expect(await ofEach(worded)).toEqual([]);
  });

  test('every rule names only what its issues have', async () => {
    const names = (rule: (typeof rules)[number]) => {
      const { message, fix, derive, checks = [] } = rule;
      const always = [
        'field',
        'title',
        'value',
        ...(rule.unique || rule.same ? ['first'] : []),
        ...(derive ? ['stated', 'computed', 'difference'] : []),
      ];
      const known = new Set([...always, ...checks.flatMap(({ params = {} }) => Object.keys(params))]);
      for (const text of [message.es, message.en, fix.es, fix.en])
        for (const [, name] of text.matchAll(/\{(\w+)\}/g)) expect([...known]).toContain(name);
    };
    expect(await ofEach(names)).toEqual([]);
  });

  test('every rule says something, or names the fault of shape that does', async () => {
    const says = (rule: (typeof rules)[number]) => {
      expect(
        rule.derive ?? rule.checks ?? rule.unique ?? rule.same ?? rule.shape ?? rule.unchecked,
      ).toBeDefined();
      for (const code of rule.shape ?? []) expect(CODES).toHaveProperty([code]);
    };
    expect(await ofEach(says)).toEqual([]);
  });

  test('every rule points at leaves that its documents have', async () => {
    const points = (rule: (typeof rules)[number]) => {
      for (const pointer of blamedLeavesOf(rule)) {
        const has = (schema: string) => resolveNode(schema, parsePointer(pointer)) !== undefined;
        expect(rule.schemas.some(has), pointer).toBe(true);
      }
    };
    expect(await ofEach(points)).toEqual([]);
  });

  test('they compile for every schema that has some', async () => {
    const named = schemaNames().filter((name) => rules.some(({ schemas }) => schemas.includes(name)));
    expect(await offenders(named, (schema) => expect(checkRules(schema, {})).toEqual([]))).toEqual([]);
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
    for (const document of GOLDEN) {
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
    ['sound', GOLDEN[0]!, []],
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
  const document = structuredClone(GOLDEN[0]!);
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

test.each([
  ['NIE187', ['/accrued/accrued_total']],
  ['NIE052', ['/worker/municipality_id']],
  ['NIE107', ['/accrued/HRNDFs/*/percentage']],
  ['NIE017', ['']], // the software, which no document names
  ['ZC05', ['']],
  ['NIE026', ['/period/issue_date']],
  ['ZZ99', []],
])('a rejection of the authority finds the leaves it is about: %s', (rule, leaves) => {
  expect(new Set(blamedLeaves(rule))).toEqual(new Set(leaves));
});

test('rules are worded', () => {
  expect(ruleEntry('payroll/net')?.title.es).toBe('Neto a pagar');
});
