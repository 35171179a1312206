import { hasErrors } from '../issues/issue.js';
import { PipelineError } from '../issues/pipeline-error.js';
import { type LoadedMapping, loadMapping } from '../mapping/load.js';
import { type ResolvedParams, resolveParams } from '../mapping/params.js';
import { expandFiles } from './files.js';
import { givenParams } from './given-params.js';
import { chooseMapping } from './mapping-choice.js';
import type { Options } from './options.js';

/** What `check`, `convert` and `send` share: which files, read how, with which parameters. */
export interface Job {
  readonly files: readonly string[];
  readonly mapping: LoadedMapping;
  readonly params: ResolvedParams;
}

/**
 * Settles everything that does not need the input itself.
 * @throws PipelineError('usage' or 'mapping') with all findings of the step that failed
 */
export async function loadJob(patterns: readonly string[], options: Options): Promise<Job> {
  const files = await expandFiles(patterns);
  const mapping = await loadMapping(await chooseMapping(options.mapping));
  const { value, issues } = resolveParams(mapping.params, await givenParams(options));
  if (value === undefined || hasErrors(issues)) throw new PipelineError('usage', issues);
  return { files, mapping, params: value };
}
