import type { Place } from '../core/issue.js';
import { baseName, columnLetter, fold, similarity, wildcard } from '../core/text.js';
import { beginsWithLabels } from '../documents/locate.js';
import type { LoadedMapping } from '../mapping/load.js';
import {
  type CompiledColumn,
  type CompiledTable,
  isFlat,
  joiningColumns,
  MOST_CELLS,
} from '../mapping/record.js';
import { fortnightIn, fortnightOf } from '../tables/fortnight.js';
import {
  inPart,
  labelForms,
  letteredLabel,
  numberedMatcher,
  partNamer,
  squashLabel,
  titleMatcher,
  type WantedColumn,
} from '../tables/header.js';
import {
  commonName,
  GROUPS_ALIKE,
  labelsToCompare,
  SCORE_LEVELS,
  scoreLabel,
  wordsOfName,
} from '../tables/label-score.js';
import {
  type Content,
  contentOf,
  holdsAmounts,
  holdsAnswers,
  knownClasses,
  knownWords,
  looksLikeDocuments,
} from './content.js';
import {
  type Agreement,
  agreement,
  isBesideItem,
  isFound as isFoundByCells,
  type Support,
  supportsOf,
  totalsAmong,
  weightOf,
} from './evidence.js';
import { DOUBTED, rounded, type Sample } from './question.js';
import { abbreviations, type FoundHeader, noHeader, type Sheet } from './sheets.js';
import type { Uses } from './uses.js';

/** How much a label over a group of its own is worth less than one that group and label spell out together. */
const LESS_SPECIFIC = 0.2;

const NEARLY_ALONE = SCORE_LEVELS.alone - 0.04;

/** Column → label → score: labels of sheets repeat, and mappings share their titles. */
const known = new Map<string, Map<string, number>>();
const ofWanted = new WeakMap<WantedColumn, Map<string, number>>();

/** What is known of all columns with the titles of this one. */
function scoresFor(wanted: WantedColumn): Map<string, number> {
  let scores = ofWanted.get(wanted);
  if (scores === undefined) {
    const key = JSON.stringify([wanted.id, wanted.titles, wanted.groups]);
    scores = known.get(key) ?? new Map<string, number>();
    known.set(key, scores);
    ofWanted.set(wanted, scores);
  }
  return scores;
}

/** How likely a label means each column that it is asked of: each pair is scored once. */
function scorer(label: string, group?: string): (wanted: WantedColumn) => number {
  const key = group === undefined ? label : `${label}\u0000${group}`;
  return (wanted) => {
    const scores = scoresFor(wanted);
    let score = scores.get(key);
    if (score === undefined) {
      score = scoreLabel(label, group, wanted, abbreviations());
      scores.set(key, score);
    }
    return score;
  };
}

const groupless = new WeakMap<WantedColumn, WantedColumn>();

/** A column as it is sought where the groups of the sheet say nothing. */
function anywhere(wanted: WantedColumn): WantedColumn {
  if (wanted.groups === undefined) return wanted;
  const { groups: _, ...rest } = wanted;
  const own = groupless.get(wanted) ?? rest;
  groupless.set(wanted, own);
  return own;
}

interface LabelText {
  readonly label: string;
  readonly group: string | undefined;
  /** Set when label or group name a half of the month; they are scored without it. */
  readonly half?: 1 | 2;
}

/** The words of a label that say what it is, apart from the fortnight that it is of. */
function labelText(label: string, group: string | undefined): LabelText {
  const above = group === undefined ? undefined : fortnightOf(group);
  const own = fortnightOf(label);
  const half = own?.half ?? above?.half;
  const text = own === undefined || own.rest === '' ? label : own.rest;
  const over = above === undefined ? group : above.rest === '' ? undefined : above.rest;
  return { label: text, group: over, ...(half !== undefined && { half }) };
}

const isSection = (text: string, titles: readonly string[]): boolean =>
  scoreLabel(text, undefined, { id: '', titles }, abbreviations()) >= GROUPS_ALIKE;

const sectionTitles = (columns: readonly WantedColumn[]): readonly string[] => [
  ...new Set(columns.flatMap((wanted) => wanted.groups ?? [])),
];

/** The day on which a month ends is another one next month. */
const everyMonth = (name: string): string => name.replace(/(28|29|30|31)$/, '??');

/** How the mapping names the halves of a month that stand side by side; undefined where the header has not both. */
export function halvesOf(header: FoundHeader, table: CompiledTable): readonly string[][] | undefined {
  const titles = sectionTitles(readColumns(table).map(({ wanted }) => wanted!));
  const names: [Set<string>, Set<string>] = [new Set(), new Set()];
  const add = (text: string | undefined, isGroup: boolean): void => {
    const found = text === undefined ? undefined : fortnightIn(text);
    if (text === undefined || found === undefined) return;
    const name = everyMonth(fold(found.name));
    const isWhole = !isGroup || found.rest === '' || isSection(found.rest, titles);
    const before = fold(text).startsWith(fold(found.name)) ? '' : '*';
    names[found.half - 1]!.add(isWhole ? name : `${before}${name}*`);
  };
  for (const group of new Set(header.groupLabels)) add(group, true);
  for (const label of header.labels) add(label, false);
  if (names.some(({ size }) => size === 0)) return undefined;
  const all = names.map((some) => [...some]);
  const partOf = partNamer(all);
  const parts = new Map<string, Set<number>>();
  for (const [column, label] of header.labels.entries()) {
    if (label === undefined) continue;
    const { part, ...bare } = inPart(partOf, label, header.groupLabels[column]);
    if (part !== undefined) parts.set(nameIn(bare), (parts.get(nameIn(bare)) ?? new Set()).add(part));
  }
  return [...parts.values()].some(({ size }) => size > 1) ? all : undefined;
}

const withGroup = (label: string, group: string | undefined): string =>
  group === undefined ? label : `${group} / ${label}`;

const nameIn = ({ label, group }: LabelText): string => fold(withGroup(label, group));

/** Labels as the mapping sees them: what comes again in the other half is one label. */
interface Seen extends LabelText {
  /** All columns that it stands over. */
  readonly columns: readonly number[];
}

/** What stands over each column; undefined where there is nothing, and where the label was seen in another half. */
function seenLabels(
  header: FoundHeader,
  halves: readonly string[][] | undefined,
): readonly (Seen | undefined)[] {
  const { labels, groupLabels } = header;
  if (halves === undefined)
    return labels.map((label, column) =>
      label === undefined ? undefined : { ...labelText(label, groupLabels[column]), columns: [column] },
    );
  const partOf = partNamer(halves);
  const bare = labels.map((label, column) =>
    label === undefined ? undefined : inPart(partOf, label, groupLabels[column]),
  );
  const twins = (column: number): readonly number[] => {
    const own = bare[column]!;
    if (own.part === undefined) return [column];
    const parts = new Set<number>();
    return [...bare.keys()].filter((at) => {
      const other = bare[at];
      if (other?.part === undefined || nameIn(other) !== nameIn(own) || parts.has(other.part)) return false;
      parts.add(other.part);
      return true;
    });
  };
  return bare.map((own, column) => {
    if (own === undefined) return undefined;
    const columns = twins(column);
    if (columns.includes(column) && columns[0] !== column) return undefined;
    const { label, group } = own;
    return { label, group, columns: columns.includes(column) ? columns : [column] };
  });
}

/** Whether the groups of a header are sections that a mapping knows, such as earnings and deductions. */
function hasSections(groups: readonly (string | undefined)[], columns: readonly WantedColumn[]): boolean {
  const titles = sectionTitles(columns);
  const texts = [...new Set(groups)].filter((group) => group !== undefined);
  return texts.some((group) => isSection(group, titles));
}

/** Scores of a label for each column, those above nothing. `VACACIONES / DÍAS` means days of vacation before days. */
function scoresOf(
  { label, group }: LabelText,
  columns: readonly WantedColumn[],
  sections: boolean,
  { without }: Uses,
): ReadonlyMap<string, number> {
  const scores = new Map<string, number>();
  const whole = new Map<string, number>();
  const scoreOf = scorer(label, group);
  const wholeScore = scorer(`${group} ${label}`);
  for (const wanted of columns) {
    const score = scoreOf(sections ? wanted : anywhere(wanted));
    if (score > 0) scores.set(wanted.id, score);
    // What both spell out together scores nearly as much under the group.
    if (group !== undefined && score >= NEARLY_ALONE && !without.has('group and label together'))
      whole.set(wanted.id, wholeScore(wanted));
  }
  const spelt = [...whole].some(([, score]) => score >= SCORE_LEVELS.alone);
  if (spelt)
    for (const [id, score] of scores)
      if ((whole.get(id) ?? 0) < SCORE_LEVELS.alone) scores.set(id, rounded(score - LESS_SPECIFIC));
  return spelt ? new Map([...scores].filter(([, score]) => score > 0)) : scores;
}

/** A column that a label may mean. */
export interface Candidate {
  readonly value: string;
  /** What the words say, and what else speaks for it. */
  readonly score: number;
  readonly words: number;
  readonly agreement: Agreement;
  readonly supports: readonly Support[];
}

/** Why a label is decided, asked about or left aside. */
export type Reason =
  | 'words'
  | 'likely'
  | 'rival'
  | 'content'
  | 'fortnight'
  | 'contested'
  | 'section'
  | 'needed'
  | 'order'
  | 'amounts'
  | 'text'
  | 'declined'
  | 'empty'
  | 'answered';

/** A label of a header and what it means. */
export interface LabelFit {
  /** `workers.AI`: table and column letter, with the sheet between them where the table is spread over several. */
  readonly id: string;
  readonly table: CompiledTable;
  readonly sheet: Sheet;
  readonly header: FoundHeader;
  readonly column: number;
  /** All columns that it stands over: it comes again in the other half of the month. */
  readonly columns: readonly number[];
  /** Undefined for a blank cell over amounts. */
  readonly label: string | undefined;
  readonly group: string | undefined;
  readonly section: string | undefined;
  readonly half?: 1 | 2;
  /** How `labels:` of a mapping names it. */
  readonly key: string;
  readonly content: Content;
  /** Best first; only those worth showing. Worked out when first asked for, of what its title decides. */
  readonly candidates: readonly Candidate[];
  readonly state: 'decided' | 'open' | 'ignored';
  /** Column id, when decided. */
  readonly means?: string;
  readonly why: Reason;
}

/** The label of the column that an issue names. */
export const labelAt = (labels: readonly LabelFit[], place: Place): LabelFit | undefined =>
  labels.find(
    ({ sheet, column, means }) =>
      means !== undefined &&
      sheet.source.file === place.file &&
      sheet.source.sheet === place.sheet &&
      columnLetter(column) === place.column,
  );

/** Candidates weaker than this say nothing. */
const WORTH_SHOWING = 0.4;

const MOST_CANDIDATES = 4;

/** The label is a title of the column, word for word. */
const TITLE = 1;
/** The same but for separators. */
const NEARLY_TITLE = 0.98;
/** What is no title is never as sure as one. */
const LESS_THAN_TITLE = 0.97;
/** Cells alone make no more than a question without a default. */
const BY_CELLS = 0.45;
/** Of a field that another label surely means. */
const TAKEN = 0.49;
/** A label that shares as much with a title is asked about rather than left aside. */
const RESEMBLES = 0.5;
/** So many words of a list can each be asked about. */
const FEW_TO_ASK = 12;

/** Score as people see it: words that no list knows are never taken by default. */
export const shownScore = ({ score, words, agreement: agreed }: Candidate): number =>
  agreed === 'doubted' && words < NEARLY_TITLE ? Math.min(score, DOUBTED) : score;

export const readColumns = ({ columns, spec }: CompiledTable): CompiledColumn[] =>
  [...columns.values()].filter(
    ({ wanted }) => wanted !== undefined && (spec.header?.none !== true || wanted.position !== undefined),
  );

type HeaderTexts = Pick<FoundHeader, 'labels' | 'groupLabels'>;

/** A column by its letter, and by the title that must stand there next month too. */
export function letterKey({ labels, groupLabels }: HeaderTexts, column: number): string {
  const label = labels[column];
  const letter = `[${columnLetter(column)}]`;
  return label === undefined ? letter : `${letter} ${withGroup(label, groupLabels[column])}`;
}

/** How a mapping names each label: by its text, with its group where it comes twice, by its letter too in the header where that is not enough. */
function keysOf({ labels, groupLabels }: HeaderTexts, header: HeaderTexts): (column: number) => string {
  const counts = new Map<string, number>();
  const count = (text: string): void => {
    counts.set(fold(text), (counts.get(fold(text)) ?? 0) + 1);
  };
  const namesOf = (column: number): ReadonlySet<string> => {
    const label = labels[column];
    return new Set(label === undefined ? [] : [label, withGroup(label, groupLabels[column])]);
  };
  for (const column of labels.keys()) for (const name of namesOf(column)) count(name);
  // A title such as `[COP] Sueldo` would be taken for a letter.
  const isEnough = (name: string): boolean =>
    counts.get(fold(name)) === 1 && letteredLabel(name) === undefined;
  return (column) => [...namesOf(column)].find(isEnough) ?? letterKey(header, column);
}

const byScore = (a: Candidate, b: Candidate): number => shownScore(b) - shownScore(a) || b.score - a.score;

/** The best of them that the cells do not contradict. */
export const worthShowing = (candidates: readonly Candidate[]): readonly Candidate[] =>
  candidates
    .filter((one) => one.agreement !== 'contradicted')
    .sort(byScore)
    .slice(0, MOST_CANDIDATES);

/** So little speaks for what the cells contradict. */
const CONTRADICTED = 0.3;

/** What a label says word for word is a possible answer even where the cells contradict it: a few of them may be wrong. */
const calledSo = (candidates: readonly Candidate[]): readonly Candidate[] =>
  candidates
    .filter((one) => one.agreement === 'contradicted' && one.words === TITLE)
    .map((one) => ({ ...one, score: CONTRADICTED }));

/** The same where halves stand side by side: a label of both is named once, and what is called alike outside by its letter. */
function keysInHalves(seen: readonly (Seen | undefined)[], header: HeaderTexts): (column: number) => string {
  const bare = { labels: seen.map((text) => text?.label), groupLabels: seen.map((text) => text?.group) };
  const keyOf = keysOf(bare, header);
  const both = new Set(
    seen.flatMap((text) => (text !== undefined && text.columns.length > 1 ? fold(text.label) : [])),
  );
  return (column) => {
    const text = seen[column];
    if (text === undefined || !both.has(fold(text.label))) return keyOf(column);
    return text.columns.length === 1 ? letterKey(header, column) : withGroup(text.label, text.group);
  };
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
function leftAside({ ignored }: CompiledTable, label: string): boolean {
  const matchers = asideBy.get(ignored) ?? ignored.map(({ titles }) => titleMatcher(titles));
  asideBy.set(ignored, matchers);
  const forms = labelForms(label);
  return matchers.some((one) => one.closeness(forms) > 0);
}

const asideBy = new WeakMap<CompiledTable['ignored'], readonly ReturnType<typeof titleMatcher>[]>();

type Judged = Pick<LabelFit, 'state' | 'why' | 'means'>;

/** Whether a label without a likely meaning may matter all the same. */
const mayMatter = (candidates: readonly Candidate[], content: Content): boolean =>
  candidates.some(
    ({ words, supports, agreement: agreed }) =>
      agreed !== 'contradicted' && (words >= RESEMBLES || isFoundByCells(supports)),
  ) ||
  content.dated >= MOST_CELLS ||
  holdsAnswers(content);

/** As old programs name their fields: `TIPCON`. */
const RUN_TOGETHER = /^[A-Z]{4,8}\d?$/;
const MOST_LABELS = 0.5;

/** Of texts that no document needs, words run together say too little: CODEMP may be a code of anything. */
const isDoubtful = ({ words, supports, value }: Candidate, { label = '', table, uses }: Judging): boolean => {
  const column = table.columns.get(value)!;
  const isSpokenFor = supports.some((name) => name !== 'style of the header');
  return (
    RUN_TOGETHER.test(label) &&
    words < NEARLY_TITLE &&
    column.type === 'text' &&
    !uses.needed.has(column) &&
    !isSpokenFor
  );
};

interface Judging extends Pick<LabelFit, 'content' | 'half' | 'table' | 'label'> {
  readonly uses: Uses;
}

function judge(candidates: readonly Candidate[], judging: Judging): Judged {
  const { content, half, uses } = judging;
  if (content.filled.length === 0 && !candidates.some(({ score }) => score >= SCORE_LEVELS.alone))
    return { state: 'ignored', why: 'empty' };
  const possible = candidates.filter((one) => one.agreement !== 'contradicted');
  const [best] = [...possible].sort((a, b) => b.score - a.score);
  const byWords = [...candidates].sort((a, b) => b.words - a.words)[0];
  const isContradicted = byWords?.agreement === 'contradicted' && byWords.words >= SCORE_LEVELS.ask;
  if (best === undefined || best.score < SCORE_LEVELS.ask) {
    // Names of funds under `EPS` are surely no amounts.
    const areNames = content.wordy && content.numeric === 0 && content.dated === 0;
    const isNoAmount = areNames && judging.table.columns.get(byWords?.value ?? '')?.kind === 'money';
    if (isContradicted && !isNoAmount) return { state: 'open', why: 'content' };
    if (holdsAmounts(content)) return { state: 'open', why: 'amounts' };
    return mayMatter(candidates, content)
      ? { state: 'open', why: 'likely' }
      : { state: 'ignored', why: 'text' };
  }
  const isTitle = best.words === TITLE;
  const rival = possible.find(
    (one) =>
      one !== best &&
      one.score > best.score - SCORE_LEVELS.margin &&
      // The very title is what the mapping itself reads by: what only resembles it is no rival.
      !(isTitle && one.words < TITLE),
  );
  if (half !== undefined) return { state: 'open', why: 'fortnight' };
  if (isContradicted && byWords.words >= best.words) return { state: 'open', why: 'content' };
  if (best.score < SCORE_LEVELS.alone) return { state: 'open', why: 'likely' };
  if (best.agreement === 'doubted' && !(best.words >= NEARLY_TITLE && content.distinct.length <= FEW_TO_ASK))
    return { state: 'open', why: 'content' };
  if (rival !== undefined && !uses.without.has('a rival')) return { state: 'open', why: 'rival' };
  if (isDoubtful(best, judging)) return { state: 'open', why: 'likely' };
  return { state: 'decided', means: best.value, why: 'words' };
}

/** Field codes before the names of a header: `C04_codConsulta`. */
const FIELD_CODE = /^\p{L}{1,3}\d{1,3}[\s_.:-]+(?=\p{L})/u;

/** So many labels begin with a code where it is the form's: the fields that later norms added may have none. */
const CODED = 1 / 3;

/** The labels without the codes of their fields, where many of them begin with one; a code that is part of a title stays. */
function withoutCodes(labels: FoundHeader['labels'], wanted: readonly WantedColumn[]): FoundHeader['labels'] {
  const texts = labels.flatMap((label) => label ?? []);
  const coded = texts.filter((text) => FIELD_CODE.test(text)).length;
  if (coded < texts.length * CODED) return labels;
  const titles = new Set(wanted.flatMap((one) => one.titles.map(squashLabel)));
  return labels.map((label) =>
    label === undefined || titles.has(squashLabel(label)) ? label : label.replace(FIELD_CODE, ''),
  );
}

/** Items of the documents that have a name of their own in the titles of their columns: hours and value of HED. */
function namedItems(columns: readonly CompiledColumn[], { items }: Uses): readonly Item[] {
  const blocks = new Set(columns.flatMap((column) => items.get(column) ?? []));
  return [...blocks].flatMap((block) => {
    const own = columns.filter((column) => items.get(column)?.includes(block));
    const name = commonName(own.map(({ wanted }) => wanted!.titles[0]!));
    return name === '' ? [] : [{ name, columns: own }];
  });
}

interface Item {
  readonly name: string;
  readonly columns: readonly CompiledColumn[];
}

/** For each label the column of the item that it names: of dates the first is its start, the second its end. */
function namedColumns(
  texts: readonly (LabelText | undefined)[],
  contents: readonly Content[],
  columns: readonly CompiledColumn[],
  uses: Uses,
): readonly (CompiledColumn | undefined)[] {
  if (uses.without.has('name of an item')) return [];
  const items = namedItems(columns, uses);
  const taken = new Map<string, number>();
  return texts.map((text, at) => {
    const content = contents[at]!;
    if (text === undefined || content.filled.length === 0) return undefined;
    const whole = [text.group, text.label].filter(Boolean).join(' ');
    const [best] = items
      .map((item) => ({ item, words: wordsOfName(whole, item.name, abbreviations()) }))
      .filter(({ words }) => words > 0)
      .sort((a, b) => b.words - a.words);
    const fitting =
      best?.item.columns.filter((column) => agreement(column, content, uses) === 'agrees') ?? [];
    if (fitting.length === 0) return undefined;
    const key = fitting.map(({ id }) => id).join(' ');
    const before = taken.get(key) ?? 0;
    taken.set(key, before + 1);
    return fitting[before];
  });
}

/** For each label that says nothing, the column that the mapping has there: between those that the labels around it mean. */
function expectedColumns(
  likely: readonly (CompiledColumn | undefined)[],
  contents: readonly Content[],
  columns: readonly CompiledColumn[],
  uses: Uses,
): readonly (CompiledColumn | undefined)[] {
  if (uses.without.has('order of the mapping')) return [];
  const taken = new Set(likely);
  const places = likely.map((column) => (column === undefined ? -1 : columns.indexOf(column)));
  let last = -1;
  return contents.map((content, at) => {
    if (places[at]! >= 0) {
      last = places[at]!;
      return undefined;
    }
    const next = places.find((place, later) => later > at && place >= 0) ?? -1;
    if (last < 0 || next < last || next - last > FARTHEST || content.wordy) return undefined;
    const found = columns.findIndex(
      (column, place) =>
        place > last && place < next && !taken.has(column) && agreement(column, content, uses) === 'agrees',
    );
    if (found < 0) return undefined;
    last = found;
    return columns[found];
  });
}

/** What stands farther apart says little of what is between. */
const FARTHEST = 12;

const NO_SCORES: ReadonlyMap<string, number> = new Map();

/** What is worked out for a place when it is first asked for. */
function onceEach<T>(work: (at: number) => T): (at: number) => T {
  const known = new Map<number, T>();
  return (at) => {
    const found = known.get(at) ?? work(at);
    known.set(at, found);
    return found;
  };
}

const columnsByTitle = new WeakMap<CompiledTable, ReadonlyMap<string, readonly CompiledColumn[]>>();

/** The columns that a label is a title of, but for separators and for the number of its field. */
function titledColumns(table: CompiledTable, label: string): readonly CompiledColumn[] {
  let known = columnsByTitle.get(table);
  if (known === undefined) {
    const all = new Map<string, CompiledColumn[]>();
    for (const column of readColumns(table))
      for (const title of new Set(column.wanted!.titles.map(squashLabel)))
        all.set(title, [...(all.get(title) ?? []), column]);
    known = all;
    columnsByTitle.set(table, known);
  }
  const named = labelsToCompare(label).flatMap((text) => known.get(squashLabel(text)) ?? []);
  return readColumns(table).filter((column) => named.includes(column));
}

/** What every label of a header means in a table: each by its words and cells, then beside the others. */
export function fitLabels(
  table: CompiledTable,
  sheet: Sheet,
  header: FoundHeader,
  uses: Uses,
): readonly LabelFit[] {
  if (isFlat(table)) return [];
  const columns = readColumns(table);
  const wanted = columns.map((column) => column.wanted!);
  const names = withoutCodes(header.labels, wanted);
  const { without } = uses;
  const sections = !without.has('sections of the header') && hasSections(header.groupLabels, wanted);
  const halves = halvesOf(header, table);
  const seen = seenLabels(halves === undefined ? { ...header, labels: names } : header, halves);
  const keyOf = halves === undefined ? keysOf(header, header) : keysInHalves(seen, header);
  const scores = onceEach((at) => {
    const text = seen[at];
    return text === undefined ? NO_SCORES : scoresOf(text, wanted, sections, uses);
  });
  const contents = header.contents.map((alone, column) => {
    const both = seen[column]?.columns ?? [];
    return both.length > 1 ? contentOf(header.data, ...both) : alone;
  });
  const totals = totalsAmong(header.contents);
  const filled = seen.flatMap((text) => text?.label ?? []);
  const inStyle = filled.filter((label) => RUN_TOGETHER.test(label)).length >= filled.length * MOST_LABELS;
  const named = namedColumns(seen, contents, columns, uses);
  const candidateFor = (
    at: number,
    column: CompiledColumn,
    words = scores(at).get(column.id) ?? 0,
    beside: readonly CompiledColumn[] = [],
    expected?: CompiledColumn,
  ): Candidate | undefined => {
    const content = contents[at]!;
    const isSaid = words >= WORTH_SHOWING;
    if (!isSaid && content.filled.length === 0) return undefined;
    const supports =
      content.filled.length === 0
        ? []
        : supportsOf(
            {
              column,
              content,
              uses,
              beside,
              isTotal: totals.has(at),
              isInStyle: inStyle && RUN_TOGETHER.test(header.labels[at] ?? ''),
              isNamed: named[at] === column,
              isExpected: expected === column,
            },
            isSaid,
          );
    if (supports === undefined) return undefined;
    const agreed = agreement(column, content, uses);
    const sum =
      agreed === 'contradicted' ? words : Math.max(words, isSaid ? 0 : BY_CELLS) + weightOf(supports);
    const most = words >= NEARLY_TITLE ? TITLE : isSaid ? LESS_THAN_TITLE : DOUBTED;
    const score = rounded(Math.max(words, Math.min(most, sum)));
    return { value: column.id, score, words, agreement: agreed, supports };
  };
  const judged = (at: number, candidates: readonly Candidate[]): Judged =>
    judge(candidates, {
      content: contents[at]!,
      label: header.labels[at],
      ...(seen[at]?.half !== undefined && { half: seen[at].half }),
      table,
      uses,
    });
  // What only resembles a title is never as likely as one: most labels are decided by theirs, and need not be compared with others.
  const byTitle = seen.map((text, at) => {
    if (text === undefined || text.group !== undefined) return undefined;
    const titled = titledColumns(table, text.label);
    const words = scoresOf(
      text,
      titled.map((column) => column.wanted!),
      sections,
      uses,
    );
    if (![...words.values()].includes(TITLE)) return undefined;
    const own = judged(
      at,
      titled.flatMap((column) => candidateFor(at, column, words.get(column.id)) ?? []),
    );
    return own.state === 'decided' ? own : undefined;
  });
  const alone = onceEach((at) => columns.map((column) => candidateFor(at, column)));
  const likely = contents.map((_, at) => {
    const title = byTitle[at]?.means;
    if (title !== undefined) return table.columns.get(title)!;
    const [best] = worthShowing(alone(at).flatMap((one) => one ?? []));
    return best !== undefined && best.score >= SCORE_LEVELS.ask ? table.columns.get(best.value)! : undefined;
  });
  const around = likely.map((column, at) => column ?? named[at]);
  const expected = expectedColumns(around, contents, columns, uses);
  const together = onceEach((at) => {
    const beside = [likely[at - 1], likely[at + 1]].flatMap((column) => column ?? []);
    return columns.flatMap((column, index) => {
      const isSame = column !== expected[at] && !isBesideItem({ column, beside, uses });
      return (isSame ? alone(at)[index] : candidateFor(at, column, undefined, beside, expected[at])) ?? [];
    });
  });
  const sure = new Map(
    contents.flatMap((_, at) => {
      const { means } = byTitle[at] ?? judged(at, together(at));
      return means === undefined ? [] : [[means, at] as const];
    }),
  );
  return contents.flatMap((content, column): LabelFit[] => {
    const label = header.labels[column];
    const text = seen[column];
    if (label !== undefined && text === undefined) return []; // judged in the other half
    if (label === undefined && content.filled.length === 0) return [];
    const group = header.groupLabels[column];
    const titled = byTitle[column];
    const isLeft =
      !without.has('left aside by the mapping') &&
      label !== undefined &&
      titled === undefined &&
      Math.max(0, ...scores(column).values()) < TITLE &&
      leftAside(table, names[column]!);
    const again = label === undefined ? undefined : repeatedMeaning(table, label);
    const isDecided = titled !== undefined || judged(column, together(column)).state === 'decided';
    const free = (): readonly Candidate[] =>
      isDecided || without.has('a field taken')
        ? together(column)
        : together(column).map((one) =>
            sure.has(one.value) ? { ...one, score: Math.min(one.score, TAKEN) } : one,
          );
    let shown: readonly Candidate[] | undefined;
    return [
      {
        id: [table.id, ...(table.spec.spread ? [sheet.title] : []), columnLetter(column)].join('.'),
        table,
        sheet,
        header,
        column,
        columns: text?.columns ?? [column],
        label,
        group,
        section: header.sectionLabels[column],
        ...(text?.half !== undefined && { half: text.half }),
        key: keyOf(column),
        content,
        ...(again !== undefined
          ? { state: 'decided', means: again, why: 'words' }
          : isLeft
            ? { state: 'ignored', why: 'declined' }
            : (titled ?? judged(column, free()))),
        get candidates() {
          if (shown === undefined) {
            const all = again === undefined ? free() : [];
            shown = [...worthShowing(all), ...calledSo(all)];
          }
          return shown;
        },
      },
    ];
  });
}

/** A sheet with the header that was found in it. */
export interface HeadedSheet {
  readonly sheet: Sheet;
  readonly header: FoundHeader | undefined;
}

/** A sheet read as a table of a mapping. */
export interface TableFit {
  readonly table: CompiledTable;
  readonly sheet: Sheet;
  readonly header: FoundHeader;
  readonly labels: readonly LabelFit[];
  /** How well the name of the sheet says so; 1 where the mapping names none. */
  readonly named: number;
}

/** A sheet with records of the documents' key, whose name does not say what it holds. */
export interface OpenSheet {
  readonly sheet: Sheet;
  readonly header: FoundHeader;
  /** Tables by likelihood. */
  readonly candidates: readonly { readonly table: CompiledTable; readonly score: number }[];
}

export interface Assignment {
  readonly tables: readonly TableFit[];
  readonly open: readonly OpenSheet[];
  readonly unused: readonly HeadedSheet[];
}

const MOST_SHEETS = 5;

const ALIKE = 0.7;

export const fileName = ({ source }: Sheet): string => baseName(source.file);

/** The name of a sheet, or of a file by itself, without ending. */
const bareName = (sheet: Sheet): string =>
  sheet.source.sheet === undefined ? fileName(sheet).replace(/\.[a-z]+$/i, '') : sheet.name;

/** Whether a file is called as the table says. */
const hasFileName = ({ file, sheet: of }: CompiledTable['spec'], sheet: Sheet): boolean =>
  of === undefined &&
  file !== undefined &&
  [file].flat().some((name) => wildcard(name)(fold(fileName(sheet))));

/** How well a sheet's name fits the names that a table goes by. */
function nameScore({ spec, id }: CompiledTable, sheet: Sheet): number {
  const patterns = [spec.sheet ?? spec.file ?? []].flat();
  if (patterns.length === 0 || hasFileName(spec, sheet)) return 1;
  const name = bareName(sheet);
  const bare = fortnightOf(name)?.rest ?? name;
  return Math.max(
    ...[name, bare].map((text) => scoreLabel(text, undefined, { id, titles: patterns }, abbreviations())),
  );
}

/** Columns that the labels certainly or probably mean. */
export const likelyColumns = (labels: readonly LabelFit[]): ReadonlySet<string> =>
  new Set(
    labels.flatMap((fit) => {
      if (fit.means !== undefined) return fit.means;
      const [first] = fit.candidates;
      // Two labels that claim one column are doubted, and explain it all the same.
      const isLikely = first !== undefined && Math.max(first.score, first.words) >= SCORE_LEVELS.ask;
      return isLikely ? first.value : [];
    }),
  );

const keyOf = (mapping: LoadedMapping, table: CompiledTable): readonly string[] =>
  mapping.mains.includes(table) ? mapping.key : joiningColumns(table.join).map(({ id }) => id);

/** Shares most of its labels with another sheet: the same table once more. */
export function isSameHeader(a: FoundHeader, b: FoundHeader): boolean {
  const texts = (header: FoundHeader): string[] =>
    header.labels.flatMap((label) => (label ? fold(label) : []));
  const [left, right] = [new Set(texts(a)), texts(b)];
  const common = right.filter((text) => left.has(text)).length;
  return common > 0 && common / Math.max(left.size, right.length) >= ALIKE;
}

/** A computed key is there with any of the columns that it may be made of. */
export function isFound(table: CompiledTable, id: string, found: ReadonlySet<string>): boolean {
  const column = table.columns.get(id);
  return found.has(id) || (column?.computed !== undefined && column.feeders.some((one) => found.has(one.id)));
}

/** Reads a sheet as a table, when it has what tells its records apart and what makes it that table. */
function tryFit(
  mapping: LoadedMapping,
  uses: Uses,
  table: CompiledTable,
  { sheet, header }: HeadedSheet,
): TableFit | undefined {
  if (header === undefined || table.spec.header?.none) return undefined;
  const labels = fitLabels(table, sheet, header, uses);
  const found = likelyColumns(labels);
  const { role, header: { must_have: must = [] } = {} } = table.spec;
  // It has no key that would tell it.
  if (role === 'control' && !must.every((id) => found.has(id))) return undefined;
  const named = nameScore(table, sheet);
  // A key by another name is asked about; without anything like it the records belong to nobody, unless the sheet is called as the table.
  const keyed =
    (named === TITLE && table.join !== undefined && found.size > 0) ||
    labels.some(
      ({ state, means, content }) =>
        (state !== 'decided' || keyOf(mapping, table).includes(means!)) && looksLikeDocuments(content),
    );
  const key = keyOf(mapping, table);
  const unfound = key.filter((id) => !isFound(table, id, found));
  // Part of a longer key may stand under a label that says nothing of it.
  if (!keyed && unfound.length > key.length / 2) {
    const offered = new Set(labels.flatMap(({ candidates }) => candidates.map(({ value }) => value)));
    if (unfound.filter((id) => !isFound(table, id, offered)).length > key.length / 2) return undefined;
  }
  return { table, sheet, header, labels, named };
}

/** Sheets for the tables whose records make the documents, the best first. */
function mainFits(
  mapping: LoadedMapping,
  uses: Uses,
  table: CompiledTable,
  sheets: readonly HeadedSheet[],
): TableFit[] {
  const must = table.spec.header?.must_have ?? [];
  const isConcept = (id: string): boolean => uses.classes.has(table.columns.get(id)!);
  const size = (fit: TableFit): number =>
    likelyColumns(fit.labels).size +
    (fit.named >= SCORE_LEVELS.ask && table.spec.sheet !== undefined ? 3 : 0);
  return sheets
    .flatMap((sheet) => tryFit(mapping, uses, table, sheet) ?? [])
    .filter((fit) =>
      must.filter(isConcept).every((id) => likelyColumns(fit.labels).has(id) || hasWords(fit, id, uses)),
    )
    .filter((fit) => {
      const known = likelyColumns(fit.labels).size;
      // A short list may hold little beside the key: then all of it must be known, be it as nothing to read.
      const filled = fit.labels.filter(
        ({ content, why }) => content.filled.length > 0 && why !== 'declined',
      ).length;
      return known > mapping.key.length + 1 || (known >= mapping.key.length && known === filled);
    })
    .sort((a, b) => size(b) - size(a));
}

/** Whether a sheet goes with those of a table: the same header, as fortnights and branches have it, or further columns of the same records. */
function belongsTo(read: readonly TableFit[], fit: TableFit): boolean {
  const [best] = read as [TableFit];
  if (!fit.table.spec.spread) return isSameHeader(fit.header, best.header);
  if (read.some(({ header, sheet }) => sheet.input !== fit.sheet.input && isSameHeader(header, fit.header)))
    return true;
  const known = likelyColumns(read.flatMap(({ labels }) => labels));
  const added = [...likelyColumns(fit.labels)].filter((id) => !known.has(id)).length;
  const filled = fit.labels.filter(({ content, why }) => content.filled.length > 0 && why !== 'declined');
  return 2 * added > filled.length;
}

const CLASSES = 3;

/** Whether some column holds words of several of the classes that a column is sorted into, whatever its label. */
const hasWords = ({ labels, table }: TableFit, id: string, uses: Uses): boolean =>
  labels.some(
    ({ content, state }) =>
      state !== 'decided' && knownClasses(table.columns.get(id)!, content, uses) >= CLASSES,
  );

const flatFit = (table: CompiledTable, sheet: Sheet, named: number): TableFit => ({
  table,
  sheet,
  header: noHeader(sheet),
  labels: [],
  named,
});

const MOST_RECORDS = 0.9;

/** Whether the records of a file have as many fields as the table, or all of them more, and no labels above them. */
function hasFields(table: CompiledTable, { rows, source }: Sheet, orMore = false): boolean {
  const { fields } = table.spec.header!;
  if (beginsWithLabels(table, source, rows)) return false;
  if (fields === undefined) return true;
  const most = Math.max(...fields);
  if (orMore && rows.every(({ texts }) => texts.length > most)) return true;
  const fitting = rows.filter(({ texts }) => fields.includes(texts.length));
  return rows.length > 0 && fitting.length / rows.length >= MOST_RECORDS;
}

/** Share of the columns of a flat table that what stands in their places may be. */
function inPlace(table: CompiledTable, sheet: Sheet, uses: Uses): number {
  const { contents } = noHeader(sheet);
  const columns = readColumns(table).filter(({ wanted }) => contents[wanted!.position! - 1] !== undefined);
  const fitting = columns.filter((column) =>
    ['agrees', 'blank'].includes(agreement(column, contents[column.wanted!.position! - 1]!, uses)),
  );
  return columns.length === 0 ? 0 : fitting.length / columns.length;
}

/** Flat tables that a file of another name may be, by the number of its fields and what they hold. */
const flatCandidates = (
  top: readonly CompiledTable[],
  taken: readonly TableFit[],
  sheet: Sheet,
  uses: Uses,
): OpenSheet['candidates'] =>
  sheet.source.sheet !== undefined
    ? []
    : top
        .filter(
          (table) => isFlat(table) && !taken.some((fit) => fit.table === table) && hasFields(table, sheet),
        )
        .map((table) => ({ table, score: inPlace(table, sheet, uses) * FLAT_AT_MOST }))
        .sort((a, b) => b.score - a.score)
        .slice(0, MOST_SHEETS);

/** So much of a file of the very name must be where it should. */
const IN_PLACE = 0.6;

/** What fields alone say is never sure. */
const FLAT_AT_MOST = 0.8;

/** From here on a column may well be meant. */
export const NEARLY = 0.5;

/** Whether a header has, or may have, the columns by which a table knows its own. */
export function isHeaderOf({ table, labels }: TableFit): boolean {
  const offered = new Set([
    ...likelyColumns(labels),
    ...labels.flatMap((fit) =>
      fit.state === 'open'
        ? fit.candidates.flatMap(({ value, score }) => (score >= NEARLY ? [value] : []))
        : [],
    ),
  ]);
  return isFlat(table) || (table.spec.header?.must_have ?? []).every((id) => isFound(table, id, offered));
}

const sortsWords = ({ columns }: CompiledTable): boolean =>
  [...columns.values()].some(({ sorts }) => sorts !== undefined);

/** A sheet whose name says of which table it is. */
interface Claim {
  readonly fit: TableFit;
  readonly candidates: OpenSheet['candidates'];
}

/** Which sheet holds which table of a mapping. */
export function assignSheets(mapping: LoadedMapping, uses: Uses, sheets: readonly HeadedSheet[]): Assignment {
  const top = [...mapping.tables.values()].filter(
    ({ parent, spec }) => parent === undefined && spec.param === undefined,
  );
  const tables = sheets.flatMap(({ sheet }) => {
    const table = top.find(
      (one) =>
        isFlat(one) &&
        hasFileName(one.spec, sheet) &&
        hasFields(one, sheet, true) &&
        inPlace(one, sheet, uses) >= IN_PLACE,
    );
    return table === undefined ? [] : [flatFit(table, sheet, 1)];
  });
  const free = (): HeadedSheet[] => sheets.filter(({ sheet }) => !tables.some((fit) => fit.sheet === sheet));
  const saysOther = ({ sheet }: HeadedSheet, main: CompiledTable): boolean =>
    mapping.mains.some((one) => one !== main && nameScore(one, sheet) >= SCORE_LEVELS.alone) &&
    nameScore(main, sheet) < SCORE_LEVELS.ask;
  for (const main of mapping.mains) {
    const fits = mainFits(
      mapping,
      uses,
      main,
      free().filter((sheet) => !saysOther(sheet, main)),
    );
    const [best] = fits;
    if (best === undefined) continue;
    const read = [best];
    for (const fit of fits) if (fit !== best && belongsTo(read, fit)) read.push(fit);
    tables.push(...read);
  }
  const others = top.filter((table) => !mapping.mains.includes(table));
  const named = others.filter(({ spec }) => spec.sheet !== undefined || spec.file !== undefined);
  const nameless = others.filter((one) => !named.includes(one));
  const fitsOf = (table: CompiledTable, headed: HeadedSheet): TableFit[] =>
    [tryFit(mapping, uses, table, headed) ?? []].flat().filter(({ labels }) => {
      const found = likelyColumns(labels);
      const must = table.spec.header?.must_have ?? [];
      return (found.size > 2 || must.length > 1) && must.every((id) => isFound(table, id, found));
    });
  const open: OpenSheet[] = [];
  const claims: Claim[] = [];
  for (const headed of free()) {
    const ranked = named
      .map((table) => ({
        table,
        score: nameScore(table, headed.sheet),
        alike: likeName(table, headed.sheet),
      }))
      .sort((a, b) => b.score - a.score || b.alike - a.alike);
    const all = ranked.flatMap(({ table, score }) => {
      const fit = tryFit(mapping, uses, table, headed);
      return fit === undefined ? [] : [{ fit, score }];
    });
    const whole = all.filter(({ fit }) => isHeaderOf(fit));
    const known = ({ labels }: TableFit): number => likelyColumns(labels).size;
    // Of equal names the one that knows more of the labels.
    const fits = (whole.length > 0 ? whole : all).sort(
      (a, b) => b.score - a.score || (a.score > 0 ? known(b.fit) - known(a.fit) : 0),
    );
    const [first, second] = fits;
    // What no table is called says more of itself than a table that is called otherwise.
    if (first !== undefined && first.score < SCORE_LEVELS.ask) {
      const isOther = (fit: TableFit): boolean => known(fit) > known(first.fit);
      if (nameless.some((table) => fitsOf(table, headed).some(isOther))) continue;
    }
    const flat = first === undefined ? flatCandidates(top, tables, headed.sheet, uses) : [];
    if (flat.length > 0) open.push({ sheet: headed.sheet, header: noHeader(headed.sheet), candidates: flat });
    if (first === undefined || headed.header === undefined) continue;
    // What a sheet says by concept has no place in a table of one, whatever its name.
    const sorted = whole.find(
      ({ fit }) => fit.table !== first.fit.table && sortsWords(fit.table) && known(fit) > known(first.fit),
    );
    const candidates = [...new Set([first, ...[sorted ?? []].flat(), ...fits])]
      .slice(0, MOST_SHEETS)
      .map(({ fit, score }) => ({
        table: fit.table,
        score: sorted === undefined ? score : Math.min(score, NEARLY),
      }));
    const sure =
      sorted === undefined &&
      first.score >= SCORE_LEVELS.alone &&
      (second === undefined || second.score <= first.score - SCORE_LEVELS.margin);
    if (sure) claims.push({ fit: first.fit, candidates });
    else open.push({ ...headed, header: headed.header, candidates });
  }
  for (const { fit, candidates } of claims) {
    const { sheet, header, table } = fit;
    // Of several that are alike it is asked which are read, of others what each of them holds. Branches have workbooks that are alike.
    const isSibling = ({ fit: other }: Claim): boolean =>
      (other.sheet.input === sheet.input || fold(other.sheet.name) === fold(sheet.name)) &&
      isSameHeader(other.header, header);
    if (claims.every((one) => one.fit.table !== table || isSibling(one))) tables.push(fit);
    else open.push({ sheet, header, candidates });
  }
  for (const table of nameless) {
    const fits = free()
      .flatMap((sheet) => fitsOf(table, sheet))
      .sort((a, b) => likelyColumns(b.labels).size - likelyColumns(a.labels).size);
    if (fits[0] !== undefined) tables.push(fits[0]);
  }
  const asked = new Set(open.map(({ sheet }) => sheet));
  return { tables, open, unused: free().filter(({ sheet }) => !asked.has(sheet)) };
}

const likeName = ({ spec }: CompiledTable, sheet: Sheet): number =>
  Math.max(0, ...[spec.sheet ?? spec.file ?? []].flat().map((name) => similarity(name, bareName(sheet))));

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
    .some((one) => uses.personal.has(one) && one.type !== 'decimal' && !uses.lookups.has(one));
  const shown =
    !personal &&
    !identifies(content) &&
    (holdsAmounts(content) ||
      content.dated >= MOST_CELLS ||
      isWordList(content) ||
      columns.some((one) => isWord(one, content, uses)));
  const telling = distinct.filter((text) => !/^[0.,$\s-]*$/.test(text));
  return (telling.length > 0 ? telling : distinct).slice(0, HOW_MANY).map((text) => {
    const row = content.filled.find((cell) => cell.text.trim() === text)!.row;
    return { cell: `${sheet.name}!${columnLetter(column)}${row}`, text: shown ? text : mask(text) };
  });
}
