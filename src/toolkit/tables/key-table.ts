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

/**
 * Numbers keys in order of first appearance, exactly, outside the heap. One that is the number of a document with a few words around it
 * takes some 16 to 24 bytes, a text of ten characters some 40.
 */
interface KeyTable {
  readonly size: number;
  /** The number of a key, given when it is new. */
  add(key: string): number;
  find(key: string): number | undefined;
  text(number: number): string;
}

/** So many forms that keys have around their number; more is no form. */
const MOST_FORMS = 1 << 14;
/** Larger ones do not fit beside a form in the 53 bits that a float64 tells apart. */
const MOST_NUMBER = 2 ** 38;
const TWO_32 = 4_294_967_296;
const ZERO = 48;

/**
 * Keys as whole numbers: most are the number of a document with a few words around it, `CC|1020304050|890201|2026-10-01`, and those
 * words come again and again. Exact: the longest run of digits and what stands around it make the key again.
 */
class NumberedForms {
  /** Each is where the number stands, a space, and the words: no part of a key is kept, which would keep the text that it was cut from. */
  private readonly forms: string[] = [];
  private readonly numbers = new Map<string, number>();
  /** The form of the key before, and what stood around its number: those of one list are alike. */
  private last: number | undefined;
  private before = '';
  private after = '';

  /** Undefined where the key has no such number, or too many forms are known. */
  numberOf(key: string): number | undefined {
    let from = 0;
    let end = 0;
    let number = 0;
    for (let at = 0, start = 0, run = 0; at <= key.length; at++) {
      const digit = key.charCodeAt(at) - ZERO;
      if (digit >= 0 && digit <= 9) {
        run = run * 10 + digit;
        continue;
      }
      if (at - start > end - from) {
        from = start;
        end = at;
        number = run;
      }
      start = at + 1;
      run = 0;
    }
    if (end === from || key.charCodeAt(from) === ZERO || number >= MOST_NUMBER) return undefined;
    const form = this.formOf(key, from, end);
    return form === undefined ? undefined : number * MOST_FORMS + form;
  }

  private formOf(key: string, from: number, end: number): number | undefined {
    const { before, after, last } = this;
    const isLast = from === before.length && key.length - end === after.length;
    if (last !== undefined && isLast && key.startsWith(before) && key.endsWith(after)) return last;
    this.before = key.slice(0, from);
    this.after = key.slice(end);
    const text = `${from} ${this.before}${this.after}`;
    this.last = this.numbers.get(text);
    if (this.last !== undefined || this.forms.length === MOST_FORMS) return this.last;
    this.last = this.forms.push(text) - 1;
    this.numbers.set(text, this.last);
    return this.last;
  }

  keyOf(number: number): string {
    const form = number % MOST_FORMS;
    const text = this.forms[form]!;
    const words = text.indexOf(' ') + 1;
    const at = words + Number.parseInt(text, 10);
    return `${text.slice(words, at)}${(number - form) / MOST_FORMS}${text.slice(at)}`;
  }
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

/** Keys that are no numbers. Strings in a Map would keep alive the longer texts that they were cut from, and ten times the memory. */
class TextKeys {
  size = 0;
  /** By hash, with the next free slot after it: number of the key plus one; never more than half full. */
  private slots = new Uint32Array(1024);
  /** The hash of each key, so that more slots need no text of it. */
  private hashes = new Uint32Array(512);
  private readonly texts = new Texts();

  add(key: string): number {
    const by = hashed(key);
    let slot = this.slot(key, by);
    if (this.slots[slot] !== 0) return this.slots[slot]! - 1;
    if (this.size * 2 >= this.slots.length) {
      this.widen();
      slot = this.slot(key, by);
    }
    this.hashes[this.size] = by.hash;
    this.texts.add(this.size, key, by.isWide);
    this.size += 1;
    this.slots[slot] = this.size;
    return this.size - 1;
  }

  find(key: string): number | undefined {
    const known = this.slots[this.slot(key, hashed(key))]!;
    return known === 0 ? undefined : known - 1;
  }

  text = (number: number): string => this.texts.text(number);

  /** The slot of the key, or the free one where it belongs. */
  private slot(key: string, { hash, isWide }: Hashed): number {
    const { slots, hashes, texts } = this;
    const mask = slots.length - 1;
    let slot = hash & mask;
    for (let taken = slots[slot]!; taken !== 0; taken = slots[slot]!) {
      if (hashes[taken - 1] === hash && texts.is(taken - 1, key, isWide)) break;
      slot = (slot + 1) & mask;
    }
    return slot;
  }

  private widen(): void {
    this.hashes = doubled(this.hashes);
    this.slots = new Uint32Array(this.slots.length * 2);
    const mask = this.slots.length - 1;
    for (let number = 0; number < this.size; number++) {
      let slot = this.hashes[number]! & mask;
      while (this.slots[slot] !== 0) slot = (slot + 1) & mask;
      this.slots[slot] = number + 1;
    }
  }
}

class ExactKeys implements KeyTable {
  size = 0;
  private readonly forms = new NumberedForms();
  /** Of each key: what its form made of it, or where it lies among the texts, from -1 down. */
  private values = new Float64Array(512);
  /** By hash of the value, with the next free slot after it: number of the key plus one. */
  private slots = new Uint32Array(1024);
  private taken = 0;
  private readonly texts = new TextKeys();
  /** The number of each key that is a text. */
  private ofTexts = new Uint32Array(512);

  add(key: string): number {
    const value = this.forms.numberOf(key);
    return value === undefined ? this.addText(key) : this.addNumber(value);
  }

  find(key: string): number | undefined {
    const value = this.forms.numberOf(key);
    if (value === undefined) {
      const text = this.texts.find(key);
      return text === undefined ? undefined : this.ofTexts[text];
    }
    const known = this.slots[this.slot(value)]!;
    return known === 0 ? undefined : known - 1;
  }

  text(number: number): string {
    const value = this.values[number]!;
    return value < 0 ? this.texts.text(-value - 1) : this.forms.keyOf(value);
  }

  private addText(key: string): number {
    const before = this.texts.size;
    const text = this.texts.add(key);
    if (this.texts.size === before) return this.ofTexts[text]!;
    if (text === this.ofTexts.length) this.ofTexts = doubled(this.ofTexts);
    this.ofTexts[text] = this.size;
    return this.next(-text - 1);
  }

  private addNumber(value: number): number {
    const slot = this.slot(value);
    if (this.slots[slot] !== 0) return this.slots[slot]! - 1;
    const number = this.next(value);
    this.slots[slot] = number + 1;
    this.taken += 1;
    if (this.taken > this.slots.length * FULL) this.sortAnew();
    return number;
  }

  private next(value: number): number {
    if (this.size === this.values.length) this.values = doubled(this.values);
    this.values[this.size] = value;
    this.size += 1;
    return this.size - 1;
  }

  /** The slot of the value, or the free one where it belongs. */
  private slot(value: number): number {
    const { slots, values } = this;
    const mask = slots.length - 1;
    // Numbers that follow each other would crowd.
    const mixed = Math.imul((value >>> 0) ^ Math.imul(value / TWO_32, 0x9e3779b1), 0x85ebca6b);
    let slot = (mixed ^ (mixed >>> 15)) & mask;
    for (let taken = slots[slot]!; taken !== 0 && values[taken - 1] !== value; taken = slots[slot]!)
      slot = (slot + 1) & mask;
    return slot;
  }

  private sortAnew(): void {
    this.slots = new Uint32Array(this.slots.length * 2);
    for (let number = 0; number < this.size; number++)
      if (this.values[number]! >= 0) this.slots[this.slot(this.values[number]!)] = number + 1;
  }
}

export const createKeyTable = (): KeyTable => new ExactKeys();
