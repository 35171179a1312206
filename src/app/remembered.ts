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
import { letteredLabel } from '../toolkit/tables/header.js';
import type { InputFile } from '../toolkit/tables/table.js';
import type { Context } from './context.js';
import { companyOf, type JobOptions } from './options.js';
import { splitAnswers } from './reading-answers.js';

/** Mappings that answers made are kept here, for next month's files of the company. */
const folderOf = ({ workspace }: Context, options: JobOptions): string =>
  join(workspace, 'mappings', encodeURIComponent(canonicalCompany(companyOf(options))));

const SUFFIX = '.yaml';

/** A mapping that a company's files were read with. */
interface Remembered {
  readonly name: string;
  readonly file: string;
  readonly at: Date;
}

/** Those of the call's company, the latest first. */
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

/** Holds the layout and the labels of the files that a mapping was written for, in a form to compare. */
const shapeIn = (text: string): string => {
  const layout = /^extends: *(.+?) *$/m.exec(text)?.[1] ?? '';
  return [layout, ...[...labelsIn(text)].sort()].join('\n');
};

const layoutOf = (shape: string): string => shape.split('\n', 1)[0]!.replaceAll('/', '-');

/** How a mapping is to be called. */
interface MappingName {
  readonly name: string;
  /** True if a person chose it: it takes the place of the name that the shape had. */
  readonly isGiven: boolean;
}

/**
 * Keeps a mapping in which nothing is open, one for each shape of the company's files: it replaces the one of the same shape alone. A
 * name that another shape has is made longer.
 */
export async function remember(
  context: Context,
  options: JobOptions,
  { name, isGiven }: MappingName,
  text: string,
): Promise<void> {
  const folder = folderOf(context, options);
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const shape = shapeIn(text);
  const shapes = new Map<string, string>();
  for (const one of await remembered(context, options))
    shapes.set(one.name, shapeIn(await readFile(one.file, 'utf8')));
  const before = [...shapes].filter(([, other]) => other === shape).map(([known]) => known);
  const isFree = (wanted: string): boolean => !shapes.has(wanted) || before.includes(wanted);
  const layout = shapes.get(name) === undefined ? '' : layoutOf(shapes.get(name)!);
  const longer = layout === layoutOf(shape) ? name : `${name}-${layoutOf(shape)}`;
  let own = isGiven ? name : (before[0] ?? name);
  for (let count = 1; !isFree(own); count += 1) own = count === 1 ? longer : `${longer}-${count}`;
  const fileOf = (one: string): string => join(folder, encodeURIComponent(one) + SUFFIX);
  await putInPlace(fileOf(own), (temporary) => writeFile(temporary, text, { mode: 0o600 }));
  for (const one of before) if (one !== own) await rm(fileOf(one), { force: true });
}

/** Parameters as if all were given: what a run lacks is asked or told once its mapping is known. */
function asIfGiven({ params }: LoadedMapping, given: Readonly<Record<string, unknown>>): ResolvedParams {
  const { value } = resolveParams(params, given);
  const { values, defaults, tables } = value ?? { values: {}, defaults: {}, tables: {} };
  const all = Object.fromEntries([...params.keys()].map((name) => [name, values[name] ?? '']));
  return { values: all, defaults, tables };
}

/** Whether a column that has a title is known by its letter alone: another may have taken its place. */
function goesByLetter({ tables }: LoadedMapping, { slot, header }: HeadedTable): boolean {
  const { spec } = [...tables.values()].find((table) => table.slot === slot)!;
  return Object.keys(spec.labels ?? {}).some((label) => {
    const lettered = letteredLabel(label);
    return lettered?.title === '' && header.labels[lettered.column] !== undefined;
  });
}

/** True if the tables have the labels that the mapping was written for, all of them and no other. */
async function isOfShape(file: string, tables: readonly HeadedTable[]): Promise<boolean> {
  const known = labelsIn(await readFile(file, 'utf8'));
  const there = new Set(
    tables.flatMap(({ header }) => Array.from(header.labels, (label) => plainLabel(label ?? ''))),
  );
  there.delete('');
  return known.size === 0 || (known.size === there.size && [...known].every((label) => there.has(label)));
}

/** A remembered mapping that reads the files. */
interface RememberedFit extends Remembered {
  /** True if it was written for files with these labels and no others. */
  readonly isSameShape: boolean;
}

/**
 * Finds a mapping that reads the files with no label and no amounts left over: one of their shape, else the latest; a changed shape is
 * for `inspect` to ask about.
 */
export async function rememberedFor(
  context: Context,
  options: JobOptions,
  inputs: readonly InputFile[],
  given: Readonly<Record<string, unknown>>,
): Promise<RememberedFit | undefined> {
  let latest: RememberedFit | undefined;
  for (const one of await remembered(context, options)) {
    const mapping = await loadMapping(one.file).catch(() => undefined); // of another version of this program
    if (mapping === undefined) continue;
    const { tables, issues } = await locate(
      mapping,
      inputs,
      asIfGiven(mapping, given),
      splitAnswers(options.answer),
    );
    const isWhole = mapping.mains.every(({ slot }) => tables.some((table) => table.slot === slot));
    const isUnsure = tables.some((table) => table.header.unused.length > 0 || goesByLetter(mapping, table));
    if (!isWhole || hasErrors(issues) || isUnsure) continue;
    if (await hasUnreadAmounts(inputs, mapping, tables)) continue;
    if (await isOfShape(one.file, tables)) return { ...one, isSameShape: true };
    latest ??= { ...one, isSameShape: false };
  }
  return latest;
}
