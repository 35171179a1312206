import type { Class, Classify } from '../../generated/mapping-types.js';
import type { Suggestion } from '../core/issue.js';
import { fold, isWild, squash, suggest, wildcard } from '../core/text.js';
import type { FormulaValue } from '../formula/functions.js';
import { CellFault } from './read/cell.js';
import { type CompiledColumn, type Context, patternsOf, type Source } from './record.js';
import { columnOf, deciding, type Scope } from './scope.js';
import { formulaSource } from './source.js';
import type { Synonyms } from './synonyms.js';
import type { YamlPath } from './yaml-source.js';

/** Score of a pattern that begins with the word as written. */
const BEGINS = 0.85;

interface Pattern {
  readonly name: string;
  readonly pattern: string;
  /** Number of given letters; of two patterns that fit, the heavier one is meant. */
  readonly weight: number;
  readonly fits: (folded: string, squashed: string) => boolean;
  /** Groups of distinguishing words that the pattern has a word of. */
  readonly groups: string;
  readonly when: Source | undefined;
}

type DistinguishingGroups = (text: string) => string;
/** Returns true if a text has a word that the named class does not allow next to its patterns. */
type HasExtraWords = (name: string, text: string) => boolean;

/** Words, numbers and signs that join two of them; a hyphen joins only words. */
const WORDS = /[a-zñ]+|\d+|[/+&,;]|-(?<=[a-zñ]\s*-)(?=\s*[a-zñ])/g;

/** Returns a function that lists the groups of which a text has a word: such a word may make it another concept. */
export function distinguishingGroupsOf(groups: readonly (readonly string[])[]): DistinguishingGroups {
  const tests = groups.map((words) => words.map((word) => wildcard(word)));
  return (text) => {
    const words = fold(text).match(WORDS) ?? [];
    return tests
      .flatMap((group, at) => (words.some((word) => group.some((fits) => fits(word))) ? [at] : []))
      .join();
  };
}

/** Words, and rates: `4%`, `12.5 %`, `8,5`. */
const WORDS_AND_RATES = /[a-zñ]+|(?<![\d.,])\d+(?:[.,]\d+)?\s*%|(?<![\d.,])\d{1,2}[.,]\d{1,2}(?![\d.,])/g;
/** Converts `4,00 %` to `4%`. */
const plainRate = (word: string): string =>
  /^\d/.test(word) ? `${Number.parseFloat(word.replace(',', '.'))}%` : word;
/** Words of a pattern, with the `*` that ends them; a letter alone would take in any word. */
const PATTERN_WORDS = /[a-zñ]{2,}\*?/g;
/** Dot between two initials: `E.P.S.` is one word. */
const INITIALS = /(?<![a-zñ])([a-zñ])\.(?=[a-zñ](?![a-zñ]))/g;

/**
 * Returns a test for words and rates that a class does not allow next to its own, since a pattern with an open end takes
 * any text. Other numbers are counts or dates and are allowed.
 */
export function straysOf(
  beside: Synonyms['beside'][string],
  classes: Readonly<Record<string, Class>>,
): HasExtraWords {
  const known = new Map(
    Object.entries(beside).map(([name, words]) => {
      const patterns = patternsOf(classes[name] ?? []).flatMap(
        (pattern) => fold(pattern).match(PATTERN_WORDS) ?? [],
      );
      return [name, [...new Set([...patterns, ...words.flat()])].map((word) => wildcard(word))] as const;
    }),
  );
  return (name, text) => {
    const fits = known.get(name);
    if (fits === undefined) return false;
    const words = fold(text).replace(INITIALS, '$1').match(WORDS_AND_RATES) ?? [];
    return words.map(plainRate).some((word) => !fits.some((isKnown) => isKnown(word)));
  };
}

function compilePatterns(
  scope: Scope,
  name: string,
  spec: Class,
  telling: DistinguishingGroups,
  path: YamlPath,
): Pattern[] {
  const { like, when } = Array.isArray(spec) ? { like: spec, when: undefined } : spec;
  const condition =
    when === undefined ? undefined : formulaSource(deciding(scope), when, [...path, 'when'], 'boolean');
  return like.map((pattern) => {
    const folded = wildcard(pattern);
    const squashed = wildcard(pattern, squash);
    return {
      name,
      pattern,
      weight:
        squash(pattern).replace(/[*?]/g, '').length + (isWild(pattern) ? 0 : 1_000) + (condition ? 0.5 : 0),
      // Signs alone are only what they are: of `-` and `✓` nothing is left without them.
      fits: (text, bare) => folded(text) || (bare !== '' && squashed(bare)),
      groups: telling(pattern),
      when: condition,
    };
  });
}

/** Max distinct words whose result is cached. */
const MAX_CACHED_WORDS = 10_000;

/** Returns the function with a cache, since words repeat. */
function cached<T>(resultOf: (text: string) => T): (text: string) => T {
  const known = new Map<string, T>();
  return (text) => {
    let found = known.get(text);
    if (found === undefined) {
      found = resultOf(text);
      if (known.size < MAX_CACHED_WORDS) known.set(text, found);
    }
    return found;
  };
}

/** Returns the three classes whose patterns are closest to a word, or begin with it. */
function closestClasses(text: string, patterns: readonly Pattern[]): Suggestion[] {
  const begins = `${fold(text)} `;
  const best = new Map<string, number>();
  for (const { name, pattern } of patterns) {
    const plain = pattern.replace(/[*?]/g, ' ').trim();
    const score = fold(plain).startsWith(begins) ? BEGINS : suggest(text, [plain])[0]?.score;
    if (score !== undefined) best.set(name, Math.max(score, best.get(name) ?? 0));
  }
  return [...best]
    .map(([value, score]) => ({ value, score }))
    .sort((a, b) => b.score - a.score)
    .slice(0, 3);
}

/** Tells the class of a text by patterns, the heaviest first; texts are remembered, since columns repeat them. */
function createSorter(
  patterns: readonly Pattern[],
  telling: (text: string) => string,
  strays: (name: string, text: string) => boolean,
) {
  const fitting = cached((text) => {
    const [folded, bare, groups] = [fold(text), squash(text), telling(text)];
    return patterns.filter(
      (pattern) =>
        pattern.groups === groups &&
        pattern.fits(folded, bare) &&
        !(isWild(pattern.pattern) && strays(pattern.name, text)),
    );
  });
  /** Returns a pattern of another class that is as heavy as the first. */
  const rivalIn = ([best, ...others]: readonly Pattern[]): Pattern | undefined =>
    others.find(({ name, weight }) => name !== best?.name && weight === best?.weight);
  return {
    fitting,
    rivalIn,
    hintsOf: cached((text) => closestClasses(text, patterns)),
    resembles(text: string): boolean {
      const [folded, bare] = [fold(text), squash(text)];
      return patterns.some(({ fits }) => fits(folded, bare));
    },
    classOf(text: string): string | undefined {
      const fits = fitting(text);
      return rivalIn(fits) === undefined ? fits[0]?.name : undefined;
    },
  };
}

/**
 * Compiles the classification of words by folded wildcards. The most exact of several patterns is taken; a tie is refused.
 * A pattern only fits a text with distinguishing words of the same groups, and a wildcard only words its class allows.
 */
export function compileClassify(
  scope: Scope,
  spec: Classify,
  path: YamlPath,
): Pick<CompiledColumn, 'type' | 'computed' | 'feeders' | 'needs' | 'warns' | 'sorts'> | undefined {
  const column = columnOf(scope, spec.from, [...path, 'from']);
  for (const read of column?.feeders ?? []) read.holds = 'words';
  const classes = typeof spec.classes === 'string' ? scope.synonyms.classes[spec.classes] : spec.classes;
  if (classes === undefined) {
    scope.lint.report([...path, 'classes'], 'mapping/unknown-classes', { value: String(spec.classes) });
    return undefined;
  }
  const telling = distinguishingGroupsOf(
    (typeof spec.classes === 'string' && scope.synonyms.telling[spec.classes]) || [],
  );
  const strays = straysOf(
    (typeof spec.classes === 'string' && scope.synonyms.beside[spec.classes]) || {},
    classes,
  );
  const patterns = Object.entries(classes)
    .flatMap(([name, spec]) =>
      compilePatterns(scope, name, spec as Class, telling, [...path, 'classes', name]),
    )
    .sort((a, b) => b.weight - a.weight);
  if (column === undefined) return undefined;
  const decided = scope.synonyms.decidedClasses;
  const { fitting, hintsOf, rivalIn, resembles, classOf } = createSorter(patterns, telling, strays);
  const ofTable = (name: string): string | CellFault =>
    spec.only === undefined || name === spec.only
      ? name
      : new CellFault('class/other', { found: name, only: spec.only });
  const read = (context: Context): FormulaValue | CellFault => {
    const text = context.at[column.tableIndex]?.values[column.position];
    if (typeof text !== 'string') return spec.blank === 'error' ? new CellFault('cell/blank') : undefined;
    const settled = decided.get(fold(text));
    if (settled !== undefined) return ofTable(settled);
    const fits = fitting(text).filter(({ when }) => when === undefined || when.read(context) === true);
    const [best] = fits;
    if (best !== undefined) {
      const rival = rivalIn(fits);
      if (rival === undefined) return ofTable(best.name);
      return new CellFault('class/ambiguous', { classes: `${best.name}, ${rival.name}` });
    }
    if (spec.unknown === 'ignore') return undefined;
    return new CellFault('class/unknown', {}, () => hintsOf(text));
  };
  return {
    type: 'text',
    computed: read,
    feeders: column.feeders,
    needs: column.needs,
    sorts: {
      column,
      classes: classes as Readonly<Record<string, Class>>,
      tells: telling,
      strays,
      resembles,
      classOf,
      ...(spec.only !== undefined && { only: spec.only }),
    },
    ...(spec.unknown === 'warning' && { warns: true }),
  };
}
