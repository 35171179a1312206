import type { CompiledColumn } from '../mapping/columns.js';
import type { CompiledParam } from '../mapping/params.js';
import type { Need } from '../mapping/writer.js';
import { isRequired, resolveNode } from '../schema/registry.js';
import type { Fit } from './fit.js';
import { titleOf } from './label-choices.js';
import { fullId } from './uses.js';

/** Something that every document needs and no label gives. */
export interface MissingNeed {
  readonly pointer: string;
  /** A column that would give it. */
  readonly column: string;
  readonly title: string;
  /** The parameter that can stand in. */
  readonly param?: string;
}

/** A parameter that a run must give. */
export interface ParamNeeded {
  readonly name: string;
  readonly type: string;
  readonly about: { readonly es: string; readonly en: string };
  /** Places of the document that need it, when it only stands in for a column. */
  readonly standsIn: boolean;
}

export function missingNeeds(needs: readonly Need[], { mapping }: Fit): readonly MissingNeed[] {
  const ofParams = new Set(
    [...mapping.tables.values()].filter(({ spec }) => spec.param !== undefined).map(({ slot }) => slot),
  );
  return needs.flatMap(({ pointer, alternatives, param }): MissingNeed[] => {
    // A table that is a parameter is no matter of the files; that it is given is asked of parameters.
    if (alternatives.some((set) => set.some(({ slot }) => ofParams.has(slot)))) return [];
    const column = alternatives.flat()[0];
    if (column === undefined) return [];
    const withDefault = param !== undefined && mapping.params.get(param)?.spec.default !== undefined;
    if (withDefault) return [];
    return [
      {
        pointer,
        column: fullId(mapping, column),
        title: titleOf(column),
        ...(param !== undefined && { param }),
      },
    ];
  });
}

const isOpen = ({ spec, formula }: CompiledParam): boolean =>
  spec.default === undefined && formula === undefined;

/** Parameters without default that the documents of these files cannot do without. */
export function neededParams(
  { mapping, uses }: Fit,
  present: ReadonlySet<CompiledColumn>,
  given: Readonly<Record<string, unknown>>,
): readonly ParamNeeded[] {
  const needed = new Map<string, boolean>();
  for (const { name, spec, formula } of mapping.params.values())
    if (isOpen({ name, spec, type: 'text', ...(formula && { formula }) }) && !spec.optional)
      needed.set(name, false);
  const met = new Set(
    mapping.targets.flatMap(({ tree }) =>
      tree.needs
        .filter(({ alternatives }) => alternatives.some((set) => set.every((column) => present.has(column))))
        .map(({ param }) => param ?? ''),
    ),
  );
  for (const { param, keys, beside, instead } of uses.params) {
    const compiled = mapping.params.get(param);
    if (compiled === undefined || !isOpen(compiled) || needed.has(param) || met.has(param)) continue;
    if (instead.some((column) => present.has(column))) continue;
    const parent = resolveNode(mapping.target, keys.slice(0, -1));
    const live = beside.length === 0 || beside.some((column) => present.has(column));
    if (parent !== undefined && isRequired(parent, keys.at(-1)!) && live) needed.set(param, true);
  }
  return [...needed]
    .filter(([name]) => given[name] === undefined)
    .map(([name, standsIn]) => {
      const { spec } = mapping.params.get(name)!;
      return {
        name,
        type: spec.choices?.join(' | ') ?? spec.type,
        about: spec.about ?? { es: '', en: '' },
        standsIn,
      };
    });
}
