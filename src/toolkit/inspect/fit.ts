import { listIn, remember } from '../core/remember.js';
import { required } from '../core/required.js';
import { fold } from '../core/text.js';
import { isAsideSection, isForeignSection, isPay } from '../documents/sections.js';
import { distinguishingGroupsOf, straysOf } from '../mapping/classify.js';
import type { LoadedMapping } from '../mapping/load.js';
import { hasDefault } from '../mapping/params.js';
import type { Field } from '../mapping/plan.js';
import { type CompiledColumn, type CompiledTable, isFlat } from '../mapping/record.js';
import { isOpposite, SCORE_LEVELS } from '../tables/label-score.js';
import {
  type Assignment,
  assignSheets,
  type HeadedSheet,
  isHeaderOf,
  isSameHeader,
  type OpenSheet,
  type TableFit,
  withSheetIds,
} from './assign.js';
import { holdsAmounts, knownClasses } from './content.js';
import { hasFullNames, hasSingleWords } from './evidence.js';
import { keyedFor } from './keys.js';
import { readColumns } from './label-texts.js';
import {
  type Candidate,
  isMeant,
  isRepeated,
  type LabelFit,
  likelyColumns,
  type MeantLabel,
  NEARLY,
  shownScore,
  TITLE,
  worthShowing,
} from './labels.js';
import { areInterchangeable, numberIn, numbersOf, ORDERED_PAIRS, statesAgain } from './ordered-amounts.js';
import { DOUBTED, rounded } from './question.js';
import { leads, type Uses, usesOf } from './uses.js';

/** Columns of the pay for the days worked, of the pay for the whole month, and of the days. */
const BY_DAYS: readonly (readonly [paid: string, monthly: string, days: string])[] = [
  ['salary', 'base_salary', 'worked_days'],
];
const DAYS_OF_MONTH = 30;
const SHOWN_BY_AMOUNTS = 0.8;

const columnOf = ({ table }: LabelFit, id: string): CompiledColumn => required(table.columns, id);

/** Returns the columns of decided labels. */
export const decidedColumns = (labels: readonly LabelFit[]): ReadonlySet<CompiledColumn> =>
  new Set(
    labels.flatMap((fit) => {
      if (fit.means === undefined || isRepeated(fit)) return [];
      const column = columnOf(fit, fit.means);
      const { prefix } = column;
      const isShared = prefix && fit.content.filled.some(({ text }) => prefix.of(text) !== undefined);
      const kind = isShared ? fit.table.columns.get(prefix.column) : undefined;
      return kind === undefined ? [column] : [column, kind];
    }),
  );

const isMet = ({ alternatives }: Field, present: ReadonlySet<CompiledColumn>): boolean =>
  alternatives.some((set) => set.every(({ needs }) => needs.every((column) => present.has(column))));

const neededFields = (targets: LoadedMapping['targets']): Field[] =>
  targets.flatMap(({ fields }) => fields.filter(({ needed }) => needed));

/** Returns the leaves that every document needs and no column gives. */
export const unmetNeeds = (
  { targets }: LoadedMapping,
  present: ReadonlySet<CompiledColumn>,
): readonly Field[] => neededFields(targets).filter((field) => !isMet(field, present));

/** Reviews all labels together: a label that is sure alone may not be sure among the others. */
export function reviewLabelFits(
  mapping: LoadedMapping,
  uses: Uses,
  labels: readonly LabelFit[],
): readonly LabelFit[] {
  const labelled = firstOfTwo(labels.map((fit) => ofFewRecords(sayingOther(fit, mapping))));
  const placed = ignoreForeignSections(flagPartialNames(differing(mapping, labelled, uses), uses), uses);
  const settled = resolveProratedSalary(flagDuplicateClaims(placed, uses), uses).map((fit) =>
    underOther(fit, uses),
  );
  // What is asked about already, with a likely answer, is not sought elsewhere.
  const asked = settled.flatMap((fit) =>
    fit.state === 'open'
      ? fit.candidates
          .filter(({ score }) => score >= SCORE_LEVELS.ask)
          .map(({ value }) => columnOf(fit, value))
      : [],
  );
  const decided = decidedColumns(settled);
  const lacking = new Set(
    unmetNeeds(mapping, new Set([...decided, ...asked])).flatMap(({ alternatives, param }) =>
      param === undefined ? alternatives.flat() : [],
    ),
  );
  const inOrder = uses.without.has('out of order') ? settled : alikeEverywhere(outOfOrder(settled));
  return uses.without.has('rival of a need') ? inOrder : inOrder.map((fit) => rivalOfNeed(fit, lacking));
}

const open = (fit: LabelFit, reason: LabelFit['reason'], candidates = fit.candidates): LabelFit => {
  const { means: _, ...rest } = fit;
  return { ...rest, state: 'open', reason, candidates };
};

/** Returns the label as one that a person confirms to be ignored. */
const leftOut = ({ means: _, ...fit }: LabelFit, candidates: LabelFit['candidates']): LabelFit => ({
  ...fit,
  state: 'ignored',
  reason: 'section',
  candidates,
});

/** Returns the candidates with scores too low for a default. */
const capScores = (candidates: readonly Candidate[]): readonly Candidate[] =>
  candidates.map((candidate) => ({ ...candidate, score: Math.min(candidate.score, DOUBTED) }));

/** Difference of a label from the titles of a column of amounts. */
interface ConceptTest {
  /** True if a word may make it another concept: `Prima extralegal`, `Salud IBC`. */
  readonly isOther: boolean;
  /** Id of the opposite column, if the label leaves open which of the two it is (`Bono`). */
  readonly twin?: string;
}

/**
 * Returns what a label that is no title says of a column of amounts: telling words that none of its titles has, words
 * that may not stand next to its concept, and whether it leaves open which of two opposite columns it is.
 */
const conceptTestOf = remember(
  (mapping: LoadedMapping): ((column: CompiledColumn, label: string, words: number) => ConceptTest) => {
    const { members } = usesOf(mapping);
    const { telling: tellingWords, beside } = mapping.synonyms;
    const telling = distinguishingGroupsOf(Object.values(tellingWords).flat());
    const wordsIn = (text: string): readonly string[] => telling(text).split(',').filter(Boolean);
    const titlesOf = ({ wanted }: CompiledColumn): readonly string[] => wanted?.titles ?? [];
    const columns = [...members.keys()];
    const titles = Object.fromEntries(columns.map((column) => [column.id, [...titlesOf(column)]]));
    const strays = straysOf(Object.assign({}, ...Object.values(beside)), titles);
    return (column, label, words) => {
      if ((members.get(column)?.size ?? 0) === 0) return { isOther: false };
      const [first = ''] = titlesOf(column);
      const labelWords = wordsIn(label);
      const known = new Set(titlesOf(column).flatMap(wordsIn));
      const isStrange = labelWords.some((word) => !known.has(word));
      if (words >= SCORE_LEVELS.alone) return { isOther: isStrange };
      const twin = columns.find(
        (other) =>
          other !== column &&
          other.tableIndex === column.tableIndex &&
          other.wanted !== undefined &&
          !isOpposite(label, other.wanted) &&
          titlesOf(other).some(
            (title) => fold(title) !== fold(first) && withoutNo(title) === withoutNo(first),
          ),
      );
      const isOneOfTwo = twin !== undefined && wordsIn(first).some((word) => !labelWords.includes(word));
      // Of words run together (`RETEFU`) none stands beside another.
      const isStray = /\s/.test(label) && strays(column.id, label);
      const isOther = isStrange || isStray || isOneOfTwo;
      return { isOther, ...(isOneOfTwo && { twin: twin.id }) };
    };
  },
);

const withoutNo = (title: string): string => fold(title).replace(/\bnon? /, '');

const isDate = ({ type }: CompiledColumn): boolean => type === 'date' || type === 'datetime';

/** True if titles of several dates begin with the label: `Fecha`, `Fecha inicio`. */
function isAnyDate({ table }: LabelFit, label: string): boolean {
  const begins = `${fold(label)} `;
  const dates = [...table.columns.values()].filter(
    (column) => isDate(column) && column.wanted?.titles.some((title) => fold(title).startsWith(begins)),
  );
  return dates.length > 1;
}

/** Returns the label without a default where it says more, or less, than what it resembles. */
function sayingOther(fit: LabelFit, mapping: LoadedMapping): LabelFit {
  const { label, state } = fit;
  if (state === 'ignored' || label === undefined || fit.isTitled) return fit;
  const [best] = fit.candidates;
  if (best === undefined || best.words >= TITLE) return fit;
  const isLikely = best.score >= SCORE_LEVELS.ask;
  const column = columnOf(fit, best.value);
  if (column.kind !== 'money') {
    const isAny = isLikely && state === 'open' && isDate(column) && isAnyDate(fit, label);
    return isAny ? open(fit, 'rival', capScores(fit.candidates)) : fit;
  }
  const { isOther, twin } = conceptTestOf(mapping)(column, label, best.words);
  if (!isOther) return fit;
  const [first = best, ...others] = capScores(fit.candidates);
  const isKnown = twin === undefined || others.some(({ value }) => value === twin);
  const both = isKnown ? [first, ...others] : [first, { ...first, value: twin }, ...others];
  return isLikely ? open(fit, 'rival', both) : { ...fit, candidates: both };
}

/** Returns the candidates without a default among columns whose values cannot be added up. */
function undefaulted(fit: LabelFit, uses: Uses): readonly Candidate[] {
  return fit.candidates
    .map((candidate) =>
      uses.single.has(columnOf(fit, candidate.value))
        ? { ...candidate, score: Math.min(candidate.score, DOUBTED) }
        : candidate,
    )
    .sort((a, b) => shownScore(b) - shownScore(a));
}

/**
 * Drops candidates that a document has once from labels that differ within documents: the code of a concept is no
 * municipality.
 */
function differing(
  { mains, key }: LoadedMapping,
  labels: readonly LabelFit[],
  { alike, classes, names, nameParts, personal, without }: Uses,
): readonly LabelFit[] {
  if (without.has('differs within documents')) return labels;
  const isName = (column: CompiledColumn): boolean =>
    nameParts.has(column) || names.some((name) => name.column === column);
  return labels.map((fit) => {
    const keys = labels.filter(
      ({ sheet, table, means }) => sheet === fit.sheet && table === fit.table && key.includes(means ?? ''),
    );
    if (fit.state === 'ignored' || !mains.includes(fit.table) || keys.length === 0) return fit;
    // The kind of a record differs, whatever else follows from it. A person has one name, whatever else tells documents apart.
    const isWhole = keys.length >= key.length;
    const isOfPerson = keys.some(({ means }) => means !== undefined && personal.has(columnOf(fit, means)));
    const isAlike = (value: string): boolean => {
      const column = columnOf(fit, value);
      return (isOfPerson && isName(column)) || (isWhole && alike.has(column) && !classes.has(column));
    };
    if (fit.means !== undefined && (!isAlike(fit.means) || !differs(fit, keys, 2))) return fit;
    const candidates = fit.candidates.filter(({ value }) => !isAlike(value));
    if (fit.means !== undefined) return open(fit, 'content', candidates);
    return candidates.length < fit.candidates.length && differs(fit, keys, 1) ? { ...fit, candidates } : fit;
  });
}

/** True if most documents of several records, and so many of them, have several texts under a label. */
function differs({ content }: LabelFit, keys: readonly LabelFit[], least: number): boolean {
  const keyOf = new Map<number, string>();
  for (const { row, text } of keys.flatMap((otherKey) => otherKey.content.filled))
    keyOf.set(row, `${keyOf.get(row) ?? ''} ${text}`);
  const texts = new Map<string, string[]>();
  for (const { row, text } of content.filled) {
    const key = keyOf.get(row) ?? '';
    const found = texts.get(key);
    if (found === undefined) texts.set(key, [text]);
    else found.push(text);
  }
  const several = [...texts.values()].filter(({ length }) => length > 1);
  const differing = several.filter((group) => new Set(group).size > 1).length;
  return differing >= least && differing > several.length / 2;
}

/** Reopens names that are only part of a name, next to surnames or as single words: `NOMBRE` next to `APELLIDOS`. */
function flagPartialNames(labels: readonly LabelFit[], uses: Uses): readonly LabelFit[] {
  const { names, without } = uses;
  if (without.has('full name beside its parts')) return labels;
  return labels.map((fit) => {
    const fullName = names.find(({ column }) => fit.table.columns.get(column.id) === column);
    const isFullName = ({ value }: Candidate): boolean => value === fullName?.column.id;
    if (fit.state === 'decided' && fit.means !== fullName?.column.id) return fit;
    if (fullName === undefined || !fit.candidates.some(isFullName) || hasFullNames(fit.content)) return fit;
    const isBeside = labels.some(
      (other) =>
        other.sheet === fit.sheet &&
        other.table === fit.table &&
        other !== fit &&
        fullName.instead.some(({ id }) => likelyColumns([other]).has(id)),
    );
    if (!isBeside && !hasSingleWords(fit.content)) return fit;
    const candidates = fit.candidates
      .map((candidate) =>
        isFullName(candidate) ? { ...candidate, score: Math.min(candidate.score, NEARLY) } : candidate,
      )
      .sort((a, b) => shownScore(b) - shownScore(a));
    if (fit.means === fullName.column.id) return open(fit, 'rival', candidates);
    return fit.state === 'open' ? { ...fit, candidates } : fit;
  });
}

/** Columns of the first part of a name, of both parts in one cell, and of the second part. */
const PARTS_OF_TWO: readonly (readonly [first: string, both: string, second: string])[] = [
  ['surname', 'surnames', 'second_surname'],
  ['first_name', 'names', 'middle_name'],
  ['primerApellido', 'apellidos', 'segundoApellido'],
  ['primerNombre', 'nombres', 'segundoNombre'],
];

/** Decides that `Apellido` next to `2º apellido` is the first surname. */
function firstOfTwo(labels: readonly LabelFit[]): readonly LabelFit[] {
  return labels.map((fit) => {
    if (fit.state !== 'open') return fit;
    const { candidates } = fit;
    const [first] =
      PARTS_OF_TWO.find(
        ([first, both, second]) =>
          candidates.some(({ value, score }) => value === first && score >= SCORE_LEVELS.ask) &&
          candidates.some(({ value }) => value === both || value === second) &&
          labels.some(
            (other) => other.sheet === fit.sheet && other.table === fit.table && other.means === second,
          ),
      ) ?? [];
    return first === undefined ? fit : { ...fit, state: 'decided', means: first, reason: 'words' };
  });
}

/** Columns that every record fills, each with the column meant if few records do. */
const OF_ALL_RECORDS: Readonly<Record<string, string | undefined>> = {
  period_start: 'novelty_start',
  period_end: 'novelty_end',
  admission_date: 'retirement_date',
};

/** Share of the records that a column of all of them has at least. */
const OF_ALL = 0.5;

/** Reopens dates that few records have: those of novelties, not of the period, or of leaving, not of admission. */
function ofFewRecords(fit: LabelFit): LabelFit {
  const { content, header, state, means } = fit;
  if (state === 'ignored' || content.filled.length >= header.data.length * OF_ALL) return fit;
  const id = means ?? fit.candidates.find(({ score }) => score >= SCORE_LEVELS.ask)?.value;
  const other = id === undefined ? undefined : OF_ALL_RECORDS[id];
  if (other === undefined || !fit.table.columns.has(other)) return fit;
  const [best] = fit.candidates;
  if (best === undefined) return fit;
  const rest = fit.candidates.filter(({ value }) => value !== other && value !== id);
  return open(fit, 'likely', [{ ...best, value: other, score: SHOWN_BY_AMOUNTS }, ...capScores(rest)]);
}

/** Reopens labels that claim the same column; a column that cannot be added up is no default. */
function flagDuplicateClaims(labels: readonly LabelFit[], uses: Uses): readonly LabelFit[] {
  const claims = new Map<string, LabelFit[]>();
  const claimedBy = (fit: LabelFit): string | undefined => {
    if (fit.means !== undefined || fit.state !== 'open') return fit.means;
    const [first] = fit.candidates;
    const isStated = first !== undefined && uses.stated.has(columnOf(fit, first.value));
    return fit.half !== undefined || isStated ? first?.value : undefined;
  };
  const claim = (fit: LabelFit): string => {
    const value = claimedBy(fit);
    return value === undefined
      ? ''
      : `${fit.sheet.source.file}\n${fit.sheet.name}\n${fit.table.id}\n${value}`;
  };
  for (const fit of labels) listIn(claims, claim(fit)).push(fit);
  return labels.map((fit) => {
    if (uses.without.has('claimed twice')) return fit;
    const rivals = listIn(claims, claim(fit));
    const value = claimedBy(fit);
    if (value === undefined || rivals.length < 2) return fit;
    if (fit.half !== undefined) return open(fit, 'fortnight', undefaulted(fit, uses));
    const others = rivals.filter((other) => other !== fit);
    const isAgain = (of: LabelFit, other: LabelFit): boolean => statesAgain(of, other, value, uses);
    const isBefore = (other: LabelFit): boolean =>
      other.columns.length > fit.columns.length || rivals.indexOf(other) < rivals.indexOf(fit);
    if (others.some((other) => isAgain(fit, other) && isBefore(other))) return leftOut(fit, fit.candidates);
    if (fit.means === undefined || others.every((other) => isAgain(other, fit))) return fit;
    // Two names for one thing may as well be two things: neither is taken unread.
    return open(fit, 'contested', capScores(fit.candidates));
  });
}

/** Tells by the amounts and the days which of two labels that claim one column is the pay of the days worked. */
function resolveProratedSalary(labels: readonly LabelFit[], { without }: Uses): readonly LabelFit[] {
  if (without.has('paid by the days')) return labels;
  const shown = new Map<LabelFit, string>();
  for (const [paid, monthly, days] of BY_DAYS)
    for (const count of labels.filter(isMeant).filter(({ means }) => means === days)) {
      const inTable = labels.filter(({ sheet, table }) => sheet === count.sheet && table === count.table);
      // Candidates of others are not worked out for it.
      const isRival = (fit: LabelFit): boolean =>
        fit.reason === 'contested' &&
        [paid, monthly].every((id) => fit.candidates.some(({ value }) => value === id));
      const [first, second, ...others] = inTable.filter(isRival);
      const isTaken = inTable.some(({ means }) => means === paid || means === monthly);
      if (first === undefined || second === undefined || others.length > 0 || isTaken) continue;
      const month = monthlyOf(first, second, count, monthly);
      if (month === undefined) continue;
      shown.set(month, monthly).set(month === first ? second : first, paid);
    }
  return labels.map((fit) => {
    const id = shown.get(fit);
    if (id === undefined) return fit;
    const candidates = fit.candidates.map((candidate) =>
      candidate.value === id
        ? { ...candidate, score: SHOWN_BY_AMOUNTS }
        : { ...candidate, score: Math.min(candidate.score, NEARLY) },
    );
    return open(fit, 'likely', worthShowing(candidates));
  });
}

/** Returns which of two labels is the amount of the whole month, of which the other is the share of the days worked. */
function monthlyOf(a: LabelFit, b: LabelFit, count: MeantLabel, monthly: string): LabelFit | undefined {
  const amounts = [a, b].map((fit) => numbersOf(fit, monthly));
  let byFirst = 0;
  let bySecond = 0;
  let differing = 0;
  for (const [row, of] of numbersOf(count, count.means)) {
    const [first, second] = amounts.map((all) => all.get(row) ?? 0) as [number, number];
    if (first === second || first === 0 || second === 0) continue;
    differing += 1;
    const isPart = (part: number, all: number): boolean =>
      Math.abs(part - (all * of) / DAYS_OF_MONTH) <= all / (DAYS_OF_MONTH * 10);
    if (isPart(second, first)) byFirst += 1;
    if (isPart(first, second)) bySecond += 1;
  }
  if (differing > 0) {
    if (byFirst > 0 && bySecond > 0) return undefined;
    return byFirst > differing / 2 ? a : bySecond > differing / 2 ? b : undefined;
  }
  return a.column < count.column && count.column < b.column ? a : undefined;
}

const groupsOver = ({ group, section }: LabelFit): readonly string[] =>
  [group, section].flatMap((text) => text ?? []);

/** Ignores amounts under a group that is not a worker's pay, if the file has pay elsewhere; a person confirms it once. */
function ignoreForeignSections(labels: readonly LabelFit[], uses: Uses): readonly LabelFit[] {
  const payOf = (fit: LabelFit): 'pay' | 'other' | undefined => {
    const value = fit.means ?? fit.candidates[0]?.value;
    if (value === undefined) return holdsAmounts(fit.content) ? 'pay' : undefined;
    const column = columnOf(fit, value);
    if (column.kind !== 'money' || uses.stated.has(column)) return 'other';
    return isPay([...(uses.members.get(column) ?? [])]) ? 'pay' : 'other';
  };
  const isForeign = (fit: LabelFit): boolean => groupsOver(fit).some(isAsideSection);
  if (!labels.some(isForeign)) return labels;
  const ownPay = new Set(labels.flatMap((fit) => (!isForeign(fit) && payOf(fit) === 'pay' ? fit.table : [])));
  return labels.map((fit) => {
    const isOut = fit.state !== 'ignored' && isForeign(fit) && ownPay.has(fit.table) && payOf(fit) === 'pay';
    if (!isOut) return fit;
    return leftOut(fit, capScores(fit.candidates));
  });
}

/**
 * Reopens an amount under a group that is not of the month or of another member: `PROVISIONES / Comisiones`,
 * `DEVENGADOS / Anticipos`.
 */
function underOther(fit: LabelFit, uses: Uses): LabelFit {
  const { table } = fit;
  const over = groupsOver(fit);
  const means = fit.means ?? (fit.reason === 'likely' ? fit.candidates[0]?.value : undefined);
  if (means === undefined || over.length === 0) return fit;
  const column = columnOf(fit, means);
  const isOwn = ({ wanted }: CompiledColumn): boolean =>
    wanted?.groups?.some((name) => over.some((text) => fold(name) === fold(text))) === true;
  if (column.kind !== 'money' || isOwn(column)) return fit;
  const membersOf = (first: CompiledColumn): readonly string[] => [...(uses.members.get(first) ?? [])];
  const under = new Set([...table.columns.values()].filter(isOwn).flatMap(membersOf));
  const members = membersOf(column);
  const belongsElsewhere =
    under.size > 0 && members.length > 0 && !members.some((member) => under.has(member));
  const isForeign = !uses.stated.has(column) && isPay(members) && over.some(isForeignSection);
  return belongsElsewhere || isForeign ? open(fit, 'section', capScores(fit.candidates)) : fit;
}

/** Reopens a decided label that could be a needed column that no label has: `SUELDO` without another salary. */
function rivalOfNeed(fit: LabelFit, lacking: ReadonlySet<CompiledColumn>): LabelFit {
  const isHere = (column: CompiledColumn): boolean => fit.table.columns.get(column.id) === column;
  if (fit.state !== 'decided' || ![...lacking].some(isHere)) return fit;
  const rival = fit.candidates.find(
    ({ value, score, agreement: agreed }) =>
      value !== fit.means && score >= NEARLY && agreed === 'agrees' && lacking.has(columnOf(fit, value)),
  );
  return rival === undefined ? fit : open(fit, 'needed');
}

/** Reopens two columns that seem exchanged, by their amounts. */
function outOfOrder(labels: readonly LabelFit[]): readonly LabelFit[] {
  const wrong = new Set<LabelFit>();
  for (const [small, large] of ORDERED_PAIRS)
    for (const less of labels.filter(({ means }) => means === small))
      for (const more of labels.filter(({ means, sheet }) => means === large && sheet === less.sheet))
        if (exceeds(less, small, more, large)) wrong.add(less).add(more);
  return labels.map((fit) => {
    if (!wrong.has(fit)) return fit;
    const other = ORDERED_PAIRS.flatMap((pair) => (pair.some((id) => id === fit.means) ? pair : []));
    const [turned] = other.filter((id) => id !== fit.means);
    return open(
      fit,
      'order',
      worthShowing(
        capScores(fit.candidates).map((item) =>
          item.value === fit.means
            ? { ...item, score: NEARLY }
            : item.value === turned
              ? { ...item, score: DOUBTED }
              : item,
        ),
      ),
    );
  });
}

/** Reopens two columns that are equal in every record and could be either of an ordered pair: this month cannot tell. */
function alikeEverywhere(labels: readonly LabelFit[]): readonly LabelFit[] {
  return labels.map((fit) => {
    for (const pair of ORDERED_PAIRS) {
      const other = labels.find(
        (otherLabel) => otherLabel !== fit && areInterchangeable(pair, fit, otherLabel),
      );
      if (other === undefined) continue;
      const { id, label = '' } = other;
      const candidates = capScores([...fit.candidates, ...missingOf(pair, fit)]);
      return { ...open(fit, 'same', candidates), sameAs: { id, label, pair } };
    }
    return fit;
  });
}

/** Returns the columns of a pair that a label is not offered, scored as its best candidate. */
const missingOf = (pair: readonly string[], { candidates: [best, ...others] }: LabelFit): Candidate[] =>
  best === undefined
    ? []
    : pair
        .filter((id) => ![best, ...others].some(({ value }) => value === id))
        .map((value) => ({ ...best, value, score: NEARLY }));

/** True if the amounts that should be less are more in some record, and less in none. */
function exceeds(less: LabelFit, small: string, more: LabelFit, large: string): boolean {
  const cells = new Map(more.content.filled.map((cell) => [cell.row, cell]));
  let above = 0;
  let below = 0;
  for (const cell of less.content.filled) {
    const other = cells.get(cell.row);
    if (other === undefined) continue;
    const a = numberIn(less, small, cell.text, cell.kind === 'number' ? 'number' : 'text');
    const b = numberIn(more, large, other.text, other.kind === 'number' ? 'number' : 'text');
    if (a > b) above += 1;
    else if (a < b) below += 1;
  }
  return above > below;
}

/** Returns all columns of the flat files of a fit. */
export const flatColumns = (tables: readonly TableFit[]): ReadonlySet<CompiledColumn> =>
  new Set(tables.flatMap(({ table }) => (isFlat(table) ? readColumns(table) : [])));

/** Fit of a ready-made mapping to the files. */
export interface Fit extends Assignment {
  /** Name of the mapping, as `extends` and `-m` take it. */
  readonly name: string;
  readonly mapping: LoadedMapping;
  readonly description: LoadedMapping['spec']['description'];
  readonly uses: Uses;
  readonly labels: readonly LabelFit[];
  /** Score from 0 to 1. */
  readonly score: number;
  /** Number of tables of the mapping that the files lack. */
  readonly spare: number;
  /** Number of amounts that every document needs and no column gives. */
  readonly lacking: number;
}

/** Min score of a layout that is meant, and min distance to the next one. */
const LAYOUT_LEVELS = { enough: 0.5, margin: 0.1 } as const;

/** Weight of a column of amounts, and of one that names each document; losing one makes a wrong document. */
const AMOUNT = 3;
const UNIQUE = 6;

/** Min length of a code that names one document only, such as a CUFE. */
const UNIQUE_CODE = 64;

const areUnique = ({ filled }: LabelFit['content']): boolean =>
  filled.every(({ text }) => text.length >= UNIQUE_CODE && !/\s/.test(text));

const weightOf = (content: LabelFit['content']): number =>
  content.filled.length === 0 ? 0 : areUnique(content) ? UNIQUE : holdsAmounts(content) ? AMOUNT : 1;

/** Share of what the sheets hold that the mapping has a place for. */
function explained({ tables, open, unused }: Assignment, uses: Uses): number {
  let known = 0;
  let all = 0;
  for (const { labels, table, header } of tables) {
    const flat = isFlat(table) ? sum(header.contents.map(weightOf)) : 0;
    known += flat;
    all += flat;
    for (const fit of labels) {
      all += weightOf(fit.content);
      // Cells that contradict the title, such as codes of procedures under that of consultations, have no place.
      if (fit.state === 'open' && fit.reason === 'content') continue;
      const means = [...likelyColumns([fit])].flatMap((id) => table.columns.get(id) ?? []);
      if (fit.reason === 'declined' || fit.reason === 'key' || means.some((column) => leads(column, uses)))
        known += weightOf(fit.content);
    }
  }
  for (const { header } of open) all += sum(header.contents.map(weightOf)) / 2;
  for (const { header } of unused) if (header !== undefined) all += sum(header.contents.map(weightOf));
  return all === 0 ? 0 : known / all;
}

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);

/** Factor of the score if a table lacks a column of its header. */
const UNFOUND = 0.8;

/** Factor of the score if a table lacks its join. */
const JOINED_BY_OTHER = 0.95;

/** True if a sheet is joined by a shared key that the mapping does not know. */
const hasOwnKey = ({ header: { shared } }: TableFit): boolean => shared?.home !== undefined;

/** Factor of the score of a mapping whose records a person must name, if the files have other sheets, or whose sheet a person must say. */
const NOT_ALONE = 0.5;

export function fitMapping(
  name: string,
  mapping: LoadedMapping,
  sheets: readonly HeadedSheet[],
  uses = usesOf(mapping),
): Fit {
  const assignment = assignSheets(mapping, uses, keyedFor(mapping, sheets));
  const assigned = { ...assignment, tables: withSheetIds(assignment.tables) };
  const labels = reviewLabelFits(
    mapping,
    uses,
    assigned.tables.flatMap((fit) => fit.labels),
  );
  const tables = assigned.tables.map((fit) => ({
    ...fit,
    labels: labels.filter(({ sheet, table }) => sheet === fit.sheet && table === fit.table),
  }));
  const likely = new Set([
    ...flatColumns(tables),
    ...tables.flatMap((fit) =>
      [...likelyColumns(fit.labels)].flatMap((id) => fit.table.columns.get(id) ?? []),
    ),
  ]);
  const needs = neededFields(mapping.targets).filter(({ param }) => param === undefined);
  const unmet = unmetNeeds(mapping, likely).filter(({ param }) => param === undefined);
  const covered = needs.length === 0 ? 1 : 1 - unmet.length / needs.length;
  const isRead = (main: CompiledTable): boolean => {
    const [first, ...others] = tables.filter(
      ({ table, sheet }) => table === main && (main.spec.json !== undefined) === (sheet.source.json === true),
    );
    if (first === undefined || !main.spec.spread) return first !== undefined;
    return others.some(({ header }) => !isSameHeader(header, first.header));
  };
  const isThere = (main: CompiledTable): boolean =>
    isRead(main) ||
    assigned.open.some(({ candidates }) => candidates.some(({ table }) => table === main && isFlat(table)));
  const isFound =
    mapping.mains.some(isThere) && mapping.mains.every((main) => main.spec.optional || isThere(main));
  // A file whose labels say nothing may hold the main table of the mapping that reads the others.
  const isMaybe = tables.length > 0 && assigned.open.some((item) => isOfOwnFile(item, tables));
  const found = isFound ? 1 : isMaybe ? NOT_ALONE : 0;
  const isKnown = (fit: TableFit): boolean => !mapping.mains.includes(fit.table) || isHeaderOf(fit);
  const known = (tables.every(isKnown) ? 1 : UNFOUND) * (tables.some(hasOwnKey) ? JOINED_BY_OTHER : 1);
  const isRest = assigned.open.length > 0 || assigned.unused.some(({ header }) => header !== undefined);
  // With people and several kinds of service apart, a layout that knows each kind by its sheet is meant.
  const isMany = tables.length > 2;
  const alone = !isToBeSaid({ mapping }) ? 1 : isRest ? NOT_ALONE : isMany ? UNFOUND : 1;
  const score =
    found && explained({ ...assigned, tables }, uses) * (0.5 + covered / 2) * known * alone * found;
  const tableCount = [...mapping.tables.values()].filter(({ spec }) => spec.param === undefined).length;
  return {
    name,
    mapping,
    description: mapping.spec.description,
    uses,
    ...assigned,
    tables,
    labels,
    score: rounded(score),
    spare: tableCount - new Set(tables.map(({ table }) => table)).size,
    lacking: unmet.filter(isOfMoney).length,
  };
}

const isOfMoney = ({ alternatives }: Field): boolean =>
  alternatives.flat().some(({ kind }) => kind === 'money');

/** True if a person must say of which kind the records are. */
const isToBeSaid = ({ mapping }: Pick<Fit, 'mapping'>): boolean =>
  Object.values(mapping.spec.params ?? {}).some(
    (param) => param.type === 'choice' && !hasDefault(param) && param.optional !== true,
  );

/** Returns how near the titles of the mapping are to those of the files. */
const nearness = ({ labels }: Fit): number =>
  sum(
    labels.map((fit) =>
      fit.isTitled ? TITLE : fit.means === undefined ? 0 : (fit.candidates[0]?.words ?? 1),
    ),
  );

/**
 * Orders fits, best first; of equal ones that with fewer missing tables, then with nearer titles. Near the best, a
 * mapping that sorts as the file does precedes.
 */
export function rankFits(fits: readonly Fit[]): readonly Fit[] {
  const sorted = [...fits].sort(
    (a, b) => b.score - a.score || a.spare - b.spare || nearness(b) - nearness(a),
  );
  const said = preceding(
    sorted,
    (item, best) => isLikely(item) && isNear(item, best) && !isToBeSaid(item) && knowsAll(item, best),
  );
  const ranked = preceding(
    said,
    (item, best) => isLikely(item) && isNear(item, best) && lacksLess(item, best),
  );
  const [best] = ranked;
  const better = ranked.filter(
    (item) => best !== undefined && isLikely(item) && isNear(item, best) && sortsBetter(item, best),
  );
  const [first] = better.sort(
    (a, b) => sorting(b) - sorting(a) || Number(isToBeSaid(a)) - Number(isToBeSaid(b)),
  );
  return first === undefined ? ranked : preceding(ranked, (item) => item === first);
}

/** Puts the first fit of which something is true in comparison with the best one before all others. */
function preceding(fits: readonly Fit[], isBetter: (item: Fit, best: Fit) => boolean): readonly Fit[] {
  const [best] = fits;
  const first = best && fits.find((item) => isBetter(item, best));
  return first === undefined ? fits : [first, ...fits.filter((item) => item !== first)];
}

/** True if a layout has columns for amounts that every document needs, where another one has none. */
const lacksLess = (first: Fit, other: Fit): boolean => first.lacking < other.lacking;

const isNear = (other: Fit, best: Fit): boolean => other.score > best.score - LAYOUT_LEVELS.margin;

/** True if a fit reads, ignores or asks for all labels that another one reads. */
function knowsAll(first: Fit, other: Fit): boolean {
  const isKnown = ({ state, reason }: LabelFit): boolean => state === 'decided' || reason === 'declined';
  const cellOf = ({ sheet, column }: LabelFit): string => [sheet.source.file, sheet.name, column].join('\n');
  const known = new Set(first.labels.filter(isKnown).map(cellOf));
  const ids = new Set(first.tables.flatMap(({ table }) => [...table.columns.keys()]));
  return other.labels.every(
    (fit) =>
      fit.means === undefined ||
      fit.content.filled.length === 0 ||
      known.has(cellOf(fit)) ||
      ids.has(fit.means),
  );
}

const mainTables = ({ tables, mapping }: Fit): readonly TableFit[] =>
  tables.filter(({ table }) => mapping.mains.includes(table));

/**
 * Returns 1 if a mapping sorts records by words of several classes, -1 if the words are of one class at most, 0 if it
 * does not sort.
 */
function sorting(fit: Fit): number {
  const found = mainTables(fit).flatMap(({ table, labels }) =>
    (table.spec.header?.must_have ?? []).flatMap((id) => {
      const column = required(table.columns, id);
      if (!fit.uses.classes.has(column)) return [];
      const meaning = labels.filter((label) => likelyColumns([label]).has(id));
      return Math.max(0, ...meaning.map(({ content }) => knownClasses(column, content, fit.uses)));
    }),
  );
  return found.length === 0 ? 0 : Math.max(...found) > 1 ? 1 : -1;
}

/** True if a fit sorts the records as the file does and the other does not, and both take the same sheets. */
function sortsBetter(fit: Fit, other: Fit): boolean {
  if (isToBeSaid(fit) && !isToBeSaid(other)) return false;
  const sheets = mainTables(fit).map(({ sheet }) => sheet);
  const others = mainTables(other).map(({ sheet }) => sheet);
  const areSame = sheets.length === others.length && sheets.every((sheet) => others.includes(sheet));
  return areSame && sorting(fit) > sorting(other);
}

/**
 * True if a fit decides every label that another one decides alike, or asks with the same answer first; a key that
 * sheets share is as a number that joins them.
 */
function includes(more: Fit, less: Fit): boolean {
  const found = new Map(more.labels.map((fit) => [placeOf(fit), fit]));
  const isAlike = (fit: LabelFit): boolean => {
    const other = found.get(placeOf(fit));
    return (
      fit.means === undefined ||
      other?.means === fit.means ||
      (other?.state === 'open' && other.candidates[0]?.value === fit.means) ||
      (other?.reason === 'key' && less.uses.links.has(columnOf(fit, fit.means)))
    );
  };
  return (
    more.open.every(({ sheet }) => less.unused.some((item) => item.sheet === sheet)) &&
    less.tables.every(({ sheet, table }) =>
      more.tables.some((otherTable) => otherTable.sheet === sheet && otherTable.table.id === table.id),
    ) &&
    less.labels.every(isAlike)
  );
}

const placeOf = ({ sheet, table, column }: LabelFit): string =>
  [sheet.source.file, sheet.name, table.id, column].join('\n');

/** True if the better fit excludes the other: `multi-sheet` over one sheet is `wide`, corrections are more than a payroll. */
const isNoRival = (best: Fit, other: Fit): boolean =>
  includes(best, other) && (best.mapping.target === other.mapping.target || !includes(other, best));

/** True if a mapping reads enough of the files to be the one that is meant. */
export const isLikely = ({ score }: Fit): boolean => score >= LAYOUT_LEVELS.enough;

/** True if no table is in the file of a sheet. */
const isOfOwnFile = (
  { sheet: { input } }: Pick<HeadedSheet, 'sheet'>,
  tables: readonly TableFit[],
): boolean => tables.every((fit) => fit.sheet.input !== input);

/** Returns the layout that is plainly meant; undefined if it must be asked. */
export function clearFit(ranked: readonly Fit[]): Fit | undefined {
  const [best, ...others] = ranked;
  if (best === undefined || !isLikely(best)) return undefined;
  // Records of JSON are what they are: of two that read them, one wants a table that is not there.
  if (best.mapping.mains.some(({ spec }) => spec.json)) return best;
  // A file that it reads nothing of is part of what another one reads.
  const left = best.unused.filter((item) => isOfOwnFile(item, best.tables));
  const isLeft = ({ sheet, candidates }: OpenSheet): boolean =>
    left.some(
      (item) => item.sheet === sheet && (item.header ?? candidates.some(({ table }) => isFlat(table))),
    );
  if (others.some(({ open }) => open.some(isLeft))) return undefined;
  const near = others.filter((other) => isNear(other, best));
  const isAside = (other: Fit): boolean =>
    sortsBetter(best, other) ||
    lacksLess(best, other) ||
    isNoRival(best, other) ||
    (isToBeSaid(other) && !isToBeSaid(best)) ||
    (other.tables.some(hasOwnKey) && !best.tables.some(hasOwnKey));
  return near.every(isAside) ? best : undefined;
}
