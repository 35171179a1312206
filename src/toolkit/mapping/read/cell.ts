import type { Column } from '../../../generated/mapping-types.js';
import { multiply, toPlain } from '../../core/decimal.js';
import { isDecimal, MAX_DIGITS } from '../../core/decimal-text.js';
import type { IssueCode, Params, ParamsOf, Suggestion } from '../../core/issue.js';
import { MAX_NAME_LENGTH } from '../../core/limits.js';
import { fromSerial } from '../../core/plain-date.js';
import { collapse, fold, isDigitAt, squash, suggest } from '../../core/text.js';
import type { FormulaType } from '../../formula/functions.js';
import { fortnightOf } from '../../tables/fortnight.js';
import type { CellKind } from '../../tables/table.js';
import {
  type DateOrder,
  type DateReading,
  FIRST_SERIAL,
  MIDNIGHT,
  monthNumber,
  readDateNumber,
  readDateText,
  readMonthText,
  readTimeText,
  SERIAL,
} from './dates.js';
import { garbled } from './garbled.js';
import { isNullWord, mayBeName, type NullWordKind } from './null-words.js';
import { type DecimalStyle, readNumberText, readPlainAmount } from './numbers.js';

/** Max different texts of a column in memory. */
const MAX_TEXTS = 1_000;
/** Min rate of repeated texts; a column with fewer of them has too many different ones. */
const MIN_REPEATS = 2;
/** Max length; longer texts are names and remarks. */
const MAX_LENGTH = 40;

/** Copies a string: a part of a longer text keeps all of that in memory. */
const copied = (text: string): string => Buffer.from(text, 'utf16le').toString('utf16le');

/**
 * Remembers what `read` returns for each text, since most columns hold few different texts. All records then share one
 * string, whose hash is known to every table that it is searched in. Stops remembering for a column of ever new texts.
 */
export function fewTexts<T>(read: (text: string) => T): (text: string) => T {
  const known = new Map<string, T>();
  let found = 0;
  let isFew = true;
  let last: string | undefined;
  let lastValue: T | undefined;
  return (text) => {
    if (text === last) return lastValue as T;
    if (!isFew || text.length > MAX_LENGTH) return read(text);
    const value = known.get(text);
    if (value !== undefined || known.has(text)) {
      found += 1;
      last = text;
      lastValue = value;
      return value as T;
    }
    if (known.size < MAX_TEXTS) {
      const copy = copied(text);
      const first = read(copy);
      known.set(copy, first);
      return first;
    }
    if (found < MAX_TEXTS * MIN_REPEATS) {
      isFew = false;
      known.clear();
    } else found -= 1; // so that one that becomes ever new is left alone in the end
    return read(text);
  };
}

/** Way of reading a column; decides the static type of its values. */
export type ReadKind = NonNullable<Column['read']>;

/** Kinds of texts in a column that need a reading of their own. */
export type HeldTexts = 'names' | 'words' | 'accounts' | 'banks';

export interface ReadOptions {
  readonly decimal?: DecimalStyle;
  readonly date?: DateOrder;
  readonly blanks?: readonly string[];
  /** True if the column has no null words: all its texts are values. @default false */
  readonly isLiteral?: boolean;
  readonly zeroIsBlank?: boolean;
  /** True if cells of the column contradict each other: a text that has two readings is then refused. */
  readonly mixed?: boolean;
  /**
   * True if three digits after the decimal mark are decimals even where they could be thousands. @default not for money
   * and whole numbers
   */
  readonly thousandths?: boolean;
  readonly choices?: Readonly<Record<string, readonly string[]>>;
  /** Words that were decided: squashed word → one of the choices, or true and false. */
  readonly words?: ReadonlyMap<string, string>;
  /**
   * Returns what the texts are, when a cell is read: a null word may be a name, and a list of words knows most of its
   * own.
   */
  readonly holds?: () => HeldTexts | undefined;
}

export type FaultRest<C extends IssueCode> = ParamsOf<C, Suggestions>;

/** Suggested values; a function if they are costly and seldom needed. */
type Suggestions = readonly Suggestion[] | (() => readonly Suggestion[] | undefined);

/** Says why a cell has no value; becomes an issue at its place. */
export class CellFault<C extends IssueCode = IssueCode> {
  readonly params: Params<C>;
  #suggestions: Suggestions | undefined;
  constructor(
    readonly code: C,
    ...rest: FaultRest<C>
  ) {
    const [params, suggestions] = rest as [Params<C>?, Suggestions?];
    this.params = params ?? ({} as Params<C>);
    this.#suggestions = suggestions;
  }

  get suggestions(): readonly Suggestion[] | undefined {
    if (typeof this.#suggestions === 'function') this.#suggestions = this.#suggestions();
    return this.#suggestions;
  }
}

/** Returns the value of a filled cell, undefined if its content means blank, or the fault if it cannot be read. */
export type CellReader = (text: string, kind: CellKind) => string | boolean | undefined | CellFault;

/** Max digits of a number in Excel: a longer one has lost its tail. */
const EXCEL_DIGITS = 15;
const YES = new Set(['si', 's', 'x', 'yes', 'y', 'true', 'verdadero', '1', 'v']);
const NO = new Set(['no', 'n', 'false', 'falso', '0', 'f']);

/** Styles and orders as people write them. */
export const FORMAT_NAMES: Readonly<Record<DecimalStyle | DateOrder, string>> = {
  comma: '1.234,56',
  dot: '1,234.56',
  dmy: '31/12/2026',
  mdy: '12/31/2026',
  ymd: '2026-12-31',
};

/** Refuses a value that is only readable in another format than its column: it is unknown which of the two is right. */
const contradiction = (style: DecimalStyle | DateOrder, other: DecimalStyle | DateOrder): CellFault =>
  new CellFault('format/contradiction', {
    style: FORMAT_NAMES[style],
    other: FORMAT_NAMES[other],
    answer: `${other === 'comma' || other === 'dot' ? 'decimal' : 'date'}=${other}`,
  });

interface NumberOptions {
  readonly decimal: DecimalStyle | undefined;
  /** True if a dash is a zero, as accounting formats show it; in counts and shares it means blank. */
  readonly isMoney: boolean;
  readonly mixed: boolean;
  readonly thousandths: boolean;
}

const TOO_LONG = new CellFault('cell/number-too-long');

/** Refuses a number that can be thousands or decimals, and suggests what to write for either. */
function doubtful({ comma, dot }: { comma: string; dot: string }, style: DecimalStyle): CellFault {
  const [thousands, decimals] = comma.includes('.') ? [dot, comma] : [comma, dot];
  const written = (text: string): string => toPlain(text).replace('.', style === 'comma' ? ',' : '.');
  const [first, second] = [written(thousands), written(decimals)];
  return new CellFault('cell/thousands-or-decimals', { first, second }, [
    { value: first, score: 0.5 },
    { value: second, score: 0.5 },
  ]);
}

/** True if the style of a column does not decide what a text of it means. */
const isDoubtful = (decimal: string, { mixed, thousandths }: NumberOptions): boolean =>
  mixed === true || (thousandths === false && decimal.length - decimal.indexOf('.') === 4);

function readNumber(text: string, kind: CellKind, options: NumberOptions): string | CellFault | undefined {
  const { decimal: style } = options;
  if (kind === 'number') return text.length <= MAX_DIGITS ? text : TOO_LONG;
  if (kind === 'percent') return readNumber(text.slice(0, -1), 'number', options);
  if (kind !== 'text') return new CellFault('cell/not-a-number');
  const plain = readPlainAmount(text, style);
  if (plain !== undefined) return plain;
  const reading = readNumberText(text, style);
  switch (reading.kind) {
    case 'number': {
      const { decimal } = reading;
      if (!isDecimal(decimal)) return TOO_LONG;
      if (style === undefined || !isDoubtful(decimal, options)) return decimal;
      const open = readNumberText(text);
      return open.kind === 'ambiguous' ? doubtful(open, style) : decimal;
    }
    case 'ambiguous':
      return new CellFault('cell/number-ambiguous', { comma: reading.comma, dot: reading.dot });
    case 'contradiction':
      return contradiction(style ?? reading.other, reading.other);
    case 'scientific':
      return new CellFault('cell/scientific');
    case 'not-a-number':
      if (NO_AMOUNT.test(text.trim())) return options.isMoney ? '0' : undefined;
      return new CellFault('cell/not-a-number', {}, () => likelyNumber(text, style));
  }
}

/** Matches zero as the accounting formats of Excel show it: `-`, ` $ -   `. */
export const NO_AMOUNT = /^\$?\s*[-\u2013\u2014]{1,3}$/;

/** Matches letters that do not look like digits: a text with them is words, and no mistyped number. */
const IN_WORDS = /[^oOlIsS\P{L}]/u;
/** Matches the colon of a time: `10:30` is ten hours and a half, and without its colon would be a thousand. */
const IN_CLOCK = /:\d/;

/** Suggests a number for a text with letters typed for digits (`1.5OO.000`). */
function likelyNumber(text: string, style: DecimalStyle | undefined): Suggestion[] | undefined {
  if (text.length > 2 * MAX_DIGITS || !/\d/.test(text) || IN_WORDS.test(text) || IN_CLOCK.test(text))
    return undefined;
  const fixed = text
    .replace(/[oO]/g, '0')
    .replace(/[lI]/g, '1')
    .replace(/[sS]/g, '5')
    .replace(/[^\d.,-]/g, '');
  const reading = readNumberText(fixed, style);
  const value =
    reading.kind === 'number' ? reading.decimal : reading.kind === 'ambiguous' ? reading.comma : undefined;
  if (value === undefined) return undefined;
  const kept = [...text].filter((char, index) => fixed[index] === char).length;
  return [{ value, score: Math.round((kept / Math.max(text.length, 1)) * 100) / 100 }];
}

const numeric =
  (options: NumberOptions, zeroIsBlank: boolean): CellReader =>
  (text, kind) => {
    const value = readNumber(text, kind, options);
    return zeroIsBlank && typeof value === 'string' && !/[1-9]/.test(value) ? undefined : value;
  };

function integer(options: NumberOptions, zeroIsBlank: boolean): CellReader {
  const read = numeric(options, zeroIsBlank);
  return (text, kind) => {
    const value = read(text, kind);
    if (typeof value !== 'string') return value;
    const plain = toPlain(value);
    return plain.includes('.') ? new CellFault('cell/not-whole') : plain;
  };
}

/**
 * Matches a number that became too long, as programs write it: with a decimal mark or a sign. `602E01` has neither, and
 * is a code.
 */
const EXPONENT = /^\d+(?:[.,]\d+E[+-]?|E[+-])\d+$/i;

const readText: CellReader = (text, kind) => {
  if (kind === 'number') {
    const plain = toPlain(text);
    return plain.length > EXCEL_DIGITS && /^\d+$/.test(plain) ? new CellFault('cell/digits-lost') : plain;
  }
  const damage = garbled(text);
  if (damage === undefined) {
    const clean = collapse(text);
    return EXPONENT.test(clean) ? new CellFault('cell/scientific') : clean;
  }
  const { likely } = damage;
  return new CellFault(
    'cell/garbled',
    {},
    likely === undefined ? [] : [{ value: collapse(likely), score: 1 }],
  );
};

/** Matches most identifiers, which need no cleaning. */
const BARE = /^[\dA-Za-z]+$/;

/** Matches a NIT with its check digit, which is no part of the number. */
const CHECK_DIGIT = /^(\d{5,11}|\d{1,3}(?:[.,' ]\d{3})+) ?- ?\d$/;

/**
 * Reads document and account numbers, and codes: digits keep their zeros; removes dots, commas and blanks between
 * digits.
 */
const readIdentifier: CellReader = (text, kind) => {
  if (kind === 'number') {
    const plain = toPlain(text);
    if (plain.includes('.') || plain.startsWith('-')) return new CellFault('cell/not-an-identifier');
    return plain.length > EXCEL_DIGITS ? new CellFault('cell/digits-lost') : plain;
  }
  if (kind !== 'text') return new CellFault('cell/not-an-identifier');
  if (BARE.test(text)) return text;
  const clean = collapse(text);
  if (EXPONENT.test(clean)) return new CellFault('cell/scientific');
  if (/^\d{1,3}([.,' ]\d{3})+$/.test(clean)) return clean.replace(/\D/g, '');
  const [, number] = CHECK_DIGIT.exec(clean) ?? [];
  if (number !== undefined)
    return new CellFault('cell/check-digit', {}, [{ value: number.replace(/\D/g, ''), score: 0.75 }]);
  const bare = clean.replace(/\.0+$/, '').replace(/[\s-]/g, '');
  return /^[\p{L}\p{N}]+$/u.test(bare) ? bare : new CellFault('cell/not-an-identifier');
};

const dated = (reading: DateReading, order?: DateOrder): string | CellFault => {
  switch (reading.kind) {
    case 'date':
      return reading.date;
    case 'ambiguous':
      return new CellFault('cell/date-ambiguous', { dmy: reading.dmy, mdy: reading.mdy });
    case 'contradiction':
      return contradiction(order ?? reading.other, reading.other);
    case 'impossible':
      return new CellFault('cell/date-impossible');
    case 'not-a-date':
      return new CellFault('cell/not-a-date');
  }
};

function datedText(text: string, order: DateOrder | undefined, mixed: boolean): string | CellFault {
  if (SERIAL.test(text)) return dated(readDateNumber(text));
  const open = mixed ? readDateText(text) : undefined;
  return dated(open?.kind === 'ambiguous' ? open : readDateText(text, order), order);
}

const readDate =
  (order: DateOrder | undefined, mixed: boolean): CellReader =>
  (text, kind) => {
    if (kind === 'date') return text.length >= 10 ? text.slice(0, 10) : new CellFault('cell/not-a-date');
    if (kind === 'number') return dated(readDateNumber(text));
    return kind === 'text' ? datedText(text, order, mixed) : new CellFault('cell/not-a-date');
  };

/** Matches what separates a date and its time: `T`, a blank, or a hyphen (`2026-10-05-08:30`). */
const BEFORE_TIME = /[T -](?=\d{1,2}:\d{2})/;
/** Matches the zone of Colombia, which is ignored; any other would need a shift, and is refused. */
const BOGOTA = /(?<=:\d{2}(?:\.\d+)?)-05:?00$/;

/** Reads a moment that lost its format and shows as days and a fraction. */
function momentOfSerial(text: string): string | undefined {
  if (!/^\d{5}[.,]\d+$/.test(text)) return undefined;
  const date = readDateNumber(text.slice(0, 5));
  const moment = date.kind === 'date' ? fromSerial(Number(text.replace(',', '.')), false) : undefined;
  return moment === undefined ? undefined : moment.length === 10 ? `${moment}T00:00:00` : moment;
}

function readDateTime(order: DateOrder | undefined, mixed: boolean): CellReader {
  const knownTime = fewTexts(readTimeText);
  const readDay = readDate(order, mixed);
  const without: CellReader = (text, kind) => {
    const day = readDay(text, kind);
    if (!(day instanceof CellFault) || day.code === 'cell/date-ambiguous')
      return new CellFault('cell/without-time');
    return day.code === 'cell/not-a-date' ? new CellFault('cell/not-a-datetime') : day;
  };
  return (text, kind) => {
    if (kind === 'date') return text.length === 19 ? text : without(text, kind);
    if (kind !== 'text' && kind !== 'number') return without(text, kind);
    const clean = collapse(text).replace(BOGOTA, '');
    const at = BEFORE_TIME.exec(clean)?.index;
    const time = at === undefined ? undefined : knownTime(clean.slice(at + 1));
    if (at === undefined || time === undefined) return momentOfSerial(clean) ?? without(clean, kind);
    const date = datedText(clean.slice(0, at), order, mixed);
    return typeof date === 'string' ? `${date}T${time}` : date;
  };
}

const SECONDS_OF_DAY = 86_400;
const secondsOf = (time: string): number =>
  Number(time.slice(0, 2)) * 3600 + Number(time.slice(3, 5)) * 60 + Number(time.slice(6, 8) || 0);

/**
 * Adds the time of another cell to a date. Its own time stays, unless it is midnight, as programs write a date alone.
 */
export function withTime(text: string, kind: CellKind, time: string): string {
  if (kind === 'number' && /^\d{5}$/.test(text))
    return `${text}${(secondsOf(time) / SECONDS_OF_DAY).toFixed(9).slice(1)}`;
  if (kind === 'number') return /^\d{8}$/.test(text) ? `${text} ${time}` : text; // 20261005
  if (kind === 'date')
    return text.length === 10 || text.endsWith('T00:00:00') ? `${text.slice(0, 10)}T${time}` : text;
  const day = fold(collapse(text)).replace(MIDNIGHT, '');
  return BEFORE_TIME.test(day) ? text : `${day} ${time}`;
}

const NO_MOMENT: ReadonlySet<IssueCode> = new Set(['cell/without-time', 'cell/not-a-datetime']);

/** Reads a date with or without time. Midnight means no time, since Excel and programs write a date alone so. */
function readDateOrDateTime(order: DateOrder | undefined, mixed: boolean): CellReader {
  const readAlone = readDate(order, mixed);
  const readWhole = readDateTime(order, mixed);
  return (text, kind) => {
    const moment = readWhole(text, kind);
    if (!(moment instanceof CellFault) || !NO_MOMENT.has(moment.code)) return moment;
    const date = readAlone(text, kind);
    return typeof date === 'string' ? `${date}T00:00:00` : date;
  };
}

const DAYS = /^(?:del? )?(.+?) ?(?: - | a | al | hasta |–) ?(.+)$/;

/** Returns the month of days that are all in it: `01/10/2026 - 15/10/2026`, `del 1 al 15 de octubre de 2026`. */
function monthOfDays(text: string): string | undefined {
  const [, from = '', to = ''] = DAYS.exec(text) ?? [];
  const [first, last] = [from, to].map((side) => readDateText(side, 'dmy'));
  if (last?.kind !== 'date') return undefined;
  const month = last.date.slice(0, 7);
  const isWithin = /^\d{1,2}$/.test(from) || (first?.kind === 'date' && first.date.startsWith(month));
  return isWithin ? month : undefined;
}

/** Reads `2026-10`, or `10` if the cell has no year; returns the month of a date or of days. */
const readMonth: CellReader = (text, kind) => {
  const fault = new CellFault('cell/not-a-month');
  if (kind !== 'text' && kind !== 'number')
    return kind === 'date' && text.length >= 10 ? text.slice(0, 7) : fault;
  // 2026.10 typed as a number has lost its zero.
  if ((kind === 'number' && text.includes('.')) || text.length > MAX_NAME_LENGTH) return fault;
  const word = fold(text)
    .replace(/\.$/, '')
    .replace(/^\d{1,2} ?[-.)]? ?(?=[a-z]+$)/, '');
  const number = /^\d{1,2}$/.test(word) ? Number(word) : monthNumber(word);
  if (number !== undefined) return number >= 1 && number <= 12 ? String(number).padStart(2, '0') : fault;
  const month = readMonthText(word);
  if (month !== undefined) return month;
  const date = kind === 'number' ? readDateNumber(text) : readDateText(text, 'dmy');
  if (date.kind === 'date') return date.date.slice(0, 7);
  const days = monthOfDays(fold(text));
  if (days !== undefined) return days;
  // `1Q octubre`, `Quincena 2 de noviembre de 2026`.
  const half = kind === 'text' ? fortnightOf(text)?.rest.replace(/^del? /i, '') : undefined;
  return half ? readMonth(half, kind) : fault;
};

/** Matches hour and minute in digits alone, as old programs write them: `0805`, which a spreadsheet makes `805`. */
const HOUR_DIGITS = /^(\d{1,2})(\d{2})$/;
/** Matches a part of the day: a time that lost its format. Two digits up to 59 may as well be minutes. */
const PART_OF_DAY = /^0?[.,](\d|[6-9]\d|\d{3,})$/;

const readTime: CellReader = (text, kind) => {
  const fault = new CellFault('cell/not-a-time');
  if (kind === 'date') return text.length === 8 ? text : text.length === 19 ? text.slice(11) : fault;
  if (kind !== 'text' && kind !== 'number') return fault;
  const clean = text.trim();
  if (kind === 'number' ? /^0\.\d+$/.test(clean) : PART_OF_DAY.test(clean))
    return momentOfSerial(`${FIRST_SERIAL}.${clean.replace(/^.*[.,]/, '')}`)?.slice(11) ?? fault;
  return readTimeText(clean.replace(HOUR_DIGITS, '$1:$2')) ?? fault;
};

const readYesOrNo =
  (words: ReadOptions['words']): CellReader =>
  (text) => {
    const word = squash(text);
    const settled = words?.get(word);
    if (settled !== undefined) return settled === 'true';
    if (YES.has(word)) return true;
    return NO.has(word) ? false : new CellFault('cell/not-yes-or-no');
  };

function readChoice({ choices = {}, words = new Map() }: ReadOptions): CellReader {
  const values = new Map<string, string>();
  for (const [value, synonyms] of Object.entries(choices))
    for (const word of [value, ...synonyms]) values.set(squash(word), value);
  for (const [word, value] of words) values.set(word, value);
  return (text) => {
    const value = values.get(squash(text));
    if (value !== undefined) return value;
    const expected = Object.keys(choices).join(', ');
    return new CellFault('cell/not-a-choice', { expected }, () => suggest(text, values.keys()));
  };
}

/** Refuses an amount in percent, unless it is zero. */
const ofPesos =
  (read: CellReader): CellReader =>
  (text, kind) => {
    const isPercent = kind === 'percent' || (kind === 'text' && text.trimEnd().endsWith('%'));
    return isPercent && /[1-9]/.test(text) ? new CellFault('cell/not-a-number') : read(text, kind);
  };

/**
 * Min percentage without its sign; a smaller one may be a fraction: 0,01 for 1 %. No rate of payroll or RIPS is so
 * small.
 */
const MIN_PLAIN_PERCENT = 0.1;

const ofPercent =
  (read: CellReader): CellReader =>
  (text, kind) => {
    const value = read(text, kind);
    const isPlain = typeof value === 'string' && kind !== 'percent' && !text.trimEnd().endsWith('%');
    const size = isPlain ? Math.abs(Number(value)) : 0;
    return size > 0 && size < MIN_PLAIN_PERCENT
      ? new CellFault('cell/percent-or-fraction', { percent: multiply(value as string, '100') })
      : value;
  };

/** Matches `0` and `00/00/0000`, which programs write for no date; a zero that is shown as a date is midnight. */
const NO_DATE = /^0+(?:\.0+)?$|^0+([-/.])0+\1(?:0+)(?:[T ]0?0:00(?::00)?)?$|^00:00:00$/;
/** Matches 9999-12-31, which programs write for no end: nothing happened on that day. */
const NO_END = /^9999-/;

/** Reads zeros of a date as blank, and refuses a day without end. */
const ofCalendar =
  (read: CellReader): CellReader =>
  (text, kind) => {
    if (NO_DATE.test(text.trim())) return undefined;
    const value = read(text, kind);
    return typeof value === 'string' && NO_END.test(value) ? new CellFault('cell/date-impossible') : value;
  };

function readerFor(read: ReadKind, options: ReadOptions): CellReader {
  const { decimal, date, zeroIsBlank = false, mixed = false } = options;
  const { thousandths = read === 'decimal' || read === 'percent' } = options;
  const number: NumberOptions = { decimal, mixed, thousandths, isMoney: read === 'money' };
  switch (read) {
    case 'text':
      return readText;
    case 'identifier':
      return readIdentifier;
    case 'cie10':
      return readCie10;
    case 'cups':
      return readCups;
    case 'hash':
      return readHash;
    case 'integer':
      return integer(number, zeroIsBlank);
    case 'money':
      return ofPesos(numeric(number, zeroIsBlank));
    case 'decimal':
      return numeric(number, zeroIsBlank);
    case 'percent':
      return ofPercent(numeric(number, zeroIsBlank));
    case 'date':
      return ofCalendar(readDate(date, mixed));
    case 'datetime':
      return ofCalendar(readDateTime(date, mixed));
    case 'date_or_datetime':
      return ofCalendar(readDateOrDateTime(date, mixed));
    case 'month':
      return readMonth;
    case 'time':
      return readTime;
    case 'boolean':
      return readYesOrNo(options.words);
    case 'choice':
      return readChoice(options);
  }
}

interface KindTraits {
  readonly type: FormulaType;
  /** Format of its cells in a template. */
  readonly cells: 'text' | 'integer' | 'decimal' | 'money' | 'date' | 'datetime' | 'time';
  /** Null words; absent for a list of choices, which knows its own words. */
  readonly nulls?: NullWordKind;
}

/** Kinds of columns. */
export const READ_KINDS: Readonly<Record<ReadKind, KindTraits>> = {
  text: { type: 'text', cells: 'text', nulls: 'text' },
  identifier: { type: 'text', cells: 'text', nulls: 'text' },
  cie10: { type: 'text', cells: 'text', nulls: 'date' },
  cups: { type: 'text', cells: 'text', nulls: 'date' },
  hash: { type: 'text', cells: 'text', nulls: 'text' },
  integer: { type: 'decimal', cells: 'integer', nulls: 'every' },
  decimal: { type: 'decimal', cells: 'decimal', nulls: 'every' },
  money: { type: 'decimal', cells: 'money', nulls: 'every' },
  percent: { type: 'decimal', cells: 'decimal', nulls: 'every' },
  date: { type: 'date', cells: 'date', nulls: 'date' },
  datetime: { type: 'datetime', cells: 'datetime', nulls: 'date' },
  date_or_datetime: { type: 'datetime', cells: 'date', nulls: 'date' },
  month: { type: 'text', cells: 'text', nulls: 'text' },
  time: { type: 'text', cells: 'time', nulls: 'date' },
  boolean: { type: 'boolean', cells: 'text', nulls: 'every' },
  choice: { type: 'text', cells: 'text' },
};

/** Matches zeros that programs write for no account. */
const NO_ACCOUNT = /^0+(?:[.,]0+)?$/;

/** Creates the reader of a column. Errors of formulas are errors, never blanks, whatever the kind of column. */
export function createCellReader(read: ReadKind, options: ReadOptions = {}): CellReader {
  const reader = readerFor(read, options);
  const blanks = new Set((options.blanks ?? []).map(squash));
  const isBlank = fewTexts((text) => blanks.has(squash(text)));
  const digitBlanks = [...blanks].some((word) => /\d/.test(word));
  /**
   * True if the text may be a blank word. Folding every amount would cost more than reading it, so a text with a digit
   * at an end is compared only if a blank word has one.
   */
  const mayBeBlank = (text: string): boolean =>
    blanks.size > 0 && (digitBlanks || !(isDigitAt(text, 0) || isDigitAt(text, text.length - 1)));
  const { isLiteral = false, holds } = options;
  const nullWords = isLiteral ? undefined : READ_KINDS[read].nulls;
  const isNull = (text: string): boolean =>
    nullWords !== undefined &&
    isNullWord(text, read === 'text' && holds?.() === 'words' ? 'every' : nullWords);
  const mayHoldAccounts = read === 'text' || read === 'identifier';
  const filled: CellReader = (text, kind) => {
    if (!isLiteral && read === 'text' && holds?.() === 'names' && mayBeName(text))
      return new CellFault('cell/null-word-or-name');
    if (mayBeBlank(text) && isBlank(text)) return undefined;
    if (mayHoldAccounts && text.startsWith('0') && holds?.() === 'accounts' && NO_ACCOUNT.test(text))
      return undefined;
    return kind === 'text' && isNull(text) ? undefined : reader(text, kind);
  };
  const written = fewTexts((text) => filled(text, 'text'));
  return (text, kind) => {
    if (kind === 'text') return written(text);
    if (kind === 'error') return new CellFault('cell/formula-error');
    if (kind === 'uncached') return new CellFault('cell/formula-uncached');
    return filled(text, kind);
  };
}

const CODE = /^[A-Z]\d{2}[0-9X]?$/;
/** Matches a code as lists print it: `K02.1`. */
const DOTTED_CODE = /^[A-Z]\d{2}\.[0-9X]$/;

/** Matches a code and its name, as lists of a program show it: `J00X - RINOFARINGITIS AGUDA`, `(J18.9) NEUMONÍA`. */
const NAMED_CODE = /^\s*\(?([A-Za-z]\d{2}\.?[\dXx]?)\)?(?:\s*[-–—:|]\s*|\s+)\p{L}{2}/u;

/** Matches another code after the first: one of the two would be lost. */
const MORE_CODES = /(?:[,;/+|\n]\s*|\s(?:[-–—]|y)\s+)\(?[A-Za-z]\d{2}\.?[\dXx]?(?![\p{L}\p{N}])/u;

/**
 * Reads a diagnosis of CIE-10 in the form of the national system: capitals, no dot, four characters; categories end in
 * X (rips.md section 2).
 */
function readCie10(text: string, kind: CellKind): string | CellFault | undefined {
  if (/^\s*0+\s*$/.test(text)) return undefined;
  if (text.length > MAX_NAME_LENGTH) return new CellFault('cell/not-a-diagnosis');
  const [, before = text] = (MORE_CODES.test(text) ? null : NAMED_CODE.exec(text)) ?? [];
  const written = before.replace(/[\s-]/g, '').toUpperCase();
  const code = written.replace(/\./g, '');
  if (kind !== 'text' || !CODE.test(code)) return new CellFault('cell/not-a-diagnosis');
  const fullCode = code.length === 3 ? `${code}X` : code;
  // A dot elsewhere may stand for a digit that was lost, or in its place.
  return written === code || DOTTED_CODE.test(written)
    ? fullCode
    : new CellFault('cell/not-a-diagnosis', {}, [{ value: fullCode, score: 0.75 }]);
}

/** Matches a CUPS code and its name: `890201 CONSULTA DE PRIMERA VEZ`, `89.0.2.01 - CONSULTA`. */
const NAMED_CUPS = /^\s*\(?(\d[\dA-Z](?:\.?[\dA-Z]){4})\)?(?:\s*[-–—:|]\s*|\s+)(?!.*\d[\dA-Z]{5})\p{L}{2}/iu;
/** Matches a code of procedures of any list. */
const PROCEDURE = /^(?=.*\d)[\dA-Z]{1,8}$/;

/**
 * Reads a CUPS code in the form of the national system: capitals, no dots (89.0.2.01, as the norm prints it), without
 * its name.
 */
const readCups: CellReader = (text, kind) => {
  if (kind !== 'text') return readIdentifier(text, kind);
  const clean = collapse(text);
  if (EXPONENT.test(clean)) return new CellFault('cell/scientific');
  const code = (NAMED_CUPS.exec(clean)?.[1] ?? clean)
    .replace(/\.0+$/, '')
    .replace(/[\s.]/g, '')
    .toUpperCase();
  return PROCEDURE.test(code) ? code : new CellFault('cell/not-a-cups');
};

/** Matches a digest in hexadecimal, such as the one in the address of a document. */
const HASH = /(?<![\dA-Fa-f])[\dA-Fa-f]{64,}(?![\dA-Fa-f])/g;

/** Reads the only digest in a cell, in lower case; any other text as it is. */
const readHash: CellReader = (text, kind) => {
  const [hash, ...others] = text.match(HASH) ?? [];
  return hash === undefined || others.length > 0 ? readText(text, kind) : hash.toLowerCase();
};
