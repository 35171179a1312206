import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { AppEvent } from '../../src/app/events.js';
import { maskFor } from '../../src/app/mask.js';
import { createRenderer } from '../../src/cli/render.js';
import type { Issue } from '../../src/toolkit/core/issue.js';
import { callCli, freshFolder } from './run-cli.js';
import { screen } from './screen.js';

/** Colour, title of the window, clear screen, C1 control, line start, and a text that is shown backwards. */
const HOSTILE = '\u001B[31mR\u001B]0;t\u0007\u001B[2J\u009B2K\r\u202Exslx\u2066\u200F\u2028\u007F';
/** What no terminal may get of it. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are just what is looked for
const UNSAFE = /[\u0000-\u0008\u000B-\u001F\u007F-\u009F\u061C\u200E\u200F\u2028-\u202E\u2066-\u2069]/;

const issue = (given: object): AppEvent => ({
  event: 'issue',
  issue: {
    code: 'cell/not-a-number',
    level: 'error',
    params: {},
    place: { file: 'n.csv', row: 2 },
    ...given,
  } as Issue,
});

const EVENTS: Readonly<Record<string, AppEvent>> = {
  'value of a cell': issue({ value: HOSTILE }),
  suggestion: issue({ value: 'x', suggestions: [{ value: HOSTILE, score: 1 }] }),
  title: issue({ place: { file: 'n.csv', row: 2, label: HOSTILE } }),
  sheet: issue({ place: { file: 'n.xlsx', sheet: HOSTILE, row: 2, column: 'B' } }),
  'file name': issue({ place: { file: HOSTILE, row: 2 } }),
  'message of the service': issue({
    code: 'remote/rejected',
    params: { rule: HOSTILE, text: HOSTILE },
    value: HOSTILE,
  }),
  'warning about the call': {
    event: 'remark',
    issue: { code: 'cell/not-a-number', level: 'warning', params: {}, place: { file: HOSTILE } },
  },
  text: { event: 'text', text: HOSTILE },
  'name of a mapping': { event: 'remembered', name: HOSTILE, at: '2026-10-01T00:00:00Z' },
  profile: { event: 'profile', profile: HOSTILE, environment: 'test', url: HOSTILE, company: HOSTILE },
  value: { event: 'value', value: { [HOSTILE]: HOSTILE } },
};

describe.each([{ json: false }, { json: true }])('%o', (options) => {
  test.each(Object.entries(EVENTS))('%s reaches no terminal as it is', (_, event) => {
    const { terminal, raw, out } = screen();
    const tell = createRenderer(terminal, { ...options, mask: maskFor(true), command: (next) => next });
    tell(event);
    tell({ event: 'issues-end' });
    const shown = [...raw().split('\n'), ...out()];
    expect(shown.filter((line) => UNSAFE.test(line))).toEqual([]);
    expect(shown.join('')).toContain('xslx');
  });
});

test('what programs are told is the same value all the same', () => {
  const { terminal, out } = screen();
  terminal.out(JSON.stringify({ value: HOSTILE }));
  expect(JSON.parse(out()[0]!)).toEqual({ value: HOSTILE });
});

test('the colours of the program itself are shown, and no others', () => {
  const { terminal, said } = screen({ live: true, noColour: false });
  terminal.print(`${terminal.paint('red', '✗ ')}\u001B[32mfine`);
  expect(said()).toEqual(['\u001B[31m✗ \u001B[39m·[32mfine']);
});

const PARAMS = ['prefix=NE', 'month=2026-10', 'issue_date=2026-10-31'].flatMap((one) => ['-p', one]);

test('a file, its title and its cell, through a whole check', async () => {
  const folder = freshFolder();
  mkdirSync(folder, { recursive: true });
  const hostile = '\u001B[31m\u202Etxt\u009B';
  const name = 'n\u202Efdp.csv';
  writeFileSync(join(folder, name), `Documento;${hostile}Sueldo;Sueldo\n1;${hostile};${hostile}9x\n`);
  const { stdout, stderr } = await callCli(
    ['check', name, '-m', 'payroll/wide', '--show-values', ...PARAMS],
    { folder },
  );
  expect(stderr).toContain('fdp.csv');
  expect((stdout + stderr).split('\n').filter((line) => UNSAFE.test(line))).toEqual([]);
});
