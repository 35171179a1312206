import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { COMMANDS } from '../../src/cli/command-table.js';
import { type IssueCode, issueOf } from '../../src/core/issue.js';
import { CODES } from '../../src/generated/codes.js';
import { word } from '../../src/messages/wording.js';

const entries = Object.entries(CODES);
const texts = entries.flatMap(([code, { title, message, fix }]) =>
  [title, message, fix].flatMap(({ es, en }) => [
    [code, es],
    [code, en],
  ]),
) as [string, string][];

test('every code has the form of one and is worded in both languages', () => {
  expect(entries.map(([code]) => code).filter((code) => !/^[a-z]+\/[a-z0-9-]+$/.test(code))).toEqual([]);
  expect(texts.filter(([, text]) => text.trim() === '')).toEqual([]);
});

test('texts promise no command that is not there', () => {
  const commands = new Set<string>(COMMANDS.map(({ name }) => name));
  const named = texts.flatMap(([code, text]) =>
    [
      ...text.matchAll(
        /cargue ([a-z]+(?: (?:list|show|lint|path|openapi|add|export|backup|abandon|adopt|purge|import|pull))?)/g,
      ),
    ].map((match) => [code, match[1]!] as const),
  );
  expect(named.length).toBeGreaterThan(10);
  expect(named.filter(([, command]) => !commands.has(command))).toEqual([]);
});

test('every code that the program says is in the table', () => {
  const sources = readdirSync('src', { recursive: true, encoding: 'utf8' }).filter(
    (file) => /\.ts$/.test(file) && !file.includes('codes'),
  );
  const said = sources.flatMap((file) =>
    [
      ...readFileSync(join('src', file), 'utf8').matchAll(
        /(?:code: |CellFault\(|report\([^']*, )'([a-z]+\/[a-z-]+)'/g,
      ),
    ].map((match) => match[1]!),
  );
  expect(said.length).toBeGreaterThan(50);
  expect(said.filter((code) => CODES[code] === undefined)).toEqual([]);
});

test('an unknown code shows itself', () => {
  expect(word(issueOf('x/y' as IssueCode, 'error', {}), 'es').message).toBe('x/y');
});
