import { MAX_SHEET_COLUMNS } from '../../core/limits.js';

import type { PlainChildren } from './zip.js';

/** Builds rows from events of either reader of a sheet's XML. */
export interface RowBuilder {
  /** Number of the last row; reset by the reader that backtracks. */
  number: number;
  /** @param reference the row's `r`; absent, it follows the row before */
  openRow(reference: string | undefined, hidden: string | undefined): void;
  /**
   * @param column from 0; -1 is next to the previous cell
   * @param style index in the cell's `s`
   */
  openCell(column: number, style: number): void;
  /** Receives the content of a cell of type `s`. */
  shared(index: number): void;
  /** Receives the content of a cell without type: up to 15 digits. */
  digits(text: string, value: number): void;
  content(type: string, value: string | undefined, formula: string | undefined, inline: string): void;
  closeRow(): void;
}

const TAB = 9;
const LINE_FEED = 10;
const RETURN = 13;
const SPACE = 32;
const QUOTE = 34;
const AMPERSAND = 38;
const SLASH = 47;
const ZERO = 48;
const NINE = 57;
const LESS = 60;
const EQUALS = 61;
const GREATER = 62;
const A = 65;
const Z = 90;
const BRACKET = 93;
const UNDERSCORE = 95;
const LOWER_C = 99;
const LOWER_F = 102;
const LOWER_I = 105;
const LOWER_R = 114;
const LOWER_S = 115;
const LOWER_T = 116;
const LOWER_V = 118;
/** First code unit that XML does not allow. */
const NO_CHARACTER = 0xfffe;

const MAX_DIGITS = 15;
/** Result for unusual or wrong XML, which the parser handles. */
const UNUSUAL = -1;

const isXmlSpace = (code: number): boolean =>
  code === SPACE || code === LINE_FEED || code === RETURN || code === TAB;

const isNameCharacter = (code: number): boolean =>
  (code >= 97 && code <= 122) || (code >= A && code <= Z) || code === UNDERSCORE || code === 58;

const ENTITIES: Readonly<Record<string, string>> = {
  '&amp;': '&',
  '&lt;': '<',
  '&gt;': '>',
  '&quot;': '"',
  '&apos;': "'",
};

const ignore = (): void => {};

const endTag = (text: string, at: number, letter: number): number =>
  text.charCodeAt(at + 1) === SLASH &&
  text.charCodeAt(at + 2) === letter &&
  text.charCodeAt(at + 3) === GREATER
    ? at + 4
    : UNUSUAL;

/**
 * Fast reader of rows in usual form: elements without prefix, attributes in double quotes, no comments, only the five
 * predefined entities. The parser reads other rows, one at a time.
 */
export class PlainRows implements PlainChildren {
  readonly parent = 'sheetData';
  readonly start = '<row';
  readonly end = '</row>';
  /** Last content of an element or value of an attribute. */
  private last = '';
  private number = 0;
  private reference: string | undefined;
  private hidden: string | undefined;
  private readonly takeRow = (name: string, text: string): void => {
    if (name === 'r') this.reference = text;
    else if (name === 'hidden') this.hidden = text;
  };

  constructor(private readonly rows: RowBuilder) {}

  read(text: string, from: number): number {
    const before = this.rows.number;
    this.reference = this.hidden = undefined;
    let at = this.attributes(text, from + this.start.length, this.takeRow);
    if (at < 0) return UNUSUAL;
    const isEmpty = text.charCodeAt(at) === SLASH && text.charCodeAt(at + 1) === GREATER;
    if (!isEmpty && text.charCodeAt(at) !== GREATER) return UNUSUAL;
    this.rows.openRow(this.reference, this.hidden);
    if (isEmpty) {
      this.rows.closeRow();
      return at + 2;
    }
    at += 1;
    while (at >= 0) {
      while (isXmlSpace(text.charCodeAt(at))) at += 1;
      if (text.charCodeAt(at) !== LESS) break;
      if (text.charCodeAt(at + 1) === LOWER_C) {
        at = this.cell(text, at + 2);
        continue;
      }
      if (!text.startsWith(this.end, at)) break;
      this.rows.closeRow();
      return at + this.end.length;
    }
    this.rows.number = before;
    return UNUSUAL;
  }

  /** Reads the value of the attribute whose name ends before `at`; returns its end. */
  private value(text: string, at: number): number {
    if (text.charCodeAt(at) !== EQUALS || text.charCodeAt(at + 1) !== QUOTE) return UNUSUAL;
    const from = at + 2;
    for (let to = from; to < text.length; to++) {
      const code = text.charCodeAt(to);
      if (code === QUOTE) {
        this.last = text.slice(from, to);
        return to + 1;
      }
      if (code < SPACE || code === AMPERSAND || code === LESS || code >= NO_CHARACTER) return UNUSUAL;
    }
    return UNUSUAL;
  }

  /** Reads attributes up to `>` or `/>` and passes them to `take`; returns the end. */
  private attributes(text: string, from: number, take: (name: string, value: string) => void): number {
    let names = ' ';
    for (let at = from; ; ) {
      if (!isXmlSpace(text.charCodeAt(at))) return at;
      do at += 1;
      while (isXmlSpace(text.charCodeAt(at)));
      const start = at;
      while (
        isNameCharacter(text.charCodeAt(at)) ||
        (at > start && text.charCodeAt(at) <= NINE && text.charCodeAt(at) >= ZERO)
      )
        at += 1;
      if (at === start) return at;
      const name = text.slice(start, at);
      // Namespace declarations change names, and no name may occur twice.
      if (name.startsWith('xmlns') || names.includes(` ${name} `)) return UNUSUAL;
      names += `${name} `;
      at = this.value(text, at);
      if (at < 0) return UNUSUAL;
      take(name, this.last);
    }
  }

  /** Reads characters up to the next `<`; returns its position. */
  private characters(text: string, from: number): number {
    let hasReference = false;
    for (let at = from; at < text.length; at++) {
      const code = text.charCodeAt(at);
      if (code === LESS) {
        this.last = text.slice(from, at);
        return !hasReference || this.resolve() ? at : UNUSUAL;
      }
      if (code === AMPERSAND) hasReference = true;
      else if (code < SPACE ? code !== TAB && code !== LINE_FEED : code === BRACKET || code >= NO_CHARACTER)
        return UNUSUAL;
    }
    return UNUSUAL;
  }

  private resolve(): boolean {
    let isKnown = true;
    this.last = this.last.replaceAll(/&[^;]*;?/g, (reference) => {
      const found = ENTITIES[reference];
      isKnown &&= found !== undefined;
      return found ?? '';
    });
    return isKnown;
  }

  /** Reads the content of `<v>` and the like with the end tag, whose name is one letter. */
  private simple(text: string, from: number, letter: number): number {
    const at = this.characters(text, from);
    return at < 0 ? UNUSUAL : endTag(text, at, letter);
  }

  /** Reads a cell after `<c`; returns its end. */
  private cell(text: string, from: number): number {
    let at = from;
    let column = -1;
    let style = -1;
    let type = '';
    for (;;) {
      const code = text.charCodeAt(at);
      if (code !== SPACE) break;
      const name = text.charCodeAt(at + 1);
      if (name === LOWER_R && column < 0) {
        if (text.charCodeAt(at + 2) !== EQUALS || text.charCodeAt(at + 3) !== QUOTE) return UNUSUAL;
        at += 4;
        let index = 0;
        let letter = text.charCodeAt(at);
        while (letter >= A && letter <= Z) {
          index = index * 26 + letter - A + 1;
          letter = text.charCodeAt(++at);
        }
        while (letter >= ZERO && letter <= NINE) letter = text.charCodeAt(++at);
        if (index === 0 || index > MAX_SHEET_COLUMNS || letter !== QUOTE) return UNUSUAL;
        column = index - 1;
        at += 1;
      } else if (name === LOWER_S && style < 0) {
        if (text.charCodeAt(at + 2) !== EQUALS || text.charCodeAt(at + 3) !== QUOTE) return UNUSUAL;
        at = this.digitsFrom(text, at + 4);
        if (at < 0 || text.charCodeAt(at) !== QUOTE) return UNUSUAL;
        style = this.number;
        at += 1;
      } else if (name === LOWER_T && type === '') {
        at = this.value(text, at + 2);
        if (at < 0 || this.last === '') return UNUSUAL;
        type = this.last;
      } else return UNUSUAL;
    }
    this.rows.openCell(column, style < 0 ? 0 : style);
    if (text.charCodeAt(at) === SLASH) return text.charCodeAt(at + 1) === GREATER ? at + 2 : UNUSUAL;
    if (text.charCodeAt(at) !== GREATER) return UNUSUAL;
    at += 1;
    // Most cells: digits in <v> and nothing else.
    if (text.charCodeAt(at + 1) === LOWER_V && text.charCodeAt(at + 2) === GREATER) {
      const end = this.digitsFrom(text, at + 3);
      if (end > 0 && text.startsWith('</v></c>', end)) {
        if (type === 's') {
          this.rows.shared(this.number);
          return end + 8;
        }
        if ((type === '' || type === 'n') && (end === at + 4 || text.charCodeAt(at + 3) !== ZERO)) {
          this.rows.digits(text.slice(at + 3, end), this.number);
          return end + 8;
        }
      }
    }
    return this.contents(text, at, type);
  }

  /** Reads at most 15 digits; returns their end. */
  private digitsFrom(text: string, from: number): number {
    let at = from;
    let number = 0;
    for (let code = text.charCodeAt(at); code >= ZERO && code <= NINE; code = text.charCodeAt(++at))
      number = number * 10 + code - ZERO;
    this.number = number;
    return at === from || at - from > MAX_DIGITS ? UNUSUAL : at;
  }

  private contents(text: string, from: number, type: string): number {
    let found: string | undefined;
    let formula: string | undefined;
    let inline = '';
    for (let at = from; ; ) {
      while (isXmlSpace(text.charCodeAt(at))) at += 1;
      if (text.charCodeAt(at) !== LESS) return UNUSUAL;
      const name = text.charCodeAt(at + 1);
      if (name === SLASH) {
        at = endTag(text, at, LOWER_C);
        if (at >= 0) this.rows.content(type === '' ? 'n' : type, found, formula, inline);
        return at;
      }
      const isInline = name === LOWER_I && text.startsWith('<is><t', at);
      if (name !== LOWER_V && name !== LOWER_F && !isInline) return UNUSUAL;
      at = this.attributes(text, at + (isInline ? 6 : 2), ignore);
      if (at < 0) return UNUSUAL;
      const letter = isInline ? LOWER_T : name;
      if (text.charCodeAt(at) === SLASH && text.charCodeAt(at + 1) === GREATER) {
        this.last = '';
        at += 2;
      } else if (text.charCodeAt(at) === GREATER) at = this.simple(text, at + 1, letter);
      else return UNUSUAL;
      if (at < 0) return UNUSUAL;
      if (isInline) {
        if (!text.startsWith('</is>', at)) return UNUSUAL;
        at += 5;
        inline += this.last;
      } else if (name === LOWER_V) found = this.last;
      else formula = this.last;
    }
  }
}
