import type { CompiledTable, LocatedTable, ReadRecord } from '../mapping/record.js';
import type { Row } from '../tables/table.js';
import { CellAccounting } from './cells.js';
import { joinedTablesOf, keyText } from './joined-tables.js';
import { closeInputs, locate, openInputs } from './locate.js';
import { createMaker, gatherJoined, type PrepareOptions, SILENT, Tally } from './prepare.js';
import { slices, TableReader } from './read-table.js';
import { type ScreenedDocument, type ScreenedRows, type Sharing, sliceOf } from './screened.js';
import { createBatchChecks } from './totals.js';

/** Rows that one `slices` gave at once, read. */
interface Lot {
  readonly source: LocatedTable;
  readonly rows: readonly Row[];
  /** Undefined where a row is none, or not plainly one. */
  readonly read: ReturnType<TableReader['separately']>;
}

type Found = readonly (ScreenedRows | undefined)[];

/**
 * What a helper of the telling one does: it reads the same files from the top, looks at the rows of its own slices, and gives
 * back what the telling one would only find again. It is asked for where `prepare` can use it, and says nothing by itself.
 */
export async function screen(
  options: PrepareOptions,
  share: Sharing & { readonly thread: number },
  give: (slice: number, found: Found) => Promise<void>,
): Promise<void> {
  const { mapping, params, formats = {} } = options;
  const [main] = mapping.mains;
  const inputs = await openInputs(options.files);
  try {
    const located = await locate(mapping, inputs, params);
    const cells = new CellAccounting(mapping, options.chosen !== undefined, located.issues);
    const tally = new Tally();
    const joined = joinedTablesOf(mapping, located.tables);
    const reading = { options, tally, located, batch: createBatchChecks(mapping, params.values), cells };
    for await (const _ of gatherJoined(reading, joined)); // the telling one tells of them
    const maker = createMaker(options, located, joined, tally, cells);
    const textOf = keyTextIn(main!, mapping.key);
    const screenLots = async (lots: readonly Lot[]): Promise<Found> => {
      const whole = mapping.onePer === 'record' ? undefined : wholeGroups(lots, textOf);
      const found: (ScreenedRows | undefined)[] = [];
      for (const { source, rows, read } of lots) {
        if (read === undefined) {
          found.push(undefined);
          continue;
        }
        const documents: (ScreenedDocument | undefined)[] = [];
        for (let at = 0; at < read.records.length; ) {
          const count = whole === undefined ? 1 : (whole.get(read.records[at]!) ?? 0);
          const document = count > 0 ? await maker.screen(read.records.slice(at, at + count)) : undefined;
          documents.push(document);
          at += document?.records ?? 1;
        }
        const sums = cells.sumsOf(source, read.records);
        found.push({ rows: rows.length, control: read.control, sums, documents });
      }
      return found;
    };
    let lots: Lot[] = [];
    let next = 0;
    for (const source of located.tables.filter(({ slot }) => slot === main!.slot)) {
      const reader = new TableReader(main!, SILENT);
      for await (const { table, rows } of slices(source, formats, SILENT)) {
        const before = sliceOf(next, share);
        next += 1;
        if (before.thread !== share.thread) continue;
        lots.push({ source, rows, read: reader.separately(table, rows) });
        if (sliceOf(next, share).slice === before.slice) continue;
        await give(before.slice, await screenLots(lots));
        lots = [];
      }
    }
    if (lots.length > 0) await give(sliceOf(next - 1, share).slice, await screenLots(lots));
  } finally {
    await closeInputs(inputs);
  }
}

const keyTextIn = ({ columns }: CompiledTable, key: readonly string[]) => {
  const positions = key.map((id) => columns.get(id)!.position);
  return ({ values }: ReadRecord): string | undefined =>
    keyText(positions.map((position) => values[position]));
};

/** By its first record, how many records a document has, where they surely are all of it: the records around them are of others. */
function wholeGroups(
  lots: readonly Lot[],
  textOf: (record: ReadRecord) => string | undefined,
): ReadonlyMap<ReadRecord, number> {
  const whole = new Map<ReadRecord, number>();
  const flat = lots.flatMap(({ read }, lot) =>
    (read?.records ?? [undefined]).map((record) => ({ lot, record, text: record && textOf(record) })),
  );
  for (let from = 1; from < flat.length; ) {
    const { lot, record, text } = flat[from]!;
    let to = from + 1;
    while (to < flat.length && flat[to]!.text === text && text !== undefined) to += 1;
    const isApart = flat[from - 1]!.text !== undefined && flat[to]?.text !== undefined;
    if (text !== undefined && isApart && flat[from - 1]!.text !== text && flat[to - 1]!.lot === lot)
      whole.set(record!, to - from);
    from = to;
  }
  return whole;
}
