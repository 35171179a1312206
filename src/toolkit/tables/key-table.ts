import { unreachable } from '../core/required.js';

/** Set of key hashes outside the heap: 16 MB a million. Two keys share a hash with a probability of 2^-53. */
interface KeyHashes {
  /** Adds a key; false if it, or one with its hash, was added before. */
  add(key: string): boolean;
}

/** Max share of used slots before a table grows. */
const MAX_LOAD = 0.6;

/** Hashes with two FNV-1a walks from different starts to an integer of 53 bits, never 0. */
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

  /** Returns the slot of a hash, or the free one for it. */
  const slotOf = (hash: number): number => {
    const mask = slots.length - 1;
    let at = (hash % 4_294_967_296) & mask;
    while (slots[at] !== 0 && slots[at] !== hash) at = (at + 1) & mask;
    return at;
  };

  const grow = (): void => {
    const before = slots;
    slots = new Float64Array(before.length * 2);
    for (const hash of before) if (hash !== 0) slots[slotOf(hash)] = hash;
  };

  return {
    add(key) {
      const hash = hash53(key);
      const at = slotOf(hash);
      if (slots[at] === hash) return false;
      slots[at] = hash;
      size += 1;
      if (size > slots.length * MAX_LOAD) grow();
      return true;
    },
  };
}

/**
 * Numbers keys in order of first appearance, exactly, outside the heap: 16 to 24 bytes for a document number with a few
 * words around it, some 40 for a text of ten characters.
 */
interface KeyTable {
  readonly size: number;
  /** Returns the number of a key, assigned if it is new. */
  add(key: string): number;
  find(key: string): number | undefined;
  text(number: number): string;
}

/** Max forms around a number; with more, texts are stored. */
const MAX_FORMS = 1 << 14;
/** Max number that fits next to a form in the 53 bits of a float64. */
const MAX_NUMBER = 2 ** 38;
const TWO_32 = 4_294_967_296;
const ZERO = 48;

/**
 * Keys as integers: most are a document number with a few recurring words around it, `CC|1020304050|890201|2026-10-01`.
 * The longest run of digits and the form around it restore the key.
 */
class NumberedForms {
  /**
   * Forms: position of the number, a space, and the words. Slices of keys are not stored, since they would keep the
   * source text alive.
   */
  private readonly forms: string[] = [];
  private readonly numbers = new Map<string, number>();
  /** Form of the previous key, and the text around its number: those of one list are alike. */
  private last: number | undefined;
  private before = '';
  private after = '';

  /** Returns the integer of a key, or undefined if it has no such number or too many forms are known. */
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
    if (end === from || key.charCodeAt(from) === ZERO || number >= MAX_NUMBER) return undefined;
    const form = this.formOf(key, from, end);
    return form === undefined ? undefined : number * MAX_FORMS + form;
  }

  private formOf(key: string, from: number, end: number): number | undefined {
    const { before, after, last } = this;
    const isLast = from === before.length && key.length - end === after.length;
    if (last !== undefined && isLast && key.startsWith(before) && key.endsWith(after)) return last;
    this.before = key.slice(0, from);
    this.after = key.slice(end);
    const text = `${from} ${this.before}${this.after}`;
    this.last = this.numbers.get(text);
    if (this.last !== undefined || this.forms.length === MAX_FORMS) return this.last;
    this.last = this.forms.push(text) - 1;
    this.numbers.set(text, this.last);
    return this.last;
  }

  keyOf(number: number): string {
    const form = number % MAX_FORMS;
    const text = this.forms[form] ?? unreachable(`form ${form}`);
    const words = text.indexOf(' ') + 1;
    const at = words + Number.parseInt(text, 10);
    return `${text.slice(words, at)}${(number - form) / MAX_FORMS}${text.slice(at)}`;
  }
}

/** Size of the pages that hold texts; pages are never moved. */
const PAGE_BITS = 16;
const PAGE = 1 << PAGE_BITS;

interface Hashed {
  readonly hash: number;
  /** True if a character takes two bytes. */
  readonly isWide: boolean;
}

/** Hashes by FNV-1a over UTF-16 units. */
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

/** Copies an array into one of twice the length, or more if `size` needs it; returns the same if it fits `size`. */
export function widened<A extends Float64Array | Uint32Array | Uint16Array | Uint8Array>(
  from: A,
  size = from.length + 1,
): A {
  if (size <= from.length) return from;
  const to = new (from.constructor as new (length: number) => A)(Math.max(size, from.length * 2));
  to.set(from);
  return to;
}

/** Texts as bytes in pages, by number. */
class Texts {
  private readonly pages: Buffer[] = [];
  /** Start of each text, counted through all pages; a longer text has a separate page. */
  private starts = new Uint32Array(1024);
  /** Twice the number of characters, odd for wide ones. */
  private sizes = new Uint32Array(1024);
  /** Page that is being filled. */
  private page: Buffer = Buffer.alloc(0);
  private free = PAGE;

  add(number: number, key: string, isWide: boolean): void {
    const bytes = isWide ? key.length * 2 : key.length;
    if (this.pages.length === 0 || this.free + bytes > PAGE) {
      this.page = Buffer.allocUnsafeSlow(Math.max(PAGE, bytes));
      this.pages.push(this.page);
      this.free = 0;
    }
    if (number >= this.sizes.length) {
      this.sizes = widened(this.sizes);
      this.starts = widened(this.starts);
    }
    this.page.write(key, this.free, isWide ? 'utf16le' : 'latin1');
    this.starts[number] = (this.pages.length - 1) * PAGE + this.free;
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
    const size = this.sizes[number] ?? 0;
    const { page, start } = this.at(number);
    const isWide = size % 2 === 1;
    const bytes = isWide ? size - 1 : size / 2;
    return page.toString(isWide ? 'utf16le' : 'latin1', start, start + bytes);
  }

  private at(number: number): { readonly page: Buffer; readonly start: number } {
    const place = this.starts[number] ?? 0;
    const page = this.pages[place >>> PAGE_BITS] ?? unreachable(`page of text ${number}`);
    return { page, start: place & (PAGE - 1) };
  }
}

/** Keys that are no numbers. Strings in a Map would keep their source texts alive, and take ten times the memory. */
class TextKeys {
  size = 0;
  /** Number of the key plus one, by hash with linear probing; at most half full. */
  private slots = new Uint32Array(1024);
  /** Hash of each key, so that growing needs no text. */
  private hashes = new Uint32Array(512);
  private readonly texts = new Texts();

  add(key: string): number {
    const by = hashed(key);
    let at = this.slotOf(key, by);
    const known = this.slots[at] ?? 0;
    if (known !== 0) return known - 1;
    if (this.size * 2 >= this.slots.length) {
      this.widen();
      at = this.slotOf(key, by);
    }
    this.hashes[this.size] = by.hash;
    this.texts.add(this.size, key, by.isWide);
    this.size += 1;
    this.slots[at] = this.size;
    return this.size - 1;
  }

  find(key: string): number | undefined {
    const known = this.slots[this.slotOf(key, hashed(key))] ?? 0;
    return known === 0 ? undefined : known - 1;
  }

  text = (number: number): string => this.texts.text(number);

  /** Returns the slot of a key, or the free one for it. */
  private slotOf(key: string, { hash, isWide }: Hashed): number {
    const { slots, hashes, texts } = this;
    const mask = slots.length - 1;
    let at = hash & mask;
    for (let taken = slots[at] ?? 0; taken !== 0; taken = slots[at] ?? 0) {
      if (hashes[taken - 1] === hash && texts.is(taken - 1, key, isWide)) break;
      at = (at + 1) & mask;
    }
    return at;
  }

  private widen(): void {
    this.hashes = widened(this.hashes);
    this.slots = new Uint32Array(this.slots.length * 2);
    const mask = this.slots.length - 1;
    for (let number = 0; number < this.size; number++) {
      let at = (this.hashes[number] ?? 0) & mask;
      while (this.slots[at] !== 0) at = (at + 1) & mask;
      this.slots[at] = number + 1;
    }
  }
}

class ExactKeys implements KeyTable {
  size = 0;
  private readonly forms = new NumberedForms();
  /** Integer of each key, or its number among the texts as -1 downwards. */
  private values = new Float64Array(512);
  /** Number of the key plus one, by hash of the integer with linear probing. */
  private slots = new Uint32Array(1024);
  private taken = 0;
  private readonly texts = new TextKeys();
  /** Number of each key that is a text. */
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
    const known = this.slots[this.slotOf(value)] ?? 0;
    return known === 0 ? undefined : known - 1;
  }

  text(number: number): string {
    const value = this.values[number] ?? 0;
    return value < 0 ? this.texts.text(-value - 1) : this.forms.keyOf(value);
  }

  private addText(key: string): number {
    const before = this.texts.size;
    const text = this.texts.add(key);
    if (this.texts.size === before) return this.ofTexts[text] ?? 0;
    if (text === this.ofTexts.length) this.ofTexts = widened(this.ofTexts);
    this.ofTexts[text] = this.size;
    return this.next(-text - 1);
  }

  private addNumber(value: number): number {
    const at = this.slotOf(value);
    const known = this.slots[at] ?? 0;
    if (known !== 0) return known - 1;
    const number = this.next(value);
    this.slots[at] = number + 1;
    this.taken += 1;
    if (this.taken > this.slots.length * MAX_LOAD) this.sortAnew();
    return number;
  }

  private next(value: number): number {
    if (this.size === this.values.length) this.values = widened(this.values);
    this.values[this.size] = value;
    this.size += 1;
    return this.size - 1;
  }

  /** Returns the slot of an integer, or the free one for it. */
  private slotOf(value: number): number {
    const { slots, values } = this;
    const mask = slots.length - 1;
    // Spreads consecutive numbers.
    const mixed = Math.imul((value >>> 0) ^ Math.imul(value / TWO_32, 0x9e3779b1), 0x85ebca6b);
    let at = (mixed ^ (mixed >>> 15)) & mask;
    for (let taken = slots[at] ?? 0; taken !== 0 && values[taken - 1] !== value; taken = slots[at] ?? 0)
      at = (at + 1) & mask;
    return at;
  }

  private sortAnew(): void {
    this.slots = new Uint32Array(this.slots.length * 2);
    for (const [number, value] of this.values.subarray(0, this.size).entries())
      if (value >= 0) this.slots[this.slotOf(value)] = number + 1;
  }
}

export const createKeyTable = (): KeyTable => new ExactKeys();
