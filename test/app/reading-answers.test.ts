import { expect, test } from 'vitest';
import { givenFormats, readingAnswersTo } from '../../src/app/reading-answers.js';
import { type Issue, type IssueCode, PipelineError } from '../../src/toolkit/core/issue.js';

const codeOf = (answer: readonly string[]): unknown => {
  try {
    return givenFormats({ answer });
  } catch (error) {
    return error instanceof PipelineError ? error.issues[0]!.code : error;
  }
};

test.each<[readonly string[], unknown]>([
  [[], {}],
  [['decimal=comma', 'date=dmy'], { decimal: 'comma', date: 'dmy' }],
  [['Nan=name', 'NULL=name'], { names: ['nan', 'null'] }],
  // A word that says nothing else is no question.
  [['Ana=name'], 'run/bad-option'],
  [['Nan=nombre'], 'run/bad-option'],
  [['date=name'], 'run/bad-option'],
  [['name=Nan'], 'run/bad-option'],
])('%j', (answer, expected) => {
  expect(codeOf(answer)).toEqual(expected);
});

test.each<[IssueCode, Partial<Issue>, readonly string[]]>([
  ['cell/null-word-or-name', { value: 'Nan' }, ['Nan=name']],
  ['cell/date-ambiguous', {}, ['date=dmy', 'date=mdy']],
  ['cell/number-ambiguous', {}, ['decimal=comma', 'decimal=dot']],
  ['cell/hour-ambiguous', {}, ['time=24h', 'time=afternoon']],
  ['format/year-last', {}, ['date=dmy', 'date=ymd']],
  ['format/read-as-most', { params: { style: '31/12/2026' } }, ['date=dmy', 'date=mdy']],
  ['format/read-as-most', { params: { style: '1,234.56' } }, ['decimal=comma', 'decimal=dot']],
  ['cell/not-a-number', { value: 'Nan' }, []],
])('%s %j is settled by answers that a call takes', (code, more, expected) => {
  const answers = readingAnswersTo({ code, level: 'error', place: {}, ...more } as Issue).map((one) =>
    one.join('='),
  );
  expect(answers).toEqual(expected);
  for (const answer of answers) expect(codeOf([answer])).toBeTypeOf('object');
});
