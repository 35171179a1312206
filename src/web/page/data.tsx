import { useState } from 'preact/hooks';
import type { PageEvent } from '../api.js';
import { Forward, useInspection } from './columns.js';
import { Issues, Working } from './parts.js';
import { go } from './place.js';
import type { ScreenProps } from './screen.js';
import { call } from './server.js';
import { language, t } from './words.js';

interface ParamEvent extends PageEvent {
  readonly name: string;
  /** `month`, `date`, `text`, or its choices: `a | b`. */
  readonly type: string;
  readonly about: { readonly es: string; readonly en: string };
  readonly standsIn: boolean;
}

const keyOf = (profile: string | null): string => `params ${profile ?? ''}`;

/** What was given last month, a month later. */
function lastTime(profile: string | null): Readonly<Record<string, string>> {
  try {
    return JSON.parse(localStorage.getItem(keyOf(profile)) ?? '{}') as Record<string, string>;
  } catch {
    return {};
  }
}

const later = (text: string): string => {
  const [, year, month, rest = ''] = /^(\d{4})-(\d\d)(.*)$/.exec(text) ?? [];
  if (year === undefined || month === undefined) return text;
  const next = new Date(Date.UTC(Number(year), Number(month), 1)).toISOString().slice(0, 7);
  const day = Number(rest.slice(1, 3));
  const last = new Date(Date.UTC(Number(next.slice(0, 4)), Number(next.slice(5, 7)), 0)).getUTCDate();
  return day > last ? `${next}-${last}${rest.slice(3)}` : next + rest;
};

/** What the files do not say: the month, dates, the prefix. */
export function Data(props: ScreenProps) {
  const { upload, reload } = props;
  const { act, events, busy, issues } = useInspection(props);
  const params = events.filter(({ event }) => event === 'param') as unknown as readonly ParamEvent[];
  const before = lastTime(upload.profile);
  const [values, setValues] = useState<Readonly<Record<string, string>>>(upload.params);
  const givenFor = ({ name, type }: ParamEvent): string =>
    values[name] ?? (/^(month|date)/.test(type) ? later(before[name] ?? '') : (before[name] ?? ''));
  if (events.length === 0) return busy ? <Working act={act} /> : <Issues issues={issues} />;
  const names = new Set(params.map(({ name }) => name));
  const beside = Object.keys(values).filter((name) => !names.has(name));
  return (
    <form
      onSubmit={async (event) => {
        event.preventDefault();
        const given = Object.fromEntries(
          [
            ...beside.map((name) => [name, values[name] ?? '']),
            ...params.map((param) => [param.name, givenFor(param)]),
          ].filter(([, value]) => value !== ''),
        );
        localStorage.setItem(keyOf(upload.profile), JSON.stringify(given));
        await call('PUT', `/uploads/${upload.id}/params`, given);
        await reload();
        go('upload', upload.id, 'review');
      }}
    >
      <h1>{t('dataTitle')}</h1>
      <Issues issues={issues} />
      {params.length === 0 && <p class="notice good">{t('noData')}</p>}
      <div class="form">
        {params.map((param) => (
          <Param
            key={param.name}
            param={param}
            value={givenFor(param)}
            change={(value) => setValues({ ...values, [param.name]: value })}
          />
        ))}
      </div>
      <Forward upload={upload} step="review" back="columns" disabled={false} submits />
    </form>
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
  readonly value: string;
  change(value: string): void;
}

function Param({ param: { name, type, about, standsIn }, value, change }: ParamProps) {
  const choices = type.includes(' | ') ? type.split(' | ') : undefined;
  const text = about[language] || t('noName', { name });
  return (
    <div class="field">
      <label for={name}>{text}</label>
      {choices === undefined ? (
        <input
          {...({ type: KINDS[type] ?? 'text' } as { type: 'date' })}
          id={name}
          name={name}
          value={value}
          required={!standsIn}
          autocomplete="off"
          step={type === 'datetime' ? 1 : undefined}
          onInput={({ currentTarget }) => change(whole(currentTarget.value))}
        />
      ) : (
        <select
          id={name}
          name={name}
          value={value}
          required={!standsIn}
          onChange={({ currentTarget }) => change(currentTarget.value)}
        >
          <option value="" />
          {choices.map((choice) => (
            <option key={choice} value={choice}>
              {choice}
            </option>
          ))}
        </select>
      )}
    </div>
  );
}
