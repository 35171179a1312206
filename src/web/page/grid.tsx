import { memo } from 'preact/compat';
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';
import type { GridRow, PageIssue, TableRows } from '../api.js';
import { letterOf } from './files.js';
import { call } from './server.js';
import { useVirtualRows } from './virtual.js';
import { t } from './words.js';

const ROW_HEIGHT = 28;
const BLOCK = 100;
/** They stay where they are while the others scroll: who it is about. */
const FROZEN = 2;
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

const within = (value: number, least: number, most: number): number => Math.max(least, Math.min(value, most));

/** The file as it was mended, with what is wrong in it: red is an error, amber a warning. Cells are edited in place. */
export function Grid(props: GridProps) {
  const { marks, goTo, select, mend, undo } = props;
  const scroller = useRef<HTMLDivElement>(null);
  const { total, header, row, rows, indexOf } = useRows(props);
  const virtual = useVirtualRows({ count: total, height: ROW_HEIGHT, scroller: () => scroller.current });
  const width = useMemo(() => Math.max(1, ...[...rows.values()].map(({ texts }) => texts.length)), [rows]);
  const columns = useMemo(() => Array.from({ length: width }, (_, column) => letterOf(column)), [width]);
  const [active, setActive] = useState<Active>({ index: 0, column: 0 });
  /** What the editor begins with. */
  const [editing, setEditing] = useState<string>();
  /** The active cell gets the focus as soon as it is there. */
  const focusing = useRef(false);

  const activate = ({ index, column }: Active): void => {
    const next = { index: within(index, 0, total - 1), column: within(column, -1, width - 1) };
    setActive(next);
    setEditing(undefined);
    focusing.current = true;
    virtual.scrollToIndex(next.index, { align: 'auto' });
    const there = row(next.index);
    if (there !== undefined) select({ row: there.number, column: columns[next.column] ?? '' }, there);
  };
  useEffect(() => {
    if (goTo === undefined || total === 0) return;
    void indexOf(goTo.row).then((index) => {
      if (index < 0) return;
      virtual.scrollToIndex(index, { align: 'center' });
      setActive({ index, column: goTo.column === '' ? -1 : columns.indexOf(goTo.column) });
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
    if (active.column >= FROZEN) cell.scrollIntoView({ block: 'nearest', inline: 'nearest' });
    const there = rows.get(active.index);
    if (there !== undefined) select({ row: there.number, column: columns[active.column] ?? '' }, there);
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
    const { column } = active;
    setEditing(undefined);
    if (there !== undefined && text !== textAt(active))
      mend({ row: there.number, column: columns[column]! }, text);
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
  const items = virtual.getVirtualItems();
  const isSeen = items.some(({ index }) => index === active.index);
  return (
    <div
      class="grid"
      ref={scroller}
      // Where the active cell is not drawn, the table itself is what the keyboard comes to.
      tabIndex={isSeen ? -1 : 0}
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
      <div class="grid-head" role="row" aria-rowindex={1}>
        <span class="cell number frozen-0" role="columnheader" aria-colindex={1}>
          {t('row')}
        </span>
        {columns.map((letter, at) => (
          <span
            key={letter}
            class={`cell${at < FROZEN ? ` frozen-${at + 1}` : ''}`}
            role="columnheader"
            aria-colindex={at + 2}
            title={header?.labels[at] ?? letter}
          >
            <span class="letter">{letter}</span> {header?.labels[at]}
          </span>
        ))}
      </div>
      <div class="grid-body" role="presentation" style={{ height: `${virtual.getTotalSize()}px` }}>
        {items.map(({ index, start }) => {
          const one = row(index);
          const isActive = index === active.index;
          return (
            <div
              key={index}
              class={one?.leftOut ? 'grid-row left-out' : 'grid-row'}
              role="row"
              aria-rowindex={index + 2}
              style={{ transform: `translateY(${start}px)` }}
            >
              {one === undefined ? (
                <span class="cell number frozen-0 waiting" role="gridcell" aria-busy="true" />
              ) : (
                <Cells
                  row={one}
                  index={index}
                  columns={columns}
                  marks={marks.get(one.number)}
                  active={isActive ? active.column : undefined}
                  editing={isActive ? editing : undefined}
                  save={isActive ? save : undefined}
                  cancel={isActive ? activate : undefined}
                />
              )}
            </div>
          );
        })}
      </div>
    </div>
  );
}

interface CellsProps {
  readonly row: GridRow;
  readonly index: number;
  readonly columns: readonly string[];
  readonly marks: ReadonlyMap<string, readonly PageIssue[]> | undefined;
  /** The column where the keyboard is, if it is in this row. */
  readonly active: number | undefined;
  readonly editing: string | undefined;
  readonly save: ((text: string, next: Active | undefined) => void) | undefined;
  readonly cancel: ((at: Active) => void) | undefined;
}

const NUMBER = /^-?[\d.,$\s]+$/;

const Cells = memo(({ row, index, columns, marks, active, editing, save, cancel }: CellsProps) => {
  const { number, texts, edited } = row;
  return (
    <>
      <span
        id={idOf({ index, column: -1 })}
        class={`cell number frozen-0${marks?.has('') ? ' bad' : ''}${active === -1 ? ' selected' : ''}`}
        role="rowheader"
        aria-colindex={1}
        tabIndex={active === -1 ? 0 : -1}
      >
        {number}
      </span>
      {columns.map((letter, column) => {
        const said = marks?.get(letter);
        const text = texts[column] ?? '';
        const isBad = said?.some(({ level }) => level === 'error') === true;
        const names = ['cell'];
        if (column < FROZEN) names.push(`frozen-${column + 1}`);
        if (text !== '' && NUMBER.test(text)) names.push('number');
        if (said !== undefined) names.push(isBad ? 'bad' : 'doubtful');
        if (edited?.includes(column)) names.push('edited');
        if (column === active) names.push('selected');
        const isEdited = column === active && editing !== undefined;
        return (
          <span
            key={letter}
            id={idOf({ index, column })}
            class={names.join(' ')}
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
    </>
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
