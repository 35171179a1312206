/** Entries each after those that they need; what is left goes in a circle. */
export function inOrder<T>(
  entries: ReadonlyMap<string, T>,
  textOf: (entry: T) => string,
): { readonly ordered: readonly (readonly [string, T])[]; readonly circle: readonly string[] } {
  const left = new Map(entries);
  const ordered: (readonly [string, T])[] = [];
  const isFree = (entry: T): boolean => {
    const text = textOf(entry);
    return ![...left.keys()].some((name) => new RegExp(`(?<![\\w])${name}(?![\\w])`).test(text));
  };
  for (;;) {
    const free = [...left].filter(([, entry]) => isFree(entry));
    if (free.length === 0) return { ordered, circle: [...left.keys()] };
    for (const entry of free) {
      ordered.push(entry);
      left.delete(entry[0]);
    }
  }
}
