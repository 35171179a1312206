import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { createProgram } from '../../src/cli/command-line.js';
import { COMMANDS } from '../../src/cli/command-table.js';
import type { Language } from '../../src/toolkit/core/issue.js';
import { packagesOf } from '../support/packages-of.js';

function helpOf(words: readonly string[], language: Language): string {
  let text = '';
  const write = (part: string): void => {
    text += part;
  };
  const dispatch = async (): Promise<void> => undefined;
  const program = createProgram({ language, version: '0.0.0', write, dispatch });
  expect(() => program.parse([...words, '--help'], { from: 'user' })).toThrow();
  return text;
}

const golden = (name: string, language: Language): string =>
  fileURLToPath(new URL(`../golden/help/${name.replace(' ', '-')}.${language}.txt`, import.meta.url));

describe.each<Language>(['es', 'en'])('help in %s', (language) => {
  test('of the program', async () => {
    await expect(helpOf([], language)).toMatchFileSnapshot(golden('cargue', language));
  });

  test.each(COMMANDS.map(({ name }) => name))('of %s', async (name) => {
    await expect(helpOf(name.split(' '), language)).toMatchFileSnapshot(golden(name, language));
  });
});

test('a command that is not for people does not show', () => {
  expect(helpOf([], 'es')).not.toMatch(/^ {2}demo/m);
});

test('help loads neither the writer of workbooks, nor the client, the validator or the sandbox', () => {
  const program = new URL('../../src/cli/process.ts', import.meta.url);
  expect([...packagesOf(program)].sort()).toEqual(['commander', 'fastest-levenshtein']);
  expect([...packagesOf(new URL('../app/check.ts', program))]).toContain('csv-parse');
});
