import { type Issue, NO_ISSUES } from '../core/issue.js';
import type { Pointer } from '../core/json.js';
import { applyMapping } from '../mapping/apply.js';
import type { CompiledTarget, LoadedMapping } from '../mapping/load.js';
import type { ParamValues } from '../mapping/params.js';
import type { ReadRecord } from '../mapping/record.js';
import type { Present } from '../mapping/write.js';
import { UncheckedTables } from '../schema/catalogue.js';
import { Beginnings, type Begun } from './begun.js';
import { droppedAmounts, droppedValues } from './cells.js';
import { type CheckSite, createGeneralIssues, DocumentCheck } from './check-document.js';
import { keyOf, whyKeyless } from './groups.js';
import { joinIssues } from './join-issues.js';
import type { JoinedTable } from './joined-tables.js';
import type { Located } from './locate.js';
import { faultOfRecord } from './read.js';
import { detailsOf } from './record-document.js';
import type { Followable, Reading } from './run.js';
import { createSeen } from './seen.js';
import { Telling } from './telling.js';

type MakingStep = (begun: Begun) => void;

/** Makes documents of records, checks them, and tells what came of each. Several are made side by side, each of its own records. */
export class Maker {
  private readonly beginnings: Beginnings;
  private readonly telling: Telling;
  private readonly site: CheckSite;
  private readonly seen: ReturnType<typeof createSeen>;
  private readonly general = createGeneralIssues();
  private readonly unchecked = new UncheckedTables();
  private readonly lacks: Issue[];

  constructor(
    private readonly reading: Reading,
    joinedTables: readonly JoinedTable[],
  ) {
    const { options, located, tally } = reading;
    const { params, today } = options;
    const present = presentIn(located);
    const mapping: LoadedMapping = {
      ...options.mapping,
      targets: options.mapping.targets.map((target) => ({ ...target, ...target.within(present) })),
    };
    const derivations = new Map(
      mapping.targets.flatMap(({ schema }) => {
        const derivation = options.derive?.(schema, params, today);
        return derivation === undefined ? [] : [[schema, derivation] as const];
      }),
    );
    const levels = new Map([...mapping.rules].map(([code, { level }]) => [code, level]));
    this.site = {
      mapping,
      cells: reading.cells,
      unfed: unfedLeaves(mapping, located, params.values),
      lacking: lackingTables(mapping, located),
      levels,
      general: this.general,
      derivations,
      options: {
        derived: true,
        levels,
        unchecked: this.unchecked,
        params: params.values,
        ...(today !== undefined && { today }),
      },
    };
    this.beginnings = new Beginnings(mapping, params.values, joinedTables);
    this.telling = new Telling(mapping, tally, derivations);
    this.seen = createSeen(mapping, levels, derivations);
    this.lacks = joinedTables.flatMap(({ lack }) => lack ?? []);
  }

  /** Gives a promise only where others complete documents, or decide what becomes of them: there are many documents. */
  make(some: readonly (readonly ReadRecord[])[]): Promise<void> | undefined {
    const { follow, complete } = this.reading.options;
    if (follow !== undefined || complete !== undefined) return this.makeWithOthers(some);
    for (const begun of this.advanced(some)) this.tell(begun);
    return undefined;
  }

  private async makeWithOthers(some: readonly (readonly ReadRecord[])[]): Promise<void> {
    const { follow, complete } = this.reading.options;
    for (const own of some) {
      const begun = this.beginnings.begin(own);
      if (begun.faults.length > 0) {
        this.telling.tellFaults(begun);
        continue;
      }
      this.advance([begun], [this.map]);
      const { gathered, key, target, check } = begun;
      if (check !== undefined) await complete?.(check.document, { schema: target!.schema, key });
      this.advance([begun], this.checking);
      const details = detailsOf(this.site.mapping, gathered.context);
      const from: Followable = { row: own[0]!.row.number, details };
      this.telling.tellIssues(begun);
      const isGood = this.isGood(begun);
      const followed = isGood ? await follow?.next(check!.document, from) : undefined;
      if (!isGood && check !== undefined) follow?.heldBack?.(check.document, from);
      this.telling.tellOutcome(begun, isGood, followed);
    }
  }

  /** Documents after all steps; as many take them together as have few records. */
  private *advanced(some: readonly (readonly ReadRecord[])[]): Generator<Begun> {
    let together: Begun[] = [];
    let count = 0;
    for (const [at, own] of some.entries()) {
      const begun = this.beginnings.begin(own);
      together.push(begun);
      count += begun.count;
      if (count < FEW_RECORDS && at < some.length - 1) continue;
      this.advance(together, [this.map, ...this.checking]);
      yield* together;
      together = [];
      count = 0;
    }
  }

  /** All of the documents take one step before the next. */
  private advance(some: readonly Begun[], steps: readonly MakingStep[]): void {
    for (const step of steps) for (const one of some) if (one.faults.length === 0) step(one);
  }

  private readonly map: MakingStep = (begun) => {
    const { target, gathered } = begun;
    if (target === undefined) return;
    const { context, own } = gathered;
    begun.check = new DocumentCheck(this.site, target, context, own[0]!, applyMapping(target, context));
  };

  /** Places on cells what is wrong with it, and adds what is wrong with it beside other documents. */
  private readonly judge: MakingStep = ({ gathered, keyIssue, target, issues, check }) => {
    const { general, site, reading } = this;
    const { context, joined, own } = gathered;
    const first = own[0]!;
    const unjoined = joined.length > 0 ? joinIssues(gathered) : NO_ISSUES;
    check?.place(unjoined.length > 0 ? [...issues, ...unjoined] : issues);
    const amounts = target === undefined ? NO_ISSUES : droppedAmounts(site.mapping, target, context);
    if (target !== undefined && check?.good === true && amounts.length === 0)
      for (const issue of droppedValues(site.mapping, target, context, check.issues))
        general.note(context, issue, issue);
    // What other documents have as well, or may not have.
    if (check !== undefined && keyIssue === undefined && reading.options.follow === undefined)
      for (const issue of this.seen.judge(first, target!, check, context)) issues.push(issue);
    for (const issue of amounts) issues.push(issue);
    for (const issue of unjoined) issues.push(issue);
    for (const record of own) for (const issue of reading.batch.refused(record)) issues.push(issue);
    for (const issue of this.lacks) general.note(context, issue, issue);
  };

  /** What is done to mapped documents until it is known what to tell of them. */
  private readonly checking: readonly MakingStep[] = [
    ({ check }) => check?.derive(),
    ({ check }) => check?.validate(),
    ({ check }) => check?.applyRules(),
    this.judge,
  ];

  private isGood({ check, issues }: Begun): boolean {
    return check?.good === true && this.lacks.length === 0 && issues.every(({ level }) => level !== 'error');
  }

  private tell(begun: Begun): void {
    if (begun.faults.length > 0) {
      this.telling.tellFaults(begun);
      return;
    }
    this.telling.tellIssues(begun);
    this.telling.tellOutcome(begun, this.isGood(begun), undefined);
  }

  /** A record without a key: no document can be made of it. */
  refuse(record: ReadRecord): void {
    const { keys } = this.beginnings;
    const { key } = keyOf(keys, record);
    const fault = faultOfRecord(record);
    this.telling.tellRefused(record, key, fault === undefined ? whyKeyless(keys, record) : [fault]);
  }

  /** No document is to be made of these: some may be another's, or others may be missing. */
  hold(own: readonly ReadRecord[], why: readonly Issue[]): void {
    this.beginnings.hold(own, why);
  }

  /** A document is to be told of, and held back, since the record below it does not say its own and may be a part of it. */
  doubt(record: ReadRecord, below: ReadRecord): void {
    this.beginnings.doubt(record, below);
  }

  /** No document is to be made at all: any may lack a record. */
  lack(why: Issue): void {
    this.lacks.push(why);
  }

  /** What is to be said once all documents are made. */
  finish(): readonly Issue[] {
    return [...this.general.finish(), ...this.unchecked.issues()];
  }
}

/** Documents of more records together are not held side by side. */
export const FEW_RECORDS = 256;

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
