import { readFile, rm } from 'node:fs/promises';
import { basename, extname } from 'node:path';
import type { Text } from '../generated/issue-codes.js';
import { stop } from '../toolkit/core/issue.js';
import { dateInBogota } from '../toolkit/core/plain-date.js';
import { unreachable } from '../toolkit/core/required.js';
import { suggest } from '../toolkit/core/text.js';
import { yaml } from '../toolkit/core/yaml.js';
import { runMappingTests } from '../toolkit/documents/mapping-tests.js';
import { listOfParam, nameOfValue } from '../toolkit/inspect/param-questions.js';
import { coreForm } from '../toolkit/mapping/core-form.js';
import { type LoadedMapping, loadMapping } from '../toolkit/mapping/load.js';
import { aboutParam, defaultOn, hasDefault, typeOf } from '../toolkit/mapping/params.js';
import { readyNames } from '../toolkit/mapping/shipped.js';
import { NO_TEXT } from '../toolkit/messages/texts.js';
import type { Context, UseCase } from './context.js';
import { emitMessage, emitText } from './events.js';
import { chooseMapping, deriveFor, loadChosen, loadReadyMappings, suggestReady } from './job.js';
import { companyText, type ServiceOptions } from './options.js';
import { remembered, storeMapping } from './remembered.js';

/** `cargue mapping lint FILE`: checks a mapping. @throws PipelineError with line and column of each issue */
export const mappingLint: UseCase = async (context, [file]) => {
  await loadChosen(file);
  emitMessage(context, 'lintFine', { file: file ?? '' });
  return 'fine';
};

/** Runs the tests in a mapping and emits their differences; returns true if all pass. */
async function passesTests(context: Context, mapping: LoadedMapping): Promise<boolean> {
  let tests = 0;
  let passed = 0;
  for await (const result of runMappingTests(mapping, deriveFor(context))) {
    const ok = result.differences.length === 0;
    tests += 1;
    if (ok) passed += 1;
    context.tell({ event: 'test', ok, ...result });
  }
  context.tell({ event: 'summary', tests, passed });
  emitText(context, 'testsDone', { fine: String(passed), all: String(tests) });
  return passed === tests;
}

/** `cargue mapping test FILE`: runs the tests in a mapping. */
export const mappingTest: UseCase = async (context, [file]) =>
  (await passesTests(context, await loadChosen(file))) ? 'fine' : 'data-errors';

interface MappingAddOptions extends ServiceOptions {
  /** True to replace the company's mapping of this name. @default false */
  readonly force?: boolean;
}

/**
 * `cargue mapping add FILE`: stores a mapping for the company's files, under the name of its file, if its tests pass.
 * @throws PipelineError('usage', mapping/name-taken), or as loading where it stands alone
 */
export const mappingAdd: UseCase<MappingAddOptions> = async (context, [file = ''], options) => {
  const name = basename(file, extname(file));
  const isTaken = (await remembered(context, options)).some((other) => other.name === name);
  if (isTaken && !options.force) return stop('usage', { code: 'mapping/name-taken', value: name });
  const mapping = await loadMapping(file);
  if (mapping.spec.tests !== undefined && !(await passesTests(context, mapping)))
    return stop('input', { code: 'mapping/tests-fail', value: name });
  await storeMapping(context, options, name, await readFile(file, 'utf8'));
  emitMessage(context, 'mappingAdded', { mapping: name, company: companyText(options) });
  return 'fine';
};

/** Returns a description as a text of both languages. */
const asText = (description: string | Text = NO_TEXT): Text =>
  typeof description === 'string' ? { es: description, en: description } : description;

/** `cargue mapping list`: emits the company's remembered mappings, the latest first, and the ready-made ones. */
export const mappingList: UseCase<ServiceOptions> = async (context, _, options) => {
  for (const { name, at } of await remembered(context, options))
    context.tell({ event: 'remembered', name, at: at.toISOString() });
  for (const { name, mapping } of await loadReadyMappings())
    context.tell({ event: 'ready-made', name, description: asText(mapping.spec.description) });
  return 'fine';
};

/**
 * Finds a remembered mapping; undefined if the name is one of `more`.
 * @throws PipelineError('usage', mapping/not-remembered)
 */
async function find(context: Context, options: ServiceOptions, name: string, more: readonly string[] = []) {
  const all = await remembered(context, options);
  const found = all.find((other) => other.name === name);
  if (found !== undefined || more.includes(name)) return found;
  return stop('usage', {
    code: 'mapping/not-remembered',
    value: name,
    suggestions: [
      ...suggest(
        name,
        all.map((other) => other.name),
        1,
      ),
      ...suggestReady(name, more),
    ],
  });
}

export interface MappingShowOptions extends ServiceOptions {
  /** True to show the core form. @default false */
  readonly expanded?: boolean;
}

/** `cargue mapping show NAME`: emits the text of a mapping and the parameters it takes. */
export const mappingShow: UseCase<MappingShowOptions> = async (context, [name = ''], options) => {
  const file = (await find(context, options, name, readyNames()))?.file ?? (await chooseMapping(name));
  const loaded = await loadMapping(file);
  const shown = options.expanded
    ? yaml().stringify(coreForm(loaded), { lineWidth: 0, aliasDuplicateObjects: false })
    : await readFile(file, 'utf8');
  context.tell({ event: 'text', text: shown.trimEnd() });
  const today = dateInBogota(context.now());
  const all = [...loaded.params.values()].map((param) => ({
    name: param.name,
    title: aboutParam(param),
    ...typeOf(param.spec),
    from: listOfParam(param.name, loaded),
    needed: !hasDefault(param.spec) && param.formula === undefined && !param.spec.optional,
    default: defaultOn(param.spec, today) ?? null,
    called: nameOfValue(param.name, defaultOn(param.spec, today), loaded, context.language),
  }));
  context.tell({ event: 'mapping-params', mapping: name, params: all });
  return 'fine';
};

/** `cargue mapping forget NAME`: deletes a remembered mapping. */
export const mappingForget: UseCase<ServiceOptions> = async (context, [name = ''], options) => {
  const { file } = (await find(context, options, name)) ?? unreachable(name);
  await rm(file);
  emitMessage(context, 'forgotten', { mapping: name });
  return 'fine';
};
