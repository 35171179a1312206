import type { IgnoredColumns, RepeatedGroup, WantedColumn } from './header.js';
import {
  type Closeness,
  type LabelForms,
  labelForms,
  numberedMatcher,
  type TitleMatcher,
  titleMatcher,
} from './header-label.js';

/** A header cell, as titles are compared with it. */
export interface LabelCell {
  readonly label: string;
  readonly group: string | undefined;
  /** Whether the sheet has a row of groups at all. */
  readonly grouped: boolean;
}

/** What a label means: a wanted column, or one of an instance of a repeated group. */
export interface Claim {
  readonly id: string;
  readonly several: boolean;
  readonly repeat?: { readonly group: string; readonly n: number };
  /** Why the column is left aside, if it is. */
  readonly reason?: string;
}

type Claimant = (cell: LabelCell, forms: LabelForms, whole: LabelForms | undefined) => Ranked | undefined;

interface Ranked {
  readonly claim: Claim;
  readonly rank: number;
}

/** By closeness of the label; an agreeing group decides within a kind of closeness, never over it. */
const RANKS: Readonly<Record<Closeness, number>> = { 0: 0, 1: 1, 2: 4, 3: 8, 4: 9 };
const SAME_GROUP = 2;
/** Without groups in the sheet, a column that wants one yields to those that do not. */
const GROUP_UNKNOWN = -1.5;

/** What the group adds to a rank; undefined when the column stands elsewhere. */
function groupRank(groups: TitleMatcher | undefined, { group, grouped }: LabelCell): number | undefined {
  if (groups === undefined) return 0;
  if (!grouped) return GROUP_UNKNOWN;
  return group !== undefined && groups.closeness(labelForms(group)) > 0 ? SAME_GROUP : undefined;
}

function claimantOf(wanted: WantedColumn | IgnoredColumns): Claimant {
  const titles = titleMatcher(wanted.titles);
  const groups = wanted.groups && titleMatcher(wanted.groups);
  const claim: Claim =
    'reason' in wanted
      ? { id: '', several: true, reason: wanted.reason }
      : { id: wanted.id, several: wanted.several ?? false };
  return (cell, forms, whole) => {
    const extra = groupRank(groups, cell);
    if (extra === undefined) return undefined;
    const closeness = titles.closeness(forms);
    // A title may hold the text of both rows: `HED valor` is `Valor` under `HED`.
    const both = whole !== undefined && titles.closeness(whole) >= 3;
    const rank = Math.max(closeness > 0 ? RANKS[closeness] + extra : 0, both ? RANKS[3] + SAME_GROUP : 0);
    return rank === 0 ? undefined : { claim, rank };
  };
}

function repeatedClaimant(group: string, wanted: WantedColumn): Claimant {
  const numberOf = numberedMatcher(wanted.titles);
  const groups = wanted.groups && titleMatcher(wanted.groups);
  return (cell, forms, whole) => {
    const extra = groupRank(groups, cell);
    const n = numberOf(forms) ?? (whole && numberOf(whole));
    if (extra === undefined || n === undefined) return undefined;
    return { claim: { id: wanted.id, several: false, repeat: { group, n } }, rank: RANKS[2] + extra };
  };
}

/** An instance is told by the group that its columns stand under, or that their own labels begin with. */
function claimantUnder(group: string, wanted: WantedColumn, under: readonly string[]): Claimant {
  const titles = titleMatcher(wanted.titles);
  const instances = under.map((name) => ({
    above: titleMatcher([name]),
    both: titleMatcher(wanted.titles.map((title) => `${name} ${title}`)),
  }));
  return (cell, forms) => {
    const closeness = cell.group === undefined ? 0 : titles.closeness(forms);
    const above = closeness > 0 ? labelForms(cell.group!) : undefined;
    const at = instances.findIndex((instance) =>
      above === undefined ? instance.both.closeness(forms) > 0 : instance.above.closeness(above) > 0,
    );
    if (at < 0) return undefined;
    return {
      claim: { id: wanted.id, several: false, repeat: { group, n: at + 1 } },
      rank: (closeness > 0 ? RANKS[closeness] : RANKS[2]) + SAME_GROUP,
    };
  };
}

/** Tells which wanted columns fit a label best; more than one means that the mapping cannot tell them apart. */
export function claimsOf(
  wanted: readonly WantedColumn[],
  repeated: readonly RepeatedGroup[],
  ignored: readonly IgnoredColumns[] = [],
): (cell: LabelCell) => readonly Claim[] {
  const claimants = [
    ...wanted.map(claimantOf),
    ...repeated.flatMap(({ id, columns, under }) =>
      columns.map((column) =>
        under === undefined ? repeatedClaimant(id, column) : claimantUnder(id, column, under),
      ),
    ),
    ...ignored.map(claimantOf),
  ];
  return (cell) => {
    const forms = labelForms(cell.label);
    const whole = cell.group === undefined ? undefined : labelForms(`${cell.group} ${cell.label}`);
    const fits = claimants.flatMap((claimant) => claimant(cell, forms, whole) ?? []);
    const best = Math.max(0, ...fits.map(({ rank }) => rank));
    const claims = fits.filter(({ rank }) => rank === best).map(({ claim }) => claim);
    // Two reasons to leave a column aside are as good as one; a reason to read it is better.
    const meant = claims.filter(({ reason }) => reason === undefined);
    return meant.length > 0 ? meant : claims.slice(0, 1);
  };
}

/** How a claim is named to people and compared: `base_salary`, `overtime.2.hours`. */
export const claimName = ({ id, repeat }: Claim): string =>
  repeat === undefined ? id : `${repeat.group}.${repeat.n}.${id}`;
