import type { CompiledColumn } from '../mapping/columns.js';
import type { CompiledTable } from '../mapping/tables.js';
import { labelForms, numberedMatcher, titleMatcher } from '../source/header-label.js';
import { SCORE_LEVELS } from '../source/label-score.js';
import { columnLetter } from '../values/a1.js';
import { fold } from '../values/fold.js';
import { type Content, holdsAmounts } from './content.js';
import { type Agreement, agreement } from './content-fit.js';
import type { FoundHeader } from './header-row.js';
import { hasSections, labelText, scoresOf } from './label-scores.js';
import type { Sheet } from './sheets.js';
import type { Uses } from './uses.js';

export const IGNORE = 'ignore';

/** A column that a label may mean. */
export interface Candidate {
  readonly value: string;
  /** What the words say. */
  readonly score: number;
  readonly agreement: Agreement;
}

/** Why a label is decided, asked about or left aside. */
export type Reason =
  | 'words'
  | 'likely'
  | 'rival'
  | 'content'
  | 'fortnight'
  | 'contested'
  | 'needed'
  | 'order'
  | 'amounts'
  | 'text'
  | 'declined'
  | 'empty'
  | 'answered';

/** A label of a header and what it means. */
export interface LabelFit {
  /** `workers.AI`: table and column letter. */
  readonly id: string;
  readonly table: CompiledTable;
  readonly sheet: Sheet;
  readonly header: FoundHeader;
  readonly column: number;
  /** Undefined for a blank cell over amounts. */
  readonly label: string | undefined;
  readonly group: string | undefined;
  readonly half?: 1 | 2;
  /** How `labels:` of a mapping names it. */
  readonly key: string;
  readonly content: Content;
  /** Best first; only those worth showing. */
  readonly candidates: readonly Candidate[];
  readonly state: 'decided' | 'open' | 'ignored';
  /** Column id, when decided. */
  readonly means?: string;
  readonly why: Reason;
}

/** Candidates weaker than this say nothing. */
export const WORTH_SHOWING = 0.4;
const MOST_CANDIDATES = 4;
/** The label is a title of the column, word for word. */
const TITLE = 1;
/** Words alone may say much: where content or rivals speak against them, no answer is taken unread. */
const DOUBTED = 0.69;

/** Score as people see it: what content contradicts is never taken by default. */
export const shownScore = ({ score, agreement: agreed }: Candidate): number =>
  agreed === 'disagrees' ? Math.min(score, DOUBTED) : score;

export const readColumns = (table: CompiledTable): CompiledColumn[] =>
  [...table.columns.values()].filter(({ wanted }) => wanted !== undefined);

/** How a mapping names each label: by its text, with its group where it comes twice, by its letter where that is not enough. */
function keysOf({ labels, groupLabels }: FoundHeader): (column: number) => string {
  const counts = new Map<string, number>();
  const count = (text: string): void => {
    counts.set(fold(text), (counts.get(fold(text)) ?? 0) + 1);
  };
  const both = (column: number): string => `${groupLabels[column]} / ${labels[column]}`;
  for (const [column, label] of labels.entries()) {
    if (label === undefined) continue;
    count(label);
    if (groupLabels[column] !== undefined) count(both(column));
  }
  return (column) => {
    const label = labels[column];
    if (label !== undefined && counts.get(fold(label)) === 1) return label;
    if (label !== undefined && groupLabels[column] !== undefined && counts.get(fold(both(column))) === 1)
      return both(column);
    return `[${columnLetter(column)}]`;
  };
}

const byScore = (a: Candidate, b: Candidate): number => shownScore(b) - shownScore(a) || b.score - a.score;

/** Those likely; where none is, those that at least share something. */
export function worthShowing(candidates: readonly Candidate[]): readonly Candidate[] {
  const sorted = [...candidates].sort(byScore);
  const likely = sorted.filter(({ score }) => score >= SCORE_LEVELS.ask);
  const shown = likely.length > 0 ? likely : [];
  const rest = sorted.filter((one) => !shown.includes(one) && one.agreement !== 'disagrees');
  return [...shown, ...rest.filter(({ score }) => score >= WORTH_SHOWING)]
    .sort(byScore)
    .slice(0, MOST_CANDIDATES);
}

/** `overtime.2.hours` for a label of columns that come again with a number; they are found by their titles alone. */
function repeatedMeaning({ repeated }: CompiledTable, label: string): string | undefined {
  const forms = labelForms(label);
  for (const { id, columns } of repeated)
    for (const { wanted } of columns.values()) {
      const n = wanted && numberedMatcher(wanted.titles)(forms);
      if (n !== undefined) return `${id}.${n}.${wanted!.id}`;
    }
  return undefined;
}

/** Whether a label belongs to columns that come again: it needs no word in the mapping. */
export const isRepeated = ({ means }: LabelFit): boolean => means?.includes('.') === true;

/** Whether the ready-made mapping leaves such a column aside, with a reason. */
const leftAside = ({ ignored }: CompiledTable, label: string): boolean =>
  ignored.some(({ titles }) => titleMatcher(titles).closeness(labelForms(label)) > 0);

type Judged = Pick<LabelFit, 'state' | 'why' | 'means'>;

/** `named` are the columns whose very title some other label of the header has. */
function judge(
  candidates: readonly Candidate[],
  content: Content,
  half: 1 | 2 | undefined,
  named: (id: string) => boolean,
): Judged {
  const amounts = holdsAmounts(content);
  const [best] = [...candidates].sort((a, b) => b.score - a.score);
  if (best === undefined || best.score < SCORE_LEVELS.ask) {
    if (amounts) return { state: 'open', why: 'amounts' };
    return { state: 'ignored', why: content.filled.length === 0 ? 'empty' : 'text' };
  }
  const isTitle = best.score === TITLE;
  const rival = candidates.find(
    (one) =>
      one !== best &&
      one.agreement !== 'disagrees' &&
      one.score > best.score - SCORE_LEVELS.margin &&
      !(isTitle && one.score < TITLE && named(one.value)),
  );
  if (half !== undefined) return { state: 'open', why: 'fortnight' };
  if (best.score < SCORE_LEVELS.alone) return { state: 'open', why: 'likely' };
  if (best.agreement === 'disagrees') return { state: 'open', why: 'content' };
  if (rival !== undefined) return { state: 'open', why: 'rival' };
  return { state: 'decided', means: best.value, why: 'words' };
}

/** What every label of a header means in a table, each by itself. */
export function fitLabels(
  table: CompiledTable,
  sheet: Sheet,
  header: FoundHeader,
  uses: Uses,
): readonly LabelFit[] {
  const columns = readColumns(table);
  const wanted = columns.map((column) => column.wanted!);
  const sections = hasSections(header.groupLabels, wanted);
  const keyOf = keysOf(header);
  const scored = header.labels.map((label, column) =>
    label === undefined
      ? new Map<string, number>()
      : scoresOf(labelText(label, header.groupLabels[column]), wanted, sections),
  );
  return header.contents.flatMap((content, column): LabelFit[] => {
    const label = header.labels[column];
    if (label === undefined && content.filled.length === 0) return [];
    const group = header.groupLabels[column];
    const text = label === undefined ? undefined : labelText(label, group);
    const scores = scored[column] ?? new Map<string, number>();
    const named = (id: string): boolean =>
      scored.some((other, at) => at !== column && other.get(id) === TITLE);
    const isLeft = label !== undefined && Math.max(0, ...scores.values()) < TITLE && leftAside(table, label);
    const again = label === undefined ? undefined : repeatedMeaning(table, label);
    const candidates = (again === undefined ? columns : []).flatMap((one): Candidate[] => {
      const score = scores.get(one.id);
      if (score === undefined || score < WORTH_SHOWING) return [];
      return [{ value: one.id, score, agreement: agreement(one, content, uses) }];
    });
    return [
      {
        id: `${table.id}.${columnLetter(column)}`,
        table,
        sheet,
        header,
        column,
        label,
        group,
        ...(text?.half !== undefined && { half: text.half }),
        key: keyOf(column),
        content,
        candidates: worthShowing(candidates),
        ...(again !== undefined
          ? { state: 'decided', means: again, why: 'words' }
          : isLeft
            ? { state: 'ignored', why: 'declined' }
            : judge(candidates, content, text?.half, named)),
      },
    ];
  });
}
