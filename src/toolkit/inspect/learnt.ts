import { type Issue, type Language, PipelineError } from '../core/issue.js';
import { isObject, type JsonObject, type JsonValue } from '../core/json.js';
import { remember } from '../core/remember.js';
import { isWild } from '../core/text.js';
import { yaml } from '../core/yaml.js';
import { readVocabulary, vocabularyOf } from '../mapping/layout.js';
import { compileMapping } from '../mapping/load.js';
import { namingOf } from '../mapping/vocabulary.js';
import { IGNORE, parseLetterLabel } from '../tables/header.js';
import { squashLabel } from '../tables/titles.js';
import type { Fit } from './fit.js';
import type { Setting } from './joins.js';
import { ignoreAnswer, titleOf } from './label-questions.js';
import type { LabelFit } from './labels.js';
import { outlineOf, type ReadyMapping, wordsIn } from './ready.js';

/** Name that a mapping of a company gave to a concept or column. */
interface LearntName {
  readonly text: string;
  /** Key of `concepts`. */
  readonly key: string;
  readonly list: 'names' | 'titles';
}

/** Vocabulary → squashed name → what it means; undefined if the latest mapping with that name leaves it out. */
export type Learnt = ReadonlyMap<string, ReadonlyMap<string, LearntName | undefined>>;

const entriesOf = (node: JsonValue | undefined): [string, JsonValue][] =>
  isObject(node) ? (Object.entries(node) as [string, JsonValue][]) : [];

const valuesOf = (node: JsonValue | undefined): JsonValue[] => entriesOf(node).map(([, value]) => value);

type NameEntry = readonly [squashed: string, name: LearntName | undefined];

/** Lists the names that `concepts` of a mapping adds. */
const addedNames = (concepts: JsonValue | undefined): NameEntry[] =>
  entriesOf(concepts).flatMap(([key, lists]) =>
    (['names', 'titles'] as const).flatMap((list) =>
      (isObject(lists) ? [lists[list] ?? []].flat() : []).flatMap((name) => {
        const text = /^\+\s*(.+)/.exec(String(name))?.[1];
        return text === undefined ? [] : [[squashLabel(text), { text, key, list }] as const];
      }),
    ),
  );

/** Lists what a mapping calls concepts and columns of its vocabulary: by `concepts`, by labels, and by words of a list. */
function namesIn(tree: JsonObject, vocabulary: JsonObject): readonly NameEntry[] {
  const naming = namingOf(vocabulary);
  const labels = valuesOf(tree['tables']).flatMap((table) =>
    entriesOf(isObject(table) ? table['labels'] : undefined),
  );
  const classes = isObject(tree['decisions']) ? entriesOf(tree['decisions']['classes']) : [];
  const said = [
    ...labels.flatMap(([text, id]) => {
      const means = naming.get(String(id));
      return means !== undefined || id === IGNORE ? [[text, means] as const] : [];
    }),
    ...classes.flatMap(([text, name]) =>
      isObject(vocabulary['concepts']) && String(name) in vocabulary['concepts']
        ? [[text, { key: String(name), list: 'names' }] as const]
        : [],
    ),
  ];
  return [
    ...addedNames(tree['concepts']),
    ...said.flatMap(([text, means]) => {
      // A label under a group, or with the letter of its column, is not known by its text alone.
      const isAlone = !isWild(text) && !text.includes(' / ') && parseLetterLabel(text) === undefined;
      return isAlone ? [[squashLabel(text), means && { text, ...means }] as const] : [];
    }),
  ];
}

/**
 * Returns what mappings, the latest first, call concepts and columns by vocabulary. A name with two meanings in one mapping, or one that
 * the latest leaves out, has none.
 */
export function learntFrom(texts: readonly string[]): Learnt {
  const learnt = new Map<string, Map<string, LearntName | undefined>>();
  for (const text of texts) {
    const tree = yaml().parseDocument(text).toJS() as JsonValue;
    const name = isObject(tree) ? vocabularyOf(tree) : undefined;
    const vocabulary = name === undefined ? undefined : readVocabulary(name)?.value;
    if (name === undefined || !isObject(tree) || !isObject(vocabulary)) continue;
    const here = new Map<string, LearntName | undefined>();
    for (const [squashed, means] of namesIn(tree, vocabulary)) {
      const other = here.get(squashed);
      here.set(squashed, other !== undefined && other.key !== means?.key ? undefined : means);
    }
    learnt.set(name, new Map([...here, ...(learnt.get(name) ?? [])]));
  }
  return learnt;
}

/** Returns what was learnt without the names that answers or another mapping say themselves. */
export function withoutSaid(learnt: Learnt, answers: Iterable<string>, text: string | undefined): Learnt {
  const ofText =
    text === undefined ? [] : [...learntFrom([text]).values()].flatMap((names) => [...names.keys()]);
  const answered = new Set([...[...answers].map((id) => squashLabel(id.replace(/^class\./, ''))), ...ofText]);
  return new Map(
    [...learnt].map(([name, names]) => [
      name,
      new Map([...names].filter(([squashed]) => !answered.has(squashed))),
    ]),
  );
}

/** Returns names as `concepts` of a mapping. */
function conceptsOf(names: Iterable<LearntName>): JsonObject {
  const concepts: Record<string, Record<string, string[]>> = {};
  for (const { text, key, list } of names) {
    concepts[key] ??= {};
    concepts[key][list] = [...(concepts[key][list] ?? []), `+${text}`];
  }
  return concepts;
}

/** Compiles a ready-made mapping with the names that no column of it has; as it is if they do not fit it. */
const compiled = remember(
  ({
    ready: { name, mapping },
    names,
  }: {
    readonly ready: ReadyMapping;
    readonly names: readonly LearntName[];
  }) => {
    const known = new Set(
      [...mapping.tables.values()].flatMap(({ columns }) =>
        [...columns.values()].flatMap(({ wanted }) => wanted?.titles.map(squashLabel) ?? []),
      ),
    );
    const concepts = conceptsOf(names.filter(({ text }) => !known.has(squashLabel(text))));
    try {
      return {
        mapping: compileMapping(`${name}.yaml`, JSON.stringify({ extends: name, cargue: 1, name, concepts })),
        concepts,
      };
    } catch (error) {
      if (!(error instanceof PipelineError)) throw error;
      return { mapping, concepts: {} };
    }
  },
);

function withNames(ready: ReadyMapping, names: readonly LearntName[]): ReadyMapping {
  const named = { ready, names };
  const outline = outlineOf(ready);
  const titles = names.map(({ text }) => text);
  return {
    name: ready.name,
    outline: {
      ...outline,
      titles: new Set([...outline.titles, ...titles.map(squashLabel)]),
      words: new Set([...outline.words, ...wordsIn(titles)]),
    },
    get mapping() {
      return compiled(named).mapping;
    },
    get concepts() {
      return compiled(named).concepts;
    },
  };
}

/** Returns the ready-made mappings with the names that a company gave to concepts and columns of their vocabularies. */
export function withLearnt(ready: readonly ReadyMapping[], learnt: Learnt): readonly ReadyMapping[] {
  const byVocabulary = new Map(
    [...learnt].map(([name, names]) => [name, [...names.values()].filter((item) => item !== undefined)]),
  );
  return ready.map((item) => {
    const vocabulary = byVocabulary.size === 0 ? undefined : vocabularyOf({ extends: item.name });
    const names = vocabulary === undefined ? [] : (byVocabulary.get(vocabulary) ?? []);
    return names.length === 0 ? item : withNames(item, names);
  });
}

/** Marks the labels that are decided because the company called their columns so before. */
export function markLearnt(labels: readonly LabelFit[], concepts: JsonObject): readonly LabelFit[] {
  const learnt = new Set(addedNames(concepts).map(([squashed]) => squashed));
  return labels.map((fit) => {
    const isLearnt = fit.reason === 'words' && fit.label !== undefined && learnt.has(squashLabel(fit.label));
    return isLearnt ? { ...fit, reason: 'learnt' } : fit;
  });
}

/** Returns the learnt names that no label of these files has, as a setting of the mapping: words of later files may have them. */
export function conceptSetting(concepts: JsonObject, labels: readonly LabelFit[]): Setting {
  const here = new Set(labels.flatMap(({ label }) => (label === undefined ? [] : squashLabel(label))));
  const others = addedNames(concepts).flatMap(([squashed, name]) =>
    name === undefined || here.has(squashed) ? [] : name,
  );
  return others.length === 0 ? [] : [[['concepts'], conceptsOf(others)]];
}

interface DecidedTable {
  readonly fit: Pick<Fit, 'name' | 'mapping'> | undefined;
  readonly labels: readonly LabelFit[];
  /** Mapping to write. */
  readonly tree: JsonObject;
}

/** Returns a notice for each name that means something else here than in the company's other mappings. */
export function saidOtherwise(
  { fit, labels, tree }: DecidedTable,
  learnt: Learnt,
  language: Language,
): Issue[] {
  const name = fit && vocabularyOf({ extends: fit.name });
  const vocabulary = name === undefined ? undefined : readVocabulary(name)?.value;
  const before = name === undefined ? undefined : learnt.get(name);
  if (fit === undefined || before === undefined || !isObject(vocabulary)) return [];
  const naming = namingOf(vocabulary);
  const decisions = tree['decisions'] as { classes?: Record<string, string> } | undefined;
  const now = [
    ...labels.flatMap((item) => {
      const { label, means = IGNORE } = item;
      return item.reason === 'answered' && label !== undefined
        ? [[label, naming.get(means)?.key ?? means] as const]
        : [];
    }),
    ...Object.entries(decisions?.classes ?? {}),
  ];
  const columns = [...fit.mapping.tables.values()].flatMap((table) => [...table.columns.values()]);
  const titleOfKey = (key: string): string => {
    if (key === IGNORE) return ignoreAnswer(language).title;
    const column = columns.find(({ id, wanted }) => wanted !== undefined && naming.get(id)?.key === key);
    const concept = (vocabulary['concepts'] as Record<string, { names?: string[] }>)[key];
    return column === undefined ? (concept?.names?.[0] ?? key) : titleOf(column);
  };
  return now.flatMap(([text, key]): Issue[] => {
    const learntName = before.get(squashLabel(text));
    if (learntName === undefined || learntName.key === key) return [];
    const params = { before: titleOfKey(learntName.key), now: titleOfKey(key) };
    return [{ code: 'inspect/said-otherwise', level: 'warning', value: text, params, place: {} }];
  });
}
