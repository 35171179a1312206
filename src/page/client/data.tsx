import { useState } from 'preact/hooks';
import { addMonths } from '../../toolkit/core/plain-date.js';
import type { ActName, PageEvent, PageIssue, UploadView } from '../api.js';
import { Forward, useInspection } from './columns.js';
import { Issues, Working } from './parts.js';
import { go } from './place.js';
import type { ScreenProps } from './screen.js';
import { call, refusalOf } from './server.js';
import { language, t } from './words.js';

/** A choice or a column, and what people call it. */
interface Choice {
  readonly value: string;
  readonly title: { readonly es: string; readonly en: string };
}

interface ParamEvent extends PageEvent {
  readonly name: string;
  /** `month`, `date`, `table`, `choice`, `text` … */
  readonly type: string;
  readonly about: { readonly es: string; readonly en: string };
  /** Of what is needed: whether it only stands in for a column. */
  readonly standsIn?: boolean;
  readonly default?: unknown;
  readonly choices?: readonly Choice[];
  /** Of a table. */
  readonly columns?: readonly Choice[];
}

type Values = Readonly<Record<string, unknown>>;
type Records = readonly Readonly<Record<string, string>>[];

const prefilled = ({ name, type }: ParamEvent, { before, monthsLater }: UploadView): unknown => {
  const value = before[name] ?? '';
  const isDated = /^(month|date)/.test(type) && typeof value === 'string' && value !== '';
  return isDated ? addMonths(value, monthsLater) : value;
};

const isGiven = (value: unknown): boolean =>
  Array.isArray(value) ? value.length > 0 : value !== undefined && value !== '';

/** What the files do not say: the month, dates, the prefix. What has a value already is folded away. */
export function Data(props: ScreenProps) {
  const { upload, reload } = props;
  const { act, events, busy, issues } = useInspection(props);
  const of = (name: string) =>
    events.filter(({ event }) => event === name) as unknown as readonly ParamEvent[];
  const params = of('param');
  const settings = of('setting');
  const [values, setValues] = useState<Values>(upload.params);
  const summary = events.findLast(({ event }) => event === 'summary');
  const valueNow = (param: ParamEvent): unknown => values[param.name] ?? prefilled(param, upload);
  if (events.length === 0) return busy ? <Working act={act} /> : <Issues issues={issues} />;
  const known = new Set([...params, ...settings].map(({ name }) => name));
  const field = (param: ParamEvent, isNeeded: boolean) => (
    <Param
      key={param.name}
      param={param}
      isNeeded={isNeeded}
      value={isNeeded ? valueNow(param) : (values[param.name] ?? '')}
      change={(value) => setValues({ ...values, [param.name]: value })}
    />
  );
  return (
    <form
      onSubmit={async (event) => {
        event.preventDefault();
        const given = Object.fromEntries(
          [
            ...Object.entries(values).filter(([name]) => !known.has(name)),
            ...settings.map(({ name }) => [name, values[name]] as const),
            ...params.map((param) => [param.name, valueNow(param)] as const),
          ].filter(([, value]) => isGiven(value)),
        );
        await call('PUT', `/uploads/${upload.id}/params`, given);
        await call('POST', `/uploads/${upload.id}/acts/check`, {});
        await reload();
        go('upload', upload.id, 'review');
      }}
    >
      <h1>{t('dataTitle')}</h1>
      <Issues issues={issues} />
      {params.length === 0 && <p class="notice good">{t('noData')}</p>}
      <div class="form">{params.map((param) => field(param, true))}</div>
      {(summary?.['worklist'] === true || summary?.['reception'] === true) && (
        <fieldset class="card">
          <legend>{t('undecided')}</legend>
          {summary['worklist'] === true && <Instead {...props} act="events" text="askWorklist" />}
          {summary['reception'] === true && <Instead {...props} act="reception" text="askReception" />}
        </fieldset>
      )}
      {settings.length > 0 && (
        <details>
          <summary>{t('moreData', { count: settings.length })}</summary>
          <div class="form">{settings.map((param) => field(param, false))}</div>
        </details>
      )}
      <Forward upload={upload} step="review" back="columns" disabled={busy} submits />
    </form>
  );
}

interface InsteadProps extends ScreenProps {
  readonly act: ActName;
  readonly text: 'askWorklist' | 'askReception';
}

/** What may be done with the files before anything is registered. */
function Instead({ upload, reload, act, text }: InsteadProps) {
  const [refused, setRefused] = useState<readonly PageIssue[]>([]);
  return (
    <>
      <button
        type="button"
        onClick={async () => {
          try {
            await call('POST', `/uploads/${upload.id}/acts/${act}`, {});
            await reload();
            go('upload', upload.id, 'result');
          } catch (error) {
            setRefused(refusalOf(error));
          }
        }}
      >
        {t(text)}
      </button>
      <Issues issues={refused} />
    </>
  );
}

const KINDS: Readonly<Record<string, 'month' | 'date' | 'datetime-local'>> = {
  month: 'month',
  date: 'date',
  datetime: 'datetime-local',
};

/** A browser leaves out the seconds of a whole minute. */
const whole = (text: string): string => (/T\d\d:\d\d$/.test(text) ? `${text}:00` : text);

interface ParamProps {
  readonly param: ParamEvent;
  readonly isNeeded: boolean;
  readonly value: unknown;
  change(value: unknown): void;
}

function Param({ param, isNeeded, value, change }: ParamProps) {
  const { name, type, about, standsIn = false, columns } = param;
  const text = about[language] || t('noName', { name });
  const choices =
    type === 'boolean'
      ? [
          { value: 'true', title: t('yes') },
          { value: 'false', title: t('no') },
        ]
      : param.choices?.map(({ value, title }) => ({ value, title: title[language] }));
  const shown =
    typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean' ? String(value) : '';
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
      {choices === undefined ? (
        <input
          {...({ type: KINDS[type] ?? 'text' } as { type: 'date' })}
          {...common}
          value={shown}
          placeholder={given}
          autocomplete="off"
          step={type === 'datetime' ? 1 : undefined}
          onInput={({ currentTarget }) => change(whole(currentTarget.value))}
        />
      ) : (
        <select {...common} value={shown} onChange={({ currentTarget }) => change(currentTarget.value)}>
          <option value="">{given}</option>
          {choices.map((choice) => (
            <option key={choice.value} value={choice.value}>
              {choice.title}
            </option>
          ))}
        </select>
      )}
    </div>
  );
}

interface TableParamProps {
  readonly title: string;
  readonly columns: readonly Choice[];
  readonly records: Records;
  change(records: Records): void;
}

/** A parameter of several records, such as the professionals; pasted from a spreadsheet, or typed. */
function TableParam({ title, columns, records, change }: TableParamProps) {
  const rows = [...records, {}];
  const put = (at: number, column: string, text: string): void => {
    const next = rows.map((record, index) => (index === at ? { ...record, [column]: text } : record));
    change(next.filter((record) => Object.values(record).some((one) => one !== '')));
  };
  /** Cells of a spreadsheet come as lines of texts parted by tabs. */
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
