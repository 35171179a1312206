import { basename } from 'node:path';
import type { AnyOptions } from '../../app/any-options.js';
import { type Checked, checkKeeping, type RowPlace } from '../../app/check.js';
import { type Context, type Outcome, type UseCase, withTables } from '../../app/context.js';
import { inspectKeeping } from '../../app/inspect.js';
import { writeMended } from '../../app/mended.js';
import { columnIndex } from '../../toolkit/core/text.js';
import type { Edit } from '../../toolkit/tables/edits.js';
import type { Row } from '../../toolkit/tables/table.js';
import type { Change, EditsView, FilePreviews, TableName, TableRows } from '../api.js';
import { type ActChange, ActEvents, issueView } from './act-events.js';
import { Grid, previewsOf, type Rows, type RowsWanted, tablesOf } from './tables.js';

/** What a reader gets of a context: its data, with the clock as its distance from the system's, in ms. */
type ReaderContext = Pick<
  Context,
  'language' | 'url' | 'nit' | 'profileName' | 'profile' | 'folder' | 'journal' | 'workspace' | 'account'
> & { readonly clockOffsetMs: number };

export function readerContext(
  context: Omit<Context, 'tell' | 'taken' | 'ask' | 'onInterrupt'>,
): ReaderContext {
  const { language, url, nit, profileName, profile, folder, journal, workspace, account, now } = context;
  const clockOffsetMs = now().getTime() - Date.now();
  const given = { url, nit, profileName, profile, folder, journal, account };
  const known = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined));
  return { language, workspace, clockOffsetMs, ...known };
}

/** A use case to run on the files of an upload. */
export interface ReaderCall {
  readonly context: ReaderContext;
  readonly files: readonly string[];
  readonly options: AnyOptions;
}

/** A table of an upload, by the path of its file. */
interface TableAt {
  readonly path: string;
  readonly file: string;
  readonly sheet?: string | undefined;
}

/** A table that a check read. */
export interface CheckedTable extends TableName {
  readonly header: NonNullable<TableRows['header']>;
}

/** A cell or row before it is changed; undefined if the row is not there. */
type CellBefore = { readonly sheet: string | null; readonly text: string } | undefined;

type Tell = (change: ActChange) => void;

/** Reads the files of one upload. Takes and returns plain values, so that it can live in a thread of its own. */
export class UploadReader {
  private readonly grids = new Map<string, Promise<Grid>>();
  /** What inspecting saw of the files in one reading of them. */
  private survey:
    | { readonly reading: number; readonly kept: Parameters<typeof inspectKeeping>[0] }
    | undefined;
  /** What the latest check found out, by the id of its act. */
  private latest: { readonly act: string; readonly checked: Checked; readonly call: ReaderCall } | undefined;

  /** `reading` counts how often the files, or their headers, were others. */
  inspect(call: ReaderCall, reading: number, tell: Tell): Promise<Outcome> {
    if (this.survey === undefined || this.survey.reading < reading) this.survey = { reading, kept: {} };
    const kept = this.survey.reading === reading ? this.survey.kept : {};
    return run(inspectKeeping(kept), call, tell);
  }

  /** Returns the tables that it read beside the outcome; undefined if it did not get so far. */
  async check(
    act: string,
    call: ReaderCall,
    tell: Tell,
  ): Promise<{ readonly outcome: Outcome; readonly tables: readonly CheckedTable[] | undefined }> {
    let tables: readonly CheckedTable[] | undefined;
    const found = (checked: Checked): void => {
      this.latest = { act, checked, call };
      tables = checked.sources.map(({ file, sheet = null }) => {
        const { row, labels } = checked.headerOf({ file, ...(sheet !== null && { sheet }) })!;
        return {
          file,
          sheet,
          header: { row: row.number, labels: Array.from(labels, (label) => label ?? null) },
        };
      });
    };
    const outcome = await run(checkKeeping(found), call, tell);
    return { outcome, tables };
  }

  /** Returns the rows of the document that a row is part of; undefined if another check came since. */
  async rowsWith(act: string, place: RowPlace): Promise<readonly RowPlace[] | undefined> {
    return this.latest?.act === act ? this.latest.checked.rowsWith(place) : undefined;
  }

  /** Checks the documents of changed rows again; null if only a check of the whole tells. */
  async recheck(
    act: string,
    changes: readonly Change[],
    edits: readonly Edit[],
  ): Promise<EditsView['checked']> {
    if (this.latest?.act !== act) return null;
    const { checked, call } = this.latest;
    const together = checked.around(
      changes.map((change) => ({
        file: change.file,
        row: change.row,
        ...(change.sheet !== null && { sheet: change.sheet }),
        ...('column' in change && { column: change.column }),
      })),
    );
    if (together === undefined) return null;
    const paths = new Map(call.files.map((path) => [basename(path), path]));
    const rowOf = async ({ file, sheet, row }: RowPlace): Promise<Row | undefined> =>
      (await this.grid({ path: paths.get(file.split('/', 1)[0]!)!, file, sheet })).row(row);
    const issues = await withTables(call.context, () => checked.check(together, rowOf, edits));
    return {
      rows: together.told.map(({ file, sheet, row }) => ({ file, sheet: sheet ?? null, row })),
      issues: issues.map((issue) => issueView(issue, call.context.language)),
    };
  }

  previews(paths: readonly string[]): Promise<FilePreviews> {
    return previewsOf(paths);
  }

  async tables(paths: readonly string[]): Promise<readonly TableName[]> {
    return (await Promise.all(paths.map(tablesOf))).flat();
  }

  async rows(at: TableAt, wanted: RowsWanted): Promise<Rows & Pick<TableRows, 'sheet'>> {
    const grid = await this.grid(at);
    return { ...grid.part(wanted), sheet: grid.sheet };
  }

  /** Returns what cells and rows are before they are changed, one for each change. */
  async before(changes: readonly (Change & { readonly path: string })[]): Promise<readonly CellBefore[]> {
    const found: CellBefore[] = [];
    for (const change of changes) {
      const { path, file, sheet } = change;
      const grid = await this.grid({ path, file, sheet: sheet ?? undefined });
      const row = grid.row(change.row);
      const text = 'column' in change ? row?.texts[columnIndex(change.column)] : undefined;
      found.push(row && { sheet: grid.sheet, text: text ?? '' });
    }
    return found;
  }

  writeMended(path: string, edits: readonly Edit[], output: string): Promise<void> {
    return writeMended(path, edits, output);
  }

  private grid({ path, file, sheet }: TableAt): Promise<Grid> {
    const key = `${file}\n${sheet ?? ''}`;
    const known = this.grids.get(key) ?? Grid.open(path, file, sheet);
    this.grids.set(key, known);
    return known;
  }

  /** Forgets the rows: the files are others. */
  async forget(): Promise<void> {
    const grids = [...this.grids.values()];
    this.grids.clear();
    this.latest = undefined;
    for (const grid of grids)
      await grid.then(
        (one) => one.close(),
        () => undefined,
      );
  }
}

/** Runs a use case that asks nothing, with the tables of this machine. */
function run(useCase: UseCase, { context: given, files, options }: ReaderCall, tell: Tell): Promise<Outcome> {
  const { clockOffsetMs, ...known } = given;
  const events = new ActEvents(known.language, options);
  const context: Context = {
    ...known,
    now: () => new Date(Date.now() + clockOffsetMs),
    tell: (event) => tell(events.take(event)),
    taken: async () => undefined,
    // The page answers questions about columns by calling again.
    ask: {
      confirm: async () => false,
      text: async () => '',
      secret: async () => '',
      choose: async () => undefined,
    },
    onInterrupt: () => () => undefined,
  };
  return withTables(context, () => useCase(context, files, options));
}
