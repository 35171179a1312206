import { memo } from 'preact/compat';
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';
import { columnIndex, columnLetter } from '../../toolkit/core/text.js';
import type { GridRow, PageIssue, TableRows } from '../api.js';
import { call } from './server.js';
import { useVirtual } from './virtual.js';
import { t } from './words.js';

/** In pixels. */
const HEIGHT = 28;
const WIDTH = 144;
const NUMBER_WIDTH = 64;
const OVERSCAN = { rows: 8, columns: 2 };
/** Columns that are left to scroll, however many the sheet freezes. */
const LEAST_LOOSE = 2;
const BLOCK = 100;
const PAGE = 15;

/** What is said of a row's cells, by column letter. */
export type Marks = ReadonlyMap<number, ReadonlyMap<string, readonly PageIssue[]>>;

/** A cell by the number of its row and the letters of its column; without letters the row itself. */
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
  /** The cell to go to. */
  readonly goTo: CellAt | undefined;
  /** Rows that were mended last; null where they are too many to name. */
  readonly changed: { readonly rows: readonly number[] | null } | undefined;
  /** Told the sheet that is shown where none was named. */
  named(sheet: string): void;
  select(cell: CellAt, row: GridRow): void;
  mend(cell: CellAt, text: string): void;
  undo(): void;
}

/** Rows that were read, by index, fetched when they are first seen. */
function useRows({ upload, file, sheet, marks, onlyMarked, changed, named }: GridProps) {
  // Rows that are mended stay among those with errors until these are asked for anew.
  const numbers = useMemo(() => [...marks.keys()].sort((a, b) => a - b), [onlyMarked, file, sheet]);
  const [many, setMany] = useState(0);
  const key = [upload, file, sheet, onlyMarked, many].join('\n');
  const [state, setState] = useState<{ key: string; table: TableRows; rows: ReadonlyMap<number, GridRow> }>();
  const asked = useRef(new Set<string>());
  const current = state?.key === key ? state : undefined;
  const ask = (which: string): Promise<TableRows> =>
    call(
      'GET',
      `/uploads/${upload}/rows?name=${encodeURIComponent(file)}&sheet=${encodeURIComponent(sheet ?? '')}&${which}`,
    );
  const fetchBlock = async (block: number): Promise<void> => {
    const id = `${key} ${block}`;
    if (asked.current.has(id)) return;
    asked.current.add(id);
    const some = numbers.slice(block * BLOCK, (block + 1) * BLOCK).join(',') || '0';
    const table = await ask(onlyMarked ? `numbers=${some}` : `from=${block * BLOCK}&count=${BLOCK}`);
    if (sheet === null && table.sheet !== null) return named(table.sheet);
    setState((before) => {
      const rows = new Map(before?.key === key ? before.rows : []);
      for (const [at, row] of table.rows.entries()) rows.set(block * BLOCK + at, row);
      return { key, table, rows };
    });
  };
  useEffect(() => void fetchBlock(0), [key]);
  useEffect(() => {
    if (changed === undefined) return;
    if (changed.rows === null) setMany((times) => times + 1);
    else
      void ask(`numbers=${changed.rows.join(',')}`).then((table) => {
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
      if (row === undefined && current !== undefined) void fetchBlock(Math.floor(index / BLOCK));
      return row;
    },
    indexOf: async (number: number): Promise<number> =>
      onlyMarked ? numbers.indexOf(number) : ((await ask(`find=${number}&count=0`)).index ?? -1),
  };
}

const NO_ROWS: ReadonlyMap<number, GridRow> = new Map();

/** Where the keyboard is: rows and columns by index, the column of row numbers being -1. */
interface Active {
  readonly index: number;
  readonly column: number;
}

const idOf = ({ index, column }: Active): string => `cell-${index}-${column}`;

/** Where a key leads; undefined for keys that lead nowhere. */
function moved({ index, column }: Active, key: string, whole: boolean): Active | undefined {
  switch (key) {
    case 'ArrowUp':
      return { index: whole ? 0 : index - 1, column };
    case 'ArrowDown':
      return { index: whole ? Infinity : index + 1, column };
    case 'ArrowLeft':
      return { index, column: whole ? 0 : column - 1 };
    case 'ArrowRight':
      return { index, column: whole ? Infinity : column + 1 };
    case 'PageUp':
      return { index: index - PAGE, column };
    case 'PageDown':
      return { index: index + PAGE, column };
    case 'Home':
      return { index: whole ? 0 : index, column: 0 };
    case 'End':
      return { index: whole ? Infinity : index, column: Infinity };
    default:
      return undefined;
  }
}

const leftOf = (column: number): number => NUMBER_WIDTH + column * WIDTH;

const within = (value: number, least: number, most: number): number => Math.max(least, Math.min(value, most));

/** The file as it was mended, with what is wrong in it: red is an error, amber a warning. Cells are edited in place. */
export function Grid(props: GridProps) {
  const { marks, goTo, select, mend, undo } = props;
  const scroller = useRef<HTMLDivElement>(null);
  const table = useRows(props);
  const { total, header, row, rows, indexOf } = table;
  const width = useMemo(
    () => Math.max(table.width, ...[...rows.values()].map(({ texts }) => texts.length)),
    [table.width, rows],
  );
  const [active, setActive] = useState<Active>({ index: 0, column: 0 });
  /** What the editor begins with. */
  const [editing, setEditing] = useState<string>();
  /** The active cell gets the focus as soon as it is there. */
  const focusing = useRef(false);

  const [room, setRoom] = useState(0);
  const frozen = within(table.frozen, 0, Math.floor((room - NUMBER_WIDTH) / WIDTH) - LEAST_LOOSE);
  const drawnRows = useVirtual({
    count: total,
    size: HEIGHT,
    overscan: OVERSCAN.rows,
    covered: HEIGHT,
    kept: active.index,
    scroller: () => scroller.current,
  });
  const loose = useVirtual({
    count: width - frozen,
    size: WIDTH,
    overscan: OVERSCAN.columns,
    horizontal: true,
    covered: leftOf(frozen),
    scroller: () => scroller.current,
  });
  useLayoutEffect(() => setRoom(loose.room), [loose.room]);
  const columns = useMemo(
    () => [...Array.from({ length: frozen }, (_, at) => at), ...loose.drawn.map((at) => frozen + at)],
    [frozen, loose.drawn],
  );
  const scrollTo = ({ index, column }: Active, align: 'auto' | 'center'): void => {
    drawnRows.scrollTo(index, align);
    if (column >= frozen) loose.scrollTo(column - frozen, align);
  };
  const cellAt = ({ number }: GridRow, column: number): CellAt => ({
    row: number,
    column: column < 0 ? '' : columnLetter(column),
  });

  const activate = ({ index, column }: Active): void => {
    const next = { index: within(index, 0, total - 1), column: within(column, -1, width - 1) };
    setActive(next);
    setEditing(undefined);
    focusing.current = true;
    scrollTo(next, 'auto');
    const there = row(next.index);
    if (there !== undefined) select(cellAt(there, next.column), there);
  };
  useEffect(() => {
    if (goTo === undefined || total === 0) return;
    void indexOf(goTo.row).then((index) => {
      if (index < 0) return;
      const next = { index, column: columnIndex(goTo.column) };
      scrollTo(next, 'center');
      setActive(next);
      setEditing(undefined);
      focusing.current = true;
    });
  }, [goTo, total > 0]);
  useLayoutEffect(() => {
    if (!focusing.current || editing !== undefined) return;
    const cell = document.getElementById(idOf(active));
    if (cell === null) return;
    focusing.current = false;
    cell.focus({ preventScroll: true });
    const there = rows.get(active.index);
    if (there !== undefined) select(cellAt(there, active.column), there);
  });

  const cellOf = (target: EventTarget | null): Active | undefined => {
    const cell = target instanceof Element ? target.closest('[id^=cell-]') : null;
    const [, index, column] = /^cell-(\d+)-(-?\d+)$/.exec(cell?.id ?? '') ?? [];
    return index === undefined ? undefined : { index: Number(index), column: Number(column) };
  };
  const textAt = ({ index, column }: Active): string => row(index)?.texts[column] ?? '';
  const edit = (text: string): void => {
    if (active.column >= 0 && row(active.index) !== undefined) setEditing(text);
  };
  const save = (text: string, next: Active | undefined): void => {
    const there = row(active.index);
    setEditing(undefined);
    if (there !== undefined && text !== textAt(active)) mend(cellAt(there, active.column), text);
    if (next !== undefined) activate(next);
  };
  const onKey = (event: KeyboardEvent): void => {
    if (editing !== undefined) return;
    const { key, altKey } = event;
    const whole = event.ctrlKey || event.metaKey;
    const next = moved(active, key, whole);
    if (next !== undefined) activate(next);
    else if (whole && key.toLowerCase() === 'z') undo();
    else if (key === 'Enter' || key === 'F2') edit(textAt(active));
    else if ((key === 'Delete' || key === 'Backspace') && active.column >= 0) save('', active);
    else if (key.length === 1 && !whole && !altKey && key !== ' ') edit(key);
    else return;
    event.preventDefault();
  };
  return (
    <div
      class="grid"
      ref={scroller}
      style={{ scrollPaddingLeft: `${leftOf(frozen)}px` }}
      // Until the active cell is there, the table itself is what the keyboard comes to.
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
      onDblClick={() => edit(textAt(active))}
    >
      <Head labels={header?.labels} columns={columns} frozen={frozen} width={width} />
      <div
        class="grid-body"
        role="presentation"
        style={{ height: `${total * HEIGHT}px`, width: `${leftOf(width)}px` }}
      >
        {drawnRows.drawn.map((index) => {
          const one = row(index);
          const isActive = index === active.index;
          return (
            <Row
              key={index}
              row={one}
              index={index}
              columns={columns}
              frozen={frozen}
              marks={one && marks.get(one.number)}
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
  /** Undefined while it is on its way. */
  readonly row: GridRow | undefined;
  readonly index: number;
  /** Those that are drawn, the frozen ones first. */
  readonly columns: readonly number[];
  readonly frozen: number;
  readonly marks: ReadonlyMap<string, readonly PageIssue[]> | undefined;
  /** The column where the keyboard is, if it is in this row. */
  readonly active: number | undefined;
  readonly editing: string | undefined;
  readonly save: ((text: string, next: Active | undefined) => void) | undefined;
  readonly cancel: ((at: Active) => void) | undefined;
}

const NUMBER = /^-?[\d.,$\s]+$/;

/** It is drawn again only when something of its own has changed. */
const Row = memo(({ row, index, columns, frozen, marks, active, editing, save, cancel }: RowProps) => {
  const { number, texts = [], edited, leftOut } = row ?? {};
  const isKept = active !== undefined && active >= 0 && !columns.includes(active);
  const drawn = row === undefined ? [] : isKept ? [...columns, active].sort((a, b) => a - b) : columns;
  return (
    <div
      class={leftOut ? 'grid-row left-out' : 'grid-row'}
      role="row"
      aria-rowindex={index + 2}
      style={{ transform: `translateY(${index * HEIGHT}px)` }}
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
        const said = marks?.get(letter);
        const text = texts[column] ?? '';
        const isBad = said?.some(({ level }) => level === 'error') === true;
        const names = ['cell'];
        if (column < frozen) names.push('frozen');
        if (text !== '' && NUMBER.test(text)) names.push('number');
        if (said !== undefined) names.push(isBad ? 'bad' : 'doubtful');
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
            title={said?.map(({ message }) => message).join(' ')}
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
            ) : text === '' && said !== undefined ? (
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
  /** `by`: how far the keyboard goes; undefined when it has gone elsewhere. */
  save(text: string, by: { readonly rows: number; readonly columns: number } | undefined): void;
  cancel(): void;
}

/** The text of a cell while it is typed. */
function Editor({ text, name, save, cancel }: EditorProps) {
  const input = useRef<HTMLInputElement>(null);
  const done = useRef(false);
  useLayoutEffect(() => {
    input.current!.focus();
    input.current!.setSelectionRange(text.length, text.length);
  }, []);
  const end = (act: () => void): void => {
    if (done.current) return;
    done.current = true;
    act();
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
