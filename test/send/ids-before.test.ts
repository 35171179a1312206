import { expect, test } from 'vitest';
import { idsBefore } from '../../src/send/state-machine.js';

const position = { made: { patient: 1, appointment: 2, document: 3 }, shownStages: ['patient', 'document'] };

test.each([
  ['patient', {}],
  ['appointment', { made: { patient: 1 }, shownStages: ['patient'] }],
  ['document', { made: { patient: 1, appointment: 2 }, shownStages: ['patient'] }],
  ['transmission', position],
  [undefined, position],
])('the ids before %s', (stage, expected) => {
  expect(idsBefore(position as unknown as Parameters<typeof idsBefore>[0], stage)).toEqual(expected);
});
