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
import { readAnswer, readReply, suggestionsOf } from '../toolkit/inspect/question.js';
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
import type { AskedValue, Context } from './context.js';
import { say } from './events.js';
import { monthsLater, type Said } from './last-params.js';

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
  if (month !== undefined) say(context, 'monthTaken', { month: formatMonth(month, context.language) });
  return month ?? text;
}

/**
 * Asks whoever is there for what a run needs and the call does not say, in order; what was said the last time is offered
 * as of its month or the one after. What stays open is left out.
 */
export async function askParams(
  context: Pick<Context, 'ask' | 'tell' | 'now' | 'language'>,
  needed: readonly CompiledParam[],
  given: Values,
  { params: last = {}, ...lastTime }: Said,
  mapping: LoadedMapping,
): Promise<Values> {
  const ask = context.ask?.value;
  if (ask === undefined) return {};
  const said: Record<string, unknown> = {};
  const today = dateInBogota(context.now());
  const byName = new Map(needed.map((param) => [param.name, param]));

  const textOf = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined);
  const month = (): string | undefined => textOf(said['month'] ?? given['month']);
  /** How many months after the last time this is. */
  const later = (): number => {
    const [before, now] = [textOf(last['month']), month()];
    return before === undefined || now === undefined
      ? monthsLater(lastTime, today)
      : monthsBetween(before, now);
  };
  const known = ({ name, spec: { offer } }: CompiledParam): unknown => {
    if (last[name] !== undefined && offer !== 'today')
      return movedOn(byName, { [name]: last[name] }, later())[name];
    return offer && OFFERS[offer](today, month());
  };

  for (const param of needed) {
    const { name, spec } = param;
    if (spec.several !== undefined && said[spec.several] !== undefined) continue;
    const answers = answersOfParam(name, mapping, context.language);
    const columns = columnsOf(spec);
    const offered = known(param);
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
      const text = await ask(question);
      if (text === '') {
        if (records.length > 0) said[name] = records;
        else if (offered !== undefined) said[name] = offered;
        else {
          blanks += 1;
          if (blanks < MOST_BLANKS) say(context, 'stillNeeded');
          continue;
        }
        break;
      }
      if (columns !== undefined) {
        const record = recordOf(columns, text);
        if (record !== undefined) records.push(record);
        else
          say(context, 'recordExpected', {
            columns: columns.map(({ title }) => title[context.language]).join(', '),
          });
        continue;
      }
      if (answers !== undefined) {
        // Only choices are shown with their numbers.
        const reading = (spec.type === 'choice' ? readReply : readAnswer)({ answers }, text);
        if ('value' in reading) {
          said[name] = paramValue(name, reading.value, mapping);
          const title = question.title[context.language];
          say(context, 'taken', { title, value: nameOfValue(name, said[name], mapping, context.language)! });
          break;
        }
        const list = suggestionsOf(reading.near)
          .map(({ value }) => value)
          .join(', ');
        const near =
          list === '' ? { key: 'noneNear' as const } : { key: 'someNear' as const, params: { list } };
        say(context, 'noneOfList', { value: text, near });
        continue;
      }
      const several = spec.several === undefined ? undefined : datesIn(text);
      if (several !== undefined) {
        said[spec.several!] = several;
        break;
      }
      const value = readTyped(spec, spec.type === 'month' ? withYear(context, text) : text);
      if (value === undefined) {
        say(context, 'notUnderstood', { value: text, type: typeInWords(question.type, context.language) });
        continue;
      }
      said[name] = value;
      break;
    }
  }
  return said;
}
