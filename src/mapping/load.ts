import { basename, dirname } from 'node:path';
import type { MappingFile } from '../generated/mapping-types.js';
import { PipelineError, stop } from '../issues/pipeline-error.js';
import { checkFileShape } from '../schema/file-shape.js';
import type { JsonValue } from '../values/json.js';
import { compile, type LoadedMapping } from './compile.js';
import { createLint, type Lint } from './lint.js';
import { readMappingSource } from './mapping-source.js';
import { reportShape } from './shape.js';
import { openChoices } from './undecided.js';
import { readSmallText } from './yaml-source.js';

export type { LoadedMapping } from './compile.js';

/** Reads, lints and compiles a mapping file. Throws PipelineError('mapping') with every finding at its line and column. */
export async function loadMapping(file: string): Promise<LoadedMapping> {
  let text: string;
  try {
    text = readSmallText(file);
  } catch (cause) {
    stop('mapping', { code: 'mapping/not-readable', value: file, place: { file: basename(file) } }, cause);
  }
  return compileMapping(basename(file), text, dirname(file));
}

/** The same for a text; `folder` is where files that it names are looked for. */
export function compileMapping(file: string, text: string, folder?: string): LoadedMapping {
  const source = readMappingSource(file, text, folder);
  const lint = createLint(source);
  refuse(lint);
  for (const { path, undecided } of openChoices(source.value))
    lint.report(path, 'mapping/undecided', { value: undecided.id, params: { question: undecided.question } });
  checkShape(lint, source.value);
  refuse(lint);
  const mapping = compile(source, source.value as unknown as MappingFile, lint, folder);
  refuse(lint);
  return mapping!;
}

function refuse({ issues }: Lint): void {
  if (issues.length > 0) throw new PipelineError('mapping', issues);
}

function checkShape(lint: Lint, value: JsonValue): void {
  reportShape(lint, [], checkFileShape('mapping', value, ['document']));
}
