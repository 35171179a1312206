import { sum } from '../core/decimal.js';
import type { Language } from '../core/issue.js';
import { columnLetter } from '../core/text.js';
import { formatCount, formatMoney } from '../messages/texts.js';
import type { ColumnAccount } from '../schema/document.js';
import { IGNORE } from '../tables/header.js';
import type { Fit } from './fit.js';
import type { LabelFit } from './labels.js';
import { type Answer, type Effect, likelyAnswers, type Question, tell } from './question.js';

/** Filled cells, unless the column is read, and sum of amounts below a label, in all its columns. */
type Below = Partial<Pick<Effect, 'cells'>> & Pick<Effect, 'amount'>;

/** Returns what reading the files to their end has counted below each label, by its id. */
export function openColumnStats(
  labels: readonly LabelFit[],
  accounts: readonly ColumnAccount[],
): ReadonlyMap<string, Below> {
  const found = new Map<string, ColumnAccount>();
  const key = (file: string | undefined, sheet: string | undefined, column: string | undefined): string =>
    [file, sheet, column].join('\n');
  for (const account of accounts)
    found.set(key(account.place.file, account.place.sheet, account.place.column), account);
  const below = new Map<string, Below>();
  for (const { id, sheet, columns } of labels)
    for (const column of columns) {
      const { file, sheet: name } = sheet.source;
      const { cells, sum: further } = found.get(key(file, name, columnLetter(column))) ?? {};
      const { cells: before = 0, amount } = below.get(id) ?? {};
      const amounts = [amount, further].flatMap((item) => item ?? []);
      below.set(id, {
        ...(cells !== undefined && { cells: before + cells }),
        ...(amounts.length > 0 && { amount: sum(amounts) }),
      });
    }
  return below;
}

/** Formats what an answer would do: `suma 1.500.000,00`. */
function worded({ to, cells, amount }: Omit<Effect, 'about'>, language: Language): string {
  if (amount === undefined) {
    const params = { cells: formatCount(cells, language) };
    return tell(language, to === 'nothing' ? 'cellsOut' : 'cellsIn', params);
  }
  const money = formatMoney(amount, language);
  if (to === 'nothing') return tell(language, 'amountOut', { amount: money });
  return tell(language, to === 'documents' ? 'amountIn' : 'amountCompared', { amount: money });
}

/** The same questions, their answers with what each would do to what is accounted for. */
export function withEffects(
  questions: readonly Question[],
  labels: readonly LabelFit[],
  accounts: readonly ColumnAccount[],
  { uses }: Pick<Fit, 'uses'>,
  language: Language,
): readonly Question[] {
  const below = openColumnStats(labels, accounts);
  return questions.map((question) => {
    const { cells, amount } = below.get(question.id) ?? {};
    const table = labels.find(({ id }) => id === question.id)?.table;
    if (cells === undefined || table === undefined) return question;
    const isMoney = ({ value }: Answer): boolean => table.columns.get(value)?.kind === 'money';
    const kinds = likelyAnswers(question).filter(({ value }) => value !== IGNORE);
    // Codes of towns have a sum, which says nothing.
    const mayBeMoney = kinds.length === 0 || kinds.some(isMoney);
    const answer = (first: Answer): Answer => {
      const column = table.columns.get(first.value);
      const isAmount = first.value === IGNORE ? mayBeMoney : isMoney(first);
      const to =
        first.value === IGNORE ? 'nothing' : column && uses.stated.has(column) ? 'control' : 'documents';
      const effect = { to, cells, ...(isAmount && amount !== undefined && { amount }) } as const;
      return { ...first, effect: { ...effect, about: worded(effect, language) } };
    };
    return { ...question, answers: question.answers.map(answer) };
  });
}

/** A question about a word with what each answer would do to the records that have it. */
export const withWordEffects = (
  question: Question | undefined,
  records: number,
  language: Language,
): Question | undefined =>
  question && {
    ...question,
    answers: question.answers.map((answer): Answer => {
      const to = answer.value === IGNORE ? 'nothing' : 'documents';
      const about = tell(language, to === 'nothing' ? 'recordsOut' : 'recordsIn', {
        records: formatCount(records, language),
      });
      return { ...answer, effect: { to, cells: records, about } };
    }),
  };

/** Joint questions with what a yes to all does: what the first answers of their members do together. */
export const withJointEffects = (
  questions: readonly Question[],
  open: readonly Question[],
  language: Language,
): readonly Question[] =>
  questions.map((question) => {
    const { members = [] } = question;
    const effects = open
      .filter(({ id }) => members.includes(id))
      .flatMap(({ answers, batch }) => {
        const all = batch !== undefined && question.answers[0]?.value === IGNORE;
        return (all ? answers.find(({ value }) => value === IGNORE) : answers[0])?.effect ?? [];
      });
    if (members.length === 0 || effects.length < members.length) return question;
    const to = effects.every((effect) => effect.to === 'nothing') ? 'nothing' : 'documents';
    const cells = effects.reduce((all, effect) => all + effect.cells, 0);
    const amounts = effects.filter((effect) => effect.to === to).flatMap(({ amount }) => amount ?? []);
    const effect = { to, cells, ...(amounts.length > 0 && { amount: sum(amounts) }) } as const;
    const [yes, ...others] = question.answers as [Answer];
    return {
      ...question,
      answers: [{ ...yes, effect: { ...effect, about: worded(effect, language) } }, ...others],
    };
  });
