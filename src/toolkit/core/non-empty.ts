export type NonEmpty<T> = readonly [T, ...T[]];

/** The items, known to be one at least; undefined if there are none. */
export function nonEmpty<T>(items: readonly T[]): NonEmpty<T> | undefined {
  const [first, ...others] = items;
  return first === undefined ? undefined : [first, ...others];
}
