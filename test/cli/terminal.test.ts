import { describe, expect, test } from 'vitest';
import { createProgress, formatDuration } from '../../src/cli/terminal.js';
import { screen } from './screen.js';

describe('colours', () => {
  test.each([
    [{ live: true, noColour: false }, '\u001B[31mx\u001B[39m'],
    [{ live: true, noColour: true }, 'x'],
    [{ live: false, noColour: false }, 'x'],
  ])('%o', (options, expected) => {
    const { terminal, said } = screen(options);
    terminal.print(terminal.paint('red', 'x'));
    expect(said()).toEqual([expected]);
  });

  test('control characters of a file do not reach the screen', () => {
    const { terminal, said } = screen();
    terminal.print('a\u001B]0;title\u0007b\u001B[2Jc\u009Bd\u001B[31me');
    expect(said()).toEqual(['a·]0;title·b·[2Jc·d·[31me']);
  });
});

describe('progress', () => {
  const ticking = (live: boolean) => {
    let now = 0;
    const shown = screen({ live });
    const progress = createProgress(shown.terminal, { what: 'sending', total: 1000, clock: () => now });
    const at = (ms: number, done: number): void => {
      now = ms;
      progress.update(done);
    };
    return { shown, progress, at };
  };

  test('a log gets a line every five seconds, with rate and time left', () => {
    const { shown, at } = ticking(false);
    at(100, 1);
    at(4_900, 49);
    at(5_000, 50);
    at(5_100, 51);
    at(10_000, 200);
    expect(shown.said()).toEqual([
      'Enviando 50/1.000 · 10/s · faltan 1 min 35 s',
      'Enviando 200/1.000 · 20/s · faltan 40 s',
    ]);
  });

  test('what was done before says nothing of the pace', () => {
    let now = 0;
    const shown = screen();
    const progress = createProgress(shown.terminal, {
      what: 'sending',
      total: 1000,
      before: 900,
      clock: () => now,
    });
    now = 5_000;
    progress.update(950);
    expect(shown.said()).toEqual(['Enviando 950/1.000 · 10/s · faltan 5 s']);
  });

  test('a terminal gets one line that rewrites itself and goes away', () => {
    const { shown, progress, at } = ticking(true);
    at(1_000, 10);
    shown.terminal.print('hola');
    progress.finish();
    const line = 'Enviando 10/1.000 · 10/s · faltan 1 min 39 s';
    expect(shown.raw()).toBe(`\r\u001B[2KEnviando…\r\u001B[2K${line}\r\u001B[2Khola\n${line}\r\u001B[2K`);
  });

  test.each([
    [0.2, '1 s'],
    [59, '59 s'],
    [61, '1 min 01 s'],
    [3_900, '1 h 05 min'],
  ])('%d seconds', (seconds, text) => {
    expect(formatDuration(seconds)).toBe(text);
  });
});
