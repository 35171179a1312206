import { type ResolvedParams, resolveParams } from '../mapping/params.js';
import type { CompiledTable } from '../mapping/tables.js';
import { locate } from '../pipeline/locate.js';
import type { InputFile } from '../source/table.js';
import type { ReadyMapping } from './inspect.js';

/** Those of a run that lacks some: it says so itself. */
const NO_PARAMS: ResolvedParams = { values: {}, defaults: {}, tables: {} };

/** A table with a header that is not there: the run itself says it best. */
const LACKING: ReadonlySet<string> = new Set(['header/sheet-not-found', 'header/not-found']);

const isNamed = ({ spec }: CompiledTable): boolean => spec.file !== undefined && spec.header?.none === true;

/**
 * Files without headers are told by their names and the count of their fields alone, as the norm has them: the ready-made
 * mapping whose tables they all are, every one that it must have and one that makes documents among them. Undefined when
 * none or several do.
 */
export async function mappingByName(
  inputs: readonly InputFile[],
  ready: readonly ReadyMapping[],
  given: Readonly<Record<string, unknown>>,
): Promise<string | undefined> {
  const found: string[] = [];
  for (const { name, mapping } of ready) {
    const named = [...mapping.tables.values()].filter(isNamed);
    if (!named.some((table) => mapping.mains.includes(table))) continue;
    const params = resolveParams(mapping.params, given).value ?? NO_PARAMS;
    const { tables, issues } = await locate(mapping, inputs, params);
    const isThere = ({ slot }: CompiledTable): boolean => tables.some((table) => table.slot === slot);
    if (
      named.every((table) => table.spec.optional || isThere(table)) &&
      named.some((table) => mapping.mains.includes(table) && isThere(table)) &&
      issues.every(({ level, code }) => level !== 'error' || LACKING.has(code))
    )
      found.push(name);
  }
  return found.length === 1 ? found[0] : undefined;
}
