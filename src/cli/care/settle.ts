import { stop } from '../../issues/pipeline-error.js';
import type { Journal } from '../../send/journal.js';
import type { DocumentKind } from '../../send/kind.js';
import { settleByPerson } from '../../send/settle.js';

/**
 * Takes each `NUMBER=WORD` of `--settle`.
 * @throws PipelineError('usage', run/bad-option, send/cannot-settle)
 */
export function settleAll(
  journal: Journal,
  kind: DocumentKind,
  run: string,
  words: readonly string[],
  now: Date,
): void {
  for (const text of words) {
    const at = text.lastIndexOf('=');
    if (at < 1)
      stop('usage', {
        code: 'run/bad-option',
        value: text,
        params: { option: '--settle', expected: 'NUMBER=ID | NUMBER=CUV | NUMBER=none' },
      });
    settleByPerson(journal, kind, run, {
      number: text.slice(0, at),
      word: text.slice(at + 1),
      now: now.getTime(),
    });
  }
}
