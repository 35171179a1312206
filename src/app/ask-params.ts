import type { Param } from '../generated/mapping-types.js';
import { isObject, type JsonValue } from '../toolkit/core/json.js';
import {
  addDays,
  addMonths,
  dateInBogota,
  monthsBetween,
  type PlainDate,
} from '../toolkit/core/plain-date.js';
import { answersOfParam, nameOfValue, paramValue } from '../toolkit/inspect/param-questions.js';
import { type Answer, readAnswer, readReply, suggestionsOf } from '../toolkit/inspect/question.js';
import type { LoadedMapping } from '../toolkit/mapping/load.js';
import {
  type Choice,
  type CompiledParam,
  columnsOf,
  latestMonth,
  readTyped,
  titleOfParam,
} from '../toolkit/mapping/params.js';
import { formatMonth } from '../toolkit/messages/texts.js';
import { typeInWords } from '../toolkit/messages/wording.js';
import type { Ask, AskedValue, Context } from './context.js';
import { emitMessage } from './events.js';
import { type LastValues, monthsLater } from './last-params.js';

export type Values = Readonly<Record<string, unknown>>;

/** True if the parameter's value changes every month. */
export const isMonthly = ({ type, columns }: Pick<Param, 'type' | 'columns'>): boolean =>
  ['month', 'date', 'datetime'].includes(type) || (type === 'table' && columns === undefined);

/** Moves months, dates and lists of them by a number of months. */
export function movedOn(
  params: ReadonlyMap<string, Pick<CompiledParam, 'spec'>>,
  values: Values,
  months: number,
): Values {
  const move = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(move);
    if (isObject(value))
      return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, move(inner)]));
    if (typeof value !== 'string') return value;
    return value.replaceAll(/(?<!\d)\d{4}-(0[1-9]|1[0-2])(-\d\d)?(?!\d)/g, (date) => addMonths(date, months));
  };
  return Object.fromEntries(
    Object.entries(values).map(([name, value]) => [
      name,
      isMonthly(params.get(name)?.spec ?? { type: 'text' }) ? move(value) : value,
    ]),
  );
}

/** Suggested values of parameters without earlier ones, by today and the month being read. */
const OFFERS: Readonly<
  Record<
    NonNullable<Param['offer']>,
    (today: PlainDate, month: string | undefined, company: string | undefined) => string | undefined
  >
> = {
  today: (today) => today,
  last_month: (today) => addMonths(today, -1).slice(0, 7),
  month_start: (_, month) => month && `${month}-01T00:00:00`,
  month_end: (_, month) => month && `${addDays(`${addMonths(month, 1)}-01`, -1)}T23:59:59`,
  company: (_, __, company) => company,
};

/** Parses a record the user typed: its columns in order, separated by commas; undefined if their number differs. */
function recordOf(columns: readonly Choice[], line: string): Readonly<Record<string, string>> | undefined {
  const cells = line.split(/[,;\t]/).map((cell) => cell.trim());
  if (cells.length !== columns.length) return undefined;
  return Object.fromEntries(cells.map((cell, at) => [columns[at]?.value ?? '', cell]));
}

/** Parses dates separated by commas, `2026-09-15,2026-09-30`; undefined if any is not a date. */
function datesIn(text: string): string | undefined {
  const dates = text.split(/[,;]/).map((date) => readTyped({ type: 'date' }, date.trim()));
  return dates.length > 1 && dates.every((date) => date !== undefined) ? dates.join(',') : undefined;
}

/** Max prompts for a required value that is left blank; then the run reports what is missing. */
const MAX_BLANKS = 3;

/** Returns a month named without year (`octubre`) as the latest one and emits it; other texts are unchanged. */
export function withYear(context: Pick<Context, 'language' | 'now' | 'tell'>, text: string): string {
  const month = latestMonth(text, dateInBogota(context.now()));
  if (month !== undefined)
    emitMessage(context, 'monthTaken', { month: formatMonth(month, context.language) });
  return month ?? text;
}

type Emitter = Pick<Context, 'tell' | 'now' | 'language'>;

/** Creates a function that suggests a parameter's value: the last one, moved to this month, else one by date. */
function offers(
  context: Emitter,
  needed: readonly CompiledParam[],
  { params: last = {}, company, ...lastTime }: LastValues,
  month: () => unknown,
): (param: CompiledParam) => unknown {
  const today = dateInBogota(context.now());
  const byName = new Map(needed.map((param) => [param.name, param]));
  const textOf = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined);
  /** Returns the months since the last values. */
  const later = (): number => {
    const [before, now] = [textOf(last['month']), textOf(month())];
    return before === undefined || now === undefined
      ? monthsLater(lastTime, today)
      : monthsBetween(before, now);
  };
  return ({ name, spec: { offer } }) => {
    if (last[name] !== undefined && offer !== 'today')
      return movedOn(byName, { [name]: last[name] }, later())[name];
    return offer && OFFERS[offer](today, textOf(month()), company);
  };
}

/** Returns the values to offer for a mapping's parameters, by name: the last ones moved to this month, else by date. */
export function offeredValues(
  context: Emitter,
  { params }: LoadedMapping,
  given: Values,
  last: LastValues,
): Values {
  const all = [...params.values()];
  const month = params.get('month');
  const first =
    month && given['month'] === undefined
      ? offers(context, all, last, () => undefined)(month)
      : given['month'];
  const offer = offers(context, all, last, () => first);
  return Object.fromEntries(
    all.flatMap((param) => {
      const value = param === month ? first : offer(param);
      return value === undefined ? [] : [[param.name, value]];
    }),
  );
}

/** Parses one of a list of answers; undefined if it is none, after emitting similar ones. */
function listedValue(
  context: Emitter,
  param: CompiledParam,
  answers: readonly Answer[],
  mapping: LoadedMapping,
  text: string,
): JsonValue | undefined {
  const { name, spec } = param;
  // Numbers are shown for choices only.
  const reading = (spec.type === 'choice' ? readReply : readAnswer)({ answers }, text);
  if ('value' in reading) {
    const value = paramValue(name, reading.value, mapping);
    const title = titleOfParam(param)[context.language];
    emitMessage(context, 'taken', {
      title,
      value: nameOfValue(name, value, mapping, context.language) ?? '',
    });
    return value;
  }
  const list = suggestionsOf(reading.near)
    .map(({ value }) => value)
    .join(', ');
  const near = list === '' ? { key: 'noneNear' as const } : { key: 'someNear' as const, params: { list } };
  emitMessage(context, 'noneOfList', { value: text, near });
  return undefined;
}

/** Parses a value, or several dates for another parameter; undefined, with a message, if it is invalid. */
function typedValue(context: Emitter, { name, spec }: CompiledParam, text: string): Values | undefined {
  const several = spec.several === undefined ? undefined : datesIn(text);
  if (spec.several !== undefined && several !== undefined) return { [spec.several]: several };
  const value = readTyped(spec, spec.type === 'month' ? withYear(context, text) : text);
  if (value !== undefined) return { [name]: value };
  emitMessage(context, 'notUnderstood', { value: text, type: typeInWords(spec.type, context.language) });
  return undefined;
}

/**
 * Asks the user for required parameters in order, offering the last values moved to this month. Unanswered ones are
 * left out.
 */
export async function askParams(
  context: Emitter & Pick<Context, 'ask'>,
  needed: readonly CompiledParam[],
  given: Values,
  lastValues: LastValues,
  mapping: LoadedMapping,
): Promise<Values> {
  const ask = context.ask?.value;
  if (ask === undefined) return {};
  const entered: Record<string, unknown> = {};
  const offeredFor = offers(context, needed, lastValues, () => entered['month'] ?? given['month']);
  for (const param of needed) {
    const { several } = param.spec;
    if (several === undefined || entered[several] === undefined)
      Object.assign(entered, await askParam({ ...context, ask }, param, offeredFor(param), mapping));
  }
  return entered;
}

/** Asks for a parameter until it is valid or left blank too often; returns the values by name. */
async function askParam(
  context: Emitter & { readonly ask: NonNullable<Ask['value']> },
  param: CompiledParam,
  offered: unknown,
  mapping: LoadedMapping,
): Promise<Values> {
  const { name, spec } = param;
  const answers = answersOfParam(name, mapping, context.language);
  const columns = columnsOf(spec);
  const question: AskedValue = {
    name,
    title: titleOfParam(param),
    type: spec.type,
    ...(columns && { columns }),
    ...(answers && { answers }),
    ...(offered !== undefined && {
      known: nameOfValue(name, offered, mapping, context.language) ?? (offered as JsonValue),
    }),
  };
  const records: Readonly<Record<string, string>>[] = [];
  for (let blanks = 0; blanks < MAX_BLANKS; ) {
    const text = await context.ask(question);
    if (text === '') {
      if (records.length > 0) return { [name]: records };
      if (offered !== undefined) return { [name]: offered };
      blanks += 1;
      if (blanks < MAX_BLANKS) emitMessage(context, 'stillNeeded');
    } else if (columns !== undefined) {
      const record = recordOf(columns, text);
      const titles = columns.map(({ title }) => title[context.language]).join(', ');
      if (record !== undefined) records.push(record);
      else emitMessage(context, 'recordExpected', { columns: titles });
    } else if (answers !== undefined) {
      const value = listedValue(context, param, answers, mapping, text);
      if (value !== undefined) return { [name]: value };
    } else {
      const values = typedValue(context, param, text);
      if (values !== undefined) return values;
    }
  }
  return {};
}
