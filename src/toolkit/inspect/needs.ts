import { required } from '../core/required.js';
import { locate } from '../documents/locate.js';
import type { LoadedMapping } from '../mapping/load.js';
import { type CompiledParam, hasDefault, type ParamType, resolveParams, typeOf } from '../mapping/params.js';
import type { Field } from '../mapping/plan.js';
import type { CompiledColumn } from '../mapping/record.js';
import { NO_TEXT } from '../messages/texts.js';
import { isRequired, resolveNode } from '../schema/registry.js';
import type { InputFile } from '../tables/table.js';
import { decidedColumns, type Fit, flatColumns } from './fit.js';
import { titleOf } from './label-questions.js';
import { survey } from './survey.js';
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
export interface ParamNeeded extends ParamType {
  readonly name: string;
  readonly about: { readonly es: string; readonly en: string };
  /** Places of the document that need it, when it only stands in for a column. */
  readonly standsIn: boolean;
}

export function missingNeeds(needs: readonly Field[], { mapping }: Fit): readonly MissingNeed[] {
  const ofParams = new Set(
    [...mapping.tables.values()]
      .filter(({ spec }) => spec.param !== undefined)
      .map(({ tableIndex }) => tableIndex),
  );
  return needs.flatMap(({ pointer, alternatives, param }): MissingNeed[] => {
    // A table that is a parameter is no matter of the files; that it is given is asked of parameters.
    if (alternatives.some((set) => set.some(({ tableIndex }) => ofParams.has(tableIndex)))) return [];
    const column = alternatives.flat()[0];
    if (column === undefined) return [];
    const spec = param === undefined ? undefined : mapping.params.get(param)?.spec;
    if (spec !== undefined && hasDefault(spec)) return [];
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

const isOpen = ({ spec, formula }: CompiledParam): boolean => !hasDefault(spec) && formula === undefined;

function isRequiredIn({ target }: LoadedMapping, parent: readonly string[], key: string): boolean {
  const node = resolveNode(target, parent);
  return node !== undefined && isRequired(node, key);
}

/** True if the value is the only leaf of a required object, so that no column brings it up. */
function isAlone(
  mapping: LoadedMapping,
  keys: readonly string[],
  beside: readonly CompiledColumn[],
  instead: readonly CompiledColumn[],
): boolean {
  const above = keys.slice(0, -1).flatMap((key, at) => (key === '*' ? [] : [{ key, at }]));
  return (
    beside.every((column) => instead.includes(column)) &&
    above.every(({ key, at }) => isRequiredIn(mapping, keys.slice(0, at), key))
  );
}

/** True if a column is of a table that the run gives and the files have what joins it. */
function isGiven(
  { tableIndex }: CompiledColumn,
  { tables, mains }: LoadedMapping,
  present: ReadonlySet<CompiledColumn>,
): boolean {
  const { join } =
    [...tables.values()].find((table) => table.tableIndex === tableIndex && table.spec.param !== undefined) ??
    {};
  const there = (id: string): boolean =>
    mains.some(({ columns }) => columns.get(id)?.feeders.some((column) => present.has(column)));
  return join?.every === false && join.keys.some(({ primary }) => primary.every(there));
}

/** Parameters without default that the documents of these files cannot do without. */
export function neededParams(
  { mapping, uses }: Fit,
  present: ReadonlySet<CompiledColumn>,
  given: Readonly<Record<string, unknown>>,
): readonly ParamNeeded[] {
  const needed = new Map<string, boolean>();
  for (const otherParam of mapping.params.values())
    if (isOpen(otherParam) && !otherParam.spec.optional) needed.set(otherParam.name, false);
  const met = new Set(
    mapping.targets.flatMap(({ fields }) =>
      fields
        .filter(
          ({ needed, alternatives }) =>
            needed && alternatives.some((set) => set.every((column) => present.has(column))),
        )
        .map(({ param }) => param ?? ''),
    ),
  );
  for (const { param, keys, beside, instead, when } of uses.params) {
    const compiled = mapping.params.get(param);
    if (compiled === undefined || !isOpen(compiled) || needed.has(param) || met.has(param)) continue;
    // If no title says it, the list of professionals may.
    if (compiled.spec.titled !== undefined) continue;
    if (instead.some((column) => present.has(column) || isGiven(column, mapping, present))) continue;
    const live =
      beside.some(({ feeders }) => feeders.some((feeder) => present.has(feeder))) ||
      isAlone(mapping, keys, beside, instead);
    // What is said of some records only is asked if they have what it belongs to.
    const isAsked =
      when.some((column) => present.has(column)) ||
      (keys.slice(-1).some((key) => isRequiredIn(mapping, keys.slice(0, -1), key)) && live);
    if (isAsked) needed.set(param, true);
  }
  return [...needed]
    .filter(([name]) => given[name] === undefined)
    .map(([name, standsIn]) => {
      const { spec } = required(mapping.params, name);
      return {
        name,
        ...typeOf(spec),
        about: spec.about ?? NO_TEXT,
        standsIn,
      };
    });
}

/**
 * Returns the names of optional parameters that some records may need: the documents have what stands next to the value,
 * and no column gives it. `lacking`: the parameters that documents were found to lack, if all else is decided.
 */
export const absentParams = (
  { mapping, uses }: Fit,
  present: ReadonlySet<CompiledColumn>,
  lacking: ReadonlyMap<string, number> | undefined,
): ReadonlySet<string> =>
  new Set(
    uses.params.flatMap(({ param, beside, instead }) => {
      const compiled = mapping.params.get(param);
      const isAbsent =
        compiled !== undefined &&
        isOpen(compiled) &&
        lacking?.has(param) !== false &&
        instead.length > 0 &&
        !instead.some((column) => present.has(column) || isGiven(column, mapping, present)) &&
        beside.some((column) => present.has(column));
      return isAbsent ? [param] : [];
    }),
  );

/** Names of the parameters that a mapping needs for these files: in any case, or in place of columns that they lack. */
export async function paramsNeeded(
  inputs: readonly InputFile[],
  mapping: LoadedMapping,
  given: Readonly<Record<string, unknown>>,
): Promise<ReadonlySet<string>> {
  const { ranked } = await survey(inputs, [{ name: mapping.name, mapping }]);
  const [fit] = ranked;
  if (fit === undefined) return new Set();
  const params = resolveParams(mapping.params, given).value;
  // What a mapping's own answers read is there, however unlikely the label.
  const { present: read } = await locate(mapping, inputs, params);
  const present = new Set([...read, ...decidedColumns(fit.labels), ...flatColumns(fit.tables)]);
  return new Set(neededParams(fit, present, given).map(({ name }) => name));
}
