import { formatCount, type Phrase, say } from './say.js';
import type { Terminal } from './terminal.js';

/** How far a long piece of work has come, told while it runs. */
export interface Progress {
  update(done: number): void;
  /** Takes the line away. */
  finish(): void;
}

export interface ProgressOptions {
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
