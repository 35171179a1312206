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

/** Whether it is another one every month. */
export const isMonthly = ({ type, columns }: Pick<Param, 'type' | 'columns'>): boolean =>
  ['month', 'date', 'datetime'].includes(type) || (type === 'table' && columns === undefined);

/** Values of an earlier month, so many months later: months, dates, and lists of them. */
export function movedOn(
  params: ReadonlyMap<string, Pick<CompiledParam, 'spec'>>,
  values: Values,
  months: number,
): Values {
  const move = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(move);
    if (isObject(value))
      return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, move(one)]));
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

/** What is offered where nothing was said before, by today and the month that is read. */
const OFFERS: Readonly<
  Record<NonNullable<Param['offer']>, (today: PlainDate, month: string | undefined) => string | undefined>
> = {
  today: (today) => today,
  last_month: (today) => addMonths(today, -1).slice(0, 7),
  month_start: (_, month) => month && `${month}-01T00:00:00`,
  month_end: (_, month) => month && `${addDays(`${addMonths(month, 1)}-01`, -1)}T23:59:59`,
};

/** A record as a person types it: its columns in order, parted by commas. */
function recordOf(columns: readonly Choice[], line: string): Readonly<Record<string, string>> | undefined {
  const cells = line.split(/[,;\t]/).map((cell) => cell.trim());
  if (cells.length !== columns.length) return undefined;
  return Object.fromEntries(columns.map(({ value }, at) => [value, cells[at]!]));
}

/** Several dates, parted by commas, as a list is given: `2026-09-15,2026-09-30`; undefined where they are not. */
function datesIn(text: string): string | undefined {
  const dates = text.split(/[,;]/).map((one) => readTyped({ type: 'date' }, one.trim()));
  return dates.length > 1 && dates.every((date) => date !== undefined) ? dates.join(',') : undefined;
}

/** So often is asked for what is needed and left blank; whoever reads is told what is missing then. */
const MOST_BLANKS = 3;

/** A month named without its year is the latest one, and that is said: `octubre`; any other text stays. */
export function withYear(context: Pick<Context, 'language' | 'now' | 'tell'>, text: string): string {
  const month = latestMonth(text, dateInBogota(context.now()));
  if (month !== undefined)
    emitMessage(context, 'monthTaken', { month: formatMonth(month, context.language) });
  return month ?? text;
}

type Speaking = Pick<Context, 'tell' | 'now' | 'language'>;

/** Returns a function that gives what is offered for a parameter: its value of the last time as of this month, else what its day suggests. */
function offers(
  context: Speaking,
  needed: readonly CompiledParam[],
  { params: last = {}, ...lastTime }: LastValues,
  month: () => unknown,
): (param: CompiledParam) => unknown {
  const today = dateInBogota(context.now());
  const byName = new Map(needed.map((param) => [param.name, param]));
  const textOf = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined);
  /** How many months after the last time this is. */
  const later = (): number => {
    const [before, now] = [textOf(last['month']), textOf(month())];
    return before === undefined || now === undefined
      ? monthsLater(lastTime, today)
      : monthsBetween(before, now);
  };
  return ({ name, spec: { offer } }) => {
    if (last[name] !== undefined && offer !== 'today')
      return movedOn(byName, { [name]: last[name] }, later())[name];
    return offer && OFFERS[offer](today, textOf(month()));
  };
}

/** Reads one of a list of answers, or says which ones are near; undefined where it is none. */
function listedValue(
  context: Speaking,
  param: CompiledParam,
  answers: readonly Answer[],
  mapping: LoadedMapping,
  text: string,
): JsonValue | undefined {
  const { name, spec } = param;
  // Only choices are shown with their numbers.
  const reading = (spec.type === 'choice' ? readReply : readAnswer)({ answers }, text);
  if ('value' in reading) {
    const value = paramValue(name, reading.value, mapping);
    const title = titleOfParam(param)[context.language];
    emitMessage(context, 'taken', { title, value: nameOfValue(name, value, mapping, context.language)! });
    return value;
  }
  const list = suggestionsOf(reading.near)
    .map(({ value }) => value)
    .join(', ');
  const near = list === '' ? { key: 'noneNear' as const } : { key: 'someNear' as const, params: { list } };
  emitMessage(context, 'noneOfList', { value: text, near });
  return undefined;
}

/** Reads a typed value, or several dates, which are the value of another parameter; undefined, and said, where it is none. */
function typedValue(context: Speaking, { name, spec }: CompiledParam, text: string): Values | undefined {
  const several = spec.several === undefined ? undefined : datesIn(text);
  if (several !== undefined) return { [spec.several!]: several };
  const value = readTyped(spec, spec.type === 'month' ? withYear(context, text) : text);
  if (value !== undefined) return { [name]: value };
  emitMessage(context, 'notUnderstood', { value: text, type: typeInWords(spec.type, context.language) });
  return undefined;
}

/**
 * Asks whoever is there for what a run needs and the call does not say, in order; what was said the last time is offered
 * as of its month or the one after. What stays open is left out.
 */
export async function askParams(
  context: Speaking & Pick<Context, 'ask'>,
  needed: readonly CompiledParam[],
  given: Values,
  lastSaid: LastValues,
  mapping: LoadedMapping,
): Promise<Values> {
  const ask = context.ask?.value;
  if (ask === undefined) return {};
  const said: Record<string, unknown> = {};
  const offeredFor = offers(context, needed, lastSaid, () => said['month'] ?? given['month']);
  for (const param of needed) {
    const { several } = param.spec;
    if (several === undefined || said[several] === undefined)
      Object.assign(said, await askParam({ ...context, ask }, param, offeredFor(param), mapping));
  }
  return said;
}

/** Asks for one parameter until it is understood, or left blank too often; returns what was said, by name. */
async function askParam(
  context: Speaking & { readonly ask: NonNullable<Ask['value']> },
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
  for (let blanks = 0; blanks < MOST_BLANKS; ) {
    const text = await context.ask(question);
    if (text === '') {
      if (records.length > 0) return { [name]: records };
      if (offered !== undefined) return { [name]: offered };
      blanks += 1;
      if (blanks < MOST_BLANKS) emitMessage(context, 'stillNeeded');
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
