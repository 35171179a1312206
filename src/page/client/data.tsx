import { useState } from 'preact/hooks';
import { addMonths, dateInBogota, isPlainMonth, monthsBetween } from '../../toolkit/core/plain-date.js';
import type { PageEvent, TaskName } from '../api.js';
import { type DateKind, formatTypedDate } from '../dates.js';
import { useInspection } from './columns.js';
import { DateField } from './date-field.js';
import { StepFooter } from './frame.js';
import { Issues, Working } from './parts.js';
import { go } from './place.js';
import { type ScreenProps, useMayPrepare } from './screen.js';
import { call, lastEvent, useAttempts } from './server.js';
import { language, t } from './words.js';

/** Choice of a parameter or column of a table parameter, with its title. */
interface Choice {
  readonly value: string;
  readonly title: { readonly es: string; readonly en: string };
}

interface ParamEvent extends PageEvent {
  readonly name: string;
  /** Type of the parameter, such as `month`, `date`, `table`, `choice` or `text`. */
  readonly type: string;
  readonly about: { readonly es: string; readonly en: string };
  /** True if a column of the file would make the parameter unnecessary. */
  readonly standsIn?: boolean;
  readonly default?: unknown;
  /** Value of last month moved to this one, or one by date. */
  readonly offered?: unknown;
  /** True if the offered value is of the month and moves with it. */
  readonly followsMonth?: boolean;
  /** True if no column gives it and some rows may need it. */
  readonly isAbsent?: boolean;
  readonly choices?: readonly Choice[];
  /** Columns of a parameter of type `table`. */
  readonly columns?: readonly Choice[];
}

type Values = Readonly<Record<string, unknown>>;
type Records = readonly Readonly<Record<string, string>>[];

const isMonth = (value: unknown): value is string => typeof value === 'string' && isPlainMonth(value);

const isGiven = (value: unknown): boolean =>
  Array.isArray(value) ? value.length > 0 : value !== undefined && value !== '';

/**
 * Asks for values that the files do not contain, such as month, dates and prefix; optional ones are folded.
 */
export function Data(props: ScreenProps) {
  const { upload, reload } = props;
  const { task, events, busy, issues } = useInspection(props);
  const mayPrepare = useMayPrepare();
  const paramsNamed = (name: string) =>
    events.filter(({ event }) => event === name) as unknown as readonly ParamEvent[];
  // The review asks what old codes mean, where they stop a row.
  const optional = paramsNamed('setting').filter(({ type }) => type !== 'answers');
  const params = paramsNamed('param');
  const absent = optional.filter(({ isAbsent }) => isAbsent);
  const others = optional.filter(({ isAbsent }) => !isAbsent);
  const given = others.filter(({ name }) => upload.params[name] !== undefined);
  const settings = others.filter(({ name }) => upload.params[name] === undefined);
  const [values, setValues] = useState<Values>(upload.params);
  const summary = lastEvent(events, 'summary');
  const offeredMonth = params.find(({ type }) => type === 'month')?.offered;
  const month = values['month'] ?? offeredMonth;
  /** Returns the value offered, which follows the month that is chosen. */
  const offeredNow = ({ type, offered, followsMonth = false }: ParamEvent): unknown => {
    const isMoved = followsMonth && type.startsWith('date') && isMonth(month) && isMonth(offeredMonth);
    return isMoved && offered ? addMonths(String(offered), monthsBetween(offeredMonth, month)) : offered;
  };
  const valueNow = (param: ParamEvent): unknown => values[param.name] ?? offeredNow(param) ?? '';
  if (events.length === 0) return busy ? <Working task={task} /> : <Issues issues={issues} />;
  const known = new Set([...params, ...optional].map(({ name }) => name));
  const field = (param: ParamEvent, isNeeded: boolean) => (
    <Param
      key={param.name}
      param={param}
      isNeeded={isNeeded}
      offered={offeredNow(param)}
      value={isNeeded ? valueNow(param) : (values[param.name] ?? '')}
      change={(value) => setValues({ ...values, [param.name]: value })}
    />
  );
  return (
    <form
      id="month-data"
      onSubmit={async (event) => {
        event.preventDefault();
        if (!mayPrepare) return go('upload', upload.id, 'review');
        const filled = Object.fromEntries(
          [
            ...Object.entries(values).filter(([name]) => !known.has(name)),
            ...optional.map(({ name }) => [name, values[name]] as const),
            ...params.map((param) => [param.name, valueNow(param)] as const),
          ].filter(([, value]) => isGiven(value)),
        );
        await call('PUT', `/uploads/${upload.id}/params`, filled);
        await call('POST', `/uploads/${upload.id}/tasks/check`, {});
        await reload();
        go('upload', upload.id, 'review');
      }}
    >
      <h1>{t('dataTitle')}</h1>
      <Issues issues={issues} />
      {params.length + given.length + absent.length === 0 && <p class="notice good">{t('noData')}</p>}
      <fieldset disabled={!mayPrepare}>
        {params.length + given.length > 0 && (
          <div class="form">
            {params.map((param) => field(param, true))}
            {given.map((param) => field(param, false))}
          </div>
        )}
        {absent.length > 0 && (
          <fieldset class="card">
            <legend>{t('dataOfSomeRows')}</legend>
            <p class="hint">{t('dataOfSomeRowsAbout')}</p>
            <div class="form">{absent.map((param) => field(param, false))}</div>
          </fieldset>
        )}
        {(summary?.['worklist'] === true || summary?.['reception'] === true) && (
          <fieldset class="card">
            <legend>{t('undecided')}</legend>
            {summary['worklist'] === true && <OtherTaskButton {...props} task="events" text="askWorklist" />}
            {summary['reception'] === true && (
              <OtherTaskButton {...props} task="reception" text="askReception" />
            )}
          </fieldset>
        )}
        {settings.length > 0 && (
          <details>
            <summary>{t('moreData', { count: settings.length })}</summary>
            <div class="form">{settings.map((param) => field(param, false))}</div>
          </details>
        )}
      </fieldset>
      <StepFooter
        upload={upload}
        step="review"
        back="columns"
        form="month-data"
        reason={busy ? t('whyBusy') : undefined}
        progress={
          params.length === 0
            ? undefined
            : {
                done: params.filter((param) => isGiven(valueNow(param))).length,
                total: params.length,
                text: t('givenData'),
              }
        }
      />
    </form>
  );
}

interface OtherTaskButtonProps extends ScreenProps {
  readonly task: TaskName;
  readonly text: 'askWorklist' | 'askReception';
}

/** Starts a task on the files that registers nothing. */
function OtherTaskButton({ upload, reload, task, text }: OtherTaskButtonProps) {
  const { refused, attempt } = useAttempts();
  return (
    <>
      <button
        type="button"
        onClick={() =>
          attempt(async () => {
            await call('POST', `/uploads/${upload.id}/tasks/${task}`, {});
            await reload();
            go('upload', upload.id, 'result');
          })
        }
      >
        {t(text)}
      </button>
      <Issues issues={refused} />
    </>
  );
}

const isDateKind = (type: string): type is DateKind => ['month', 'date', 'datetime'].includes(type);

/** Returns the values that a date may well have: the one offered, and today or the month after it. */
function proposalsOf(type: DateKind, offered: string): readonly string[] {
  if (type === 'month') return isMonth(offered) ? [offered, addMonths(offered, 1)] : [];
  return type === 'date' ? [offered, dateInBogota(new Date())] : [offered];
}

interface ParamProps {
  readonly param: ParamEvent;
  readonly isNeeded: boolean;
  readonly offered: unknown;
  readonly value: unknown;
  change(value: unknown): void;
}

function Param({ param, isNeeded, offered, value, change }: ParamProps) {
  const { name, type, about, standsIn = false, columns } = param;
  // The first sentence names it; the others explain it.
  const [text = '', ...more] = (about[language].replace(/\.$/, '') || t('noName', { name })).split('. ');
  const choices =
    type === 'boolean'
      ? [
          { value: 'true', title: t('yes') },
          { value: 'false', title: t('no') },
        ]
      : param.choices?.map(({ value, title }) => ({ value, title: title[language] }));
  const textOf = (given: unknown): string =>
    typeof given === 'string' || typeof given === 'number' || typeof given === 'boolean' ? String(given) : '';
  const inputText = textOf(value);
  const common = { id: name, name, required: isNeeded && !standsIn };
  const preset = param.default === undefined || param.default === null ? '' : String(param.default);
  const given = choices?.find((choice) => choice.value === preset)?.title ?? preset;
  if (type === 'table' && columns !== undefined)
    return (
      <TableParam
        title={text}
        columns={columns}
        records={Array.isArray(value) ? (value as Records) : []}
        change={change}
      />
    );
  return (
    <div class="field">
      <label for={name}>{text}</label>
      {isDateKind(type) ? (
        <DateField
          {...common}
          kind={type}
          value={inputText}
          placeholder={formatTypedDate(given)}
          proposals={proposalsOf(type, textOf(offered))}
          change={change}
        />
      ) : choices === undefined ? (
        <input
          type="text"
          {...common}
          value={inputText}
          placeholder={given}
          autocomplete="off"
          onInput={({ currentTarget }) => change(currentTarget.value)}
        />
      ) : (
        <select {...common} value={inputText} onChange={({ currentTarget }) => change(currentTarget.value)}>
          <option value="">{given}</option>
          {choices.map((choice) => (
            <option key={choice.value} value={choice.value}>
              {choice.title}
            </option>
          ))}
        </select>
      )}
      {more.length > 0 && choices === undefined && <span class="hint">{more.join('. ')}.</span>}
    </div>
  );
}

interface TableParamProps {
  readonly title: string;
  readonly columns: readonly Choice[];
  readonly records: Records;
  change(records: Records): void;
}

/**
 * Edits a parameter with several records, such as the professionals; rows can be pasted from a spreadsheet.
 */
function TableParam({ title, columns, records, change }: TableParamProps) {
  const rows = [...records, {}];
  const put = (at: number, column: string, text: string): void => {
    const next = rows.map((record, index) => (index === at ? { ...record, [column]: text } : record));
    change(next.filter((record) => Object.values(record).some((value) => value !== '')));
  };
  /** Inserts cells pasted from a spreadsheet: lines of texts separated by tabs. */
  const paste = (event: ClipboardEvent, at: number, column: string): void => {
    const text = event.clipboardData?.getData('text/plain') ?? '';
    if (!/[\t\n]/.test(text.trim())) return;
    event.preventDefault();
    const first = columns.findIndex(({ value }) => value === column);
    const pasted = text
      .trim()
      .split(/\r?\n/)
      .map((line) =>
        Object.fromEntries(
          line.split('\t').map((cell, index) => [columns[first + index]?.value ?? '', cell.trim()]),
        ),
      );
    change([...records.slice(0, at), ...pasted, ...records.slice(at + pasted.length)]);
  };
  return (
    <fieldset class="field wide">
      <legend>{title}</legend>
      <div class="scroll" tabIndex={0} role="region" aria-label={title}>
        <table class="list">
          {columns.length > 1 && (
            <thead>
              <tr>
                {columns.map((column) => (
                  <th key={column.value} scope="col">
                    {column.title[language]}
                  </th>
                ))}
              </tr>
            </thead>
          )}
          <tbody>
            {rows.map((record, at) => (
              <tr key={`${at} of ${title}`}>
                {columns.map((column) => (
                  <td key={column.value}>
                    <input
                      aria-label={`${column.title[language]} ${at + 1}`}
                      value={(record as Readonly<Record<string, string>>)[column.value] ?? ''}
                      onInput={({ currentTarget }) => put(at, column.value, currentTarget.value)}
                      onPaste={(event) => paste(event, at, column.value)}
                    />
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </fieldset>
  );
}
