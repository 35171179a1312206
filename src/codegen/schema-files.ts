import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'csv-parse/sync';

const pascal = (text: string): string =>
  text
    .split(/[-/]/)
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join('');

/** What a folder puts before the nouns of its files; a noun that says it already is left as it is. */
const PREFIXES: readonly (readonly [folder: string, prefix: string])[] = [
  ['common', ''],
  ['responses', ''],
  ['events', 'Event'],
  ['payroll', 'Payroll'],
  ['rips/national', 'National'],
  ['rips/services', 'Rips'],
  ['rips', 'Rips'],
];

/** A profile of the national form: `948-v003/` puts 948 behind the noun. */
const PROFILE = /^(\d+)[^/]*\//;

/** `payroll/worker` → `PayrollWorker`, `common/money` → `Money`, `rips/national/948-v003/consulta` → `NationalConsulta948`. */
export function typeName(schemaName: string): string {
  const [folder, prefix] = PREFIXES.find(([start]) => schemaName.startsWith(`${start}/`)) ?? ['', ''];
  const rest = schemaName.slice(folder === '' ? 0 : folder.length + 1);
  const profile = PROFILE.exec(rest);
  const noun = pascal(rest.slice(profile?.[0].length ?? 0));
  return (noun.startsWith(prefix) ? noun : prefix + noun) + (profile?.[1] ?? '');
}

/** A schema, or a part of one, as it stands in its file. */
export interface SchemaJson {
  [keyword: string]: unknown;
}

/** Schemas by name: the path below `schemas/` without `.schema.json`, as in `payroll/worker`. */
export type SchemaFiles = ReadonlyMap<string, SchemaJson>;

/** Folders of shapes that cross the border to the service; the rest of `schemas/` is about files of our own. */
const FAMILIES: readonly string[] = ['common', 'payroll', 'rips', 'events', 'responses'];
const SUFFIX = '.schema.json';

export const readJson = (path: string): SchemaJson => JSON.parse(readFileSync(path, 'utf8')) as SchemaJson;

/** Every schema of the service's families below `root`, in order of name. */
export function readSchemaFiles(root: string): SchemaFiles {
  const names = readdirSync(root, { recursive: true, encoding: 'utf8' })
    .map((path) => path.replaceAll('\\', '/'))
    .filter((path) => path.endsWith(SUFFIX) && FAMILIES.includes(path.split('/')[0]!))
    .map((path) => path.slice(0, -SUFFIX.length))
    .sort();
  return new Map(names.map((name) => [name, readJson(join(root, name + SUFFIX))]));
}

/** The files of rules below `root`, in order of name. */
export const readRuleFiles = (root: string): SchemaJson[] =>
  readdirSync(join(root, 'rules'))
    .filter((file) => file.endsWith('.json') && !file.endsWith(SUFFIX))
    .sort()
    .map((file) => readJson(join(root, 'rules', file)));

/** A row of the ministry's list of rules. */
export type NationalRule = Readonly<Record<'code' | 'class' | 'name', string>>;

/** The ministry's list of rules, and the tables that are not shipped. */
export function readNationalRules(root: string): {
  readonly listed: readonly NationalRule[];
  readonly tables: ReadonlySet<string>;
} {
  const lists = join(root, 'catalogues');
  const shipped = readdirSync(lists, { recursive: true, encoding: 'utf8' }).map((file) =>
    file.replace(/^.*[\\/]|\.csv$/g, ''),
  );
  const { tables } = readJson(join(lists, 'published.json')) as unknown as { tables: { name: string }[] };
  return {
    listed: parse(readFileSync(join(lists, 'rules', 'rips_validation_rules.csv')), { columns: true }),
    tables: new Set(tables.map(({ name }) => name).filter((name) => !shipped.includes(name))),
  };
}

/** `../common/money.schema.json#/properties/x` seen from `payroll/worker`: the name and the keys after the `#`. */
export function parseRef(
  ref: string,
  from: string,
): { readonly name: string; readonly keys: readonly string[] } {
  const [file = '', pointer = ''] = ref.split('#');
  const path = file === '' ? from + SUFFIX : new URL(file, `file:///${from}`).pathname.slice(1);
  return { name: path.slice(0, -SUFFIX.length), keys: pointer.split('/').slice(1) };
}
