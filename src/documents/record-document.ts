import type { Place } from '../core/issue.js';
import type { JsonObject } from '../core/json.js';
import type { SchemaName } from '../generated/schema-types.js';
import { originsOf } from '../mapping/apply.js';
import { valueFor } from '../mapping/context.js';
import type { CompiledTarget, LoadedMapping } from '../mapping/load.js';
import { rowPlace } from '../mapping/places.js';
import { CellFault } from '../mapping/read/cell.js';
import type { CompiledColumn, Context, ReadRecord } from '../mapping/record.js';
import { contentHash, type Document, type Trace } from '../schema/document.js';
import { type Derivation, type Gathered, jsonOrigin } from './check-document.js';
import { isRecord } from './joined-tables.js';

export const placesOf = (records: readonly ReadRecord[]): readonly Place[] =>
  records.map(({ table, row }) => rowPlace(table, row));

export const besideOf = ({ joined }: Pick<Gathered, 'joined'>): readonly Place[] =>
  joined.flatMap(({ records }) => placesOf(records));

/** Keeps its records, and computes name, hash and trace when first asked: most documents are never asked. */
export class RecordDocument implements Document {
  private knownHash: string | undefined;
  private knownTrace: Trace | undefined;

  constructor(
    readonly sequence: number,
    readonly key: string,
    readonly body: JsonObject,
    private readonly mapping: LoadedMapping,
    private readonly target: CompiledTarget,
    private readonly context: Context,
    private readonly gathered: Pick<Gathered, 'own' | 'joined'>,
    private readonly derivation: Derivation | undefined,
  ) {}

  get schema(): SchemaName {
    return this.target.schema;
  }

  get name(): string | undefined {
    return displayName(this.mapping, this.context);
  }

  get details(): Document['details'] {
    return detailsOf(this.mapping, this.context);
  }

  get records(): readonly Place[] {
    return placesOf(this.gathered.own);
  }

  get beside(): readonly Place[] {
    return besideOf(this.gathered);
  }

  get counted(): readonly Place[] {
    const { own, joined } = this.gathered;
    const counting = joined.flatMap(({ joinedTable: { table }, records }) =>
      records.filter(({ row }) => isRecord(table, row)),
    );
    return placesOf([...own, ...counting]);
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
    const origins = originsOf(this.target, this.context, this.gathered.own[0]!);
    const from = jsonOrigin(this.mapping, this.gathered.own[0]!);
    return (this.derivation?.origins(this.body, origins, from) ?? origins).trace;
  }
}

/** The value of a column; undefined where its cell cannot be read. */
function shownValue(context: Context, column: CompiledColumn): ReturnType<typeof valueFor> {
  try {
    return valueFor(context, column);
  } catch (fault) {
    if (fault instanceof CellFault) return undefined;
    throw fault;
  }
}

/** What people call what a document is about, by the mapping's names for it. */
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

/** What people call the records of a document beside its key. */
export function displayName({ display }: LoadedMapping, context: Context): string | undefined {
  const parts = display.flatMap((column) => shownValue(context, column) ?? []);
  return parts.length > 0 ? parts.join(' ') : undefined;
}
