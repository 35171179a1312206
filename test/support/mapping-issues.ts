import { type Issue, PipelineError } from '../../src/toolkit/core/issue.js';

/** Returns the issues for which loading a mapping fails; none if it loads. */
export function issuesOfLoading(load: () => unknown): readonly Issue[] {
  try {
    load();
    return [];
  } catch (error) {
    if (!(error instanceof PipelineError)) throw error;
    return error.issues;
  }
}
