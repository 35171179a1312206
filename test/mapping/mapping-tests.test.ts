import { readdirSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { deriveWith, FAMILIES } from '../../src/families/registry.js';
import { type MappingTestResult, runMappingTests } from '../../src/toolkit/documents/mapping-tests.js';
import { compileMapping, loadMapping } from '../../src/toolkit/mapping/load.js';
import { fake } from '../cli/fake-context.js';
import { mappingTest as run } from '../cli/use-cases.js';

const HELD = ['payroll-wide.yaml', 'payroll-multi-sheet.yaml', 'payroll-long.yaml', 'rips-lista.yaml'];

async function resultsOf(mapping: Parameters<typeof runMappingTests>[0]): Promise<MappingTestResult[]> {
  const results: MappingTestResult[] = [];
  for await (const result of runMappingTests(mapping, deriveWith(FAMILIES))) results.push(result);
  return results;
}

/** Mappings that extend a ready-made one by tests alone. */
const READY = 'test/mapping/ready';

describe.each(readdirSync(READY))('the tests of %s', async (file) => {
  const results = await resultsOf(await loadMapping(`${READY}/${file}`));

  test('hold', () => {
    expect(results.filter(({ differences }) => differences.length > 0)).toEqual([]);
    expect(results.length).toBeGreaterThanOrEqual(HELD.includes(file) ? 3 : 1);
  });
});

/** A mapping of appointments, with tables and tests of its own. */
const mappingOf = (tests: string, header = '', more = ''): string => `
cargue: 1
name: test
target: rips/appointment
params: { user: { type: integer, default: 7 } }
tables:
  rows:
    ${header}
    columns:
      time: { ${header.includes('none') ? 'position: 3' : 'titles: [Hora, H.]'}, read: time }
      date: { ${header.includes('none') ? 'position: 1' : 'titles: ["Fecha*", Día]'}, read: date }
${more}
one_per: { record: rows }
key: time
document: { user_id: { param: user }, date: { from: date }, time: { from: time } }
tests:
${tests}`;

const GOOD = `  - name: good
    tables: { rows: [{ date: 23/11/2026, time: "10:30" }, { date: "2026-11-04", time: "11:00" }] }
    documents: [{ date: "2026-11-23", user_id: 7 }, { date: "2026-11-04" }]`;

const differencesOf = async (text: string) =>
  (await resultsOf(compileMapping('m.yaml', text))).map(({ differences }) => differences);

describe('records of a test are read as a file is', () => {
  test.each([
    ['below the header', ''],
    ['below a header that is far down', 'header: { row: 9 }'],
    ['without header, by position', 'header: { none: true, fields: [3] }'],
    ['from a sheet with a pattern', 'sheet: ["Citas*"]'],
    ['from a file with a pattern', 'file: ["citas-*.csv"]'],
    ['under declared labels', 'labels: { Otra fecha: date }'],
  ])('%s', async (_, header) => {
    expect(await differencesOf(mappingOf(GOOD, header))).toEqual([[]]);
  });

  test('from a table that is a parameter', async () => {
    const table =
      'extra: { param: extras, join: { on: time }, columns: { time: { titles: [Hora], read: time } } }';
    const text = mappingOf(
      `  - name: param
    tables: { rows: [{ date: 23/11/2026, time: "10:30" }], extra: [{ time: "12:00" }] }
    documents: [{ date: "2026-11-23" }]
    issues: [["", join/orphan]]`,
      '',
      `  ${table}`,
    ).replace('params: { user', 'params: { extras: { type: table, optional: true }, user');
    expect(await differencesOf(text)).toEqual([[]]);
  });

  test('numbers and booleans as such, blank texts as blank cells', async () => {
    const text = mappingOf(`  - name: kinds
    tables: { rows: [{ date: true, time: "10:30" }, { date: "", time: "11:00" }] }
    documents: []
    issues: [[rows.date/1, cell/not-a-date], [rows.date/2, document/required]]`);
    expect(await differencesOf(text)).toEqual([[]]);
  });
});

describe('what differs is said', () => {
  const one = (expected: string): string => `  - name: one
    tables: { rows: [{ date: 23/11/2026, time: "10:30" }] }
    ${expected}`;

  test.each<[string, string, unknown]>([
    [
      'another value',
      'documents: [{ date: "2026-11-04" }]',
      [{ at: 'documents/0/date', expected: '2026-11-04', found: '2026-11-23' }],
    ],
    [
      'another type',
      'documents: [{ user_id: "7" }]',
      [{ at: 'documents/0/user_id', expected: '7', found: 7 }],
    ],
    [
      'a document too few',
      'documents: [{ user_id: 7 }, { user_id: 7 }]',
      [{ at: 'documents/1', expected: { user_id: 7 } }],
    ],
    [
      'a document too many',
      'documents: []',
      [{ at: 'documents/0', found: expect.objectContaining({ date: '2026-11-23' }) }],
    ],
    ['a missing key', 'documents: [{ notes: x }]', [{ at: 'documents/0/notes', expected: 'x' }]],
    [
      'an issue that did not come',
      'issues: [[rows.date/1, cell/not-a-date]]',
      [{ at: 'issues', expected: ['rows.date/1', 'cell/not-a-date'] }],
    ],
    [
      'a param that is none',
      'params: { usr: 1 }',
      [{ at: 'issues', found: ['params.usr', 'param/unknown'] }],
    ],
  ])('%s', async (_, expected, differences) => {
    expect(await differencesOf(mappingOf(one(expected)))).toEqual([differences]);
  });

  test('an error that the test says nothing of', async () => {
    const text = mappingOf('  - { name: none, tables: { rows: [{ date: mañana, time: "10:30" }] } }');
    expect(await differencesOf(text)).toEqual([
      [{ at: 'issues', found: ['rows.date/1', 'cell/not-a-date'] }],
    ]);
  });
});

describe('a test that cannot be run', () => {
  test.each([
    ['names no table', '  - { name: x, tables: { row: [{ date: 1 }] } }', 'mapping/unknown-table'],
    ['names no column', '  - { name: x, tables: { rows: [{ dte: 1 }] } }', 'mapping/unknown-column'],
    ['is not there', '  []', 'mapping/no-tests'],
  ])('%s', async (_, tests, code) => {
    await expect(differencesOf(mappingOf(tests))).rejects.toMatchObject({
      key: 'mapping',
      issues: [{ code }],
    });
  });

  test('is not taken from the mapping that is extended', () => {
    const text = 'extends: payroll/wide\ncargue: 1\nname: own\n';
    expect(compileMapping('m.yaml', text).spec.tests).toBeUndefined();
  });
});

describe('cargue mapping test', () => {
  test('tells each test, and fails with one of them', async () => {
    const { context, shown } = fake();
    expect(await run(context, [`${READY}/payroll-long.yaml`], {})).toBe(0);
    expect(shown.said().filter((line) => line.startsWith('✓'))).toHaveLength(17);
  });

  test('says to programs what differs', async () => {
    const { context, events } = fake();
    expect(await run(context, [`${READY}/payroll-wide.yaml`], { json: true })).toBe(0);
    expect(events().at(-1)).toEqual({ event: 'summary', tests: 15, passed: 15 });
  });
});
