import type { Answer } from '../client/answer.js';
import type { DocumentKind } from './kind.js';
import { say } from './say.js';
import { isObject, textOf } from './soap-json.js';
import { readVerdict, type Verdict } from './verdict.js';

/** What the service read in the seller's file (service.md 7.4); nothing is stored, so no answer is a loss. */
export function readReception(answer: Answer): Verdict {
  const body =
    answer.kind === 'json' && isObject(answer.body) && answer.status < 300 ? answer.body : undefined;
  const data = body?.['data'];
  if (body?.['success'] === true && isObject(data)) {
    const cufe = textOf(data['cufe']);
    return {
      kind: 'accepted',
      shown: {},
      issues: [],
      ...(cufe !== undefined && { documentCode: cufe }),
      answer: data,
    };
  }
  const verdict = readVerdict(answer, 'query');
  const text = textOf(body?.['message']) ?? '';
  return body?.['success'] === false && verdict.kind === 'refused-for-all'
    ? { kind: 'refused', issues: [say('remote/refused', { text })] }
    : verdict;
}

/** Sellers' documents for the service to read; as often as one likes. */
export const RECEPTION: DocumentKind = {
  judge: () => ({ standing: () => ({ is: 'new', remarks: [] }), remarks: () => [] }),
  stages: [
    {
      name: 'read',
      asks: 'never',
      send: ({ body: bodyText }) => ({
        operation: 'receiveSellerDocument',
        request: { bodyText },
        read: readReception,
      }),
    },
  ],
  fit: () => 'ours',
  // The CUFE of an invoice, of which several files may come.
  sharesCodes: true,
  echoRules: [],
  tooEarlyRules: [],
  setUpRules: [],
};
