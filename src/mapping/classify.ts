import type { FormulaValue } from '../formula/functions.js';
import type { Class, Classify } from '../generated/mapping-types.js';
import type { Suggestion } from '../issues/issue.js';
import { fold, squash, wildcard } from '../values/fold.js';
import { suggest } from '../values/similar.js';
import type { CompiledColumn } from './columns.js';
import type { Context } from './context.js';
import { CellFault } from './read/cell-reader.js';
import { formulaSource } from './source.js';
import { columnOf, deciding, type Source, type Workbench } from './workbench.js';
import type { YamlPath } from './yaml-source.js';

interface Pattern {
  readonly name: string;
  readonly pattern: string;
  /** Letters that are given: of two patterns that fit, the one that says more is meant. */
  readonly weight: number;
  readonly fits: (folded: string, squashed: string) => boolean;
  readonly when: Source | undefined;
}

const isWild = (pattern: string): boolean => /[*?]/.test(pattern);

function patternsOf(bench: Workbench, name: string, spec: Class, path: YamlPath): Pattern[] {
  const { like, when } = Array.isArray(spec) ? { like: spec, when: undefined } : spec;
  const condition =
    when === undefined ? undefined : formulaSource(deciding(bench), when, [...path, 'when'], 'boolean');
  return like.map((pattern) => {
    const folded = wildcard(pattern);
    const squashed = wildcard(pattern, squash);
    return {
      name,
      pattern,
      weight:
        squash(pattern).replace(/[*?]/g, '').length + (isWild(pattern) ? 0 : 1_000) + (condition ? 0.5 : 0),
      fits: (text, bare) => folded(text) || squashed(bare),
      when: condition,
    };
  });
}

/** Sorts words into classes by folded wildcards; of several that fit the most exact is taken, and two alike are refused. */
export function compileClassify(
  bench: Workbench,
  spec: Classify,
  path: YamlPath,
): Pick<CompiledColumn, 'type' | 'computed' | 'feeders' | 'needs' | 'warns'> | undefined {
  const column = columnOf(bench, spec.from, [...path, 'from']);
  const classes = typeof spec.classes === 'string' ? bench.synonyms.classes[spec.classes] : spec.classes;
  if (classes === undefined) {
    bench.lint.report([...path, 'classes'], 'mapping/unknown-classes', { value: String(spec.classes) });
    return undefined;
  }
  const patterns = Object.entries(classes)
    .flatMap(([name, one]) => patternsOf(bench, name, one as Class, [...path, 'classes', name]))
    .sort((a, b) => b.weight - a.weight);
  if (column === undefined) return undefined;
  const decided = bench.synonyms.decidedClasses;
  const known = new Map<string, readonly Pattern[]>();
  const fitting = (text: string): readonly Pattern[] => {
    let found = known.get(text);
    if (found === undefined) {
      const folded = fold(text);
      const bare = squash(text);
      found = patterns.filter(({ fits }) => fits(folded, bare));
      if (known.size < 10_000) known.set(text, found);
    }
    return found;
  };
  const read = (context: Context): FormulaValue | CellFault => {
    const text = context.at[column.slot]?.values[column.position];
    if (typeof text !== 'string') return spec.blank === 'error' ? new CellFault('cell/blank') : undefined;
    const settled = decided.get(fold(text));
    if (settled !== undefined) return settled;
    const fits = fitting(text).filter(({ when }) => when === undefined || when.read(context) === true);
    const [best] = fits;
    if (best !== undefined) {
      const rival = fits.find(({ name, weight }) => name !== best.name && weight === best.weight);
      if (rival === undefined) return best.name;
      return new CellFault('class/ambiguous', { classes: `${best.name}, ${rival.name}` });
    }
    if (spec.unknown === 'ignore') return undefined;
    return new CellFault('class/unknown', {}, hints(text));
  };
  /** The classes whose patterns look most like the word. */
  const hints = (text: string): Suggestion[] => {
    const near = suggest(
      text,
      patterns.map(({ pattern }) => pattern.replace(/[*?]/g, ' ').trim()),
      5,
    );
    const named = near.flatMap(({ value, score }) => {
      const name = patterns.find(({ pattern }) => pattern.replace(/[*?]/g, ' ').trim() === value)?.name;
      return name === undefined ? [] : [{ value: name, score }];
    });
    return named
      .filter(({ value }, index) => named.findIndex((one) => one.value === value) === index)
      .slice(0, 3);
  };
  return {
    type: 'text',
    computed: read,
    feeders: column.feeders,
    needs: column.needs,
    ...(spec.unknown === 'warning' && { warns: true }),
  };
}
