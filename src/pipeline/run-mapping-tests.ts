import type { Test } from '../generated/mapping-types.js';
import type { Issue, Place } from '../issues/issue.js';
import { stop } from '../issues/pipeline-error.js';
import type { LoadedMapping } from '../mapping/load.js';
import { resolveParams } from '../mapping/params.js';
import type { JsonValue } from '../values/json.js';
import { suggest } from '../values/similar.js';
import { prepare } from './prepare.js';
import { columnNamed, type TestRecord, type TestTable, testInput, testTable } from './test-tables.js';

/** What a test expected somewhere and what was found there; undefined where nothing was. */
export interface Difference {
  /** `documents/0/accrued/salary`, or `issues`. */
  readonly at: string;
  readonly expected?: JsonValue;
  readonly found?: JsonValue;
}

export interface MappingTestResult {
  readonly name: string;
  /** None when the test holds. */
  readonly differences: readonly Difference[];
}

/**
 * Runs the tests that a mapping holds, each by itself, through the same engine as files.
 * @throws PipelineError('mapping') when there is none, or one names a table or column that the mapping does not have
 */
export async function* runMappingTests(mapping: LoadedMapping): AsyncGenerator<MappingTestResult> {
  const tests = mapping.spec.tests ?? [];
  if (tests.length === 0)
    stop('mapping', { code: 'mapping/no-tests', value: mapping.name, place: { file: mapping.file } });
  for (const test of tests) checkNames(mapping, test);
  for (const test of tests) {
    const { documents, issues } = await made(mapping, test);
    const differences = [...compareDocuments(test, documents), ...compareIssues(test, issues)];
    yield { name: test.name, differences };
  }
}

function checkNames(mapping: LoadedMapping, { tables }: Test): void {
  const refuse = (code: string, value: string, known: Iterable<string>): never =>
    stop('mapping', { code, value, place: { file: mapping.file }, suggestions: suggest(value, known, 1) });
  for (const [id, records] of Object.entries(tables)) {
    const table = mapping.tables.get(id) ?? refuse('mapping/unknown-table', id, mapping.tables.keys());
    if (table.parent !== undefined) refuse('mapping/unknown-table', id, []);
    for (const name of records.flatMap((record) => Object.keys(record)))
      if (columnNamed(table, name) === undefined)
        refuse('mapping/unknown-column', name, table.columns.keys());
  }
}

/** An issue of a test: its place in the words of the test, and what it is. */
interface TestIssue {
  readonly text: string;
  readonly code: string;
  readonly level: Issue['level'];
}

interface Made {
  readonly documents: readonly JsonValue[];
  readonly issues: readonly TestIssue[];
}

/** What comes of the records of a test. */
async function made(mapping: LoadedMapping, { params = {}, tables }: Test): Promise<Made> {
  const inputs: TestTable[] = [];
  const given: Record<string, unknown> = { ...params };
  for (const [id, records] of Object.entries(tables)) {
    const table = mapping.tables.get(id)!;
    const key = mapping.mains.includes(table) ? mapping.key : (table.join?.own ?? []).map((one) => one.id);
    if (table.spec.param === undefined) inputs.push(testTable(table, records as TestRecord[], key));
    else given[table.spec.param] = records;
  }
  const resolved = resolveParams(mapping.params, given);
  if (resolved.issues.length > 0)
    return {
      documents: [],
      issues: resolved.issues.map(({ code, level, params: of }) => ({
        text: `params.${of['name']}`,
        code,
        level,
      })),
    };
  const documents: JsonValue[] = [];
  const issues: TestIssue[] = [];
  const options = {
    files: [],
    inputs: [testInput(mapping.name, inputs)],
    mapping,
    params: resolved.value!,
  };
  for await (const events of prepare(options))
    for (const event of events) {
      if (event.kind === 'document') documents.push(event.draft.document);
      if (event.kind !== 'issue') continue;
      const { place, code, level } = event.issue;
      issues.push({ text: placeText(inputs, place), code, level });
    }
  return { documents, issues };
}

function placeText(tables: readonly TestTable[], place: Place): string {
  const table = tables.find(({ source }) => source.file === place.file && source.sheet === place.sheet);
  return table?.placeText(place) ?? place.pointer ?? '';
}

/** The documents in order; of each only what the test says. */
function compareDocuments({ documents: expected }: Test, found: readonly JsonValue[]): Difference[] {
  if (expected === undefined) return [];
  return compare('documents', expected as JsonValue, found as JsonValue);
}

function compare(at: string, expected: JsonValue, found: JsonValue | undefined): Difference[] {
  if (Array.isArray(expected) && Array.isArray(found))
    return Array.from({ length: Math.max(expected.length, found.length) }, (_, index) => {
      const inside = `${at}/${index}`;
      if (index >= expected.length) return [{ at: inside, found: found[index]! }];
      return compare(inside, expected[index]!, found[index]);
    }).flat();
  if (isMap(expected) && isMap(found))
    return Object.entries(expected).flatMap(([key, value]) => compare(`${at}/${key}`, value, found[key]));
  if (expected === found) return [];
  return [{ at, expected, ...(found !== undefined && { found }) }];
}

const isMap = (value: JsonValue | undefined): value is { readonly [key: string]: JsonValue } =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Every issue, in any order; a test that says nothing of issues expects no error. */
function compareIssues({ issues: expected }: Test, found: readonly TestIssue[]): Difference[] {
  if (expected === undefined)
    return found
      .filter(({ level }) => level === 'error')
      .map(({ text, code }) => ({ at: 'issues', found: [text, code] }));
  const left = found.map(({ text, code }) => [text, code]);
  const missing = expected.filter(([text, code]) => {
    const at = left.findIndex((one) => one[0] === text && one[1] === code);
    if (at >= 0) left.splice(at, 1);
    return at < 0;
  });
  return [
    ...missing.map((issue) => ({ at: 'issues', expected: issue as JsonValue })),
    ...left.map((issue) => ({ at: 'issues', found: issue })),
  ];
}
