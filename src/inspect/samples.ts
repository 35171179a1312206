import type { CompiledColumn } from '../mapping/columns.js';
import { type Content, holdsAmounts } from './content.js';
import { knownWords } from './content-fit.js';
import type { LabelFit } from './labels.js';
import type { Uses } from './uses.js';

const HOW_MANY = 3;
const MOST = 0.7;
const WORDS = 0.6;
const LONG = 10_000_000;

/** The first character and the last two; of a short text nothing. */
const mask = (text: string): string => (text.length < 6 ? '•••' : `${text.slice(0, 1)}•••${text.slice(-2)}`);

const isWord = (column: CompiledColumn, content: Content, uses: Uses): boolean =>
  (knownWords(column, content, uses) ?? 0) >= WORDS ||
  (column.kind === 'boolean' && content.distinct.length <= 2) ||
  column.kind === 'choice';

/** Long numbers of which none comes twice are documents or accounts rather than amounts. */
const identifies = ({ median, distinct, filled }: Content): boolean =>
  (median ?? 0) >= LONG && filled.length > 1 && distinct.length === filled.length;

/** A few values of a label, such as a question may show: amounts, dates and words of code lists; the rest is masked. */
export function samplesOf({ content, candidates, table }: LabelFit, uses: Uses): readonly string[] {
  const { distinct } = content;
  const columns = candidates.flatMap(({ value }) => table.columns.get(value) ?? []);
  const personal = columns.some((column) => uses.personal.has(column) && column.type !== 'decimal');
  const shown =
    !personal &&
    !identifies(content) &&
    (holdsAmounts(content) ||
      content.dated >= MOST ||
      columns.some((column) => isWord(column, content, uses)));
  const telling = distinct.filter((text) => !/^[0.,$\s-]*$/.test(text));
  return (telling.length > 0 ? telling : distinct)
    .slice(0, HOW_MANY)
    .map((text) => (shown ? text : mask(text)));
}
