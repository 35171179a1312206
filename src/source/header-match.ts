import type { Issue } from '../issues/issue.js';
import { columnLetter } from '../values/a1.js';
import type { Header, HeaderOptions, Repeat, WantedColumn } from './header.js';
import { type Claim, claimName, claimsOf, type LabelCell } from './header-claims.js';
import { type DeclaredLabels, declaredGroups, declaredLabels, IGNORE } from './header-declared.js';
import { type GroupRow, type HeaderLabels, labelsOf } from './header-groups.js';
import { type TitleMatcher, titleMatcher } from './header-label.js';
import { cellPlace, type Row, type RowSource } from './table.js';

/** What a mapping says about headers, made ready to be compared with rows. */
export interface HeaderMatcher {
  readonly claims: (cell: LabelCell) => readonly Claim[];
  readonly declared: DeclaredLabels;
  readonly severals: ReadonlySet<string>;
  /** Every group that a column or a declared label names. */
  readonly groupNames: TitleMatcher;
}

export function createMatcher(
  wanted: readonly WantedColumn[],
  { labels = {}, repeated = [], ignored = [] }: Pick<HeaderOptions, 'labels' | 'repeated' | 'ignored'>,
): HeaderMatcher {
  const all = [...wanted, ...repeated.flatMap(({ columns }) => columns), ...ignored];
  return {
    claims: claimsOf(wanted, repeated, ignored),
    declared: declaredLabels(labels),
    severals: new Set(wanted.filter(({ several }) => several).map(({ id }) => id)),
    groupNames: titleMatcher([
      ...all.flatMap(({ groups }) => groups ?? []),
      ...repeated.flatMap(({ under }) => under ?? []),
      ...declaredGroups(labels),
    ]),
  };
}

/** A column of the sheet that means something. */
interface Claimed {
  readonly column: number;
  readonly claim: Claim;
  readonly declared: boolean;
}

type Matched = Omit<Header, 'row' | 'groupRow' | 'firstDataRow'>;

/** Finds what each label of a row means. */
export function matchHeader(
  source: RowSource,
  row: Row,
  groups: GroupRow | undefined,
  matcher: HeaderMatcher,
): Matched {
  const header = labelsOf(row, groups);
  const { labels, groupLabels } = header;
  const claimed = new Map<string, Claimed[]>();
  const ignored = new Map<number, string | undefined>();
  const unused: { column: number; label: string }[] = [];
  const issues: { column: number; issue: Issue }[] = [];
  // Data may reach further than labels: a column letter can be declared for a blank cell.
  const width = Math.max(labels.length, matcher.declared.width);
  for (let column = 0; column < width; column++) {
    const label = labels[column];
    const group = groupLabels[column];
    const declared = matcher.declared.idOf(column, label, group);
    if (declared === IGNORE) ignored.set(column, undefined);
    if (declared === IGNORE || (declared === undefined && label === undefined)) continue;
    const [claim, ...others]: readonly Claim[] =
      declared !== undefined
        ? [{ id: declared, several: matcher.severals.has(declared) }]
        : matcher.claims({ label: label!, group, grouped: groups !== undefined });
    if (claim === undefined) unused.push({ column, label: label! });
    else if (claim.reason !== undefined) ignored.set(column, claim.reason);
    else if (others.length > 0)
      issues.push({ column, issue: ambiguous(source, header, column, [claim, ...others]) });
    else {
      const name = claimName(claim);
      const known = claimed.get(name) ?? [];
      claimed.set(name, [...known, { column, claim, declared: declared !== undefined }]);
    }
  }
  const columns = new Map<string, number>();
  const several = new Map<string, number[]>();
  const instances = new Map<string, Map<number, Map<string, number>>>();
  for (const all of claimed.values()) {
    const { claim } = all[0]!;
    const { kept, doubles, outvoted } = settle(all);
    for (const { column } of outvoted) unused.push({ column, label: labels[column]! });
    for (const { column } of doubles)
      issues.push({ column, issue: duplicate(source, header, column, kept[0]!) });
    if (claim.repeat === undefined) {
      columns.set(claim.id, kept[0]!.column);
      several.set(
        claim.id,
        kept.map(({ column }) => column),
      );
    } else {
      const ofGroup = instances.get(claim.repeat.group) ?? new Map<number, Map<string, number>>();
      const instance = ofGroup.get(claim.repeat.n) ?? new Map<string, number>();
      instances.set(claim.repeat.group, ofGroup.set(claim.repeat.n, instance.set(claim.id, kept[0]!.column)));
    }
  }
  return {
    labels,
    groupLabels,
    columns,
    several,
    repeats: new Map([...instances].map(([group, ofGroup]) => [group, inOrder(ofGroup)])),
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

function duplicate(source: RowSource, header: HeaderLabels, column: number, first: Claimed): Issue {
  const { labels, rowOf } = header;
  const row = rowOf(first.column);
  return {
    code: 'header/duplicate',
    level: 'error',
    params: {
      first: `${columnLetter(first.column)}${row.number}`,
      firstLabel: labels[first.column] ?? '',
      column: claimName(first.claim),
    },
    place: cellPlace(source, rowOf(column), column, labels[column]),
    value: labels[column] ?? columnLetter(column),
    related: [cellPlace(source, row, first.column, labels[first.column])],
  };
}
