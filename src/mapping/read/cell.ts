import { isDecimal, MAX_DIGITS, toPlain } from '../../core/decimal.js';
import type { IssueCode, Params, ParamsOf, Suggestion } from '../../core/issue.js';
import { fromSerial } from '../../core/plain-date.js';
import { collapse, squash, suggest } from '../../core/text.js';
import type { Column } from '../../generated/mapping-types.js';
import type { CellKind } from '../../tables/table.js';
import { type DateOrder, type DateReading, readDateNumber, readDateText, readTimeText } from './date-text.js';
import { garbled } from './garbled.js';
import { type DecimalStyle, readNumberText, readPlainAmount } from './number-text.js';

/** Different texts of a column that are kept. */
const KEPT = 1_000;
/** A column whose texts come again less often than this has too many of them. */
const WORTH = 2;
/** Longer ones are names and remarks. */
const LONGEST = 40;

/** A string of its own: one that was cut from a longer text keeps all of that in memory. */
const own = (text: string): string => Buffer.from(text, 'utf16le').toString('utf16le');

/**
 * Most columns hold few different texts. What such a text means is worked out once, and all records share the one string,
 * whose hash is known to every table that it is looked up in. A column of ever new texts is soon left alone.
 */
export function fewTexts<T>(read: (text: string) => T): (text: string) => T {
  const known = new Map<string, T>();
  let found = 0;
  let isFew = true;
  return (text) => {
    if (!isFew || text.length > LONGEST) return read(text);
    const value = known.get(text);
    if (value !== undefined || known.has(text)) {
      found += 1;
      return value as T;
    }
    if (known.size < KEPT) {
      const kept = own(text);
      const first = read(kept);
      known.set(kept, first);
      return first;
    }
    if (found < KEPT * WORTH) {
      isFew = false;
      known.clear();
    } else found -= 1; // so that one that becomes ever new is left alone in the end
    return read(text);
  };
}

/** How a column is read; decides the static type of its values. */
export type ReadKind = NonNullable<Column['read']>;

export interface ReadOptions {
  readonly decimal?: DecimalStyle;
  readonly date?: DateOrder;
  readonly blanks?: readonly string[];
  readonly zeroIsBlank?: boolean;
  /** Cells of the column contradict each other: what can be read two ways is not read by either. */
  readonly mixed?: boolean;
  /** Three digits after the decimal mark are decimals even where they could be thousands. @default not for money and whole numbers */
  readonly thousandths?: boolean;
  readonly choices?: Readonly<Record<string, readonly string[]>>;
}

/** What a fault says beside its code. */
export type FaultRest<C extends IssueCode> = ParamsOf<C, readonly Suggestion[]>;

/** Why a cell has no value; becomes an issue at its place. */
export class CellFault<C extends IssueCode = IssueCode> {
  readonly params: Params<C>;
  readonly suggestions: readonly Suggestion[] | undefined;
  constructor(
    readonly code: C,
    ...rest: FaultRest<C>
  ) {
    const [params, suggestions] = rest as [Params<C>?, (readonly Suggestion[])?];
    this.params = params ?? ({} as Params<C>);
    this.suggestions = suggestions;
  }
}

/** The value of a filled cell, undefined when its content means blank, or why it cannot be read. */
export type CellReader = (text: string, kind: CellKind) => string | boolean | undefined | CellFault;

/** Excel keeps 15 significant digits: a longer number has lost its tail. */
const EXCEL_DIGITS = 15;
const YES = new Set(['si', 's', 'x', 'yes', 'y', 'true', 'verdadero', '1', 'v']);
const NO = new Set(['no', 'n', 'false', 'falso', '0', 'f']);

/** Styles and orders as people see them. */
export const LOOKS: Readonly<Record<DecimalStyle | DateOrder, string>> = {
  comma: '1.234,56',
  dot: '1,234.56',
  dmy: '31/12/2026',
  mdy: '12/31/2026',
  ymd: '2026-12-31',
};

/** A value that can be read, but not as its column is: which of the two is right cannot be known. */
const contradiction = (style: DecimalStyle | DateOrder, other: DecimalStyle | DateOrder): CellFault =>
  new CellFault('format/contradiction', { style: LOOKS[style], other: LOOKS[other] });

type NumberOptions = Pick<ReadOptions, 'decimal' | 'mixed' | 'thousandths'>;
const TOO_LONG = new CellFault('cell/number-too-long');

/** A number that can be thousands or decimals, with what to write for either. */
function doubtful({ comma, dot }: { comma: string; dot: string }, style: DecimalStyle): CellFault {
  const [thousands, decimals] = comma.includes('.') ? [dot, comma] : [comma, dot];
  const written = (text: string): string => toPlain(text).replace('.', style === 'comma' ? ',' : '.');
  const [first, second] = [written(thousands), written(decimals)];
  return new CellFault('cell/thousands-or-decimals', { first, second }, [
    { value: first, score: 0.5 },
    { value: second, score: 0.5 },
  ]);
}

/** Whether the style of a column does not settle what a text of it means. */
const isDoubtful = (decimal: string, { mixed, thousandths }: NumberOptions): boolean =>
  mixed === true || (thousandths === false && decimal.length - decimal.indexOf('.') === 4);

function readNumber(text: string, kind: CellKind, options: NumberOptions): string | CellFault {
  const { decimal: style } = options;
  if (kind === 'number') return text.length <= MAX_DIGITS ? text : TOO_LONG;
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
      return contradiction(style!, reading.other);
    case 'scientific':
      return new CellFault('cell/scientific');
    case 'not-a-number':
      return new CellFault('cell/not-a-number', {}, likelyNumber(text, style));
  }
}

/** Letters typed for digits (`1.5OO.000`) are worth a hint. */
function likelyNumber(text: string, style: DecimalStyle | undefined): Suggestion[] | undefined {
  if (text.length > 2 * MAX_DIGITS) return undefined;
  const fixed = text
    .replace(/[oO]/g, '0')
    .replace(/[lI]/g, '1')
    .replace(/[sS](?=[\d.,])/g, '5')
    .replace(/[^\d.,-]/g, '');
  if (!/\d/.test(fixed)) return undefined;
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

const whole =
  (options: NumberOptions, zeroIsBlank: boolean): CellReader =>
  (text, kind) => {
    const value = numeric(options, zeroIsBlank)(text, kind);
    if (typeof value !== 'string') return value;
    const plain = toPlain(value);
    return plain.includes('.') ? new CellFault('cell/not-whole') : plain;
  };

const readText: CellReader = (text, kind) => {
  if (kind === 'number') return toPlain(text);
  const damage = garbled(text);
  if (damage === undefined) return collapse(text);
  const { likely } = damage;
  return new CellFault(
    'cell/garbled',
    {},
    likely === undefined ? [] : [{ value: collapse(likely), score: 1 }],
  );
};

/** As programs write a number that became too long: with a decimal mark or a sign. `602E01` has neither, and is a code. */
const EXPONENT = /^\d+(?:[.,]\d+E[+-]?|E[+-])\d+$/i;

/** Most are so already. */
const BARE = /^[\dA-Za-z]+$/;

/** Document and account numbers, and codes: digits keep their zeros; dots, commas and blanks between digits go. */
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
      return contradiction(order!, reading.other);
    case 'impossible':
      return new CellFault('cell/date-impossible');
    case 'not-a-date':
      return new CellFault('cell/not-a-date');
  }
};

function datedText(text: string, order: DateOrder | undefined, mixed: boolean): string | CellFault {
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

/** What stands between a date and its time: `T`, a blank, or a hyphen (`2026-10-05-08:30`). */
const BEFORE_TIME = /[T -](?=\d{1,2}:\d{2})/;
/** The zone of Colombia says nothing new; any other would need a shift, and is refused. */
const BOGOTA = /(?<=:\d{2}(?:\.\d+)?)-05:?00$/;

/** A moment that lost its format and shows as days and a fraction. */
function momentOfSerial(text: string): string | undefined {
  if (!/^\d{5}\.\d+$/.test(text)) return undefined;
  const date = readDateNumber(text.slice(0, 5));
  const moment = date.kind === 'date' ? fromSerial(Number(text), false) : undefined;
  return moment === undefined ? undefined : moment.length === 10 ? `${moment}T00:00:00` : moment;
}

function readDateTime(order: DateOrder | undefined, mixed: boolean): CellReader {
  const knownTime = fewTexts(readTimeText);
  return (text, kind) => {
    if (kind === 'date')
      return text.length === 19
        ? text
        : text.length === 10
          ? `${text}T00:00:00`
          : new CellFault('cell/not-a-datetime');
    if (kind === 'number') return momentOfSerial(text) ?? new CellFault('cell/not-a-datetime');
    if (kind !== 'text') return new CellFault('cell/not-a-datetime');
    const clean = collapse(text).replace(BOGOTA, '');
    const at = BEFORE_TIME.exec(clean)?.index;
    const time = at === undefined ? undefined : knownTime(clean.slice(at + 1));
    if (at === undefined || time === undefined)
      return momentOfSerial(clean) ?? new CellFault('cell/not-a-datetime');
    const date = datedText(clean.slice(0, at), order, mixed);
    return typeof date === 'string' ? `${date}T${time}` : date;
  };
}

const readTime: CellReader = (text, kind) => {
  if (kind === 'date')
    return text.length === 8 ? text : text.length === 19 ? text.slice(11) : new CellFault('cell/not-a-time');
  return (kind === 'text' ? readTimeText(text) : undefined) ?? new CellFault('cell/not-a-time');
};

const readYesOrNo: CellReader = (text) => {
  const word = squash(text);
  if (YES.has(word)) return true;
  return NO.has(word) ? false : new CellFault('cell/not-yes-or-no');
};

function readChoice(choices: Readonly<Record<string, readonly string[]>>): CellReader {
  const values = new Map<string, string>();
  for (const [value, words] of Object.entries(choices))
    for (const word of [value, ...words]) values.set(squash(word), value);
  return (text) => {
    const value = values.get(squash(text));
    if (value !== undefined) return value;
    const expected = Object.keys(choices).join(', ');
    return new CellFault('cell/not-a-choice', { expected }, suggest(text, values.keys()));
  };
}

function readerFor(read: ReadKind, options: ReadOptions): CellReader {
  const { decimal, date, zeroIsBlank = false, mixed = false } = options;
  const { thousandths = read === 'decimal' || read === 'percent' } = options;
  const number: NumberOptions = { ...(decimal && { decimal }), mixed, thousandths };
  switch (read) {
    case 'text':
      return readText;
    case 'identifier':
      return readIdentifier;
    case 'cie10':
      return readCie10;
    case 'integer':
      return whole(number, zeroIsBlank);
    case 'decimal':
    case 'money':
    case 'percent':
      return numeric(number, zeroIsBlank);
    case 'date':
      return readDate(date, mixed);
    case 'datetime':
      return readDateTime(date, mixed);
    case 'time':
      return readTime;
    case 'boolean':
      return readYesOrNo;
    case 'choice':
      return readChoice(options.choices ?? {});
  }
}

function isDigitAt(text: string, at: number): boolean {
  const code = text.charCodeAt(at);
  return code >= 48 && code <= 57;
}

/** The reader of a column. Errors of formulas are errors, never blanks, whatever the kind of column. */
export function createCellReader(read: ReadKind, options: ReadOptions = {}): CellReader {
  const reader = readerFor(read, options);
  const blanks = new Set((options.blanks ?? []).map(squash));
  const isBlank = fewTexts((text) => blanks.has(squash(text)));
  const digitBlanks = [...blanks].some((word) => /\d/.test(word));
  /** Folding every amount would cost more than reading it: what starts or ends in a digit is no blank without one. */
  const mayBeBlank = (text: string): boolean =>
    blanks.size > 0 && (digitBlanks || !(isDigitAt(text, 0) || isDigitAt(text, text.length - 1)));
  const filled: CellReader = (text, kind) =>
    mayBeBlank(text) && isBlank(text) ? undefined : reader(text, kind);
  const written = fewTexts((text) => filled(text, 'text'));
  return (text, kind) => {
    if (kind === 'text') return written(text);
    if (kind === 'error') return new CellFault('cell/formula-error');
    if (kind === 'uncached') return new CellFault('cell/formula-uncached');
    return filled(text, kind);
  };
}

const CODE = /^[A-Z]\d{2}[0-9X]?$/;

/** A diagnosis of CIE-10 as the national system wants it: capitals, no dot, four characters; categories end in X (rips.md section 2). */
function readCie10(text: string, kind: CellKind): string | CellFault {
  const code = text.replace(/[\s.\u00a0-]/g, '').toUpperCase();
  if (kind !== 'text' || !CODE.test(code)) return new CellFault('cell/not-a-diagnosis');
  return code.length === 3 ? `${code}X` : code;
}
