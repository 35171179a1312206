export type NonEmpty<T> = readonly [T, ...T[]];

/** Returns the items as a list of at least one, or undefined if there are none. */
export function nonEmpty<T>(items: readonly T[]): NonEmpty<T> | undefined {
  const [first, ...others] = items;
  return first === undefined ? undefined : [first, ...others];
}
