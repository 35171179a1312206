import { basename } from 'node:path';
import type { AnyOptions } from '../../app/any-options.js';
import { type CheckedSheet, type CheckIndex, checkWithIndex, type RowPlace } from '../../app/check.js';
import { type Context, type Outcome, type UseCase, withTables } from '../../app/context.js';
import { writeEditedCopy } from '../../app/edited-copy.js';
import { watchFolder } from '../../app/inbox.js';
import { inspectWithCache } from '../../app/inspect.js';
import { withProfile } from '../../app/profile.js';
import type { Totals } from '../../send/kind.js';
import { columnIndex } from '../../toolkit/core/text.js';
import type { Edit } from '../../toolkit/tables/edits.js';
import type { Row } from '../../toolkit/tables/table.js';
import type { Change, ColumnView, EditsView, FilePreviews, TableName, TableRows } from '../api.js';
import { Grid, previewsOf, type Rows, type RowsWanted, tablesOf } from './tables.js';
import { issueView, type TaskChange, TaskEvents } from './task-events.js';

/** Cloneable part of a context for the thread; the clock is given as its offset from the system's, in ms. */
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

/** Use case to run on the files of an upload. */
export interface ReaderCall {
  readonly context: ReaderContext;
  readonly files: readonly string[];
  readonly options: AnyOptions;
}

/** Table of an upload, with the path of its file. */
interface TableAt {
  readonly path: string;
  readonly file: string;
  readonly sheet?: string | undefined;
}

/** Result of a check: the tables it read, and the totals of the documents it made. */
export interface CheckedTables {
  readonly tables: readonly CheckedSheet[];
  readonly totals: Totals;
}

/** Cell or row before a change; undefined if the row does not exist. */
type CellBefore = { readonly sheet: string | null; readonly text: string } | undefined;

type OnChange = (change: TaskChange) => void;

/** Reads the files of one upload. Arguments and results are plain values, so that it can run in a thread. */
export class UploadReader {
  private readonly grids = new Map<string, Promise<Grid>>();
  /** Cached survey of the files; valid for one `reading` only. */
  private survey:
    | { readonly reading: number; readonly kept: Parameters<typeof inspectWithCache>[0] }
    | undefined;
  /** Row index of the latest check, with the id of its task. */
  private latest:
    | { readonly task: string; readonly checked: CheckIndex; readonly call: ReaderCall }
    | undefined;

  /** Runs `inspect`. `reading` changes whenever the files or their headers do. */
  inspect(call: ReaderCall, reading: number, onChange: OnChange): Promise<Outcome> {
    if (this.survey === undefined || this.survey.reading < reading) this.survey = { reading, kept: {} };
    const kept = this.survey.reading === reading ? this.survey.kept : {};
    return run(inspectWithCache(kept), call, onChange);
  }

  /** Takes the files of a company's folder until the thread ends. */
  watch(call: ReaderCall, onChange: OnChange): Promise<Outcome> {
    return run(
      async (context, [folder = ''], options) => {
        const full = await withProfile({ context, options });
        const profile = full.context.profile;
        const mayNotSend = profile !== undefined && call.options.inboxSend === 'none';
        const only = mayNotSend ? { profile: { ...profile, inboxSends: [] } } : {};
        return watchFolder({ ...full.context, ...only }, folder, full.options);
      },
      call,
      onChange,
    );
  }

  /** Runs `check` and returns its outcome and what it read; undefined if it failed before. */
  async check(
    task: string,
    call: ReaderCall,
    onChange: OnChange,
  ): Promise<{ readonly outcome: Outcome; readonly checked: CheckedTables | undefined }> {
    let tables: CheckedTables | undefined;
    const found = (checked: CheckIndex): void => {
      this.latest = { task, checked, call };
      tables = { tables: checked.sheets(), totals: checked.totals };
    };
    const outcome = await run(checkWithIndex(found), call, onChange);
    return { outcome, checked: tables };
  }

  /**
   * Returns the rows of the document that a row belongs to; undefined if a later check has replaced this
   * one.
   */
  async rowsWith(task: string, place: RowPlace): Promise<readonly RowPlace[] | undefined> {
    return this.latest?.task === task ? this.latest.checked.rowsWith(place) : undefined;
  }

  /** Checks the documents of changed rows again; null if only a full check can tell. */
  async recheck(
    task: string,
    changes: readonly Change[],
    edits: readonly Edit[],
  ): Promise<EditsView['checked']> {
    if (this.latest?.task !== task) return null;
    const { checked, call } = this.latest;
    const together = checked.relatedTo(
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
      rows: together.reported.map(({ file, sheet, row }) => ({ file, sheet: sheet ?? null, row })),
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

  /** Returns a column without edits. */
  async column(at: TableAt, column: string): Promise<ColumnView & Pick<TableRows, 'sheet'>> {
    const grid = await this.grid(at);
    return { ...grid.column(columnIndex(column)), sheet: grid.sheet };
  }

  /** Returns the sheet and text of each change's cell before the change. */
  async before(changes: readonly (Change & { readonly path: string })[]): Promise<readonly CellBefore[]> {
    const cells: CellBefore[] = [];
    for (const change of changes) {
      const { path, file, sheet } = change;
      const grid = await this.grid({ path, file, sheet: sheet ?? undefined });
      const row = grid.row(change.row);
      const text = 'column' in change ? row?.texts[columnIndex(change.column)] : undefined;
      cells.push(row && { sheet: grid.sheet, text: text ?? '' });
    }
    return cells;
  }

  writeEditedCopy(path: string, edits: readonly Edit[], output: string): Promise<void> {
    return writeEditedCopy(path, edits, output);
  }

  private grid({ path, file, sheet }: TableAt): Promise<Grid> {
    const key = `${file}\n${sheet ?? ''}`;
    const known = this.grids.get(key) ?? Grid.open(path, file, sheet);
    this.grids.set(key, known);
    return known;
  }

  /** Drops the rows and the latest check, because the files have changed. */
  async forget(): Promise<void> {
    const grids = [...this.grids.values()];
    this.grids.clear();
    this.latest = undefined;
    for (const grid of grids)
      await grid.then(
        (opened) => opened.close(),
        () => undefined,
      );
  }
}

/** Runs a use case that asks no questions, with the imported tables of this computer. */
function run(
  useCase: UseCase,
  { context: given, files, options }: ReaderCall,
  onChange: OnChange,
): Promise<Outcome> {
  const { clockOffsetMs, ...known } = given;
  const events = new TaskEvents(known.language, options);
  const context: Context = {
    ...known,
    now: () => new Date(Date.now() + clockOffsetMs),
    tell: (event) => onChange(events.take(event)),
    taken: async () => undefined,
    // The page answers questions about columns by starting the task again.
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
