import { expect, test } from 'vitest';
import { outcomeOf } from '../../src/app/deliver.js';
import { createIssue } from '../../src/send/create-issue.js';
import { noOutcomes } from '../../src/toolkit/schema/document.js';

const rejected = createIssue('remote/rejected', { rule: 'NIE017', text: '' });
const unreachable = createIssue('send/unreachable', { reason: 'dns' });

test.each([
  ['all accepted', { accepted: 3 }, undefined, 0, 'fine'],
  ['a record held back', { accepted: 3 }, undefined, 1, 'data-errors'],
  ['one rejected', { accepted: 2, rejected: 1 }, undefined, 0, 'data-errors'],
  ['stopped by a rejection before all were sent', { rejected: 2, unsent: 1 }, rejected, 0, 'unfinished'],
  ['stopped by a rejection of the last', { rejected: 3 }, rejected, 0, 'data-errors'],
  ['stopped by a service that is away', { unsent: 3 }, unreachable, 0, 'unreachable'],
  ['in doubt', { unknown: 1, rejected: 1 }, unreachable, 1, 'unfinished'],
] as const)('%s', (_, some, stopped, errors, expected) => {
  const counts = { ...noOutcomes(), ...some };
  const result = { counts, interrupted: false, ...(stopped && { stopped }) };
  expect(outcomeOf(result, errors)).toBe(expected);
});
