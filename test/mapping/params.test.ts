import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { compileMapping } from '../../src/mapping/load.js';
import { resolveParams } from '../../src/mapping/params.js';

const { params } = compileMapping('wide.yaml', readFileSync('mappings/payroll/wide.yaml', 'utf8'));
const ENOUGH = { prefix: 'NOM', month: '2026-02', issue_date: '2026-02-28' };
const codes = (given: Record<string, unknown>) =>
  resolveParams(params, given).issues.map(({ code, params: { name } }) => [code, name]);

test('what the run does not say comes from defaults and formulas, and is listed', () => {
  const { value, issues } = resolveParams(params, ENOUGH);
  expect(issues).toEqual([]);
  expect(value?.values).toMatchObject({
    ...ENOUGH,
    type_document_id: '9',
    settlement_end_date: '2026-02-28',
  });
  expect(value?.defaults).toMatchObject({ settlement_start_date: '2026-02-01', worked_time: 'seniority' });
  expect(value?.defaults).not.toHaveProperty('prefix');
});

test.each<[string, Record<string, unknown>, [string, string][]]>([
  [
    'nothing given',
    {},
    [
      ['param/missing', 'prefix'],
      ['param/missing', 'month'],
      ['param/missing', 'issue_date'],
    ],
  ],
  ['misspelt name', { ...ENOUGH, prefijo: 'NOM' }, [['param/unknown', 'prefijo']]],
  ['a date that does not exist', { ...ENOUGH, issue_date: '2026-02-30' }, [['param/wrong', 'issue_date']]],
  ['a month with a day', { ...ENOUGH, month: '2026-02-01' }, [['param/wrong', 'month']]],
  ['a choice outside its list', { ...ENOUGH, worked_time: 'hours' }, [['param/wrong', 'worked_time']]],
  [
    'a fraction for an integer',
    { ...ENOUGH, payroll_period_id: 4.5 },
    [['param/wrong', 'payroll_period_id']],
  ],
  ['numbers and booleans of a JSON file', { ...ENOUGH, payroll_period_id: 5, high_risk_pension: true }, []],
  ['words for a boolean', { ...ENOUGH, high_risk_pension: 'sí' }, []],
  ['a list', { ...ENOUGH, prefix: ['NOM'] }, [['param/wrong', 'prefix']]],
])('%s', (_, given, expected) => expect(codes(given)).toEqual(expected));
