/** Waits until nobody else has the key; the returned function gives it back. */
export type KeyLock = (key: string) => Promise<() => void>;

/** One holder a key, in the order of asking. */
export function createKeyLock(): KeyLock {
  const last = new Map<string, Promise<void>>();
  return async (key) => {
    let open = (): void => {};
    const mine = new Promise<void>((resolve) => (open = resolve));
    const before = last.get(key);
    last.set(key, mine);
    await before;
    return () => {
      if (last.get(key) === mine) last.delete(key);
      open();
    };
  };
}
