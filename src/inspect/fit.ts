import type { LoadedMapping } from '../mapping/load.js';
import type { Need } from '../mapping/writer.js';
import { type Assignment, assignSheets, type HeadedSheet, likelyColumns, type TableFit } from './assign.js';
import { holdsAmounts } from './content.js';
import { unmetNeeds, withDoubts } from './doubts.js';
import type { LabelFit } from './labels.js';
import { type Uses, usesOf } from './uses.js';

/** How a ready-made mapping fits the files. */
export interface Fit extends Assignment {
  /** As `extends` and `-m` name it. */
  readonly name: string;
  readonly mapping: LoadedMapping;
  readonly uses: Uses;
  readonly labels: readonly LabelFit[];
  /** From 0 to 1. */
  readonly score: number;
  readonly unmet: readonly Need[];
}

/** Of two layouts that fit the better must be so far ahead. */
export const LAYOUT_LEVELS = { enough: 0.5, margin: 0.1 } as const;

/** Amounts weigh more than the rest: losing one makes a wrong document. */
const AMOUNT = 3;

const weightOf = (content: LabelFit['content']): number =>
  content.filled.length === 0 ? 0 : holdsAmounts(content) ? AMOUNT : 1;

/** Share of what the sheets hold that the mapping has a place for. */
function explained(
  tables: readonly TableFit[],
  open: Assignment['open'],
  unused: readonly HeadedSheet[],
): number {
  let known = 0;
  let all = 0;
  for (const { labels } of tables)
    for (const fit of labels) {
      all += weightOf(fit.content);
      if (likelyColumns([fit]).size > 0) known += weightOf(fit.content);
    }
  for (const { header } of open) all += sum(header.contents.map(weightOf)) / 2;
  for (const { header } of unused) if (header !== undefined) all += sum(header.contents.map(weightOf));
  return all === 0 ? 0 : known / all;
}

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);

export function fitMapping(name: string, mapping: LoadedMapping, sheets: readonly HeadedSheet[]): Fit {
  const uses = usesOf(mapping);
  const assigned = assignSheets(mapping, uses, sheets);
  const labels = withDoubts(
    mapping,
    uses,
    assigned.tables.flatMap((fit) => fit.labels),
  );
  const tables = assigned.tables.map((fit) => ({
    ...fit,
    labels: labels.filter(({ sheet, table }) => sheet === fit.sheet && table === fit.table),
  }));
  const likely = new Set(
    tables.flatMap((fit) => [...likelyColumns(fit.labels)].map((id) => fit.table.columns.get(id)!)),
  );
  const needs = mapping.targets.flatMap(({ tree }) => tree.needs).filter(({ param }) => param === undefined);
  const unmet = unmetNeeds(mapping, likely);
  const hard = unmet.filter(({ param }) => param === undefined).length;
  const covered = needs.length === 0 ? 1 : 1 - hard / needs.length;
  const found = mapping.mains.every((main) => tables.some(({ table }) => table === main));
  const score = found ? explained(tables, assigned.open, assigned.unused) * (0.5 + covered / 2) : 0;
  return { name, mapping, uses, ...assigned, tables, labels, unmet, score: Math.round(score * 100) / 100 };
}

/** Best first; of equals the one with fewer tables that the files do not have. */
export function rankFits(fits: readonly Fit[]): readonly Fit[] {
  const spare = ({ mapping, tables }: Fit): number =>
    mapping.tables.size - new Set(tables.map(({ table }) => table)).size;
  return [...fits].sort((a, b) => b.score - a.score || spare(a) - spare(b));
}

/** Every label that one fit decides, the other decides alike: it reads as much, or more. */
function includes(more: Fit, less: Fit): boolean {
  const meanings = new Map(more.labels.map((fit) => [placeOf(fit), fit.means]));
  return (
    more.open.length === 0 &&
    less.tables.every(({ sheet, table }) =>
      more.tables.some((one) => one.sheet === sheet && one.table.id === table.id),
    ) &&
    less.labels.every((fit) => fit.means === undefined || meanings.get(placeOf(fit)) === fit.means)
  );
}

const placeOf = ({ sheet, id }: LabelFit): string => [sheet.source.file, sheet.name, id].join('\n');

/** Whether the better fit leaves no room for the other: `multi-sheet` over one sheet is `wide`, corrections are more than a payroll. */
const isNoRival = (best: Fit, other: Fit): boolean =>
  includes(best, other) && (best.mapping.target === other.mapping.target || !includes(other, best));

/** The layout that is plainly meant; undefined when it is to be asked. */
export function clearFit(ranked: readonly Fit[]): Fit | undefined {
  const [best, ...others] = ranked;
  if (best === undefined || best.score < LAYOUT_LEVELS.enough) return undefined;
  const rival = others.find((other) => !isNoRival(best, other));
  return rival !== undefined && rival.score > best.score - LAYOUT_LEVELS.margin ? undefined : best;
}
