import { stop } from '../issues/pipeline-error.js';

/** Which documents of a call are meant: all, or those whose numbers were named. */
export interface OnlyThese {
  has(number: string): boolean;
  /** @throws PipelineError('usage', run/unknown-name) when a named number never came by */
  refuseUnknown(): void;
}

/** Numbers as people write them: `nom12` is `NOM12`. */
const fold = (number: string): string => number.replace(/[\s-]/g, '').toUpperCase();

export function onlyThese(numbers: readonly string[] | undefined): OnlyThese {
  if (numbers === undefined) return { has: () => true, refuseUnknown: () => undefined };
  const wanted = new Set(numbers.map(fold));
  const missing = new Set(wanted);
  return {
    has(number) {
      missing.delete(fold(number));
      return wanted.has(fold(number));
    },
    refuseUnknown() {
      const [value] = missing;
      if (value !== undefined)
        stop('usage', { code: 'run/unknown-name', value, params: { list: 'status RUN' } });
    },
  };
}
