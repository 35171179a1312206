/** Keys of which only a hash is kept, outside the heap: a million take 16 MB. Two keys may share a hash, seldom. */
export interface KeyHashes {
  /** Remembers the key; false when it, or one with its hash, was there before. */
  add(key: string): boolean;
}

const FULL = 0.6;

/** Two FNV-1a walks from different starts, as one whole number of 53 bits; never 0. */
function hash53(key: string): number {
  let low = 0x811c9dc5;
  let high = 0x9dc5811c;
  for (let at = 0; at < key.length; at++) {
    const unit = key.charCodeAt(at);
    low = Math.imul(low ^ unit, 0x01000193);
    high = Math.imul(high ^ unit, 0x85ebca6b);
  }
  return (high >>> 11) * 4_294_967_296 + (low >>> 0) + 1;
}

export function createKeyHashes(): KeyHashes {
  let slots = new Float64Array(1 << 12);
  let size = 0;

  /** The slot of the hash, or the free one where it belongs. */
  const slotOf = (hash: number): number => {
    const mask = slots.length - 1;
    let slot = (hash % 4_294_967_296) & mask;
    while (slots[slot] !== 0 && slots[slot] !== hash) slot = (slot + 1) & mask;
    return slot;
  };

  const grow = (): void => {
    const before = slots;
    slots = new Float64Array(before.length * 2);
    for (const hash of before) if (hash !== 0) slots[slotOf(hash)] = hash;
  };

  return {
    add(key) {
      const hash = hash53(key);
      const slot = slotOf(hash);
      if (slots[slot] === hash) return false;
      slots[slot] = hash;
      size += 1;
      if (size > slots.length * FULL) grow();
      return true;
    },
  };
}
