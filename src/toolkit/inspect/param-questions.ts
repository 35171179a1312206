import { type Checked, type Issue, issueOf, type Language } from '../core/issue.js';
import { getOrAdd, remember } from '../core/remember.js';
import { required } from '../core/required.js';
import type { LoadedMapping } from '../mapping/load.js';
import { type CompiledParam, readParam, titleOfParam, typeOf } from '../mapping/params.js';
import type { CompiledColumn } from '../mapping/record.js';
import { codesWith } from '../messages/wording.js';
import { catalogue, createLookup, requiredCatalogue } from '../schema/catalogue.js';
import { cellOf } from '../schema/catalogue-text.js';
import type { Fit } from './fit.js';
import type { LabelFit } from './labels.js';
import {
  type Answer,
  answersOf,
  LIKELY,
  type Question,
  readAnswer,
  suggestionsOf,
  tell,
  yesOrNo,
} from './question.js';
import type { Tried } from './trial.js';
import { listAnswers, SHORT_LIST } from './word-questions.js';

/** Value of a parameter that each run gives. */
export const EACH_RUN = 'each_run';

/** Parameters that say when, or are tables, differ from month to month. */
const LASTING: ReadonlySet<string> = new Set([
  'text',
  'integer',
  'decimal',
  'money',
  'boolean',
  'choice',
  'time',
]);

interface ListOfParam {
  readonly list: string;
  readonly column: string;
}

/** Returns the code lists of the leaves that parameters fill, by parameter. */
const listsOfParams = remember(({ targets }: LoadedMapping): ReadonlyMap<string, ListOfParam> => {
  const found = new Map<string, ListOfParam>();
  for (const { node, params } of targets.flatMap(({ fields }) => fields)) {
    const list = node['x-catalogue'];
    if (list === undefined) continue;
    for (const name of params)
      getOrAdd(found, name, () => ({ list, column: node['x-catalogue-column'] ?? 'id' }));
  }
  return found;
});

/** The code list that the leaf of a parameter is filled from, and the column that is written; a choice names its own values. */
export function listOfParam(name: string, mapping: LoadedMapping): ListOfParam | undefined {
  if (['choice', 'money'].includes(mapping.params.get(name)?.spec.type ?? '')) return undefined;
  const found = listsOfParams(mapping).get(name);
  return found && catalogue(found.list) && found;
}

/** Returns the entries of a parameter's code list as answers, the usual ones first. */
function answersOfList(
  { list }: ListOfParam,
  { usual = [] }: CompiledParam['spec'],
  { synonyms }: LoadedMapping,
): readonly Answer[] {
  const { answers } = listAnswers('', list, synonyms.values[list] ?? {});
  return [
    ...usual.flatMap((code) => answers.filter(({ value }) => value === code)),
    ...answers.filter(({ value }) => !usual.includes(value)),
  ];
}

/** Returns the answers to a parameter of a code list or a choice; undefined for others. */
export function answersOfParam(
  name: string,
  mapping: LoadedMapping,
  language: Language,
): readonly Answer[] | undefined {
  const found = listOfParam(name, mapping);
  const { spec } = required(mapping.params, name);
  if (found !== undefined) return answersOfList(found, spec, mapping);
  const { choices } = typeOf(spec);
  return choices?.map(({ value, title }) => ({ value, title: title[language], also: [title.es, title.en] }));
}

/** Returns the name of a parameter's value; undefined if it has none. */
export const nameOfValue = (
  name: string,
  value: unknown,
  mapping: LoadedMapping,
  language: Language,
): string | undefined =>
  mapping.params.get(name)?.spec.named?.[String(value)]?.[language] ??
  answersOfParam(name, mapping, language)?.find(
    (item) => String(paramValue(name, item.value, mapping)) === String(value),
  )?.title;

/** Entries shown of a long list if the mapping names no usual ones. */
const FIRST = 2;

/** A value for all documents, where no column gives it. */
export function paramQuestion(name: string, { mapping }: Fit, language: Language): Question | undefined {
  const param = required(mapping.params, name);
  const { spec } = param;
  if (!LASTING.has(spec.type)) return undefined;
  const found = listOfParam(name, mapping);
  const listed =
    answersOfParam(name, mapping, language) ?? (spec.type === 'boolean' ? yesOrNo(language) : undefined);
  const all = listed ?? (spec.usual ?? []).map((value): Answer => ({ value, title: value }));
  const each: Answer = { value: EACH_RUN, title: tell(language, 'eachRun'), typed: 'Enter' };
  const rows = found && requiredCatalogue(found.list).rows;
  const title = titleOfParam(param)[language];
  return {
    id: `param.${name}`,
    path: ['params', name, 'default'],
    title: tell(language, 'param', { title }),
    ...(spec.usual !== undefined && { batch: 'usual.params', aliases: [title.replace(/\s*[,;:(].*/, '')] }),
    samples: [],
    usual: EACH_RUN,
    ...answersOf(
      [...all.slice(0, all.length <= SHORT_LIST ? SHORT_LIST : (spec.usual?.length ?? FIRST)), each],
      all,
    ),
    ...(rows && {
      inMapping: (text: string) => rows.find((row) => row[found.column] === text)?.['code'] ?? text,
    }),
    ...(listed === undefined && {
      free: (text: string) => (readParam(spec, text) === undefined ? undefined : text),
    }),
  };
}

/** A value of a parameter that the title of a column names. */
export interface TitledParam {
  readonly label: LabelFit;
  readonly name: string;
  /** Code of its list. */
  readonly value: string;
}

/** Returns the parameters whose values titles begin with, such as the kind of document of `CC médico`, if no column has them. */
export const titledParams = (labels: readonly LabelFit[], { mapping, uses }: Fit): readonly TitledParam[] =>
  [...mapping.params.values()].flatMap(({ name, spec }) => {
    const label = labels.find(({ means }) => means !== undefined && means === spec.titled);
    const list = listOfParam(name, mapping)?.list;
    const isMeant = (column: CompiledColumn): boolean =>
      labels.some(({ table, means }) => table.columns.get(means ?? '') === column);
    const isSaid = uses.params.some(
      ({ param, instead }) => param === name && instead.some(({ feeders }) => feeders.some(isMeant)),
    );
    if (label?.label === undefined || list === undefined || isSaid) return [];
    const words = label.label.split(/\s+/);
    const lookup = createLookup(
      requiredCatalogue(list),
      ['code', 'name'],
      mapping.synonyms.values[list] ?? {},
    );
    for (let count = words.length; count > 0; count--) {
      const found = lookup.find(words.slice(0, count).join(' '));
      if (found.kind === 'found') return [{ label, name, value: cellOf(found.row, 'code') }];
    }
    return [];
  });

const ABOUT_WORDS: ReadonlySet<string> = new Set(codesWith('about-words'));

/** Counts errors but those of words, which only show in fields that the documents have. */
const errorsIn = ({ issues }: Tried): number =>
  [...issues].reduce(
    (all, [code, { level, count }]) => (level === 'error' && !ABOUT_WORDS.has(code) ? all + count : all),
    0,
  );

/** Least share of the records that have an error more with any other choice. */
const MIN_WORSE_RECORDS = 0.5;

/** Returns the question with the choices that leave the fewest errors first; the best is likely if most records are wrong with any other. */
export function withShown(
  question: Question,
  tried: ReadonlyMap<string, Tried>,
  language: Language,
): Question {
  const ranked = [...tried]
    .map(([value, trial]) => ({
      value,
      errors: errorsIn(trial),
      lacking: trial.lacking.size,
      records: trial.records.read,
    }))
    .sort((a, b) => a.errors - b.errors || a.lacking - b.lacking);
  const [best, next] = ranked;
  const order = ranked.map(({ value }) => value);
  const place = ({ value }: Answer): number => (order.includes(value) ? order.indexOf(value) : order.length);
  const isShown =
    best !== undefined && next !== undefined && next.errors - best.errors >= best.records * MIN_WORSE_RECORDS;
  const answers = question.answers
    .map((answer) => (isShown && answer.value === best.value ? { ...answer, score: LIKELY } : answer))
    .sort((a, b) => place(a) - place(b));
  const { usual, ...asked } = question;
  return {
    ...asked,
    ...(isShown ? { reason: tell(language, 'whyShown') } : { usual }),
    ...answersOf(answers.slice(0, question.likely), answers),
  };
}

/** An answer as the parameter takes it: a code becomes what the leaf holds. */
export function paramValue(name: string, value: string, mapping: LoadedMapping): string | number | boolean {
  const { spec } = required(mapping.params, name);
  const found = listOfParam(name, mapping);
  const row = found && requiredCatalogue(found.list).rows.find(({ code }) => code === value);
  const text = (found && row?.[found.column]) ?? value;
  if (spec.type === 'boolean') return text === 'true';
  return spec.type === 'integer' ? Number(text) : text;
}

/** Resolves values of code lists given by name or code: `Bogotá` or `11001` becomes the `149` of the leaf. */
export function inValues(
  said: Readonly<Record<string, unknown>>,
  mapping: LoadedMapping,
): Required<Checked<Readonly<Record<string, unknown>>>> {
  const issues: Issue[] = [];
  const value = Object.entries(said).map(([name, given]) => {
    const found = valueOfList(name, given, mapping);
    issues.push(...found.issues);
    return [name, found.value] as const;
  });
  return { value: Object.fromEntries(value), issues };
}

function valueOfList(name: string, said: unknown, mapping: LoadedMapping): Checked<unknown> {
  const found = listOfParam(name, mapping);
  if (found === undefined || (typeof said !== 'string' && typeof said !== 'number'))
    return { value: said, issues: [] };
  const text = String(said);
  const { list, column } = found;
  const { rows } = requiredCatalogue(list);
  const param = required(mapping.params, name);
  const { es: about_es, en: about_en } = titleOfParam(param);
  const about = { about_es, about_en, name };
  const taken = rows.find((row) => row[column] === text);
  const coded = rows.find((row) => row !== taken && row['code'] === text);
  if (taken !== undefined) {
    if (coded === undefined) return { value: said, issues: [] };
    const both = { ...about, taken: taken['name'] ?? '', other: coded['name'] ?? '' };
    return { value: said, issues: [{ ...issueOf('param/also-a-code', 'warning', both), value: text }] };
  }
  const reading = readAnswer({ answers: answersOfList(found, param.spec, mapping) }, text);
  if ('value' in reading) return { value: paramValue(name, reading.value, mapping), issues: [] };
  // A number that the list lacks is an error of each document, as in a cell.
  if (readParam(param.spec, said) !== undefined) return { value: said, issues: [] };
  const issue = issueOf('param/not-in-list', 'error', { ...about, list });
  return { issues: [{ ...issue, value: text, suggestions: suggestionsOf(reading.near) }] };
}
