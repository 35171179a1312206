import { type Issue, issueOf, NO_ISSUES } from '../core/issue.js';
import type { Pointer } from '../core/json.js';
import { targetFor } from '../mapping/apply.js';
import type { CompiledTarget, LoadedMapping } from '../mapping/load.js';
import type { ParamValues } from '../mapping/params.js';
import { rowPlace } from '../mapping/places.js';
import type { Present } from '../mapping/write.js';
import { UncheckedTables } from '../schema/catalogue.js';
import { droppedAmounts, droppedValues } from './cells.js';
import { type CheckSite, DraftDocument } from './document.js';
import { type GeneralIssue, GeneralMemo } from './general-issues.js';
import { joinIssues } from './join-issues.js';
import type { Located } from './locate.js';
import { type Group, MOST_RECORDS, type Plan, type Step } from './phases.js';

/** A group that is mapped, where its records can be trusted, some target takes it and it is not too large. */
interface MappedGroup {
  readonly group: Group;
  readonly draft: DraftDocument | undefined;
  /** What is wrong with its key, or with the group as a whole. */
  readonly asGroup: readonly Issue[];
}

/** All that is known of a document by itself; what it repeats of others, and whether it is made, is for the emitter to find. */
export interface CheckedDocument extends MappedGroup {
  /** Amounts that it leaves out, records that it lacks, and why none may be made of its records. */
  readonly losses: readonly Issue[];
  /** What is wrong with it as with others, told once for all. */
  readonly general: readonly GeneralIssue[];
}

/** What the check of every document of a run shares, compiled once. */
export interface Checks extends CheckSite {
  readonly unchecked: UncheckedTables;
}

export function createChecks({ mapping: whole, params, today, derive }: Plan, located: Located): Checks {
  const present = presentIn(located);
  const mapping: LoadedMapping = {
    ...whole,
    targets: whole.targets.map((target) => ({ ...target, ...target.within(present) })),
  };
  const derivations = new Map(
    mapping.targets.flatMap(({ schema }) => {
      const derivation = derive?.(schema, params, today);
      return derivation === undefined ? [] : [[schema, derivation] as const];
    }),
  );
  const levels = new Map([...mapping.rules].map(([code, { level }]) => [code, level]));
  const unchecked = new UncheckedTables();
  return {
    mapping,
    unfed: unfedLeaves(mapping, located, params.values),
    lacking: lackingTables(mapping, located),
    levels,
    general: new GeneralMemo(),
    derivations,
    unchecked,
    options: {
      derived: true,
      levels,
      unchecked,
      params: params.values,
      ...(today !== undefined && { today }),
    },
  };
}

const groupsIn = (chunk: readonly Step[]): readonly Group[] =>
  chunk.flatMap((step) => (step.is === 'group' ? step.group : []));

/** Maps the groups of a chunk. */
export const mapChunk = (checks: Checks, chunk: readonly Step[]): readonly MappedGroup[] =>
  groupsIn(chunk).map((group) => mapGroup(checks, group));

function mapGroup(checks: Checks, group: Group): MappedGroup {
  const { untrusted, keyIssue, belowIssue, count, context, records } = group;
  if (untrusted.length > 0) return { group, draft: undefined, asGroup: NO_ISSUES };
  const target = count <= MOST_RECORDS ? targetFor(checks.mapping.targets, context) : undefined;
  const asGroup: Issue[] = [];
  if (keyIssue !== undefined) asGroup.push(keyIssue);
  if (belowIssue !== undefined) asGroup.push(belowIssue);
  const [{ table, row }] = records;
  if (count > MOST_RECORDS) {
    const params = { count, most: MOST_RECORDS };
    asGroup.push(issueOf('document/too-many-records', 'error', params, rowPlace(table, row)));
  } else if (target === undefined)
    asGroup.push(issueOf('document/no-target', 'error', {}, rowPlace(table, row)));
  return { group, draft: target && new DraftDocument(checks, target, group), asGroup };
}

/** Checks mapped documents, each by itself: the same groups give the same result in any chunk. All take a step before the next one. */
export function checkMapped(checks: Checks, mapped: readonly MappedGroup[]): readonly CheckedDocument[] {
  const drafts = mapped.flatMap(({ draft }) => draft ?? []);
  for (const draft of drafts) draft.derive();
  for (const draft of drafts) draft.validate();
  for (const draft of drafts) draft.applyRules();
  return mapped.map((one) => checkedOf(checks, one));
}

function checkedOf(
  { mapping, general: memo }: Checks,
  { group, draft, asGroup }: MappedGroup,
): CheckedDocument {
  const { context, joined, foreseen, lacks, untrusted } = group;
  if (untrusted.length > 0) return { group, draft, asGroup, losses: NO_ISSUES, general: [] };
  const unjoined = joined.length > 0 ? joinIssues(group) : NO_ISSUES;
  draft?.place(unjoined.length > 0 ? [...asGroup, ...unjoined] : asGroup);
  const amounts = draft === undefined ? NO_ISSUES : droppedAmounts(mapping, draft.target, context);
  const dropped =
    draft?.isGood === true && amounts.length === 0
      ? droppedValues(mapping, draft.target, context, draft.issues)
      : NO_ISSUES;
  const ofAll = [...dropped, ...lacks].flatMap((issue) => memo.note(context, issue, issue) ?? []);
  return {
    group,
    draft,
    asGroup,
    losses: [...amounts, ...unjoined, ...foreseen],
    general: [...(draft?.general ?? []), ...ofAll],
  };
}
/** What the located tables have. A computed column may have a value without any. */
function presentIn({ present, tables }: Located): Present {
  const slots = new Set(tables.flatMap(({ slot, repeats }) => [slot, ...repeats.map((one) => one.slot)]));
  return {
    column: (column) => column.computed !== undefined || present.has(column),
    table: (slot) => slots.has(slot),
  };
}

/** Tables that the files do not have and should, and those that are looked up by what stands in them. */
function lackingTables({ tables }: LoadedMapping, { tables: located }: Located): ReadonlySet<number> {
  const lacking = new Map<string, number>();
  for (const { id, slot, spec, parent, join } of tables.values()) {
    const isThere = located.some((one) => one.slot === slot);
    const isWanted = !spec.optional && spec.param === undefined && parent === undefined;
    const isLacking = (name: string): boolean => lacking.has(name.split('.')[0]!);
    const isBehind = join?.keys.every(({ theirs }) => theirs.some(isLacking));
    if (isBehind || (isWanted && !isThere)) lacking.set(id, slot);
  }
  return new Set(lacking.values());
}

/** Leaves of which every column that could feed them is missing in the files. */
function unfedLeaves(
  { targets }: LoadedMapping,
  { present }: Located,
  params: ParamValues,
): ReadonlyMap<CompiledTarget, ReadonlySet<Pointer>> {
  const isUnfed = (alternatives: CompiledTarget['fields'][number]['alternatives']): boolean =>
    alternatives.every((set) => set.some(({ feeders }) => feeders.every((column) => !present.has(column))));
  return new Map(
    targets.map((target) => [
      target,
      new Set(
        target.fields
          .filter(({ needed, param }) => needed && (param === undefined || params[param] === undefined))
          .filter(({ alternatives }) => isUnfed(alternatives))
          .map(({ pointer }) => pointer),
      ),
    ]),
  );
}
