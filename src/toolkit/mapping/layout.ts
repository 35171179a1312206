import { existsSync, readFileSync } from 'node:fs';
import type { Issue } from '../core/issue.js';
import { isObject, type JsonObject, type JsonValue } from '../core/json.js';
import { packageFile } from '../core/package-file.js';
import { suggest } from '../core/text.js';
import { checkPartShape } from '../schema/registry.js';
import { shippedValue } from './shipped.js';
import { expandLayout, namesOf, placeInVocabulary, UnknownName, withConcepts } from './vocabulary.js';
import {
  createLint,
  mappingIssue,
  readYaml,
  reportShape,
  type YamlPath,
  type YamlSource,
} from './yaml-source.js';

/** Language version of layouts, which a vocabulary completes; 1 is the core form. */
const LAYOUT = 2;

const vocabularyFile = (name: string): string => packageFile('mappings', 'vocabularies', `${name}.yaml`);

/** Reads the vocabulary of that name; undefined if there is none. */
export function readVocabulary(name: string): YamlSource | undefined {
  const file = vocabularyFile(name);
  if (!/^[a-z-]+$/.test(name) || !existsSync(file)) return undefined;
  return readYaml(`vocabularies/${name}.yaml`, readFileSync(file, 'utf8'));
}

/** Returns the concepts that a mapping overrides; undefined if there are none. */
export const ownConcepts = ({ value }: YamlSource): JsonObject | undefined => {
  const concepts = isObject(value) ? value['concepts'] : undefined;
  return isObject(concepts) ? concepts : undefined;
};

/** Reports concepts of a mapping that have another shape than those of a vocabulary. */
function conceptFaults(source: YamlSource): readonly Issue[] {
  const lint = createLint(source);
  for (const [name, concept] of Object.entries(ownConcepts(source)!))
    reportShape(lint, ['concepts', name], checkPartShape('layout', 'concept', concept!));
  return lint.issues;
}

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
  const refuse = (of: YamlSource, path: YamlPath, unknown: string, known: readonly string[]): YamlSource => ({
    ...source,
    issues: [
      mappingIssue(of.file, of.locate(path), 'mapping/unknown-key', {
        value: unknown,
        suggestions: suggest(unknown, known, 1),
      }),
    ],
  });
  if (vocabulary === undefined) return refuse(source, ['vocabulary'], String(name), []);
  const digested = `${text}\n${vocabulary.text}`;
  const overriding = [source, ...(by ? [by] : [])].filter((other) => ownConcepts(other) !== undefined);
  const shipped = source.shipped && overriding.length === 0 ? shippedValue(digested) : undefined;
  const expandable = { ...source, text: digested, shipped: shipped !== undefined };
  let meaning = vocabulary.value as JsonObject;
  let at = source;
  try {
    for (at of overriding) {
      const faults = conceptFaults(at);
      if (faults.length > 0) return { ...source, issues: faults };
      meaning = withConcepts(meaning, ownConcepts(at)!);
    }
    at = source;
    const names = overriding.flatMap((other) => Object.keys(ownConcepts(other)!));
    const expanded = shipped ?? {
      ...expandLayout(isObject(concepts) ? layout : { ...layout, ...(concepts && { concepts }) }, meaning),
      ...(names.length > 0 && { names: namesOf(meaning, names) as unknown as JsonObject }),
    };
    return withPlaces(expandable, expanded, { vocabulary, meaning, overriding });
  } catch (error) {
    if (!(error instanceof UnknownName)) throw error;
    return refuse(at, error.path, error.value, error.known);
  }
}

/** Sources in which the meaning of a layout is written. */
interface Meaning {
  readonly vocabulary: YamlSource;
  /** Vocabulary with the concepts that are overridden. */
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
