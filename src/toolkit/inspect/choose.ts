import { TEMPLATE, TEMPLATE_SHEETS } from '../../generated/texts-template.js';
import type { Issue } from '../core/issue.js';
import { locate } from '../documents/locate.js';
import { givenRow, type HeaderRows, hasName, headerOptions, wantedOf } from '../documents/table-fit.js';
import type { LoadedMapping } from '../mapping/load.js';
import { resolveParams } from '../mapping/params.js';
import { type CompiledTable, isFlat } from '../mapping/record.js';
import { ownSheetName } from '../mapping/template-plan.js';
import { hasTrait } from '../messages/wording.js';
import { areHalves } from '../tables/fortnight.js';
import { findHeader } from '../tables/header.js';
import type { InputFile } from '../tables/table.js';
import { labelForms, titleMatcher } from '../tables/titles.js';
import type { TableFit } from './assign.js';
import { holdsAmounts } from './content.js';
import { clearFit, decidedColumns, type Fit, unmetNeeds } from './fit.js';
import { cellOf, labelName } from './label-questions.js';
import { isRepeated, type LabelFit } from './labels.js';
import { type MissingNeed, missingNeeds } from './needs.js';
import { outlineOf, type ReadyMapping } from './ready.js';
import { survey } from './survey.js';

const READS = Object.values(TEMPLATE.reads).map((text) => text.split('{mapping}') as [string, string]);
const INSTRUCTIONS = new Set(
  Object.values(TEMPLATE_SHEETS.guide).flatMap((name) => [name, ownSheetName(name, true)]),
);

/** True for the sheet of a template that says how to fill it and which mapping reads it. */
export const isInstructions = (sheet: string): boolean => INSTRUCTIONS.has(sheet);

/** The mapping that a template of ours names in its instructions: what it is filled with is read by it. */
export async function mappingOfTemplate(inputs: readonly InputFile[]): Promise<string | undefined> {
  for (const table of inputs.flatMap(({ tables }) => tables)) {
    if (table.sheet === undefined || !isInstructions(table.sheet)) continue;
    for await (const rows of table.batches())
      for (const text of rows.flatMap(({ texts }) => texts))
        for (const [before, after] of READS)
          if (text?.startsWith(before) && text.endsWith(after))
            return text.slice(before.length, -after.length);
  }
  return undefined;
}

/** Ready-made mapping that reads the files without a question, or the reasons why none does. */
export interface Chosen {
  /** Name of the mapping that plainly fits. */
  readonly name?: string;
  /** The same of one that lacks nothing but parameters. */
  readonly butForParams?: string;
  /** The one that comes closest, with its fit from 0 to 1. */
  readonly closest?: { readonly name: string; readonly score: number };
  /** Labels that are not sure, as `Nómina!F6 «SUELDO»`. */
  readonly unsure: readonly string[];
  /** Sheets that are not sure. */
  readonly sheets: readonly string[];
  readonly missing: readonly MissingNeed[];
}

/** Reads labels as the ready-made mapping does by itself. `reads`: true if it finds the header. */
function readAsIs(
  { table, sheet, header, labels }: TableFit,
  mapping: LoadedMapping,
  headers: HeaderRows,
): { readonly reads: boolean; of(column: number): string | undefined } {
  const wanted = wantedOf(table);
  const row = givenRow(headers, sheet.source);
  const options = { ...headerOptions(table, mapping), ...(row !== undefined && { row }) };
  const found = findHeader(sheet.source, sheet.rows, wanted, options);
  const isThis = found !== undefined && found.row.number === header.row.number;
  if (isThis && found.issues.length === 0) {
    const ids = new Map([...found.columns].map(([id, column]) => [column, id]));
    return { reads: true, of: (column) => ids.get(column) };
  }
  // Why it does not find the header stands in the labels that are no titles of it, or the same one twice.
  const titled = wanted.map(({ id, titles }) => ({ id, matches: titleMatcher(titles) }));
  const idOf = (label: string): string | undefined =>
    titled.find(({ matches }) => matches.closeness(labelForms(label)) > 0)?.id;
  const ids = new Map(labels.map((label) => [label.column, idOf(labelName(label))]));
  const all = [...ids.values()];
  return {
    reads: false,
    of: (column) => {
      const id = ids.get(column);
      return id !== undefined && all.filter((item) => item === id).length > 1 ? undefined : id;
    },
  };
}

/** Labels that the ready-made mapping does not read as they are meant. */
function unsureLabels(fit: Fit, headers: HeaderRows): readonly LabelFit[] {
  return fit.tables.flatMap((table) => {
    const asIs = readAsIs(table, fit.mapping, headers);
    const unsure = table.labels.filter((fit) => {
      const { state, reason, means, column, content } = fit;
      if (isRepeated(fit)) return false;
      if (state === 'open' || reason === 'section') return content.filled.length > 0 || holdsAmounts(content);
      return asIs.of(column) !== means;
    });
    return asIs.reads || unsure.length > 0 ? unsure : table.labels;
  });
}

/** Tables in sheets of other names than the mapping's, sheets that it does not know, and sheets alike that are no fortnights: a copy, other months. */
function unsureSheets({ tables, open, mapping }: Fit): string[] {
  const again = tables.filter((fit) => {
    const { table, sheet } = fit;
    if (table.spec.spread || sheet.source.json || isFlat(table)) return false;
    const alike = tables.filter(
      (otherTable) => otherTable.table === table && otherTable.sheet.input === sheet.input,
    );
    const readsAll = Boolean(table.spec.every) || mapping.onePer === 'key';
    return alike[0] !== fit && !(readsAll && areHalves(alike.map((item) => item.sheet.name)));
  });
  const others = tables.filter(({ named }) => named < 1);
  return [...others, ...open, ...again].map(({ sheet }) => sheet.name);
}

/** Looks at the first rows only. A wrong mapping is worse than none: any doubt refuses. */
export async function chooseReady(
  inputs: readonly InputFile[],
  ready: readonly ReadyMapping[],
  given: Readonly<Record<string, unknown>>,
  headers: HeaderRows = new Map(),
): Promise<Chosen> {
  const named = await mappingByName(inputs, ready, given);
  if (named !== undefined) return { name: named, unsure: [], sheets: [], missing: [] };
  const { ranked } = await survey(inputs, ready, headers);
  const [best] = ranked;
  if (best === undefined || best.score === 0) return { unsure: [], sheets: [], missing: [] };
  const closest = { name: best.name, score: best.score };
  const labels = unsureLabels(best, headers);
  const unsure = labels.map((fit) =>
    [cellOf(fit), labelName(fit) && `«${labelName(fit)}»`].filter(Boolean).join(' '),
  );
  const sheets = unsureSheets(best);
  const missing = missingNeeds(unmetNeeds(best.mapping, decidedColumns(best.labels)), best).filter(
    ({ param }) => param === undefined || given[param] === undefined,
  );
  const isClear = clearFit(ranked) === best && labels.length + sheets.length === 0;
  return {
    ...(isClear && missing.length === 0 && { name: best.name }),
    ...(isClear && missing.every(({ param }) => param !== undefined) && { butForParams: best.name }),
    closest,
    unsure,
    sheets,
    missing,
  };
}

/** A table that is not there, a file that is none of them: the run itself says it best. */
const isOfTables = (issue: Issue): boolean => hasTrait(issue, 'about-table');

/**
 * Files without headers are known by their names and the count of their fields alone, as the norm has them: the ready-made
 * mapping whose tables they all are, every one that it must have and one that makes documents among them. Undefined when
 * none or several do.
 */
async function mappingByName(
  inputs: readonly InputFile[],
  ready: readonly ReadyMapping[],
  given: Readonly<Record<string, unknown>>,
): Promise<string | undefined> {
  const found: string[] = [];
  const names = inputs.flatMap(({ tables }) => tables.map(({ file }) => file));
  for (const item of ready) {
    if (!outlineOf(item).flat.some((pattern) => names.some((file) => hasName(file, pattern)))) continue;
    const { name, mapping } = item;
    const named = [...mapping.tables.values()].filter(isFlat);
    const params = resolveParams(mapping.params, given).value;
    const { tables, issues } = await locate(mapping, inputs, params);
    const isThere = ({ tableIndex }: CompiledTable): boolean =>
      tables.some((table) => table.tableIndex === tableIndex);
    if (
      named.every((table) => table.spec.optional || isThere(table)) &&
      named.some((table) => mapping.mains.includes(table) && isThere(table)) &&
      issues.every((issue) => issue.level !== 'error' || isOfTables(issue))
    )
      found.push(name);
  }
  return found.length === 1 ? found[0] : undefined;
}
