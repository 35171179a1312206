import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { COMMANDS } from '../../src/cli/command-table.js';
import { CODES } from '../../src/generated/codes.js';
import { GROUPS } from '../../src/generated/texts-help.js';
import { type Issue, type IssueCode, issueOf } from '../../src/toolkit/core/issue.js';
import { listTitle, word } from '../../src/toolkit/messages/wording.js';
import { ruleEntry } from '../../src/toolkit/schema/rule-data.js';

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
    [...text.matchAll(/cargue ([a-z]+)(?: ([a-z]+))?/g)].map(([, word = '', next]) => {
      const isGroup = Object.hasOwn(GROUPS, word);
      return [code, isGroup ? `${word} ${next}` : word] as const;
    }),
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

describe('code lists are named in words', () => {
  const names = (folder: string): string[] =>
    readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter((file) => /\.(yaml|json)$/.test(file))
      .flatMap((file) => [
        ...readFileSync(join(folder, file), 'utf8').matchAll(/"?(?:x-)?catalogue"?: *"?([a-z]\w+)/g),
      ])
      .map(([, name]) => name!);

  test('every list that a mapping or a schema asks has a title', () => {
    const asked = new Set([...names('mappings'), ...names('schemas')]);
    expect(asked).toContain('type_contracts');
    expect([...asked].filter((name) => listTitle(name, 'es') === name)).toEqual([]);
  });

  test('in what is said, not in what is typed', () => {
    const issue: Issue = {
      code: 'lookup/unknown',
      level: 'error',
      params: { catalogue: 'type_contracts' },
      place: {},
      value: 'FIJISIMO',
    };
    const { message, fix } = word(issue, 'es');
    expect(message).toBe('«FIJISIMO» no está en la lista de tipos de contrato.');
    expect(fix).toContain('cargue catalogue show type_contracts');
    expect(word(issue, 'en').message).toBe('"FIJISIMO" is not in the list of types of contract.');
  });
});

test.each([
  ['payroll/late', { due: '2026-11-10', late: '2026-11-13' }, undefined, ['10/11/2026', '13/11/2026']],
  ['payroll/issue-before-end', { end: '2026-10-31' }, '2026-10-05', ['05/10/2026', '31/10/2026']],
  ['payroll/issue-before-end', { end: '2026-10-31' }, 'cinco', ['cinco', '31/10/2026']],
  [
    'rips/service-before-birth',
    { date: '2026-10-31 08:30', birth: '2026-12-01' },
    undefined,
    ['31/10/2026 08:30', '01/12/2026'],
  ],
] as const)('%s says days as people write them', (code, params, value, days) => {
  const issue = { ...issueOf(code as IssueCode, 'error', params), ...(value !== undefined && { value }) };
  const { message } = word(issue, 'es', ruleEntry);
  for (const day of days) expect(message).toContain(day);
  expect(message).not.toMatch(/\d{4}-\d\d-\d\d/);
});
