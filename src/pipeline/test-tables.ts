import type { Place } from '../issues/issue.js';
import type { CompiledTable } from '../mapping/tables.js';
import type { CellKind, InputFile, Row, RowSource } from '../source/table.js';
import { columnLetter } from '../values/a1.js';

/** Records of a test by column id; `group.2.column` is in the second instance of repeated columns. */
export type TestRecord = Readonly<Record<string, unknown>>;

/** A table of a test as the engine reads it, and what its cells are called in the test. */
export interface TestTable {
  readonly source: RowSource;
  /** `workers.surname/1`, `workers/1`, and `workers` for the header or the table as a whole; records count from 1. */
  placeText(place: Place): string;
}

const isWild = (text: string): boolean => /[*?]/.test(text);

/** A name that fits a pattern. */
const fitting = (words: string | readonly string[] | undefined): string | undefined =>
  words === undefined ? undefined : [words].flat()[0]!.replaceAll('*', '').replaceAll('?', '_');

/** The column that an id of a record means, `group.2.column` among them. */
export function columnNamed(table: CompiledTable, id: string) {
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
export function testTable(
  table: CompiledTable,
  records: readonly TestRecord[],
  key: readonly string[],
): TestTable {
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
export const testInput = (name: string, tables: readonly TestTable[]): InputFile => ({
  path: name,
  file: name,
  kind: 'xlsx',
  tables: tables.map(({ source }) => source),
  close: async () => undefined,
});
