import type { Issue, Language, Suggestion } from '../core/issue.js';
import { columnLetter, fold, suggest } from '../core/text.js';
import { PROPOSAL, type ProposalParams } from '../generated/texts-proposal.js';
import type { CompiledColumn, CompiledTable } from '../mapping/record.js';
import type { YamlPath } from '../mapping/yaml-source.js';
import { sayer } from '../messages/texts.js';
import {
  IGNORE,
  isRepeated,
  type LabelFit,
  type Reason,
  readColumns,
  samplesOf,
  shownScore,
} from './labels.js';
import type { Uses } from './uses.js';

type Wording = keyof ProposalParams;

/** What questions and comments of a proposed mapping say. */
export const tell = sayer<ProposalParams>(PROPOSAL);

const WHY: Partial<Readonly<Record<Reason, Wording>>> = {
  fortnight: 'whyFortnight',
  contested: 'whyContested',
  content: 'whyContent',
  rival: 'whyRival',
  needed: 'whyNeeded',
  order: 'whyOrder',
};

/** What a column is, in the words of people: its first title, with the group it stands under. */
export function titleOf({ wanted, id }: CompiledColumn): string {
  const title = wanted?.titles.find((text) => !/[*?{]/.test(text)) ?? id;
  const [group] = wanted?.groups ?? [];
  return group === undefined ? title : `${group} / ${title}`;
}

/** `Nómina!F6` */
export const cellOf = ({ sheet, header, column, label }: LabelFit): string => {
  const above = label !== undefined && header.row.texts[column] === undefined ? header.groupRow : undefined;
  return `${sheet.name}!${columnLetter(column)}${(above ?? header.row).number}`;
};

export const labelName = ({ label, group }: LabelFit): string =>
  label === undefined ? '' : group === undefined ? label : `${group} / ${label}`;

function aboutOf(fit: LabelFit, id: string, uses: Uses, language: Language): string {
  const column = fit.table.columns.get(id)!;
  const title = titleOf(column);
  const adds = (fit.why === 'fortnight' || fit.why === 'contested') && isAdded(column, uses);
  return adds ? tell(language, 'sum', { title }) : title;
}

/** Amounts of several labels make one; what all records must agree on does not. */
const isAdded = (column: CompiledColumn, uses: Uses): boolean =>
  column.type === 'decimal' && !uses.single.has(column);

/** The question that a label leaves. */
function labelChoice(fit: LabelFit, uses: Uses, language: Language): Choice {
  const { id, table, key, candidates, label, why } = fit;
  const params = {
    place: cellOf(fit),
    label: labelName(fit),
    samples: samplesOf(fit, uses).join(' · ') || '–',
  };
  const asked = tell(language, label === undefined ? 'blankLabel' : 'label', params);
  const reason = WHY[why];
  return {
    id,
    path: ['tables', table.id, 'labels', key],
    question: reason === undefined ? asked : `${asked} ${tell(language, reason)}`,
    candidates: [
      ...candidates.map(
        (one): ChoiceCandidate => ({
          value: one.value,
          score: shownScore(one),
          about: aboutOf(fit, one.value, uses, language),
        }),
      ),
      { value: IGNORE, about: tell(language, 'ignore') },
    ],
    others: readColumns(table).map((column) => column.id),
  };
}

/** Labels with their answers in place; two that cannot be added up are refused. */
export function answeredLabels(
  labels: readonly LabelFit[],
  uses: Uses,
  language: Language,
  answering: Answering,
): { readonly labels: readonly LabelFit[]; readonly open: readonly Choice[] } {
  const open: Choice[] = [];
  const answered = labels.map((fit): LabelFit => {
    if (isRepeated(fit)) return fit;
    const choice = labelChoice(fit, uses, language);
    const value = answering.answerTo(choice);
    if (value === undefined) {
      if (fit.state === 'open') open.push(choice);
      return fit;
    }
    const { means: _, ...rest } = fit;
    if (value === IGNORE)
      return { ...rest, state: 'ignored', why: fit.state === 'ignored' ? fit.why : 'answered' };
    return { ...rest, state: 'decided', means: value, why: fit.means === value ? fit.why : 'answered' };
  });
  const refused = new Set<LabelFit>();
  for (const [first, second] of doubles(answered, uses)) {
    refused.add(second);
    answering.refuse({
      level: 'error',
      code: 'inspect/answer-twice',
      params: { id: second.id, other: first.id, column: second.means! },
      place: {},
      value: `${second.id}=${second.means}`,
    });
  }
  return { labels: answered.filter((fit) => !refused.has(fit)), open };
}

/** Pairs of labels of one sheet that mean one column of which there can be no two. */
function doubles(labels: readonly LabelFit[], uses: Uses): (readonly [LabelFit, LabelFit])[] {
  const seen = new Map<string, LabelFit>();
  return labels.flatMap((fit) => {
    if (fit.means === undefined || isRepeated(fit)) return [];
    if (isAdded(fit.table.columns.get(fit.means)!, uses)) return [];
    const key = [fit.sheet.source.file, fit.sheet.name, fit.table.id, fit.means].join('\n');
    const first = seen.get(key);
    seen.set(key, first ?? fit);
    return first === undefined ? [] : [[first, fit] as const];
  });
}

/** The columns of a table that labels mean. */
export const meantIn = (table: CompiledTable, labels: readonly LabelFit[]): ReadonlySet<string> =>
  new Set(labels.flatMap((fit) => (fit.table === table && fit.means !== undefined ? [fit.means] : [])));

/** An answer that a choice may take, as people see it. */
export interface ChoiceCandidate {
  readonly value: string;
  /** From 0 to 1; absent where likelihood says nothing. */
  readonly score?: number;
  readonly about: string;
}

/** Something that is not decided without asking. */
export interface Choice {
  /** Stable, short and typeable: `workers.AI`, `decimal`, `value.payment_methods.CONSIG`. */
  readonly id: string;
  /** Where the answer stands in the mapping. */
  readonly path: YamlPath;
  readonly question: string;
  /** Best first, `ignore` the last. */
  readonly candidates: readonly ChoiceCandidate[];
  /** Every other answer that makes sense. */
  readonly others?: readonly string[];
}

/** An answer that Enter gives is at least so likely. */
const DEFAULT_SCORE = 0.7;

/** What Enter means at the prompt; undefined when the choice has no likely answer. */
export function defaultAnswer({ candidates }: Choice): string | undefined {
  const [first] = candidates;
  return first !== undefined && (first.score ?? 0) >= DEFAULT_SCORE ? first.value : undefined;
}

/** Answers of a call, and those that an earlier one left in the mapping. */
export interface Answers {
  /** By id, as given. */
  readonly given: ReadonlyMap<string, string>;
  /** What stands at a place of the mapping that is written over, and what it keeps for an id. */
  earlier(path: YamlPath, id: string): readonly string[];
}

export const NO_ANSWERS: Answers = { given: new Map(), earlier: () => [] };

/** An answer in the spelling of the choice; undefined when it is none. */
export function acceptable({ candidates, others = [] }: Choice, text: string): string | undefined {
  const allowed = [...candidates.map(({ value }) => value), ...others];
  return allowed.find((value) => value === text) ?? allowed.find((value) => fold(value) === fold(text));
}

/** Takes answers as choices come up, and knows at the end which were of no use. */
export class Answering {
  readonly issues: Issue[] = [];
  private readonly known = new Set<string>();

  constructor(private readonly answers: Answers) {}

  /** The answer to a choice in the spelling of its candidates, or undefined while it is open. */
  answerTo(choice: Choice): string | undefined {
    this.known.add(fold(choice.id));
    const given = this.find(choice.id);
    if (given === undefined) {
      for (const text of this.answers.earlier(choice.path, choice.id)) {
        const value = acceptable(choice, text);
        if (value !== undefined) return value;
      }
      return undefined;
    }
    const value = acceptable(choice, given);
    if (value === undefined)
      this.issues.push({
        code: 'inspect/bad-answer',
        level: 'error',
        params: { id: choice.id },
        place: {},
        value: given,
        suggestions: near(given, choice),
      });
    return value;
  }

  /** Takes back an answer that cannot stand beside another. */
  refuse(issue: Issue): void {
    this.issues.push(issue);
  }

  /** Answers to nothing that was asked. */
  unused(open: readonly Choice[]): Issue[] {
    const ids = open.map(({ id }) => id);
    return [...this.answers.given.keys()]
      .filter((id) => !this.known.has(fold(id)))
      .map((id) => ({
        code: 'inspect/unknown-answer',
        level: 'error',
        params: { open: ids.length === 0 ? '–' : ids.join(', ') },
        place: {},
        value: id,
        suggestions: suggest(id, ids, 3),
      }));
  }

  private find(id: string): string | undefined {
    const { given } = this.answers;
    return given.get(id) ?? [...given].find(([key]) => fold(key) === fold(id))?.[1];
  }
}

function near(text: string, { candidates, others = [] }: Choice): Suggestion[] {
  const values = candidates.map(({ value }) => value);
  const found = suggest(text, [...values, ...others], 3);
  return found.length > 0 ? found : values.slice(0, 3).map((value) => ({ value, score: 0 }));
}
