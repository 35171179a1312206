import { isSameSheet, type Place } from '../core/issue.js';
import { firstOfEach, getOrAdd, listIn, remember } from '../core/remember.js';
import { required, unreachable } from '../core/required.js';
import { columnLetter } from '../core/text.js';
import { type CompiledColumn, type CompiledTable, isFlat, MIN_READABLE_CELLS } from '../mapping/record.js';
import { commonName, isOpposite, labelsToCompare, SCORE_LEVELS, wordsOfName } from '../tables/label-score.js';
import { labelForms, numberedMatcher, squashLabel, titleMatcher } from '../tables/titles.js';
import { type Content, contentOf, holdsAmounts, holdsAnswers } from './content.js';
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
import {
  halvesOf,
  hasSections,
  keysInHalves,
  keysOf,
  type LabelledColumn,
  type LabelText,
  readColumns,
  scoresOf,
  seenLabels,
  withoutCodes,
} from './label-texts.js';
import { DOUBTED, rounded } from './question.js';
import { abbreviations, type FoundHeader, type SharedKey, type Sheet } from './sheets.js';
import { leads, type Uses } from './uses.js';

/** Column that a label may mean. */
export interface Candidate {
  readonly value: string;
  /** Likelihood from 0 to 1, by words and other evidence. */
  readonly score: number;
  readonly words: number;
  readonly agreement: Agreement;
  readonly supports: readonly Support[];
}

/** Reason why a label is decided, open or ignored. */
export type Reason =
  | 'words'
  | 'learnt'
  | 'likely'
  | 'rival'
  | 'content'
  | 'fortnight'
  | 'contested'
  | 'section'
  | 'needed'
  | 'order'
  | 'same'
  | 'amounts'
  | 'text'
  | 'declined'
  | 'key'
  | 'empty'
  | 'answered';

/** Label of a header and its meaning. */
export interface LabelFit {
  /** Id of the label: table and column letter (`workers.AI`), with the sheet between them if the table is spread over several. */
  readonly id: string;
  readonly table: CompiledTable;
  readonly sheet: Sheet;
  readonly header: FoundHeader;
  readonly column: number;
  /** All columns of the label; it is repeated in the other half of the month. */
  readonly columns: readonly number[];
  /** Text of the label; undefined for a blank cell over amounts. */
  readonly label: string | undefined;
  readonly group: string | undefined;
  readonly section: string | undefined;
  readonly half?: 1 | 2;
  /** Name of the label in `labels:` of a mapping. */
  readonly key: string;
  readonly content: Content;
  /** Candidates worth showing, best first. Computed on first access: do not read them of a titled label. */
  readonly candidates: readonly Candidate[];
  /** True if the label is a title of its column, word for word, so that candidates need not be worked out. */
  readonly isTitled: boolean;
  readonly state: 'decided' | 'open' | 'ignored';
  /** Column id of a decided label. */
  readonly means?: string;
  readonly reason: Reason;
  /** Label whose cells are equal in every record, and the two columns of which each means one. */
  readonly sameAs?: { readonly id: string; readonly label: string; readonly pair: readonly string[] };
}

/** Label of which it is known what column it means. */
export type MeantLabel = LabelFit & { readonly means: string };

export const isMeant = (label: LabelFit): label is MeantLabel => label.means !== undefined;

/** Returns the label of the column that an issue names. */
export const labelAt = (labels: readonly LabelFit[], place: Place): MeantLabel | undefined =>
  labels
    .filter(isMeant)
    .find(({ sheet, column }) => isSameSheet(sheet.source, place) && columnLetter(column) === place.column);

/** Min score of a candidate that is shown. */
const WORTH_SHOWING = 0.4;

/** Min score of a likely candidate. */
export const NEARLY = 0.5;

const MOST_CANDIDATES = 4;

/** Score of a label that is a title of the column, word for word. */
export const TITLE = 1;
/** Score of a label that differs from a title by separators only. */
const NEARLY_TITLE = 0.98;
/** Max score of a label that is no title. */
const LESS_THAN_TITLE = 0.97;
/** Max score of a candidate that the cells alone support: a question without a default. */
const BY_CELLS = 0.45;
/** Max score of a field that another label surely means. */
const MAX_SCORE_TAKEN_FIELD = 0.49;
/** Min similarity with a title of a label that is asked about rather than ignored. */
const MIN_SIMILARITY_TO_ASK = 0.5;
/** Max words of a list that are asked about one by one. */
const FEW_TO_ASK = 12;

/** Returns the score as people see it: words that no list knows are never a default. */
export const shownScore = ({ score, words, agreement: agreed }: Candidate): number =>
  agreed === 'doubted' && words < NEARLY_TITLE ? Math.min(score, DOUBTED) : score;

const byScore = (a: Candidate, b: Candidate): number => shownScore(b) - shownScore(a) || b.score - a.score;

/** Returns the best candidates that the cells do not contradict. */
export const worthShowing = (candidates: readonly Candidate[]): readonly Candidate[] =>
  candidates
    .filter((candidate) => candidate.agreement !== 'contradicted')
    .sort(byScore)
    .slice(0, MOST_CANDIDATES);

/** Max score of a candidate that the cells contradict. */
const CONTRADICTED = 0.3;

/** Returns the candidates with that very title, even if the cells contradict them: a few cells may be wrong. */
const calledSo = (candidates: readonly Candidate[]): readonly Candidate[] =>
  candidates
    .filter((candidate) => candidate.agreement === 'contradicted' && candidate.words === TITLE)
    .map((candidate) => ({ ...candidate, score: CONTRADICTED }));

/**
 * Returns the other columns of the item that a label names but its cells contradict: amounts under `Horas extras` are
 * the value of the hours.
 */
const ofTheSame = (
  candidates: readonly Candidate[],
  table: CompiledTable,
  content: Content,
  uses: Uses,
): readonly Candidate[] =>
  candidates.flatMap((candidate) => {
    const items = uses.items.get(required(table.columns, candidate.value)) ?? [];
    if (candidate.agreement !== 'contradicted' || candidate.words < NEARLY || items.length === 0) return [];
    return readColumns(table)
      .filter((column) => uses.items.get(column)?.some((item) => items.includes(item)))
      .filter((column) => agreement(column, content, uses) === 'agrees')
      .map(({ id }) => ({ ...candidate, value: id, score: NEARLY, agreement: 'agrees' as const }));
  });

/** Returns the meaning of a label of repeated columns, such as `overtime.2.hours`; they are found by their titles alone. */
function repeatedMeaning({ repeated }: CompiledTable, label: string): string | undefined {
  const forms = labelForms(label);
  for (const { id, columns } of repeated)
    for (const { wanted } of columns.values()) {
      const n = wanted && numberedMatcher(wanted.titles)(forms);
      if (wanted && n !== undefined) return `${id}.${n}.${wanted.id}`;
    }
  return undefined;
}

/** True if a label belongs to repeated columns, which need no word in the mapping. */
export const isRepeated = ({ means }: LabelFit): boolean => means?.includes('.') === true;

/** True if the mapping ignores a column of that label. */
function leftAside({ ignored }: CompiledTable, label: string): boolean {
  const forms = labelForms(label);
  return matchersOf(ignored).some((matcher) => matcher.closeness(forms) > 0);
}

const matchersOf = remember((ignored: CompiledTable['ignored']) =>
  ignored.map(({ titles }) => titleMatcher(titles)),
);

/** Min digits of a number that identifies a person. */
const DOCUMENT_DIGITS = /(\d[.\s-]?){5}/;

/** True if a label would mean a document number alone, and all its cells are such. */
const isDocument = (
  candidates: readonly Candidate[],
  { columns }: CompiledTable,
  { filled }: Content,
): boolean =>
  filled.every(({ text }) => DOCUMENT_DIGITS.test(text)) &&
  candidates.some(
    ({ value, score, agreement: agreed }) =>
      agreed === 'agrees' && score >= SCORE_LEVELS.alone && required(columns, value).kind === 'identifier',
  );

type Judged = Pick<LabelFit, 'state' | 'reason' | 'means'>;

/** True if a label without a likely meaning may matter all the same. */
const mayMatter = (candidates: readonly Candidate[], content: Content): boolean =>
  candidates.some(
    ({ words, supports, agreement: agreed }) =>
      agreed !== 'contradicted' && (words >= MIN_SIMILARITY_TO_ASK || isFoundByCells(supports)),
  ) ||
  content.dated >= MIN_READABLE_CELLS ||
  holdsAnswers(content);

/** Field name of an old program: `TIPCON`. */
const RUN_TOGETHER = /^[A-Z]{4,8}\d?$/;
const MOST_LABELS = 0.5;

/** True for a candidate that a run-together word says too little of: `CODEMP` may be any code. */
const isDoubtful = ({ words, supports, value }: Candidate, { label = '', table, uses }: Judging): boolean => {
  const column = required(table.columns, value);
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
    return { state: 'ignored', reason: 'empty' };
  const possible = candidates.filter((candidate) => candidate.agreement !== 'contradicted');
  const [best] = [...possible].sort((a, b) => b.score - a.score);
  const byWords = [...candidates].sort((a, b) => b.words - a.words)[0];
  const isContradicted = byWords?.agreement === 'contradicted' && byWords.words >= SCORE_LEVELS.ask;
  if (best === undefined || best.score < SCORE_LEVELS.ask) {
    // Names of funds under `EPS` are surely no amounts.
    const areNames = content.wordy && content.numeric === 0 && content.dated === 0;
    const isNoAmount = areNames && judging.table.columns.get(byWords?.value ?? '')?.kind === 'money';
    if (isContradicted && !isNoAmount) return { state: 'open', reason: 'content' };
    if (holdsAmounts(content)) return { state: 'open', reason: 'amounts' };
    return mayMatter(candidates, content)
      ? { state: 'open', reason: 'likely' }
      : { state: 'ignored', reason: 'text' };
  }
  const isTitle = best.words === TITLE;
  const rival = possible.find(
    (item) =>
      item !== best &&
      item.score > best.score - SCORE_LEVELS.margin &&
      // The very title is what the mapping itself reads by: what only resembles it is no rival.
      !(isTitle && item.words < TITLE),
  );
  if (half !== undefined) return { state: 'open', reason: 'fortnight' };
  // Codes of municipalities under the title of their names are known codes.
  const isKnown = best.supports.some((name) => name === 'known words' || name === 'known codes');
  if (isContradicted && byWords.words >= best.words && !isKnown) return { state: 'open', reason: 'content' };
  if (best.score < SCORE_LEVELS.alone) return { state: 'open', reason: 'likely' };
  if (best.agreement === 'doubted' && !(best.words >= NEARLY_TITLE && content.distinct.length <= FEW_TO_ASK))
    return { state: 'open', reason: 'content' };
  if (rival !== undefined && !uses.without.has('a rival')) return { state: 'open', reason: 'rival' };
  if (isDoubtful(best, judging)) return { state: 'open', reason: 'likely' };
  return { state: 'decided', means: best.value, reason: 'words' };
}

/** Returns the items of documents that the titles of their columns name: hours and value of HED. */
function namedItems(columns: readonly LabelledColumn[], { items }: Uses): readonly Item[] {
  const blocks = new Set(columns.flatMap((column) => items.get(column) ?? []));
  return [...blocks].flatMap((block) => {
    const members = columns.filter((column) => items.get(column)?.includes(block));
    const name = commonName(members.flatMap(({ wanted }) => wanted.titles.slice(0, 1)));
    return name === '' ? [] : [{ name, columns: members }];
  });
}

interface Item {
  readonly name: string;
  readonly columns: readonly LabelledColumn[];
}

/** Returns for each label the column of the item that it names: the first date is its start, the second its end. */
function namedColumns(
  texts: readonly (LabelText | undefined)[],
  contents: readonly Content[],
  columns: readonly LabelledColumn[],
  uses: Uses,
): readonly (CompiledColumn | undefined)[] {
  if (uses.without.has('name of an item')) return [];
  const items = namedItems(columns, uses);
  const taken = new Map<string, number>();
  return contents.map((content, at) => {
    const text = texts[at];
    if (text === undefined || content.filled.length === 0) return undefined;
    const label = [text.group, text.label].filter(Boolean).join(' ');
    const [best] = items
      .map((item) => ({ item, words: wordsOfName(label, item.name, abbreviations()) }))
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

/** Returns for each label that says nothing the column that the mapping has between those of the labels around it. */
function expectedColumns(
  likely: readonly (CompiledColumn | undefined)[],
  contents: readonly Content[],
  columns: readonly LabelledColumn[],
  uses: Uses,
): readonly (CompiledColumn | undefined)[] {
  if (uses.without.has('order of the mapping')) return [];
  const taken = new Set(likely);
  const places = likely.map((column) => columns.findIndex((other) => other === column));
  let last = -1;
  return contents.map((content, at) => {
    const here = places[at] ?? -1;
    if (here >= 0) {
      last = here;
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

/** Max distance in columns between labels that tell what is between them. */
const FARTHEST = 12;

const NO_SCORES: ReadonlyMap<string, number> = new Map();

/** Returns the function with its results kept by index. */
function onceEach<T>(work: (at: number) => T): (at: number) => T {
  const known = new Map<number, T>();
  return (at) => getOrAdd(known, at, () => work(at));
}

const columnsByTitle = remember((table: CompiledTable): ReadonlyMap<string, readonly CompiledColumn[]> => {
  const all = new Map<string, CompiledColumn[]>();
  for (const column of readColumns(table))
    for (const title of new Set(column.wanted.titles.map(squashLabel))) listIn(all, title).push(column);
  return all;
});

/** Returns the columns with that title, apart from separators and the number of its field. */
function titledColumns(table: CompiledTable, label: string): readonly LabelledColumn[] {
  const known = columnsByTitle(table);
  const named = labelsToCompare(label).flatMap((text) => known.get(squashLabel(text)) ?? []);
  return readColumns(table).filter((column) => named.includes(column));
}

/** Fits every label of a header to a table: each by its words and cells, then next to the others. */
export const fitLabels = (
  table: CompiledTable,
  sheet: Sheet,
  header: FoundHeader,
  uses: Uses,
): readonly LabelFit[] => (isFlat(table) ? [] : new HeaderJudgement(table, sheet, header, uses).fits());

/** Neighbours of a label. */
interface Beside {
  /** Likely columns of the neighbours. */
  readonly columns: readonly CompiledColumn[];
  /** Column that the order of the mapping leaves for the label. */
  readonly expected?: CompiledColumn | undefined;
}

const ALONE: Beside = { columns: [] };

/** Comparison of the labels of a header with the columns of a table. */
class HeaderJudgement {
  private readonly columns: readonly LabelledColumn[];
  /** Labels without the code that they contain. */
  private readonly names: ReturnType<typeof withoutCodes>;
  private readonly sections: boolean;
  private readonly seen: ReturnType<typeof seenLabels>;
  private readonly keyOf: (column: number) => string;
  private readonly contents: readonly Content[];
  private readonly totals: ReturnType<typeof totalsAmong>;
  /** True if most labels are run-together abbreviations, as payroll programs write them. */
  private readonly inStyle: boolean;
  private readonly named: readonly (CompiledColumn | undefined)[];
  /** Returns the similarity of a label with the titles of each column, by index. */
  private readonly scores: (at: number) => ReadonlyMap<string, number>;
  /** Returns the candidates of a label alone, one per column. */
  private readonly alone: (at: number) => readonly (Candidate | undefined)[];

  constructor(
    private readonly table: CompiledTable,
    private readonly sheet: Sheet,
    private readonly header: FoundHeader,
    private readonly uses: Uses,
  ) {
    // A table of people beside a list holds no pay: `Salario` there is the one agreed.
    const isOfPeople = table.spec.role === 'side';
    const columns = readColumns(table).filter((column) => !isOfPeople || leads(column, uses));
    const wanted = columns.map((column) => column.wanted);
    this.columns = columns;
    this.names = withoutCodes(header.labels, wanted);
    this.sections = !uses.without.has('sections of the header') && hasSections(header.groupLabels, wanted);
    const halves = halvesOf(header, table);
    const seen = seenLabels(halves === undefined ? { ...header, labels: this.names } : header, halves);
    this.seen = seen;
    this.keyOf = halves === undefined ? keysOf(header, header) : keysInHalves(seen, header);
    this.scores = onceEach((at) => {
      const text = seen[at];
      return text === undefined ? NO_SCORES : scoresOf(text, wanted, this.sections, uses);
    });
    this.contents = header.contents.map((alone, column) => {
      const both = seen[column]?.columns ?? [];
      return both.length > 1 ? contentOf(header.data, ...both) : alone;
    });
    this.totals = totalsAmong(header.contents);
    const filled = seen.flatMap((text) => text?.label ?? []);
    this.inStyle = filled.filter((label) => RUN_TOGETHER.test(label)).length >= filled.length * MOST_LABELS;
    this.named = namedColumns(seen, this.contents, columns, uses);
    this.alone = onceEach((at) => columns.map((column) => this.candidate(at, column)));
  }

  fits(): readonly LabelFit[] {
    const byTitle = this.seen.map((_, at) => this.byTitle(at));
    const together = this.together(byTitle);
    const sure = new Map(
      this.contents.flatMap((_, at) => {
        const { means } = byTitle[at] ?? this.judged(at, together(at));
        return means === undefined ? [] : [[means, at] as const];
      }),
    );
    /** Returns the candidates of an unsure label that other labels leave. */
    const left = (at: number): readonly Candidate[] => {
      const all = together(at);
      const isDecided = byTitle[at] !== undefined || this.judged(at, all).state === 'decided';
      if (isDecided || this.uses.without.has('a field taken')) return all;
      return all.map((item) =>
        sure.has(item.value) ? { ...item, score: Math.min(item.score, MAX_SCORE_TAKEN_FIELD) } : item,
      );
    };
    return this.contents.flatMap((_, at) => this.fitAt(at, byTitle[at], () => left(at)));
  }

  private contentAt(at: number): Content {
    return this.contents[at] ?? unreachable(`column ${at}`);
  }

  private candidate(
    at: number,
    column: LabelledColumn,
    { columns: beside, expected }: Beside = ALONE,
    words = this.scores(at).get(column.id) ?? 0,
  ): Candidate | undefined {
    const { uses } = this;
    const content = this.contentAt(at);
    const isSaid = words >= WORTH_SHOWING;
    if (!isSaid && content.filled.length === 0) return undefined;
    const label = this.seen[at]?.label;
    if (label !== undefined && isOpposite(label, column.wanted)) return undefined;
    const supports =
      content.filled.length === 0
        ? []
        : supportsOf(
            {
              column,
              content,
              uses,
              beside,
              isTotal: this.totals.has(at),
              isInStyle: this.inStyle && RUN_TOGETHER.test(this.header.labels[at] ?? ''),
              isNamed: this.named[at] === column,
              isExpected: expected === column,
            },
            isSaid,
          );
    if (supports === undefined) return undefined;
    const agreed = agreement(column, content, uses);
    const sum =
      agreed === 'contradicted' ? words : Math.max(words, isSaid ? 0 : BY_CELLS) + weightOf(supports);
    const isKnown = isSaid || supports.includes('words of many concepts');
    const most = words >= NEARLY_TITLE ? TITLE : isKnown ? LESS_THAN_TITLE : DOUBTED;
    const score = rounded(Math.max(words, Math.min(most, sum)));
    return { value: column.id, score, words, agreement: agreed, supports };
  }

  private judged(at: number, candidates: readonly Candidate[]): Judged {
    const half = this.seen[at]?.half;
    return judge(candidates, {
      content: this.contentAt(at),
      label: this.header.labels[at],
      ...(half !== undefined && { half }),
      table: this.table,
      uses: this.uses,
    });
  }

  /**
   * Returns the judgement of a label by its title alone, if it decides. Most labels are decided so and need no
   * comparison with the others.
   */
  private byTitle(at: number): Judged | undefined {
    const { table, sections, uses } = this;
    const text = this.seen[at];
    if (text === undefined || text.group !== undefined) return undefined;
    const titled = titledColumns(table, text.label).filter((column) => this.columns.includes(column));
    const wanted = titled.map((column) => column.wanted);
    const words = scoresOf(text, wanted, sections, uses);
    if (![...words.values()].includes(TITLE)) return undefined;
    const candidates = titled.flatMap(
      (column) => this.candidate(at, column, ALONE, words.get(column.id)) ?? [],
    );
    const judged = this.judged(at, candidates);
    return judged.state === 'decided' ? judged : undefined;
  }

  /** Returns the candidates of a label next to the others, by index. */
  private together(byTitle: readonly (Judged | undefined)[]): (at: number) => readonly Candidate[] {
    const { table, columns, contents, uses, alone } = this;
    const likely = contents.map((_, at) => {
      const title = byTitle[at]?.means;
      if (title !== undefined) return required(table.columns, title);
      const [best] = worthShowing(alone(at).flatMap((item) => item ?? []));
      return best !== undefined && best.score >= SCORE_LEVELS.ask
        ? required(table.columns, best.value)
        : undefined;
    });
    const around = likely.map((column, at) => column ?? this.named[at]);
    const expected = expectedColumns(around, contents, columns, uses);
    return onceEach((at) => {
      const beside = [likely[at - 1], likely[at + 1]].flatMap((column) => column ?? []);
      return columns.flatMap((column, index) => {
        const isSame = column !== expected[at] && !isBesideItem({ column, beside, uses });
        const neighbours = { columns: beside, expected: expected[at] };
        return (isSame ? alone(at)[index] : this.candidate(at, column, neighbours)) ?? [];
      });
    });
  }

  private fitAt(
    column: number,
    titled: Judged | undefined,
    candidates: () => readonly Candidate[],
  ): readonly LabelFit[] {
    const { table, sheet, header, uses } = this;
    const content = this.contentAt(column);
    const label = header.labels[column];
    const text = this.seen[column];
    if (label !== undefined && text === undefined) return []; // judged in the other half
    if (label === undefined && content.filled.length === 0) return [];
    const again = label === undefined ? undefined : repeatedMeaning(table, label);
    const name = this.names[column];
    // Titles precede; and `Médico` over document numbers is not the name that the mapping leaves aside.
    const isLeft =
      name !== undefined &&
      titled === undefined &&
      !uses.without.has('left aside by the mapping') &&
      Math.max(0, ...this.scores(column).values()) < TITLE &&
      leftAside(table, name) &&
      !isDocument(candidates(), table, content);
    const shared = titled === undefined && header.shared?.column === column ? header.shared : undefined;
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
        group: header.groupLabels[column],
        section: header.sectionLabels[column],
        ...(text?.half !== undefined && { half: text.half }),
        key: this.keyOf(column),
        content,
        isTitled: titled !== undefined,
        ...(again !== undefined
          ? { state: 'decided', means: again, reason: 'words' }
          : shared !== undefined
            ? sharedMeaning(shared, label, table, uses, candidates)
            : isLeft
              ? { state: 'ignored', reason: 'declined' }
              : (titled ?? this.judged(column, candidates()))),
        get candidates() {
          shown ??= shownOf(again === undefined ? candidates() : [], table, content, uses);
          return shown;
        },
      },
    ];
  }
}

/**
 * Returns the meaning of a shared key: the table's key; in the sheet whose documents are the key what other tables are
 * looked up by, if its label says so, else ignored.
 */
function sharedMeaning(
  { home }: SharedKey,
  label: string | undefined,
  { tableIndex, columns: all }: CompiledTable,
  { keys, links }: Uses,
  candidates: () => readonly Candidate[],
): Judged {
  const columns = [...keys].filter((column) => column.tableIndex === tableIndex);
  const titled = columns.find(({ wanted }) => label !== undefined && wanted?.titles.includes(label));
  const asked = (): readonly CompiledColumn[] =>
    candidates().flatMap(({ value, words }) => (words >= SCORE_LEVELS.ask && all.get(value)) || []);
  const key = titled ?? (home === undefined ? asked().find((column) => links.has(column)) : columns[0]);
  return key === undefined
    ? { state: 'ignored', reason: 'key' }
    : { state: 'decided', means: key.id, reason: titled === undefined ? 'key' : 'words' };
}

/** Returns the candidates to offer: the likely ones, others of their item, and those with that very title. */
function shownOf(
  all: readonly Candidate[],
  table: CompiledTable,
  content: Content,
  uses: Uses,
): readonly Candidate[] {
  const others = firstOfEach(ofTheSame(all, table, content, uses), ({ value }) => value).filter(
    ({ value }) => !all.some((item) => item.value === value && item.agreement !== 'contradicted'),
  );
  return [...worthShowing([...all, ...others]), ...calledSo(all)];
}

/** Returns the columns that the labels certainly or probably mean. */
export const likelyColumns = (labels: readonly LabelFit[]): ReadonlySet<string> =>
  new Set(
    labels.flatMap((fit) => {
      if (fit.means !== undefined) return fit.means;
      const [first] = fit.candidates;
      // Two labels that claim one column are doubted, and explain it all the same.
      const isLikely = first !== undefined && Math.max(first.score, first.words) >= SCORE_LEVELS.ask;
      return isLikely || (first !== undefined && fit.reason === 'rival') ? first.value : [];
    }),
  );
