import { useEffect, useRef, useState } from 'preact/hooks';
import { addDays, addMonths, dateInBogota } from '../../toolkit/core/plain-date.js';
import { type DateKind, formatTypedDate, parseTypedDate } from '../dates.js';
import { month as monthText, t } from './words.js';

interface DateFieldProps {
  readonly id: string;
  readonly kind: DateKind;
  readonly required: boolean;
  /** ISO value; empty if none is given. */
  readonly value: string;
  /** Text shown while the field is empty. */
  readonly placeholder: string;
  /** Values offered as buttons, unless they are given already. */
  readonly proposals: readonly string[];
  change(value: string): void;
}

const step = (kind: DateKind, value: string, by: number): string =>
  kind === 'month' ? addMonths(value, by) : addDays(value.slice(0, 10), by) + value.slice(10);

/**
 * Takes a date day first, whatever the browser's language; the arrow keys move it by a day, or a month by a month.
 * Text that is no date stays, and keeps its form from being submitted.
 */
export function DateField({ id, kind, required, value, placeholder, proposals, change }: DateFieldProps) {
  const input = useRef<HTMLInputElement>(null);
  /** Text as it is typed; undefined to show the value. */
  const [typed, setTyped] = useState<string>();
  const text = typed ?? formatTypedDate(value);
  const isWrong = text.trim() !== '' && parseTypedDate(kind, text) === undefined;
  const form = t(`form-${kind}`);
  const today = dateInBogota(new Date());
  const problem = isWrong ? t('noDate', { form }) : '';
  useEffect(() => input.current?.setCustomValidity(problem), [problem]);
  const take = (next: string): void => {
    setTyped(undefined);
    change(next);
  };
  const offered = [...new Set(proposals)].filter((proposal) => proposal !== '' && proposal !== value);
  return (
    <>
      <input
        type="text"
        id={id}
        name={id}
        ref={input}
        required={required}
        autocomplete="off"
        placeholder={placeholder || form}
        value={text}
        aria-invalid={isWrong}
        aria-describedby={isWrong ? `${id}-problem` : undefined}
        onInput={({ currentTarget }) => {
          setTyped(currentTarget.value);
          change(parseTypedDate(kind, currentTarget.value) ?? '');
        }}
        onBlur={() => !isWrong && setTyped(undefined)}
        onKeyDown={(event) => {
          const by = { ArrowUp: 1, ArrowDown: -1 }[event.key];
          if (by === undefined || value === '') return;
          event.preventDefault();
          take(step(kind, value, by));
        }}
      />
      {isWrong && (
        <p id={`${id}-problem`} class="hint bad" role="status">
          {problem}
        </p>
      )}
      {offered.length > 0 && (
        <span class="proposals">
          {offered.map((proposal) => (
            <button key={proposal} type="button" class="plain" onClick={() => take(proposal)}>
              {kind === 'month'
                ? monthText(proposal)
                : proposal === today
                  ? t('todayButton', { date: formatTypedDate(today) })
                  : formatTypedDate(proposal)}
            </button>
          ))}
        </span>
      )}
    </>
  );
}
