import { mkdir, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { putInPlace } from '../report/put-in-place.js';
import { canonicalCompany } from '../send/journal-proof.js';
import { hasErrors } from '../toolkit/core/issue.js';
import { locate } from '../toolkit/documents/locate.js';
import { labelsIn, plainLabel } from '../toolkit/inspect/mapping-text.js';
import { hasUnreadAmounts } from '../toolkit/inspect/sheets.js';
import { type LoadedMapping, loadMapping } from '../toolkit/mapping/load.js';
import { type ResolvedParams, resolveParams } from '../toolkit/mapping/params.js';
import type { HeadedTable } from '../toolkit/mapping/record.js';
import { parseLetterLabel } from '../toolkit/tables/header.js';
import type { InputFile } from '../toolkit/tables/table.js';
import type { Context } from './context.js';
import { companyOf, type JobOptions } from './options.js';
import { splitAnswers } from './reading-answers.js';

/** Returns the folder of the company's remembered mappings. */
const folderOf = ({ workspace }: Context, options: JobOptions): string =>
  join(workspace, 'mappings', encodeURIComponent(canonicalCompany(companyOf(options))));

const SUFFIX = '.yaml';

const fileOf = (context: Context, options: JobOptions, name: string): string =>
  join(folderOf(context, options), encodeURIComponent(name) + SUFFIX);

/**
 * Stores a mapping of the company under a name.
 * @throws PipelineError as `loadMapping` if the text needs other files
 */
export async function storeMapping(
  context: Context,
  options: JobOptions,
  name: string,
  text: string,
): Promise<void> {
  await mkdir(folderOf(context, options), { recursive: true, mode: 0o700 });
  await putInPlace(fileOf(context, options, name), async (temporary) => {
    await writeFile(temporary, text, { mode: 0o600 });
    await loadMapping(temporary);
  });
}

/** Mapping stored for a company's files. */
interface Remembered {
  readonly name: string;
  readonly file: string;
  readonly at: Date;
}

/** Lists the company's remembered mappings, the latest first. */
export async function remembered(context: Context, options: JobOptions): Promise<readonly Remembered[]> {
  const folder = folderOf(context, options);
  const names = await readdir(folder).catch(() => []);
  const all = await Promise.all(
    names
      .filter((name) => name.endsWith(SUFFIX))
      .map(async (name): Promise<Remembered> => {
        const file = join(folder, name);
        return { name: name.slice(0, -SUFFIX.length), file, at: (await stat(file)).mtime };
      }),
  );
  return all.sort((a, b) => b.at.getTime() - a.at.getTime() || (a.name < b.name ? -1 : 1));
}

/** Returns layout and labels of the files a mapping was written for, as a comparable text. */
const shapeIn = (text: string): string => {
  const layout = /^extends: *(.+?) *$/m.exec(text)?.[1] ?? '';
  return [layout, ...[...labelsIn(text)].sort()].join('\n');
};

const layoutOf = (shape: string): string => shape.replace(/\n.*$/s, '').replaceAll('/', '-');

interface MappingName {
  readonly name: string;
  /** True if the user chose the name; it replaces the earlier name of the same shape. */
  readonly isGiven: boolean;
}

/**
 * Stores a complete mapping, one per file shape; it replaces only the one of the same shape. A name used by another
 * shape gets a suffix.
 */
export async function remember(
  context: Context,
  options: JobOptions,
  { name, isGiven }: MappingName,
  text: string,
): Promise<void> {
  const shape = shapeIn(text);
  const shapes = new Map<string, string>();
  for (const mapping of await remembered(context, options))
    shapes.set(mapping.name, shapeIn(await readFile(mapping.file, 'utf8')));
  const before = [...shapes].filter(([, other]) => other === shape).map(([known]) => known);
  const isFree = (wanted: string): boolean => !shapes.has(wanted) || before.includes(wanted);
  const layout = layoutOf(shapes.get(name) ?? '');
  const longer = layout === layoutOf(shape) ? name : `${name}-${layoutOf(shape)}`;
  let chosen = isGiven ? name : (before[0] ?? name);
  for (let count = 1; !isFree(chosen); count += 1) chosen = count === 1 ? longer : `${longer}-${count}`;
  await storeMapping(context, options, chosen, text);
  for (const earlier of before)
    if (earlier !== chosen) await rm(fileOf(context, options, earlier), { force: true });
}

/** Resolves parameters with blanks for missing ones, which are asked for once the mapping is known. */
export function asIfGiven(
  { params }: LoadedMapping,
  given: Readonly<Record<string, unknown>>,
): ResolvedParams {
  const { values, defaults, tables } = resolveParams(params, given).value;
  const all = Object.fromEntries([...params.keys()].map((name) => [name, values[name] ?? '']));
  return { values: all, defaults, tables };
}

/** True if a titled column is known by its letter only, so another column may have taken its place. */
function hasLetterOnlyLabel({ compiled, header }: HeadedTable): boolean {
  return Object.keys(compiled.spec.labels ?? {}).some((label) => {
    const lettered = parseLetterLabel(label);
    return lettered?.title === '' && header.labels[lettered.column] !== undefined;
  });
}

/** True if the tables have exactly the labels the mapping was written for. */
async function isOfShape(file: string, tables: readonly HeadedTable[]): Promise<boolean> {
  const known = labelsIn(await readFile(file, 'utf8'));
  const present = new Set(
    tables.flatMap(({ header }) => Array.from(header.labels, (label) => plainLabel(label ?? ''))),
  );
  present.delete('');
  return known.size === 0 || (known.size === present.size && [...known].every((label) => present.has(label)));
}

interface RememberedFit extends Remembered {
  /** True if it was written for files with exactly these labels. */
  readonly isSameShape: boolean;
}

/**
 * Finds a remembered mapping that leaves no label and no amounts unread: one of the same shape, else the latest. A
 * changed shape is left to `inspect`.
 */
export async function rememberedFor(
  context: Context,
  options: JobOptions,
  inputs: readonly InputFile[],
  given: Readonly<Record<string, unknown>>,
): Promise<RememberedFit | undefined> {
  let latest: RememberedFit | undefined;
  for (const stored of await remembered(context, options)) {
    const mapping = await loadMapping(stored.file).catch(() => undefined); // written for another version of this program
    if (mapping === undefined) continue;
    const { tables, issues } = await locate(
      mapping,
      inputs,
      asIfGiven(mapping, given),
      splitAnswers(options.answer),
    );
    const isComplete = mapping.mains.every(({ tableIndex }) =>
      tables.some((table) => table.tableIndex === tableIndex),
    );
    const isUnsure = tables.some((table) => table.header.unused.length > 0 || hasLetterOnlyLabel(table));
    if (!isComplete || hasErrors(issues) || isUnsure) continue;
    if (await hasUnreadAmounts(inputs, mapping, tables)) continue;
    if (await isOfShape(stored.file, tables)) return { ...stored, isSameShape: true };
    latest ??= { ...stored, isSameShape: false };
  }
  return latest;
}
