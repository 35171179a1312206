import { type Issue, type IssueCode, paramOf } from '../toolkit/core/issue.js';
import { MAX_HEADER_ROW } from '../toolkit/core/limits.js';
import { fold } from '../toolkit/core/text.js';
import type { GivenFormats } from '../toolkit/documents/decide.js';
import type { HeaderRows } from '../toolkit/documents/table-fit.js';
import { FORMAT_NAMES } from '../toolkit/mapping/read/cell.js';
import { mayBeName } from '../toolkit/mapping/read/null-words.js';
import { badOption } from './bad-option.js';
import { answerValues, namedValues, type ReadOptions } from './options.js';

/** Answers for ambiguous amounts, dates and hours: `--answer decimal=comma`. */
const FORMATS = {
  decimal: ['comma', 'dot'],
  date: ['dmy', 'mdy', 'ymd'],
  time: ['24h', 'afternoon'],
} as const;

/** Answer that a word meaning "no value" is a name here: `--answer Nan=name`. */
const NAME = 'name';

const EXPECTED = [
  ...Object.entries(FORMATS).map(([id, values]) => `${id}=${values.join('|')}`),
  `NULL=${NAME}`,
  'header.HOJA=FILA',
];

const isFormat = (id: string): id is keyof typeof FORMATS => Object.hasOwn(FORMATS, id);

const isReadingAnswer = (id: string, value: string): boolean =>
  isFormat(id) ? (FORMATS[id] as readonly string[]).includes(value) : value === NAME && mayBeName(id);

const HEADER = /^header\./i;

/**
 * Splits the answers of a call into header rows (`header.SHEET=ROW`) and others.
 * @throws PipelineError('usage', run/bad-option)
 */
export function splitAnswers(pairs: readonly string[] = []): {
  readonly headers: HeaderRows;
  readonly others: readonly string[];
} {
  const headers = [...answerValues(pairs.filter((pair) => HEADER.test(pair)))].map(
    ([id, value]): [string, number] => {
      if (!/^[1-9]\d*$/.test(value) || Number(value) > MAX_HEADER_ROW)
        badOption('--answer', `${id}=${value}`, `${id}=1 … ${id}=${MAX_HEADER_ROW}`);
      return [fold(id.replace(HEADER, '')), Number(value)];
    },
  );
  return { headers: new Map(headers), others: pairs.filter((pair) => !HEADER.test(pair)) };
}

/** Returns the formats that answers set for ambiguous cells. @throws PipelineError('usage', run/bad-option) */
export function givenFormats({ answer }: Pick<ReadOptions, 'answer'>): GivenFormats {
  const formats: Record<string, string> = {};
  const names: string[] = [];
  for (const [id, value] of Object.entries(namedValues('--answer', answer))) {
    if (!isReadingAnswer(id, value)) badOption('--answer', `${id}=${value}`, EXPECTED.join(', '));
    if (isFormat(id)) formats[id] = value;
    else names.push(fold(id));
  }
  return { ...formats, ...(names.length > 0 && { names }) } as GivenFormats;
}

type Answer = readonly [id: string, value: string];

const answersOf = (id: keyof typeof FORMATS, ...values: readonly string[]): readonly Answer[] =>
  values.map((value) => [id, value]);

const DECIMAL = answersOf('decimal', ...FORMATS.decimal);
const DAY_OR_MONTH = answersOf('date', 'dmy', 'mdy');

/** Answers by the issue they resolve. */
const ANSWERS: Partial<Record<IssueCode, readonly Answer[]>> = {
  'cell/number-ambiguous': DECIMAL,
  'cell/date-ambiguous': DAY_OR_MONTH,
  'cell/hour-ambiguous': answersOf('time', ...FORMATS.time),
  'format/year-last': answersOf('date', 'dmy', 'ymd'),
};

/** Returns the answers that resolve how an issue's cell is read; empty if none does. */
export function readingAnswersTo(issue: Issue): readonly Answer[] {
  const { code, value } = issue;
  if (code === 'cell/null-word-or-name') return value === undefined ? [] : [[value.trim(), NAME]];
  if (code !== 'format/read-as-most') return ANSWERS[code] ?? [];
  const style = paramOf(issue, 'style');
  return style === FORMAT_NAMES.comma || style === FORMAT_NAMES.dot ? DECIMAL : DAY_OR_MONTH;
}
