import { existsSync, readFileSync } from 'node:fs';
import { isObject, type JsonObject, type JsonValue } from '../core/json.js';
import { packageFile } from '../core/package-file.js';
import { suggest } from '../core/text.js';
import { expandLayout, placeInVocabulary, UnknownName } from './vocabulary.js';
import { mappingIssue, readYaml, type YamlSource } from './yaml-source.js';

/** Language version of layouts, which a vocabulary completes; 1 is the core form. */
const LAYOUT = 2;

const vocabularyFile = (name: string): string => packageFile('mappings', 'vocabularies', `${name}.yaml`);

/** The vocabulary of that name; undefined if there is none. */
function readVocabulary(name: string): YamlSource | undefined {
  const file = vocabularyFile(name);
  if (!/^[a-z-]+$/.test(name) || !existsSync(file)) return undefined;
  return readYaml(`vocabularies/${name}.yaml`, readFileSync(file, 'utf8'));
}

/** Reads a mapping; a layout is expanded with its vocabulary, and places are those of the file that says the thing. */
export function readLayout(file: string, text: string): YamlSource {
  const own = readYaml(file, text);
  const { value } = own;
  if (own.shipped) return withPlaces(own, own.value);
  if (own.issues.length > 0 || !isObject(value) || value['cargue'] !== LAYOUT) return own;
  const vocabulary = readVocabulary(String(value['vocabulary']));
  const issue = (
    path: readonly (string | number)[],
    name: string,
    known: readonly string[] = [],
  ): YamlSource => ({
    ...own,
    issues: [
      mappingIssue(file, own.locate(path), 'mapping/unknown-key', {
        value: name,
        suggestions: suggest(name, known, 1),
      }),
    ],
  });
  if (vocabulary === undefined) return issue(['vocabulary'], String(value['vocabulary']));
  try {
    return withPlaces(own, expandLayout(value, vocabulary.value as JsonObject));
  } catch (error) {
    if (!(error instanceof UnknownName)) throw error;
    return issue(error.path, error.value, error.known);
  }
}

/** A layout that says what it is expanded to. */
function withPlaces(own: YamlSource, value: JsonValue): YamlSource {
  return {
    ...own,
    value,
    has: (path) =>
      path.reduce<unknown>(
        (node, key) => (isObject(node) || Array.isArray(node) ? (node as JsonObject)[key] : undefined),
        value,
      ) !== undefined,
    locate(path, what, offset) {
      const name = own.isWritten(path) ? undefined : /^vocabulary: *([a-z-]+)$/m.exec(own.text)?.[1];
      const vocabulary = name === undefined ? undefined : readVocabulary(name);
      const place = vocabulary && placeInVocabulary(path, value, vocabulary.value as JsonObject);
      return place === undefined
        ? own.locate(path, what, offset)
        : { file: vocabulary!.file, ...vocabulary!.locate(place) };
    },
  };
}
