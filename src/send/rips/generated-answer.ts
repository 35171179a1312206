import type { Answer } from '../../client/answer.js';
import type { JsonObject } from '../../values/json.js';
import { say } from '../say.js';
import { isObject, textOf } from '../soap-json.js';
import { readVerdict, type Verdict } from '../verdict.js';
import { readRipsFailure } from './generated-failure.js';
import { readResult } from './ministry-result.js';

/** The answer to R19 (service.md 6.7): nothing but a result, or a clear no, is an answer. */
export function readGenerated(answer: Answer, services: readonly JsonObject[]): Verdict {
  if (answer.kind === 'json' && isObject(answer.body)) {
    const { body, status } = answer;
    const { data } = body;
    if (status < 300 && isObject(data)) {
      const verdict = readResult(data, services);
      if (verdict !== undefined) return verdict;
    }
    if (status < 300) return unreadable(status, textOf(body['message']) ?? '');
    const inner = isObject(body['error']) ? body['error']['message'] : body['error'];
    const text = textOf(inner) ?? textOf(body['message']) ?? '';
    if (status === 500 && body['success'] === false) {
      const verdict = readRipsFailure(text, services);
      if (verdict !== undefined) return verdict;
    }
  }
  return readVerdict(answer, 'generateRips');
}

const unreadable = (status: number, text: string): Verdict => ({
  kind: 'unknown',
  issue: say('send/unreadable-answer', { status, text: text.slice(0, 160) }),
});
