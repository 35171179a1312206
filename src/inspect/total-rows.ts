import { withInputs } from '../pipeline/inputs.js';
import type { Row } from '../source/table.js';
import { fold } from '../values/fold.js';
import type { JsonValue } from '../values/json.js';
import type { TableFit } from './assign.js';
import { isTotalRow } from './content.js';
import type { Fit } from './fit.js';
import type { LabelFit } from './labels.js';

const saysTotal = (text: string | undefined): boolean =>
  text !== undefined && /^(sub|gran )?total/.test(fold(text));

/** A row of a file, as text to look it up by. */
export const rowKey = (file: string, sheet: string | undefined, row: number): string =>
  [file, sheet ?? '', row].join('\n');

interface Seen {
  readonly fit: TableFit;
  /** Text columns by 0-based column of the sheet. */
  readonly columns: ReadonlyMap<number, string>;
  readonly key: string;
  readonly keyColumn: number | undefined;
}

function seenAs(fit: TableFit, { mapping }: Fit, labels: readonly LabelFit[]): Seen | undefined {
  const own = labels.filter(({ sheet, table }) => sheet === fit.sheet && table === fit.table);
  const key = mapping.mains.includes(fit.table) ? mapping.key[0] : fit.table.join?.own[0]?.id;
  if (key === undefined) return undefined;
  const texts = own.flatMap(({ column, means }): [number, string][] =>
    means !== undefined && fit.table.columns.get(means)?.type === 'text' ? [[column, means]] : [],
  );
  const columns = new Map(texts);
  return { fit, columns, key, keyColumn: texts.find(([, id]) => id === key)?.[0] };
}

/** The column in which a row says that it states totals; undefined for a record of somebody. */
function totalColumn({ columns, keyColumn }: Seen, row: Row): string | undefined {
  if (keyColumn === undefined || !isTotalRow(row)) return undefined;
  const key = row.texts[keyColumn];
  if (key !== undefined && !saysTotal(key)) return undefined;
  return [...columns].find(([column]) => saysTotal(row.texts[column]))?.[1];
}

/** Rows of totals that the ready-made mapping would take for records: table → columns that say so. */
const unknownTotals = (
  files: readonly string[],
  fit: Fit,
  labels: readonly LabelFit[],
  skipped: ReadonlySet<string>,
): Promise<ReadonlyMap<Seen, ReadonlySet<string>>> =>
  withInputs(files, async (inputs) => {
    const found = new Map<Seen, Set<string>>();
    for (const table of fit.tables) {
      const seen = seenAs(table, fit, labels);
      const { file, sheet } = table.sheet.source;
      const source = inputs
        .find((input) => input.path === table.sheet.input.path)
        ?.tables.find((one) => one.sheet === sheet);
      if (seen === undefined || source === undefined) continue;
      for await (const rows of source.batches())
        for (const row of rows) {
          if (row.number <= table.header.row.number || skipped.has(rowKey(file, sheet, row.number))) continue;
          const column = totalColumn(seen, row);
          if (column !== undefined) found.set(seen, (found.get(seen) ?? new Set()).add(column));
        }
    }
    return found;
  });

const condition = (key: string, column: string): string =>
  column === key
    ? `like(${key}, "*total*")`
    : `(${key} is blank or like(${key}, "*total*")) and like(${column}, "*total*")`;

/** What a mapping adds so that rows of totals are compared, and not taken for records. */
export async function totalSkips(
  files: readonly string[],
  fit: Fit,
  labels: readonly LabelFit[],
  skipped: ReadonlySet<string>,
): Promise<readonly (readonly [path: readonly string[], value: JsonValue])[]> {
  const found = await unknownTotals(files, fit, labels, skipped);
  return [...found].map(([{ fit: table, key }, columns]) => {
    const { id, spec } = table.table;
    const before = (spec.skip ?? []) as unknown as JsonValue[];
    const control = spec.skip?.at(-1)?.control ?? true;
    const added = [...columns].map(
      (column) =>
        ({ when: condition(key, column), note: 'Fila de totales.', control }) as unknown as JsonValue,
    );
    return [
      ['tables', id, 'skip'],
      [...before, ...added],
    ] as const;
  });
}
