import { existsSync, readFileSync } from 'node:fs';
import { basename, dirname, isAbsolute, relative, resolve } from 'node:path';
import type { JsonValue } from '../values/json.js';
import { packageFile } from '../values/package-file.js';
import { inBase, laidOver } from './merge.js';
import { mappingIssue, readSmallText, readYaml, type YamlSource } from './yaml-source.js';

const isMap = (value: JsonValue): value is { readonly [key: string]: JsonValue } =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The file that a mapping names: a ready-made mapping (`payroll/wide`), or a file in the folder of the mapping. */
function fileNamed(name: string, folder: string | undefined): string | undefined {
  const ready = readyFile(name);
  if (/^[a-z0-9][a-z0-9/_-]*$/.test(name) && existsSync(ready)) return ready;
  return folder === undefined ? undefined : fileBeside(name, folder);
}

const readyFile = (name: string): string => packageFile('mappings', `${name}.yaml`);

/** A file in a folder or below it; undefined when it is not there, or elsewhere. */
export function fileBeside(name: string, folder: string): string | undefined {
  const file = resolve(folder, name);
  const inside = relative(folder, file);
  return inside.startsWith('..') || isAbsolute(inside) || !existsSync(file) ? undefined : file;
}

/** The files that a mapping is made of: itself, what it extends and its decisions. */
export function filesOfMapping(path: string): readonly string[] {
  const { value } = readYaml(basename(path), readFileSync(path, 'utf8'));
  const named = isMap(value) ? [value['extends'], value['decisions']] : [];
  const folder = dirname(path);
  return [
    path,
    ...named.flatMap((name) => (typeof name === 'string' ? (fileNamed(name, folder) ?? []) : [])),
  ];
}

/**
 * A mapping's text with what it `extends` below it. Places are those of the file that says the thing.
 * `folder` is that of the mapping; without one it can extend ready-made mappings only.
 */
export function readMappingSource(file: string, text: string, folder?: string): YamlSource {
  const own = readYaml(file, text);
  if (own.issues.length > 0 || !isMap(own.value)) return own;
  const { extends: name } = own.value;
  if (typeof name !== 'string') return own;
  const path = fileNamed(name, folder);
  const refuse = (code: string): YamlSource => ({
    ...own,
    issues: [mappingIssue(file, own.locate(['extends']), { code, value: name })],
  });
  if (path === undefined) return refuse('mapping/unknown-base');
  // A ready-made mapping may stand on another one; what a customer writes stands on one file only.
  const read = path === readyFile(name) ? readMappingSource : readYaml;
  const base = read(basename(path), readSmallText(path));
  if (base.issues.length > 0) return base;
  if (isMap(base.value) && base.value['extends'] !== undefined) return refuse('mapping/extends-deep');
  const { extends: _, ...over } = own.value;
  // Its tests say what it does by itself.
  const { tests: __, ...below } = isMap(base.value) ? base.value : {};
  return {
    file,
    text: `${base.text}\n${text}`,
    value: laidOver(below, over),
    issues: [],
    has: (at) => own.has(at) || base.has(inBase(over, at)),
    inherits: (at) => !own.has(at) && base.has(inBase(over, at)),
    locate(at, what, offset) {
      const below = inBase(over, at);
      if (own.has(at) || !base.has(below)) return own.locate(at, what, offset);
      return { file: base.file, ...base.locate(below, what, offset) };
    },
  };
}
