import type { Test } from '../../generated/mapping-types.js';
import { type Issue, isSameSheet, type Place, paramOf, stop } from '../core/issue.js';
import { isObject, type JsonValue } from '../core/json.js';
import { required, unreachable } from '../core/required.js';
import { columnLetter, isWild, suggest } from '../core/text.js';
import type { LoadedMapping } from '../mapping/load.js';
import { resolveParams } from '../mapping/params.js';
import { type CompiledTable, joiningColumns } from '../mapping/record.js';
import type { CellKind, InputFile, Row, RowSource } from '../tables/table.js';
import type { Derive } from './phases.js';
import { run } from './run.js';

/** Record of a test by column id; `group.2.column` is in the second instance of repeated columns. */
type TestRecord = Readonly<Record<string, unknown>>;

interface TestTable {
  readonly source: RowSource;
  /**
   * Formats a place as the test writes it: `workers.surname/1`, `workers/1`, or `workers` for header or table; records
   * count from 1.
   */
  placeText(place: Place): string;
}

/** Returns a name that fits a pattern. */
const fitting = (words: string | readonly string[] | undefined): string | undefined =>
  [words].flat()[0]?.replaceAll('*', '').replaceAll('?', '_');

/** Finds the column of an id, also `group.2.column`. */
function columnNamed(table: CompiledTable, id: string) {
  const [, group, number, inner] = /^(\w+)\.(\d+)\.(\w+)$/.exec(id) ?? [];
  const owner = group === undefined ? table : table.repeated.find((entry) => entry.id === group);
  const column = owner?.columns.get(inner ?? id);
  return column?.wanted && { column, wanted: column.wanted, number };
}

/** Finds a column whose id was checked. */
const columnAt = (table: CompiledTable, id: string) => columnNamed(table, id) ?? unreachable(id);

function labelOf(table: CompiledTable, id: string): string {
  const { wanted, number = '' } = columnAt(table, id);
  const declared = Object.entries(table.spec.labels ?? {}).find(
    ([label, to]) => to === id && !/^\[| \/ /.test(label),
  );
  const title = declared?.[0] ?? wanted.titles.find((text) => !isWild(text)) ?? id;
  return title.replace('{n}', number);
}

/** Returns the ids of the header's columns: those of the records, and required ones. */
function columnIds(table: CompiledTable, records: readonly TestRecord[], key: readonly string[]): string[] {
  const must = [...(table.spec.header?.must_have ?? []), ...key];
  const required = must.filter((id) => columnNamed(table, id) !== undefined);
  return [...new Set([...required, ...records.flatMap((record) => Object.keys(record))])];
}

function cellOf(value: unknown): { text: string | undefined; kind: CellKind } {
  if (typeof value === 'number') return { text: String(value), kind: 'number' };
  if (typeof value === 'boolean') return { text: String(value), kind: 'boolean' };
  return {
    text: value === undefined || value === null || value === '' ? undefined : String(value),
    kind: 'text',
  };
}

/**
 * Creates a table in memory with labels that the mapping looks for.
 * @param key ids of the key columns of documents, or of the join
 */
function testTable(table: CompiledTable, records: readonly TestRecord[], key: readonly string[]): TestTable {
  const { header, sheet, file } = table.spec;
  const ids = columnIds(table, records, key);
  const none = header?.none === true;
  const headerRow = none ? 0 : (header?.row ?? 1);
  const indexes = ids.map((id, index) => (none ? (columnAt(table, id).wanted.position ?? 0) - 1 : index));
  const width = Math.max(0, ...indexes.map((index) => index + 1), ...(header?.fields?.slice(0, 1) ?? []));
  const row = (number: number, cells: readonly ReturnType<typeof cellOf>[]): Row => {
    const texts: (string | undefined)[] = new Array(width).fill(undefined);
    const kinds: (CellKind | undefined)[] = new Array(width).fill(undefined);
    for (const [at, index] of indexes.entries()) {
      texts[index] = cells[at]?.text;
      kinds[index] = cells[at]?.kind;
    }
    return { number, hidden: false, texts, kinds };
  };
  const rows = [
    ...(none
      ? []
      : [
          row(
            headerRow,
            ids.map((id) => cellOf(labelOf(table, id))),
          ),
        ]),
    ...records.map((record, at) =>
      row(
        headerRow + at + 1,
        ids.map((id) => cellOf(record[id])),
      ),
    ),
  ].filter(({ texts }) => texts.some((text) => text !== undefined));
  const letters = new Map(indexes.map((index, at) => [columnLetter(index), ids[at]]));
  const sheetName = fitting(sheet);
  return {
    source: {
      file: fitting(file) ?? table.id,
      ...(sheetName !== undefined && { sheet: sheetName }),
      async *batches() {
        yield rows;
      },
    },
    placeText({ row: number = 0, column = '' }) {
      if (number <= headerRow) return table.id;
      const id = letters.get(column);
      return `${table.id}${id === undefined ? '' : `.${id}`}/${number - headerRow}`;
    },
  };
}

/** Combines tables in memory to one input file. */
const testInput = (name: string, tables: readonly TestTable[]): InputFile => ({
  path: name,
  file: name,
  kind: 'xlsx',
  tables: tables.map(({ source }) => source),
  close: async () => undefined,
});

/** Difference between expectation and result; undefined on the side that has nothing. */
interface Difference {
  /** Path of the difference: `documents/0/accrued/salary`, or `issues`. */
  readonly at: string;
  readonly expected?: JsonValue;
  readonly found?: JsonValue;
}

export interface MappingTestResult {
  readonly name: string;
  /** Empty if the test passes. */
  readonly differences: readonly Difference[];
}

/**
 * Runs the tests of a mapping through the same engine as files.
 * @throws PipelineError `mapping` if there are none, or one names an unknown table or column
 */
export async function* runMappingTests(
  mapping: LoadedMapping,
  derive: Derive,
): AsyncGenerator<MappingTestResult> {
  const tests = mapping.spec.tests ?? [];
  if (tests.length === 0)
    stop('mapping', { code: 'mapping/no-tests', value: mapping.name, place: { file: mapping.file } });
  for (const test of tests) checkNames(mapping, test);
  for (const test of tests) {
    const { documents, issues } = await made(mapping, derive, test);
    const differences = [...compareDocuments(test, documents), ...compareIssues(test, issues)];
    yield { name: test.name, differences };
  }
}

function checkNames(mapping: LoadedMapping, { tables }: Test): void {
  const refuse = (
    code: 'mapping/unknown-table' | 'mapping/unknown-column',
    value: string,
    known: Iterable<string>,
  ): never =>
    stop('mapping', { code, value, place: { file: mapping.file }, suggestions: suggest(value, known, 1) });
  for (const [id, records] of Object.entries(tables)) {
    const table = mapping.tables.get(id) ?? refuse('mapping/unknown-table', id, mapping.tables.keys());
    if (table.parent !== undefined) refuse('mapping/unknown-table', id, []);
    for (const name of records.flatMap((record) => Object.keys(record)))
      if (columnNamed(table, name) === undefined)
        refuse('mapping/unknown-column', name, table.columns.keys());
  }
}

/** Issue with its place as the test writes it. */
interface TestIssue {
  readonly text: string;
  readonly code: string;
  readonly level: Issue['level'];
}

/** Makes the documents of a test. */
async function made(
  mapping: LoadedMapping,
  derive: Derive,
  { params = {}, tables }: Test,
): Promise<{ readonly documents: readonly JsonValue[]; readonly issues: readonly TestIssue[] }> {
  const inputs: TestTable[] = [];
  const given: Record<string, unknown> = { ...params };
  for (const [id, records] of Object.entries(tables)) {
    const table = required(mapping.tables, id);
    const key = mapping.mains.includes(table)
      ? mapping.key
      : joiningColumns(table.join).map((column) => column.id);
    if (table.spec.param === undefined) inputs.push(testTable(table, records as TestRecord[], key));
    else given[table.spec.param] = records;
  }
  const resolved = resolveParams(mapping.params, given);
  if (resolved.issues.length > 0)
    return {
      documents: [],
      issues: resolved.issues.map((issue) => ({
        text: `params.${paramOf(issue, 'name')}`,
        code: issue.code,
        level: issue.level,
      })),
    };
  const documents: JsonValue[] = [];
  const issues: TestIssue[] = [];
  const plan = { mapping, params: resolved.value, derive };
  for await (const events of run(plan, [testInput(mapping.name, inputs)]))
    for (const event of events) {
      if (event.kind === 'document') documents.push(event.document.body);
      if (event.kind !== 'issue') continue;
      const { place, code, level } = event.issue;
      issues.push({ text: placeText(inputs, place), code, level });
    }
  return { documents, issues };
}

function placeText(tables: readonly TestTable[], place: Place): string {
  const table = tables.find(({ source }) => isSameSheet(source, place));
  return table?.placeText(place) ?? place.pointer ?? '';
}

/** Compares the documents in order, in the members that the test names. */
function compareDocuments({ documents: expected }: Test, found: readonly JsonValue[]): Difference[] {
  if (expected === undefined) return [];
  return compare('documents', expected as JsonValue, found as JsonValue);
}

function compare(at: string, expected: JsonValue, found: JsonValue | undefined): Difference[] {
  if (Array.isArray(expected) && Array.isArray(found))
    return [
      ...expected.flatMap((value, index) => compare(`${at}/${index}`, value, found[index])),
      ...found
        .slice(expected.length)
        .map((value, index) => ({ at: `${at}/${expected.length + index}`, found: value })),
    ];
  if (isObject(expected) && isObject(found))
    return Object.entries(expected).flatMap(([key, value]) => compare(`${at}/${key}`, value, found[key]));
  if (expected === found) return [];
  return [{ at, expected, ...(found !== undefined && { found }) }];
}

/** Compares issues in any order; a test without issues expects no error. */
function compareIssues({ issues: expected }: Test, found: readonly TestIssue[]): Difference[] {
  if (expected === undefined)
    return found
      .filter(({ level }) => level === 'error')
      .map(({ text, code }) => ({ at: 'issues', found: [text, code] }));
  const left = found.map(({ text, code }) => [text, code]);
  const missing = expected.filter(([text, code]) => {
    const at = left.findIndex((entry) => entry[0] === text && entry[1] === code);
    if (at >= 0) left.splice(at, 1);
    return at < 0;
  });
  return [
    ...missing.map((issue) => ({ at: 'issues', expected: issue as JsonValue })),
    ...left.map((issue) => ({ at: 'issues', found: issue })),
  ];
}
