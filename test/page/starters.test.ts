import { spawnSync } from 'node:child_process';
import { chmodSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { freshFolder } from '../cli/run-cli.js';

const SAID = /Node 20\.19 o posterior.*https:\/\/nodejs\.org.*Node 20\.19 or newer.*https:\/\/nodejs\.org/s;

/** A folder with a Node of that version, as far as the starter looks. */
function nodeOf(version: string): string {
  const folder = freshFolder();
  const file = join(folder, 'node');
  const asked = '"const process = { versions: { node: \'$V\' }, exit: globalThis.process.exit }; $2"';
  writeFileSync(
    file,
    `#!/bin/sh\nV=${version}\nif [ "$1" = -e ]; then exec ${process.execPath} -e ${asked}; fi\necho started "$@"\n`,
  );
  chmodSync(file, 0o755);
  return folder;
}

const start = (path: string, ...words: readonly string[]) =>
  spawnSync('/bin/sh', ['cargue.command', ...words], {
    env: { PATH: path },
    encoding: 'utf8',
    input: '\n',
  });

describe.skipIf(process.platform === 'win32')('a double-click on macOS', () => {
  test.each(['20.19.0', '22.1.0'])('starts the page with Node %s', (version) => {
    const { status, stdout } = start(nodeOf(version));
    expect([status, stdout]).toEqual([0, 'started ./dist/cli/main.js web\n']);
  });

  test('with words it is the command', () => {
    const { status, stdout } = start(nodeOf('22.1.0'), 'check', 'mi nomina.xlsx');
    expect([status, stdout]).toEqual([0, 'started ./dist/cli/main.js check mi nomina.xlsx\n']);
  });

  test.each(['20.18.3', '18.20.0'])('says where Node is had instead of %s', (version) => {
    const { status, stdout } = start(nodeOf(version));
    expect(status).toBe(1);
    expect(stdout).toMatch(SAID);
    expect(stdout).toMatch(/Enter/);
  });

  test('and where there is none', () => {
    const { status, stdout } = start(freshFolder());
    expect([status, stdout]).toEqual([1, expect.stringMatching(SAID)]);
  });
});

test('the starter of Windows says the same, in lines that it reads', () => {
  const text = readFileSync('cargue.cmd', 'utf8');
  expect(text).toMatch(SAID);
  expect(text.replaceAll('\r\n', '')).not.toMatch(/[\r\n]/);
  const labels = [...text.matchAll(/^:(\w+)/gm)].map(([, label]) => label);
  expect([...text.matchAll(/goto (\w+)/g)].map(([, label]) => label)).toEqual(expect.arrayContaining(labels));
  for (const [, label] of text.matchAll(/goto (\w+)/g)) expect(labels).toContain(label);
});
