import { PROPOSAL, type ProposalParams } from '../../generated/texts-proposal.js';
import type { Issue, Language, Suggestion } from '../core/issue.js';
import type { NonEmpty } from '../core/non-empty.js';
import { firstOfEach } from '../core/remember.js';
import { unreachable } from '../core/required.js';
import { fold, squash, suggest } from '../core/text.js';
import type { YamlPath } from '../mapping/yaml-source.js';
import { translatorOf } from '../messages/texts.js';
import { IGNORE } from '../tables/header.js';

/** Texts of questions and comments of a proposed mapping. */
export const tell = translatorOf<ProposalParams>(PROPOSAL);

/** An answer that a question takes, as people see it. */
export interface Answer {
  /** As `--answer` and the mapping have it. */
  readonly value: string;
  /** In the person's words: `Auxilio de transporte`. */
  readonly title: string;
  /** Group of the answer: `Devengados`. Absent if all answers are of one kind. */
  readonly group?: string;
  /** Why it is offered, or what follows from it. */
  readonly reason?: string;
  /** From 0 to 1; absent where likelihood says nothing. */
  readonly score?: number;
  /** Label of the column that has this field already: never a default, and refused unless both are added up. */
  readonly takenBy?: string;
  /** True if the amounts of several columns with this answer are added up. */
  readonly adds?: true;
  /** Other words that mean it. */
  readonly also?: readonly string[];
  /** Word to type for it if the value is no such word and the answers have no numbers. */
  readonly typed?: string;
  /** Effect on the amounts accounted for, of a column that was read to its end. */
  readonly effect?: Effect;
}

/** Effect of an answer on the cells of a column. */
export interface Effect {
  /** A `control` is compared with the documents; of `nothing` no document is made. */
  readonly to: 'documents' | 'control' | 'nothing';
  /** Filled ones. */
  readonly cells: number;
  /** Sum of the amounts, as an exact decimal; absent if they would not be amounts. */
  readonly amount?: string;
  /** The same in words. */
  readonly about: string;
}

/** A value of the file that shows what is asked about. */
export interface Sample {
  /** `Nómina!F7` */
  readonly cell: string;
  /** Personal values are masked. */
  readonly text: string;
  /** The value in full, if `text` masks it. */
  readonly personal?: string;
}

/** Something that is not decided without asking. */
export interface Question {
  /** Stable, short and typeable: `workers.AI`, `decimal`, `value.payment_methods.CONSIG`. */
  readonly id: string;
  /** Other names for it, such as the label of a column. */
  readonly aliases?: readonly string[];
  /** Place of the answer in the mapping. */
  readonly path: YamlPath;
  readonly title: string;
  /** Why it is asked. */
  readonly reason?: string;
  readonly samples: readonly Sample[];
  /** Every legal answer: the likely ones, best first, then the rest by group. */
  readonly answers: readonly Answer[];
  /** Number of likely answers. */
  readonly likely: number;
  /** Answer that Enter gives if likelihood says nothing. */
  readonly usual?: string;
  /** Text that may be typed besides the answers. */
  readonly free?: FreeForm;
  /** Returns the answer that a text means which is none of their words, such as `1.234,56`. */
  readonly reads?: FreeForm;
  /** The answer for which a value stands in the mapping, where it is another text. */
  readonly inMapping?: (text: string) => string;
  /** Questions with the same batch are asked in one go: a yes gives each its first answer, but for those that are named. */
  readonly batch?: string;
  /** Ids of the questions that are asked in one go with this one. */
  readonly members?: readonly string[];
  /** The same questions with what a yes says of each. */
  readonly each?: readonly Member[];
}

/** A column of a joint question. */
interface Member {
  readonly id: string;
  /** Name by which an answer excepts it. */
  readonly name: string;
  readonly label: string;
  readonly samples: readonly Sample[];
  /** Answer that a yes gives it. */
  readonly answer: Answer;
}

/** Question with its answer. */
export interface AnsweredQuestion {
  readonly question: Question;
  readonly value: string;
  /** True if an earlier mapping says it. */
  readonly isEarlier: boolean;
}

/** The form of an answer that is no choice; undefined when the text has not that form. */
type FreeForm = (text: string) => string | undefined;

/** Least score of an answer that is taken without a person choosing it. */
export const DEFAULT_SCORE = 0.7;
/** Least lead of such an answer over the next likely one. */
const MIN_DEFAULT_LEAD = 0.05;
/** Score of an answer that Enter may give. */
export const LIKELY = 0.75;
/** Max score of an answer that is never the default, however much speaks for it. */
export const DOUBTED = 0.69;
/** Score of an answer that is as likely as another. */
export const UNLIKELY = 0.5;

/** Least score of an answer that is offered as likely. */
export const LEAST = 0.4;

/** A score as it is shown. */
export const rounded = (score: number): number => Math.round(score * 100) / 100;

/** Returns the answer that Enter gives and the page shows as chosen; undefined if a person must choose one. */
export function defaultAnswer({ answers, likely, usual }: Question): string | undefined {
  if (usual !== undefined) return usual;
  const [first, ...others] = answers.slice(0, likely);
  if (first === undefined) return undefined;
  const { value, score = 0, takenBy } = first;
  const next = Math.max(0, ...others.map((other) => other.score ?? 0));
  const isSure = takenBy === undefined && score >= DEFAULT_SCORE && rounded(score - next) >= MIN_DEFAULT_LEAD;
  return isSure ? value : undefined;
}

/** Returns the answer with the label of the column that has its field, and what follows from that. */
export const takenByLabel = (answer: Answer, label: string, language: Language): Answer => ({
  ...answer,
  takenBy: label,
  reason: tell(language, answer.adds ? 'takenSum' : 'taken', { label }),
});

/** Returns the table of the column that a question asks about, with its sheet where it is asked by sheet. */
const tableOf = ({ id, path }: Question): string | undefined =>
  path[2] === 'labels' ? id.slice(0, -nameOf(id).length) : undefined;

/** Returns the question with the fields that answers to others of its table take, which are not inspected yet. */
export function besideAnswers(
  question: Question,
  answered: readonly { readonly question: Question; readonly answer: string | undefined }[],
  language: Language,
): Question {
  const table = tableOf(question);
  if (table === undefined) return question;
  const taken = new Map(
    answered.flatMap(({ question: other, answer }) => {
      const reading = tableOf(other) === table && answer !== undefined && readReply(other, answer);
      return reading && 'value' in reading ? [[reading.value, other.aliases?.[0] ?? other.id] as const] : [];
    }),
  );
  taken.delete(IGNORE);
  const marked = question.answers.map((answer) => {
    const label = taken.get(answer.value);
    return label === undefined || answer.takenBy !== undefined
      ? answer
      : takenByLabel(answer, label, language);
  });
  return { ...question, answers: marked };
}

/** True if an answer contradicts that of the column that has its field. */
export const isConflicting = ({ takenBy, adds }: Answer): boolean => takenBy !== undefined && adds !== true;

/** Puts answers whose field another column has after the other likely ones. */
export function takenLast(question: Question): Question {
  const { answers, likely } = question;
  const first = answers.slice(0, likely);
  const free = first.filter(({ takenBy }) => takenBy === undefined);
  if (free.length === likely) return question;
  const taken = first.filter(({ takenBy }) => takenBy !== undefined);
  return { ...question, answers: [...free, ...taken, ...answers.slice(likely)] };
}

/** Words for yes and no. */
export const YES = ['sí', 's', 'yes', 'y'];
export const NO = ['no', 'n'];

/** Returns the answers yes and no. */
export const yesOrNo = (language: Language): Answer[] => [
  { value: 'true', title: tell(language, 'yes'), also: YES },
  { value: 'false', title: tell(language, 'no'), also: NO },
];

/** The likely answers, which a person sees first. */
export const likelyAnswers = ({ answers, likely }: Question): readonly Answer[] => answers.slice(0, likely);

/** True if a likely answer may be given by its number: not if answers are numbers themselves. */
export const isNumbered = ({ answers, free }: Choice): boolean =>
  free === undefined &&
  answers.every(({ value, also = [] }) => ![value, ...also].some((text) => /^\d+$/.test(text)));

const wordsIn = (text: string): readonly string[] =>
  fold(text)
    .split(/[^\p{L}\p{N}%$#]+/u)
    .filter(Boolean);

/** Answers in whose title or group every word of a text begins some word. */
export function answersLike({ answers }: Pick<Question, 'answers'>, text: string): readonly Answer[] {
  const words = wordsIn(text);
  if (words.length === 0) return [];
  return answers.filter(({ title, group = '', value }) => {
    const answerWords = wordsIn(`${title} ${group} ${value.replaceAll('_', ' ')}`);
    return words.every((word) => answerWords.some((item) => item.startsWith(word)));
  });
}

/** Answers to choose from. */
type Choice = Pick<Question, 'answers' | 'free' | 'reads'> & Partial<Pick<Question, 'likely'>>;

/** Meaning of a text: an answer, or the answers that it may have meant. */
type Reading = { readonly value: string } | { readonly near: readonly Answer[] };

const equals = (text: string, form: (text: string) => string) => {
  const wanted = form(text);
  return (other: string): boolean => wanted !== '' && form(other) === wanted;
};

/** Reads an answer as given: a value, a title or another word for it, then a part of a title that only one has. */
export function readAnswer(question: Choice, given: string): Reading {
  const { answers, free } = question;
  const text = given.trim();
  const is = (form: (text: string) => string): readonly Answer[] => {
    const test = equals(text, form);
    const named = answers.filter(({ value }) => test(value));
    if (named.length > 0) return named;
    return answers.filter(({ title, also = [] }) => [title, ...also].some(test));
  };
  for (const form of [(exact: string) => exact, fold, squash]) {
    const found = is(form);
    const [first, ...others] = found;
    if (first !== undefined) return others.length === 0 ? { value: first.value } : { near: found };
  }
  const meant = question.reads?.(text);
  if (meant !== undefined) return { value: meant };
  // What may be any text is never taken for a part of an answer.
  if (free !== undefined) {
    const typed = free(text);
    return typed === undefined ? { near: near(question, text) } : { value: typed };
  }
  // The beginning of a number is another number.
  const like = /^\d+$/.test(text) ? [] : answersLike(question, text);
  const [first, ...others] = like;
  if (first !== undefined && others.length === 0) return { value: first.value };
  return { near: like.length > 0 ? like : near(question, text) };
}

/** Reads what a person says: the number of a likely answer, where they are counted, else as `readAnswer` does. */
export function readReply(question: Choice, given: string): Reading {
  const { answers, likely } = question;
  const text = given.trim();
  if (!isNumbered(question) || !/^\d+$/.test(text)) {
    const reading = readAnswer(question, text);
    const [only, ...others] = answers;
    // The only answer that there is has a number, though others of its kind have none.
    const isFirst = 'near' in reading && text === '1' && others.length === 0;
    return isFirst && only !== undefined ? { value: only.value } : reading;
  }
  const counted = answers.slice(0, likely)[Number(text) - 1];
  return counted === undefined ? { near: near(question, text) } : { value: counted.value };
}

const MOST_NEAR = 3;
const MOST_SAID = 5;

/** Questions that come up once others are answered. */
const LATER = /^(param|usual|unused|value|class|choice|by|join|zeros)\./;

/** The first of them, by title and value. */
export const suggestionsOf = (near: readonly Answer[]): readonly Suggestion[] =>
  near.slice(0, MOST_SAID).map(({ value, title, score = 0 }) => ({
    value: fold(value) === fold(title) ? value : `${title} (${value})`,
    score,
  }));

function near({ answers, likely }: Choice, text: string): readonly Answer[] {
  const names = answers.flatMap(({ value, title }) => [value, title]);
  const found = suggest(text, names, MOST_NEAR).map(({ value }) => value);
  const alike = answers.filter(({ value, title }) => found.includes(value) || found.includes(title));
  return (alike.length > 0 ? alike : answers.slice(0, likely === undefined ? 0 : Math.max(1, likely))).slice(
    0,
    MOST_NEAR,
  );
}

/** Answers of a call, and those that an earlier one left in the mapping. */
export interface Answers {
  /** Answers as given, by id; a blank one withdraws an earlier answer. */
  readonly given: ReadonlyMap<string, string>;
  /** Returns the value at a place of the mapping that is overwritten, and the one kept for an id. */
  earlier(path: YamlPath, id: string): readonly string[];
  /** They were left for other files: what these plainly are goes before. */
  readonly ofOthers?: boolean;
  /** Ids of questions that were asked before: an answer to one that is gone is kept. */
  readonly asked?: ReadonlySet<string>;
  /** Answers that an earlier call kept, by id: they stay while no question asks. */
  readonly kept?: ReadonlyMap<string, string>;
}

export const NO_ANSWERS: Answers = { given: new Map(), earlier: () => [] };

/** Said at a question: the one before is to be answered again. */
export const BACK: unique symbol = Symbol('back');

/** Answer of `--answer ID=?`, which asks for all that could be given. */
const WHICH = '?';

/** Words that take all of a batch as it is; what is to be left out may be said so. */
const ALL: ReadonlySet<string> = new Set(['si', 's', 'todas', 'yes', 'y', 'all']);
const OUT: ReadonlySet<string> = new Set([...ALL, IGNORE, 'ignorar']);

const isLeftOut = ({ answers }: Question): boolean => answers[0]?.value === IGNORE;

const allOf = (question: Question): ReadonlySet<string> => (isLeftOut(question) ? OUT : ALL);

/** Takes answers as questions come up, and knows at the end which were of no use. */
export class Answering {
  readonly issues: Issue[] = [];
  /** Questions whose answers are to be shown. */
  readonly shown: Question[] = [];
  /** Answered questions by id. */
  readonly decided = new Map<string, AnsweredQuestion>();
  /** Ids of the questions that an earlier mapping answers. */
  private readonly earlier = new Set<string>();
  private readonly known = new Set<string>();
  /** Other name that an answer was given by → ids of the questions that have it. */
  private readonly called = new Map<string, Set<string>>();
  /** Batch → what its answer names, not yet found among its questions. */
  private readonly named = new Map<string, Set<string>>();

  constructor(private readonly answers: Answers) {}

  /** The answer to a question as its value, or undefined while it is open. */
  answerTo(question: Question): string | undefined {
    const value = this.valueOf(question);
    if (value !== undefined)
      this.decided.set(question.id, { question, value, isEarlier: this.earlier.has(question.id) });
    return value;
  }

  private valueOf(question: Question): string | undefined {
    const ids = [
      question.id,
      ...(question.aliases ?? []),
      ...(question.batch === undefined ? [] : [question.batch]),
    ];
    for (const id of ids) this.known.add(fold(id));
    const given = this.find(question.id) ?? this.byName(question);
    if (given !== undefined) this.namedIn(question);
    if (given === WHICH) {
      this.shown.push(question);
      return undefined;
    }
    if (given === undefined) return this.ofBatch(question);
    if (given === '') return undefined;
    const reading = readReply(question, given);
    if ('value' in reading) return reading.value;
    this.issues.push({
      code: 'inspect/bad-answer',
      level: 'error',
      params: { id: question.id },
      place: {},
      value: given,
      suggestions: suggestionsOf(reading.near),
    });
    return undefined;
  }

  /** Returns the first answer of a question asked in a batch, unless the answer to the batch names it. */
  private ofBatch(question: Question): string | undefined {
    const named = this.namedIn(question);
    if (named === undefined) return this.ofBefore(question);
    return named ? undefined : question.answers[0]?.value;
  }

  /** True if the answer to its batch names a question; undefined without such an answer. */
  private namedIn(question: Question): boolean | undefined {
    const { batch, id, aliases = [] } = question;
    if (batch === undefined) return undefined;
    const given = this.find(batch);
    if (given === undefined || given === '' || given === WHICH) return undefined;
    const named = list(given);
    if (named.every((word) => allOf(question).has(word))) return false;
    const left = this.named.get(batch) ?? new Set(named);
    this.named.set(batch, left);
    const matches = [id, nameOf(id), ...aliases].map(fold).filter((name) => named.includes(name));
    for (const name of matches) left.delete(name);
    return matches.length > 0;
  }

  /** An open question as it is to be asked: alone if the answer to its batch has named it. */
  open(question: Question): Question {
    const { batch, ...alone } = question;
    const isNamed = batch !== undefined && this.find(batch) !== undefined;
    return isNamed ? alone : question;
  }

  private ofBefore(question: Question): string | undefined {
    for (const text of this.answers.earlier(question.path, question.id)) {
      // A mapping holds values: a column of its own is none of those that are called like it.
      const stated = question.inMapping?.(text) ?? text;
      const known = question.answers.some(({ value }) => value === stated)
        ? stated
        : question.reads?.(stated);
      const value = known ?? question.free?.(stated);
      if (value === undefined) continue;
      this.earlier.add(question.id);
      return value;
    }
    return undefined;
  }

  /** Takes back an answer that contradicts another. */
  refuse(issue: Issue): void {
    this.issues.push(issue);
  }

  /** Returns the answers to questions that are gone since another answer changed. */
  vanished(): ReadonlyMap<string, string> {
    const { given, asked } = this.answers;
    return new Map([...given].filter(([id, text]) => asked?.has(id) && text !== '' && !this.isKnown(id)));
  }

  /** Returns the answers to what is not asked now: they are kept until it is. */
  forLater(open: readonly Question[]): ReadonlyMap<string, string> {
    const { given, kept = [] } = this.answers;
    const early = open.length === 0 ? [] : [...given].filter(([id]) => LATER.test(id));
    return new Map([...[...kept, ...early].filter(([id]) => !this.isKnown(id)), ...this.vanished()]);
  }

  private isKnown(id: string): boolean {
    return this.known.has(fold(id));
  }

  /** Answers to nothing that was asked. */
  unused(open: readonly Question[]): Issue[] {
    const { given, asked } = this.answers;
    const ids = open.map(({ id }) => id);
    const strange = [...this.named].flatMap(([id, left]): Issue[] =>
      [...left].map((value) => ({
        code: 'inspect/bad-answer',
        level: 'error',
        params: { id },
        place: {},
        value,
      })),
    );
    const unknown = [...given.keys()]
      .filter((id) => !this.isKnown(id) && !asked?.has(id) && !(open.length > 0 && LATER.test(id)))
      .map(
        (id): Issue => ({
          code: 'inspect/unknown-answer',
          level: 'error',
          params: { open: ids.length === 0 ? '–' : ids.join(', ') },
          place: {},
          value: id,
          suggestions: suggest(id, ids, MOST_NEAR),
        }),
      );
    const several = [...given.keys()].flatMap((name): Issue[] => {
      const called = [...(this.called.get(fold(name)) ?? [])];
      if (called.length < 2) return [];
      return [
        {
          code: 'inspect/answer-to-several',
          level: 'error',
          params: { ids: called.join(', ') },
          place: {},
          value: name,
        },
      ];
    });
    return [...strange, ...unknown, ...several];
  }

  /** The answer that was given by another name of a question. */
  private byName({ id, aliases = [] }: Question): string | undefined {
    const name = aliases.find((alias) => this.find(alias) !== undefined);
    if (name === undefined) return undefined;
    this.called.set(fold(name), (this.called.get(fold(name)) ?? new Set()).add(id));
    return this.find(name);
  }

  private find(id: string): string | undefined {
    const { given } = this.answers;
    return given.get(id) ?? [...given].find(([key]) => fold(key) === fold(id))?.[1];
  }
}

/** Likely answers before the rest, each value once. */
export function answersOf(
  likely: readonly Answer[],
  others: readonly Answer[] = [],
): Pick<Question, 'answers' | 'likely'> {
  const shown = new Set(likely.map(({ value }) => value));
  return { answers: [...likely, ...others.filter(({ value }) => !shown.has(value))], likely: likely.length };
}

/** Beginning of the names of what has no field of its own: other earnings and deductions. */
export const CATCH_ALL = 'other_';

/** Returns the likely answers with the one that leaves something out behind those of a high score, at least the first. */
export function withLeave(likely: readonly Answer[], leave: readonly Answer[]): readonly Answer[] {
  const near = likely.findIndex(({ score = 0 }) => score < DOUBTED);
  const isNone = near < 0 || (likely[0]?.score ?? 0) < LEAST;
  const at = isNone ? likely.length : Math.max(near, 1);
  return [...likely.slice(0, at), ...leave, ...likely.slice(at)];
}

/** The letter of a column: `workers.AI` → AI. */
const nameOf = (id: string): string => id.slice(id.lastIndexOf('.') + 1);

const list = (text: string): readonly string[] =>
  text
    .split(',')
    .map((item) => fold(item.trim()))
    .filter(Boolean);

/** The same title in several sheets of a table is asked about once: an answer is for all of them. */
const onceEach = (open: readonly Question[]): readonly Question[] =>
  firstOfEach(open, ({ id, path }) => [id, ...path].join('\n'));

/** Questions as they are asked: those of a batch as one. */
export function asked(open: readonly Question[], language: Language): readonly Question[] {
  const seen = new Set<string>();
  return onceEach(open).flatMap((question): Question[] => {
    const { batch } = question;
    if (batch === undefined) return [question];
    if (seen.has(batch)) return [];
    seen.add(batch);
    const others = onceEach(open).filter((item) => item !== question && item.batch === batch);
    const members: NonEmpty<Question> = [question, ...others];
    // What is not left out is better asked in its own words where it is alone.
    return [members.length > 1 || isLeftOut(question) ? batchQuestion(batch, members, language) : question];
  });
}

/** Groups of questions that are asked in one go: columns to leave out, columns or codes that seem plain, usual values that no column has. */
type Batch = 'unused' | 'sure' | 'codes' | 'usual';

/** The one question for all of a batch: each has its first answer, but for those that the answer names. */
function batchQuestion(batch: string, members: NonEmpty<Question>, language: Language): Question {
  const names = new Set(members.flatMap(({ id, aliases = [] }) => [id, nameOf(id), ...aliases]).map(fold));
  const [first] = members;
  const out = isLeftOut(first);
  const kind = batch.split('.')[0] as Batch;
  const each = members.map(({ id, aliases: [label = ''] = [], samples, answers }) => ({
    id,
    // Columns go by their letters, other things by what they are called.
    name: kind === 'codes' || kind === 'usual' ? label : nameOf(id),
    label,
    samples,
    answer: answers[0] ?? unreachable('answer'),
  }));
  return {
    id: batch,
    path: first.path,
    members: members.map(({ id }) => id),
    each,
    title: tell(language, kind),
    reason: tell(language, `${kind}But`),
    samples: each.map(({ name, label, samples, answer }) => ({
      cell: name,
      text: [
        out ? label : name === label ? answer.title : `${label} → ${answer.title}`,
        samples.map(({ text }) => text).join(' · '),
      ]
        .filter(Boolean)
        .join(': '),
    })),
    ...answersOf([
      {
        value: out ? IGNORE : 'yes',
        title: tell(language, 'sureAll'),
        also: [...allOf(first)],
        typed: tell(language, 'yes'),
        ...(out && { score: 0.8 }),
      },
    ]),
    free: (text) => (list(text).length > 0 && list(text).every((name) => names.has(name)) ? text : undefined),
  };
}
