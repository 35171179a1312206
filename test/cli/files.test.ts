import { mkdirSync, writeFileSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { withFiles } from '../../src/app/files.js';
import { namedValues } from '../../src/app/options.js';
import { workspaceFolder } from '../../src/cli/workspace.js';
import '../../src/families/registry.js';
import { PipelineError } from '../../src/toolkit/core/issue.js';
import { type Format, registerFormat } from '../../src/toolkit/tables/formats.js';
import { freshFolder } from './run-cli.js';

const filesOf = (patterns: readonly string[]) => withFiles(patterns, {}, async ({ files }) => files);

const folder = freshFolder();
beforeAll(() => {
  mkdirSync(join(folder, 'dir.xlsx'));
  for (const name of ['a2.xlsx', 'a10.xlsx', 'b.csv', '~$a2.xlsx', '.h.xlsx', 'x[1].xlsx', 'q?.csv'])
    writeFileSync(join(folder, name), '');
});

describe('files of a call', () => {
  test.each([
    [['*.xlsx'], ['a2.xlsx', 'a10.xlsx', 'x[1].xlsx']],
    [['a?.xlsx'], ['a2.xlsx']],
    [['x[1].*'], ['x[1].xlsx']],
    [
      ['b.csv', '*.csv'],
      ['b.csv', 'q?.csv'],
    ],
    [['q?.csv'], ['q?.csv']],
    [['not-there.xlsx'], ['not-there.xlsx']],
  ])('%j', async (patterns, names) => {
    const found = await filesOf(patterns.map((pattern) => join(folder, pattern)));
    expect(found.map((file) => basename(file))).toEqual(names);
  });

  test('of a folder: tables, and what has the name of a registered format', async () => {
    const format: Format = {
      name: /\.keys$/,
      start: /^keys:/,
      open: () => Promise.reject(new Error('opened')),
      openZip: async () => undefined,
    };
    const mixed = join(folder, 'mixed');
    mkdirSync(mixed);
    for (const name of ['a.keys', 'b.xml', 'c.csv', 'd.pdf']) writeFileSync(join(mixed, name), '');
    const names = async () => (await filesOf([mixed])).map((file) => basename(file));
    expect(await names()).toEqual(['b.xml', 'c.csv']);
    registerFormat(format);
    expect(await names()).toEqual(['a.keys', 'b.xml', 'c.csv']);
  });

  test('a pattern without a match', async () => {
    await expect(filesOf([join(folder, '*.txt')])).rejects.toThrow('run/no-match');
    await expect(filesOf([join(folder, 'none', '*.csv')])).rejects.toThrow('run/no-match');
  });
});

test('pairs of the command line', () => {
  expect(namedValues('-p', ['a=1', 'b=x=y', 'a=2', 'c='])).toEqual({ a: '2', b: 'x=y', c: '' });
  for (const pair of ['a', '=1']) expect(() => namedValues('-p', [pair])).toThrow(PipelineError);
});

test.each([
  [{ CARGUE_WORKSPACE: '/w' }, 'linux', '/w'],
  [{}, 'linux', '/home/u/.local/share/cargue'],
  [{ XDG_DATA_HOME: '/x' }, 'linux', '/x/cargue'],
  [{}, 'darwin', '/home/u/Library/Application Support/cargue'],
  [{ LOCALAPPDATA: '/l' }, 'win32', '/l/cargue'],
] as const)('workspace of %o on %s', (env, platform, expected) => {
  expect(resolve(workspaceFolder(env, platform, '/home/u'))).toBe(resolve(expected));
});
