import type { SchemaName } from '../../generated/schema-types.js';
import type { Place } from '../core/issue.js';
import type { JsonObject } from '../core/json.js';
import { originsOf } from '../mapping/apply.js';
import { valueFor } from '../mapping/context.js';
import type { CompiledTarget, LoadedMapping } from '../mapping/load.js';
import { rowPlace } from '../mapping/places.js';
import { CellFault } from '../mapping/read/cell.js';
import type { CompiledColumn, Context, ReadRecord } from '../mapping/record.js';
import { contentHash, type Document, type Trace } from '../schema/document.js';
import { type CheckSite, jsonOrigin } from './document.js';
import { isRecord } from './joined-tables.js';
import type { Group } from './phases.js';

export const placesOf = (records: readonly ReadRecord[]): readonly Place[] =>
  records.map(({ table, row }) => rowPlace(table, row));

export const besideOf = ({ joined }: Pick<Group, 'joined'>): readonly Place[] =>
  joined.flatMap(({ records }) => placesOf(records));

/** Document that holds its records, and computes name, hash and trace on first use, which is rare. */
export class RecordDocument implements Document {
  private knownHash: string | undefined;
  private knownTrace: Trace | undefined;

  constructor(
    readonly sequence: number,
    readonly body: JsonObject,
    private readonly target: CompiledTarget,
    private readonly group: Group,
    private readonly site: Pick<CheckSite, 'mapping' | 'derivations'>,
  ) {}

  get key(): string {
    return this.group.key;
  }

  get schema(): SchemaName {
    return this.target.schema;
  }

  get name(): string | undefined {
    return displayName(this.site.mapping, this.group.context);
  }

  get details(): Document['details'] {
    return detailsOf(this.site.mapping, this.group.context);
  }

  get records(): readonly Place[] {
    return placesOf(this.group.records);
  }

  get beside(): readonly Place[] {
    return besideOf(this.group);
  }

  get counted(): readonly Place[] {
    const { records: documentRecords, joined } = this.group;
    const counting = joined.flatMap(({ joinedTable: { table }, records }) =>
      records.filter(({ row }) => isRecord(table, row)),
    );
    return placesOf([...documentRecords, ...counting]);
  }

  get hash(): string {
    this.knownHash ??= contentHash(this.schema, this.body);
    return this.knownHash;
  }

  get trace(): Trace {
    this.knownTrace ??= this.traced();
    return this.knownTrace;
  }

  private traced(): Trace {
    const { site, target, body, group } = this;
    const [record] = group.records;
    const origins = originsOf(target, group.context, record);
    const derivation = site.derivations.get(target.schema);
    return (derivation?.origins(body, origins, jsonOrigin(site.mapping, record)) ?? origins).trace;
  }
}

/** Returns the value of a column, or undefined if its cell is unreadable. */
function shownValue(context: Context, column: CompiledColumn): ReturnType<typeof valueFor> {
  try {
    return valueFor(context, column);
  } catch (fault) {
    if (fault instanceof CellFault) return undefined;
    throw fault;
  }
}

export function detailsOf({ details }: LoadedMapping, context: Context): Document['details'] {
  if (details.size === 0) return undefined;
  return Object.fromEntries(
    [...details].flatMap(([name, columns]) =>
      columns
        .flatMap((column) => shownValue(context, column) ?? [])
        .slice(0, 1)
        .map((value) => [name, String(value)]),
    ),
  );
}

export function displayName({ display }: LoadedMapping, context: Context): string | undefined {
  const parts = display.flatMap((column) => shownValue(context, column) ?? []);
  return parts.length > 0 ? parts.join(' ') : undefined;
}
