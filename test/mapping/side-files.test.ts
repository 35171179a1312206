import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import type { Issue } from '../../src/toolkit/core/issue.js';
import { filesOfMapping, readMapping } from '../../src/toolkit/mapping/load.js';
import { issuesOfLoading } from '../support/mapping-issues.js';

const home = mkdtempSync(join(tmpdir(), 'cargue-side-files-'));
afterAll(() => rmSync(home, { recursive: true }));
let folders = 0;

/** A folder with a mapping that stands on a ready-made one, and other files. */
function folderWith(over: string, files: Readonly<Record<string, string>> = {}): string {
  const folder = join(home, String(++folders));
  mkdirSync(folder);
  writeFileSync(join(folder, 'mapeo.yaml'), `extends: payroll/wide\n${over}\n`);
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
  return folder;
}

const issuesOf = (folder: string) => issuesOfLoading(() => readMapping(join(folder, 'mapeo.yaml')));

const placed = ({ code, place }: Issue) => [code, place.file, place.line, place.character];

const SIDE = 'decisions: decisiones.yaml';

describe('decisions in a file of their own', () => {
  test.each<
    [what: string, text: string, expected: readonly (readonly [code: string, line: number, column: number])[]]
  >([
    ['sound', 'values: {}\nclasses:\n  bono: salary\n', []],
    ['a misspelt key', 'classes: {}\nvaleus:\n  banks: {}\n', [['mapping/unknown-key', 2, 1]]],
    ['plain text', 'bogotá es 11001\n', [['mapping/shape', 1, 1]]],
    ['a list', '- values\n- classes\n', [['mapping/shape', 1, 1]]],
    ['an empty file', '', [['mapping/shape', 1, 1]]],
    ['a comment alone', '# por decidir\n', [['mapping/shape', 1, 1]]],
    ['words of a list that are none', 'values:\n  banks: Bancolombia\n', [['mapping/shape', 2, 10]]],
    ['a class that is no text', 'classes:\n  bono: [1]\n', [['mapping/shape', 2, 9]]],
    [
      'what is still open',
      'classes:\n  bono: { undecided: { id: class.bono, question: "¿Qué es?", candidates: [] } }\n',
      [['mapping/undecided', 2, 9]],
    ],
    ['an unknown list', 'classes: {}\nvalues:\n  bancos: {}\n', [['mapping/unknown-catalogue', 3, 3]]],
    ['an unknown column', 'choices:\n  nada: { x: y }\n', [['mapping/unknown-column', 2, 3]]],
    ['no YAML', 'values: [\n', [['mapping/yaml', 2, 1]]],
  ])('%s', (_, text, expected) => {
    const issues = issuesOf(folderWith(SIDE, { 'decisiones.yaml': text }));
    const found = new Set(issues.map((issue) => JSON.stringify(placed(issue))));
    expect([...found].map((one) => JSON.parse(one))).toEqual(
      expected.map(([code, ...at]) => [code, 'decisiones.yaml', ...at]),
    );
  });

  test('the same mistake has the same codes inline', () => {
    const text = 'valeus: {}\nclasses: { bono: [1] }';
    const inline = `decisions:\n${text.replaceAll(/^/gm, '  ')}`;
    const codes = (folder: string) => issuesOf(folder).map(({ code, value }) => [code, value]);
    const [side, within] = [codes(folderWith(SIDE, { 'decisiones.yaml': text })), codes(folderWith(inline))];
    expect(side.length).toBeGreaterThan(1);
    expect(within).toEqual(expect.arrayContaining(side));
  });
});

describe.skipIf(process.platform === 'win32')('a symbolic link', () => {
  const outside = join(home, 'outside.yaml');
  writeFileSync(outside, readFileSync('mappings/payroll/wide.yaml'));

  test.each([
    ['extends', 'extends: base.yaml', 'base.yaml', 'mapping/unknown-base'],
    ['decisions', 'extends: payroll/wide\ndecisions: base.yaml', 'base.yaml', 'mapping/no-decisions'],
    ['a folder', 'extends: payroll/wide\ndecisions: below/outside.yaml', 'below', 'mapping/no-decisions'],
  ])('%s is not followed out of the folder', (_, text, link, code) => {
    const folder = folderWith('');
    writeFileSync(join(folder, 'mapeo.yaml'), `${text}\n`);
    symlinkSync(link === 'below' ? home : outside, join(folder, link));
    expect(issuesOf(folder).map((issue) => issue.code)).toEqual([code]);
    expect(filesOfMapping(join(folder, 'mapeo.yaml')).filter((file) => file.includes(link))).toEqual([]);
  });

  test('within the folder it is followed, and the folder itself may be one', () => {
    const folder = folderWith(SIDE, { 'otras.yaml': 'classes: {}\n' });
    symlinkSync('otras.yaml', join(folder, 'decisiones.yaml'));
    const linked = join(home, 'linked');
    symlinkSync(folder, linked);
    expect([issuesOf(folder), issuesOf(linked)]).toEqual([[], []]);
  });
});

test.each(['.', 'sub'])('a folder is no file: %s', (name) => {
  const folder = folderWith(`decisions: ${name}`);
  mkdirSync(join(folder, 'sub'));
  expect(issuesOf(folder).map(({ code }) => code)).toEqual(['mapping/no-decisions']);
});
