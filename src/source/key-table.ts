/** Numbers keys in order of first appearance, outside the heap: a million keys of ten characters take some 30 MB. */
export interface KeyTable {
  readonly size: number;
  /** The number of a key, given when it is new. */
  add(key: string): number;
  find(key: string): number | undefined;
  text(number: number): string;
}

/** FNV-1a over UTF-16 units. */
function hash(key: string): number {
  let value = 0x811c9dc5;
  for (let at = 0; at < key.length; at++) value = Math.imul(value ^ key.charCodeAt(at), 0x01000193);
  return (value ^ (value >>> 15)) >>> 0;
}

function grown(from: Uint32Array, length: number) {
  const to = new Uint32Array(length);
  to.set(from);
  return to;
}

/** Strings in a Map would keep alive the longer texts that they were cut from, and ten times the memory. */
export function createKeyTable(): KeyTable {
  let size = 0;
  /** By hash, with the next free slot after it: number of the key plus one; never more than half full. */
  let slots = new Uint32Array(1024);
  /** The hash of each key, so that more slots need no text of it. */
  let hashes = new Uint32Array(1024);
  /** Where each key begins in `units`; the next begins where it ends. */
  let starts = new Uint32Array(1024);
  let units = new Uint16Array(8192);

  const isAt = (number: number, key: string): boolean => {
    const start = starts[number]!;
    if (starts[number + 1]! - start !== key.length) return false;
    for (let at = 0; at < key.length; at++) if (units[start + at] !== key.charCodeAt(at)) return false;
    return true;
  };

  /** The slot of the key, or the free one where it belongs. */
  const slotOf = (key: string, hashed: number): number => {
    const mask = slots.length - 1;
    let slot = hashed & mask;
    for (let taken = slots[slot]!; taken !== 0; taken = slots[slot]!) {
      if (hashes[taken - 1] === hashed && isAt(taken - 1, key)) break;
      slot = (slot + 1) & mask;
    }
    return slot;
  };

  const widen = (): void => {
    slots = new Uint32Array(slots.length * 2);
    const mask = slots.length - 1;
    for (let number = 0; number < size; number++) {
      let slot = hashes[number]! & mask;
      while (slots[slot] !== 0) slot = (slot + 1) & mask;
      slots[slot] = number + 1;
    }
  };

  const text = (number: number): string => {
    let key = '';
    const end = starts[number + 1]!;
    for (let at = starts[number]!; at < end; at += 4096)
      key += String.fromCharCode(...units.subarray(at, Math.min(at + 4096, end)));
    return key;
  };

  const makeRoom = (length: number): void => {
    const start = starts[size]!;
    if (start + length > units.length) {
      const wider = new Uint16Array(Math.max(units.length * 2, start + length));
      wider.set(units);
      units = wider;
    }
    if (size + 2 > starts.length) {
      starts = grown(starts, starts.length * 2);
      hashes = grown(hashes, hashes.length * 2);
    }
    if (size * 2 >= slots.length) widen();
  };

  return {
    get size() {
      return size;
    },
    add(key) {
      const hashed = hash(key);
      const known = slots[slotOf(key, hashed)]!;
      if (known !== 0) return known - 1;
      makeRoom(key.length);
      const start = starts[size]!;
      for (let at = 0; at < key.length; at++) units[start + at] = key.charCodeAt(at);
      starts[size + 1] = start + key.length;
      hashes[size] = hashed;
      slots[slotOf(key, hashed)] = size + 1;
      size += 1;
      return size - 1;
    },
    find(key) {
      const known = slots[slotOf(key, hash(key))]!;
      return known === 0 ? undefined : known - 1;
    },
    text,
  };
}
