import { type CatalogueRow, catalogue } from '../catalogue/catalogue.js';
import type { Class } from '../generated/mapping-types.js';
import { formatPlace, type Issue, type Language } from '../issues/issue.js';
import { scoreLabel } from '../source/label-score.js';
import { squash } from '../values/fold.js';
import { similarity } from '../values/similar.js';
import type { Choice, ChoiceCandidate } from './choice.js';
import type { Fit } from './fit.js';
import { IGNORE } from './labels.js';
import type { Trial } from './trial.js';
import { synonymsOf } from './uses.js';
import { abbreviations } from './vocabulary.js';
import { tell } from './wording.js';

/** A word that a code list, or the classes of concepts, do not know. */
export interface UnknownWord {
  readonly kind: 'value' | 'class';
  /** Code list; undefined for classes. */
  readonly list?: string;
  readonly word: string;
  readonly count: number;
  readonly place: Issue['place'];
}

const CODES: Readonly<Record<string, UnknownWord['kind']>> = {
  'lookup/unknown': 'value',
  'lookup/ambiguous': 'value',
  'class/unknown': 'class',
  'class/ambiguous': 'class',
};
const OTHER = 'other_';
const MOST = 4;
const ALIKE = 0.4;
const SHORT_LIST = 12;
/** A name that begins with the word as written. */
const BEGINS = 0.85;

/** The words that reading to the end has not understood, each once. */
export function unknownWords({ issues }: Trial, { uses }: Fit): readonly UnknownWord[] {
  const found = new Map<string, UnknownWord>();
  for (const { code, value, place, params } of issues) {
    const kind = CODES[code];
    if (kind === undefined || value === undefined) continue;
    const pointer = place.pointer?.replace(/\/\d+(?=\/|$)/g, '/*') ?? '';
    const list =
      kind === 'value' ? String(params['catalogue'] ?? uses.catalogues.get(pointer) ?? '') : undefined;
    if (list === '') continue;
    const key = `${list}\n${squash(value)}`;
    const known = found.get(key);
    found.set(
      key,
      known
        ? { ...known, count: known.count + 1 }
        : { kind, ...(list && { list }), word: value, count: 1, place },
    );
  }
  return [...found.values()];
}

const rounded = (score: number): number => Math.round(score * 100) / 100;

function likeness(word: string, names: readonly string[]): number {
  const bare = squash(word);
  return Math.max(
    0,
    ...names.map((name) => {
      const other = squash(name);
      const begins = bare.length >= 3 && (other.startsWith(bare) || bare.startsWith(other));
      return Math.max(similarity(word, name), begins && other.length >= 3 ? BEGINS : 0);
    }),
  );
}

const nameOf = (row: CatalogueRow): string => [row['name'], row['department']].filter(Boolean).join(', ');

function valueCandidates({ list, word }: UnknownWord, fit: Fit): ChoiceCandidate[] {
  const rows = catalogue(list!)?.rows ?? [];
  const words = synonymsOf(fit.mapping).values[list!] ?? {};
  const scored = rows.map((row) => ({
    value: row['code'] ?? '',
    score: rounded(likeness(word, [row['name'] ?? '', ...(words[row['code'] ?? ''] ?? [])])),
    about: nameOf(row),
  }));
  const like = scored.filter(({ score }) => score >= ALIKE).sort((a, b) => b.score - a.score);
  // Equal names (Armenia) are no default: the department is not known.
  const tied = like.length > 1 && like[0]!.score === like[1]!.score;
  const shown = (tied ? like.map((one) => ({ ...one, score: Math.min(one.score, 0.5) })) : like).slice(
    0,
    MOST,
  );
  return shown.length === 0 && rows.length <= SHORT_LIST ? scored : shown;
}

/** The classes that the mapping sorts words into, with their patterns without wildcards. */
function classesOf({ mapping }: Fit): (readonly [name: string, titles: readonly string[]])[] {
  const sets = synonymsOf(mapping).classes;
  const used = [...mapping.tables.values()].flatMap(({ spec }) =>
    Object.values(spec.columns).flatMap(({ classify }) => (classify === undefined ? [] : [classify.classes])),
  );
  return used.flatMap((set) =>
    Object.entries(
      (typeof set === 'string' ? sets[set] : (set as Readonly<Record<string, Class>>)) ?? {},
    ).map(([name, spec]) => {
      const titles = (Array.isArray(spec) ? spec : spec.like).map((text) => text.replace(/\*+$/, '').trim());
      return [name, titles.filter((text) => text !== '' && !/[?*]/.test(text))] as const;
    }),
  );
}

function classCandidates({ word }: UnknownWord, fit: Fit): { shown: ChoiceCandidate[]; all: string[] } {
  const classes = classesOf(fit);
  const scored = classes.map(([name, titles]) => ({
    value: name,
    score: scoreLabel(word, undefined, { id: name, titles }, abbreviations()),
    about: titles[0] ?? name,
  }));
  const likely = scored
    .filter(({ score }) => score >= ALIKE)
    .sort((a, b) => b.score - a.score)
    .slice(0, MOST);
  // What fits nowhere else: other earnings and deductions.
  const rest = scored.filter(
    ({ value }) => value.startsWith(OTHER) && !likely.some((one) => one.value === value),
  );
  return { shown: [...likely, ...rest], all: classes.map(([name]) => name) };
}

/** The question that an unknown word leaves; answers are codes of the list, or classes. */
export function wordChoice(word: UnknownWord, fit: Fit, language: Language): Choice {
  const params = {
    place: formatPlace(word.place),
    word: word.word,
    count: word.count,
    list: word.list ?? '',
  };
  const ignore: ChoiceCandidate = { value: IGNORE, about: tell(language, 'ignoreWord') };
  if (word.kind === 'class') {
    const { shown, all } = classCandidates(word, fit);
    return {
      id: `class.${word.word}`,
      path: ['decisions', 'classes', word.word],
      question: tell(language, 'class', params),
      candidates: [...shown, ignore],
      others: all,
    };
  }
  return {
    id: `value.${word.list}.${word.word}`,
    path: ['decisions', 'values', word.list!, word.word],
    question: tell(language, 'value', params),
    candidates: [...valueCandidates(word, fit), ignore],
    others: (catalogue(word.list!)?.rows ?? []).map((row) => row['code'] ?? ''),
  };
}
