/** Memoizes a function of an object, for as long as the object lives. */
export function remember<Key extends object, Answer>(work: (key: Key) => Answer): (key: Key) => Answer {
  const known = new WeakMap<Key, Answer>();
  return (key) => {
    let answer = known.get(key);
    if (answer === undefined && !known.has(key)) {
      answer = work(key);
      known.set(key, answer);
    }
    return answer as Answer;
  };
}

/** Returns the value of a key, made and stored if the map has none. */
export function getOrAdd<Key, Value>(
  map: { get(key: Key): Value | undefined; set(key: Key, value: Value): unknown },
  key: Key,
  make: () => Value,
): Value {
  let value = map.get(key);
  if (value === undefined) {
    value = make();
    map.set(key, value);
  }
  return value;
}

/** Returns the first item of each key, in the order of the items. */
export function firstOfEach<Item>(items: readonly Item[], keyOf: (item: Item) => unknown): readonly Item[] {
  const first = new Map<unknown, Item>();
  for (const item of items) getOrAdd(first, keyOf(item), () => item);
  return [...first.values()];
}

/** Returns the list of a key, to add to. */
export const listIn = <Key, Item>(lists: Map<Key, Item[]>, key: Key): Item[] =>
  getOrAdd(lists, key, () => []);
