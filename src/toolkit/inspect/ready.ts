import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { MappingFile } from '../../generated/mapping-types.js';
import type { JsonObject } from '../core/json.js';
import { packageFile } from '../core/package-file.js';
import { listIn, remember } from '../core/remember.js';
import { required } from '../core/required.js';
import type { LoadedMapping } from '../mapping/load.js';
import { type CompiledTable, isFlat } from '../mapping/record.js';
import { wordsOf } from '../tables/label-score.js';
import { squashLabel } from '../tables/titles.js';

/** A ready-made mapping, by the name under which it is called; compiled when it is asked for. */
export interface ReadyMapping {
  readonly name: string;
  readonly mapping: LoadedMapping;
  /** Names that earlier mappings of the company gave, as `concepts` of a mapping. */
  readonly concepts?: JsonObject;
  /** Outline stored when the program was built. */
  readonly outline?: Outline;
}

/** Summary that tells whether a mapping is worth compiling for some files. */
export interface Outline {
  readonly description: MappingFile['description'];
  /** Names of the schemas of its documents. */
  readonly schemas: readonly string[];
  readonly params: readonly string[];
  /** Max number of tables of the files. */
  readonly tables: number;
  /** Min number of sheets. */
  readonly sheets: number;
  /** Names of the files without header that make documents, with wildcards. */
  readonly flat: readonly string[];
  /** Titles of columns and groups, squashed. */
  readonly titles: ReadonlySet<string>;
  /** The words in them. */
  readonly words: ReadonlySet<string>;
  /** Titles of every column by which the header of each required table is known, squashed. */
  readonly heads: readonly (readonly (readonly string[])[])[];
}

export const wordsIn = (texts: readonly string[]): readonly string[] =>
  texts.flatMap((text) => wordsOf(text).map(({ text: word }) => word));

/** A computed column is there with any of those that it may be made of. */
const headOf = ({ columns, spec }: CompiledTable): readonly (readonly string[])[] =>
  (spec.header?.must_have ?? []).map((id) => {
    const column = required(columns, id);
    return [column, ...column.feeders].flatMap(({ wanted }) => wanted?.titles ?? []).map(squashLabel);
  });

/** Mappings are read with every file. */
const outlined = remember((mapping: LoadedMapping): Outline => {
  const tables = [...mapping.tables.values()];
  const columns = tables.flatMap((table) => [...table.columns.values()]);
  const distinct = [
    ...new Set(columns.flatMap(({ wanted }) => [...(wanted?.titles ?? []), ...(wanted?.groups ?? [])])),
  ];
  return {
    description: mapping.spec.description,
    schemas: mapping.targets.map(({ schema }) => schema),
    params: [...mapping.params.keys()],
    tables: tables.filter(({ spec }) => spec.param === undefined).length,
    sheets: mapping.mains.some(({ spec }) => spec.spread) ? 2 : 1,
    flat: mapping.mains.filter(isFlat).flatMap(({ spec }) => spec.file),
    titles: new Set(distinct.map(squashLabel)),
    words: new Set(wordsIn(distinct)),
    heads: mapping.mains.filter(({ spec }) => !spec.optional).map(headOf),
  };
});

export const outlineOf = (ready: ReadyMapping): Outline => ready.outline ?? outlined(ready.mapping);

const FILE = packageFile('dist', 'outlines.json');

/** Mappings share most titles and words: each stands once, with the places of those that have it. */
type Shared = Readonly<Record<string, readonly number[]>>;

interface StoredOutlines {
  readonly mappings: readonly (Omit<Outline, 'titles' | 'words'> & { readonly name: string })[];
  readonly titles: Shared;
  readonly words: Shared;
}

function shared(all: readonly ReadonlySet<string>[]): Shared {
  const places = new Map<string, number[]>();
  for (const [at, texts] of all.entries()) for (const text of texts) listIn(places, text).push(at);
  return Object.fromEntries(places);
}

function unshared(texts: Shared): (at: number) => ReadonlySet<string> {
  const all = new Map<number, string[]>();
  for (const [text, places] of Object.entries(texts)) for (const at of places) listIn(all, at).push(text);
  return (at) => new Set(all.get(at));
}

/** Stores the outline of each mapping, which shows whether it is worth compiling. */
export function keepOutlines(ready: readonly ReadyMapping[]): void {
  const all = ready.map((item) => ({ name: item.name, ...outlineOf(item) }));
  const kept: StoredOutlines = {
    mappings: all.map(({ titles: _, words: __, ...rest }) => rest),
    titles: shared(all.map(({ titles }) => titles)),
    words: shared(all.map(({ words }) => words)),
  };
  writeFileSync(FILE, JSON.stringify(kept));
}

/** True if a mapping was changed since the program was built. */
function areOld(): boolean {
  const folder = packageFile('mappings');
  const built = statSync(FILE).mtimeMs;
  return readdirSync(folder, { recursive: true, encoding: 'utf8' }).some(
    (file) => statSync(join(folder, file)).mtimeMs > built,
  );
}

/** Returns the stored outlines by name; none if mappings have changed since the build. */
export function keptOutlines(): ReadonlyMap<string, Outline> {
  let kept: StoredOutlines;
  try {
    if (areOld()) return new Map();
    kept = JSON.parse(readFileSync(FILE, 'utf8')) as StoredOutlines;
  } catch {
    return new Map(); // not built yet
  }
  const titles = unshared(kept.titles);
  const words = unshared(kept.words);
  return new Map(
    kept.mappings.map(({ name, ...rest }, at) => [name, { ...rest, titles: titles(at), words: words(at) }]),
  );
}
