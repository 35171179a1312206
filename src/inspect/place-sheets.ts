import type { Language } from '../issues/issue.js';
import type { OpenSheet, TableFit } from './assign.js';
import type { Answering, Choice } from './choice.js';
import { withDoubts } from './doubts.js';
import type { Fit } from './fit.js';
import { fitLabels } from './labels.js';
import { ALL_SHEETS, sheetChoice, sheetsChoice } from './table-choices.js';

/** A fit whose sheets are where they were answered to be. */
export interface Placed {
  readonly fit: Fit;
  readonly open: readonly Choice[];
  /** Answers that the mapping does not show as they were given. */
  readonly kept: ReadonlyMap<string, string>;
  /** Table → sheets that were answered. */
  readonly sheets: ReadonlyMap<string, readonly string[]>;
}

/** The table whose `sheet:` holds the question: the likeliest that no other sheet, and no other question, has. */
function askedAt({ candidates }: OpenSheet, { mapping }: Fit, taken: ReadonlySet<string>): string {
  const others = [...mapping.tables.values()].filter(({ spec }) => spec.sheet !== undefined);
  const tables = [...candidates.map(({ table }) => table), ...others];
  return (tables.find(({ id }) => !taken.has(id)) ?? tables[0]!).id;
}

interface Placing {
  readonly fit: Fit;
  readonly language: Language;
  readonly answering: Answering;
  readonly tables: readonly TableFit[];
  readonly open: Choice[];
  readonly kept: Map<string, string>;
  readonly sheets: Map<string, readonly string[]>;
}

/** Puts sheets whose name does not say what they hold where they were answered to be. */
function placeOpen({ fit, language, answering, tables, open, kept, sheets }: Placing): {
  readonly tables: readonly TableFit[];
  readonly still: readonly OpenSheet[];
} {
  const placed = [...tables];
  const still: OpenSheet[] = [];
  const taken = new Set(tables.map(({ table }) => table.id));
  for (const one of fit.open) {
    const at = askedAt(one, fit, taken);
    const choice = sheetChoice(one, at, fit, language);
    const value = answering.answerTo(choice);
    if (value === undefined) {
      taken.add(at);
      still.push(one);
      open.push(choice);
      continue;
    }
    kept.set(choice.id, value);
    const table = fit.mapping.tables.get(value);
    if (table === undefined) continue;
    const { sheet, header } = one;
    placed.push({ table, sheet, header, labels: [], named: 0 });
    const names = placed.filter((other) => other.table === table).map((other) => other.sheet.name);
    if (names.length > 1) sheets.set(table.id, names);
  }
  return { tables: placed, still };
}

/** Of several sheets that are one table, those that were answered to be read. */
function chooseAlike({ language, answering, tables, open, kept, sheets }: Placing): readonly TableFit[] {
  let read = tables;
  for (const table of new Set(tables.map((one) => one.table))) {
    const own = tables.filter((one) => one.table === table);
    const choice = own.length > 1 && !sheets.has(table.id) ? sheetsChoice(own, language) : undefined;
    const value = choice && answering.answerTo(choice);
    if (choice === undefined) continue;
    if (value === undefined) {
      open.push(choice);
      continue;
    }
    kept.set(choice.id, value);
    const all = choice.candidates.map((one) => one.value).filter((name) => name !== ALL_SHEETS);
    const names = value === ALL_SHEETS ? all : [value];
    sheets.set(table.id, names);
    read = read.filter(
      ({ table: of, sheet }) =>
        of !== table || names.includes(sheet.name) || sheet.input !== own[0]!.sheet.input,
    );
  }
  return read;
}

/** Sheets whose name does not say what they hold, and tables that several sheets hold, as answered. */
export function placeSheets(fit: Fit, answering: Answering, language: Language): Placed {
  const open: Choice[] = [];
  const kept = new Map<string, string>();
  const sheets = new Map<string, readonly string[]>();
  const placing = { fit, language, answering, tables: fit.tables, open, kept, sheets };
  const { tables: all, still } = placeOpen(placing);
  const read = chooseAlike({ ...placing, tables: all });
  const labels = withDoubts(
    fit.mapping,
    fit.uses,
    read.flatMap(({ table, sheet, header }) => fitLabels(table, sheet, header, fit.uses)),
  );
  const tables = read.map((one) => ({
    ...one,
    labels: labels.filter(({ sheet, table }) => sheet === one.sheet && table === one.table),
  }));
  return { fit: { ...fit, tables, labels, open: still }, open, kept, sheets };
}
