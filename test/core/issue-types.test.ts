import { expect, test } from 'vitest';
import { createCaseIssue, createIssue } from '../../src/send/create-issue.js';
import { type Issue, issueOf, PipelineError, stop, warning } from '../../src/toolkit/core/issue.js';
import { CellFault } from '../../src/toolkit/mapping/read/cell.js';

// What must not compile: each line below is an error of the compiler, which `tsc -p test` demands.
const wrong = (): readonly unknown[] => [
  // @ts-expect-error an unknown code
  { code: 'cell/no-such-code', level: 'error', params: {}, place: {} } satisfies Issue,
  // @ts-expect-error a missing param
  { code: 'catalogue/no-codes', level: 'error', params: { table: 'x' }, place: {} } satisfies Issue,
  // @ts-expect-error a param that nothing reads
  { code: 'cell/not-a-number', level: 'error', params: { found: 'x' }, place: {} } satisfies Issue,
  // @ts-expect-error an unknown code
  issueOf('cell/no-such-code', 'error', {}),
  // @ts-expect-error a missing param
  issueOf('catalogue/no-codes', 'error', { table: 'x' }),
  // @ts-expect-error an unknown code
  warning('cell/no-such-code'),
  // @ts-expect-error params that are needed
  warning('catalogue/no-codes'),
  // @ts-expect-error an unknown code
  () => stop('input', { code: 'file/no-such-code' }),
  // @ts-expect-error a missing param
  () => stop('input', { code: 'file/zip-path' }),
  // @ts-expect-error an unknown code
  new CellFault('cell/no-such-code'),
  // @ts-expect-error a missing param
  new CellFault('cell/not-a-choice'),
  // @ts-expect-error an unknown code
  createIssue('send/no-such-code'),
  // @ts-expect-error params that are needed
  createIssue('send/no-answer'),
  // @ts-expect-error an unknown case
  createCaseIssue('payroll/note-predecessor', 'no-such-case', { number: 1 }),
  // @ts-expect-error a missing param of that case
  createCaseIssue('payroll/note-predecessor', 'replaced', { number: 1 }),
];

test('what compiles is said as it stands', () => {
  expect(wrong).toBeInstanceOf(Function);
  expect(warning('catalogue/no-codes', { table: 'x', expected: 'y' })).toEqual({
    code: 'catalogue/no-codes',
    level: 'warning',
    params: { table: 'x', expected: 'y' },
    place: {},
  });
  expect(() => stop('input', { code: 'file/zip-path', params: { part: 'x' } })).toThrow(PipelineError);
  expect(createCaseIssue('payroll/note-predecessor', 'replaced', { number: 1, latest: 2 })).toMatchObject({
    level: 'warning',
    params: { case: 'replaced', number: 1, latest: 2 },
  });
});
