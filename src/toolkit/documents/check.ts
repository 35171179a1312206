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
import { type Group, MAX_RECORDS, type Plan, type Step } from './phases.js';

/** Mapped group; `draft` is undefined if its records are not trusted, no target accepts it, or it is too large. */
interface MappedGroup {
  readonly group: Group;
  readonly draft: DraftDocument | undefined;
  /** Issues of its key or of the group as a whole. */
  readonly asGroup: readonly Issue[];
}

/** Complete check of one document; the emitter finds repetitions of others and decides whether it is made. */
export interface CheckedDocument extends MappedGroup {
  /** Amounts that it drops, records that it lacks, and reasons to make none of its records. */
  readonly losses: readonly Issue[];
  /** Issues shared with other documents, reported once. */
  readonly general: readonly GeneralIssue[];
}

/** Compiled data shared by the checks of all documents of a run. */
export interface Checks extends CheckSite {
  readonly unchecked: UncheckedTables;
}

export function createChecks({ mapping: loaded, params, today, derive }: Plan, located: Located): Checks {
  const present = presentIn(located);
  const mapping: LoadedMapping = {
    ...loaded,
    targets: loaded.targets.map((target) => ({ ...target, ...target.within(present) })),
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
    lacking: missingTables(mapping, located),
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

export const mapChunk = (checks: Checks, chunk: readonly Step[]): readonly MappedGroup[] =>
  groupsIn(chunk).map((group) => mapGroup(checks, group));

function mapGroup(checks: Checks, group: Group): MappedGroup {
  const { untrusted, keyIssue, belowIssue, count, context, records } = group;
  if (untrusted.length > 0) return { group, draft: undefined, asGroup: NO_ISSUES };
  const target = count <= MAX_RECORDS ? targetFor(checks.mapping.targets, context) : undefined;
  const asGroup: Issue[] = [];
  if (keyIssue !== undefined) asGroup.push(keyIssue);
  if (belowIssue !== undefined) asGroup.push(belowIssue);
  const [{ table, row }] = records;
  if (count > MAX_RECORDS) {
    const params = { count, most: MAX_RECORDS };
    asGroup.push(issueOf('document/too-many-records', 'error', params, rowPlace(table, row)));
  } else if (target === undefined)
    asGroup.push(issueOf('document/no-target', 'error', {}, rowPlace(table, row)));
  return { group, draft: target && new DraftDocument(checks, target, group), asGroup };
}

/** Checks mapped documents, each independent of the chunk it is in. All complete a step before the next one. */
export function checkMapped(checks: Checks, mapped: readonly MappedGroup[]): readonly CheckedDocument[] {
  const drafts = mapped.flatMap(({ draft }) => draft ?? []);
  for (const draft of drafts) draft.derive();
  for (const draft of drafts) draft.validate();
  for (const draft of drafts) draft.applyRules();
  return mapped.map((entry) => checkedOf(checks, entry));
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
/** Returns which columns and tables the located files have. A computed column may have a value without columns. */
function presentIn({ present, tables }: Located): Present {
  const slots = new Set(
    tables.flatMap(({ tableIndex, repeats }) => [tableIndex, ...repeats.map((part) => part.tableIndex)]),
  );
  return {
    column: (column) => column.computed !== undefined || present.has(column),
    table: (tableIndex) => slots.has(tableIndex),
  };
}

/** Returns required tables that the files lack, and tables that are found by their columns. */
function missingTables({ tables }: LoadedMapping, { tables: located }: Located): ReadonlySet<number> {
  const missing = new Map<string, number>();
  for (const { id, tableIndex, spec, parent, join } of tables.values()) {
    const isThere = located.some((table) => table.tableIndex === tableIndex);
    const isWanted = !spec.optional && spec.param === undefined && parent === undefined;
    const isMissing = (name: string): boolean => missing.has(name.replace(/\..*$/s, ''));
    const isBehind = join?.keys.every(({ primary }) => primary.some(isMissing));
    if (isBehind || (isWanted && !isThere)) missing.set(id, tableIndex);
  }
  return new Set(missing.values());
}

/** Returns the leaves all of whose source columns are missing in the files. */
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
