import { randomBytes } from 'node:crypto';
import { Writable } from 'node:stream';
import type { Language } from '../toolkit/core/issue.js';
import { formatCount, type Phrase, say } from '../toolkit/messages/texts.js';

/** A stream as the terminal needs it; a test hands over its own. */
export interface Sink {
  write(text: string): boolean;
  once(event: 'drain', listener: () => void): unknown;
  readonly writableNeedDrain?: boolean;
  readonly isTTY?: boolean;
  /** Of a terminal. */
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

/** Programs read stdout, people read stderr. */
export interface Terminal {
  readonly language: Language;
  /** Whether a person can answer questions. */
  readonly interactive: boolean;
  /** Whether stderr shows a line that can be rewritten. */
  readonly live: boolean;
  /** How wide stderr is; undefined where it is no terminal. */
  readonly columns: number | undefined;
  /** One line for programs. */
  out(line: string): void;
  /** One line for people. */
  say(line?: string): void;
  /** From here on lines for people are told as this writes them. */
  completing(complete: (line: string) => string): void;
  /** The line at the bottom that changes; blank takes it away. Nothing where stderr is no terminal. */
  status(line: string): void;
  /** Marks a text to be coloured by `say`, and by nothing else. */
  paint(colour: Colour, text: string): string;
  /** Waits until stdout has taken what was written, so that a slow reader costs no memory. */
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
 * Characters that change what a terminal does or the order in which it shows text: C0 but tab and line breaks, DEL, C1,
 * line separators of Unicode, and marks of writing direction.
 */
const UNPRINTABLE =
  '\\r(?!\\n)|[\\u0000-\\u0008\\u000B\\u000C\\u000E-\\u001F\\u007F-\\u009F\\u061C\\u200E\\u200F\\u2028-\\u202E\\u2066-\\u2069]';
const UNPRINTABLES = new RegExp(UNPRINTABLE, 'g');

/** Makes foreign text harmless for people: each such character becomes a dot. */
const printable = (text: string): string => text.replaceAll(UNPRINTABLES, '·');

/** Makes text for programs harmless on a screen: written as JSON escapes them, so that a JSON value stays the same. */
const escaped = (text: string): string =>
  text.replaceAll(UNPRINTABLES, (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`);

const ESCAPE = '\u001B';
const CLEAR_LINE = `\r${ESCAPE}[2K`;

// biome-ignore lint/suspicious/noControlCharactersInRegex: colours take no room
const COLOURS = /\u001B\[\d{1,2}m/g;

/** Lines broken between words, as far as a terminal is wide; what goes on is set in. */
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
  // Only colours that bear this mark came from `paint`; those in foreign text do not know it.
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
    say(line = '') {
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

/** Ctrl-C at a question: nothing goes on. */
export class Interrupted extends Error {
  override readonly name = 'Interrupted';
}

/** A line as it is typed, trimmed; blank at the end of the input. @throws Interrupted at Ctrl-C */
async function readLine(question: string, output: NodeJS.WritableStream = process.stderr): Promise<string> {
  const { createInterface } = await import('node:readline/promises');
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

/** Asks a question whose answer is no unless it is a clear yes. */
export async function askYes(terminal: Terminal, question: string): Promise<boolean> {
  terminal.status('');
  return YES.has((await readLine(`${question} ${say(terminal.language, 'yesNo')} `)).toLowerCase());
}

/** Asks for a secret without showing it. */
export async function askSecret(terminal: Terminal, question: string): Promise<string> {
  terminal.status('');
  const mute = new Writable({ write: (_chunk, _encoding, done) => done() });
  process.stderr.write(printable(question));
  const secret = await readLine('', mute);
  process.stderr.write('\n');
  return secret;
}

/** Asks for a line; blank when nothing was typed. */
export async function askText(terminal: Terminal, question: string): Promise<string> {
  terminal.status('');
  return readLine(question);
}

/** How far a long piece of work has come, told while it runs. */
export interface Progress {
  update(done: number): void;
  /** Takes the line away. */
  finish(): void;
}

interface ProgressOptions {
  readonly what: Phrase;
  /** Unknown while a file is being read. */
  readonly total?: number;
  /** What was done before this began: it says nothing of the pace. @default 0 */
  readonly before?: number;
  /** Milliseconds, never going back. @default performance.now */
  readonly clock?: () => number;
}

const LIVE_EVERY_MS = 100;
const LINE_EVERY_MS = 5_000;

/** `2 min 47 s`, `1 h 05 min`: the two coarsest units. */
export function formatDuration(seconds: number): string {
  const whole = Math.max(0, Math.ceil(seconds));
  if (whole < 60) return `${whole} s`;
  if (whole < 3600) return `${Math.floor(whole / 60)} min ${String(whole % 60).padStart(2, '0')} s`;
  return `${Math.floor(whole / 3600)} h ${String(Math.floor((whole % 3600) / 60)).padStart(2, '0')} min`;
}

/** On a terminal a line that rewrites itself; elsewhere a line every few seconds, so that a log stays short. */
export function createProgress(terminal: Terminal, options: ProgressOptions): Progress {
  const { language } = terminal;
  const clock = options.clock ?? (() => performance.now());
  const every = terminal.live ? LIVE_EVERY_MS : LINE_EVERY_MS;
  const before = options.before ?? 0;
  const started = clock();
  let shown = started;
  if (terminal.live) terminal.status(`${say(language, options.what)}…`);

  const line = (done: number): string => {
    const seconds = (clock() - started) / 1000;
    const rate = seconds > 0 ? (done - before) / seconds : 0;
    const of = options.total === undefined ? '' : `/${formatCount(options.total, language)}`;
    const parts = [`${say(language, options.what)} ${formatCount(done, language)}${of}`];
    if (rate > 0)
      parts.push(say(language, 'rate', { rate: formatCount(Number(rate.toPrecision(3)), language) }));
    if (rate > 0 && options.total !== undefined && done < options.total)
      parts.push(say(language, 'left', { time: formatDuration((options.total - done) / rate) }));
    return parts.join(' · ');
  };

  return {
    update(done) {
      if (clock() - shown < every) return;
      shown = clock();
      if (terminal.live) terminal.status(line(done));
      else terminal.say(line(done));
    },
    finish() {
      terminal.status('');
    },
  };
}
