import { memo } from 'preact/compat';
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';
import { columnIndex, columnLetter } from '../../toolkit/core/text.js';
import type { GridRow, PageIssue, TableRows } from '../api.js';
import { call } from './server.js';
import { useVirtual } from './virtual.js';
import { t } from './words.js';

const ROW_HEIGHT_PX = 28;
const COLUMN_WIDTH_PX = 144;
const NUMBER_COLUMN_WIDTH_PX = 64;
const OVERSCAN = { rows: 8, columns: 2 };
/** Min columns that scroll, however many the sheet freezes. */
const MIN_SCROLLING_COLUMNS = 2;
const ROWS_PER_REQUEST = 100;
const ROWS_PER_PAGE_KEY = 15;

/** Issues by row number and column letters; those of the whole row are under ''. */
export type Marks = ReadonlyMap<number, ReadonlyMap<string, readonly PageIssue[]>>;

/** Cell by row number and column letters; without letters the row itself. */
export interface CellAt {
  readonly row: number;
  readonly column: string;
}

interface GridProps {
  readonly upload: string;
  readonly file: string;
  readonly sheet: string | null;
  readonly marks: Marks;
  readonly onlyMarked: boolean;
  /** Cell to scroll to. */
  readonly goTo: CellAt | undefined;
  /** Rows of the latest edit; null if too many to list. */
  readonly changed: { readonly rows: readonly number[] | null } | undefined;
  /** Receives the name of the sheet if the request named none. */
  onSheetNamed(sheet: string): void;
  select(cell: CellAt, row: GridRow): void;
  edit(cell: CellAt, text: string): void;
  undo(): void;
}

/** Fetches rows when they are first seen, and caches them by index. */
function useRows({ upload, file, sheet, marks, onlyMarked, changed, onSheetNamed }: GridProps) {
  // Edited rows stay in the list of rows with errors until that list is opened again.
  const numbers = useMemo(() => [...marks.keys()].sort((a, b) => a - b), [onlyMarked, file, sheet]);
  const [refetches, setRefetches] = useState(0);
  const key = [upload, file, sheet, onlyMarked, refetches].join('\n');
  const [state, setState] = useState<{ key: string; table: TableRows; rows: ReadonlyMap<number, GridRow> }>();
  const requested = useRef(new Set<string>());
  const current = state?.key === key ? state : undefined;
  const fetchRows = (which: string): Promise<TableRows> =>
    call(
      'GET',
      `/uploads/${upload}/rows?name=${encodeURIComponent(file)}&sheet=${encodeURIComponent(sheet ?? '')}&${which}`,
    );
  const fetchBlock = async (block: number): Promise<void> => {
    const id = `${key} ${block}`;
    if (requested.current.has(id)) return;
    requested.current.add(id);
    const listed = numbers.slice(block * ROWS_PER_REQUEST, (block + 1) * ROWS_PER_REQUEST).join(',') || '0';
    const table = await fetchRows(
      onlyMarked ? `numbers=${listed}` : `from=${block * ROWS_PER_REQUEST}&count=${ROWS_PER_REQUEST}`,
    );
    if (sheet === null && table.sheet !== null) return onSheetNamed(table.sheet);
    setState((before) => {
      const rows = new Map(before?.key === key ? before.rows : []);
      for (const [at, row] of table.rows.entries()) rows.set(block * ROWS_PER_REQUEST + at, row);
      return { key, table, rows };
    });
  };
  useEffect(() => void fetchBlock(0), [key]);
  useEffect(() => {
    if (changed === undefined) return;
    if (changed.rows === null) setRefetches((times) => times + 1);
    else
      void fetchRows(`numbers=${changed.rows.join(',')}`).then((table) => {
        const fresh = new Map(table.rows.map((row) => [row.number, row]));
        setState(
          (before) =>
            before && {
              ...before,
              rows: new Map([...before.rows].map(([at, row]) => [at, fresh.get(row.number) ?? row])),
            },
        );
      });
  }, [changed]);
  return {
    total: current === undefined ? 0 : onlyMarked ? numbers.length : current.table.total,
    header: current?.table.header,
    width: current?.table.width ?? 1,
    frozen: current?.table.frozen ?? 0,
    rows: current?.rows ?? NO_ROWS,
    row: (index: number): GridRow | undefined => {
      const row = current?.rows.get(index);
      if (row === undefined && current !== undefined) void fetchBlock(Math.floor(index / ROWS_PER_REQUEST));
      return row;
    },
    indexOf: async (number: number): Promise<number> =>
      onlyMarked ? numbers.indexOf(number) : ((await fetchRows(`find=${number}&count=0`)).index ?? -1),
  };
}

const NO_ROWS: ReadonlyMap<number, GridRow> = new Map();

/** Active cell by row and column index; column -1 is the row numbers. */
interface Active {
  readonly index: number;
  readonly column: number;
}

const idOf = ({ index, column }: Active): string => `cell-${index}-${column}`;

/** Returns the cell that a key leads to; undefined for other keys. */
function cellAfterKey({ index, column }: Active, key: string, isToEdge: boolean): Active | undefined {
  switch (key) {
    case 'ArrowUp':
      return { index: isToEdge ? 0 : index - 1, column };
    case 'ArrowDown':
      return { index: isToEdge ? Infinity : index + 1, column };
    case 'ArrowLeft':
      return { index, column: isToEdge ? 0 : column - 1 };
    case 'ArrowRight':
      return { index, column: isToEdge ? Infinity : column + 1 };
    case 'PageUp':
      return { index: index - ROWS_PER_PAGE_KEY, column };
    case 'PageDown':
      return { index: index + ROWS_PER_PAGE_KEY, column };
    case 'Home':
      return { index: isToEdge ? 0 : index, column: 0 };
    case 'End':
      return { index: isToEdge ? Infinity : index, column: Infinity };
    default:
      return undefined;
  }
}

const leftOf = (column: number): number => NUMBER_COLUMN_WIDTH_PX + column * COLUMN_WIDTH_PX;

const within = (value: number, min: number, max: number): number => Math.max(min, Math.min(value, max));

/** Shows and edits the file: cells with errors are red, with warnings amber. */
export function Grid(props: GridProps) {
  const { marks, goTo, select, edit, undo } = props;
  const scroller = useRef<HTMLDivElement>(null);
  const table = useRows(props);
  const { total, header, row, rows, indexOf } = table;
  const width = useMemo(
    () => Math.max(table.width, ...[...rows.values()].map(({ texts }) => texts.length)),
    [table.width, rows],
  );
  const [active, setActive] = useState<Active>({ index: 0, column: 0 });
  /** Initial text of the cell editor; undefined if it is closed. */
  const [editing, setEditing] = useState<string>();
  /** True if the active cell must get the focus once it is drawn. */
  const mustFocus = useRef(false);

  const [room, setRoom] = useState(0);
  const frozen = within(
    table.frozen,
    0,
    Math.floor((room - NUMBER_COLUMN_WIDTH_PX) / COLUMN_WIDTH_PX) - MIN_SCROLLING_COLUMNS,
  );
  const drawnRows = useVirtual({
    count: total,
    size: ROW_HEIGHT_PX,
    overscan: OVERSCAN.rows,
    covered: ROW_HEIGHT_PX,
    alwaysDrawn: active.index,
    scroller: () => scroller.current,
  });
  const scrolling = useVirtual({
    count: width - frozen,
    size: COLUMN_WIDTH_PX,
    overscan: OVERSCAN.columns,
    horizontal: true,
    covered: leftOf(frozen),
    scroller: () => scroller.current,
  });
  useLayoutEffect(() => setRoom(scrolling.room), [scrolling.room]);
  const columns = useMemo(
    () => [...Array.from({ length: frozen }, (_, at) => at), ...scrolling.drawn.map((at) => frozen + at)],
    [frozen, scrolling.drawn],
  );
  const scrollTo = ({ index, column }: Active, align: 'auto' | 'center'): void => {
    drawnRows.scrollTo(index, align);
    if (column >= frozen) scrolling.scrollTo(column - frozen, align);
  };
  const cellAt = ({ number }: GridRow, column: number): CellAt => ({
    row: number,
    column: column < 0 ? '' : columnLetter(column),
  });

  const activate = ({ index, column }: Active): void => {
    const next = { index: within(index, 0, total - 1), column: within(column, -1, width - 1) };
    setActive(next);
    setEditing(undefined);
    mustFocus.current = true;
    scrollTo(next, 'auto');
    const target = row(next.index);
    if (target !== undefined) select(cellAt(target, next.column), target);
  };
  useEffect(() => {
    if (goTo === undefined || total === 0) return;
    void indexOf(goTo.row).then((index) => {
      if (index < 0) return;
      const next = { index, column: columnIndex(goTo.column) };
      scrollTo(next, 'center');
      setActive(next);
      setEditing(undefined);
      mustFocus.current = true;
    });
  }, [goTo, total > 0]);
  useLayoutEffect(() => {
    if (!mustFocus.current || editing !== undefined) return;
    const cell = document.getElementById(idOf(active));
    if (cell === null) return;
    mustFocus.current = false;
    cell.focus({ preventScroll: true });
    const target = rows.get(active.index);
    if (target !== undefined) select(cellAt(target, active.column), target);
  });

  const cellOf = (target: EventTarget | null): Active | undefined => {
    const cell = target instanceof Element ? target.closest('[id^=cell-]') : null;
    const [, index, column] = /^cell-(\d+)-(-?\d+)$/.exec(cell?.id ?? '') ?? [];
    return index === undefined ? undefined : { index: Number(index), column: Number(column) };
  };
  const textAt = ({ index, column }: Active): string => row(index)?.texts[column] ?? '';
  const startEditing = (text: string): void => {
    if (active.column >= 0 && row(active.index) !== undefined) setEditing(text);
  };
  const save = (text: string, next: Active | undefined): void => {
    const target = row(active.index);
    setEditing(undefined);
    if (target !== undefined && text !== textAt(active)) edit(cellAt(target, active.column), text);
    if (next !== undefined) activate(next);
  };
  const onKey = (event: KeyboardEvent): void => {
    if (editing !== undefined) return;
    const { key, altKey } = event;
    const hasModifier = event.ctrlKey || event.metaKey;
    const next = cellAfterKey(active, key, hasModifier);
    if (next !== undefined) activate(next);
    else if (hasModifier && key.toLowerCase() === 'z') undo();
    else if (key === 'Enter' || key === 'F2') startEditing(textAt(active));
    else if ((key === 'Delete' || key === 'Backspace') && active.column >= 0) save('', active);
    else if (key.length === 1 && !hasModifier && !altKey && key !== ' ') startEditing(key);
    else return;
    event.preventDefault();
  };
  return (
    <div
      class="grid"
      ref={scroller}
      style={{ scrollPaddingLeft: `${leftOf(frozen)}px` }}
      // The grid itself takes the focus until the active cell is drawn.
      tabIndex={rows.has(active.index) ? -1 : 0}
      role="grid"
      aria-label={t('table')}
      aria-rowcount={total + 1}
      aria-colcount={width + 1}
      onKeyDown={onKey}
      onFocus={({ target }) => {
        if (target === scroller.current && total > 0) activate(active);
      }}
      onClick={({ target }) => {
        const cell = cellOf(target);
        if (cell !== undefined && (cell.index !== active.index || cell.column !== active.column))
          activate(cell);
      }}
      onDblClick={() => startEditing(textAt(active))}
    >
      <Head labels={header?.labels} columns={columns} frozen={frozen} width={width} />
      <div
        class="grid-body"
        role="presentation"
        style={{ height: `${total * ROW_HEIGHT_PX}px`, width: `${leftOf(width)}px` }}
      >
        {drawnRows.drawn.map((index) => {
          const gridRow = row(index);
          const isActive = index === active.index;
          return (
            <Row
              key={index}
              row={gridRow}
              index={index}
              columns={columns}
              frozen={frozen}
              marks={gridRow && marks.get(gridRow.number)}
              active={isActive ? active.column : undefined}
              editing={isActive ? editing : undefined}
              save={isActive ? save : undefined}
              cancel={isActive ? activate : undefined}
            />
          );
        })}
      </div>
    </div>
  );
}

interface HeadProps {
  readonly labels: readonly (string | null)[] | undefined;
  readonly columns: readonly number[];
  readonly frozen: number;
  readonly width: number;
}

const Head = memo(({ labels, columns, frozen, width }: HeadProps) => (
  <div class="grid-head" role="row" aria-rowindex={1} style={{ width: `${leftOf(width)}px` }}>
    <span class="cell number row-number" role="columnheader" aria-colindex={1}>
      {t('row')}
    </span>
    {columns.map((column) => {
      const letter = columnLetter(column);
      return (
        <span
          key={column}
          class={column < frozen ? 'cell frozen' : 'cell'}
          style={{ left: `${leftOf(column)}px` }}
          role="columnheader"
          aria-colindex={column + 2}
          title={labels?.[column] ?? letter}
        >
          <span class="letter">{letter}</span> {labels?.[column]}
        </span>
      );
    })}
  </div>
));

interface RowProps {
  /** Undefined while it is being fetched. */
  readonly row: GridRow | undefined;
  readonly index: number;
  /** Indexes of the drawn columns, the frozen ones first. */
  readonly columns: readonly number[];
  readonly frozen: number;
  readonly marks: ReadonlyMap<string, readonly PageIssue[]> | undefined;
  /** Active column, if the active cell is in this row. */
  readonly active: number | undefined;
  readonly editing: string | undefined;
  readonly save: ((text: string, next: Active | undefined) => void) | undefined;
  readonly cancel: ((at: Active) => void) | undefined;
}

const NUMBER = /^-?[\d.,$\s]+$/;

/** Draws a row; memoised, so that only changed rows are drawn again. */
const Row = memo(({ row, index, columns, frozen, marks, active, editing, save, cancel }: RowProps) => {
  const { number, texts = [], edited, leftOut } = row ?? {};
  const isActiveHidden = active !== undefined && active >= 0 && !columns.includes(active);
  const drawn =
    row === undefined ? [] : isActiveHidden ? [...columns, active].sort((a, b) => a - b) : columns;
  return (
    <div
      class={leftOut ? 'grid-row left-out' : 'grid-row'}
      role="row"
      aria-rowindex={index + 2}
      style={{ transform: `translateY(${index * ROW_HEIGHT_PX}px)` }}
    >
      <span
        id={row && idOf({ index, column: -1 })}
        class={`cell number row-number${row ? '' : ' waiting'}${marks?.has('') ? ' bad' : ''}${active === -1 ? ' selected' : ''}`}
        role="rowheader"
        aria-colindex={1}
        aria-busy={row === undefined ? 'true' : undefined}
        tabIndex={active === -1 ? 0 : -1}
      >
        {number}
      </span>
      {drawn.map((column) => {
        const letter = columnLetter(column);
        const issues = marks?.get(letter);
        const text = texts[column] ?? '';
        const isBad = issues?.some(({ level }) => level === 'error') === true;
        const names = ['cell'];
        if (column < frozen) names.push('frozen');
        if (text !== '' && NUMBER.test(text)) names.push('number');
        if (issues !== undefined) names.push(isBad ? 'bad' : 'doubtful');
        if (edited?.includes(column)) names.push('edited');
        if (column === active) names.push('selected');
        const isEdited = column === active && editing !== undefined;
        return (
          <span
            key={column}
            id={idOf({ index, column })}
            class={names.join(' ')}
            style={{ left: `${leftOf(column)}px` }}
            role="gridcell"
            aria-colindex={column + 2}
            aria-invalid={isBad ? 'true' : undefined}
            tabIndex={column === active && !isEdited ? 0 : -1}
            title={issues?.map(({ message }) => message).join(' ')}
          >
            {isEdited ? (
              <Editor
                text={editing}
                name={`${letter}${number}`}
                save={(value, by) =>
                  save!(value, by && { index: index + by.rows, column: column + by.columns })
                }
                cancel={() => cancel!({ index, column })}
              />
            ) : text === '' && issues !== undefined ? (
              '∅'
            ) : (
              text
            )}
          </span>
        );
      })}
    </div>
  );
});

interface EditorProps {
  readonly text: string;
  readonly name: string;
  /** Saves the text. `by` is how far the active cell moves; undefined if the editor lost the focus. */
  save(text: string, by: { readonly rows: number; readonly columns: number } | undefined): void;
  cancel(): void;
}

/** Edits the text of a cell. */
function Editor({ text, name, save, cancel }: EditorProps) {
  const input = useRef<HTMLInputElement>(null);
  const done = useRef(false);
  useLayoutEffect(() => {
    input.current!.focus();
    input.current!.setSelectionRange(text.length, text.length);
  }, []);
  const end = (task: () => void): void => {
    if (done.current) return;
    done.current = true;
    task();
  };
  return (
    <input
      ref={input}
      class="editor"
      type="text"
      autocomplete="off"
      aria-label={t('editCell', { cell: name })}
      defaultValue={text}
      onBlur={({ currentTarget: { value } }) => end(() => save(value, undefined))}
      onKeyDown={(event) => {
        const { value } = event.currentTarget;
        if (event.key === 'Enter') end(() => save(value, { rows: 1, columns: 0 }));
        else if (event.key === 'Tab') end(() => save(value, { rows: 0, columns: event.shiftKey ? -1 : 1 }));
        else if (event.key === 'Escape') end(cancel);
        else return;
        event.preventDefault();
        event.stopPropagation();
      }}
    />
  );
}
