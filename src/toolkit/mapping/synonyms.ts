import { existsSync, readFileSync } from 'node:fs';
import type { Class, Decisions, Undecided } from '../../generated/mapping-types.js';
import { PipelineError } from '../core/issue.js';
import type { JsonObject, JsonValue } from '../core/json.js';
import { packageFile } from '../core/package-file.js';
import { fold, squash } from '../core/text.js';
import type { Words } from '../schema/catalogue.js';
import { readVocabulary } from './layout.js';
import { type ConceptNames, namesOf } from './vocabulary.js';
import { readYaml, type YamlPath } from './yaml-source.js';

/** Codes of an old list that are also codes of the present one without its zeros: which list a column uses must be known. */
export interface OldCodes {
  /** Name of the present list, and of the old one, as the parameter says them. */
  readonly present: string;
  readonly old: string;
  /** Pattern of texts that only the present list has: they show that the column uses it. */
  readonly proof: string;
  /** Present code → old ones that mean it. */
  readonly codes: Readonly<Record<string, readonly string[]>>;
  /** Old codes that mean several present ones, with these. */
  readonly several: Readonly<Record<string, readonly string[]>>;
}

/** Header titles and words of code lists that many customers share (mappings/synonyms), and what this one settled. */
export interface Synonyms {
  /** Column id → titles. */
  readonly columns: Readonly<Record<string, readonly string[]>>;
  /** Column id → titles in every table, or those that a mapping adds by `+`. */
  readonly fields: Readonly<Record<string, string[]>>;
  /** Titles of columns that offices keep and no document needs, by name. */
  readonly ignored: Readonly<Record<string, readonly string[]>>;
  /** Catalogue → code → words. */
  readonly values: Readonly<Record<string, Words>>;
  /** Catalogue, or part of one → name of a list of words in use → code → words; a word may mean different codes in them. */
  readonly readings: Readonly<Record<string, Readonly<Record<string, Words>>>>;
  /** Catalogue → an old list whose codes look like its own. */
  readonly old_codes: Readonly<Record<string, OldCodes>>;
  /** Name of a set of classes → class → patterns. */
  readonly classes: Readonly<Record<string, Readonly<Record<string, Class>>>>;
  /** Name of a set of classes → groups of telling words: a pattern and what it fits have some of the same groups. */
  readonly telling: Readonly<Record<string, readonly (readonly string[])[]>>;
  /** Name of a set of classes → class → the words, and lists of words, that may stand next to its patterns; without it any may. */
  readonly beside: Readonly<
    Record<string, Readonly<Record<string, readonly (string | readonly string[])[]>>>
  >;
  /** Column id → one of its choices → words. */
  readonly choices: Readonly<Record<string, Words>>;
  /** Name of a list → texts that mean an empty cell. */
  readonly blanks: Readonly<Record<string, readonly string[]>>;
  /** Decisions of this customer by folded word: its class. They precede anything else. */
  readonly decidedClasses: ReadonlyMap<string, string>;
  /** Catalogue → squashed word → code. */
  readonly decidedValues: ReadonlyMap<string, ReadonlyMap<string, string>>;
  /** Column id → squashed word → one of its choices, or true and false. */
  readonly decidedChoices: ReadonlyMap<string, ReadonlyMap<string, string>>;
}

const NO_SYNONYMS: Synonyms = {
  columns: {},
  fields: {},
  ignored: {},
  values: {},
  readings: {},
  old_codes: {},
  classes: {},
  telling: {},
  beside: {},
  choices: {},
  blanks: {},
  decidedClasses: new Map(),
  decidedValues: new Map(),
  decidedChoices: new Map(),
};

const fileOf = (name: string): string => packageFile('mappings', 'synonyms', `${name}.yaml`);

/** Returns the content of a file of `mappings/synonyms`. */
export const readSynonyms = <T>(name: string): T =>
  readYaml('', readFileSync(fileOf(name), 'utf8')).value as unknown as T;

const loaded = new Map<string, Synonyms>();

/** Returns the synonyms with the titles and words of concepts, which stand before those of other classes. */
export const withNames = (
  synonyms: Synonyms,
  { columns, classes = {}, fields = {} }: Partial<ConceptNames>,
): Synonyms => ({
  ...synonyms,
  fields,
  columns: { ...synonyms.columns, ...columns },
  classes: {
    ...synonyms.classes,
    ...Object.fromEntries(
      Object.entries(classes).map(([set, words]) => [set, { ...words, ...synonyms.classes[set], ...words }]),
    ),
  },
});

/** The synonyms of that name, read once, or undefined when there is no such file. */
export function loadSynonyms(name: string): Synonyms | undefined {
  const known = loaded.get(name);
  if (known !== undefined) return known;
  if (!existsSync(fileOf(name))) return undefined;
  const vocabulary = readVocabulary(name);
  if (vocabulary !== undefined && vocabulary.issues.length > 0)
    throw new PipelineError('mapping', vocabulary.issues);
  const concepts = vocabulary === undefined ? {} : namesOf(vocabulary.value as JsonObject);
  const synonyms = withNames({ ...NO_SYNONYMS, ...readSynonyms<Partial<Synonyms>>(name) }, concepts);
  loaded.set(name, synonyms);
  return synonyms;
}

export const mergeSynonyms = (all: readonly Synonyms[]): Synonyms => ({
  columns: Object.assign({}, ...all.map(({ columns }) => columns)),
  fields: {},
  ignored: Object.assign({}, ...all.map(({ ignored }) => ignored)),
  values: Object.assign({}, ...all.map(({ values }) => values)),
  readings: Object.assign({}, ...all.map(({ readings }) => readings)),
  old_codes: Object.assign({}, ...all.map(({ old_codes }) => old_codes)),
  classes: Object.assign({}, ...all.map(({ classes }) => classes)),
  telling: Object.assign({}, ...all.map(({ telling }) => telling)),
  beside: Object.assign({}, ...all.map(({ beside }) => beside)),
  choices: Object.assign({}, ...all.map(({ choices }) => choices)),
  blanks: Object.assign({}, ...all.map(({ blanks }) => blanks)),
  decidedClasses: new Map(),
  decidedValues: new Map(),
  decidedChoices: new Map(),
});

/** The synonyms with what a customer settled. */
export const withDecisions = (
  synonyms: Synonyms,
  { values = {}, classes = {}, choices = {} }: Decisions,
): Synonyms => ({
  ...synonyms,
  decidedClasses: new Map(Object.entries(classes).map(([word, name]) => [fold(word), String(name)])),
  decidedValues: settledWords(values),
  decidedChoices: settledWords(choices),
});

const settledWords = (
  lists: Readonly<Record<string, Readonly<Record<string, unknown>>>>,
): Synonyms['decidedValues'] =>
  new Map(
    Object.entries(lists).map(([name, words]) => [
      name,
      new Map(Object.entries(words).map(([word, value]) => [squash(word), String(value)])),
    ]),
  );

/** An open choice of a mapping, and where it stands. */
export interface OpenChoice {
  readonly path: YamlPath;
  readonly undecided: Undecided['undecided'];
}

/** Every `undecided` node of a mapping, in file order. */
export function openChoices(value: JsonValue, path: YamlPath = []): OpenChoice[] {
  if (Array.isArray(value)) return value.flatMap((item, index) => openChoices(item, [...path, index]));
  if (typeof value !== 'object' || value === null) return [];
  const map = value as Readonly<Record<string, JsonValue>>;
  if ('undecided' in map && Object.keys(map).length === 1)
    return [{ path, undecided: map['undecided'] as unknown as Undecided['undecided'] }];
  return Object.entries(map).flatMap(([key, inner]) => openChoices(inner, [...path, key]));
}
