import type { Language } from '../issues/issue.js';

/** A stream as the terminal needs it; a test hands over its own. */
export interface Sink {
  write(text: string): boolean;
  once(event: 'drain', listener: () => void): unknown;
  readonly writableNeedDrain?: boolean;
  readonly isTTY?: boolean;
}

export type Colour = 'red' | 'yellow' | 'green' | 'dim' | 'bold';

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
  /** One line for programs. */
  out(line: string): void;
  /** One line for people. */
  say(line?: string): void;
  /** The line at the bottom that changes; blank takes it away. Nothing where stderr is no terminal. */
  status(line: string): void;
  paint(colour: Colour, text: string): string;
  /** Waits until stdout has taken what was written, so that a slow reader costs no memory. */
  drained(): Promise<void>;
}

export interface TerminalOptions {
  readonly stdin: { readonly isTTY?: boolean };
  readonly stdout: Sink;
  readonly stderr: Sink;
  readonly language: Language;
  readonly noColour: boolean;
}

/** Control characters of a file must not move the cursor of whoever reads about them; colours may pass. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are just what must go
const CONTROLS = /[\u0000-\u0008\u000B-\u001A\u001C-\u001F\u007F-\u009F]|\u001B(?!\[\d{1,2}m)/g;
const ESCAPE = '\u001B';
const CLEAR_LINE = `\r${ESCAPE}[2K`;

export function createTerminal(options: TerminalOptions): Terminal {
  const { stdout, stderr, language } = options;
  const live = stderr.isTTY === true;
  const coloured = live && !options.noColour;
  let bottom = '';
  return {
    language,
    interactive: options.stdin.isTTY === true && live,
    live,
    out(line) {
      stdout.write(`${line}\n`);
    },
    say(line = '') {
      const clean = line.replaceAll(CONTROLS, '·');
      stderr.write(bottom === '' ? `${clean}\n` : `${CLEAR_LINE}${clean}\n${bottom}`);
    },
    status(line) {
      if (!live || line === bottom) return;
      bottom = line;
      stderr.write(`${CLEAR_LINE}${line}`);
    },
    paint(colour, text) {
      if (!coloured) return text;
      const [on, off] = CODES[colour];
      return `${ESCAPE}[${on}m${text}${ESCAPE}[${off}m`;
    },
    async drained() {
      if (stdout.writableNeedDrain) await new Promise<void>((resolve) => stdout.once('drain', resolve));
    },
  };
}
