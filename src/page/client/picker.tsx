import type { ComponentChildren } from 'preact';
import { useEffect, useId, useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';
import { t } from './words.js';

export interface PickerOption {
  readonly value: string;
  readonly title: string;
  readonly note?: string | undefined;
  /** Effect of choosing it on the totals. */
  readonly effect?: string | undefined;
  /** Heading of the options around it. */
  readonly group?: string | undefined;
  /** True if it cannot be chosen; the note says why. */
  readonly isTaken?: boolean;
}

interface PickerProps {
  /** Name of the list for screen readers. */
  readonly label: string;
  /** Returns the options; called when the list opens. */
  options(): readonly PickerOption[];
  readonly className?: string;
  readonly disabled?: boolean;
  /** True if typed text is a valid answer. */
  readonly free?: boolean | undefined;
  /** Content of the button that opens the list. */
  readonly children: ComponentChildren;
  choose(value: string): void;
  /** Receives the option that is active or under the pointer; undefined for none. */
  preview?(option: PickerOption | undefined): void;
}

export const foldText = (text: string): string =>
  text
    .normalize('NFD')
    .replaceAll(/\p{Diacritic}/gu, '')
    .toLowerCase();

const MAX_SHOWN = 200;

/** Opens a searchable list; no option is active until the user types or presses an arrow key. */
export function Picker({
  label,
  options,
  className = '',
  disabled,
  free,
  children,
  choose,
  preview,
}: PickerProps) {
  const id = useId();
  const root = useRef<HTMLDivElement>(null);
  const button = useRef<HTMLButtonElement>(null);
  const input = useRef<HTMLInputElement>(null);
  const [isOpen, setOpen] = useState(false);
  const [search, setSearch] = useState('');
  const [active, setActive] = useState(-1);
  const all = useMemo(() => (isOpen ? options() : []), [isOpen]);
  const listed = useMemo(() => {
    const typed = search.trim();
    const words = foldText(typed).split(/\s+/).filter(Boolean);
    const shown = all.filter(({ title, note = '', group = '', value }) => {
      const text = foldText(`${title} ${note} ${group} ${value}`);
      return words.every((word) => text.includes(word));
    });
    const typedOption: readonly PickerOption[] =
      free && typed !== '' ? [{ value: typed, title: t('useText', { text: typed }) }] : [];
    return [...shown.slice(0, MAX_SHOWN), ...typedOption];
  }, [all, search]);
  // Before the next key, so that what is typed at once is not lost.
  useLayoutEffect(() => {
    if (!isOpen) return undefined;
    input.current?.focus();
    input.current?.parentElement?.scrollIntoView({ block: 'nearest' });
    const leave = ({ target }: Event): void => {
      if (!root.current?.contains(target as Node)) setOpen(false);
    };
    addEventListener('pointerdown', leave);
    return () => removeEventListener('pointerdown', leave);
  }, [isOpen]);
  const current = listed[active];
  useEffect(() => {
    preview?.(current);
    return () => preview?.(undefined);
  }, [current, isOpen]);
  const move = (to: number): void => {
    setActive(to);
    document.getElementById(`${id}-${to}`)?.scrollIntoView({ block: 'nearest' });
  };
  const close = (): void => {
    setOpen(false);
    button.current?.focus();
  };
  const take = ({ value, isTaken = false }: PickerOption): void => {
    if (isTaken) return;
    close();
    choose(value);
  };
  const press = (event: KeyboardEvent): void => {
    const last = listed.length - 1;
    if (event.key === 'ArrowDown') move(Math.min(active + 1, last));
    else if (event.key === 'ArrowUp') move(Math.max(active - 1, 0));
    else if (event.key === 'Enter') listed[active] && take(listed[active]);
    else if (event.key === 'Escape') close();
    else return;
    event.preventDefault();
  };
  return (
    <div
      class="picker"
      ref={root}
      onFocusOut={({ relatedTarget }) => {
        if (relatedTarget !== null && !root.current?.contains(relatedTarget as Node)) setOpen(false);
      }}
    >
      <button
        type="button"
        ref={button}
        class={`picker-button ${className}`}
        aria-haspopup="listbox"
        aria-expanded={isOpen}
        disabled={disabled}
        onClick={() => {
          setSearch('');
          setActive(-1);
          setOpen(!isOpen);
        }}
      >
        {children}
      </button>
      {isOpen && (
        <div class="picker-panel">
          <input
            role="combobox"
            ref={input}
            aria-label={label}
            aria-expanded="true"
            aria-controls={id}
            aria-activedescendant={listed[active] && `${id}-${active}`}
            autocomplete="off"
            placeholder={t('search')}
            value={search}
            onKeyDown={press}
            onInput={({ currentTarget }) => {
              setSearch(currentTarget.value);
              setActive(currentTarget.value === '' ? -1 : 0);
            }}
          />
          <div
            class="picker-list"
            id={id}
            role="listbox"
            aria-label={label}
            onMouseDown={(event) => event.preventDefault()} // the field keeps the focus
          >
            {listed.map((option, at) => {
              const { value, title, note, group, isTaken } = option;
              return (
                <>
                  {group !== undefined && group !== listed[at - 1]?.group && (
                    <div key={`group ${group}`} class="picker-group" role="presentation">
                      {group}
                    </div>
                  )}
                  {/* biome-ignore lint/a11y/useKeyWithClickEvents: the field above takes the keys */}
                  <div
                    key={value}
                    id={`${id}-${at}`}
                    role="option"
                    tabIndex={-1}
                    aria-selected={at === active}
                    aria-disabled={isTaken}
                    class="picker-option"
                    onClick={() => take(option)}
                    onPointerEnter={preview && (() => preview(option))}
                    onPointerLeave={preview && (() => preview(current))}
                  >
                    <span>{title}</span>
                    {note !== undefined && <small>{note}</small>}
                  </div>
                </>
              );
            })}
          </div>
          {listed.length === 0 && <p class="hint">{t('nothingFound')}</p>}
        </div>
      )}
    </div>
  );
}
