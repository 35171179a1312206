import { randomBytes } from 'node:crypto';
import { Writable } from 'node:stream';
import type { Language } from '../toolkit/core/issue.js';
import { formatCount, type Phrase, translate } from '../toolkit/messages/texts.js';

/** Output stream of a terminal; replaced in tests. */
export interface Sink {
  write(text: string): boolean;
  once(event: 'drain', listener: () => void): unknown;
  readonly writableNeedDrain?: boolean;
  readonly isTTY?: boolean;
  /** Width of a terminal. */
  readonly columns?: number;
}

type Colour = 'red' | 'yellow' | 'green' | 'dim' | 'bold';

const CODES: Readonly<Record<Colour, readonly [on: number, off: number]>> = {
  red: [31, 39],
  yellow: [33, 39],
  green: [32, 39],
  dim: [2, 22],
  bold: [1, 22],
};

/** Output: stdout for programs, stderr for users. */
export interface Terminal {
  readonly language: Language;
  /** True if a user can answer questions. */
  readonly interactive: boolean;
  /** True if a line of stderr can be rewritten. */
  readonly live: boolean;
  /** Width of stderr; undefined if it is no terminal. */
  readonly columns: number | undefined;
  /** Prints a line for programs. */
  out(line: string): void;
  /** Prints a line for users. */
  print(line?: string): void;
  /** Sets a transformation of the lines for users. */
  completing(complete: (line: string) => string): void;
  /** Sets the status line at the bottom; blank removes it. Does nothing if stderr is no terminal. */
  status(line: string): void;
  /** Marks a text to be coloured by `print` only. */
  paint(colour: Colour, text: string): string;
  /** Waits until stdout has written its buffer, so that a slow reader costs no memory. */
  drained(): Promise<void>;
}

interface TerminalOptions {
  readonly stdin: { readonly isTTY?: boolean };
  readonly stdout: Sink;
  readonly stderr: Sink;
  readonly language: Language;
  readonly noColour: boolean;
}

/**
 * Characters that control a terminal or the order of text: C0 except tab and line breaks, DEL, C1, Unicode line
 * separators and direction marks.
 */
const UNPRINTABLE =
  '\\r(?!\\n)|[\\u0000-\\u0008\\u000B\\u000C\\u000E-\\u001F\\u007F-\\u009F\\u061C\\u200E\\u200F\\u2028-\\u202E\\u2066-\\u2069]';
const UNPRINTABLES = new RegExp(UNPRINTABLE, 'g');

/** Replaces control characters by dots, in text for users. */
const printable = (text: string): string => text.replaceAll(UNPRINTABLES, '·');

/** Escapes control characters as JSON does, in text for programs, so that a JSON value stays the same. */
const escaped = (text: string): string =>
  text.replaceAll(UNPRINTABLES, (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`);

const ESCAPE = '\u001B';
const CLEAR_LINE = `\r${ESCAPE}[2K`;

// biome-ignore lint/suspicious/noControlCharactersInRegex: colours take no room
const COLOURS = /\u001B\[\d{1,2}m/g;

/** Wraps lines between words at the terminal's width; continued lines are indented. */
export function wrapped(text: string, columns: number | undefined): string {
  if (columns === undefined || columns < 20) return text;
  const sizeOf = (part: string): number => part.replaceAll(COLOURS, '').length;
  return text
    .split('\n')
    .map((line) => {
      if (sizeOf(line) <= columns || / {3}/.test(line.trim())) return line; // a table keeps its columns
      const [start = ''] = /^ */.exec(line) ?? [];
      let size = start.length;
      const parts = [start];
      for (const word of line.slice(start.length).split(' ')) {
        const isFirst = parts.length === 1;
        if (!isFirst && size + 1 + sizeOf(word) > columns) {
          parts.push(`\n${start}  ${word}`);
          size = start.length + 2 + sizeOf(word);
        } else {
          parts.push(isFirst ? word : ` ${word}`);
          size += sizeOf(word) + (isFirst ? 0 : 1);
        }
      }
      return parts.join('');
    })
    .join('\n');
}

export function createTerminal(options: TerminalOptions): Terminal {
  const { stdout, stderr, language } = options;
  const live = stderr.isTTY === true;
  const coloured = live && !options.noColour;
  const columns = (): number | undefined => (live ? stderr.columns : undefined);
  // Colours of `paint` bear this mark, which foreign text cannot know.
  const mark = randomBytes(8).toString('hex');
  const markedOrUnprintable = new RegExp(`${ESCAPE}${mark}(\\[\\d{1,2}m)|${UNPRINTABLE}`, 'g');
  const clean = (line: string): string =>
    line.replaceAll(markedOrUnprintable, (_, colour?: string) =>
      colour === undefined ? '·' : `${ESCAPE}${colour}`,
    );
  let bottom = '';
  let complete = (line: string): string => line;
  return {
    language,
    interactive: options.stdin.isTTY === true && live,
    live,
    get columns() {
      return columns();
    },
    out(line) {
      stdout.write(`${escaped(line)}\n`);
    },
    print(line = '') {
      const shown = wrapped(clean(complete(line)), columns());
      stderr.write(bottom === '' ? `${shown}\n` : `${CLEAR_LINE}${shown}\n${bottom}`);
    },
    completing(given) {
      complete = given;
    },
    status(line) {
      if (!live || printable(line) === bottom) return;
      bottom = printable(line);
      stderr.write(`${CLEAR_LINE}${bottom}`);
    },
    paint(colour, text) {
      if (!coloured) return text;
      const [on, off] = CODES[colour];
      return `${ESCAPE}${mark}[${on}m${text}${ESCAPE}${mark}[${off}m`;
    },
    async drained() {
      if (stdout.writableNeedDrain) await new Promise<void>((resolve) => stdout.once('drain', resolve));
    },
  };
}

const YES = new Set(['s', 'si', 'sí', 'y', 'yes']);

export class Interrupted extends Error {
  override readonly name = 'Interrupted';
}

/** Reads a line, trimmed; blank at the end of the input. @throws Interrupted at Ctrl-C */
async function readLine(question: string, output: NodeJS.WritableStream = process.stderr): Promise<string> {
  const { createInterface } = process.getBuiltinModule('node:readline/promises');
  const reader = createInterface({ input: process.stdin, output, terminal: process.stdin.isTTY === true });
  try {
    return await new Promise<string>((resolve, reject) => {
      reader.on('SIGINT', () => reject(new Interrupted()));
      reader.on('close', () => resolve(''));
      reader.question(printable(question)).then((line) => resolve(line.trim()), reject);
    });
  } catch (error) {
    process.stderr.write('\n');
    throw error;
  } finally {
    reader.close();
  }
}

/** Asks a yes/no question; returns true only for a clear yes. */
export async function askYes(terminal: Terminal, question: string): Promise<boolean> {
  terminal.status('');
  return YES.has((await readLine(`${question} ${translate(terminal.language, 'yesNo')} `)).toLowerCase());
}

/** Asks for a secret without echo. */
export async function askSecret(terminal: Terminal, question: string): Promise<string> {
  terminal.status('');
  const mute = new Writable({ write: (_chunk, _encoding, done) => done() });
  process.stderr.write(printable(question));
  const secret = await readLine('', mute);
  process.stderr.write('\n');
  return secret;
}

/** Asks for a line; blank if nothing was typed. */
export async function askText(terminal: Terminal, question: string): Promise<string> {
  terminal.status('');
  return readLine(question);
}

/** Progress of a long task. */
export type Progress = ReturnType<typeof createProgress>;

interface ProgressOptions {
  readonly what: Phrase;
  /** Undefined while a file is being read. */
  readonly total?: number;
  /** Count done before this task, which does not count for its rate. @default 0 */
  readonly before?: number;
  /** Returns monotonic milliseconds. @default performance.now */
  readonly clock?: () => number;
}

const LIVE_EVERY_MS = 100;
const LINE_EVERY_MS = 5_000;

/** Formats a duration in its two largest units: `2 min 47 s`, `1 h 05 min`. */
export function formatDuration(seconds: number): string {
  const rounded = Math.max(0, Math.ceil(seconds));
  if (rounded < 60) return `${rounded} s`;
  if (rounded < 3600) return `${Math.floor(rounded / 60)} min ${String(rounded % 60).padStart(2, '0')} s`;
  return `${Math.floor(rounded / 3600)} h ${String(Math.floor((rounded % 3600) / 60)).padStart(2, '0')} min`;
}

/** Creates a progress line: rewritten on a terminal, else printed every few seconds to keep logs short. */
export function createProgress(terminal: Terminal, options: ProgressOptions) {
  const { language } = terminal;
  const clock = options.clock ?? (() => performance.now());
  const every = terminal.live ? LIVE_EVERY_MS : LINE_EVERY_MS;
  const before = options.before ?? 0;
  const started = clock();
  let shown = started;
  if (terminal.live) terminal.status(`${translate(language, options.what)}…`);

  const line = (done: number): string => {
    const seconds = (clock() - started) / 1000;
    const rate = seconds > 0 ? (done - before) / seconds : 0;
    const of = options.total === undefined ? '' : `/${formatCount(options.total, language)}`;
    const parts = [`${translate(language, options.what)} ${formatCount(done, language)}${of}`];
    if (rate > 0)
      parts.push(translate(language, 'rate', { rate: formatCount(Number(rate.toPrecision(3)), language) }));
    if (rate > 0 && options.total !== undefined && done < options.total)
      parts.push(translate(language, 'left', { time: formatDuration((options.total - done) / rate) }));
    return parts.join(' · ');
  };

  return {
    update(done: number): void {
      if (clock() - shown < every) return;
      shown = clock();
      if (terminal.live) terminal.status(line(done));
      else terminal.print(line(done));
    },
    /** Removes the line. */
    finish(): void {
      terminal.status('');
    },
  };
}
