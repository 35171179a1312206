import { expect, test } from 'vitest';
import type { Answer } from '../../src/client/answer.js';
import { readReply } from '../../src/send/verdict.js';
import type { JsonValue } from '../../src/toolkit/core/json.js';

const json = (status: number, body: JsonValue): Answer => ({ kind: 'json', status, body });

/** `[what it is read as, its first code]` */
function read(answer: Answer): readonly [string, string | undefined] {
  const reply = readReply(answer, ({ success }) => (success === true ? true : undefined), 'email/refused');
  if (reply.kind === 'refused') return [reply.kind, reply.issues[0]?.code];
  return [reply.kind, 'issue' in reply ? reply.issue.code : undefined];
}

test.each<[string, Answer, string, string | undefined]>([
  ['a yes', json(200, { success: true }), 'done', undefined],
  ['a no', json(200, { success: false, message: 'no' }), 'refused', 'email/refused'],
  ['a no with fields', json(422, { message: 'x', errors: { email: ['y'] } }), 'refused', 'email/refused'],
  ['neither', json(200, { message: 'hola' }), 'unknown', 'service/unreadable-answer'],
  ['a bare sentence', json(200, 'Correo enviado'), 'unknown', 'service/unreadable-answer'],
  ['a crash', json(500, { message: 'Server Error' }), 'unknown', 'service/unreadable-answer'],
  ['no token', json(401, { message: 'Unauthenticated.' }), 'refused-for-all', 'service/unauthenticated'],
  ['no such route', json(404, { message: 'x' }), 'refused-for-all', 'service/wrong-address'],
  ['a page', { kind: 'text', status: 302, text: '<html>' }, 'refused-for-all', 'service/wrong-address'],
  ['too many', json(429, {}), 'throttled', undefined],
  [
    'nobody there',
    { kind: 'failure', reason: 'refused', sent: false },
    'refused-for-all',
    'service/unreachable',
  ],
  ['a lost answer', { kind: 'failure', reason: 'timeout', sent: true }, 'unknown', 'service/no-answer'],
  ['hung up before it left', { kind: 'failure', reason: 'aborted', sent: false }, 'not-sent', undefined],
  [
    'hung up after it left',
    { kind: 'failure', reason: 'aborted', sent: true },
    'unknown',
    'service/no-answer',
  ],
])('%s', (_, answer, kind, code) => {
  expect(read(answer)).toEqual([kind, code]);
});
