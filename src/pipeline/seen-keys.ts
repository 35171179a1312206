import { createKeyTable } from '../source/key-table.js';

/** Where a key was first seen. */
export interface FirstSeen {
  readonly file: number;
  readonly row: number;
}

const FULL = 0.6;
/** Whole numbers that a float64 tells apart from text: no leading zero, at most 15 digits. */
const COMPACT = /^[1-9]\d{0,14}$/;

/**
 * The keys of a run, exactly, in little memory: document numbers live in typed arrays outside the heap
 * (about 25 bytes each), keys with letters or leading zeros in a table of their own.
 */
export class SeenKeys {
  private numbers = new Float64Array(1 << 12);
  private rows = new Uint32Array(1 << 12);
  private files = new Uint16Array(1 << 12);
  private count = 0;
  private readonly texts = createKeyTable();
  private textPlaces = new Uint32Array(1 << 11);

  /** Remembers the key; tells where it was seen first, if it was. */
  add(key: string, at: FirstSeen): FirstSeen | undefined {
    if (COMPACT.test(key)) return this.addNumber(Number(key), at);
    return this.addText(key, at);
  }

  /** Two numbers a text: file and row. */
  private addText(key: string, { file, row }: FirstSeen): FirstSeen | undefined {
    const before = this.texts.size;
    const place = this.texts.add(key) * 2;
    if (this.texts.size === before)
      return { file: this.textPlaces[place]!, row: this.textPlaces[place + 1]! };
    if (place + 1 >= this.textPlaces.length) {
      const wider = new Uint32Array(this.textPlaces.length * 2);
      wider.set(this.textPlaces);
      this.textPlaces = wider;
    }
    this.textPlaces[place] = file;
    this.textPlaces[place + 1] = row;
    return undefined;
  }

  private slot(number: number): number {
    const mask = this.numbers.length - 1;
    let slot = (Math.imul(number % 4_294_967_291, 2_654_435_761) ^ Math.floor(number / 65_536)) & mask;
    while (this.numbers[slot] !== 0 && this.numbers[slot] !== number) slot = (slot + 1) & mask;
    return slot;
  }

  private addNumber(number: number, at: FirstSeen): FirstSeen | undefined {
    const slot = this.slot(number);
    if (this.numbers[slot] === number) return { file: this.files[slot]!, row: this.rows[slot]! };
    this.put(slot, number, at);
    this.count += 1;
    if (this.count > this.numbers.length * FULL) this.grow();
    return undefined;
  }

  private put(slot: number, number: number, { file, row }: FirstSeen): void {
    this.numbers[slot] = number;
    this.rows[slot] = row;
    this.files[slot] = file;
  }

  private grow(): void {
    const { numbers, rows, files } = this;
    this.numbers = new Float64Array(numbers.length * 2);
    this.rows = new Uint32Array(numbers.length * 2);
    this.files = new Uint16Array(numbers.length * 2);
    for (const [old, number] of numbers.entries())
      if (number !== 0) this.put(this.slot(number), number, { file: files[old]!, row: rows[old]! });
  }
}
