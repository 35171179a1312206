import { describe, expect, test } from 'vitest';
import { issueLine } from '../../src/cli/issue-printer.js';
import type { Issue } from '../../src/toolkit/core/issue.js';
import { issueEvent } from '../../src/toolkit/messages/wording.js';

const issue = (more: Partial<Issue<'cell/not-a-number'>>): Issue => ({
  code: 'cell/not-a-number',
  level: 'error',
  params: {},
  place: { file: 'n.xlsx', sheet: 'Nómina', row: 17, column: 'F', label: 'Sueldo' },
  value: '1.5OO.000',
  ...more,
});

describe('line for people', () => {
  test.each<[string, Partial<Issue<'cell/not-a-number'>>, RegExp]>([
    ['cell of a sheet', {}, /^Nómina!F17 Sueldo: «1\.5OO\.000» /],
    ['cell of a CSV', { place: { file: 'a.csv', row: 12, column: 'C', line: 14 } }, /^a\.csv!C12: /],
    [
      'line of a mapping',
      { place: { file: 'm.yaml', line: 3, character: 5, row: 3, column: 'E' } },
      /^m\.yaml:3:5: /,
    ],
    ['document without a cell', { place: {}, documentKey: '9000100037' }, /^9000100037: /],
    ['nothing but the matter', { place: {} }, /^«1\.5OO\.000» /],
    ['likely values', { suggestions: [{ value: 'Cali', score: 1 }] }, /«Cali»\?$/],
    ['line breaks in a value', { value: 'a\nb' }, /«a b»/],
  ])('%s', (_, more, expected) => {
    expect(issueLine(issue(more), 'es')).toMatch(expected);
  });
});

describe('object for programs', () => {
  const keys = [
    'event',
    'code',
    'rule',
    'level',
    'file',
    'sheet',
    'cell',
    'row',
    'column',
    'label',
    'line',
    'json',
  ];
  const rest = [
    'value',
    'pointer',
    'param',
    'mapping',
    'documentKey',
    'documents',
    'message',
    'fix',
    'suggestions',
  ];

  test('has the same keys whatever is known', () => {
    for (const each of [issue({}), issue({ place: {}, documentKey: 'x', suggestions: [] })])
      expect(Object.keys(issueEvent(each, 'es'))).toEqual([...keys, ...rest]);
  });

  test.each<[Partial<Issue<'cell/not-a-number'>>, unknown]>([
    [{}, 'F17'],
    [{ place: { file: 'a.csv', row: 12, column: 'C' } }, 'C12'],
    [{ place: { file: 'a.csv', row: 12 } }, null],
    [{ place: { file: 'm.yaml', line: 3, character: 5, row: 3, column: 'E' } }, null],
  ])('cell of %o is %s', (more, cell) => {
    expect(issueEvent(issue(more), 'en')['cell']).toBe(cell);
  });
});
