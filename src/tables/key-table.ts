/** Keys of which only a hash is kept, outside the heap: a million take 16 MB. Two keys may share a hash, seldom. */
interface KeyHashes {
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

/** Numbers keys in order of first appearance, outside the heap: a million keys of ten characters take some 30 MB. */
interface KeyTable {
  readonly size: number;
  /** The number of a key, given when it is new. */
  add(key: string): number;
  find(key: string): number | undefined;
  text(number: number): string;
}

/** Bytes in which the texts lie one after the other; never moved, so that many of them need no room twice. */
const PAGE_BITS = 16;
const PAGE = 1 << PAGE_BITS;

interface Hashed {
  readonly hash: number;
  /** Whether a character takes two bytes. */
  readonly isWide: boolean;
}

/** FNV-1a over UTF-16 units. */
function hashed(key: string): Hashed {
  let value = 0x811c9dc5;
  let all = 0;
  for (let at = 0; at < key.length; at++) {
    const unit = key.charCodeAt(at);
    all |= unit;
    value = Math.imul(value ^ unit, 0x01000193);
  }
  return { hash: (value ^ (value >>> 15)) >>> 0, isWide: all > 255 };
}

/** The same numbers with as much room again. */
export function doubled<A extends Float64Array | Uint32Array | Uint16Array>(from: A): A {
  const to = new (from.constructor as new (length: number) => A)(from.length * 2);
  to.set(from);
  return to;
}

/** Texts as bytes: where each lies, and how long it is. */
class Texts {
  private readonly pages: Buffer[] = [];
  /** Where each begins, counted through all pages; one that is longer than a page has its own. */
  private starts = new Uint32Array(1024);
  /** Twice the count of characters, odd when they are wide. */
  private sizes = new Uint32Array(1024);
  private page = -1;
  private free = PAGE;

  add(number: number, key: string, isWide: boolean): void {
    const bytes = isWide ? key.length * 2 : key.length;
    if (this.page < 0 || this.free + bytes > PAGE) {
      this.page = this.pages.push(Buffer.allocUnsafeSlow(Math.max(PAGE, bytes))) - 1;
      this.free = 0;
    }
    if (number >= this.sizes.length) {
      this.sizes = doubled(this.sizes);
      this.starts = doubled(this.starts);
    }
    this.pages[this.page]!.write(key, this.free, isWide ? 'utf16le' : 'latin1');
    this.starts[number] = this.page * PAGE + this.free;
    this.sizes[number] = key.length * 2 + (isWide ? 1 : 0);
    this.free += bytes;
  }

  is(number: number, key: string, isWide: boolean): boolean {
    if (this.sizes[number] !== key.length * 2 + (isWide ? 1 : 0)) return false;
    if (isWide) return this.text(number) === key;
    const { page, start } = this.at(number);
    for (let at = 0; at < key.length; at++) if (page[start + at] !== key.charCodeAt(at)) return false;
    return true;
  }

  text(number: number): string {
    const size = this.sizes[number]!;
    const { page, start } = this.at(number);
    const isWide = size % 2 === 1;
    const bytes = isWide ? size - 1 : size / 2;
    return page.toString(isWide ? 'utf16le' : 'latin1', start, start + bytes);
  }

  private at(number: number): { readonly page: Buffer; readonly start: number } {
    const place = this.starts[number]!;
    return { page: this.pages[place >>> PAGE_BITS]!, start: place & (PAGE - 1) };
  }
}

/** Strings in a Map would keep alive the longer texts that they were cut from, and ten times the memory. */
export function createKeyTable(): KeyTable {
  let size = 0;
  /** By hash, with the next free slot after it: number of the key plus one; never more than half full. */
  let slots = new Uint32Array(1024);
  /** The hash of each key, so that more slots need no text of it. */
  let hashes = new Uint32Array(512);
  const texts = new Texts();

  /** The slot of the key, or the free one where it belongs. */
  const slotOf = (key: string, { hash, isWide }: Hashed): number => {
    const mask = slots.length - 1;
    let slot = hash & mask;
    for (let taken = slots[slot]!; taken !== 0; taken = slots[slot]!) {
      if (hashes[taken - 1] === hash && texts.is(taken - 1, key, isWide)) break;
      slot = (slot + 1) & mask;
    }
    return slot;
  };

  const widen = (): void => {
    hashes = doubled(hashes);
    slots = new Uint32Array(slots.length * 2);
    const mask = slots.length - 1;
    for (let number = 0; number < size; number++) {
      let slot = hashes[number]! & mask;
      while (slots[slot] !== 0) slot = (slot + 1) & mask;
      slots[slot] = number + 1;
    }
  };

  return {
    get size() {
      return size;
    },
    add(key) {
      const by = hashed(key);
      let slot = slotOf(key, by);
      if (slots[slot] !== 0) return slots[slot]! - 1;
      if (size * 2 >= slots.length) {
        widen();
        slot = slotOf(key, by);
      }
      hashes[size] = by.hash;
      texts.add(size, key, by.isWide);
      slots[slot] = size + 1;
      size += 1;
      return size - 1;
    },
    find(key) {
      const known = slots[slotOf(key, hashed(key))]!;
      return known === 0 ? undefined : known - 1;
    },
    text: (number) => texts.text(number),
  };
}
