import { memo } from 'preact/compat';
import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import type { PageIssue, TableRows } from '../api.js';
import { letterOf } from './files.js';
import { call } from './server.js';
import { useVirtualRows } from './virtual.js';
import { t } from './words.js';

type GridRow = TableRows['rows'][number];

const ROW_HEIGHT = 28;
const BLOCK = 100;
/** They stay where they are while the others scroll: who it is about. */
const FROZEN = 2;

/** What is said of a row's cells, by column letter. */
export type Marks = ReadonlyMap<number, ReadonlyMap<string, readonly PageIssue[]>>;

interface GridProps {
  readonly upload: string;
  readonly file: string;
  readonly sheet: string | null;
  readonly marks: Marks;
  readonly onlyMarked: boolean;
  /** The row to be shown. */
  readonly shown: number | undefined;
  select(row: number, column: string): void;
  readonly selected: { readonly row: number; readonly column: string } | undefined;
}

/** Rows that were read, by index, fetched when they are first seen. */
function useRows({ upload, file, sheet, marks, onlyMarked }: GridProps) {
  const key = [upload, file, sheet, onlyMarked].join('\n');
  const numbers = useMemo(() => [...marks.keys()].sort((a, b) => a - b), [marks]);
  const [state, setState] = useState<{ key: string; total: number; rows: ReadonlyMap<number, GridRow> }>();
  const asked = useRef(new Set<string>());
  const current = state?.key === key ? state : undefined;
  const fetchBlock = async (block: number): Promise<void> => {
    const id = `${key} ${block}`;
    if (asked.current.has(id)) return;
    asked.current.add(id);
    const which = onlyMarked
      ? `numbers=${numbers.slice(block * BLOCK, (block + 1) * BLOCK).join(',') || '0'}`
      : `from=${block * BLOCK}&count=${BLOCK}`;
    const found = await call<TableRows>(
      'GET',
      `/uploads/${upload}/rows?name=${encodeURIComponent(file)}&sheet=${encodeURIComponent(sheet ?? '')}&${which}`,
    );
    setState((before) => {
      const rows = new Map(before?.key === key ? before.rows : []);
      for (const [at, row] of found.rows.entries()) rows.set(block * BLOCK + at, row);
      return { key, total: onlyMarked ? numbers.length : found.total, rows };
    });
  };
  useEffect(() => void fetchBlock(0), [key]);
  return {
    total: current?.total ?? 0,
    row: (index: number): GridRow | undefined => {
      const row = current?.rows.get(index);
      if (row === undefined && current !== undefined) void fetchBlock(Math.floor(index / BLOCK));
      return row;
    },
    rows: current?.rows ?? new Map<number, GridRow>(),
  };
}

/** The file as it stands, with what is wrong in it: red is an error, amber a warning. */
export function Grid(props: GridProps) {
  const { marks, shown, selected, select } = props;
  const scroller = useRef<HTMLDivElement>(null);
  const { total, row, rows } = useRows(props);
  const virtual = useVirtualRows({ count: total, height: ROW_HEIGHT, scroller: () => scroller.current });
  const width = useMemo(() => Math.max(1, ...[...rows.values()].map(({ texts }) => texts.length)), [rows]);
  useEffect(() => {
    if (shown === undefined || total === 0) return;
    const found = [...rows].find(([, one]) => one.number === shown)?.[0];
    virtual.scrollToIndex(found ?? Math.min(shown - 1, total - 1), { align: 'center' });
  }, [shown, total]);
  const columns = Array.from({ length: width }, (_, column) => letterOf(column));
  return (
    <div
      class="grid"
      ref={scroller}
      tabIndex={0}
      role="grid"
      aria-label={t('table')}
      aria-rowcount={total}
      aria-colcount={width + 1}
    >
      <div class="grid-head" role="row" aria-rowindex={1}>
        <span class="cell number frozen-0" role="columnheader">
          {t('row')}
        </span>
        {columns.map((letter, at) => (
          <span key={letter} class={`cell${at < FROZEN ? ` frozen-${at + 1}` : ''}`} role="columnheader">
            {letter}
          </span>
        ))}
      </div>
      <div class="grid-body" style={{ height: `${virtual.getTotalSize()}px` }}>
        {virtual.getVirtualItems().map(({ index, start }) => {
          const one = row(index);
          return (
            <div
              key={index}
              class="grid-row"
              role="row"
              aria-rowindex={index + 2}
              style={{ transform: `translateY(${start}px)` }}
            >
              {one !== undefined && (
                <Cells
                  row={one}
                  columns={columns}
                  marks={marks.get(one.number)}
                  selected={selected?.row === one.number ? selected.column : undefined}
                  select={select}
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
  readonly columns: readonly string[];
  readonly marks: ReadonlyMap<string, readonly PageIssue[]> | undefined;
  readonly selected: string | undefined;
  select(row: number, column: string): void;
}

const NUMBER = /^-?[\d.,$\s]+$/;

const Cells = memo(({ row: { number, texts }, columns, marks, selected, select }: CellsProps) => (
  <>
    <span class={`cell number frozen-0${marks?.has('') ? ' bad' : ''}`} role="rowheader">
      {number}
    </span>
    {columns.map((letter, at) => {
      const said = marks?.get(letter);
      const text = texts[at] ?? '';
      const names = ['cell'];
      if (at < FROZEN) names.push(`frozen-${at + 1}`);
      if (text !== '' && NUMBER.test(text)) names.push('number');
      if (said !== undefined) names.push(said.some(({ level }) => level === 'error') ? 'bad' : 'doubtful');
      if (letter === selected) names.push('selected');
      return (
        <span key={letter} class={names.join(' ')} role="gridcell">
          {said === undefined ? (
            text
          ) : (
            <button
              type="button"
              class="mark"
              title={said.map(({ message }) => message).join(' ')}
              onClick={() => select(number, letter)}
            >
              {text === '' ? '∅' : text}
            </button>
          )}
        </span>
      );
    })}
  </>
));
