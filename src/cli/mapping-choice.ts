import { existsSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { basename } from 'node:path';
import { type Chosen, chooseReady } from '../inspect/choose.js';
import type { ReadyMapping } from '../inspect/inspect.js';
import { stop } from '../issues/pipeline-error.js';
import { loadMapping } from '../mapping/load.js';
import { withInputs } from '../pipeline/inputs.js';
import type { InputFile } from '../source/table.js';
import { packageFile } from '../values/package-file.js';

const EXTENSION = '.yaml';

/** Names of the ready-made mappings: `payroll/wide`. */
export async function readyMappings(): Promise<readonly string[]> {
  const folder = packageFile('mappings');
  const found = await readdir(folder, { recursive: true }).catch(() => []);
  return found
    .map((file) => file.replaceAll('\\', '/'))
    .filter((file) => file.endsWith(EXTENSION) && !file.startsWith('synonyms/'))
    .map((file) => file.slice(0, -EXTENSION.length))
    .sort();
}

/** The ready-made mappings, compiled. */
export const loadReadyMappings = async (): Promise<readonly ReadyMapping[]> =>
  Promise.all(
    (await readyMappings()).map(async (name) => ({
      name,
      mapping: await loadMapping(packageFile('mappings', `${name}${EXTENSION}`)),
    })),
  );

/**
 * The mapping's file: a path, or the name of a ready-made one.
 * @throws PipelineError('usage', run/no-mapping or run/mapping-not-found)
 */
export async function chooseMapping(given: string | undefined): Promise<string> {
  if (given !== undefined && existsSync(given)) return given;
  const names = await readyMappings();
  const ready = names.join(', ');
  if (given === undefined) return stop('usage', { code: 'run/no-mapping', params: { ready } });
  const name = given
    .replaceAll('\\', '/')
    .replace(/^mappings\//, '')
    .replace(/\.yaml$/, '');
  if (names.includes(name)) return packageFile('mappings', `${name}${EXTENSION}`);
  return stop('usage', { code: 'run/mapping-not-found', value: given, params: { ready } });
}

const MOST_NAMED = 4;

const listed = (names: readonly string[], more: (count: number) => string): string =>
  names.slice(0, MOST_NAMED).join(', ') +
  (names.length > MOST_NAMED ? ` ${more(names.length - MOST_NAMED)}` : '');

/** What keeps the closest mapping from being taken, in both languages. */
function doubts({ unsure, sheets, missing }: Chosen): Record<string, string> {
  const said = (title: string, names: readonly string[], more: (count: number) => string): string =>
    names.length === 0 ? '' : ` ${title}: ${listed(names, more)}.`;
  const lacking = missing.map(({ title, param }) =>
    param === undefined ? title : `${title} (-p ${param}=…)`,
  );
  const doubtful = [...sheets, ...unsure];
  const es = (count: number): string => `y ${count} más`;
  const en = (count: number): string => `and ${count} more`;
  return {
    missing_es: said('Falta', lacking, es),
    missing_en: said('Missing', lacking, en),
    unsure_es: said('No es seguro', doubtful, es),
    unsure_en: said('Not sure', doubtful, en),
  };
}

const quoted = (name: string): string => (/\s/.test(name) ? `"${name}"` : name);

/** What XML documents are for where nothing else is said. */
export const FOR_DOCUMENTS = 'events/attached';

/** Whether all files are XML documents, whose table is always the same. */
export const areDocuments = (inputs: readonly InputFile[]): boolean =>
  inputs.every(({ kind }) => kind === 'xml');

/**
 * The ready-made mapping that plainly fits the files, by its name and file. Only first rows are read.
 * @throws PipelineError('usage', inspect/no-clear-mapping) with what is missing or unsure
 */
export const chooseForFiles = (
  files: readonly string[],
  params: Readonly<Record<string, unknown>>,
): Promise<{ readonly name: string; readonly file: string }> =>
  withInputs(files, (inputs) => chooseFor(files, inputs, params));

async function chooseFor(
  files: readonly string[],
  inputs: readonly InputFile[],
  params: Readonly<Record<string, unknown>>,
): Promise<{ readonly name: string; readonly file: string }> {
  if (areDocuments(inputs))
    return { name: FOR_DOCUMENTS, file: packageFile('mappings', `${FOR_DOCUMENTS}${EXTENSION}`) };
  const ready = await loadReadyMappings();
  const chosen = await chooseReady(inputs, ready, params);
  if (chosen.name !== undefined)
    return { name: chosen.name, file: packageFile('mappings', `${chosen.name}${EXTENSION}`) };
  const { closest } = chosen;
  if (closest === undefined)
    return stop('usage', {
      code: 'inspect/nothing-found',
      value: files.map((file) => basename(file)).join(', '),
      params: { ready: ready.map(({ name }) => name).join(', ') },
    });
  return stop('usage', {
    code: 'inspect/no-clear-mapping',
    params: {
      closest: closest.name,
      score: `${Math.round(closest.score * 100)} %`,
      files: files.map(quoted).join(' '),
      ...doubts(chosen),
    },
  });
}
