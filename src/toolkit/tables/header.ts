import type { Issue } from '../core/issue.js';
import { remember } from '../core/remember.js';
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

/** A header cell, as titles are compared with it. */
interface LabelCell {
  readonly label: string;
  readonly group: string | undefined;
  readonly section: string | undefined;
  /** Whether the sheet has a row of groups at all. */
  readonly grouped: boolean;
}

/** What a label means: a wanted column, or one of an instance of a repeated group. */
interface Claim {
  readonly id: string;
  readonly several: boolean;
  readonly repeat?: { readonly group: string; readonly n: number };
  /** Of what stands side by side: which of the parts, from 0. */
  readonly part?: number;
  /** Why the column is left aside, if it is. */
  readonly reason?: string;
}

interface Claimant {
  claim(cell: LabelCell, forms: LabelForms, whole: LabelForms | undefined): Ranked | undefined;
  /** Labels of other forms it never claims; undefined where every label must be shown to it. */
  readonly forms: readonly string[] | undefined;
}

interface Ranked {
  readonly claim: Claim;
  readonly rank: number;
}

/** By closeness of the label; an agreeing group decides within a kind of closeness, never over it. */
const RANKS: Readonly<Record<Closeness, number>> = { 0: 0, 1: 1, 2: 4, 3: 8, 4: 9 };
const SAME_GROUP = 2;
/** A group between the label and its section may be what it is a part of, with a column of its own. */
const IN_SECTION = 0;
/** Without groups in the sheet, a column that wants one yields to those that do not. */
const GROUP_UNKNOWN = -1.5;

/** What the group adds to a rank; undefined when the column stands elsewhere. */
function groupRank(groups: TitleMatcher | undefined, cell: LabelCell): number | undefined {
  if (groups === undefined) return 0;
  if (!cell.grouped) return GROUP_UNKNOWN;
  const isOver = (text: string | undefined): boolean => text !== undefined && isName(groups, text);
  if (isOver(cell.group)) return SAME_GROUP;
  return isOver(cell.section) ? IN_SECTION : undefined;
}

/** A mapping looks for its columns in every row that may be a header, of every sheet. */
const claimantOf = remember((wanted: WantedColumn | IgnoredColumns): Claimant => {
  const titles = titleMatcher(wanted.titles);
  const groups = wanted.groups && titleMatcher(wanted.groups);
  const claim: Claim =
    'reason' in wanted
      ? { id: '', several: true, reason: wanted.reason }
      : { id: wanted.id, several: wanted.several ?? false };
  return {
    forms: titles.forms,
    claim(cell, forms, whole) {
      const extra = groupRank(groups, cell);
      if (extra === undefined) return undefined;
      const closeness = titles.closeness(forms);
      // A title may hold the text of both rows: `HED valor` is `Valor` under `HED`.
      const both = whole !== undefined && titles.closeness(whole) >= 3;
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
    claim(cell, forms, whole) {
      const extra = groupRank(groups, cell);
      const n = numberOf(forms) ?? (whole && numberOf(whole));
      if (extra === undefined || n === undefined) return undefined;
      return { claim: { id: wanted.id, several: false, repeat: { group, n } }, rank: RANKS[2] + extra };
    },
  };
}

/** Tells which wanted columns fit a label best; more than one means that the mapping cannot tell them apart. */
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
  const byForm = new Map<string, number[]>();
  const always: number[] = [];
  for (const [at, { forms }] of all.entries())
    if (forms === undefined) always.push(at);
    else
      for (const form of forms) {
        const own = byForm.get(form);
        if (own === undefined) byForm.set(form, [at]);
        else own.push(at);
      }
  /** Those that may claim it, in their order. */
  const asked = (texts: readonly LabelForms[]): readonly number[] => {
    const found = new Set(always);
    for (const { folded, squashed } of texts)
      for (const form of [folded, squashed]) for (const at of byForm.get(form) ?? []) found.add(at);
    return [...found].sort((a, b) => a - b);
  };
  return (cell) => {
    const forms = labelForms(cell.label);
    const whole = cell.group === undefined ? undefined : labelForms(`${cell.group} ${cell.label}`);
    const fits = asked(whole === undefined ? [forms] : [forms, whole]).flatMap(
      (at) => all[at]!.claim(cell, forms, whole) ?? [],
    );
    const best = Math.max(0, ...fits.map(({ rank }) => rank));
    const claims = fits.filter(({ rank }) => rank === best).map(({ claim }) => claim);
    // Two reasons to leave a column aside are as good as one; a reason to read it is better.
    const meant = claims.filter(({ reason }) => reason === undefined);
    return meant.length > 0 ? meant : claims.slice(0, 1);
  };
}

/** How a claim is named to people and compared: `base_salary`, `overtime.2.hours`, `2.salary` of the second of two parts. */
const claimName = ({ id, repeat, part }: Claim): string =>
  repeat !== undefined ? `${repeat.group}.${repeat.n}.${id}` : part === undefined ? id : `${part + 1}.${id}`;

/** A declared label means nothing that is wanted. */
export const IGNORE = 'ignore';

/** A column that a mapping names by its letter: `[S]`, or `[S] Comisiones` with the title that stands there. */
interface Lettered {
  readonly column: number;
  /** Label, or `GROUP / label`; blank where the letter alone is named. */
  readonly title: string;
}

/** What a declared label says by a column letter; undefined for one that is a text of the header. */
export function letteredLabel(label: string): Lettered | undefined {
  const [, letters, title = ''] = /^\[([A-Z]{1,3})\]\s*(.*)$/is.exec(label.trim()) ?? [];
  return letters === undefined ? undefined : { column: columnIndex(letters), title };
}

/** The group part of `GROUP / label`. */
const declaredGroups = (labels: Readonly<Record<string, string>>): string[] =>
  Object.keys(labels).flatMap((label) => {
    const text = letteredLabel(label)?.title ?? label;
    const at = text.indexOf(' / ');
    return at > 0 ? [text.slice(0, at)] : [];
  });

interface DeclaredLabels {
  /** How many columns the declared letters reach over. */
  readonly width: number;
  /** What is declared for a column by its letter, where the title that goes with it stands there. */
  idAt(column: number, header: HeaderTexts): string | undefined;
  /** What is declared for a label: with the group above, else by its text. */
  idOf(label: string, group: string | undefined): string | undefined;
  /** Letters under which another title stands, while some column has the one that goes with them. */
  misplaced(header: HeaderTexts): readonly Lettered[];
}

type HeaderTexts = Pick<HeaderLabels, 'labels' | 'groupLabels'>;

/** The forms by which texts of a header are the same as declared ones. */
const formsOf = (text: string): readonly string[] => {
  const { folded, squashed } = labelForms(text);
  return squashed === '' ? [folded] : [folded, squashed];
};

/** Those of what stands over a column: its label, and `GROUP / label`. */
function formsOver({ labels, groupLabels }: HeaderTexts, column: number): readonly string[] {
  const label = labels[column];
  if (label === undefined) return [];
  const group = groupLabels[column];
  return [...formsOf(label), ...(group === undefined ? [] : formsOf(`${group} / ${label}`))];
}

/** A column that is declared by its letter. */
interface DeclaredColumn extends Lettered {
  readonly id: string;
  /** Of its title; without one none. */
  readonly forms: readonly string[];
}

/** What the mapping declares for single labels. */
function declaredLabels(labels: Readonly<Record<string, string>>): DeclaredLabels {
  const byColumn = new Map<number, DeclaredColumn[]>();
  const byFolded = new Map<string, string>();
  const bySquashed = new Map<string, string>();
  for (const [label, id] of Object.entries(labels)) {
    const lettered = letteredLabel(label);
    if (lettered !== undefined) {
      const { column, title } = lettered;
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
      const moved = [...byColumn.keys()].filter((column) => idAt(column, header) === undefined);
      if (moved.length === 0) return [];
      const there = new Set(header.labels.flatMap((_, column) => formsOver(header, column)));
      return moved.flatMap(
        (column) => byColumn.get(column)!.find(({ forms }) => forms.some((form) => there.has(form))) ?? [],
      );
    },
  };
}

/** What a mapping says about headers, made ready to be compared with rows. */
interface HeaderMatcher {
  readonly claims: (cell: LabelCell) => readonly Claim[];
  readonly declared: DeclaredLabels;
  readonly severals: ReadonlySet<string>;
  /** Every group that a column, a part or a declared label names. */
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

/** A column of the sheet that means something. */
interface Claimed {
  readonly column: number;
  readonly claim: Claim;
  readonly declared: boolean;
}

type Matched = Omit<Header, 'row' | 'groupRow' | 'sectionRow' | 'firstDataRow'>;

/** Finds what each label of a row means. */
function matchHeader(
  source: RowSource,
  row: Row,
  groups: GroupRow | undefined,
  matcher: HeaderMatcher,
): Matched {
  const header = labelsOf(row, groups);
  const { labels, groupLabels, sectionLabels, rowOf } = header;
  const claimed = new Map<string, Claimed[]>();
  const ignored = new Map<number, string | undefined>();
  const unused: { column: number; label: string }[] = [];
  const issues: { column: number; issue: Issue }[] = [];
  // Names of parts are no sections.
  const grouped =
    groups !== undefined &&
    (matcher.parts.length === 0 ||
      groupLabels.some((group) => group !== undefined && matcher.partOf(group, true)?.rest !== ''));
  // Data may reach further than labels: a column letter can be declared for a blank cell.
  const width = Math.max(labels.length, matcher.declared.width);
  for (let column = 0; column < width; column++) {
    const label = labels[column];
    const group = groupLabels[column];
    const bare = label === undefined ? undefined : inPart(matcher.partOf, label, group);
    const declared =
      matcher.declared.idAt(column, header) ??
      (label === undefined ? undefined : matcher.declared.idOf(label, group)) ??
      (bare?.part === undefined ? undefined : matcher.declared.idOf(bare.label, bare.group));
    if (declared === IGNORE) ignored.set(column, undefined);
    if (declared === IGNORE || (declared === undefined && label === undefined)) continue;
    const [meant, ...others]: readonly Claim[] =
      declared !== undefined
        ? [{ id: declared, several: matcher.severals.has(declared) }]
        : matcher.claims({ label: bare!.label, group: bare!.group, section: sectionLabels[column], grouped });
    if (meant === undefined) unused.push({ column, label: label! });
    else if (meant.reason !== undefined) ignored.set(column, meant.reason);
    else if (others.length > 0)
      issues.push({ column, issue: ambiguous(source, header, column, [meant, ...others]) });
    else {
      const isOfPart = bare?.part !== undefined && meant.repeat === undefined;
      const claim = isOfPart ? { ...meant, part: bare.part } : meant;
      const name = claimName(claim);
      const known = claimed.get(name) ?? [];
      claimed.set(name, [...known, { column, claim, declared: declared !== undefined }]);
    }
  }
  for (const lettered of matcher.declared.misplaced(header))
    issues.push({ column: lettered.column, issue: otherTitle(source, header, lettered) });
  const found: Claimed[] = [];
  const instances = new Map<string, Map<number, Map<string, number>>>();
  const double = ({ column }: Claimed, first: Claimed): void => {
    issues.push({ column, issue: duplicate(source, header, column, first) });
  };
  for (const all of claimed.values()) {
    const { claim } = all[0]!;
    const { kept, doubles, outvoted } = settle(all);
    for (const { column } of outvoted) unused.push({ column, label: labels[column]! });
    for (const one of doubles) double(one, kept[0]!);
    if (claim.repeat === undefined) found.push(...kept);
    else {
      const ofGroup = instances.get(claim.repeat.group) ?? new Map<number, Map<string, number>>();
      const instance = ofGroup.get(claim.repeat.n) ?? new Map<string, number>();
      instances.set(claim.repeat.group, ofGroup.set(claim.repeat.n, instance.set(claim.id, kept[0]!.column)));
    }
  }
  const several = new Map<string, number[]>();
  const parts = matcher.parts.map(() => new Map<string, number[]>());
  for (const one of found) {
    const { id, part } = one.claim;
    // A month's total cannot be one of its parts.
    const inside =
      part === undefined && found.find((other) => other.claim.id === id && other.claim.part !== undefined);
    if (inside) {
      double(one, inside);
      continue;
    }
    for (const columns of part === undefined ? [several] : [several, parts[part]!])
      columns.set(id, [...(columns.get(id) ?? []), one.column]);
  }
  return {
    labels,
    groupLabels,
    sectionLabels,
    rowOf,
    columns: new Map([...several].map(([id, [first]]) => [id, first!])),
    several,
    parts,
    repeats: new Map([...instances].map(([group, ofGroup]) => [group, inOrder(ofGroup)])),
    declared: new Set(found.flatMap((one) => (one.declared ? one.column : []))),
    ignored,
    unused: unused.sort((a, b) => a.column - b.column),
    issues: issues.sort((a, b) => a.column - b.column).map(({ issue }) => issue),
  };
}

/** Of the columns that claim one thing: declared ones push the others aside, and only `several` keeps more than one. */
function settle(all: readonly Claimed[]): Record<'kept' | 'doubles' | 'outvoted', readonly Claimed[]> {
  if (all[0]!.claim.several) return { kept: all, doubles: [], outvoted: [] };
  const declared = all.filter((one) => one.declared);
  const [first, ...doubles] = declared.length > 0 ? declared : all;
  return { kept: [first!], doubles, outvoted: declared.length > 0 ? all.filter((one) => !one.declared) : [] };
}

const inOrder = (instances: ReadonlyMap<number, ReadonlyMap<string, number>>): Repeat[] =>
  [...instances].map(([n, columns]) => ({ n, columns })).sort((a, b) => a.n - b.n);

function ambiguous(source: RowSource, header: HeaderLabels, column: number, claims: readonly Claim[]): Issue {
  return {
    code: 'header/ambiguous',
    level: 'error',
    params: { columns: claims.map(claimName).join(', ') },
    place: cellPlace(source, header.rowOf(column), column, header.labels[column]),
    value: header.labels[column]!,
  };
}

/** A mapping names the column by its letter, for a title that no longer stands there. */
function otherTitle(source: RowSource, header: HeaderLabels, { column, title }: Lettered): Issue {
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

/** The header of a table that has none: columns stand where the mapping says. */
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

/** A record without header whose number of fields is none of those that it may have: its columns have shifted. */
export function fieldCountIssue(source: RowSource, row: Row, fields: readonly number[]): Issue | undefined {
  const found = row.texts.length;
  // A sheet does not store blank cells at the end of a row; a text file does.
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

/** A column that a mapping wants, and the header texts that mean it. */
export interface WantedColumn {
  readonly id: string;
  readonly titles: readonly string[];
  /** Group labels under which it stands: `DEVENGADOS`. They count only where the sheet has a row of groups. */
  readonly groups?: readonly string[];
  /** Its 1-based place in a table without header. */
  readonly position?: number;
  /** Every column with such a title is meant; their amounts are added up. */
  readonly several?: boolean;
}

/** Columns that come again with a number, in titles that hold `{n}`. */
interface RepeatedGroup {
  readonly id: string;
  readonly columns: readonly WantedColumn[];
}

/** Columns of a file that are left aside, and why. */
export interface IgnoredColumns {
  readonly titles: readonly string[];
  readonly groups?: readonly string[];
  /** 1-based places in a table without header. */
  readonly positions: readonly number[];
  readonly reason: string;
}

export interface HeaderOptions {
  /** The header is this row, as Excel shows it. */
  readonly row?: number;
  /** Else the best fitting of the first so many rows. */
  readonly within: number;
  /** Ids without which a row is no header. */
  readonly mustHave: readonly string[];
  /** A row of group labels stands above the header. Undeclared, it is one when it names a group that some column wants. */
  readonly groups?: 'above';
  /** Label, `GROUP / label`, `[column letter]` or `[column letter] label` → wanted id, or `ignore`. Stronger than titles. */
  readonly labels?: Readonly<Record<string, string>>;
  /** The table has no header: columns are found by position. */
  readonly none?: { readonly fields?: readonly number[] };
  readonly repeated?: readonly RepeatedGroup[];
  /** Names of the parts of a record that stand side by side, under groups or by words in their labels. */
  readonly parts?: PartNames;
  readonly ignored?: readonly IgnoredColumns[];
}

/** One instance of a repeated group: its number, and its columns by wanted id. */
interface Repeat {
  readonly n: number;
  readonly columns: ReadonlyMap<string, number>;
}

/** A header row, and which column of the sheet holds which wanted column. */
export interface Header extends HeaderLabels {
  /** In a table without header an empty row with number 0. */
  readonly row: Row;
  /** The row of group labels above, if any, and that of sections above it. */
  readonly groupRow?: Row;
  readonly sectionRow?: Row;
  /** Rows above this number are no data. */
  readonly firstDataRow: number;
  /** Header texts by 0-based column; without header the first title of the column at that position. */
  readonly labels: readonly (string | undefined)[];
  /** Wanted id → 0-based column. A column claimed twice keeps its first cell, and is an issue unless `several`. */
  readonly columns: ReadonlyMap<string, number>;
  /** Wanted id → all its 0-based columns in sheet order; more than one only for `several`, and in parts. */
  readonly several: ReadonlyMap<string, readonly number[]>;
  /** For each part of a record that stands side by side with others: its own columns by wanted id. */
  readonly parts: readonly ReadonlyMap<string, readonly number[]>[];
  /** Repeated group → its instances in ascending order of their number. */
  readonly repeats: ReadonlyMap<string, readonly Repeat[]>;
  /** Columns of which `labels` say what they are. */
  readonly declared: ReadonlySet<number>;
  /** Columns left aside by 0-based column, and why; without a reason where `labels` say so. */
  readonly ignored: ReadonlyMap<number, string | undefined>;
  /** Labels that nothing claims. */
  readonly unused: readonly { readonly column: number; readonly label: string }[];
  readonly issues: readonly Issue[];
}

/** How many columns of the sheet have found their meaning: what headers are compared by. */
export const matchedColumns = (header: Header): number => matchedIndexes(header).length;

const matchedIndexes = ({ columns, repeats }: Header): readonly number[] =>
  [columns, ...[...repeats.values()].flat().map((repeat) => repeat.columns)].flatMap((found) => [
    ...found.values(),
  ]);

/** Matched columns whose cell in this very row is filled: not labelled by the row above, nor by a column letter alone. */
const filledColumns = (header: Header): number =>
  matchedIndexes(header).filter((column) => header.row.texts[column] !== undefined).length;

function readHeader(
  source: RowSource,
  rows: readonly Row[],
  at: number,
  matcher: HeaderMatcher,
  groups: GroupRow | undefined,
): Header {
  const row = rows[at]!;
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
 * The header among the first rows of a sheet: the declared row, or the one that has what it must and fits best, unless the records of
 * one above it would be lost.
 * `rows` may go on below: one more row shows whether units stand under the header.
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

/** Whether records stand below a header before a fuller one: choosing that would lose them. A small table above is none of this kind. */
function hasOwnRecords(
  header: Header,
  next: Header,
  rows: readonly Row[],
  { mustHave }: Pick<HeaderOptions, 'mustHave'>,
): boolean {
  if (matchedColumns(header) * 2 < matchedColumns(next)) return false;
  const must = mustHave.map((id) => header.columns.get(id)!);
  const columns = matchedIndexes(header);
  return rows.some(
    (row) =>
      row.number >= header.firstDataRow &&
      row.number < next.row.number &&
      must.every((column) => row.texts[column] !== undefined) &&
      looksFilled(row, columns),
  );
}

/** Whether a row fills most of some columns, with figures among them, as a record does. */
export function looksFilled({ texts }: Row, columns: readonly number[]): boolean {
  const filled = columns.flatMap((column) => texts[column] ?? []);
  return filled.length * 2 >= columns.length && filled.some((text) => /^\W*\d/.test(text));
}

/** More columns found, or as many and more of them by its own cells; a row of groups yields to the header below. */
function isBetter(header: Header, best: Header): boolean {
  const more = matchedColumns(header) - matchedColumns(best);
  if (more !== 0) return more > 0;
  const filled = filledColumns(header);
  return header.groupRow === best.row ? filled > 0 : filled > filledColumns(best);
}

/** The row that comes nearest to a header, to say what it lacks. */
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

/** Texts shorter than this are too easily alike to be hinted at. */
const HINT_LENGTH = 6;
/** A label this much like a title is probably that title, misspelt. */
const MISSPELT = 0.8;

const isLong = (text: string): boolean => squash(text).length >= HINT_LENGTH;

/** The unused label that looks most like one of a column's titles. */
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

/** A wanted column that the header lacks, with the unused label most like one of its titles. */
export function missingColumn(
  source: RowSource,
  header: Header,
  wanted: WantedColumn,
  level: Issue['level'] = 'error',
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
    params: { title: group === undefined ? title : `${group} / ${title}` },
    place: cellPlace(source, header.row, near?.column ?? first, near?.label),
    ...(near !== undefined && { value: near.label, suggestions: [{ value: title, score: near.score }] }),
  };
}

/** Whether an unused label is so like a lacking column that its data would probably be lost. */
export const looksMisspelt = (header: Header, wanted: WantedColumn): boolean =>
  (nearestLabel(header, wanted)?.score ?? 0) >= MISSPELT;
