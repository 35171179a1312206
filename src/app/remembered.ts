import { mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { hasErrors } from '../core/issue.js';
import { locate } from '../documents/locate.js';
import { type LoadedMapping, loadMapping } from '../mapping/load.js';
import { type ResolvedParams, resolveParams } from '../mapping/params.js';
import type { LocatedTable } from '../mapping/record.js';
import { hasUnreadAmounts } from '../propose/sheets.js';
import { putInPlace } from '../report/put-in-place.js';
import { canonicalCompany } from '../send/journal-proof.js';
import { letteredLabel } from '../tables/header.js';
import type { InputFile } from '../tables/table.js';
import type { Context } from './context.js';
import { companyOf, type Options } from './options.js';

/** Mappings that answers made are kept here, for next month's files of the company. */
const folderOf = ({ workspace }: Context, options: Options): string =>
  join(workspace, 'mappings', encodeURIComponent(canonicalCompany(companyOf(options))));

const SUFFIX = '.yaml';

/** A mapping that a company's files were read with. */
interface Remembered {
  readonly name: string;
  readonly file: string;
  readonly at: Date;
}

/** Those of the call's company, the latest first. */
export async function remembered(context: Context, options: Options): Promise<readonly Remembered[]> {
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

const layoutIn = (text: string): string | undefined => /^extends: *(.+?) *$/m.exec(text)?.[1];

/** Keeps a mapping in which nothing is open; one of the same name is replaced where it is of the same layout. */
export async function remember(
  context: Context,
  options: Options,
  name: string,
  text: string,
): Promise<void> {
  const folder = folderOf(context, options);
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const fileOf = (one: string): string => join(folder, encodeURIComponent(one) + SUFFIX);
  const there = await readFile(fileOf(name), 'utf8').catch(() => undefined);
  const layout = layoutIn(text);
  const isOther = there !== undefined && layout !== undefined && layoutIn(there) !== layout;
  const own = isOther ? `${name}-${layout.replaceAll('/', '-')}` : name;
  await putInPlace(fileOf(own), (temporary) => writeFile(temporary, text, { mode: 0o600 }));
}

/** Parameters as if all were given: what a run lacks is asked or told once its mapping is known. */
function asIfGiven({ params }: LoadedMapping, given: Readonly<Record<string, unknown>>): ResolvedParams {
  const { value } = resolveParams(params, given);
  const { values, defaults, tables } = value ?? { values: {}, defaults: {}, tables: {} };
  const all = Object.fromEntries([...params.keys()].map((name) => [name, values[name] ?? '']));
  return { values: all, defaults, tables };
}

/** Whether a column that has a title is known by its letter alone: another may have taken its place. */
function goesByLetter({ tables }: LoadedMapping, { slot, header }: LocatedTable): boolean {
  const { spec } = [...tables.values()].find((table) => table.slot === slot)!;
  return Object.keys(spec.labels ?? {}).some((label) => {
    const lettered = letteredLabel(label);
    return lettered?.title === '' && header.labels[lettered.column] !== undefined;
  });
}

/** The latest of them that reads the files with no label and no amounts left over; a changed shape is for `inspect` to ask about. */
export async function rememberedFor(
  context: Context,
  options: Options,
  inputs: readonly InputFile[],
  given: Readonly<Record<string, unknown>>,
): Promise<Remembered | undefined> {
  for (const one of await remembered(context, options)) {
    const mapping = await loadMapping(one.file).catch(() => undefined); // of another version of this program
    if (mapping === undefined) continue;
    const { tables, issues } = await locate(mapping, inputs, asIfGiven(mapping, given));
    const isWhole = mapping.mains.every(({ slot }) => tables.some((table) => table.slot === slot));
    const isUnsure = tables.some((table) => table.header.unused.length > 0 || goesByLetter(mapping, table));
    if (!isWhole || hasErrors(issues) || isUnsure) continue;
    if (!(await hasUnreadAmounts(inputs, mapping, tables))) return one;
  }
  return undefined;
}
