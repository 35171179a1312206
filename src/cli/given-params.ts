import { basename } from 'node:path';
import { stop } from '../issues/pipeline-error.js';
import { readSmallText, readYaml } from '../mapping/yaml-source.js';
import { namedValues, type Options } from './options.js';

async function readParamsFile(path: string): Promise<Record<string, unknown>> {
  const refuse = (reason: string, cause?: unknown): never =>
    stop('usage', { code: 'run/params-file', params: { reason }, place: { file: basename(path) } }, cause);
  let text: string;
  try {
    text = readSmallText(path);
  } catch (cause) {
    return refuse((cause as NodeJS.ErrnoException).code ?? String(cause), cause);
  }
  const { value, issues } = readYaml(basename(path), text.replace(/^\uFEFF/, '')); // JSON is YAML
  const [issue] = issues;
  if (issue !== undefined)
    return refuse(`${issue.params['line']}:${issue.params['column']} ${issue.params['reason']}`);
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return refuse('name: value');
  return value as Record<string, unknown>;
}

/** Parameters of the call: those of `--params`, and over them each `-p`. */
export async function givenParams(options: Options): Promise<Record<string, unknown>> {
  const fromFile = options.params === undefined ? {} : await readParamsFile(options.params);
  return {
    ...fromFile,
    ...(options.expand && { expand: true }),
    ...(options.byCufe && { by_cufe: true }),
    ...namedValues('-p', options.param),
  };
}
