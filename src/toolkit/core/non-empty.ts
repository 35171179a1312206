export type NonEmpty<T> = readonly [T, ...T[]];

export function nonEmpty<T>(items: readonly T[]): NonEmpty<T> | undefined {
  const [first, ...others] = items;
  return first === undefined ? undefined : [first, ...others];
}
