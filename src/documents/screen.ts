import { RunningSum } from '../core/decimal.js';
import type { CompiledTable, LocatedTable, ReadRecord } from '../mapping/record.js';
import type { Row } from '../tables/table.js';
import { CellAccounting } from './cells.js';
import { closeInputs, openInputs } from './inputs.js';
import { joinedTablesOf, plainKeyText } from './joined-tables.js';
import { type Located, locate } from './locate.js';
import { Maker, type ScreenedOne } from './maker.js';
import { gatherJoined } from './prepare.js';
import { AT_ONCE, TableReader, votedOf } from './read-table.js';
import { type PrepareOptions, SILENT, Tally } from './run.js';
import type { ScreenedDocuments, ScreenedPiece, ScreenedRows, Screener } from './screened.js';
import { RunOfKeys } from './seen.js';
import { TextChanges } from './text-changes.js';
import { createBatchChecks } from './totals.js';

/** What a helper does: it opens the files of a run by itself, and looks at the pieces that it is given. */
export async function withScreener<T>(
  options: PrepareOptions,
  work: (screener: Screener) => Promise<T>,
): Promise<T> {
  const { mapping, params, formats = {} } = options;
  const inputs = await openInputs(options.files);
  try {
    const located = await locate(mapping, inputs, params);
    const vote = (table: LocatedTable) => votedOf(table, formats, SILENT);
    const first = located.tables.find(({ slot }) => slot === mapping.mains[0]!.slot);
    const ahead = first && (await vote(first));
    const voted = async (table: LocatedTable) => (table === first ? ahead : vote(table));
    return await work(await createScreener(options, located, voted));
  } finally {
    await closeInputs(inputs);
  }
}

/** Looks at pieces, and says nothing by itself. It is asked for where `prepare` can use it. */
export async function createScreener(
  options: PrepareOptions,
  located: Located,
  voted: (table: LocatedTable) => Promise<LocatedTable | undefined>,
): Promise<Screener> {
  const { mapping, params } = options;
  const main = mapping.mains[0]!;
  const cells = new CellAccounting(mapping, options.chosen !== undefined, located.issues);
  const tally = new Tally();
  const joined = joinedTablesOf(mapping, located.tables);
  const batch = createBatchChecks(mapping, params.values, located.present);
  const changes = new TextChanges();
  const reading = { options, tally, located, batch, cells, changes };
  for await (const _ of gatherJoined(reading, joined)); // the telling one tells of them
  const maker = new Maker(reading, joined);
  const textOf = keyTextIn(main, mapping.key);
  const isEach = mapping.onePer === 'record';
  const reader = new TableReader(main, SILENT);
  const known = new Map<number, Promise<LocatedTable | undefined>>();

  /** Puts together what is found in a piece, in order. */
  function finding(source: LocatedTable, table: LocatedTable) {
    const parts: (ScreenedRows | readonly Row[])[] = [];
    let documents = new DocumentsInRuns();
    let records = 0;
    let waiting: (readonly ReadRecord[])[] = [];
    const leaveRows = (own: readonly ReadRecord[]): void => {
      for (const { row } of own) documents.leave(row);
    };
    const look = (): void => {
      const some = waiting;
      waiting = [];
      for (const [at, document] of maker.screen(some).entries())
        if (document === undefined || !documents.add(document)) leaveRows(some[at]!);
    };
    const end = (): void => {
      look();
      const control = reader.drain();
      const census = cells.drain(source, table);
      if (records > 0) parts.push({ rows: records, control, census, documents: documents.all() });
      documents = new DocumentsInRuns();
      records = 0;
    };
    return {
      records(lot: readonly ReadRecord[]): void {
        cells.add(source, lot);
        records += lot.length;
      },
      document(own: readonly ReadRecord[]): void {
        waiting.push(own);
        if (waiting.length === AT_ONCE) look();
      },
      leave(own: readonly ReadRecord[]): void {
        look();
        leaveRows(own);
      },
      bare(rows: readonly Row[]): void {
        end();
        parts.push(rows);
      },
      all(): readonly (ScreenedRows | readonly Row[])[] {
        end();
        return parts;
      },
    };
  }

  return {
    async screen(number, piece): Promise<ScreenedPiece | undefined> {
      const source = located.tables.find((one) => one.number === number)!;
      if (!known.has(number)) known.set(number, voted(source));
      const table = await known.get(number);
      if (table === undefined) return undefined;
      const found = finding(source, table);
      let rows = 0;
      /** Records of one document, of which it is not known yet whether they are all of it; whether those before them surely are none. */
      let group: ReadRecord[] = [];
      let isApart = false;
      let current: string | undefined;
      const endGroup = (isWhole: boolean): void => {
        if (group.length > 0 && isApart && isWhole) found.document(group);
        else found.leave(group);
        group = [];
      };
      const add = (record: ReadRecord): void => {
        const text = textOf(record);
        if (isEach || text === undefined || text !== current) {
          endGroup(text !== undefined);
          isApart = text !== undefined && (isEach || current !== undefined);
          current = text;
        }
        group.push(record);
      };
      for await (const some of source.source.pieces!.rows(piece)) {
        if (some === undefined) {
          found.all();
          return undefined;
        }
        const data = some.filter((row) => row.number >= table.header.firstDataRow);
        rows += data.length;
        const records = reader.separately(table, data);
        if (records === undefined) {
          endGroup(false);
          current = undefined;
          found.bare(data);
          continue;
        }
        found.records(records);
        for (const record of records) add(record);
      }
      endGroup(isEach);
      return { rows, parts: found.all() };
    },
  };
}

const keyTextIn = ({ columns }: CompiledTable, key: readonly string[]) => {
  const own = key.map((id) => columns.get(id)!);
  return (record: ReadRecord): string | undefined => plainKeyText(record.values, own);
};

/** So many good documents are told of together; where one of them repeats another of the file, all are made again. */
const MOST = 64;

/** Puts documents together that are good and alike in what is said of the run. */
class DocumentsInRuns {
  private readonly found: (ScreenedDocuments | Row[])[] = [];
  private run: GoodRun | undefined;

  /** Of that row a document is made by the one that tells. */
  leave(row: Row): void {
    this.end();
    const last = this.found.at(-1);
    if (Array.isArray(last)) last.push(row);
    else this.found.push([row]);
  }

  /** False for one that repeats another of the run: who tells makes it again, to say which. */
  add(one: ScreenedOne): boolean {
    const isAlone = !isQuiet(one);
    if (isAlone || this.run?.takes(one) !== true) this.end();
    this.run ??= new GoodRun(one);
    if (!this.run.add(one)) return false;
    if (isAlone) this.end();
    return true;
  }

  private end(): void {
    if (this.run !== undefined) this.found.push(this.run.all());
    this.run = undefined;
  }

  all(): readonly (ScreenedDocuments | readonly Row[])[] {
    this.end();
    return this.found;
  }
}

const isQuiet = ({ issues, heldBack }: ScreenedOne): boolean => issues.length === 0 && heldBack === undefined;

/** Good documents one after the other, or a single one of any kind. */
class GoodRun {
  private documents = 0;
  private records = 0;
  private readonly keys: RunOfKeys;
  private readonly asked: readonly Set<string>[];
  private readonly compared = new Map<string, { stated: RunningSum; computed: RunningSum; wrong: number }>();

  constructor(private readonly first: ScreenedOne) {
    this.keys = new RunOfKeys(first.keys.schema);
    this.asked = first.asked.map(() => new Set());
  }

  /** Whether that one can be told of together with those before. */
  takes({ run, keys }: ScreenedOne): boolean {
    return this.documents < MOST && run === this.first.run && keys.schema === this.first.keys.schema;
  }

  add({ records, keys, asked, compared }: ScreenedOne): boolean {
    if (!this.keys.add(keys)) return false;
    this.documents += 1;
    this.records += records;
    for (const [at, key] of asked.entries()) if (key !== undefined) this.asked[at]!.add(key);
    for (const { name, stated, computed, wrong } of compared) {
      let total = this.compared.get(name);
      if (total === undefined) {
        total = { stated: new RunningSum(), computed: new RunningSum(), wrong: 0 };
        this.compared.set(name, total);
      }
      total.stated.add(stated);
      total.computed.add(computed);
      total.wrong += wrong;
    }
    return true;
  }

  all(): ScreenedDocuments {
    const { documents, records, first } = this;
    return {
      documents,
      records,
      issues: first.issues,
      heldBack: first.heldBack,
      keys: this.keys.packed(),
      asked: this.asked.map((keys) => [...keys]),
      run: first.run,
      compared: [...this.compared].map(([name, { stated, computed, wrong }]) => ({
        name,
        stated: stated.text,
        computed: computed.text,
        wrong,
      })),
    };
  }
}
