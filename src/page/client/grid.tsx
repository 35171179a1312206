import type { ComponentChildren } from 'preact';
import { memo } from 'preact/compat';
import { useCallback, useEffect, useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';
import { columnIndex, columnLetter } from '../../toolkit/core/text.js';
import { formatAmount, parseTypedAmount } from '../amounts.js';
import type { GridRow, PageIssue, TableRows } from '../api.js';
import { formatCell, parseTypedCell } from '../dates.js';
import { formatCells, parseCells } from './clipboard.js';
import { call } from './server.js';
import type { SortOrder } from './sort.js';
import { useVirtual } from './virtual.js';
import { language, t } from './words.js';

const ROW_HEIGHT_PX = 28;
const COLUMN_WIDTH_PX = 144;
const NUMBER_COLUMN_WIDTH_PX = 64;
const NAME_WIDTH_PX = 176;
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

/** Row numbers in another order than the file's, or only some of them. */
export interface RowOrder {
  readonly id: string;
  readonly numbers: readonly number[];
}

/** Cells of a column that a search found, to be lit. */
export interface FoundCells {
  readonly column: string;
  readonly rows: ReadonlySet<number>;
}

/** Change of a cell by the user. */
export interface CellChange extends CellAt {
  readonly text: string;
}

interface GridProps {
  readonly upload: string;
  readonly file: string;
  readonly sheet: string | null;
  readonly marks: Marks;
  /** Rows to show; all in the order of the file if undefined. */
  readonly order: RowOrder | undefined;
  /** Order of the rows by a column, for its header. */
  readonly sort: SortOrder | undefined;
  /** Columns of the name shown next to the row numbers. */
  readonly name: readonly number[];
  /** Words of the columns that take no others, by column. */
  readonly words: Readonly<Record<number, readonly string[]>>;
  /** Columns of amounts of money. */
  readonly money: readonly number[];
  /** Number of the header row: neither it nor those above have a name, words or amounts. */
  readonly headerRow: number;
  readonly found: FoundCells | undefined;
  /** Cell to scroll to. */
  readonly goTo: CellAt | undefined;
  /** Rows of the latest edit; null if too many to list. */
  readonly changed: { readonly rows: readonly number[] | null } | undefined;
  /** Receives the name of the sheet if the request named none. */
  onSheetNamed(sheet: string): void;
  select(cell: CellAt, row: GridRow): void;
  selectRange(cells: number): void;
  edit(changes: readonly CellChange[]): void;
  /** Receives how many cells were pasted, and how many are outside of the table. */
  onPasted(pasted: number, outside: number): void;
  /** True if the cells are only shown. */
  readonly isReadOnly: boolean;
  undo(): void;
  redo(): void;
  /** Goes to the next cell with an issue after a cell, or the one before. */
  nextIssue(from: CellAt, isBackward: boolean): void;
  sortBy(column: string): void;
  search(): void;
  /** Applies the cure that the popover offers first. */
  applyCure(): void;
  /** Content of the popover at the active cell; null if it has no issue. */
  readonly popover: ComponentChildren;
}

/** Fetches rows when they are first seen, and caches them by index. */
function useRows({ upload, file, sheet, order, changed, onSheetNamed }: GridProps) {
  const [refetches, setRefetches] = useState(0);
  const key = [upload, file, sheet, order?.id, refetches].join('\n');
  const [state, setState] = useState<{ key: string; table: TableRows; rows: ReadonlyMap<number, GridRow> }>();
  /** Blocks asked for in the current order; those of an earlier one are forgotten with their rows. */
  const requested = useRef({ key, blocks: new Set<number>() });
  if (requested.current.key !== key) requested.current = { key, blocks: new Set() };
  const current = state?.key === key ? state : undefined;
  // Its size does not depend on the order: the table stays where it is scrolled until other rows arrive.
  const table = state?.table;
  const fetchRows = (which: string): Promise<TableRows> =>
    call(
      'GET',
      `/uploads/${upload}/rows?name=${encodeURIComponent(file)}&sheet=${encodeURIComponent(sheet ?? '')}&${which}`,
    );
  const fetchRange = (from: number, count: number): Promise<TableRows> =>
    fetchRows(
      order === undefined
        ? `from=${from}&count=${count}`
        : `numbers=${order.numbers.slice(from, from + count).join(',') || '0'}`,
    );
  const fetchBlock = async (block: number): Promise<void> => {
    const { blocks } = requested.current;
    if (requested.current.key !== key || blocks.has(block)) return;
    blocks.add(block);
    const table = await fetchRange(block * ROWS_PER_REQUEST, ROWS_PER_REQUEST);
    if (requested.current.key !== key) return;
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
    total: table === undefined ? 0 : (order?.numbers.length ?? table.total),
    header: table?.header,
    width: table?.width ?? 1,
    frozen: table?.frozen ?? 0,
    rows: current?.rows ?? NO_ROWS,
    row: (index: number): GridRow | undefined => {
      const row = current?.rows.get(index);
      if (row === undefined && table !== undefined) void fetchBlock(Math.floor(index / ROWS_PER_REQUEST));
      return row;
    },
    indexOf: async (number: number): Promise<number> =>
      order?.numbers.indexOf(number) ?? (await fetchRows(`find=${number}&count=0`)).index ?? -1,
    /** Returns rows by index; undefined if they must be fetched first. */
    loaded: (from: number, to: number): readonly GridRow[] | undefined => {
      const rows = Array.from({ length: to - from + 1 }, (_, at) => current?.rows.get(from + at));
      return rows.every((row) => row !== undefined) ? rows : undefined;
    },
    fetch: async (from: number, to: number): Promise<readonly GridRow[]> => {
      const rows: GridRow[] = [];
      for (let at = from; at <= to; at += ROWS_PER_REQUEST)
        rows.push(...(await fetchRange(at, Math.min(ROWS_PER_REQUEST, to - at + 1))).rows);
      return rows;
    },
  };
}

const NO_ROWS: ReadonlyMap<number, GridRow> = new Map();
const NO_NAME: readonly number[] = [];
const NO_WORDS: GridProps['words'] = {};
const NO_MONEY: readonly number[] = [];

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

/** Rectangle of selected cells. */
interface Range {
  readonly top: number;
  readonly bottom: number;
  readonly left: number;
  readonly right: number;
}

const rangeOf = (a: Active, b: Active): Range => ({
  top: Math.min(a.index, b.index),
  bottom: Math.max(a.index, b.index),
  left: Math.max(0, Math.min(a.column, b.column)),
  right: Math.max(0, a.column, b.column),
});

/** Columns of a selection in one of its rows. */
type Span = Pick<Range, 'left' | 'right'>;

const within = (value: number, min: number, max: number): number => Math.max(min, Math.min(value, max));

/** Shows and edits the file: cells with errors are red, with warnings amber. */
export function Grid(props: GridProps) {
  const { marks, goTo, select, edit, isReadOnly, undo, name, words, money, found, sort, popover } = props;
  const scroller = useRef<HTMLDivElement>(null);
  const table = useRows(props);
  const { total, header, row, rows, indexOf } = table;
  const width = useMemo(
    () => Math.max(table.width, ...[...rows.values()].map(({ texts }) => texts.length)),
    [table.width, rows],
  );
  const [active, setActive] = useState<Active>({ index: 0, column: 0 });
  /** Corner of the selection away from the active cell; undefined if only that is selected. */
  const [anchor, setAnchor] = useState<Active>();
  const range = useMemo(() => anchor && rangeOf(anchor, active), [anchor, active]);
  const span = useMemo(
    (): Span | undefined => range && { left: range.left, right: range.right },
    [range?.left, range?.right],
  );
  const firstColumn = NUMBER_COLUMN_WIDTH_PX + (name.length > 0 ? NAME_WIDTH_PX : 0);
  const leftOf = useCallback(
    (column: number): number => firstColumn + column * COLUMN_WIDTH_PX,
    [firstColumn],
  );
  /** Initial text of the cell editor; undefined if it is closed. */
  const [editing, setEditing] = useState<string>();
  /** True if the editor opens the list of the cell, and leaves the cell as it is if nothing is chosen. */
  const [isChoosing, setIsChoosing] = useState(false);
  /** Cell whose popover the user has closed. */
  const [closedAt, setClosedAt] = useState<Active>();
  /** True if the active cell must get the focus once it is drawn. */
  const mustFocus = useRef(false);

  const [room, setRoom] = useState(0);
  const frozen = within(
    table.frozen,
    0,
    Math.floor((room - firstColumn) / COLUMN_WIDTH_PX) - MIN_SCROLLING_COLUMNS,
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
    if (column >= frozen) scrolling.scrollTo(column - frozen, 'auto');
  };
  const cellAt = ({ number }: GridRow, column: number): CellAt => ({
    row: number,
    column: column < 0 ? '' : columnLetter(column),
  });

  const activate = ({ index, column }: Active, isExtending = false): void => {
    setAnchor(isExtending ? (anchor ?? active) : undefined);
    setClosedAt(undefined);
    const next = { index: within(index, 0, total - 1), column: within(column, -1, width - 1) };
    setActive(next);
    setEditing(undefined);
    setIsChoosing(false);
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
      setAnchor(undefined);
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
    setAnchor(undefined);
    if (!isReadOnly && active.column >= 0 && row(active.index) !== undefined) setEditing(text);
  };
  const save = (typed: string, next: Active | undefined): void => {
    const target = row(active.index);
    const parse = money.includes(active.column) ? parseTypedAmount : parseTypedCell;
    const text = parse(typed, textAt(active));
    setEditing(undefined);
    setIsChoosing(false);
    if (target !== undefined && text !== textAt(active)) edit([{ ...cellAt(target, active.column), text }]);
    if (next !== undefined) activate(next);
  };
  useEffect(() => {
    props.selectRange(
      range === undefined ? 1 : (range.bottom - range.top + 1) * (range.right - range.left + 1),
    );
  }, [range]);
  /** Edits the cells of a rectangle; `textOf` returns the text of a cell by its offset. */
  const editRange = async (at: Range, textOf: (row: number, column: number) => string): Promise<void> => {
    if (isReadOnly) return;
    const targets = table.loaded(at.top, at.bottom) ?? (await table.fetch(at.top, at.bottom));
    const changes = targets.flatMap((target, row) =>
      Array.from({ length: at.right - at.left + 1 }, (_, column) => ({
        ...cellAt(target, at.left + column),
        text: textOf(row, column),
      })),
    );
    if (changes.length > 0) edit(changes);
  };
  const selected = range ?? rangeOf(active, active);
  const clear = (): void => void editRange(selected, () => '');
  const copy = (event: ClipboardEvent, isCut: boolean): void => {
    if (editing !== undefined || active.column < 0) return;
    event.preventDefault();
    const { top, bottom, left, right } = selected;
    const format = (rows: readonly GridRow[]): string =>
      formatCells(
        rows.map(({ texts }) => Array.from({ length: right - left + 1 }, (_, at) => texts[left + at] ?? '')),
      );
    const loaded = table.loaded(top, bottom);
    if (loaded !== undefined) event.clipboardData?.setData('text/plain', format(loaded));
    else void table.fetch(top, bottom).then((rows) => navigator.clipboard.writeText(format(rows)));
    if (isCut) clear();
  };
  /** Spreads the pasted cells from the first selected one; a single cell fills the selection. */
  const paste = (event: ClipboardEvent): void => {
    if (isReadOnly || editing !== undefined || active.column < 0) return;
    event.preventDefault();
    const cells = parseCells(event.clipboardData?.getData('text/plain') ?? '');
    const [first = []] = cells;
    const isOne = cells.length === 1 && first.length === 1;
    const wide = Math.max(...cells.map(({ length }) => length));
    const { top, left } = selected;
    const wanted = { top, left, bottom: top + cells.length - 1, right: left + wide - 1 };
    const { bottom, right } = isOne ? selected : wanted;
    const target = { top, left, bottom: Math.min(bottom, total - 1), right: Math.min(right, width - 1) };
    const size = (of: Range): number => (of.bottom - of.top + 1) * (of.right - of.left + 1);
    const textOf = (row: number, column: number): string =>
      (isOne ? first[0] : cells[row]?.[column])?.trim() ?? '';
    void editRange(target, textOf).then(() => {
      props.onPasted(size(target), size({ top, left, bottom, right }) - size(target));
      if (size(target) > 1) {
        setAnchor({ index: top, column: left });
        setActive({ index: target.bottom, column: target.right });
      }
    });
  };
  const onKey = (event: KeyboardEvent): void => {
    if (editing !== undefined) return;
    const { key, altKey } = event;
    const hasModifier = event.ctrlKey || event.metaKey;
    const next = altKey ? undefined : cellAfterKey(active, key, hasModifier);
    const letter = hasModifier ? key.toLowerCase() : '';
    const target = rows.get(active.index);
    if (!isReadOnly && altKey && key === 'ArrowDown' && words[active.column] !== undefined) {
      setIsChoosing(true);
      startEditing('');
    } else if (altKey && key === 'Enter') props.applyCure();
    else if (next !== undefined) activate(next, event.shiftKey);
    else if (letter === 'y' || (letter === 'z' && event.shiftKey)) props.redo();
    else if (letter === 'z') undo();
    else if (letter === 'f' || letter === 'h') props.search();
    else if (letter === 'a') {
      setAnchor({ index: total - 1, column: width - 1 });
      setActive({ index: 0, column: 0 });
    } else if (key === 'F8' && target !== undefined)
      props.nextIssue(cellAt(target, active.column), event.shiftKey);
    else if (key === 'Escape') setClosedAt(active);
    else if (key === 'Enter' || key === 'F2') startEditing(formatCell(textAt(active)));
    else if ((key === 'Delete' || key === 'Backspace') && active.column >= 0) clear();
    else if (key.length === 1 && !hasModifier && !altKey && key !== ' ') startEditing(key);
    else return;
    event.preventDefault();
  };
  const hasPopover =
    popover !== null &&
    editing === undefined &&
    anchor === undefined &&
    (closedAt?.index !== active.index || closedAt.column !== active.column);
  const wordList = editing === undefined ? undefined : words[active.column];
  const grid = (
    <div
      class="grid"
      ref={scroller}
      style={{ scrollPaddingLeft: `${leftOf(frozen)}px` }}
      // The grid itself takes the focus until the active cell is drawn.
      tabIndex={rows.has(active.index) ? -1 : 0}
      role="grid"
      aria-label={t('table')}
      aria-multiselectable="true"
      aria-rowcount={total + 1}
      aria-colcount={width + 1}
      onKeyDown={onKey}
      onFocus={({ target }) => {
        if (target === scroller.current && total > 0) activate(active);
      }}
      onClick={({ target, shiftKey }) => {
        const head = target instanceof Element ? target.closest<HTMLElement>('[data-column]') : null;
        const letter = head?.dataset['column'];
        if (letter !== undefined) return props.sortBy(letter);
        const cell = cellOf(target);
        if (cell !== undefined && (cell.index !== active.index || cell.column !== active.column))
          activate(cell, shiftKey || anchor !== undefined);
      }}
      onMouseDown={({ target, shiftKey, button }) => {
        const cell = cellOf(target);
        if (cell === undefined || button !== 0 || editing !== undefined) return;
        if (!shiftKey) activate(cell);
      }}
      onMouseOver={({ target, buttons }) => {
        const cell = buttons === 1 && editing === undefined ? cellOf(target) : undefined;
        if (
          cell !== undefined &&
          cell.column >= 0 &&
          (cell.index !== active.index || cell.column !== active.column)
        )
          activate(cell, true);
      }}
      onCopy={(event) => copy(event, false)}
      onCut={(event) => copy(event, true)}
      onPaste={paste}
      onDblClick={() => startEditing(textAt(active))}
    >
      <Head
        labels={header?.labels}
        columns={columns}
        frozen={frozen}
        width={width}
        leftOf={leftOf}
        hasName={name.length > 0}
        sort={sort}
      />
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
              isChoosing={isActive && isChoosing}
              save={isActive ? save : undefined}
              cancel={isActive ? activate : undefined}
              leftOf={leftOf}
              name={gridRow !== undefined && gridRow.number <= props.headerRow ? NO_NAME : name}
              words={gridRow !== undefined && gridRow.number <= props.headerRow ? NO_WORDS : words}
              money={gridRow !== undefined && gridRow.number <= props.headerRow ? NO_MONEY : money}
              span={range !== undefined && index >= range.top && index <= range.bottom ? span : undefined}
              found={gridRow !== undefined && found?.rows.has(gridRow.number) ? found.column : undefined}
            />
          );
        })}
      </div>
    </div>
  );
  return (
    <div class="grid-frame">
      {grid}
      {wordList !== undefined && (
        <datalist id={WORD_LIST}>
          {wordList.map((word) => (
            <option key={word} value={word} />
          ))}
        </datalist>
      )}
      {hasPopover && (
        <CellPopover cell={idOf(active)} scroller={scroller}>
          {popover}
        </CellPopover>
      )}
    </div>
  );
}

/** Id of the list of words of the cell that is edited. */
const WORD_LIST = 'cell-words';

interface CellPopoverProps {
  /** Id of the cell that it is about. */
  readonly cell: string;
  readonly scroller: { readonly current: HTMLElement | null };
  readonly children: ComponentChildren;
}

/** Space between a cell and its popover, and below that for the fixed footer, in pixels. */
const GAP_PX = 4;
const FOOTER_PX = 76;

/** Shows what is wrong with a cell: below it, or above where there is no room; hidden while the cell is out of sight. */
function CellPopover({ cell, scroller, children }: CellPopoverProps) {
  const box = useRef<HTMLDivElement>(null);
  const place = useCallback((): void => {
    const [element, grid, popover] = [document.getElementById(cell), scroller.current, box.current];
    if (grid === null || popover === null) return;
    const [outer, inner] = [grid.getBoundingClientRect(), element?.getBoundingClientRect()];
    const isSeen =
      inner !== undefined &&
      inner.top >= outer.top &&
      inner.bottom <= outer.bottom + 1 &&
      inner.left >= outer.left &&
      inner.left < outer.right;
    popover.style.visibility = isSeen ? 'visible' : 'hidden';
    if (!isSeen) return;
    const { width, height } = popover.getBoundingClientRect();
    const hasRoom = inner.bottom + GAP_PX + height <= innerHeight - FOOTER_PX;
    const top = hasRoom ? inner.bottom + GAP_PX : inner.top - GAP_PX - height;
    popover.style.top = `${top - outer.top}px`;
    popover.style.left = `${within(inner.left, outer.left, Math.max(outer.left, outer.right - width)) - outer.left}px`;
  }, [cell]);
  useLayoutEffect(place);
  useEffect(() => {
    const grid = scroller.current;
    grid?.addEventListener('scroll', place);
    addEventListener('scroll', place);
    addEventListener('resize', place);
    return () => {
      grid?.removeEventListener('scroll', place);
      removeEventListener('scroll', place);
      removeEventListener('resize', place);
    };
  }, [place]);
  return (
    <div class="cell-popover" role="status" ref={box}>
      {children}
    </div>
  );
}

interface HeadProps {
  readonly labels: readonly (string | null)[] | undefined;
  readonly columns: readonly number[];
  readonly frozen: number;
  readonly width: number;
  readonly hasName: boolean;
  readonly sort: SortOrder | undefined;
  leftOf(column: number): number;
}

const Head = memo(({ labels, columns, frozen, width, hasName, sort, leftOf }: HeadProps) => (
  <div class="grid-head" role="row" aria-rowindex={1} style={{ width: `${leftOf(width)}px` }}>
    <span class="cell row-number" style={{ width: `${leftOf(0)}px` }} role="columnheader" aria-colindex={1}>
      <span class="row-index">{t('row')}</span>
      {hasName && <span class="row-name">{t('name')}</span>}
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
          aria-sort={sort?.column !== letter ? undefined : sort.isDescending ? 'descending' : 'ascending'}
          data-column={letter}
          title={labels?.[column] ?? letter}
        >
          <span class="letter">{letter}</span> {sort?.column === letter && (sort.isDescending ? '▼ ' : '▲ ')}
          {labels?.[column]}
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
  readonly isChoosing: boolean;
  readonly name: readonly number[];
  readonly words: Readonly<Record<number, readonly string[]>>;
  readonly money: readonly number[];
  /** Selected columns of the row. */
  readonly span: Span | undefined;
  /** Letters of the column where a search found its cell. */
  readonly found: string | undefined;
  leftOf(column: number): number;
  readonly save: ((text: string, next: Active | undefined) => void) | undefined;
  readonly cancel: ((at: Active) => void) | undefined;
}

const NUMBER = /^-?[\d.,$\s]+$/;

/** Draws a row; memoised, so that only changed rows are drawn again. */
const Row = memo((props: RowProps) => {
  const { row, index, columns, frozen, marks, active, editing, save, cancel, span, words, money, leftOf } =
    props;
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
        class={`cell row-number${row ? '' : ' waiting'}${marks?.has('') ? ' bad' : ''}${active === -1 ? ' selected' : ''}`}
        role="rowheader"
        aria-colindex={1}
        aria-busy={row === undefined ? 'true' : undefined}
        tabIndex={active === -1 ? 0 : -1}
        style={{ width: `${leftOf(0)}px` }}
      >
        <span class="row-index">{number}</span>
        {props.name.length > 0 && (
          <span class="row-name">
            {props.name
              .map((column) => texts[column])
              .filter(Boolean)
              .join(' ')}
          </span>
        )}
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
        const isInSpan = span !== undefined && column >= span.left && column <= span.right;
        if (isInSpan) names.push('in-range');
        if (props.found === letter) names.push('found');
        if (words[column] !== undefined) names.push('listed');
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
            aria-selected={isInSpan || column === active}
            tabIndex={column === active && !isEdited ? 0 : -1}
          >
            {isEdited ? (
              <Editor
                text={editing}
                name={`${letter}${number}`}
                hasWords={words[column] !== undefined}
                isChoosing={props.isChoosing}
                save={(value, by) =>
                  save!(value, by && { index: index + by.rows, column: column + by.columns })
                }
                cancel={() => cancel!({ index, column })}
              />
            ) : text === '' && issues !== undefined ? (
              '∅'
            ) : money.includes(column) ? (
              formatAmount(text, language)
            ) : (
              formatCell(text)
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
  readonly hasWords: boolean;
  /** True if the list of words opens at once; nothing chosen leaves the cell as it is. */
  readonly isChoosing: boolean;
  /** Saves the text. `by` is how far the active cell moves; undefined if the editor lost the focus. */
  save(text: string, by: { readonly rows: number; readonly columns: number } | undefined): void;
  cancel(): void;
}

/** Edits the text of a cell. */
function Editor({ text, name, hasWords, isChoosing, save: saveText, cancel }: EditorProps) {
  const input = useRef<HTMLInputElement>(null);
  const done = useRef(false);
  useLayoutEffect(() => {
    const field = input.current;
    field?.focus();
    field?.setSelectionRange(text.length, text.length);
    if (isChoosing) field?.showPicker();
  }, []);
  const save: EditorProps['save'] = (value, by) =>
    isChoosing && value === '' ? cancel() : saveText(value, by);
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
      list={hasWords ? WORD_LIST : undefined}
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
