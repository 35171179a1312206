import { useEffect, useId, useMemo, useRef, useState } from 'preact/hooks';
import type { ActView, GridRow, LoggedEdit, PageEvent, PageIssue, Summary, TableName } from '../api.js';
import { Forward } from './columns.js';
import { NoService } from './company.js';
import { type CellAt, Grid, type Marks } from './grid.js';
import { type Mending, useMending } from './mending.js';
import { Figure, IssueList, Issues, placeOf, Working } from './parts.js';
import { usePlace } from './place.js';
import { actOf, isCurrent, type ScreenProps } from './screen.js';
import { call, refusalOf, useAct, useLoaded } from './server.js';
import { Tabs } from './tabs.js';
import { ToMend } from './to-mend.js';
import { count, moment, readingText, t } from './words.js';

/** The files of which a mended copy can be taken away; parts of a zip are none. */
const mendedFiles = (log: readonly LoggedEdit[]): readonly string[] =>
  [...new Set(log.flatMap(({ changes }) => changes.map(({ file }) => file)))].filter(
    (file) => !file.includes('/'),
  );

/** A check that has ended. */
interface Settled {
  readonly act: ActView;
  readonly issues: readonly PageIssue[];
  readonly summary: Summary | undefined;
}

const settledOf = (act: ActView, events: readonly PageEvent[]): Settled => ({
  act,
  issues: events.filter(({ event }) => event === 'issue') as unknown as PageIssue[],
  summary: events.find(({ event }) => event === 'summary') as Summary | undefined,
});

/** What the files hold, what is wrong in them and how to mend it, before anything is sent. */
export function Review({ upload, reload }: ScreenProps) {
  const check = actOf(upload, 'check');
  const isNow = isCurrent(upload, check);
  const { act, events } = useAct(isNow ? check?.id : undefined);
  const [refused, setRefused] = useState<readonly PageIssue[]>([]);
  /** The latest that has ended: it stays while the next one runs. */
  const [settled, setSettled] = useState<Settled>();
  const isOver = isNow && act?.state === 'ended';
  const start = async (): Promise<void> => {
    try {
      await call('POST', `/uploads/${upload.id}/acts/check`, {});
      setRefused([]);
    } catch (error) {
      setRefused(refusalOf(error));
    }
    await reload();
  };
  const mending = useMending(upload.id, start, isOver);
  useEffect(() => {
    if (!isNow && upload.files.length > 0) void start();
  }, [upload.id, isNow]);
  useEffect(() => {
    if (!isOver) return;
    setSettled(settledOf(act, events));
    mending.settle();
  }, [act?.id, isOver]);
  const issues = useMemo(() => mending.over(settled?.issues ?? []), [settled, mending.overlay]);
  const summary = settled?.summary;
  // The server keeps so many; that there are more is said.
  const said = settled?.issues.length ?? 0;
  const told = summary === undefined ? 0 : summary.issues.errors + summary.issues.warnings;
  return (
    <>
      <h1>{t('reviewTitle')}</h1>
      <Issues issues={[...refused, ...mending.refused, ...(isNow ? (act?.failure ?? []) : [])]} />
      {!isOver && <Working act={act} />}
      {summary !== undefined && <Accounts summary={summary} />}
      {settled !== undefined && issues.length === 0 && settled.act.failure.length === 0 && (
        <p class="notice good">{t('noIssues')}</p>
      )}
      {said < told && (
        <p class="notice error">{t('moreIssues', { shown: count(said), count: count(told) })}</p>
      )}
      {settled !== undefined && (
        <Findings
          upload={upload.id}
          act={settled.act.id}
          read={async (answer) => {
            await call('PUT', `/uploads/${upload.id}/answers`, answer);
            await start();
          }}
          answered={async (param, table, code, text) => {
            const before = (upload.params[param] ?? {}) as Record<string, Record<string, string>>;
            const answers = { ...before, [table]: { ...before[table], [code]: text } };
            await call('PUT', `/uploads/${upload.id}/params`, { ...upload.params, [param]: answers });
            await start();
          }}
          files={upload.files.map(({ name }) => name)}
          issues={issues}
          mending={mending}
        />
      )}
      <div class="buttons">
        {settled !== undefined && (
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
        {isNow && <ToMend upload={upload.id} act={act} />}
        {mendedFiles(mending.log).map((name) => (
          <a
            key={name}
            class="button"
            href={`/api/uploads/${upload.id}/mended?name=${encodeURIComponent(name)}`}
            download
          >
            {t('mended', { name })}
          </a>
        ))}
      </div>
      <NoService upload={upload} />
      <Forward
        upload={upload}
        step="confirm"
        back="data"
        disabled={
          !isOver ||
          !upload.hasService ||
          mending.isDue ||
          summary === undefined ||
          !summary.documents['made']
        }
      />
    </>
  );
}

/** Nothing is lost between two lines. */
export function Accounts({ summary: { records, documents, columns } }: { readonly summary: Summary }) {
  const shown = (counts: Readonly<Record<string, number>>, ...names: readonly string[]) =>
    Object.fromEntries(names.map((name) => [name, count(counts[name] ?? 0)]));
  return (
    <dl class="accounts" aria-label={t('accounts')}>
      <Figure name={t('records')}>
        {t('recordsAre', shown({ ...records }, 'read', 'used', 'skipped', 'heldBack') as never)}
      </Figure>
      <Figure name={t('documents')}>
        {t('documentsAre', shown(documents, 'planned', 'made', 'heldBack') as never)}
      </Figure>
      {columns !== undefined && (
        <Figure name={t('columns')}>
          {t('columnsAre', shown(columns, 'filled', 'used', 'control', 'declined', 'unread') as never)}
        </Figure>
      )}
    </dl>
  );
}

interface FindingsProps {
  readonly upload: string;
  /** The check that found them. */
  readonly act: string;
  readonly files: readonly string[];
  readonly issues: readonly PageIssue[];
  readonly mending: Mending;
  /** Keeps what an old code means, and checks again. */
  answered(param: string, table: string, code: string, text: string): Promise<void>;
  /** Keeps how cells are read, and checks again. */
  read(answer: Readonly<Record<string, string>>): Promise<void>;
}

const idOf = ({ file, sheet }: TableName): string => [file, sheet].join('\n');

/** Documents in XML have no cells. */
const isTable = ({ file }: TableName): boolean => !/\.(xml|zip)$/i.test(file);

/** The tables that were read, and others with a cell that an issue names. */
function tablesOf(
  read: readonly TableName[],
  issues: readonly PageIssue[],
  files: readonly string[],
): readonly TableName[] {
  const named = issues.flatMap(({ file, sheet, row }): TableName[] =>
    file !== null && row !== null && files.some((one) => file === one || file.startsWith(`${one}/`))
      ? [{ file, sheet }]
      : [],
  );
  const first = files.slice(0, 1).map((file): TableName => ({ file, sheet: null }));
  const tables = [...read, ...named].filter(isTable);
  return [
    ...new Map((tables.length > 0 ? tables : first.filter(isTable)).map((one) => [idOf(one), one])).values(),
  ];
}

function Findings({ upload, act, files, issues, mending, answered, read: readAs }: FindingsProps) {
  const [, , , row, wanted, sheet] = usePlace();
  const { value: read } = useLoaded<readonly TableName[]>(`/uploads/${upload}/read?of=${act}`);
  const known = useRef<readonly TableName[] | undefined>(undefined);
  if (read !== undefined) known.current = read;
  const tables = useMemo(
    () => (known.current === undefined ? [] : tablesOf(known.current, issues, files)),
    [read, issues],
  );
  const [chosen, setChosen] = useState<TableName | undefined>(
    wanted === undefined ? undefined : { file: wanted, sheet: sheet ?? null },
  );
  const bad = useMemo(() => countsOf(issues), [issues]);
  const table =
    tables.find((one) => chosen !== undefined && idOf(one) === idOf(chosen)) ??
    tables.find((one) => bad.has(idOf(one))) ??
    tables[0];
  const [onlyErrors, setOnlyErrors] = useState(false);
  const [goTo, setGoTo] = useState<CellAt | undefined>(
    row === undefined ? undefined : { row: Number(row), column: '' },
  );
  const [selected, setSelected] = useState<{ readonly cell: CellAt; readonly row: GridRow }>();
  const marks = useMemo(() => marksOf(issues, table), [issues, table && idOf(table)]);
  const said = selected === undefined ? [] : (marks.get(selected.cell.row)?.get(selected.cell.column) ?? []);
  const choose = (one: TableName): void => {
    setChosen(one);
    setGoTo(undefined);
    setSelected(undefined);
  };
  const show = ({ file, sheet, row, column }: PageIssue): void => {
    if (row === null || file === null) return;
    if (table === undefined || idOf(table) !== idOf({ file, sheet })) choose({ file, sheet });
    setGoTo({ row, column: column ?? '' });
  };
  const mend = ({ row, column }: CellAt, text: string): void => {
    if (table !== undefined) void mending.mend([{ ...table, row, column, text }]);
  };
  return (
    <div class="findings">
      {issues.length > 0 && (
        <IssueList
          issues={issues}
          show={show}
          more={(all) => (
            <>
              <Readings issues={all} read={readAs} />
              {all[0]!.answer === null
                ? sameValues(all).map((one) => <SameValue key={one.value} {...one} mend={mending.mend} />)
                : answersOf(all).map((one) => <Meaning key={one.code} {...one} answered={answered} />)}
            </>
          )}
        />
      )}
      {table !== undefined && (
        <section class="data">
          {tables.length > 1 && (
            <Tabs
              label={t('tablesRead')}
              chosen={idOf(table)}
              choose={(id) => choose(tables.find((one) => idOf(one) === id)!)}
              tabs={tables.map((one) => ({
                id: idOf(one),
                name: <TabName table={one} tables={tables} bad={bad.get(idOf(one)) ?? 0} />,
              }))}
            />
          )}
          <div class="bar">
            <h2>{[table.file, table.sheet].filter(Boolean).join(' · ')}</h2>
            <label>
              <input
                type="checkbox"
                checked={onlyErrors}
                onChange={({ currentTarget }) => setOnlyErrors(currentTarget.checked)}
              />
              {t('onlyErrors')}
            </label>
          </div>
          <p class="hint">{t('editHint')}</p>
          <Grid
            key={idOf(table)}
            upload={upload}
            file={table.file}
            sheet={table.sheet}
            marks={marks}
            onlyMarked={onlyErrors}
            goTo={goTo}
            changed={mending.changed}
            named={(sheet) => setChosen({ ...table, sheet })}
            select={(cell, row) =>
              setSelected((before) =>
                before?.row === row && before.cell.column === cell.column ? before : { cell, row },
              )
            }
            mend={mend}
            undo={() => void mending.undo()}
          />
          <div class="cell-note" role="status">
            {mending.isUnsaid && <p>{t('checkedLater')}</p>}
            {said.map((issue) => (
              <p key={issue.code + issue.message} class={issue.level}>
                <strong>{placeOf(issue)}</strong> {issue.message} <span class="hint">{issue.fix}</span>{' '}
                {issue.suggestions.map(({ value }) => (
                  <button key={value} type="button" onClick={() => mend(selected!.cell, value)}>
                    {t('put', { value })}
                  </button>
                ))}
              </p>
            ))}
          </div>
          <div class="buttons">
            {selected !== undefined && <RowButton row={selected.cell.row} table={table} mending={mending} />}
            <button type="button" disabled={mending.log.length === 0} onClick={() => void mending.undo()}>
              {t('undo')} (Ctrl+Z)
            </button>
          </div>
          <Log log={mending.log} />
        </section>
      )}
    </div>
  );
}

interface TabNameProps {
  readonly table: TableName;
  readonly tables: readonly TableName[];
  readonly bad: number;
}

/** A sheet by its name; with the file's where several have one of that name. */
function TabName({ table: { file, sheet }, tables, bad }: TabNameProps) {
  const isAlone = sheet !== null && tables.every((one) => one.file === file || one.sheet !== sheet);
  return (
    <>
      {isAlone ? sheet : [file, sheet].filter(Boolean).join(' · ')}{' '}
      {bad > 0 && <span class="badge bad">{t('errorsIn', { count: count(bad) })}</span>}
    </>
  );
}

interface RowButtonProps {
  readonly row: number;
  readonly table: TableName;
  readonly mending: Mending;
}

/** A row that is no record is left out, or taken in again. */
function RowButton({ row, table: { file, sheet }, mending }: RowButtonProps) {
  const latest = mending.log
    .flatMap(({ changes }) => changes)
    .findLast((one) => 'leftOut' in one && one.file === file && one.sheet === sheet && one.row === row);
  const leftOut = latest !== undefined && 'leftOut' in latest && latest.leftOut;
  return (
    <button type="button" onClick={() => void mending.mend([{ file, sheet, row, leftOut: !leftOut }])}>
      {t(leftOut ? 'takeIn' : 'leaveOut', { row: String(row) })}
    </button>
  );
}

/** How the cells of a cause are read in all files: a button for each answer. */
function Readings({ issues, read }: Pick<FindingsProps, 'issues' | 'read'>) {
  const answers = new Map(issues.flatMap(({ readings }) => readings.map((one) => [one.join('='), one])));
  if (answers.size === 0) return null;
  return (
    <div class="buttons">
      {[...answers].slice(0, MOST_VALUES).map(([key, [id, value]]) => (
        <button key={key} type="button" onClick={() => void read({ [id]: value })}>
          {readingText(id, value)}
        </button>
      ))}
    </div>
  );
}

type Answer = NonNullable<PageIssue['answer']>;

/** The codes of a cause that somebody has to say the meaning of, each once. */
const answersOf = (issues: readonly PageIssue[]): readonly Answer[] => [
  ...new Map(issues.flatMap(({ answer }) => (answer === null ? [] : [[answer.code, answer]]))).values(),
];

/** What an old code is in these files, said once for all of them. */
function Meaning({
  param,
  table,
  code,
  choices,
  answered,
}: Answer & { answered(param: string, table: string, code: string, text: string): Promise<void> }) {
  const [text, setText] = useState('');
  const field = useRef<HTMLInputElement>(null);
  const list = `${param}-${table}-${code}`;
  return (
    <form
      class="same"
      onSubmit={(event) => {
        event.preventDefault();
        void answered(param, table, code, text.trim());
      }}
    >
      <label>
        <q>{code}</q> →{' '}
        <input
          type="text"
          required
          autocomplete="off"
          ref={field}
          list={list}
          aria-label={t('meaningOf', { value: code, table })}
          value={text}
          onInput={({ currentTarget }) => setText(currentTarget.value)}
        />
      </label>
      <datalist id={list}>
        {choices.map((choice) => (
          <option key={choice} value={choice} />
        ))}
      </datalist>
      <Suggestions
        values={choices}
        take={(value) => {
          setText(value);
          field.current?.focus();
        }}
      />
      <button type="submit">{t('answer')}</button>
    </form>
  );
}

/** Values that one click puts into a field; none is in it before. */
function Suggestions({ values, take }: { readonly values: readonly string[]; take(value: string): void }) {
  return (
    <>
      {values.slice(0, MOST_VALUES).map((value) => (
        <button key={value} type="button" class="plain" onClick={() => take(value)}>
          {t('put', { value })}
        </button>
      ))}
    </>
  );
}

interface SameCells {
  readonly value: string;
  readonly cells: readonly {
    readonly file: string;
    readonly sheet: string | null;
    readonly row: number;
    readonly column: string;
  }[];
  readonly suggestion: string;
}

const MOST_VALUES = 5;

/** The wrong values of a cause, each with its cells; those that stand in several, or for which something is suggested. */
function sameValues(issues: readonly PageIssue[]): readonly SameCells[] {
  const found = new Map<string, { value: string; cells: SameCells['cells'][number][]; suggestion: string }>();
  for (const { value, file, sheet, row, column, suggestions } of issues) {
    if (file === null || row === null || column === null) continue;
    const known = found.get(value ?? '') ?? {
      value: value ?? '',
      cells: [],
      suggestion: suggestions[0]?.value ?? '',
    };
    known.cells.push({ file, sheet, row, column });
    found.set(value ?? '', known);
  }
  return [...found.values()]
    .filter(({ cells, suggestion }) => cells.length > 1 || suggestion !== '')
    .sort((a, b) => b.cells.length - a.cells.length)
    .slice(0, MOST_VALUES);
}

/** One wrong value, mended once for all its cells. */
function SameValue({ value, cells, suggestion, mend }: SameCells & Pick<Mending, 'mend'>) {
  // Also blank it is a value: undefined until a person decides.
  const [text, setText] = useState<string>();
  const hint = useId();
  const field = useRef<HTMLInputElement>(null);
  const put = (value: string): void => void mend(cells.map((cell) => ({ ...cell, text: value })));
  return (
    <form
      class="same"
      onSubmit={(event) => {
        event.preventDefault();
        if (text !== undefined) put(text);
      }}
    >
      <label>
        <q>{value === '' ? '∅' : value}</q> →{' '}
        <input
          type="text"
          autocomplete="off"
          ref={field}
          aria-label={t('insteadOf', { value: value === '' ? '∅' : value })}
          value={text ?? ''}
          onInput={({ currentTarget }) => setText(currentTarget.value)}
        />
      </label>
      {suggestion !== '' && (
        <Suggestions
          values={[suggestion]}
          take={(one) => {
            setText(one);
            field.current?.focus();
          }}
        />
      )}
      {suggestion === '' && value !== '' && (
        <button type="button" class="plain" onClick={() => put('')}>
          {t('leaveEmpty')}
        </button>
      )}
      <button type="submit" aria-disabled={text === undefined} aria-describedby={hint}>
        {cells.length === 1 ? t('mendOne') : t('mendAll', { count: count(cells.length) })}
      </button>
      <span id={hint} class="hint">
        {text === undefined ? t('valueNotDecided') : ''}
      </span>
    </form>
  );
}

const MOST_LOGGED = 100;
const MOST_NAMED = 3;

const changeText = (change: LoggedEdit['changes'][number]): string => {
  const { sheet, row } = change;
  const at = (cell: string): string => [sheet, cell].filter(Boolean).join('!');
  if ('leftOut' in change) return `${at(`${t('row')} ${row}`)}: ${t(change.leftOut ? 'isOut' : 'isIn')}`;
  return `${at(`${change.column}${row}`)}: «${change.before ?? ''}» → «${change.text}»`;
};

/** Who mended what, the latest first. */
function Log({ log }: { readonly log: readonly LoggedEdit[] }) {
  if (log.length === 0) return null;
  return (
    <details class="log">
      <summary>{t('changes', { count: count(log.length) })}</summary>
      <ol>
        {log
          .slice(-MOST_LOGGED)
          .reverse()
          .map(({ at, by, changes }) => (
            <li key={at}>
              <time dateTime={at}>{moment(at)}</time> {by ?? ''}{' '}
              {changes.slice(0, MOST_NAMED).map(changeText).join(' · ')}
              {changes.length > MOST_NAMED && ` · +${count(changes.length - MOST_NAMED)}`}
            </li>
          ))}
      </ol>
    </details>
  );
}

/** Errors by table. */
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
