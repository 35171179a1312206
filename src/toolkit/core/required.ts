/** Throws a programming error: the sources guarantee that what is named exists. */
export function unreachable(missing: string): never {
  throw new Error(`missing: ${missing}`);
}

/** Returns the value of a key. @throws Error a programming error that names the key, if the map lacks it */
export const required = <K, V>(map: ReadonlyMap<K, V>, key: K): V => map.get(key) ?? unreachable(String(key));
