import { type Issue, NO_ISSUES } from '../core/issue.js';
import { targetFor } from '../mapping/apply.js';
import type { CompiledTarget, LoadedMapping } from '../mapping/load.js';
import type { ParamValues } from '../mapping/params.js';
import { rowPlace } from '../mapping/places.js';
import type { ReadRecord } from '../mapping/record.js';
import { type DocumentCheck, type Gathered, gather } from './check-document.js';
import { isReadable, keyBlankBelow, keyColumns, keyOf, MOST_RECORDS, otherZeros } from './groups.js';
import type { JoinedTable } from './joined-tables.js';
import { faultOfRecord } from './read.js';

/** A document on its way: what it is made of, and what is said of that so far. */
export interface Begun {
  readonly gathered: Gathered;
  /** Its records, and those that it joins. */
  readonly count: number;
  readonly key: string;
  readonly keyIssue: Issue | undefined;
  readonly target: CompiledTarget | undefined;
  readonly issues: Issue[];
  /** Where its records cannot be trusted at all: then no document is made of them. */
  readonly faults: readonly Issue[];
  check: DocumentCheck | undefined;
}

/** Puts together what documents are made of. */
export class Beginnings {
  readonly keys: ReturnType<typeof keyColumns>;
  /** Whether a table that documents look up has records that cannot be read. */
  readonly hasUnread: boolean;
  /** By the first record of a document: why it is not to be made. */
  private readonly held = new Map<ReadRecord, readonly Issue[]>();
  /** By a record: what may be a part of its document. */
  private readonly doubted = new Map<ReadRecord, ReadRecord>();

  constructor(
    private readonly mapping: LoadedMapping,
    private readonly params: ParamValues,
    private readonly joinedTables: readonly JoinedTable[],
  ) {
    this.keys = keyColumns(mapping);
    this.hasUnread = joinedTables.some((one) => one.hasUnread);
  }

  /** No document is to be made of these. */
  hold(own: readonly ReadRecord[], why: readonly Issue[]): void {
    this.held.set(own[0]!, why);
  }

  /** What stands below may be a part of its document. */
  doubt(record: ReadRecord, below: ReadRecord): void {
    this.doubted.set(record, below);
  }

  begin(own: readonly ReadRecord[]): Begun {
    const { mapping, keys } = this;
    const gathered = gather(mapping, this.params, own, this.joinedTables);
    const first = own[0]!;
    const { key, issue: keyIssue } = keyOf(keys, first);
    const count = gathered.joined.reduce((sum, { records }) => sum + records.length, own.length);
    const faults = this.faultsOf(gathered);
    const below = this.doubted.get(first);
    this.doubted.delete(first);
    const isTrusted = faults.length === 0;
    const target =
      isTrusted && count <= MOST_RECORDS ? targetFor(mapping.targets, gathered.context) : undefined;
    const issues: Issue[] = [];
    if (isTrusted) {
      if (keyIssue !== undefined) issues.push(keyIssue);
      if (below !== undefined) issues.push(keyBlankBelow(keys, first, below));
      if (count > MOST_RECORDS) issues.push(tooMany(first, count));
      else if (target === undefined) issues.push(noTarget(first));
    }
    // Written out at once: objects put together from others have a shape of their own each, and are slow ever after.
    return {
      gathered,
      count,
      key: isTrusted ? key : (first.row.file ?? key),
      keyIssue,
      target,
      issues,
      faults,
      check: undefined,
    };
  }

  /** Why its records cannot be trusted. */
  private faultsOf({ own, joined, unlike }: Gathered): readonly Issue[] {
    const all = this.hasUnread ? [...own, ...joined.flatMap(({ records }) => records)] : own;
    const unread = all.every(isReadable) ? NO_ISSUES : all.flatMap((record) => faultOfRecord(record) ?? []);
    const why = this.held.size === 0 ? undefined : this.held.get(own[0]!);
    this.held.delete(own[0]!);
    const apart = own.length > 1 ? [...otherZeros(this.keys, own), ...unlike] : NO_ISSUES;
    return why === undefined && apart.length === 0 ? unread : [...unread, ...(why ?? NO_ISSUES), ...apart];
  }
}

const tooMany = ({ table, row }: ReadRecord, count: number): Issue => ({
  code: 'document/too-many-records',
  level: 'error',
  params: { count, most: MOST_RECORDS },
  place: rowPlace(table, row),
});

const noTarget = ({ table, row }: ReadRecord): Issue => ({
  code: 'document/no-target',
  level: 'error',
  params: {},
  place: rowPlace(table, row),
});
