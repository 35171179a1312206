import type { Issue } from '../core/issue.js';
import type { NonEmpty } from '../core/non-empty.js';
import { getOrAdd, remember } from '../core/remember.js';
import { unreachable } from '../core/required.js';
import { columnIndex, columnLetter, squash, suggest } from '../core/text.js';
import {
  type GroupRow,
  groupRowAbove,
  type HeaderLabels,
  isName,
  labelsOf,
  unitsRowBelow,
} from './header-rows.js';
import { inPart, type PartNamer, type PartNames, partNamer } from './part-names.js';
import { cellPlace, type Row, type RowSource } from './table.js';
import {
  type Closeness,
  type LabelForms,
  labelForms,
  numberedMatcher,
  type TitleMatcher,
  titleMatcher,
} from './titles.js';

/** Header cell that is compared with titles. */
interface LabelCell {
  readonly label: string;
  readonly group: string | undefined;
  readonly section: string | undefined;
  /** True if the sheet has a row of groups. */
  readonly grouped: boolean;
}

/** Meaning of a label: a wanted column, or one of an instance of a repeated group. */
interface Claim {
  readonly id: string;
  readonly several: boolean;
  readonly repeat?: { readonly group: string; readonly n: number };
  /** Index of the part, for records side by side. */
  readonly part?: number;
  /** Reason for which the column is ignored. */
  readonly reason?: string;
}

interface Claimant {
  claim(
    cell: LabelCell,
    forms: LabelForms,
    withGroup: LabelForms | undefined,
  ): { readonly claim: Claim; readonly rank: number } | undefined;
  /** Forms of labels that it may claim; undefined if it must see every label. */
  readonly forms: readonly string[] | undefined;
}

/** Rank by closeness of the label; an agreeing group decides within one closeness, never over it. */
const RANKS: Readonly<Record<Closeness, number>> = { 0: 0, 1: 1, 2: 4, 3: 8, 4: 9 };
const SAME_GROUP = 2;
/** Addend if only the section agrees: the group between may have a separate column. */
const IN_SECTION = 0;
/** Addend of a column with groups in a sheet without; it yields to columns without groups. */
const GROUP_UNKNOWN = -1.5;

/** Returns the addend of the group, or undefined if the column belongs to another group. */
function groupRank(groups: TitleMatcher | undefined, cell: LabelCell): number | undefined {
  if (groups === undefined) return 0;
  if (!cell.grouped) return GROUP_UNKNOWN;
  const isOver = (text: string | undefined): boolean => text !== undefined && isName(groups, text);
  if (isOver(cell.group)) return SAME_GROUP;
  return isOver(cell.section) ? IN_SECTION : undefined;
}

/** Cached, since a mapping looks for its columns in every candidate row of every sheet. */
const claimantOf = remember((wanted: WantedColumn | IgnoredColumns): Claimant => {
  const titles = titleMatcher(wanted.titles);
  const groups = wanted.groups && titleMatcher(wanted.groups);
  const claim: Claim =
    'reason' in wanted
      ? { id: '', several: true, reason: wanted.reason }
      : { id: wanted.id, several: wanted.several ?? false };
  return {
    forms: titles.forms,
    claim(cell, forms, withGroup) {
      const extra = groupRank(groups, cell);
      if (extra === undefined) return undefined;
      const closeness = titles.closeness(forms);
      // A title may combine both rows: `HED valor` is `Valor` under `HED`.
      const both = withGroup !== undefined && titles.closeness(withGroup) >= 3;
      const rank = Math.max(closeness > 0 ? RANKS[closeness] + extra : 0, both ? RANKS[3] + SAME_GROUP : 0);
      return rank === 0 ? undefined : { claim, rank };
    },
  };
});

function repeatedClaimant(group: string, wanted: WantedColumn): Claimant {
  const numberOf = numberedMatcher(wanted.titles);
  const groups = wanted.groups && titleMatcher(wanted.groups);
  return {
    forms: undefined,
    claim(cell, forms, withGroup) {
      const extra = groupRank(groups, cell);
      const n = numberOf(forms) ?? (withGroup && numberOf(withGroup));
      if (extra === undefined || n === undefined) return undefined;
      return { claim: { id: wanted.id, several: false, repeat: { group, n } }, rank: RANKS[2] + extra };
    },
  };
}

/** Creates a function that returns the wanted columns that fit a label best; several are ambiguous. */
function claimsOf(
  wanted: readonly WantedColumn[],
  repeated: readonly RepeatedGroup[],
  ignored: readonly IgnoredColumns[] = [],
): (cell: LabelCell) => readonly Claim[] {
  const all = [
    ...wanted.map(claimantOf),
    ...repeated.flatMap(({ id, columns }) => columns.map((column) => repeatedClaimant(id, column))),
    ...ignored.map(claimantOf),
  ];
  const byForm = new Map<string, Claimant[]>();
  const always = new Set<Claimant>();
  for (const claimant of all) {
    if (claimant.forms === undefined) always.add(claimant);
    for (const form of claimant.forms ?? []) getOrAdd(byForm, form, (): Claimant[] => []).push(claimant);
  }
  /** Returns the claimants that may fit, in order. */
  const candidates = (texts: readonly LabelForms[]): readonly Claimant[] => {
    const found = new Set(always);
    for (const { folded, squashed } of texts)
      for (const form of [folded, squashed])
        for (const claimant of byForm.get(form) ?? []) found.add(claimant);
    return all.filter((claimant) => found.has(claimant));
  };
  return (cell) => {
    const forms = labelForms(cell.label);
    const withGroup = cell.group === undefined ? undefined : labelForms(`${cell.group} ${cell.label}`);
    const fits = candidates(withGroup === undefined ? [forms] : [forms, withGroup]).flatMap(
      (claimant) => claimant.claim(cell, forms, withGroup) ?? [],
    );
    const best = Math.max(0, ...fits.map(({ rank }) => rank));
    const claims = fits.filter(({ rank }) => rank === best).map(({ claim }) => claim);
    // Two reasons to ignore a column are equal; a reason to read it takes precedence.
    const meant = claims.filter(({ reason }) => reason === undefined);
    return meant.length > 0 ? meant : claims.slice(0, 1);
  };
}

/** Formats a claim for users and as a key: `base_salary`, `overtime.2.hours`, `2.salary` of the second of two parts. */
const claimName = ({ id, repeat, part }: Claim): string =>
  repeat !== undefined ? `${repeat.group}.${repeat.n}.${id}` : part === undefined ? id : `${part + 1}.${id}`;

/** Id of a declared label that is not wanted. */
export const IGNORE = 'ignore';

/** Column that a mapping names by its letter: `[S]`, or `[S] Comisiones` with its title. */
interface ColumnLetterRef {
  readonly column: number;
  /** Label, or `GROUP / label`; blank if only the letter is given. */
  readonly title: string;
}

/** Parses a declared label with a column letter; undefined for a plain label. */
export function parseLetterLabel(label: string): ColumnLetterRef | undefined {
  const [, letters, title = ''] = /^\[([A-Z]{1,3})\]\s*(.*)$/is.exec(label.trim()) ?? [];
  return letters === undefined ? undefined : { column: columnIndex(letters), title };
}

/** Returns the group parts of labels of the form `GROUP / label`. */
const declaredGroups = (labels: Readonly<Record<string, string>>): string[] =>
  Object.keys(labels).flatMap((label) => {
    const text = parseLetterLabel(label)?.title ?? label;
    const at = text.indexOf(' / ');
    return at > 0 ? [text.slice(0, at)] : [];
  });

interface DeclaredLabels {
  /** Number of columns that the declared letters cover. */
  readonly width: number;
  /** Returns the id declared for a column by its letter, if its title matches. */
  idAt(column: number, header: HeaderTexts): string | undefined;
  /** Returns the id declared for a label: with its group, else by its text. */
  idOf(label: string, group: string | undefined): string | undefined;
  /** Returns letters whose column has another title, while some column has theirs. */
  misplaced(header: HeaderTexts): readonly ColumnLetterRef[];
}

type HeaderTexts = Pick<HeaderLabels, 'labels' | 'groupLabels'>;

/** Returns the forms in which a text of a header equals a declared one. */
const formsOf = (text: string): readonly string[] => {
  const { folded, squashed } = labelForms(text);
  return squashed === '' ? [folded] : [folded, squashed];
};

/** Returns the forms of a column's header: its label, and `GROUP / label`. */
function formsOver({ labels, groupLabels }: HeaderTexts, column: number): readonly string[] {
  const label = labels[column];
  if (label === undefined) return [];
  const group = groupLabels[column];
  return [...formsOf(label), ...(group === undefined ? [] : formsOf(`${group} / ${label}`))];
}

interface DeclaredColumn extends ColumnLetterRef {
  readonly id: string;
  /** Forms of its title; empty without one. */
  readonly forms: readonly string[];
}

/** Indexes the labels that a mapping declares. */
function declaredLabels(labels: Readonly<Record<string, string>>): DeclaredLabels {
  const byColumn = new Map<number, DeclaredColumn[]>();
  const byFolded = new Map<string, string>();
  const bySquashed = new Map<string, string>();
  for (const [label, id] of Object.entries(labels)) {
    const reference = parseLetterLabel(label);
    if (reference !== undefined) {
      const { column, title } = reference;
      const forms = title === '' ? [] : formsOf(title);
      byColumn.set(column, [...(byColumn.get(column) ?? []), { column, title, forms, id }]);
    } else {
      const { folded, squashed } = labelForms(label);
      byFolded.set(folded, id);
      if (squashed !== '') bySquashed.set(squashed, id);
    }
  }
  const byText = (text: string): string | undefined => {
    const { folded, squashed } = labelForms(text);
    return byFolded.get(folded) ?? bySquashed.get(squashed);
  };
  const idAt: DeclaredLabels['idAt'] = (column, header) => {
    const all = byColumn.get(column);
    if (all === undefined) return undefined;
    const over = formsOver(header, column);
    const titled = all.find(({ forms }) => forms.some((form) => over.includes(form)));
    return (titled ?? all.find(({ title }) => title === ''))?.id;
  };
  return {
    width: Math.max(0, ...[...byColumn.keys()].map((column) => column + 1)),
    idAt,
    idOf: (label, group) =>
      (group === undefined ? undefined : byText(`${group} / ${label}`)) ?? byText(label),
    misplaced(header) {
      const moved = [...byColumn].filter(([column]) => idAt(column, header) === undefined);
      if (moved.length === 0) return [];
      const there = new Set(header.labels.flatMap((_, column) => formsOver(header, column)));
      return moved.flatMap(
        ([, declared]) => declared.find(({ forms }) => forms.some((form) => there.has(form))) ?? [],
      );
    },
  };
}

/** Wanted columns and declared labels, prepared for comparison with rows. */
interface HeaderMatcher {
  readonly claims: (cell: LabelCell) => readonly Claim[];
  readonly declared: DeclaredLabels;
  readonly severals: ReadonlySet<string>;
  /** Every group named by a column, a part or a declared label. */
  readonly groupNames: TitleMatcher;
  readonly parts: PartNames;
  readonly partOf: PartNamer;
}

function createMatcher(
  wanted: readonly WantedColumn[],
  {
    labels = {},
    repeated = [],
    ignored = [],
    parts = [],
  }: Pick<HeaderOptions, 'labels' | 'repeated' | 'ignored' | 'parts'>,
): HeaderMatcher {
  const all = [...wanted, ...repeated.flatMap(({ columns }) => columns), ...ignored];
  return {
    claims: claimsOf(wanted, repeated, ignored),
    declared: declaredLabels(labels),
    severals: new Set(wanted.filter(({ several }) => several).map(({ id }) => id)),
    groupNames: titleMatcher([
      ...all.flatMap(({ groups }) => groups ?? []),
      ...parts.flat(),
      ...declaredGroups(labels),
    ]),
    parts,
    partOf: parts.length > 0 ? partNamer(parts) : () => undefined,
  };
}

/** Column of the sheet with a meaning. */
interface Claimed {
  readonly column: number;
  readonly claim: Claim;
  readonly declared: boolean;
}

/** Faults of labels with the column of each, from 0. */
type ColumnIssues = { readonly column: number; readonly issue: Issue }[];

/** Meanings of the labels of a header, column by column, before columns are compared with each other. */
interface ClaimedColumns {
  /** Columns that mean the same, by the name of their claim. */
  readonly claimed: ReadonlyMap<string, NonEmpty<Claimed>>;
  /** Reason of each ignored column; undefined for one that the mapping ignores by its place or title. */
  readonly ignored: ReadonlyMap<number, string | undefined>;
  readonly unused: readonly { readonly column: number; readonly label: string }[];
  readonly issues: ColumnIssues;
}

/** Returns what the mapping or a label says of each column. */
function claimColumns(
  source: RowSource,
  header: HeaderLabels,
  matcher: HeaderMatcher,
  hasGroups: boolean,
): ClaimedColumns {
  const { labels, groupLabels, sectionLabels } = header;
  const claimed = new Map<string, NonEmpty<Claimed>>();
  const ignored = new Map<number, string | undefined>();
  const unused: { column: number; label: string }[] = [];
  const issues: ColumnIssues = [];
  // Names of parts are not sections.
  const grouped =
    hasGroups &&
    (matcher.parts.length === 0 ||
      groupLabels.some((group) => group !== undefined && matcher.partOf(group, true)?.rest !== ''));
  // Data may extend beyond labels: a column letter can be declared for a blank cell.
  const width = Math.max(labels.length, matcher.declared.width);
  for (let column = 0; column < width; column++) {
    const label = labels[column];
    const group = groupLabels[column];
    const bare = label === undefined ? undefined : inPart(matcher.partOf, label, group);
    const declared =
      matcher.declared.idAt(column, header) ??
      (label === undefined ? undefined : matcher.declared.idOf(label, group)) ??
      (bare?.part === undefined ? undefined : matcher.declared.idOf(bare.label, bare.group));
    if (declared === IGNORE) {
      ignored.set(column, undefined);
      continue;
    }
    const claims: readonly Claim[] =
      declared !== undefined
        ? [{ id: declared, several: matcher.severals.has(declared) }]
        : bare === undefined
          ? []
          : matcher.claims({ label: bare.label, group: bare.group, section: sectionLabels[column], grouped });
    const [meant, ...others] = claims;
    if (meant === undefined) {
      if (label !== undefined) unused.push({ column, label });
    } else if (meant.reason !== undefined) ignored.set(column, meant.reason);
    else if (others.length > 0)
      issues.push({ column, issue: ambiguous(source, header, column, [meant, ...others]) });
    else {
      const isOfPart = bare?.part !== undefined && meant.repeat === undefined;
      const claim = isOfPart ? { ...meant, part: bare.part } : meant;
      const name = claimName(claim);
      const entry: Claimed = { column, claim, declared: declared !== undefined };
      const [first, ...rest] = claimed.get(name) ?? [];
      claimed.set(name, first === undefined ? [entry] : [first, ...rest, entry]);
    }
  }
  for (const reference of matcher.declared.misplaced(header))
    issues.push({ column: reference.column, issue: otherTitle(source, header, reference) });
  return { claimed, ignored, unused, issues };
}

/** Matches the labels of a header row with the columns of a mapping; of columns that mean the same, says which count. */
function matchHeader(
  source: RowSource,
  row: Row,
  groups: GroupRow | undefined,
  matcher: HeaderMatcher,
): Omit<Header, 'row' | 'groupRow' | 'sectionRow' | 'firstDataRow'> {
  const header = labelsOf(row, groups);
  const { claimed, ignored, unused, issues } = claimColumns(source, header, matcher, groups !== undefined);
  const outvotedColumns: number[] = [];
  const found: Claimed[] = [];
  const instances = new Map<string, Map<number, Map<string, number>>>();
  const double = ({ column }: Claimed, first: Claimed): void => {
    issues.push({ column, issue: duplicate(source, header, column, first) });
  };
  for (const all of claimed.values()) {
    const { kept, doubles, outvoted } = settle(all);
    const [first] = kept;
    outvotedColumns.push(...outvoted.map(({ column }) => column));
    for (const repeated of doubles) double(repeated, first);
    const { id, repeat } = first.claim;
    if (repeat === undefined) found.push(...kept);
    else {
      const ofGroup = instances.get(repeat.group) ?? new Map<number, Map<string, number>>();
      const instance = ofGroup.get(repeat.n) ?? new Map<string, number>();
      instances.set(repeat.group, ofGroup.set(repeat.n, instance.set(id, first.column)));
    }
  }
  const several = new Map<string, number[]>();
  const parts = matcher.parts.map(() => new Map<string, number[]>());
  for (const entry of found) {
    const { id, part } = entry.claim;
    // The total of a month is none of its parts.
    const inside =
      part === undefined && found.find((other) => other.claim.id === id && other.claim.part !== undefined);
    if (inside) {
      double(entry, inside);
      continue;
    }
    for (const columns of [several, ...(part === undefined ? [] : [parts[part]])])
      columns?.set(id, [...(columns.get(id) ?? []), entry.column]);
  }
  const { labels } = header;
  const titled = outvotedColumns.flatMap((column) => {
    const label = labels[column];
    return label === undefined ? [] : { column, label };
  });
  return {
    ...header,
    columns: new Map([...several].flatMap(([id, [first]]) => (first === undefined ? [] : [[id, first]]))),
    several,
    parts,
    repeats: new Map([...instances].map(([group, ofGroup]) => [group, inOrder(ofGroup)])),
    declared: new Set(found.flatMap(({ column, declared }) => (declared ? column : []))),
    ignored,
    unused: [...unused, ...titled].sort((a, b) => a.column - b.column),
    issues: issues.sort((a, b) => a.column - b.column).map(({ issue }) => issue),
  };
}

/** Selects among the columns of one claim: declared ones take precedence, and only `several` keeps more than one. */
function settle(all: NonEmpty<Claimed>): {
  readonly kept: NonEmpty<Claimed>;
  readonly doubles: readonly Claimed[];
  readonly outvoted: readonly Claimed[];
} {
  if (all[0].claim.several) return { kept: all, doubles: [], outvoted: [] };
  const [declared, ...others] = all.filter((entry) => entry.declared);
  if (declared === undefined) return { kept: [all[0]], doubles: all.slice(1), outvoted: [] };
  return { kept: [declared], doubles: others, outvoted: all.filter((entry) => !entry.declared) };
}

const inOrder = (instances: ReadonlyMap<number, ReadonlyMap<string, number>>): Repeat[] =>
  [...instances].map(([n, columns]) => ({ n, columns })).sort((a, b) => a.n - b.n);

function ambiguous(source: RowSource, header: HeaderLabels, column: number, claims: readonly Claim[]): Issue {
  const label = header.labels[column];
  return {
    code: 'header/ambiguous',
    level: 'error',
    params: { columns: claims.map(claimName).join(', ') },
    place: cellPlace(source, header.rowOf(column), column, label),
    ...(label !== undefined && { value: label }),
  };
}

function otherTitle(source: RowSource, header: HeaderLabels, { column, title }: ColumnLetterRef): Issue {
  const label = header.labels[column];
  return {
    code: 'header/other-title',
    level: 'error',
    params: { wanted: title, column: columnLetter(column) },
    place: cellPlace(source, header.rowOf(column), column, label),
    ...(label !== undefined && { value: label }),
  };
}

function duplicate(source: RowSource, header: HeaderLabels, column: number, first: Claimed): Issue {
  const { labels, rowOf } = header;
  const row = rowOf(first.column);
  return {
    code: 'header/duplicate',
    level: 'error',
    params: {
      first: `${columnLetter(first.column)}${row.number}`,
      firstLabel: labels[first.column] ?? '',
    },
    place: cellPlace(source, rowOf(column), column, labels[column]),
    value: labels[column] ?? columnLetter(column),
    related: [cellPlace(source, row, first.column, labels[first.column])],
  };
}

const NO_ROW: Row = { number: 0, hidden: false, texts: [], kinds: undefined };

/** Creates the header of a table without one; the mapping gives the positions of columns. */
export function positionalHeader(
  wanted: readonly WantedColumn[],
  ignored: readonly IgnoredColumns[] = [],
): Header {
  const labels: string[] = [];
  const columns = new Map<string, number>();
  for (const { id, titles, position } of wanted) {
    if (position === undefined) continue;
    columns.set(id, position - 1);
    labels[position - 1] ??= titles[0] ?? id;
  }
  return {
    row: NO_ROW,
    firstDataRow: 1,
    labels: Array.from(labels),
    groupLabels: [],
    sectionLabels: [],
    rowOf: () => NO_ROW,
    columns,
    several: new Map([...columns].map(([id, column]) => [id, [column]])),
    parts: [],
    repeats: new Map(),
    declared: new Set(),
    ignored: new Map(
      ignored.flatMap(({ positions, reason }) =>
        positions.map((position) => [position - 1, reason] as const),
      ),
    ),
    unused: [],
    issues: [],
  };
}

/** Returns the issue of a record with a wrong number of fields, in a table without header: its columns have shifted. */
export function fieldCountIssue(source: RowSource, row: Row, fields: readonly number[]): Issue | undefined {
  const found = row.texts.length;
  // A sheet omits blank cells at the end of a row; a text file does not.
  const fits = row.line === undefined ? fields.some((count) => found <= count) : fields.includes(found);
  if (fits || fields.length === 0) return undefined;
  const { column: _, ...place } = cellPlace(source, row, 0);
  return {
    code: 'header/field-count',
    level: 'error',
    params: { found, wanted: fields.join(', ') },
    place,
    value: String(found),
  };
}

/** Column that a mapping wants, with the header texts that mean it. */
export interface WantedColumn {
  readonly id: string;
  readonly titles: readonly string[];
  /** Group labels above it, such as `DEVENGADOS`; ignored if the sheet has no row of groups. */
  readonly groups?: readonly string[];
  /** 1-based position in a table without header. */
  readonly position?: number;
  /** True if every column with such a title is meant; their amounts are added up. */
  readonly several?: boolean;
}

/** Columns repeated with a number, whose titles contain `{n}`. */
interface RepeatedGroup {
  readonly id: string;
  readonly columns: readonly WantedColumn[];
}

/** Columns of a file that are not read, and the reason. */
export interface IgnoredColumns {
  readonly titles: readonly string[];
  readonly groups?: readonly string[];
  /** 1-based positions in a table without header. */
  readonly positions: readonly number[];
  readonly reason: string;
}

export interface HeaderOptions {
  /** Row of the header, as Excel shows it. */
  readonly row?: number;
  /** Max row of the header, if `row` is not given. */
  readonly within: number;
  /** Ids without which a row is not a header. */
  readonly mustHave: readonly string[];
  /** Declares a row of group labels above the header; undeclared, it is one if it names a wanted group. */
  readonly groups?: 'above';
  /**
   * Label, `GROUP / label`, `[column letter]` or `[column letter] label` → wanted id, or `ignore`. Overrides titles.
   */
  readonly labels?: Readonly<Record<string, string>>;
  /** Set for a table without header, whose columns are found by position. */
  readonly none?: { readonly fields?: readonly number[] };
  readonly repeated?: readonly RepeatedGroup[];
  /** Names of the parts of records side by side, as groups or words in labels. */
  readonly parts?: PartNames;
  readonly ignored?: readonly IgnoredColumns[];
}

/** Instance of a repeated group: its number, and its columns by wanted id. */
interface Repeat {
  readonly n: number;
  readonly columns: ReadonlyMap<string, number>;
}

/** Header row, with the columns of the sheet by wanted id. */
export interface Header extends HeaderLabels {
  /** An empty row with number 0 in a table without header. */
  readonly row: Row;
  /** Row of group labels above, and of sections above that. */
  readonly groupRow?: Row;
  readonly sectionRow?: Row;
  readonly firstDataRow: number;
  /** Header texts by 0-based column; without header the first title of the column. */
  readonly labels: readonly (string | undefined)[];
  /** Wanted id → 0-based column. A column claimed twice keeps its first cell, and is an issue unless `several`. */
  readonly columns: ReadonlyMap<string, number>;
  /** Wanted id → all its 0-based columns in sheet order; more than one only for `several` and in parts. */
  readonly several: ReadonlyMap<string, readonly number[]>;
  /** Columns by wanted id of each part, for records side by side. */
  readonly parts: readonly ReadonlyMap<string, readonly number[]>[];
  /** Repeated group → its instances by ascending number. */
  readonly repeats: ReadonlyMap<string, readonly Repeat[]>;
  readonly declared: ReadonlySet<number>;
  /** Ignored columns by 0-based column with the reason; undefined if declared by `labels`. */
  readonly ignored: ReadonlyMap<number, string | undefined>;
  /** Labels without a meaning. */
  readonly unused: readonly { readonly column: number; readonly label: string }[];
  readonly issues: readonly Issue[];
}

/** Returns the number of columns with a meaning, by which headers are compared. */
export const matchedColumns = (header: Header): number => matchedIndexes(header).length;

const matchedIndexes = ({ columns, repeats }: Header): readonly number[] =>
  [columns, ...[...repeats.values()].flat().map((repeat) => repeat.columns)].flatMap((found) => [
    ...found.values(),
  ]);

/** Returns the number of matched columns filled in this row, and not only by the row above or a column letter. */
const filledColumns = (header: Header): number =>
  matchedIndexes(header).filter((column) => header.row.texts[column] !== undefined).length;

function readHeader(
  source: RowSource,
  rows: readonly Row[],
  at: number,
  matcher: HeaderMatcher,
  groups: GroupRow | undefined,
): Header {
  const row = rows[at] ?? unreachable(`row ${at}`);
  const units = unitsRowBelow(rows, at);
  return {
    row,
    ...(groups && { groupRow: groups.row }),
    ...(groups?.sections && { sectionRow: groups.sections }),
    firstDataRow: (units ?? row).number + 1,
    ...matchHeader(source, row, groups, matcher),
  };
}

/**
 * Finds the header among the first rows of a sheet: the declared row, or the best fitting with all of `mustHave`,
 * unless records of one above it would be lost. `rows` may include one more row, which may hold units.
 */
export function findHeader(
  source: RowSource,
  rows: readonly Row[],
  wanted: readonly WantedColumn[],
  options: HeaderOptions,
): Header | undefined {
  if (options.none !== undefined) return positionalHeader(wanted, options.ignored);
  const matcher = createMatcher(wanted, options);
  let best: Header | undefined;
  for (const [at, row] of rows.entries()) {
    if (options.row === undefined ? row.number > options.within : row.number !== options.row) continue;
    const groups = groupRowAbove(rows, at, matcher.groupNames, options.groups === 'above');
    const header = readHeader(source, rows, at, matcher, groups);
    if (options.row === undefined && !options.mustHave.every((id) => header.columns.has(id))) continue;
    if (best === undefined || (isBetter(header, best) && !hasOwnRecords(best, header, rows, options)))
      best = header;
  }
  return best;
}

/**
 * True if records lie between a header and a fuller one below: choosing the latter would lose them. A small table above
 * does not count.
 */
function hasOwnRecords(
  header: Header,
  next: Header,
  rows: readonly Row[],
  { mustHave }: Pick<HeaderOptions, 'mustHave'>,
): boolean {
  if (matchedColumns(header) * 2 < matchedColumns(next)) return false;
  const must = mustHave.flatMap((id) => header.columns.get(id) ?? []);
  const columns = matchedIndexes(header);
  return rows.some(
    (row) =>
      row.number >= header.firstDataRow &&
      row.number < next.row.number &&
      must.every((column) => row.texts[column] !== undefined) &&
      looksFilled(row, columns),
  );
}

/** True if a row fills most of some columns, with numbers among them, as a record does. */
export function looksFilled({ texts }: Row, columns: readonly number[]): boolean {
  const filled = columns.flatMap((column) => texts[column] ?? []);
  return filled.length * 2 >= columns.length && filled.some((text) => /^\W*\d/.test(text));
}

/** Prefers more columns found, then more by cells of this row; a row of groups yields to the header below. */
function isBetter(header: Header, best: Header): boolean {
  const more = matchedColumns(header) - matchedColumns(best);
  if (more !== 0) return more > 0;
  const filled = filledColumns(header);
  return header.groupRow === best.row ? filled > 0 : filled > filledColumns(best);
}

/** Finds the row nearest to a header, to report what it lacks. */
export function nearestHeader(
  source: RowSource,
  rows: readonly Row[],
  wanted: readonly WantedColumn[],
  within: number,
  options: Pick<HeaderOptions, 'groups' | 'labels' | 'repeated' | 'parts'> = {},
): Header | undefined {
  const header = findHeader(source, rows, wanted, { ...options, within, mustHave: [] });
  return header === undefined || matchedColumns(header) === 0 ? undefined : header;
}

/** Min length of a text that is suggested; shorter ones are too easily similar. */
const MIN_HINT_LENGTH = 6;
/** Min score of a label that is probably a misspelt title. */
const MIN_MISSPELT_SCORE = 0.8;

const isLong = (text: string): boolean => squash(text).length >= MIN_HINT_LENGTH;

/** Finds the unused label most similar to one of a column's titles. */
function nearestLabel(
  header: Header,
  wanted: WantedColumn,
): { column: number; label: string; score: number } | undefined {
  const candidates = header.unused.filter(({ label }) => isLong(label));
  const labels = candidates.map(({ label }) => label);
  const [near] = wanted.titles
    .filter(isLong)
    .flatMap((title) => suggest(title, labels, 1))
    .sort((a, b) => b.score - a.score);
  const at = candidates.find(({ label }) => label === near?.value);
  return near === undefined || at === undefined ? undefined : { ...at, score: near.score };
}

/** Creates the issue of a missing column, with the unused label most similar to one of its titles. */
export function missingColumn(
  source: RowSource,
  header: Header,
  wanted: WantedColumn,
  { level = 'error', param }: { readonly level?: Issue['level']; readonly param?: string | undefined } = {},
): Issue {
  const near = nearestLabel(header, wanted);
  const first = Math.max(
    0,
    header.labels.findIndex((label) => label !== undefined),
  );
  const title = wanted.titles[0] ?? wanted.id;
  const [group] = wanted.groups ?? [];
  return {
    code: 'header/missing',
    level,
    params: {
      title: group === undefined ? title : `${group} / ${title}`,
      ...(param !== undefined && { param }),
    },
    place: cellPlace(source, header.row, near?.column ?? first, near?.label),
    ...(near !== undefined && { value: near.label, suggestions: [{ value: title, score: near.score }] }),
  };
}

/** True if an unused label is so similar to a missing column that its data would probably be lost. */
export const looksMisspelt = (header: Header, wanted: WantedColumn): boolean =>
  (nearestLabel(header, wanted)?.score ?? 0) >= MIN_MISSPELT_SCORE;
