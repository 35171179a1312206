import { useEffect, useId, useMemo, useRef, useState } from 'preact/hooks';
import { listIn } from '../../toolkit/core/remember.js';
import { columnIndex, columnLetter } from '../../toolkit/core/text.js';
import { amountLike } from '../amounts.js';
import type {
  Amount,
  CheckView,
  GridRow,
  LoggedEdit,
  PageEvent,
  PageIssue,
  ReadTable,
  Summary,
  TableName,
  TaskView,
  UploadView,
} from '../api.js';
import { formatCell } from '../dates.js';
import { NoService } from './company.js';
import { FindBar, fetchColumn } from './find.js';
import { StepFooter } from './frame.js';
import { type CellAt, type CellChange, type FoundCells, Grid, type Marks, type RowOrder } from './grid.js';
import { Figure, IssueList, Issues, placeOf, ShownOf, Working } from './parts.js';
import { usePlace } from './place.js';
import { RowsToFix } from './rows-to-fix.js';
import { isCurrent, type ScreenProps, taskOf, useMayPrepare } from './screen.js';
import { call, eventsNamed, lastEvent, useAttempts, useLoaded, useTask } from './server.js';
import { type SortOrder, sortedRows } from './sort.js';
import { Tabs } from './tabs.js';
import { type EditSession, useEdits } from './use-edits.js';
import { count, moment, money, readingText, t } from './words.js';

/** Returns the edited files that can be downloaded; parts of a zip cannot. */
const editedFiles = (log: readonly LoggedEdit[]): readonly string[] =>
  [...new Set(log.flatMap(({ changes }) => changes.map(({ file }) => file)))].filter(
    (file) => !file.includes('/'),
  );

/** Result of a check that has ended. */
interface CheckResult {
  readonly task: TaskView;
  readonly issues: readonly PageIssue[];
  readonly summary: Summary | undefined;
}

const checkResultOf = (task: TaskView, events: readonly PageEvent[]): CheckResult => ({
  task,
  issues: eventsNamed<PageIssue>(events, 'issue'),
  summary: lastEvent<Summary>(events, 'summary'),
});

/** Shows the tables and their issues, and lets the user fix them before sending. */
export function Review({ upload, reload }: ScreenProps) {
  const check = taskOf(upload, 'check');
  const isNow = isCurrent(upload, check);
  const { task, events } = useTask(isNow ? check?.id : undefined, reload);
  const { refused, attempt } = useAttempts();
  /** Latest check that has ended; it stays visible while the next one runs. */
  const [result, setResult] = useState<CheckResult>();
  const isOver = isNow && task?.state === 'ended';
  const start = async (): Promise<void> => {
    await attempt(() => call('POST', `/uploads/${upload.id}/tasks/check`, {}));
    await reload();
  };
  const edits = useEdits(upload.id, start, isOver);
  useEffect(() => {
    if (!isNow && upload.files.length > 0) void start();
  }, [upload.id, isNow]);
  useEffect(() => {
    if (!isOver) return;
    setResult(checkResultOf(task, events));
    edits.checkEnded();
  }, [task?.id, isOver]);
  const issues = useMemo(() => edits.withRowIssues(result?.issues ?? []), [result, edits.overlay]);
  const summary = result?.summary;
  // The server passes on a limited number of issues; the summary counts all of them.
  const received = result?.issues.length ?? 0;
  const counted = summary === undefined ? 0 : summary.issues.errors + summary.issues.warnings;
  return (
    <>
      <h1>{t('reviewTitle')}</h1>
      <Issues issues={[...refused, ...edits.refused, ...(isNow ? (task?.failure ?? []) : [])]} />
      {!isOver && <Working task={task} />}
      {summary !== undefined && <Accounts summary={summary} />}
      {result !== undefined && issues.length === 0 && result.task.failure.length === 0 && (
        <p class="notice good">{t('noIssues')}</p>
      )}
      <ShownOf shown={received} all={counted} isGrave />
      {result !== undefined && (
        <Findings
          upload={upload.id}
          task={result.task.id}
          saveReading={async (answer) => {
            await call('PUT', `/uploads/${upload.id}/answers`, answer);
            await start();
          }}
          saveMeaning={async (param, table, code, text) => {
            // An answer given meanwhile stays.
            const { params } = await call<UploadView>('GET', `/uploads/${upload.id}`);
            const before = (params[param] ?? {}) as Record<string, Record<string, string>>;
            const answers = { ...before, [table]: { ...before[table], [code]: text } };
            await call('PUT', `/uploads/${upload.id}/params`, { ...params, [param]: answers });
            await start();
          }}
          files={upload.files.map(({ name }) => name)}
          issues={issues}
          edits={edits}
        />
      )}
      <div class="buttons">
        {result !== undefined && (
          <button type="button" disabled={!isOver} onClick={() => void start()}>
            {t('checkAgain')}
          </button>
        )}
        {isOver &&
          summary !== undefined &&
          upload.files.length === 1 &&
          !/\.(xml|zip)$/i.test(upload.files[0]!.name) && (
            <a class="button" href={`/api/uploads/${upload.id}/outputs/revisado.xlsx`} download>
              {t('annotated')}
            </a>
          )}
        {isNow && <RowsToFix upload={upload.id} task={task} />}
        {editedFiles(edits.log).map((name) => (
          <a
            key={name}
            class="button"
            href={`/api/uploads/${upload.id}/edited?name=${encodeURIComponent(name)}`}
            download
          >
            {t('mended', { name })}
          </a>
        ))}
      </div>
      <NoService upload={upload} />
      <StepFooter
        upload={upload}
        step="confirm"
        back="data"
        reason={
          !isOver || edits.isDue
            ? t('whyChecking')
            : !upload.hasService
              ? t('whyNoCompany')
              : !summary?.documents['made']
                ? t('whyNothingReady')
                : undefined
        }
        progress={
          summary && {
            done: summary.documents['made'] ?? 0,
            total: summary.documents['planned'] ?? 0,
            text: t('readyDocuments'),
          }
        }
      />
    </>
  );
}

/** Shows the accounts of records, documents and columns, which must add up. */
export function Accounts({ summary: { records, documents, columns } }: { readonly summary: Summary }) {
  const counted = (counts: Readonly<Record<string, number>>, ...names: readonly string[]) =>
    Object.fromEntries(names.map((name) => [name, count(counts[name] ?? 0)]));
  return (
    <dl class="accounts" aria-label={t('accounts')}>
      <Figure name={t('records')}>
        {t('recordsAre', counted({ ...records }, 'read', 'used', 'skipped', 'heldBack') as never)}
      </Figure>
      <Figure name={t('documents')}>
        {t('documentsAre', counted(documents, 'planned', 'made', 'heldBack') as never)}
      </Figure>
      {columns !== undefined && (
        <Figure name={t('columns')}>
          {t('columnsAre', counted(columns, 'filled', 'used', 'control', 'declined', 'unread') as never)}
        </Figure>
      )}
    </dl>
  );
}

interface FindingsProps {
  readonly upload: string;
  /** Id of the check that found the issues. */
  readonly task: string;
  readonly files: readonly string[];
  readonly issues: readonly PageIssue[];
  readonly edits: EditSession;
  /** Saves what an old code means, and checks again. */
  saveMeaning(param: string, table: string, code: string, text: string): Promise<void>;
  /** Saves how cells are read, and checks again. */
  saveReading(answer: Readonly<Record<string, string>>): Promise<void>;
}

const idOf = ({ file, sheet }: TableName): string => [file, sheet].join('\n');

/** Documents in XML have no cells to edit. */
const isTable = ({ file }: TableName): boolean => !/\.(xml|zip)$/i.test(file);

/** Returns the tables that were read, and others named by an issue of a cell. */
function tablesOf(
  read: readonly ReadTable[],
  issues: readonly PageIssue[],
  files: readonly string[],
): readonly ReadTable[] {
  const unread = { name: [], words: {}, money: [], headerRow: 0, labels: [] };
  const named = issues.flatMap(({ file, sheet, row }): ReadTable[] =>
    file !== null && row !== null && files.some((name) => file === name || file.startsWith(`${name}/`))
      ? [{ file, sheet, ...unread }]
      : [],
  );
  const first = files.slice(0, 1).map((file): ReadTable => ({ file, sheet: null, ...unread }));
  const isRead = (table: TableName): boolean => read.some((other) => idOf(other) === idOf(table));
  const tables = [...read, ...named.filter((table) => !isRead(table))].filter(isTable);
  return [
    ...new Map(
      (tables.length > 0 ? tables : first.filter(isTable)).map((table) => [idOf(table), table]),
    ).values(),
  ];
}

/** Letters and titles of the columns of a table. */
const columnsOf = ({ labels }: ReadTable): readonly { readonly letter: string; readonly title: string }[] =>
  labels.map((label, at) => ({ letter: columnLetter(at), title: label ?? '' }));

function Findings({ upload, task, files, issues, edits, saveMeaning, saveReading }: FindingsProps) {
  const [, , , row, wanted, sheet] = usePlace();
  const mayPrepare = useMayPrepare();
  const { value: read } = useLoaded<CheckView>(`/uploads/${upload}/read?of=${task}`);
  const known = useRef<CheckView | undefined>(undefined);
  if (read !== undefined) known.current = read;
  const tables = useMemo(
    () => (known.current === undefined ? [] : tablesOf(known.current.tables, issues, files)),
    [read, issues],
  );
  const [chosen, setChosen] = useState<TableName | undefined>(
    wanted === undefined ? undefined : { file: wanted, sheet: sheet ?? null },
  );
  const errorCounts = useMemo(() => countsOf(issues), [issues]);
  const table =
    tables.find((candidate) => chosen !== undefined && idOf(candidate) === idOf(chosen)) ??
    tables.find((candidate) => errorCounts.has(idOf(candidate))) ??
    tables[0];
  const [goTo, setGoTo] = useState<CellAt | undefined>(
    row === undefined ? undefined : { row: Number(row), column: '' },
  );
  const choose = (table: TableName): void => {
    setChosen(table);
    setGoTo(undefined);
  };
  const show = ({ file, sheet, row, column }: PageIssue): void => {
    if (row === null || file === null) return;
    if (table === undefined || idOf(table) !== idOf({ file, sheet })) choose({ file, sheet });
    setGoTo({ row, column: column ?? '' });
  };
  return (
    <div class="findings">
      {issues.length > 0 && (
        <IssueList
          issues={issues}
          show={show}
          more={(all) =>
            mayPrepare && (
              <>
                <Readings issues={all} saveReading={saveReading} />
                {all[0]?.answer === null
                  ? sameValues(all).map(([value, same]) => (
                      <Replacement
                        key={value}
                        value={value}
                        label={t('insteadOf', { value: value || EMPTY })}
                        choices={same[0]!.suggestions.slice(0, 1).map((suggestion) => suggestion.value)}
                        mayBeEmpty
                        act={same.length === 1 ? t('mendOne') : t('mendAll', { count: count(same.length) })}
                        take={(text) =>
                          void edits.edit(
                            same.map(({ file, sheet, row, column }) => ({
                              file: file!,
                              sheet,
                              row: row!,
                              column: column!,
                              text,
                            })),
                          )
                        }
                      />
                    ))
                  : answersOf(all).map(({ param, table, code, choices }) => (
                      <Replacement
                        key={code}
                        value={code}
                        label={t('meaningOf', { value: code, label: all[0]?.label ?? table })}
                        choices={choices}
                        isAtOnce
                        act={t('answer')}
                        take={(text) => void saveMeaning(param, table, code, text)}
                      />
                    ))}
              </>
            )
          }
        />
      )}
      {table !== undefined && (
        <section class="data">
          {tables.length > 1 && (
            <Tabs
              label={t('tablesRead')}
              chosen={idOf(table)}
              choose={(id) => {
                const wanted = tables.find((candidate) => idOf(candidate) === id);
                if (wanted !== undefined) choose(wanted);
              }}
              tabs={tables.map((tab) => ({
                id: idOf(tab),
                name: <TabName table={tab} tables={tables} errors={errorCounts.get(idOf(tab)) ?? 0} />,
              }))}
            />
          )}
          <TableEditor
            key={idOf(table)}
            upload={upload}
            table={table}
            issues={issues}
            edits={edits}
            totals={known.current?.totals ?? []}
            goTo={goTo}
            setGoTo={setGoTo}
            onSheetNamed={(sheet) => setChosen({ ...table, sheet })}
          />
        </section>
      )}
    </div>
  );
}

interface TableEditorProps {
  readonly upload: string;
  readonly table: ReadTable;
  readonly issues: readonly PageIssue[];
  readonly edits: EditSession;
  readonly totals: readonly Amount[];
  readonly goTo: CellAt | undefined;
  setGoTo(cell: CellAt): void;
  onSheetNamed(sheet: string): void;
}

/** Max times that computed totals are used in turn: those of a net rest on those before it. */
const MAX_TOTALS_IN_TURN = 3;

/** Edits one table: its tools, cells, and totals. */
function TableEditor({
  upload,
  table,
  issues,
  edits,
  totals,
  goTo,
  setGoTo,
  onSheetNamed,
}: TableEditorProps) {
  const { file, sheet, name, words, headerRow } = table;
  const mayPrepare = useMayPrepare();
  const [onlyErrors, setOnlyErrors] = useState(false);
  const [isSearching, setSearching] = useState(false);
  const [found, setFound] = useState<FoundCells>();
  const [sort, setSort] = useState<SortOrder & { readonly numbers: readonly number[] }>();
  const [pasted, setPasted] = useState<string>();
  const [selected, setSelected] = useState<{ readonly cell: CellAt; readonly row: GridRow }>();
  const [selectedCells, setSelectedCells] = useState(1);
  const marks = useMemo(() => marksOf(issues, table), [issues, idOf(table)]);
  // Edited rows stay in the list of rows with errors until that list is opened again.
  const order = useMemo((): RowOrder | undefined => {
    if (!onlyErrors && sort === undefined) return undefined;
    const marked = [...marks.keys()].sort((a, b) => a - b);
    const numbers = sort === undefined ? marked : sort.numbers.filter((row) => !onlyErrors || marks.has(row));
    return { id: [onlyErrors, sort?.column, sort?.isDescending].join(' '), numbers };
  }, [onlyErrors, sort]);
  const columns = useMemo(() => columnsOf(table), [table]);
  const column = selected?.cell.column || columns[0]?.letter || 'A';
  const cellIssues =
    selected === undefined ? [] : (marks.get(selected.cell.row)?.get(selected.cell.column) ?? []);
  const edit = (changes: readonly CellChange[]): Promise<readonly PageIssue[] | undefined> => {
    setPasted(undefined);
    return edits.edit(changes.map((change) => ({ file, sheet, ...change })));
  };
  const put = (text: string): void => void (selected && edit([{ ...selected.cell, text }]));
  /** Returns the cells of a row that state another total than the computed one. */
  const statedTotals = (row: number, among: readonly PageIssue[]): readonly CellChange[] =>
    among.flatMap((issue) =>
      issue.row === row && issue.column !== null && issue.computed !== null
        ? [{ row, column: issue.column, text: issue.computed }]
        : [],
    );
  const wrongTotals =
    selected === undefined || cellIssues.every(({ computed }) => computed === null)
      ? []
      : statedTotals(selected.cell.row, [...(marks.get(selected.cell.row)?.values() ?? [])].flat());
  const useComputed = async (): Promise<void> => {
    if (selected === undefined) return;
    const { row } = selected.cell;
    let changes = wrongTotals;
    for (let turn = 0; turn < MAX_TOTALS_IN_TURN && changes.length > 0; turn += 1) {
      const asFile = await Promise.all(
        changes.map(async (change) => {
          const view = await fetchColumn({ upload, file, sheet, column: change.column });
          return { ...change, text: amountLike(change.text, view) };
        }),
      );
      changes = statedTotals(row, (await edit(asFile)) ?? []);
    }
  };
  const [firstCure] = !mayPrepare
    ? []
    : [
        ...(wrongTotals.length > 0 ? [() => void useComputed()] : []),
        ...cellIssues.flatMap(({ suggestions }) => suggestions).map((cure) => () => put(cure.value)),
      ];
  const sortBy = (letter: string, isDescending: boolean): void =>
    void fetchColumn({ upload, file, sheet, column: letter }).then((view) => {
      const by = { column: letter, isDescending };
      setSort({ ...by, numbers: sortedRows(view, by, headerRow) });
    });
  const nextIssue = (from: CellAt, isBackward: boolean): void => {
    const rows = order?.numbers ?? [...marks.keys()].sort((a, b) => a - b);
    const cells = rows.flatMap((row) =>
      [...(marks.get(row)?.keys() ?? [])]
        .map((column) => ({ row, column, place: [rows.indexOf(row), columnIndex(column)] as const }))
        .sort((a, b) => a.place[1] - b.place[1]),
    );
    const here = [
      rows.includes(from.row) ? rows.indexOf(from.row) : rows.filter((row) => row < from.row).length - 0.5,
      columnIndex(from.column),
    ] as const;
    const isAfter = ({ place }: (typeof cells)[number]): boolean =>
      place[0] > here[0] || (place[0] === here[0] && place[1] > here[1]);
    const isBefore = ({ place }: (typeof cells)[number]): boolean =>
      place[0] < here[0] || (place[0] === here[0] && place[1] < here[1]);
    const next = isBackward ? (cells.findLast(isBefore) ?? cells.at(-1)) : (cells.find(isAfter) ?? cells[0]);
    if (next !== undefined) setGoTo({ row: next.row, column: next.column });
  };
  return (
    <>
      <div class="tools">
        <h2>{[file, sheet].filter(Boolean).join(' · ')}</h2>
        <label>
          <input
            type="checkbox"
            checked={onlyErrors}
            onChange={({ currentTarget }) => setOnlyErrors(currentTarget.checked)}
          />
          {t('onlyErrors')}
        </label>
        <button type="button" aria-expanded={isSearching} onClick={() => setSearching(!isSearching)}>
          {t(mayPrepare ? 'findAndReplace' : 'find')}
        </button>
        <span class="buttons" role="group" aria-label={t('sortBy', { column })}>
          <button type="button" aria-label={t('sortUp', { column })} onClick={() => sortBy(column, false)}>
            {column} ▲
          </button>
          <button type="button" aria-label={t('sortDown', { column })} onClick={() => sortBy(column, true)}>
            {column} ▼
          </button>
          {sort !== undefined && (
            <button type="button" onClick={() => setSort(undefined)}>
              {t('fileOrder')}
            </button>
          )}
        </span>
        {mayPrepare && (
          <span class="buttons">
            <button type="button" disabled={edits.log.length === 0} onClick={() => void edits.undo()}>
              {t('undo')} (Ctrl+Z)
            </button>
            <button type="button" disabled={edits.undone === 0} onClick={() => void edits.redo()}>
              {t('redo')} (Ctrl+Y)
            </button>
          </span>
        )}
      </div>
      {isSearching && (
        <FindBar
          upload={upload}
          file={file}
          sheet={sheet}
          column={column}
          columns={columns}
          isMoney={table.money.includes(columnIndex(column))}
          firstRow={headerRow + 1}
          edits={edits.log.length + edits.undone}
          chooseColumn={(letter) => setGoTo({ row: selected?.cell.row ?? headerRow + 1, column: letter })}
          show={setFound}
          goTo={setGoTo}
          replace={mayPrepare ? (changes) => void edit(changes) : undefined}
          close={() => setSearching(false)}
        />
      )}
      {mayPrepare && <p class="hint">{t('editHint')}</p>}
      <Grid
        upload={upload}
        file={file}
        sheet={sheet}
        marks={marks}
        order={order}
        sort={sort}
        name={name}
        words={words}
        money={table.money}
        headerRow={headerRow}
        found={found}
        goTo={goTo}
        changed={edits.changed}
        onSheetNamed={onSheetNamed}
        select={(cell, row) =>
          setSelected((before) =>
            before?.row === row && before.cell.column === cell.column ? before : { cell, row },
          )
        }
        selectRange={setSelectedCells}
        edit={(changes) => void edit(changes)}
        onPasted={(cells, outside) =>
          setPasted(
            [t('pasted', { count: count(cells) }), outside > 0 && t('notPasted', { count: count(outside) })]
              .filter(Boolean)
              .join(' '),
          )
        }
        isReadOnly={!mayPrepare}
        undo={() => void edits.undo()}
        redo={() => void edits.redo()}
        nextIssue={nextIssue}
        sortBy={(letter) => sortBy(letter, sort?.column === letter && !sort.isDescending)}
        search={() => setSearching(true)}
        applyCure={() => firstCure?.()}
        popover={
          cellIssues.length === 0 ? null : (
            <>
              {cellIssues.map((issue) => (
                <div key={issue.code + issue.message} class={issue.level}>
                  <p>
                    <strong>{placeOf(issue)}</strong> {issue.message}
                  </p>
                  <p class="hint">{issue.fix}</p>
                  {mayPrepare &&
                    issue.suggestions.map(({ value }) => (
                      <button key={value} type="button" onClick={() => put(value)}>
                        {t('put', { value })}
                      </button>
                    ))}
                </div>
              ))}
              {mayPrepare && wrongTotals.length > 0 && (
                <button type="button" class="primary" onClick={() => void useComputed()}>
                  {t('useComputed')}
                </button>
              )}
              <p class="hint keys">{t(firstCure === undefined ? 'popoverKeys' : 'popoverKeysCure')}</p>
            </>
          )
        }
      />
      <div class="totals">
        {totals.map(({ key, name, amount }) => (
          <span key={key}>
            {name} <strong>{money(amount)}</strong>
          </span>
        ))}
        <span class="selected-cells">{t('selectedCells', { count: count(selectedCells) })}</span>
      </div>
      <p role="status" class="hint">
        {pasted}
        {pasted !== undefined && edits.awaitsCheck && ' '}
        {edits.awaitsCheck && t('checkedLater')}
      </p>
      <div class="buttons">
        {mayPrepare && selected !== undefined && (
          <RowButton row={selected.cell.row} table={table} edits={edits} />
        )}
      </div>
      <Log log={edits.log} />
    </>
  );
}

interface TabNameProps {
  readonly table: TableName;
  readonly tables: readonly TableName[];
  readonly errors: number;
}

/** Shows a sheet's name, with the file's if several files have such a sheet. */
function TabName({ table: { file, sheet }, tables, errors }: TabNameProps) {
  const isUnique = sheet !== null && tables.every((other) => other.file === file || other.sheet !== sheet);
  return (
    <>
      {isUnique ? sheet : [file, sheet].filter(Boolean).join(' · ')}{' '}
      {errors > 0 && <span class="badge bad">{t('errorsIn', { count: count(errors) })}</span>}
    </>
  );
}

interface RowButtonProps {
  readonly row: number;
  readonly table: TableName;
  readonly edits: EditSession;
}

/** Leaves a row out that is no record, or takes it in again. */
function RowButton({ row, table: { file, sheet }, edits }: RowButtonProps) {
  const latest = edits.log
    .flatMap(({ changes }) => changes)
    .findLast(
      (change) => 'leftOut' in change && change.file === file && change.sheet === sheet && change.row === row,
    );
  const leftOut = latest !== undefined && 'leftOut' in latest && latest.leftOut;
  return (
    <button type="button" onClick={() => void edits.edit([{ file, sheet, row, leftOut: !leftOut }])}>
      {t(leftOut ? 'takeIn' : 'leaveOut', { row: String(row) })}
    </button>
  );
}

/** Offers how the cells of a cause are read in all files: a button for each answer. */
function Readings({ issues, saveReading }: Pick<FindingsProps, 'issues' | 'saveReading'>) {
  const answers = new Map(
    issues.flatMap(({ readings }) => readings.map((reading) => [reading.join('='), reading])),
  );
  if (answers.size === 0) return null;
  return (
    <div class="buttons">
      {[...answers].slice(0, MAX_VALUES_SHOWN).map(([key, [id, value]]) => (
        <button key={key} type="button" onClick={() => void saveReading({ [id]: value })}>
          {readingText(id, value)}
        </button>
      ))}
    </div>
  );
}

type Answer = NonNullable<PageIssue['answer']>;

/** Returns the distinct codes of a cause whose meaning the user must give. */
const answersOf = (issues: readonly PageIssue[]): readonly Answer[] => [
  ...new Map(issues.flatMap(({ answer }) => (answer === null ? [] : [[answer.code, answer]]))).values(),
];

const MAX_VALUES_SHOWN = 5;
/** Stands for a value without a sign. */
const EMPTY = '∅';

/** Groups the issues of a cause by their wrong values; keeps those in several cells or with a suggestion. */
function sameValues(issues: readonly PageIssue[]): readonly (readonly [string, readonly PageIssue[]])[] {
  const groups = new Map<string, PageIssue[]>();
  for (const issue of issues)
    if (issue.file !== null && issue.row !== null && issue.column !== null)
      listIn(groups, issue.value ?? '').push(issue);
  return [...groups]
    .filter(([, [first, second]]) => second !== undefined || first?.suggestions[0] !== undefined)
    .sort(([, a], [, b]) => b.length - a.length)
    .slice(0, MAX_VALUES_SHOWN);
}

interface ReplacementProps {
  readonly value: string;
  /** Name of the field. */
  readonly label: string;
  /** Values that one click takes, or writes into the field. */
  readonly choices: readonly string[];
  /** True if a choice is taken at once. */
  readonly isAtOnce?: boolean;
  readonly mayBeEmpty?: boolean;
  /** Text of the button. */
  readonly act: string;
  take(text: string): void;
}

/** Asks what stands for a value in all of its cells. */
function Replacement({ value, label, choices, isAtOnce, mayBeEmpty, act, take }: ReplacementProps) {
  // Undefined until the user decides; '' is a value too.
  const [text, setText] = useState<string>();
  const hint = useId();
  const field = useRef<HTMLInputElement>(null);
  return (
    <form
      class="same"
      onSubmit={(event) => {
        event.preventDefault();
        if (text !== undefined) take(text.trim());
      }}
    >
      <label>
        <q>{value || EMPTY}</q> →{' '}
        <input
          type="text"
          required={!mayBeEmpty}
          autocomplete="off"
          ref={field}
          aria-label={label}
          value={text ?? ''}
          onInput={({ currentTarget }) => setText(currentTarget.value)}
        />
      </label>
      {choices.slice(0, MAX_VALUES_SHOWN).map((choice) => (
        <button
          key={choice}
          type="button"
          class="plain"
          onClick={() => {
            if (isAtOnce) return take(choice);
            setText(choice);
            field.current?.focus();
          }}
        >
          {t('put', { value: choice })}
        </button>
      ))}
      {mayBeEmpty && choices.length === 0 && value !== '' && (
        <button type="button" class="plain" onClick={() => take('')}>
          {t('leaveEmpty')}
        </button>
      )}
      <button type="submit" aria-disabled={text === undefined} aria-describedby={hint}>
        {act}
      </button>
      <span id={hint} class="hint">
        {text === undefined ? t('valueNotDecided') : ''}
      </span>
    </form>
  );
}

const MAX_ENTRIES_SHOWN = 100;
const MAX_CHANGES_PER_ENTRY = 3;

const changeText = (change: LoggedEdit['changes'][number]): string => {
  const { sheet, row } = change;
  const at = (cell: string): string => [sheet, cell].filter(Boolean).join('!');
  if ('leftOut' in change) return `${at(`${t('row')} ${row}`)}: ${t(change.leftOut ? 'isOut' : 'isIn')}`;
  return `${at(`${change.column}${row}`)}: «${formatCell(change.before ?? '')}» → «${formatCell(change.text)}»`;
};

/** Lists who changed what, the latest entry first. */
function Log({ log }: { readonly log: readonly LoggedEdit[] }) {
  if (log.length === 0) return null;
  return (
    <details class="log">
      <summary>{t('changes', { count: count(log.length) })}</summary>
      <ol>
        {log
          .slice(-MAX_ENTRIES_SHOWN)
          .reverse()
          .map(({ at, by, changes }) => (
            <li key={at}>
              <time dateTime={at}>{moment(at)}</time> {by ?? ''}{' '}
              {changes.slice(0, MAX_CHANGES_PER_ENTRY).map(changeText).join(' · ')}
              {changes.length > MAX_CHANGES_PER_ENTRY &&
                ` · +${count(changes.length - MAX_CHANGES_PER_ENTRY)}`}
            </li>
          ))}
      </ol>
    </details>
  );
}

/** Counts errors by table. */
function countsOf(issues: readonly PageIssue[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const { level, file, sheet, row } of issues) {
    if (level !== 'error' || file === null || row === null) continue;
    const id = idOf({ file, sheet });
    counts.set(id, (counts.get(id) ?? 0) + 1);
  }
  return counts;
}

function marksOf(issues: readonly PageIssue[], at: TableName | undefined): Marks {
  const marks = new Map<number, Map<string, PageIssue[]>>();
  for (const issue of issues) {
    if (issue.row === null || issue.file !== at?.file || (issue.sheet ?? null) !== at.sheet) continue;
    const ofRow = marks.get(issue.row) ?? new Map<string, PageIssue[]>();
    const column = issue.column ?? '';
    ofRow.set(column, [...(ofRow.get(column) ?? []), issue]);
    marks.set(issue.row, ofRow);
  }
  return marks;
}
