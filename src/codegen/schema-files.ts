import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'csv-parse/sync';

export const pascal = (text: string): string =>
  text
    .split(/[-/_]/)
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join('');

/** Prefixes of types by folder; a noun that begins with its prefix stays as it is. */
const PREFIXES: readonly (readonly [folder: string, prefix: string])[] = [
  ['common', ''],
  ['responses', ''],
  ['events', 'Event'],
  ['payroll', 'Payroll'],
  ['rips/national', 'National'],
  ['rips/services', 'Rips'],
  ['rips', 'Rips'],
];

/** Folder of a national profile: `948-v003/` appends 948 to the noun. */
const PROFILE = /^(\d+)[^/]*\//;

/**
 * Returns the type of a schema: `payroll/worker` → `PayrollWorker`, `common/money` → `Money`,
 * `rips/national/948-v003/consulta` → `NationalConsulta948`.
 */
export function typeName(schemaName: string): string {
  const [folder, prefix] = PREFIXES.find(([start]) => schemaName.startsWith(`${start}/`)) ?? ['', ''];
  const rest = schemaName.slice(folder === '' ? 0 : folder.length + 1);
  const profile = PROFILE.exec(rest);
  const noun = pascal(rest.slice(profile?.[0].length ?? 0));
  return (noun.startsWith(prefix) ? noun : prefix + noun) + (profile?.[1] ?? '');
}

/** Schema or part of one, as in its file. */
export interface SchemaJson {
  [keyword: string]: unknown;
}

/** Schemas by name: the path below `schemas/` without `.schema.json`, as in `payroll/worker`. */
export type SchemaFiles = ReadonlyMap<string, SchemaJson>;

/** Folders of schemas of the service; the rest of `schemas/` is about the program's own files. */
const FAMILIES: readonly string[] = ['common', 'payroll', 'rips', 'events', 'responses'];
const SUFFIX = '.schema.json';

export const readJson = (path: string): SchemaJson => JSON.parse(readFileSync(path, 'utf8')) as SchemaJson;

/** Reads every schema of the service below `root`, in order of name. */
export function readSchemaFiles(root: string): SchemaFiles {
  const names = readdirSync(root, { recursive: true, encoding: 'utf8' })
    .map((path) => path.replaceAll('\\', '/'))
    .filter((path) => path.endsWith(SUFFIX) && FAMILIES.includes(path.replace(/\/.*$/s, '')))
    .map((path) => path.slice(0, -SUFFIX.length))
    .sort();
  return new Map(names.map((name) => [name, readJson(join(root, name + SUFFIX))]));
}

/** Reads the files of rules below `root`, in order of name. */
export const readRuleFiles = (root: string): SchemaJson[] =>
  readdirSync(join(root, 'rules'))
    .filter((file) => file.endsWith('.json') && !file.endsWith(SUFFIX))
    .sort()
    .map((file) => readJson(join(root, 'rules', file)));

/** Reads the ministry's list of rules, and the names of tables that are not packaged. */
export function readNationalRules(root: string) {
  const lists = join(root, 'catalogues');
  const shipped = readdirSync(lists, { recursive: true, encoding: 'utf8' }).map((file) =>
    file.replace(/^.*[\\/]|\.csv$/g, ''),
  );
  const { tables } = readJson(join(lists, 'published.json')) as unknown as { tables: { name: string }[] };
  return {
    listed: parse(readFileSync(join(lists, 'rules', 'rips_validation_rules.csv')), {
      columns: true,
    }) as readonly Readonly<Record<'code' | 'class' | 'name', string>>[],
    tables: new Set(tables.map(({ name }) => name).filter((name) => !shipped.includes(name))),
  };
}

/**
 * Parses a reference such as `../common/money.schema.json#/properties/x` seen from `payroll/worker`: name, and keys
 * after the `#`.
 */
export function parseRef(
  ref: string,
  from: string,
): { readonly name: string; readonly keys: readonly string[] } {
  const [file = '', pointer = ''] = ref.split('#');
  const path = file === '' ? from + SUFFIX : new URL(file, `file:///${from}`).pathname.slice(1);
  return { name: path.slice(0, -SUFFIX.length), keys: pointer.split('/').slice(1) };
}
