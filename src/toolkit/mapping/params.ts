import type { Text } from '../../generated/issue-codes.js';
import type { Param } from '../../generated/mapping-types.js';
import { canonicalText } from '../core/canonical.js';
import { toPlain } from '../core/decimal.js';
import { isDecimal } from '../core/decimal-text.js';
import { type Checked, type Issue, issueOf, type Language } from '../core/issue.js';
import { isObject } from '../core/json.js';
import { addMonths, dateInBogota, isPlainDateTime, type PlainDate } from '../core/plain-date.js';
import { fold, suggest } from '../core/text.js';
import { compileFormula, type Formula } from '../formula/compile.js';
import type { FormulaType, FormulaValue } from '../formula/functions.js';
import { FormulaFault } from '../formula/parser.js';
import { wholeCatalogue } from '../schema/catalogue.js';
import { catalogueFunctions } from '../schema/catalogue-functions.js';
import { isDated, ruleAt } from '../schema/dated-rows.js';
import { paramFault, type RoleFault } from '../schema/roles.js';
import { createCellReader, READ_KINDS } from './read/cell.js';
import { monthNumber, readDateText, readMonthText } from './read/dates.js';
import { isNullWord } from './read/null-words.js';
import type { Lint } from './yaml-source.js';

/** Parameters of a run by name, in the canonical form of their type; undefined when an optional one was not given. */
export type ParamValues = Readonly<Record<string, FormulaValue>>;

export interface CompiledParam {
  readonly name: string;
  readonly spec: Param;
  readonly type: FormulaType;
  readonly formula?: Formula<ParamValues>;
}

const typeOfParam = (type: Param['type']): FormulaType =>
  type === 'table' || type === 'answers' ? 'text' : READ_KINDS[type].type;

const readBoolean = createCellReader('boolean');

/** The latest month of a name alone, `octubre`, that has begun by a day; undefined for every other text. */
export function latestMonth(text: string, today: PlainDate): string | undefined {
  const number = monthNumber(fold(text).replace(/\.$/, ''));
  if (number === undefined) return undefined;
  const month = `${today.slice(0, 4)}-${String(number).padStart(2, '0')}`;
  return month <= today.slice(0, 7) ? month : addMonths(month, -12);
}

/** A date that can be read one way only; `dayFirst` settles what can be read in two. */
function readDate(text: string, dayFirst = false): string | undefined {
  const reading = readDateText(text);
  if (reading.kind === 'date') return reading.date;
  return dayFirst && reading.kind === 'ambiguous' ? reading.dmy : undefined;
}

/** A choice or a column as it is typed, and what people call it. */
export interface Choice {
  readonly value: string;
  readonly title: Text;
}

const withTitles = (named: Param['choices'] = []): readonly Choice[] =>
  Array.isArray(named)
    ? named.map((value) => ({ value, title: { es: value, en: value } }))
    : Object.entries(named).map(([value, title]) => ({ value, title }));

/** Returns the choices of a parameter; empty unless its type is `choice`. */
export const choicesOf = ({ choices }: Param): readonly Choice[] => withTitles(choices);

/** Returns the columns that each record of a `table` parameter must have; undefined if they are open. */
export const columnsOf = ({ columns }: Param): readonly Choice[] | undefined =>
  columns && withTitles(columns);

export interface ParamType {
  readonly type: Param['type'];
  readonly choices?: readonly Choice[];
  /** Known columns of type `table`. */
  readonly columns?: readonly Choice[];
}

/** Returns the type of a parameter with its choices and columns, to ask for it or show it. */
export function typeOf(spec: Param): ParamType {
  const choices = choicesOf(spec);
  const columns = columnsOf(spec);
  return { type: spec.type, ...(choices.length > 0 && { choices }), ...(columns && { columns }) };
}

/** A choice by its value, else by its words. */
function readChoice(spec: Param, text: string): string | undefined {
  const all = choicesOf(spec);
  const isSaid = ({ title }: Choice): boolean =>
    [title.es, title.en].some((known) => fold(known) === fold(text));
  return (all.find(({ value }) => value === text) ?? all.find(isSaid))?.value;
}

/** The canonical value of what a person or a JSON file gave, or undefined when it does not fit the type. */
export function readParam(spec: Param, given: unknown): FormulaValue {
  if (typeof given !== 'string' && typeof given !== 'number' && typeof given !== 'boolean') return undefined;
  const text = canonicalText(String(given));
  switch (spec.type) {
    case 'text':
      return isNullWord(text, 'every') ? undefined : text;
    case 'integer':
      return /^-?\d+$/.test(text) ? text : undefined;
    case 'decimal':
    case 'money':
      return isDecimal(text) ? toPlain(text) : undefined;
    case 'date':
      return readDate(text);
    case 'datetime':
      return isPlainDateTime(text) ? text : undefined;
    case 'time':
      return /^([01]\d|2[0-3]):[0-5]\d(:[0-5]\d)?$/.test(text) ? text : undefined;
    case 'month':
      return readMonthText(text);
    case 'boolean': {
      const value = readBoolean(text, 'text');
      return typeof value === 'boolean' ? value : undefined;
    }
    case 'choice':
      return readChoice(spec, text);
    case 'table':
    case 'answers':
      return undefined;
  }
}

/** `31/10/2026 8:00` as `2026-10-31T08:00:00`; a day alone begins at midnight. */
function readMoment(text: string): FormulaValue {
  const [, day = '', hour, minute = '', second = '00'] =
    /^(.*?)(?:(?<![T ,])[T ,]+(\d{1,2}):(\d\d)(?::(\d\d))?)?$/.exec(text.trim()) ?? [];
  const date = readDate(day, true);
  const moment = `${date}T${hour === undefined ? '00:00' : `${hour.padStart(2, '0')}:${minute}`}:${second}`;
  return [text, moment].find(isPlainDateTime);
}

/** Reads the text that a person typed; dates are day first, a list is kept as text. */
export function readTyped(spec: Param, text: string): FormulaValue {
  if (spec.type === 'date') return readDate(text, true);
  if (spec.type === 'datetime') return readMoment(text);
  return spec.type === 'table' ? text : readParam(spec, text);
}

export const hasDefault = (spec: Param): boolean =>
  spec.default !== undefined || spec.default_by_day !== undefined;

/** Returns the default of a parameter on a day, or undefined if it has none but a formula, or its table has no row for the day. */
export function defaultOn(
  { default: fixed, default_by_day: table }: Param,
  day: PlainDate = dateInBogota(new Date()),
): Param['default'] {
  if (fixed !== undefined || table === undefined) return fixed;
  const found = ruleAt(table, day);
  return found.kind === 'row' ? found.row['code'] : undefined;
}

type DescribedParam = Pick<CompiledParam, 'name' | 'spec'>;

/** Returns the description of a parameter without its full stop, or its name. */
export function aboutParam({ name, spec: { about } }: DescribedParam): Text {
  const withoutStop = (text = ''): string => text.replace(/\.$/, '') || name;
  return { es: withoutStop(about?.es), en: withoutStop(about?.en) };
}

/** Returns the title of a parameter: the first sentence of its description. */
export function titleOfParam(param: DescribedParam): Text {
  const { es, en } = aboutParam(param);
  const sentence = (text: string): string => text.replace(/\. .*/s, '');
  return { es: sentence(es), en: sentence(en) };
}

export const titlesOf = (params: ReadonlyMap<string, DescribedParam>): Readonly<Record<string, Text>> =>
  Object.fromEntries(
    [...params].flatMap(([name, param]) =>
      param.spec.about === undefined ? [] : [[name, titleOfParam(param)]],
    ),
  );

/** An issue that stands at a parameter, at what people call it. */
export function atTitle(issue: Issue, titles: Readonly<Record<string, Text>>): Issue {
  const { param } = issue.place;
  const title = param === undefined ? undefined : titles[param];
  return title === undefined ? issue : { ...issue, place: { ...issue.place, title } };
}

const choicesOrColumns = (spec: Param): readonly Choice[] => columnsOf(spec) ?? choicesOf(spec);

/** Choices or columns as they are typed, with their words where these are others: `sp (todo a solidaridad), split (la mitad a subsistencia)`. */
export const choicesInWords = (choices: readonly Choice[], language: Language): string =>
  choices
    .map(({ value, title }) => (title[language] === value ? value : `${value} (${title[language]})`))
    .join(', ');

/** Returns the params of issues about a parameter. */
function paramDetails(param: CompiledParam, named = choicesOrColumns(param.spec)) {
  const { es, en } = titleOfParam(param);
  const [named_es, named_en] = [choicesInWords(named, 'es'), choicesInWords(named, 'en')];
  return { name: param.name, type: param.spec.type, about_es: es, about_en: en, named_es, named_en };
}

export const wrongParam = (param: CompiledParam, value: string): Issue => ({
  ...issueOf('param/wrong', 'error', paramDetails(param)),
  value,
});

/** A parameter that is named after a field and is not what the field's role demands. */
function roleIssue(param: CompiledParam, { code, rule, right }: RoleFault, value: string): Issue {
  const place = { param: param.name, title: titleOfParam(param) };
  return {
    ...issueOf(code, 'error', { rule }, place),
    value,
    ...(right !== undefined && { suggestions: [{ value: right, score: 1 }] }),
  };
}

/** Params in order; a default formula sees the ones before it. */
export function compileParams(
  specs: Readonly<Record<string, Param>>,
  lint: Lint,
): ReadonlyMap<string, CompiledParam> {
  const compiled = new Map<string, CompiledParam>();
  for (const [name, spec] of Object.entries(specs)) {
    const path = ['params', name];
    if (spec.type === 'choice' && spec.choices === undefined)
      lint.report(path, 'mapping/no-choices', { params: { column: name }, key: true });
    if (spec.default !== undefined && readParam(spec, spec.default) === undefined)
      lint.report([...path, 'default'], 'mapping/param-type', {
        params: { param: name, type: spec.type },
        value: String(spec.default),
      });
    const byDay = spec.default_by_day;
    if (byDay !== undefined && !isDated(wholeCatalogue(byDay)))
      lint.report([...path, 'default_by_day'], 'mapping/unknown-catalogue', { value: byDay });
    let formula: Formula<ParamValues> | undefined;
    if (spec.formula !== undefined) {
      try {
        const names = (): readonly string[] => [...compiled.keys()];
        const resolve = (wanted: string) => {
          const type = compiled.get(wanted.replace(/^param\./, ''))?.type;
          return type === undefined
            ? undefined
            : { type, read: (values: ParamValues) => values[wanted.replace(/^param\./, '')] };
        };
        formula = compileFormula(
          spec.formula,
          { resolve, names, functions: catalogueFunctions() },
          typeOfParam(spec.type),
        );
      } catch (fault) {
        if (!(fault instanceof FormulaFault)) throw fault;
        lint.formula([...path, 'formula'], fault);
      }
    }
    compiled.set(name, { name, spec, type: typeOfParam(spec.type), ...(formula && { formula }) });
  }
  return compiled;
}

export interface ResolvedParams {
  readonly values: ParamValues;
  /** Defaults used for parameters that the run did not give; the report lists them. */
  readonly defaults: ParamValues;
  /** Records of parameters of type `table`. */
  readonly tables: Readonly<Record<string, readonly Readonly<Record<string, unknown>>[]>>;
}

export const NO_PARAMS: ResolvedParams = { values: {}, defaults: {}, tables: {} };

/** Name of the group of constants that no file supplies: parameters like others, listed among the defaults. */
const DEFAULTS = 'defaults';

/** The records of a table: a list, as one text too, or a map whose keys are the column `key`. A plain value is the column `value`. */
function recordsIn(given: unknown): ResolvedParams['tables'][string] | undefined {
  const fields = (record: unknown): Readonly<Record<string, unknown>> =>
    isObject(record) ? record : { value: record };
  if (typeof given === 'string' && given.trim() !== '')
    return given.split(/[,;]/).map((item) => fields(item.trim()));
  if (Array.isArray(given)) return given.map(fields);
  return isObject(given)
    ? Object.entries(given).map(([key, record]) => ({ key, ...fields(record) }))
    : undefined;
}

/** Returns the required columns that records of a table lack. */
const lackingIn = (
  param: CompiledParam,
  columns: readonly Choice[],
  records: ResolvedParams['tables'][string],
): Issue[] =>
  records.flatMap((record, index) => {
    const lacking = columns.filter(({ value }) => (record[value] ?? '') === '');
    if (lacking.length === 0) return [];
    return [issueOf('param/record-lacks', 'error', { ...paramDetails(param, lacking), record: index + 1 })];
  });

/** Returns the name of the parameter value that holds the answer for a code. */
export const answerName = (param: string, list: string, code: string): string => `${param}.${list}.${code}`;

/** A map stands for the params that its members are called by: `person: {name}` for `person_name`. */
function spread(
  params: ReadonlyMap<string, CompiledParam>,
  given: Readonly<Record<string, unknown>>,
): Readonly<Record<string, unknown>> {
  const flat = Object.entries(given).flatMap(([name, value]): [string, unknown][] => {
    if (params.has(name) || !isObject(value)) return [[name, value]];
    const members = Object.entries(value).map(([key, member]): [string, unknown] => [
      `${name}_${key}`,
      member,
    ]);
    return members.some(([key]) => params.has(key)) ? members : [[name, value]];
  });
  return Object.fromEntries(flat);
}

/**
 * Types and completes what was given. Unknown names, wrong values and missing ones are issues, all of them at once.
 * Defaults that change with the law are those of `today`.
 */
export function resolveParams(
  params: ReadonlyMap<string, CompiledParam>,
  sources: Readonly<Record<string, unknown>>,
  today?: PlainDate,
): Required<Checked<ResolvedParams>> {
  const { [DEFAULTS]: constants, ...direct } = sources;
  const grouped = isObject(constants) && !params.has(DEFAULTS) ? constants : undefined;
  const given = spread(params, grouped === undefined ? sources : { ...grouped, ...direct });
  const issues: Issue[] = [];
  const values: Record<string, FormulaValue> = {};
  const defaults: Record<string, FormulaValue> = {};
  const tables: Record<string, readonly Readonly<Record<string, unknown>>[]> = {};
  for (const name of Object.keys(given)) {
    if (params.has(name)) continue;
    issues.push({
      code: 'param/unknown',
      level: 'error',
      params: { name },
      place: {},
      value: name,
      suggestions: suggest(name, params.keys(), 1),
    });
  }
  for (const param of params.values()) {
    const { name, spec, formula } = param;
    const raw = given[name];
    const records = spec.type === 'table' ? recordsIn(raw) : undefined;
    if (records !== undefined) {
      tables[name] = records;
      issues.push(...lackingIn(param, columnsOf(spec) ?? [], records));
      continue;
    }
    if (spec.type === 'answers' && isObject(raw)) {
      for (const [list, answers] of Object.entries(raw))
        for (const [code, answer] of Object.entries(isObject(answers) ? answers : {}))
          values[answerName(name, list, code)] = String(answer);
      continue;
    }
    if (raw !== undefined && raw !== null) {
      values[name] = readParam(spec, raw);
      if (grouped !== undefined && direct[name] === undefined) defaults[name] = values[name];
      const fault = paramFault(name, values[name]);
      if (fault !== undefined) issues.push(roleIssue(param, fault, String(values[name])));
      if (values[name] === undefined)
        issues.push(wrongParam(param, typeof raw === 'object' ? JSON.stringify(raw) : String(raw)));
      continue;
    }
    const preset = defaultOn(spec, today);
    const value = preset !== undefined ? readParam(spec, preset) : formula && attempt(formula, values);
    if (value !== undefined) {
      values[name] = value;
      defaults[name] = value;
    } else if (!spec.optional && formula === undefined) {
      issues.push(issueOf('param/missing', 'error', paramDetails(param)));
    }
  }
  return { value: { values, defaults, tables }, issues };
}

function attempt(formula: Formula<ParamValues>, values: ParamValues): FormulaValue {
  try {
    return formula.run(values);
  } catch {
    return undefined; // what it needs was not given, which is reported under that name
  }
}
