import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
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

test.each(entries)(
  '%s has the form of a code and is worded in both languages',
  (code, { title, message, fix }) => {
    expect(code).toMatch(/^[a-z]+\/[a-z0-9-]+$/);
    for (const { es, en } of [title, message, fix]) expect([es.trim(), en.trim()]).not.toContain('');
  },
);

describe('texts promise nothing that is not there', () => {
  const commands = new Set(COMMANDS.map(({ name }) => name));
  const named = texts.flatMap(([code, text]) =>
    [
      ...text.matchAll(
        /cargue ([a-z]+(?: (?:list|show|lint|path|openapi|add|export|backup|abandon|adopt|purge|import|pull))?)/g,
      ),
    ].map((match) => [code, match[1]!] as const),
  );
  test.each(named)('%s: cargue %s', (_, command) => expect([...commands]).toContain(command));
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
