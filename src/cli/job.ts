import { hasErrors } from '../issues/issue.js';
import { PipelineError } from '../issues/pipeline-error.js';
import { type LoadedMapping, loadMapping } from '../mapping/load.js';
import { type ResolvedParams, resolveParams } from '../mapping/params.js';
import type { GivenFormats } from '../pipeline/voted.js';
import { expandFiles } from './files.js';
import { givenFormats } from './given-formats.js';
import { givenParams } from './given-params.js';
import { chooseForFiles, chooseMapping } from './mapping-choice.js';
import { type NoteParams, takeNoteParams } from './note-params.js';
import type { Options } from './options.js';

/** What `check`, `convert` and `send` share: which files, read how, with which parameters. */
export interface Job {
  readonly files: readonly string[];
  readonly mapping: LoadedMapping;
  readonly params: ResolvedParams;
  /** How texts are read, as far as the call answers it. */
  readonly formats: GivenFormats;
  /** Prefix and first number of the adjust notes that `cargue adjust` makes of payrolls. */
  readonly notes: NoteParams;
  /** Name of the ready-made mapping that was chosen because the call named none. */
  readonly chosen?: string;
}

/**
 * Settles everything that does not need the input itself; without a mapping the first rows tell which one fits.
 * @throws PipelineError('usage' or 'mapping') with all findings of the step that failed
 */
export async function loadJob(patterns: readonly string[], options: Options): Promise<Job> {
  const files = await expandFiles(patterns);
  const { given, notes } = takeNoteParams(await givenParams(options));
  const chosen = options.mapping === undefined ? await chooseForFiles(files, given) : undefined;
  const mapping = await loadMapping(chosen?.file ?? (await chooseMapping(options.mapping)));
  const { value, issues } = resolveParams(mapping.params, given);
  if (value === undefined || hasErrors(issues)) throw new PipelineError('usage', issues);
  return {
    files,
    mapping,
    params: value,
    formats: givenFormats(options),
    notes,
    ...(chosen && { chosen: chosen.name }),
  };
}
