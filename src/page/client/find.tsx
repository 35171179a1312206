import { useEffect, useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';
import { formatAmount, parseTypedAmount } from '../amounts.js';
import type { ColumnView } from '../api.js';
import { formatCell, parseTypedCell } from '../dates.js';
import type { CellAt, FoundCells } from './grid.js';
import { call } from './server.js';
import { count, language, t } from './words.js';

/** Table and column of an upload. */
interface ColumnAt {
  readonly upload: string;
  readonly file: string;
  readonly sheet: string | null;
  readonly column: string;
}

export const fetchColumn = ({ upload, file, sheet, column }: ColumnAt): Promise<ColumnView> => {
  const query = new URLSearchParams({ name: file, sheet: sheet ?? '', column });
  return call('GET', `/uploads/${upload}/column?${query}`);
};

interface Match extends CellAt {
  readonly text: string;
}

interface FindBarProps extends ColumnAt {
  /** Columns to choose from, with their titles. */
  readonly columns: readonly { readonly letter: string; readonly title: string }[];
  /** True if the column has amounts of money, which are found as they are shown and as they are stored. */
  readonly isMoney: boolean;
  /** Number of the first row of data. */
  readonly firstRow: number;
  /** Number of edits; the column is read again after each. */
  readonly edits: number;
  chooseColumn(letter: string): void;
  show(found: FoundCells | undefined): void;
  goTo(cell: CellAt): void;
  /** Undefined if cells may not be changed. */
  readonly replace: ((changes: readonly Match[]) => void) | undefined;
  close(): void;
}

/** Searches one column, and replaces what it finds in one step that can be undone. */
export function FindBar(props: FindBarProps) {
  const { upload, file, sheet, column, columns, isMoney, firstRow, edits, replace } = props;
  const [wanted, setWanted] = useState('');
  const [text, setText] = useState('');
  const [isWhole, setWhole] = useState(true);
  const [view, setView] = useState<ColumnView>();
  const [last, setLast] = useState(-1);
  const field = useRef<HTMLInputElement>(null);
  useLayoutEffect(() => field.current?.focus(), []);
  useEffect(() => {
    let isLeft = false;
    void fetchColumn({ upload, file, sheet, column }).then((fetched) => isLeft || setView(fetched));
    return () => {
      isLeft = true;
    };
  }, [upload, file, sheet, column, edits]);
  const matches = useMemo((): readonly Match[] => {
    if (view === undefined || wanted === '') return [];
    const escaped = wanted.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');
    const pattern = new RegExp(isWhole ? `^\\s*${escaped}\\s*$` : escaped, 'giu');
    return view.texts.flatMap((stored, at) => {
      const row = view.numbers[at] ?? 0;
      const shown = isMoney ? formatAmount(stored, language) : formatCell(stored);
      const before = isMoney && stored.search(pattern) >= 0 ? stored : shown;
      const parse = isMoney ? parseTypedAmount : parseTypedCell;
      const replaced = before.replace(pattern, () => text);
      const after = row < firstRow ? stored : parse(replaced, stored);
      return row >= firstRow && before.search(pattern) >= 0 ? [{ row, column, text: after }] : [];
    });
  }, [view, wanted, text, isWhole, firstRow, isMoney]);
  const found = useMemo(
    () => (matches.length === 0 ? undefined : { column, rows: new Set(matches.map(({ row }) => row)) }),
    [matches],
  );
  useEffect(() => props.show(found), [found]);
  useEffect(() => () => props.show(undefined), []);
  const next = (): void => {
    const at = (last + 1) % matches.length;
    if (matches[at] === undefined) return;
    setLast(at);
    props.goTo(matches[at]);
  };
  return (
    <form
      class="find-bar"
      aria-label={t('findAndReplace')}
      onSubmit={(event) => {
        event.preventDefault();
        next();
      }}
      onKeyDown={({ key }) => key === 'Escape' && props.close()}
    >
      <label>
        {t('column')}{' '}
        <select value={column} onChange={({ currentTarget }) => props.chooseColumn(currentTarget.value)}>
          {columns.map(({ letter, title }) => (
            <option key={letter} value={letter}>
              {letter} {title}
            </option>
          ))}
        </select>
      </label>
      <label>
        {t('find')}{' '}
        <input
          type="search"
          autocomplete="off"
          ref={field}
          value={wanted}
          onInput={({ currentTarget }) => {
            setWanted(currentTarget.value);
            setLast(-1);
          }}
        />
      </label>
      {replace !== undefined && (
        <label>
          {t('replaceBy')}{' '}
          <input
            type="text"
            autocomplete="off"
            value={text}
            onInput={({ currentTarget }) => setText(currentTarget.value)}
          />
        </label>
      )}
      <label>
        <input
          type="checkbox"
          checked={isWhole}
          onChange={({ currentTarget }) => setWhole(currentTarget.checked)}
        />{' '}
        {t('wholeCell')}
      </label>
      <button type="submit" disabled={matches.length === 0}>
        {t('findNext')}
      </button>
      {replace !== undefined && (
        <button
          type="button"
          class="primary"
          disabled={matches.length === 0}
          onClick={() => replace(matches)}
        >
          {t('replaceCells', { count: count(matches.length) })}
        </button>
      )}
      <span class="hint" role="status">
        {wanted === '' ? '' : t('foundCells', { count: count(matches.length) })}
      </span>
      <button type="button" class="plain" onClick={() => props.close()}>
        {t('close')}
      </button>
    </form>
  );
}
