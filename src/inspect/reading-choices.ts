import { formatPlace, type Language } from '../issues/issue.js';
import { readDateText } from '../mapping/read/date-text.js';
import { readNumberText } from '../mapping/read/number-text.js';
import { cellPlace } from '../source/table.js';
import { fold } from '../values/fold.js';
import type { Choice } from './choice.js';
import type { Fit } from './fit.js';
import { cellOf, labelName } from './label-choices.js';
import { IGNORE, type LabelFit } from './labels.js';
import type { FormatFound, Trial } from './trial.js';
import { tell } from './wording.js';

const READ: Readonly<Record<string, (text: string) => Readonly<Record<string, unknown>>>> = {
  decimal: (text) => readNumberText(text) as unknown as Record<string, unknown>,
  date: (text) => readDateText(text) as unknown as Record<string, unknown>,
};
const STYLES = { decimal: ['comma', 'dot'], date: ['dmy', 'mdy'] } as const;

/** How amounts and dates are written, where no cell shows it. Of the table, when none of its columns does. */
export function formatChoices(trial: Trial, language: Language): readonly Choice[] {
  const choices: Choice[] = [];
  const kindOf = ({ column }: FormatFound): 'decimal' | 'date' =>
    column.type === 'decimal' ? 'decimal' : 'date';
  const open = trial.formats.filter(
    ({ verdict }) => verdict.by === 'undecided' && verdict.ambiguous !== undefined,
  );
  const tables = new Set(open.map(({ table }) => table));
  for (const found of open) {
    const kind = kindOf(found);
    const siblings = trial.formats.filter((one) => one.table === found.table && kindOf(one) === kind);
    const whole = siblings.every(({ verdict }) => verdict.style === undefined || verdict.by === 'declared');
    const path = whole
      ? ['tables', found.table, 'formats', kind]
      : ['tables', found.table, 'columns', found.column.id, 'formats', kind];
    const id = whole
      ? tables.size > 1
        ? `${found.table}.${kind}`
        : kind
      : `${found.table}.${found.column.id}.${kind}`;
    if (choices.some((one) => one.id === id)) continue;
    const { row, index, text } = found.verdict.ambiguous!;
    const place = formatPlace(
      cellPlace({ file: found.file, sheet: found.sheet, async *batches() {} }, row, index),
    );
    const reading = READ[kind]!(text);
    choices.push({
      id,
      path,
      question: tell(language, kind, { place, text }),
      candidates: [
        ...STYLES[kind].map((value) => ({
          value,
          about: tell(language, 'readAs', { value: String(reading[value] ?? text) }),
        })),
        { value: IGNORE, about: tell(language, 'formatIgnore') },
      ],
      others: kind === 'date' ? ['ymd'] : [],
    });
  }
  return choices;
}

const hasWord = (text: string, word: string): number => fold(text).indexOf(word);

/** The order that a label itself names: `Apellidos y nombres`. */
export function orderInLabel(label: string): 'surnames_first' | 'names_first' | undefined {
  const [surnames, names] = [hasWord(label, 'apell'), hasWord(label, 'nomb')];
  if (surnames < 0 || names < 0) return undefined;
  return surnames < names ? 'surnames_first' : 'names_first';
}

/** What comes first in full names, when they are all there is. */
export function nameOrderChoice(
  labels: readonly LabelFit[],
  { uses }: Fit,
  language: Language,
): { choice: Choice; said?: string } | undefined {
  const meant = new Set(
    labels.flatMap(({ table, means }) => (means === undefined ? [] : (table.columns.get(means) ?? []))),
  );
  const use = uses.names.find(
    ({ column, instead }) => meant.has(column) && !instead.some((one) => meant.has(one)),
  );
  const fit = labels.find(
    ({ table, means }) => use !== undefined && means !== undefined && table.columns.get(means) === use.column,
  );
  if (use === undefined || fit === undefined) return undefined;
  const said = fit.label === undefined ? undefined : orderInLabel(fit.label);
  const choice: Choice = {
    id: use.param,
    path: ['params', use.param, 'default'],
    question: tell(language, 'nameOrder', { place: cellOf(fit), label: labelName(fit) }),
    candidates: (['surnames_first', 'names_first'] as const).map((value) => ({
      value,
      about: tell(language, value),
    })),
  };
  return { choice, ...(said && { said }) };
}

const SIGN = 'deduction_sign';
const NEGATIVE_SHARE = 0.1;

/** Whether deductions are written as negative amounts, when a list holds some. */
export function signChoice(
  labels: readonly LabelFit[],
  { mapping }: Fit,
  language: Language,
): Choice | undefined {
  const param = mapping.params.get(SIGN);
  if (param === undefined) return undefined;
  const fit = labels.find(
    ({ means, table, content }) =>
      means !== undefined &&
      table.columns.get(means)?.kind === 'money' &&
      content.negatives > 0 &&
      content.negatives / content.filled.length >= NEGATIVE_SHARE,
  );
  if (fit === undefined) return undefined;
  return {
    id: SIGN,
    path: ['params', SIGN, 'default'],
    question: tell(language, 'sign', { place: cellOf(fit), label: labelName(fit) }),
    candidates: (['negative', 'positive'] as const).map((value) => ({ value, about: tell(language, value) })),
  };
}
