import type { Chance } from '../chaos/chance.js';
import type { Grid, Value } from '../inspect/grid.js';
import type { Known } from './scene.js';

/** A column that a file may have of its records, as files call it and as people say it; undefined: no document takes it. */
export interface Column<Item> {
  readonly labels: readonly string[];
  readonly say: string | undefined;
  readonly value: (item: Item) => Value;
}

/** A column under the label that a file gives it. */
export interface Labelled<Item> {
  readonly label: string;
  readonly say: string | undefined;
  readonly value: (item: Item) => Value;
}

export function shuffled<T>(items: readonly T[], { below }: Chance): readonly T[] {
  const left = [...items];
  return items.map(() => left.splice(below(left.length), 1)[0]!);
}

export const labelled = <Item>({ labels, say, value }: Column<Item>, { pick }: Chance): Labelled<Item> => ({
  label: pick(labels),
  say,
  value,
});

/** Writes columns as a sheet, and notes what each is. */
export function gridOf<Item>(
  name: string,
  columns: readonly Labelled<Item>[],
  items: readonly Item[],
  known: Known,
): Grid {
  for (const { label, say } of columns) if (say !== undefined) known.columns[`${name}!${label}`] = say;
  return {
    name,
    labels: columns.map(({ label }) => label),
    rows: items.map((item) => columns.map(({ value }) => value(item))),
  };
}
