import { getOrAdd, listIn, remember } from '../core/remember.js';
import { fold, wildcard } from '../core/text.js';
import { CellFault } from '../mapping/read/cell.js';
import { isNullWord } from '../mapping/read/null-words.js';
import { type CompiledColumn, MIN_READABLE_CELLS, showsColumn } from '../mapping/record.js';
import { hasTrait } from '../messages/wording.js';
import {
  areFewWords,
  type Content,
  holdsAmounts,
  holdsAnswers,
  knownClasses,
  knownWords,
  looksLikeCount,
  looksLikeDocuments,
  looksLikeMoney,
  share,
} from './content.js';
import type { LabelledColumn } from './label-texts.js';
import type { Range, Uses } from './uses.js';

/** Evidence of a label for one column that it may mean. */
interface ColumnEvidence {
  readonly column: LabelledColumn;
  readonly content: Content;
  readonly uses: Uses;
  /** Columns that the labels left and right of it mean, if these are sure alone. */
  readonly beside: readonly CompiledColumn[];
  /** True if its amounts are sums or differences of other columns. */
  readonly isTotal: boolean;
  /** True if the label names the item of the column, and the cells are of its kind. */
  readonly isNamed: boolean;
  /** True if the mapping has the column between those of the labels around it. */
  readonly isExpected: boolean;
  /** True if most labels of the header are run-together capitals, as this one is. */
  readonly isInStyle: boolean;
}

interface Piece {
  /** Weight added to the score of the words, from 0 to 1. */
  readonly weight: number;
  /** True if it counts even without support by words. */
  readonly finds?: boolean;
  readonly reason: string;
  readonly speaks: (evidence: ColumnEvidence) => boolean;
}

/** Ids of columns whose texts are often digits: account_number, concept_code, invoice, employer_nit. */
const CODES = /(number|code|document|invoice|fortnight|subtype|type|num|cod|_nit$|_id$)/i;

const NEARLY_ALL = 0.9;
const WORDS_OF_A_NAME = 3;

/** Returns a test whether nearly all cells match a pattern, kept by content. */
const shows = (pattern: RegExp): ((content: Content) => boolean) =>
  remember(({ distinct }) => share(distinct, (text) => pattern.test(text)) >= NEARLY_ALL);

const showsStreets = shows(
  /^\s*(calle|cll?|cra|carrera|kr|kra|av|avenida|ac|ak|diag|diagonal|dg|transv|transversal|tv|mz|manzana|vereda|km|kil[oó]metro|circular|autopista)\b.*\d/i,
);

/** Tests for codes of a few characters: `D01`, `001`. */
const showsCodes = shows(/^(?=.*\d)[\p{L}\d][\p{L}\d./-]{1,5}$/u);

/** Tests for codes with too many digits to be other numbers. */
const showsLongCodes = shows(/^\d{4,}$/);

/** Tests for digests in hexadecimal, alone or in an address. */
const showsDigests = shows(/[\dA-Fa-f]{64}/);

const showsAnswers = remember(holdsAnswers);
const showsDocuments = remember(looksLikeDocuments);

const BIRTH = /nacimiento|birth/i;

/** Years between dates that are decades apart, without the outer tenths. */
const DECADES = 15;

const spansDecades = remember(({ filled, dated }: Content): boolean => {
  if (dated < MIN_READABLE_CELLS) return false;
  const years = filled.flatMap(({ text }) => Number(/(?:19|20)\d\d/.exec(text)?.[0] ?? NaN) || []).sort();
  const at = (part: number): number => years[Math.floor((years.length - 1) * part)] ?? 0;
  return at(NEARLY_ALL) - at(1 - NEARLY_ALL) >= DECADES;
});

/** True for several words without digits that seldom come twice. */
const namesRecords = remember(
  (content: Content): boolean =>
    hasFullNames(content) &&
    content.distinct.length > content.filled.length / 3 &&
    share(content.distinct, (text) => /^[\p{L}\s.,'’-]+$/u.test(text)) >= NEARLY_ALL,
);

const isTimed = ({ type, kind }: CompiledColumn): boolean =>
  type === 'date' || type === 'datetime' || kind === 'time';

/** True if a neighbour means another part of the same item of the document. */
export const isBesideItem = ({
  column,
  beside,
  uses: { items },
}: Pick<ColumnEvidence, 'column' | 'beside' | 'uses'>): boolean =>
  beside.some(
    (other) => other !== column && items.get(other)?.some((item) => items.get(column)?.includes(item)),
  );

/** Min number of classes whose words are no chance, though other words are not known. */
const SEVERAL_CLASSES = 3;

/** Min number of classes whose words are the concepts of a list, whatever its label. */
const MANY_CLASSES = 5;
const MOST_KNOWN = 0.8;

/** Supports of a column besides the words of its label. */
const SUPPORTS = {
  'known words': {
    weight: 0.1,
    finds: true,
    reason: 'the code list that the column is looked up in knows the cells',
    speaks: ({ column, content, uses }) =>
      (content.wordy || (content.distinct.length > 2 && showsLongCodes(content))) &&
      ((knownWords(column, content, uses) ?? 0) >= NEARLY_ALL ||
        knownClasses(column, content, uses) >= SEVERAL_CLASSES),
  },
  'words of many concepts': {
    weight: 0.45,
    reason: 'no other column holds the words of so many concepts',
    speaks: ({ column, content, uses }) =>
      content.wordy &&
      knownClasses(column, content, uses) >= MANY_CLASSES &&
      (knownWords(column, content, uses) ?? 0) >= MOST_KNOWN,
  },
  'known codes': {
    weight: 0.04,
    reason: 'short codes of the list; other numbers are as short',
    speaks: ({ column, content, uses }) =>
      !content.wordy && !showsLongCodes(content) && knownWords(column, content, uses) === 1,
  },
  'dates for a date': {
    weight: 0.06,
    finds: true,
    reason: 'few columns hold dates',
    speaks: ({ column, content }) => isTimed(column) && content.dated >= MIN_READABLE_CELLS,
  },
  'yes and no': {
    weight: 0.1,
    finds: true,
    reason: 'few columns hold an answer',
    speaks: ({ column, content }) => column.kind === 'boolean' && showsAnswers(content),
  },
  'words of a choice': {
    weight: 0.1,
    finds: true,
    reason: 'the mapping names the words itself',
    speaks: ({ column, content }) =>
      column.kind === 'choice' && readable(column, content) >= MIN_READABLE_CELLS,
  },
  'street addresses': {
    weight: 0.2,
    finds: true,
    reason: 'they look like nothing else',
    speaks: ({ column, content }) => showsStreets(content) && /address|direccion/i.test(column.id),
  },
  'documents for the key': {
    weight: 0.08,
    finds: true,
    reason: 'numbers of documents tell records apart',
    speaks: ({ column, content, uses }) =>
      uses.keys.has(column) && content.distinct.length > 1 && showsDocuments(content),
  },
  'digests of documents': {
    weight: 0.6,
    finds: true,
    reason: 'nothing else is so many hexadecimal digits',
    speaks: ({ column, content }) => column.kind === 'hash' && showsDigests(content),
  },
  'known words before numbers': {
    weight: 0.35,
    finds: true,
    reason: 'only a number of a document stands behind the word for its kind',
    speaks: ({ column: { prefix }, content }) =>
      prefix !== undefined &&
      share(content.filled, ({ text }) => prefix.of(text) !== undefined) >= MIN_READABLE_CELLS,
  },
  'full names of records': {
    weight: 0.2,
    finds: true,
    reason: 'hardly anything else is several words and different in each record',
    speaks: ({ column, content, uses }) =>
      uses.names.some((name) => name.column === column) && namesRecords(content),
  },
  'days of birth': {
    weight: 0.2,
    finds: true,
    reason: 'only people are decades apart',
    speaks: ({ column, content }) => BIRTH.test(column.id) && spansDecades(content),
  },
  'neighbours of one item': {
    weight: 0.08,
    reason: 'what makes one item of the document stands together: hours and their value, from and until',
    speaks: isBesideItem,
  },
  'name of an item': {
    weight: 0.15,
    finds: true,
    reason: 'first day, last day and pay of vacations are told apart by their cells once vacations are named',
    speaks: ({ isNamed }) => isNamed,
  },
  'order of the mapping': {
    weight: 0.1,
    finds: true,
    reason: 'programs list the same things in much the same order',
    speaks: ({ isExpected }) => isExpected,
  },
  'sum of others': {
    weight: 0.2,
    reason: 'only a total is the sum of other columns in every record',
    speaks: ({ column, isTotal, uses }) => isTotal && uses.stated.has(column),
  },
  'style of the header': {
    weight: 0.05,
    reason: 'where all labels run words together, one more does',
    speaks: ({ isInStyle }) => isInStyle,
  },
} as const satisfies Readonly<Record<string, Piece>>;
export type Support = keyof typeof SUPPORTS;

const LISTED = Object.entries(SUPPORTS) as readonly (readonly [Support, Piece])[];

const FINDING = LISTED.filter(([, { finds }]) => finds === true);

/** Returns the supports of a column; undefined if neither words nor cells say anything of it. */
export function supportsOf(evidence: ColumnEvidence, isSaid: boolean): readonly Support[] | undefined {
  const { without } = evidence.uses;
  const isSpoken = ([name, { speaks }]: readonly [Support, Piece]): boolean =>
    speaks(evidence) && !without.has(name);
  if (!isSaid && !FINDING.some(isSpoken)) return undefined;
  return LISTED.filter(isSpoken).map(([name]) => name);
}

export const weightOf = (supports: readonly Support[]): number =>
  supports.reduce((sum, name) => sum + SUPPORTS[name].weight, 0);

/** True if the cells alone make a column worth asking about. */
export const isFound = (supports: readonly Support[]): boolean =>
  supports.some((name) => (SUPPORTS[name] as Piece).finds === true);

/**
 * Agreement of the cells with the type of a column. `doubted`: words unknown to its code list, which a person may
 * settle; a contradicted column is never offered.
 */
export type Agreement = 'agrees' | 'blank' | 'doubted' | 'contradicted';

/** Max words of a column of a code list that knows none of them. */
const MOST_UNKNOWN = 12;

/** Min share of known words in a column of a code list; the rest is asked later. */
const KNOWN_WORDS = 0.3;

function readable(column: LabelledColumn, { filled }: Content): number {
  const isSaid = ({ text, kind }: Content['filled'][number]): boolean =>
    column.type === 'decimal'
      ? !isNullWord(text.trim())
      : !isTimed(column) || column.read(text, kind) !== undefined;
  const cells = filled.filter(isSaid);
  if (cells.length === 0) return 1;
  return share(cells, ({ text, kind }) => {
    const value = column.read(text, kind);
    return !(value instanceof CellFault) || hasTrait(value, 'right-kind');
  });
}

/** Returns the agreement of the cells under a label with a column. */
export function agreement(column: LabelledColumn, content: Content, uses: Uses): Agreement {
  const known = agreements(uses)(content);
  return getOrAdd(known, column, () => agreementOf(column, content, uses));
}

const agreements = remember((_: Uses) => remember((_: Content) => new Map<CompiledColumn, Agreement>()));

function agreementOf(column: LabelledColumn, content: Content, uses: Uses): Agreement {
  if (content.filled.length === 0) return 'blank';
  if (!uses.without.has('unreadable cells') && readable(column, content) < MIN_READABLE_CELLS)
    return (column.kind === 'choice' || column.kind === 'boolean') && areFewWords(content)
      ? 'agrees'
      : 'contradicted';
  if (contradicts(column, content, uses)) return 'contradicted';
  if (column.doubtful !== undefined && !showsColumn(column, content.filled)) return 'contradicted';
  if (!uses.without.has('unusual cells') && !isUsual(column, content)) return 'contradicted';
  const known = uses.without.has('unknown words') ? undefined : knownWords(column, content, uses);
  if (known === undefined || known >= KNOWN_WORDS) return 'agrees';
  if (known === 0 && content.distinct.length > MOST_UNKNOWN) return 'contradicted';
  // Codes of concepts may be explained elsewhere: in another sheet, or by whoever answers.
  const mayMean = content.wordy || (uses.classes.has(column) && showsCodes(content));
  return mayMean && content.dated < MIN_READABLE_CELLS ? 'doubted' : 'contradicted';
}

/** True if most cells hold what a column usually does: codes of consultations begin with 890. */
function isUsual({ read, usual }: LabelledColumn, { filled }: Content): boolean {
  if (usual === undefined) return true;
  const fits = usual.map((pattern) => wildcard(pattern));
  const good = filled.filter(({ text, kind }) => {
    const value = read(text, kind);
    return typeof value === 'string' && fits.some((test) => test(fold(value)));
  });
  return good.length >= filled.length / 2;
}

/** True if the numbers are in the range of the schema: grams are as large as some amounts. */
const isInRange = (range: Range | undefined, { numeric, median = 0, largest }: Content): boolean =>
  range !== undefined && numeric === 1 && median >= range.from && largest <= range.to;

const isNumber = ({ kind }: CompiledColumn): boolean =>
  kind === 'integer' || kind === 'decimal' || kind === 'percent';
const isNamePart = (column: CompiledColumn, { nameParts }: Uses): boolean => nameParts.has(column);
const isOtherText = (column: CompiledColumn, uses: Uses): boolean =>
  column.kind === 'text' && !isNamePart(column, uses) && !CODES.test(column.id);

const wordsIn = (text: string): number => text.trim().split(/\s+/).length;

interface Contradiction {
  /** Tells whether it applies to a column. */
  readonly of: (column: CompiledColumn, uses: Uses) => boolean;
  readonly by: (content: Content, range: Range | undefined) => boolean;
}

/** Day of our time, with a time of day. */
const MOMENT = /^((?:19[5-9]|20\d)\d-\d\d-\d\d)T(?!00:00)/;

/** Endings of names of companies. */
const COMPANY = /\s(?:s\.?\s?a\.?\s?s|s\.?\s?a|ltda|limitada|e\.?\s?s\.?\s?p|e\.?\s?u|s\.? en c)\.?$/;

/** Titles of unit prices, which may be small. */
const OF_ONE = /unit/i;

/** Contradictions of a column by its cells; one is enough. */
const CONTRADICTIONS = {
  'counts for an amount': { of: ({ kind, id }) => kind === 'money' && !OF_ONE.test(id), by: looksLikeCount },
  'amounts for a quantity': {
    of: isNumber,
    by: (content, range) => looksLikeMoney(content) && !isInRange(range, content),
  },
  'dates for something else': {
    of: (column) => !isTimed(column) && column.kind !== 'month',
    by: ({ dated }) => dated >= MIN_READABLE_CELLS,
  },
  'decades for a moment': { of: ({ type }) => type === 'datetime', by: spansDecades },
  'moments for a time of day': {
    of: ({ kind }) => kind === 'time',
    by: ({ distinct }) => new Set(distinct.flatMap((text) => MOMENT.exec(text)?.[1] ?? [])).size > 1,
  },
  'ordinals for an identification': {
    of: (column, { links }) => column.kind === 'identifier' && !links.has(column),
    by: ({ counts }) => counts,
  },
  'words for an identification': {
    of: ({ kind }) => kind === 'identifier',
    by: ({ filled }) => share(filled, ({ text }) => /\d/.test(text)) < MIN_READABLE_CELLS,
  },
  'full names for a part of one': { of: isNamePart, by: hasFullNames },
  'companies for a person': {
    of: (column, uses) => isNamePart(column, uses) || uses.names.some((name) => name.column === column),
    by: ({ filled }) => share(filled, ({ text }) => COMPANY.test(fold(text))) >= MIN_READABLE_CELLS,
  },
  'amounts for a text': { of: isOtherText, by: looksLikeMoney },
} as const satisfies Readonly<Record<string, Contradiction>>;

const contradicts = (column: CompiledColumn, content: Content, uses: Uses): boolean =>
  (Object.entries(CONTRADICTIONS) as [keyof typeof CONTRADICTIONS, Contradiction][]).some(
    ([name, { of, by }]) =>
      of(column, uses) && !uses.without.has(name) && by(content, uses.ranges.get(column)),
  );

/** True if the cells are single words, which are no full names. */
export const hasSingleWords = ({ filled }: Content): boolean =>
  share(filled, ({ text }) => wordsIn(text) < 2) > 0.5;

export function hasFullNames({ filled }: Content): boolean {
  return share(filled, ({ text }) => wordsIn(text) >= WORDS_OF_A_NAME) > 0.5;
}

/** Min records of a total: fewer may add up by chance. */
const FEWEST_RECORDS = 3;

/** Prime below 2²⁶, so that the product of two remainders is exact. */
const CHECKSUM_PRIME = 67_108_859;
const CHECKSUM_BASE = 31;

/** Returns a checksum of amounts by row; the checksum of a sum is the sum of the checksums. */
const checksumOf = (amounts: readonly number[]): number =>
  amounts.reduce((sum, amount) => modulo(sum * CHECKSUM_BASE + modulo(amount)), 0);

const modulo = (n: number): number => ((n % CHECKSUM_PRIME) + CHECKSUM_PRIME) % CHECKSUM_PRIME;

/** Returns the 0-based columns whose amounts are in every record the sum of those before them, or the difference of two. */
export const totalsAmong = remember((contents: readonly Content[]): ReadonlySet<number> => {
  const found = contents.flatMap((content, column) => {
    if (!holdsAmounts(content) || !looksLikeMoney(content)) return [];
    const cents = new Map<number, number>();
    for (const { row, text, amount } of content.filled)
      if (amount !== undefined && text !== '') cents.set(row, Math.round(amount * 100));
    return [{ column, cents }];
  });
  const rows = [...new Set(found.flatMap(({ cents }) => [...cents.keys()]))];
  const totals = new Set<number>();
  if (rows.length < FEWEST_RECORDS) return totals;
  const columns = found.map(({ column, cents }) => {
    const centsIn = (row: number): number => cents.get(row) ?? 0;
    return { column, centsIn, checksum: checksumOf(rows.map(centsIn)) };
  });
  /** Earlier columns by checksum: adding up every pair would take too long. */
  const before = new Map<number, typeof columns>();
  for (const [last, amounts] of columns.entries()) {
    const { column, centsIn, checksum } = amounts;
    const previous = columns.slice(0, last);
    const areEqual = (centsOf: (row: number) => number): boolean =>
      rows.every((row) => centsOf(row) === centsIn(row));
    const isSum = (of: typeof columns): boolean =>
      modulo(sumOf(of, (addend) => addend.checksum)) === checksum &&
      areEqual((row) => sumOf(of, (addend) => addend.centsIn(row)));
    const isDifference = (less: (typeof columns)[number]): boolean =>
      before
        .get(modulo(checksum + less.checksum))
        ?.some((of) => of !== less && areEqual((row) => of.centsIn(row) - less.centsIn(row))) === true;
    // Sums are of at least two columns that stand right before it.
    if (previous.slice(1).some((_, from) => isSum(previous.slice(from))) || previous.some(isDifference))
      totals.add(column);
    listIn(before, checksum).push(amounts);
  }
  return totals;
});

const sumOf = <T>(items: readonly T[], amountOf: (item: T) => number): number =>
  items.reduce((sum, item) => sum + amountOf(item), 0);
