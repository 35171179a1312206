import { existsSync, readFileSync } from 'node:fs';
import { isObject, type JsonObject, type JsonValue } from '../core/json.js';
import { packageFile } from '../core/package-file.js';
import { checkPartShape } from '../schema/registry.js';
import { readyFile, shippedValue } from './shipped.js';
import { expandLayout, LayoutError, namesOf, placeInVocabulary, withConcepts } from './vocabulary.js';
import { createLint, readYaml, reportShape, type YamlSource } from './yaml-source.js';

/** Language version of layouts, which a vocabulary completes; 1 is the core form. */
const LAYOUT = 2;

/** Reads the vocabulary of that name, with issues if it has another shape; undefined if there is none. */
export function readVocabulary(name: string): YamlSource | undefined {
  const file = packageFile('mappings', 'vocabularies', `${name}.yaml`);
  if (!/^[a-z-]+$/.test(name) || !existsSync(file)) return undefined;
  const source = readYaml(`vocabularies/${name}.yaml`, readFileSync(file, 'utf8'));
  if (source.shipped || source.issues.length > 0) return source;
  const lint = createLint(source);
  reportShape(lint, [], checkPartShape('layout', 'vocabulary', source.value));
  return { ...source, issues: lint.issues };
}

/** Returns the name of the vocabulary of a mapping, or of the ready-made one that it extends; undefined if it has none. */
export function vocabularyOf({ vocabulary, extends: base }: JsonObject): string | undefined {
  if (typeof vocabulary === 'string') return vocabulary;
  if (typeof base !== 'string' || !/^[a-z0-9/_-]+$/.test(base) || !existsSync(readyFile(base)))
    return undefined;
  const { value } = readYaml(base, readFileSync(readyFile(base), 'utf8'));
  return isObject(value) ? vocabularyOf(value) : undefined;
}

/** Returns the concepts that a mapping overrides; undefined if there are none. */
export const ownConcepts = ({ value }: YamlSource): JsonObject | undefined => {
  const concepts = isObject(value) ? value['concepts'] : undefined;
  return isObject(concepts) ? concepts : undefined;
};

/**
 * Reads a mapping; a layout is expanded with its vocabulary, in which the mapping that extends it, `by`, may say concepts otherwise.
 * Places are those of the file that says the thing.
 */
export function readLayout(file: string, text: string, by?: YamlSource): YamlSource {
  const source = readYaml(file, text);
  const { value } = source;
  if (source.issues.length > 0 || !isObject(value) || value['cargue'] !== LAYOUT) return source;
  const { vocabulary: name, concepts, ...layout } = value;
  const vocabulary = readVocabulary(String(name));
  if (vocabulary === undefined) {
    const lint = createLint(source);
    lint.report(['vocabulary'], 'mapping/unknown-key', { value: String(name) });
    return { ...source, issues: lint.issues };
  }
  if (vocabulary.issues.length > 0) return { ...source, issues: vocabulary.issues };
  const digested = `${text}\n${vocabulary.text}`;
  const overriding = [source, ...(by ? [by] : [])].filter((other) => ownConcepts(other) !== undefined);
  const shipped = source.shipped && overriding.length === 0 ? shippedValue(digested) : undefined;
  const expandable = { ...source, text: digested, shipped: shipped !== undefined };
  let meaning = vocabulary.value as JsonObject;
  let at = source;
  try {
    for (at of overriding) meaning = withConcepts(meaning, ownConcepts(at) ?? {});
    at = source;
    const names = overriding.flatMap((other) => Object.keys(ownConcepts(other) ?? {}));
    const expanded = shipped ?? {
      ...expandLayout(isObject(concepts) ? layout : { ...layout, ...(concepts && { concepts }) }, meaning),
      ...(names.length > 0 && { names: namesOf(meaning, names) as unknown as JsonObject }),
    };
    return withPlaces(expandable, expanded, { vocabulary, meaning, overriding });
  } catch (error) {
    if (!(error instanceof LayoutError)) throw error;
    const { path, faults } = error;
    const of = [vocabulary, ...overriding, at].findLast((item) => item.isWritten(path)) ?? source;
    const lint = createLint(of);
    reportShape(lint, path, faults);
    return { ...source, issues: lint.issues };
  }
}

/** Sources in which the meaning of a layout is written. */
interface Meaning {
  readonly vocabulary: YamlSource;
  readonly meaning: JsonObject;
  /** Mappings that say concepts otherwise, the strongest last. */
  readonly overriding: readonly YamlSource[];
}

/** Returns a layout with what it is expanded to, and the places of both. */
function withPlaces(
  source: YamlSource,
  value: JsonValue,
  { vocabulary, meaning, overriding }: Meaning,
): YamlSource {
  return {
    ...source,
    value,
    hasVocabulary: true,
    has: (path) =>
      path.reduce<unknown>(
        (node, key) => (isObject(node) || Array.isArray(node) ? (node as JsonObject)[key] : undefined),
        value,
      ) !== undefined,
    locate(path, what, offset) {
      const place = source.isWritten(path) ? undefined : placeInVocabulary(path, value, meaning);
      if (place === undefined) return source.locate(path, what, offset);
      const by = overriding.findLast((other) => other.isWritten(place)) ?? vocabulary;
      return { file: by.file, ...by.locate(place, 'key') };
    },
  };
}
