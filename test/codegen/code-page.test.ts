import { describe, expect, test } from 'vitest';
import { readCodes } from '../../src/codegen/messages.js';
import { codePage, rulesOf } from '../../src/codegen/pages.js';
import { readRuleFiles } from '../../src/codegen/schema-files.js';
import { CODES } from '../../src/generated/codes.js';
import { packageFile } from '../../src/toolkit/core/package-file.js';
import { ruleAuthority, ruleCodes, ruleEntry } from '../../src/toolkit/schema/rule-data.js';

const page = codePage(readCodes('.'), readRuleFiles(packageFile('schemas')).flatMap(rulesOf));
const stages = page.split(/^## /m).slice(1);
const codesIn = (text: string): string[] => [...text.matchAll(/^### (.+)$/gm)].map((match) => match[1]!);
const sectionOf = (code: string): string =>
  page.split(/^### /m).find((text) => text.startsWith(`${code}\n`))!;

test('has every code of the program and of the rules, once', () => {
  expect(codesIn(page).sort()).toEqual([...Object.keys(CODES), ...ruleCodes()].sort());
});

describe('each stage', () => {
  test.each(stages.map((text) => [text.slice(0, text.indexOf('\n')), text]))('%s', (heading, text) => {
    const codes = codesIn(text);
    expect(heading, 'add its words to src/codegen/pages.ts').toMatch(/^[a-z]+: .+ \/ .+$/);
    expect(codes).toEqual([...codes].sort());
    expect(codes.filter((code) => !code.startsWith(`${heading.split(':')[0]}/`))).toEqual([]);
  });
});

test('says level, title, message and fix in both languages, placeholders as they are', () => {
  const { level, title, message, fix } = CODES['header/field-count']!;
  for (const text of [`**${level}**`, title.es, title.en, message.es, message.en, fix.es, fix.en])
    expect(sectionOf('header/field-count')).toContain(text);
  expect(sectionOf('header/field-count')).toContain('{wanted}');
});

test('names what the authority calls a rule', () => {
  const known = ruleCodes().filter((code) => ruleAuthority(code) !== undefined);
  expect(known.length).toBeGreaterThan(10);
  for (const code of known) expect(sectionOf(code)).toContain(`\`${ruleAuthority(code)}\``);
  expect(sectionOf('payroll/accrued-total')).toContain('NIE187');
  expect(sectionOf('payroll/accrued-total')).toContain(ruleEntry('payroll/accrued-total')!.title.es);
});
