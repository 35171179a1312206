import type { SchemaName } from '../../generated/schema-types.js';
import { PROPOSAL, type ProposalParams } from '../../generated/texts-proposal.js';
import type { Language } from '../core/issue.js';
import { getOrAdd, remember } from '../core/remember.js';
import { required } from '../core/required.js';
import { columnLetter, isWild } from '../core/text.js';
import type { Field } from '../mapping/plan.js';
import type { CompiledColumn, CompiledTable } from '../mapping/record.js';
import { resolved, resolveNode, rootNode, schemaNames } from '../schema/registry.js';
import { IGNORE } from '../tables/header.js';
import { holdsOtherClass, knownClasses, looksLikeMoney } from './content.js';
import type { Fit } from './fit.js';
import { type LabelledColumn, readColumns } from './label-texts.js';
import { isMeant, isRepeated, type LabelFit, type MeantLabel, type Reason, shownScore } from './labels.js';
import { statesAgain } from './ordered-amounts.js';
import {
  type Answer,
  type Answering,
  answersOf,
  CATCH_ALL,
  DEFAULT_SCORE,
  type Question,
  takenByLabel,
  tell,
  withLeave,
} from './question.js';
import { samplesOf } from './samples.js';
import type { Uses } from './uses.js';

type Wording = keyof ProposalParams;

const WHY: Partial<Readonly<Record<Reason, Wording>>> = {
  fortnight: 'whyFortnight',
  contested: 'whyContested',
  section: 'whySection',
  content: 'whyContent',
  rival: 'whyRival',
  needed: 'whyNeeded',
  order: 'whyOrder',
};

/** A title of columns that come again with a number is a pattern as well. */
const isPlain = (text: string): boolean => !isWild(text) && !text.includes('{');

/** Returns a column's name as people know it: its first title, with its group. */
export function titleOf({ wanted, id }: CompiledColumn): string {
  const title = wanted?.titles.find(isPlain) ?? id;
  const [group] = wanted?.groups ?? [];
  return group === undefined ? title : `${group} / ${title}`;
}

/** `Nómina!F6` */
export const cellOf = ({ sheet, header, column }: LabelFit): string =>
  `${sheet.name}!${columnLetter(column)}${header.rowOf(column).number}`;

export const labelName = ({ label, group, section }: LabelFit): string =>
  label === undefined ? '' : [section, group, label].filter((text) => text !== undefined).join(' / ');

/** Amounts of several labels make one; what all records must agree on does not. */
const isAdded = (column: CompiledColumn, uses: Uses): boolean =>
  column.type === 'decimal' && !uses.single.has(column);

/** True if the amounts of two columns with one meaning are added up: neither has what the other has already. */
function areAdded(fit: LabelFit, other: LabelFit, id: string, uses: Uses): boolean {
  const column = fit.table.columns.get(id);
  const isAgain = statesAgain(fit, other, id, uses) || statesAgain(other, fit, id, uses);
  return column !== undefined && isAdded(column, uses) && !isAgain;
}

type Filled = Field & { readonly schema: SchemaName };

/** The leaf of the documents that a column fills; what it takes as it is says more than what it is computed from. */
const leafOf = (column: CompiledColumn, fields: readonly Filled[]): Filled | undefined =>
  fields.find(({ sources }) => sources.some(({ named }) => named.includes(column))) ??
  fields.find(({ columns }) =>
    columns.some((otherColumn) => otherColumn === column || otherColumn.feeders.includes(column)),
  );

/** The part of the documents that it is in: `Devengados`; what is only compared with them is in none. */
function groupOf(leaf: Filled | undefined, column: CompiledColumn, language: Language): string {
  const part = leaf && resolveNode(leaf.schema, leaf.keys.length > 1 ? leaf.keys.slice(0, 1) : []);
  return part?.title ?? tell(language, column.kind === 'money' ? 'groupTotals' : 'groupRest');
}

/** `primerNombre` → `Primer nombre` */
function inWords(name: string): string {
  const words = name
    .replaceAll('_', ' ')
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .toLowerCase();
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** `numDocumentoUsuario`, `cantidad`, `DOC_RN` */
const isFieldName = (title: string): boolean =>
  /^([a-z]+([A-Z_][A-Za-z0-9_]*)?|[A-Z]+(_[A-Z0-9]+)+)$/.test(title);

/** `Valor del servicio`; then `Código CUPS` */
const PHRASES = [/^\p{Lu}.* \p{Ll}/u, /^\p{Lu}\p{Ll}{3,} \p{L}/u] as const;

const titlesByFamily = new Map<string, ReadonlyMap<string, string | undefined>>();

/** Returns the titles of the fields of a family by their names; a name with several titles has none. */
const titlesOfFields = (family: string): ReadonlyMap<string, string | undefined> =>
  getOrAdd(titlesByFamily, family, () => {
    const titles = new Map<string, string | undefined>();
    for (const name of schemaNames().filter((schema) => schema.startsWith(`${family}/`)))
      for (const [key, property] of Object.entries(resolved(rootNode(name)).properties ?? {})) {
        const { title } = resolved(property);
        titles.set(key, titles.has(key) && titles.get(key) !== title ? undefined : title);
      }
    return titles;
  });

/** Every column that a label may mean, as an answer. */
function columnAnswers(
  table: CompiledTable,
  { mapping: { target, targets }, uses }: Pick<Fit, 'mapping' | 'uses'>,
  language: Language,
): readonly Answer[] {
  const columns = readColumns(table);
  const fields = targets.flatMap(({ schema, fields }) => fields.map((field) => ({ ...field, schema })));
  const leaves = new Map(columns.map((column) => [column, leafOf(column, fields)]));
  const byName = titlesOfFields(target.slice(0, target.indexOf('/')));
  /** Returns the title of the field that a column is called like, or fills. */
  const fieldTitle = (column: LabelledColumn): string | undefined =>
    byName.get(titleOf(column)) ?? leaves.get(column)?.node.title;
  const titlesOf = (column: LabelledColumn): readonly string[] => column.wanted.titles.filter(isPlain);
  const isOfOne = (title: string, titlesIn: (column: LabelledColumn) => readonly (string | undefined)[]) =>
    columns.filter((column) => titlesIn(column).includes(title)).length === 1;
  const all = columns.map((column): Answer => {
    const titles = titlesOf(column);
    const leaf = leaves.get(column);
    const title = titleOf(column);
    const phrases = PHRASES.flatMap((form) => titles.filter((phrase) => form.test(phrase)));
    const ofField = fieldTitle(column);
    // The name of a field says less than its title, where no other has the same, or than a phrase that people write.
    const said = !isFieldName(title)
      ? title
      : ofField !== undefined && isOfOne(ofField, (other) => [fieldTitle(other)])
        ? ofField
        : (phrases.find((phrase) => isOfOne(phrase, titlesOf)) ?? inWords(title));
    const group = groupOf(leaf, column, language);
    return {
      value: column.id,
      title: said,
      group,
      also: titles,
      ...(isAdded(column, uses) && { adds: true }),
    };
  });
  const groups = [...new Set(all.map(({ group }) => group))];
  return groups.flatMap((group) => all.filter((item) => item.group === group));
}

const remembered = remember((_: CompiledTable): Partial<Record<Language, readonly Answer[]>> => ({}));

/** Returns the fields that a label of a table may mean; those of a table are the same for each of its labels. */
export function answersFor(
  table: CompiledTable,
  fit: Pick<Fit, 'mapping' | 'uses'>,
  language: Language,
): readonly Answer[] {
  const known = remembered(table);
  known[language] ??= columnAnswers(table, fit, language);
  return known[language];
}

/** Field of a table as an answer; `adds` is true if several columns may fill it with their sum. */
interface TableField extends Pick<Answer, 'value' | 'title' | 'group'> {
  readonly adds: boolean;
  /** Destination of a column's amounts; absent if the field is no amount. */
  readonly amountTo?: 'documents' | 'control';
}

/** Returns every field that a label of a table may mean. */
export const fieldsOf = (
  table: CompiledTable,
  fit: Pick<Fit, 'mapping' | 'uses'>,
  language: Language,
): readonly TableField[] =>
  answersFor(table, fit, language).map(({ also: _, adds = false, ...field }) => {
    const column = table.columns.get(field.value);
    const amountTo = column && fit.uses.stated.has(column) ? 'control' : 'documents';
    return { ...field, adds, ...(column?.kind === 'money' && { amountTo }) };
  });

/** Returns the title of the field that a label means; undefined if it means none. */
export function meaningOf(
  { table, means }: LabelFit,
  fit: Pick<Fit, 'mapping' | 'uses'>,
  language: Language,
): string | undefined {
  const field = answersFor(table, fit, language).find(({ value }) => value === means);
  if (means === undefined || field !== undefined) return field?.title;
  const [group, number, id = ''] = means.split('.');
  const column = table.repeated.find((repeated) => repeated.id === group)?.columns.get(id);
  return column && `${titleOf(column)} ${number}`;
}

export const ignoreAnswer = (language: Language): Answer => ({
  value: IGNORE,
  title: tell(language, 'ignore'),
  also: alsoSaid('ignoreWords'),
});

/** Words of an answer, in both languages: people may give either. */
const alsoSaid = (phrase: 'ignoreWords'): readonly string[] =>
  Object.values(PROPOSAL[phrase]).flatMap((words) => words.split(', '));

/**
 * Returns the fields for amounts without one of their own, in the part of the document of the likeliest field, else of
 * the amounts left of a label; behind a total there is none.
 */
function catchAllsFor(fit: LabelFit, { members, stated }: Uses, taken: Claims['taken']): readonly string[] {
  const { sheet, table, column, content, reason, candidates } = fit;
  const [first] = candidates;
  const isLikely = first !== undefined && shownScore(first) >= DEFAULT_SCORE;
  if ((reason !== 'likely' && reason !== 'amounts') || isLikely || !looksLikeMoney(content)) return [];
  const amounts = [...table.columns.values()].filter(({ kind }) => kind === 'money');
  const amountOf = (id: string | undefined): readonly CompiledColumn[] =>
    amounts.filter((other) => other.id === id);
  const left = [...taken.values()]
    .filter((other) => other.sheet === sheet && other.table === table && other.column < column)
    .sort((a, b) => b.column - a.column)
    .flatMap(({ means }) => amountOf(means));
  const beside = [...amountOf(first?.value), ...left].find(
    (other) => stated.has(other) || members.has(other),
  );
  if (beside === undefined || stated.has(beside)) return [];
  const part = members.get(beside);
  return amounts
    .filter((other) => other.id.startsWith(CATCH_ALL))
    .filter((other) => [...(members.get(other) ?? [])].some((member) => part?.has(member)))
    .map(({ id }) => id);
}

/** The question that a label leaves. */
function labelQuestion(
  fit: LabelFit,
  site: Pick<Fit, 'uses' | 'mapping'>,
  language: Language,
  { taken, wanted, likelyFor }: Claims,
): Question {
  const { uses } = site;
  const { id, table, key, candidates, label, sameAs, state } = fit;
  const all = answersFor(table, site, language);
  const byValue = new Map(all.map((answer) => [answer.value, answer]));
  const params = { place: cellOf(fit), label: labelName(fit) };
  const areSums = fit.reason === 'fortnight' || fit.reason === 'contested';
  const first = candidates[0] && table.columns.get(candidates[0].value);
  // Several that Enter would take for the same one by one would be added up, or refused.
  const isShared = state === 'open' && (likelyFor.get(claimOf(fit)) ?? 0) > 1;
  const isOne = fit.reason === 'contested' && first !== undefined && !isAdded(first, uses);
  const reason = isOne ? 'whyOneOnly' : WHY[fit.reason];
  const withTaken = (answer: Answer): Answer => {
    if (areSums && answer.adds) return { ...answer, reason: tell(language, 'sum') };
    const other = taken.get(claimOf(fit, answer.value));
    if (other === undefined || other === fit) return answer;
    const { adds, ...alone } = answer;
    const isSum = adds && areAdded(fit, other, answer.value, uses);
    return takenByLabel(isSum ? answer : alone, labelName(other) || other.key, language);
  };
  const likely = candidates
    .map(({ value, ...candidate }): Answer => {
      const score = Math.min(shownScore({ value, ...candidate }), isShared ? SHARED_SCORE : 1);
      return withTaken({ ...required(byValue, value), score });
    })
    .sort((a, b) => Number(a.takenBy !== undefined) - Number(b.takenBy !== undefined));
  const catchAlls = catchAllsFor(fit, uses, taken);
  const others = all
    .filter(({ value }) => catchAlls.includes(value) && !likely.some((answer) => answer.value === value))
    .map(withTaken);
  const leave = saysKinds(fit, uses) ? [] : [ignoreAnswer(language)];
  // A date that no column takes is left out with the others, once a person has seen it.
  const isAside =
    leave.length > 0 && (state === 'ignored' || (fit.reason === 'likely' && candidates.length === 0));
  return {
    id,
    aliases: [
      ...new Set([labelName(fit) || key, key, ...(label === undefined ? [] : [label]), `${table.id}.${key}`]),
    ],
    path: ['tables', table.id, 'labels', key],
    title: tell(language, label === undefined ? 'blankLabel' : 'label', params),
    ...(reason !== undefined && { reason: tell(language, reason) }),
    ...(sameAs && fit.reason === 'same' && { reason: tell(language, 'whySame', { other: sameAs.label }) }),
    samples: samplesOf(fit, uses),
    ...answersOf(
      isAside
        ? [...leave.map((item) => ({ ...item, score: ASIDE_SCORE })), ...likely]
        : others.length > 0
          ? [...likely, ...others, ...leave]
          : withLeave(likely, leave),
      all.map(withTaken),
    ),
    ...(isAside && { batch: `${UNUSED}.${table.id}` }),
    ...(isSure(fit) &&
      wanted.get(claimOf(fit)) === 1 &&
      likely[0]?.takenBy === undefined && { batch: `${SURE_BATCH}.${table.id}` }),
  };
}

/** True if a column says of which of several kinds each record is: without it all would be of one. */
const saysKinds = ({ table, content }: LabelFit, uses: Uses): boolean =>
  !content.counts &&
  [...table.columns.values()].some(
    (column) => knownClasses(column, content, uses) > 1 || holdsOtherClass(column, content, uses),
  );

/** None of several that would be the same is a default. */
const SHARED_SCORE = 0.69;

/** Batch of labels likely enough to be confirmed together. */
const SURE_BATCH = 'sure';
const AHEAD = 0.1;

/** True if the first answer is plainly the likeliest, and nothing speaks against it. */
function isSure(fit: LabelFit): boolean {
  if (fit.state !== 'open' || fit.reason !== 'likely') return false;
  const [first = 0, second = 0] = fit.candidates.map(shownScore);
  return first >= DEFAULT_SCORE && first - second >= AHEAD;
}

/** Meanings of labels, and the number of open ones with the same likeliest meaning. */
interface Claims {
  /** Label that has the field, by claim. */
  readonly taken: ReadonlyMap<string, LabelFit>;
  readonly wanted: ReadonlyMap<string, number>;
  /** Number of labels that Enter would take for it. */
  readonly likelyFor: ReadonlyMap<string, number>;
}

const claimOf = (fit: LabelFit, value = fit.means ?? fit.candidates[0]?.value): string =>
  [fit.table.id, fit.sheet.source.file, fit.sheet.name, value].join('\n');

/** Columns that look irrelevant are asked about in one go. */
const UNUSED = 'unused';
const ASIDE_SCORE = 0.8;

function answeredLabel(fit: LabelFit, value: string): LabelFit {
  const { means: _, ...rest } = fit;
  if (value === IGNORE)
    return {
      ...rest,
      state: 'ignored',
      reason: ['declined', 'key', 'empty'].includes(fit.reason) ? fit.reason : 'answered',
    };
  return { ...rest, state: 'decided', means: value, reason: fit.means === value ? fit.reason : 'answered' };
}

/** Labels with their answers in place; two that cannot be added up are refused. */
export function answeredLabels(
  labels: readonly LabelFit[],
  fit: Pick<Fit, 'uses' | 'mapping'>,
  language: Language,
  answering: Answering,
): { readonly labels: readonly LabelFit[]; readonly open: readonly Question[] } {
  const { uses } = fit;
  const open: LabelFit[] = [];
  const takenIn = (all: readonly LabelFit[]): ReadonlyMap<string, LabelFit> =>
    new Map(all.flatMap((item) => (item.means === undefined ? [] : [[claimOf(item), item]])));
  const taken = takenIn(labels);
  const counted = (all: readonly LabelFit[]): ReadonlyMap<string, number> => {
    const counts = new Map<string, number>();
    for (const item of all) counts.set(claimOf(item), (counts.get(claimOf(item)) ?? 0) + 1);
    return counts;
  };
  const wanted = counted(labels.filter(({ state }) => state !== 'ignored'));
  const isDefault = ({ state, candidates: [first] }: LabelFit): boolean =>
    state === 'open' && first !== undefined && shownScore(first) > SHARED_SCORE;
  const likelyFor = counted(labels.filter(isDefault));
  /** Returns what the answer to the label that it equals leaves for a label. */
  const leftFor = ({ sameAs }: LabelFit): string | undefined => {
    const other = sameAs && labels.find(({ id }) => id === sameAs.id);
    const claims = { taken, wanted, likelyFor };
    const value = other && answering.answerTo(labelQuestion(other, fit, language, claims));
    return value !== undefined && sameAs?.pair.includes(value)
      ? sameAs.pair.find((id) => id !== value)
      : undefined;
  };
  const answered = labels.map((label): LabelFit => {
    if (isRepeated(label)) return label;
    const question = labelQuestion(label, fit, language, { taken, wanted, likelyFor });
    const value = answering.answerTo(question) ?? leftFor(label);
    if (value === undefined) {
      // What the mapping itself leaves aside, and what holds nothing, is no question.
      if (label.state === 'open' || label.reason === 'text' || label.reason === 'section') open.push(label);
      return label;
    }
    return answeredLabel(label, value);
  });
  const refused = new Set<LabelFit>();
  for (const [first, second] of doubles(answered, uses)) {
    refused.add(second);
    answering.refuse({
      level: 'error',
      code: 'inspect/answer-twice',
      params: {
        id: second.id,
        other: first.id,
        labels: `${labelName(second) || second.key}, ${labelName(first) || first.key}`,
        column: titleOf(required(second.table.columns, second.means)),
      },
      place: {},
      value: `${second.id}=${second.means}`,
    });
  }
  // What the answers took is nobody else's; the order stays, since answers may be given by their numbers.
  const now = { taken: takenIn(answered), wanted, likelyFor };
  return {
    labels: answered.filter((fit) => !refused.has(fit)),
    open: open.map((item) => answering.open(labelQuestion(item, fit, language, now))),
  };
}

/** Pairs of labels of one sheet that mean one column of which there can be no two. */
function doubles(labels: readonly LabelFit[], uses: Uses): (readonly [LabelFit, MeantLabel])[] {
  const seen = new Map<string, LabelFit>();
  return labels.flatMap((fit) => {
    if (!isMeant(fit) || isRepeated(fit)) return [];
    const key = claimOf(fit);
    const first = seen.get(key);
    seen.set(key, first ?? fit);
    const isOne = first && !areAdded(first, fit, fit.means, uses);
    return isOne ? [[first, fit] as const] : [];
  });
}

/** The columns of a table that labels mean. */
export const meantIn = (table: CompiledTable, labels: readonly LabelFit[]): ReadonlySet<string> =>
  new Set(labels.flatMap((fit) => (fit.table === table && fit.means !== undefined ? [fit.means] : [])));
