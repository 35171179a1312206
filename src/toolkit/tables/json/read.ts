import { Tokenizer } from '@streamparser/json';
import { canonicalText, hasOuterBlanks } from '../../core/canonical.js';
import type { Coded } from '../../core/issue.js';
import { childPointer, isObject, type JsonObject, type JsonValue, type Pointer } from '../../core/json.js';
import { JSON_FILE } from '../../core/limits.js';
import { unreachable } from '../../core/required.js';
import { withoutEnd } from '../../core/text.js';
import { isIdentifierKey } from '../../schema/roles.js';
import type { CellChange } from '../table.js';

/** Error that stops the reading of a JSON file, with its line. */
export class JsonFault extends Error {
  constructor(
    readonly coded: Coded,
    readonly line: number,
  ) {
    super(coded.code);
  }
}

/** Value of the file with the lines of all its parts. */
export interface LinedValue {
  readonly value: JsonValue;
  readonly line: number;
  /** Lines of the value and everything in it, in file order. */
  readonly lines: readonly number[];
  /** Numbers that a double does not represent exactly: their text by pointer. */
  readonly inexact: ReadonlyMap<Pointer, string>;
  /** Changes of its texts to canonical form. */
  readonly changes: readonly CellChange['change'][];
}

/** Receives the items of lists that `isListed`; those are not kept in the value. */
interface JsonWatch {
  isListed(list: Pointer): boolean;
  item(list: Pointer, index: number, item: LinedValue): void;
}

const { maxDepth, maxItemBytes, maxValues, maxPointerLength } = JSON_FILE;

interface Frame {
  readonly list: boolean;
  readonly value: JsonObject | JsonValue[];
  readonly pointer: Pointer;
  /** True if items are passed on instead of kept. */
  readonly listed: boolean;
  key: string | undefined;
  index: number;
  expects: 'first' | 'item' | 'colon' | 'value' | 'next';
}

/** Item of a list that is passed on. */
interface OpenItem {
  readonly value: JsonValue;
  readonly start: number;
  /** List that the item is in, and how deep it stands. */
  readonly list: Frame;
  readonly depth: number;
  readonly pointer: Pointer;
}

const [LEFT_BRACE, RIGHT_BRACE, LEFT_BRACKET, RIGHT_BRACKET, COLON, COMMA] = [0, 1, 2, 3, 4, 5];
const STRING = 9;
const NUMBER = 10;

/** Max digits that a double always represents exactly. */
const SAFE_DIGITS = 15;
const canonical = (text: string): string => {
  const [, sign = '', integer = '', decimals = '', power = '0'] =
    /^(-?)(\d+)(?:\.(\d*))?(?:[eE]([+-]?\d+))?$/.exec(text) ?? [];
  const digits = (integer + decimals).replace(/^0+/, '');
  const cut = withoutEnd(digits, /0/);
  const exponent = Number(power) - decimals.length + digits.length - cut.length;
  return cut === '' ? '0' : `${sign}${cut}e${exponent}`;
};
const isExact = (text: string): boolean =>
  text.length <= SAFE_DIGITS || canonical(text) === canonical(String(Number(text)));

/** Tokenizer that retains the text of numbers a double cannot represent. */
class Numbers extends Tokenizer {
  inexact: string | undefined;
  protected override parseNumber(text: string): number {
    const value = Number(text);
    this.inexact = isExact(text) && Number.isFinite(value) ? undefined : text;
    return value;
  }
}

/** Builds the value of a file token by token: strict, with lines, and without repeated keys. */
class Builder {
  private readonly frames: Frame[] = [];
  private item: OpenItem | undefined;
  private itemLine = 0;
  /** Characters of the pointers of the item's values. */
  private itemLength = 0;
  /** Characters of pointers and texts outside the items. */
  private outsideLength = 0;
  private outside = 0;
  private lines: number[] = [];
  private inexact = new Map<Pointer, string>();
  private changes: CellChange['change'][] = [];
  private root: JsonValue | undefined;

  constructor(
    private readonly watch: JsonWatch,
    private readonly lineOfMember: (pointer: Pointer, line: number) => void,
  ) {}

  /** Value of the file, or undefined while it is incomplete. */
  get complete(): JsonValue | undefined {
    return this.frames.length > 0 ? undefined : this.root;
  }

  token(kind: number, value: JsonValue, line: number, offset: number, inexact: string | undefined): void {
    const { item } = this;
    if (item !== undefined && offset - item.start > maxItemBytes) throw tooLarge(line);
    const frame = this.frames.at(-1);
    const isOver = frame === undefined && this.root !== undefined;
    const wrong = (): never => {
      throw new JsonFault({ code: 'json/malformed', params: { found: shown(value) } }, line);
    };
    if (frame !== undefined) {
      const { expects, list } = frame;
      if (kind === (list ? RIGHT_BRACKET : RIGHT_BRACE)) {
        if (expects === 'item')
          throw new JsonFault({ code: 'json/trailing-comma', params: { found: String(value) } }, line);
        if (expects !== 'first' && expects !== 'next') wrong();
        this.frames.pop();
        this.close();
        return;
      }
      if (expects === 'next') {
        if (kind !== COMMA) wrong();
        frame.expects = 'item';
        return;
      }
      if (expects === 'colon') {
        if (kind !== COLON) wrong();
        frame.expects = 'value';
        return;
      }
      if (!list && expects !== 'value') {
        if (kind !== STRING) wrong();
        this.member(frame, canonicalText(value as string), line);
        return;
      }
    }
    if (isOver || kind === COMMA || kind === COLON || kind === RIGHT_BRACE || kind === RIGHT_BRACKET) wrong();
    this.begin(frame, kind, value, line, offset, inexact);
  }

  private member(frame: Frame, key: string, line: number): void {
    if (key === '__proto__') throw new JsonFault({ code: 'json/key-refused', params: { key } }, line);
    if (Object.hasOwn(frame.value, key))
      throw new JsonFault({ code: 'json/repeated-key', params: { key } }, line);
    (frame.value as JsonObject)[key] = null; // known from here on; its value follows
    frame.key = key;
    frame.expects = 'colon';
  }

  /** Returns the canonical form of a text; an identifier retains its outer blanks for the check of its role. */
  private text(token: string, key: string | undefined): string {
    const text = canonicalText(token, (change) => this.changes.push(change));
    if (text === token || !hasOuterBlanks(token)) return text;
    if (key !== undefined && isIdentifierKey(key))
      return `${/^\s/.test(token) ? ' ' : ''}${text}${/\s$/.test(token) ? ' ' : ''}`;
    this.changes.push('blanks');
    return text;
  }

  private begin(
    frame: Frame | undefined,
    kind: number,
    token: JsonValue,
    line: number,
    offset: number,
    inexact: string | undefined,
  ): void {
    const pointer = frame === undefined ? '' : childPointer(frame.pointer, frame.key ?? frame.index);
    const opens = kind === LEFT_BRACE || kind === LEFT_BRACKET;
    if (frame?.listed === true) {
      this.itemLine = line;
      this.lines = [];
      this.itemLength = 0;
      this.inexact = new Map();
    }
    const value: JsonValue =
      kind === LEFT_BRACE
        ? {}
        : kind === LEFT_BRACKET
          ? []
          : typeof token === 'string'
            ? this.text(token, frame?.key)
            : token;
    if (frame?.listed === true)
      this.item = { value, start: offset, list: frame, depth: this.frames.length, pointer };
    const { item } = this;
    if (item !== undefined) {
      this.lines.push(line);
      this.itemLength += pointer.length - item.pointer.length;
      if (this.lines.length > maxValues || this.itemLength > maxPointerLength)
        throw new JsonFault({ code: 'json/too-many', params: { most: maxValues } }, line);
      if (inexact !== undefined) this.inexact.set(pointer.slice(item.pointer.length), inexact);
    } else {
      this.outside += 1;
      this.outsideLength += pointer.length + (typeof value === 'string' ? value.length : 0);
      if (this.outside > maxValues || this.outsideLength > maxPointerLength)
        throw new JsonFault({ code: 'json/no-list', params: {} }, line);
      this.lineOfMember(pointer, line);
    }
    if (frame === undefined) this.root = value;
    else if (frame.listed) frame.index += 1;
    else if (frame.list) {
      (frame.value as JsonValue[]).push(value);
      frame.index += 1;
    } else (frame.value as JsonObject)[frame.key ?? unreachable('key of a member')] = value;
    if (frame !== undefined) {
      frame.key = undefined;
      frame.expects = 'next';
    }
    if (opens) {
      if (this.frames.length >= maxDepth)
        throw new JsonFault({ code: 'json/too-deep', params: { most: maxDepth } }, line);
      const list = kind === LEFT_BRACKET;
      const listed = list && item === undefined && this.watch.isListed(pointer);
      const added: Frame = {
        list,
        value: value as JsonObject,
        pointer,
        listed,
        key: undefined,
        index: 0,
        expects: 'first',
      };
      this.frames.push(added);
    } else this.close();
  }

  /** Passes the last closed value on if it is an item of a list. */
  private close(): void {
    const { item, lines, inexact, changes } = this;
    if (item === undefined || this.frames.length !== item.depth) return;
    const { list } = item;
    this.item = undefined;
    this.watch.item(list.pointer, list.index - 1, {
      value: item.value,
      line: this.itemLine,
      lines,
      inexact,
      changes,
    });
    this.changes = [];
  }
}

const tooLarge = (line: number): JsonFault =>
  new JsonFault({ code: 'json/too-large', params: { most: maxItemBytes / 2 ** 20 } }, line);

const shown = (value: JsonValue): string => {
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return text.length > 20 ? `${text.slice(0, 20)}…` : text;
};

/** Formats a value as the text of a cell; undefined for null, an empty text, an object or a list. */
export const cellText = (value: JsonValue | undefined): string | undefined =>
  value === undefined || value === null || value === '' || typeof value === 'object'
    ? undefined
    : String(value);

const NEWLINE = 10;
const BOM = Buffer.from('\ufeff');

/** Returns the word at a byte of a chunk, for the message. */
const wordAt = (chunk: Buffer, at: number): string =>
  /^(?:[^\s,:{}[\]"]{1,20}|[\s\S])/u.exec(chunk.toString('utf8', at, at + 80))?.[0] ?? '';

const NUMBERLIKE = /^[+-]?(?:nan|inf|\.?\d|undefined)/i;

/** Value of a file without the lists whose items were passed on. */
interface JsonOutline {
  readonly value: JsonValue;
  /** Lines of everything outside the items. */
  readonly lines: ReadonlyMap<Pointer, number>;
}

/** Chunk of a text that is being read, and the lines up to it. */
class ReadChunk {
  line = 1;
  bytes: Buffer = Buffer.alloc(0);
  /** Bytes before this chunk. */
  before = 0;
  private nextLine = -1;

  begin(bytes: Buffer): void {
    this.bytes = bytes;
    this.nextLine = bytes.indexOf(NEWLINE);
  }

  /** Returns the line of a byte of the chunk; bytes are asked for in their order. */
  lineAt(at: number): number {
    while (this.nextLine >= 0 && this.nextLine < at) {
      this.line += 1;
      this.nextLine = this.bytes.indexOf(NEWLINE, this.nextLine + 1);
    }
    return this.line;
  }

  end(): void {
    this.lineAt(this.bytes.length);
    this.before += this.bytes.length;
  }
}

/** Returns what is wrong with a text, by the error of the tokenizer. */
function faultOf(error: unknown, chunk: ReadChunk): JsonFault {
  if (error instanceof JsonFault) return error;
  const { bytes } = chunk;
  const message = error instanceof Error ? error.message : String(error);
  const at = /chunk position "(\d+)"/.exec(message)?.[1];
  if (at === undefined)
    return /encoding|encoded/.test(message)
      ? new JsonFault({ code: 'json/not-utf8', params: {} }, badLine(chunk))
      : new JsonFault({ code: 'json/cut', params: {} }, chunk.lineAt(bytes.length));
  const found = wordAt(bytes, Number(at));
  const here = chunk.lineAt(Number(at));
  if (/STRING/.test(message))
    return new JsonFault({ code: 'json/control-character', params: { found: JSON.stringify(found) } }, here);
  if (NUMBERLIKE.test(found)) return new JsonFault({ code: 'json/no-number', params: { found } }, here);
  return new JsonFault({ code: 'json/malformed', params: { found: shown(found) } }, here);
}

/**
 * Parses a JSON text in UTF-8 chunk by chunk; the caller may take items after each chunk.
 * @throws JsonFault on malformed or ambiguous JSON
 */
export async function* readJson(
  chunks: AsyncIterable<Buffer>,
  watch: JsonWatch,
): AsyncGenerator<void, JsonOutline> {
  const lines = new Map<Pointer, number>();
  const builder = new Builder(watch, (pointer, line) => lines.set(pointer, line));
  const tokenizer = new Numbers();
  const chunk = new ReadChunk();
  let reached = 0;
  tokenizer.onToken = ({ token, value, offset }) => {
    reached = offset;
    const inexact = (token as number) === NUMBER ? tokenizer.inexact : undefined;
    builder.token(token, value as JsonValue, chunk.lineAt(offset - chunk.before), offset, inexact);
  };
  // The tokenizer wraps what its listener throws.
  let thrown: unknown;
  tokenizer.onError = (error) => {
    thrown ??= error;
  };
  const feed = (work: () => void): void => {
    try {
      work();
    } catch (error) {
      thrown ??= error;
    }
    if (thrown !== undefined) throw faultOf(thrown, chunk);
  };
  let isFirst = true;
  for await (const bytes of chunks) {
    const hasMark = isFirst && bytes.subarray(0, BOM.length).equals(BOM);
    isFirst = false;
    chunk.begin(hasMark ? bytes.subarray(BOM.length) : bytes);
    feed(() => tokenizer.write(chunk.bytes));
    chunk.end();
    if (chunk.before - reached > maxItemBytes) throw tooLarge(chunk.line);
    yield;
  }
  if (!tokenizer.isEnded) {
    chunk.begin(Buffer.alloc(0));
    feed(() => tokenizer.end());
  }
  const value = builder.complete;
  if (value === undefined) throw new JsonFault({ code: 'json/cut', params: {} }, chunk.line);
  return { value, lines };
}

/** Returns the first line of a chunk that is not UTF-8; a character cut by the chunk's end does not count. */
function badLine(chunk: ReadChunk): number {
  const { bytes } = chunk;
  for (let from = 0; from < bytes.length; ) {
    const next = bytes.indexOf(NEWLINE, from);
    const end = next < 0 ? bytes.length : next;
    if (bytes.toString('utf8', from, end).includes('\ufffd')) return chunk.lineAt(from);
    from = end + 1;
  }
  return chunk.lineAt(bytes.length);
}

/** Returns the line of every part of a value, by its pointer. */
export function linesIn({ value, lines }: Pick<LinedValue, 'value' | 'lines'>): ReadonlyMap<Pointer, number> {
  const found = new Map<Pointer, number>();
  let at = 0;
  const note = (node: JsonValue, pointer: Pointer): void => {
    found.set(pointer, lines[at++] ?? unreachable(`line of ${pointer}`));
    if (Array.isArray(node))
      for (const [index, item] of node.entries()) note(item, childPointer(pointer, index));
    else if (isObject(node))
      for (const [key, member] of Object.entries(node)) note(member, childPointer(pointer, key));
  };
  note(value, '');
  return found;
}
