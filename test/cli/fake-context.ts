import { join } from 'node:path';
import type { Context } from '../../src/app/context.js';
import { onTerminal, type TerminalContext } from '../../src/cli/run.js';
import { readOutput } from '../support/output-schema.js';
import { type Event, freshFolder } from './run-cli.js';
import { type Screen, screen } from './screen.js';

export interface Fake {
  readonly context: TerminalContext & Context;
  readonly shown: Screen;
  /** Questions that were asked, in order. */
  readonly asked: string[];
  /** Presses Ctrl-C. */
  interrupt(): void;
  events(): readonly Event[];
}

export interface FakeOptions {
  readonly url?: string;
  readonly token?: string;
  readonly workspace?: string;
  /** Answers a person will give; none, and nobody is there. */
  readonly answers?: readonly boolean[];
  /** Lines a person will type. */
  readonly lines?: readonly string[];
  /** What a person types after reading the screen; instead of `lines`. */
  readonly reads?: (said: readonly string[]) => string;
  /** What a person will type unseen; without any, the token. */
  readonly secrets?: readonly string[];
  /** Called with every line for people. */
  readonly onSay?: (line: string) => void;
  /** @default NOW */
  readonly now?: () => Date;
}

export const NOW = new Date('2026-11-21T15:00:00Z');

/** A call of the program without a process: remembers what was said and asked. */
export function fake({
  url,
  token,
  workspace,
  answers,
  lines: typed,
  secrets,
  reads,
  onSay,
  now = () => NOW,
}: FakeOptions = {}): Fake {
  const shown = screen();
  const asked: string[] = [];
  const left = [...(answers ?? [])];
  const lines = [...(typed ?? [])];
  const unseen = [...(secrets ?? [])];
  const listeners: (() => void)[] = [];
  const terminal = {
    ...shown.terminal,
    interactive: answers !== undefined || typed !== undefined || reads !== undefined,
    print(line?: string) {
      shown.terminal.print(line);
      onSay?.(line ?? '');
    },
  };
  const call: TerminalContext = {
    terminal,
    language: 'es',
    now,
    ...(url !== undefined && { url }),
    ...(token !== undefined && { token }),
    workspace: workspace ?? join(freshFolder(), 'workspace'),
    prompts: {
      async yes(question) {
        asked.push(question);
        return left.shift() ?? false;
      },
      async secret() {
        asked.push('secret');
        return unseen.shift() ?? token ?? '';
      },
      async text(question) {
        asked.push(question);
        return reads?.(shown.said()) ?? lines.shift() ?? '';
      },
    },
    onInterrupt(first, second) {
      listeners.push(first, second);
      return () => undefined;
    },
  };
  return {
    context: onTerminal(call, {}),
    shown,
    asked,
    interrupt: () => listeners.shift()?.(),
    events: () => readOutput<Event>(shown.out().filter((line) => line.startsWith('{"event"'))),
  };
}
