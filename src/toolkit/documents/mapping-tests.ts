import type { Test } from '../../generated/mapping-types.js';
import { type Issue, isSameSheet, type Place, paramOf, stop } from '../core/issue.js';
import { isObject, type JsonValue } from '../core/json.js';
import { columnLetter, isWild, suggest } from '../core/text.js';
import type { LoadedMapping } from '../mapping/load.js';
import { resolveParams } from '../mapping/params.js';
import { type CompiledTable, joiningColumns } from '../mapping/record.js';
import type { CellKind, InputFile, Row, RowSource } from '../tables/table.js';
import type { Derive } from './phases.js';
import { run } from './run.js';

/** Records of a test by column id; `group.2.column` is in the second instance of repeated columns. */
type TestRecord = Readonly<Record<string, unknown>>;

/** A table of a test as the engine reads it, and what its cells are called in the test. */
interface TestTable {
  readonly source: RowSource;
  /** `workers.surname/1`, `workers/1`, and `workers` for the header or the table as a whole; records count from 1. */
  placeText(place: Place): string;
}

/** A name that fits a pattern. */
const fitting = (words: string | readonly string[] | undefined): string | undefined =>
  words === undefined ? undefined : [words].flat()[0]!.replaceAll('*', '').replaceAll('?', '_');

/** The column that an id of a record means, `group.2.column` among them. */
function columnNamed(table: CompiledTable, id: string) {
  const [, group, number, inner] = /^(\w+)\.(\d+)\.(\w+)$/.exec(id) ?? [];
  const owner = group === undefined ? table : table.repeated.find((one) => one.id === group);
  const column = owner?.columns.get(inner ?? id);
  return column?.wanted && { column, wanted: column.wanted, number };
}

/** A header text that means the column. */
function labelOf(table: CompiledTable, id: string): string {
  const { wanted, number = '' } = columnNamed(table, id)!;
  const declared = Object.entries(table.spec.labels ?? {}).find(
    ([label, to]) => to === id && !/^\[| \/ /.test(label),
  );
  const title = declared?.[0] ?? wanted.titles.find((one) => !isWild(one)) ?? id;
  return title.replace('{n}', number);
}

/** The columns that stand in the header: those of the records, and those without which no row is one. */
function columnIds(table: CompiledTable, records: readonly TestRecord[], key: readonly string[]): string[] {
  const must = [...(table.spec.header?.must_have ?? []), ...key];
  const own = must.filter((id) => columnNamed(table, id) !== undefined);
  return [...new Set([...own, ...records.flatMap((record) => Object.keys(record))])];
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
 * A table of a mapping in memory, with the labels that the mapping looks for.
 * @param key ids of the columns that tell documents apart, or that the table joins by
 */
function testTable(table: CompiledTable, records: readonly TestRecord[], key: readonly string[]): TestTable {
  const { header, sheet, file } = table.spec;
  const ids = columnIds(table, records, key);
  const none = header?.none === true;
  const headerRow = none ? 0 : (header?.row ?? 1);
  const indexes = ids.map((id, index) => (none ? columnNamed(table, id)!.wanted.position! - 1 : index));
  const width = Math.max(0, ...indexes.map((index) => index + 1), ...(header?.fields?.slice(0, 1) ?? []));
  const row = (number: number, cells: readonly ReturnType<typeof cellOf>[]): Row => {
    const texts: (string | undefined)[] = new Array(width).fill(undefined);
    const kinds: (CellKind | undefined)[] = new Array(width).fill(undefined);
    for (const [at, { text, kind }] of cells.entries()) {
      texts[indexes[at]!] = text;
      kinds[indexes[at]!] = kind;
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
  const letters = new Map(ids.map((id, at) => [columnLetter(indexes[at]!), id]));
  const named = fitting(sheet);
  return {
    source: {
      file: fitting(file) ?? table.id,
      ...(named !== undefined && { sheet: named }),
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

/** Tables in memory as one input file. */
const testInput = (name: string, tables: readonly TestTable[]): InputFile => ({
  path: name,
  file: name,
  kind: 'xlsx',
  tables: tables.map(({ source }) => source),
  close: async () => undefined,
});

/** What a test expected somewhere and what was found there; undefined where nothing was. */
interface Difference {
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
async function made(mapping: LoadedMapping, derive: Derive, { params = {}, tables }: Test): Promise<Made> {
  const inputs: TestTable[] = [];
  const given: Record<string, unknown> = { ...params };
  for (const [id, records] of Object.entries(tables)) {
    const table = mapping.tables.get(id)!;
    const key = mapping.mains.includes(table) ? mapping.key : joiningColumns(table.join).map((one) => one.id);
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
  const plan = { mapping, params: resolved.value!, derive };
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
  if (isObject(expected) && isObject(found))
    return Object.entries(expected).flatMap(([key, value]) => compare(`${at}/${key}`, value, found[key]));
  if (expected === found) return [];
  return [{ at, expected, ...(found !== undefined && { found }) }];
}

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
