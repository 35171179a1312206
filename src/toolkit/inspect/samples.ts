import { unreachable } from '../core/required.js';
import { columnLetter } from '../core/text.js';
import { type CompiledColumn, MIN_READABLE_CELLS } from '../mapping/record.js';
import { SCORE_LEVELS } from '../tables/label-score.js';
import { type Content, holdsAmounts, holdsAnswers, knownWords } from './content.js';
import type { LabelFit } from './labels.js';
import type { Sample } from './question.js';
import type { Uses } from './uses.js';

const HOW_MANY = 3;

const WORDS = 0.6;

const LONG = 10_000_000;

/** The first character and the last two; of a short text nothing. */
const mask = (text: string): string => (text.length < 6 ? '•••' : `${text.slice(0, 1)}•••${text.slice(-2)}`);

const isWord = (column: CompiledColumn, content: Content, uses: Uses): boolean =>
  (knownWords(column, content, uses) ?? 0) >= WORDS ||
  (column.kind === 'boolean' && content.distinct.length <= 2) ||
  column.kind === 'choice';

/** Few words that come again and again, such as kinds of contract. */
const isWordList = ({ distinct, filled }: Content): boolean =>
  distinct.length <= FEW_WORDS && distinct.length * 2 <= filled.length;

const FEW_WORDS = 12;

/** Long numbers of which none comes twice are documents or accounts rather than amounts. */
const identifies = ({ median, distinct, filled }: Content): boolean =>
  (median ?? 0) >= LONG && filled.length > 1 && distinct.length === filled.length;

/** A few values of a label, such as a question may show: amounts, dates and words of code lists; the rest is masked. */
export function samplesOf(fit: LabelFit, uses: Uses): readonly Sample[] {
  const { content, candidates, table, sheet, column } = fit;
  const { distinct } = content;
  const columns = candidates.flatMap(({ value }) => table.columns.get(value) ?? []);
  const likely = candidates.filter(({ score }, at) => at === 0 || score >= SCORE_LEVELS.ask);
  const personal = likely
    .flatMap(({ value }) => table.columns.get(value) ?? [])
    .some((item) => uses.personal.has(item) && item.type !== 'decimal' && !uses.lookups.has(item));
  const shown =
    holdsAnswers(content) ||
    (!personal &&
      !identifies(content) &&
      (holdsAmounts(content) ||
        content.dated >= MIN_READABLE_CELLS ||
        isWordList(content) ||
        columns.some((otherColumn) => isWord(otherColumn, content, uses))));
  const telling = distinct.filter((text) => !/^[0.,$\s-]*$/.test(text));
  return (telling.length > 0 ? telling : distinct).slice(0, HOW_MANY).map((text) => {
    const { row } = content.filled.find((cell) => cell.text.trim() === text) ?? unreachable('cell of a text');
    const cell = `${sheet.name}!${columnLetter(column)}${row}`;
    return shown ? { cell, text } : { cell, text: mask(text), personal: text };
  });
}
