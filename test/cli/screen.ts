import { createTerminal, type Terminal } from '../../src/cli/terminal.js';
import type { Language } from '../../src/toolkit/core/issue.js';

export interface Screen {
  readonly terminal: Terminal;
  /** Lines that people saw. */
  said(): readonly string[];
  /** Lines that programs read. */
  out(): readonly string[];
  /** All that went to stderr, as it came. */
  raw(): string;
}

const linesOf = (text: string): readonly string[] => text.split('\n').slice(0, -1);

/** A terminal that remembers. */
export function screen({ live = false, language = 'es' as Language, noColour = true } = {}): Screen {
  let stderr = '';
  let stdout = '';
  const sink = (take: (text: string) => void) => ({
    isTTY: live,
    once: () => undefined,
    write(text: string) {
      take(text);
      return true;
    },
  });
  const terminal = createTerminal({
    stdin: { isTTY: live },
    stdout: sink((text) => {
      stdout += text;
    }),
    stderr: sink((text) => {
      stderr += text;
    }),
    language,
    noColour,
  });
  return { terminal, said: () => linesOf(stderr), out: () => linesOf(stdout), raw: () => stderr };
}
