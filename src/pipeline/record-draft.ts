import type { Draft } from '../document/draft.js';
import type { Trace } from '../document/trace.js';
import type { Place } from '../issues/issue.js';
import { originsOf } from '../mapping/apply.js';
import type { CompiledTarget } from '../mapping/compile.js';
import { type Context, valueFor } from '../mapping/context.js';
import type { LoadedMapping } from '../mapping/load.js';
import { CellFault } from '../mapping/read/cell-reader.js';
import { type ReadRecord, rowPlace } from '../mapping/record.js';
import type { Derivation } from './attention-parts.js';

/** A draft that keeps its records, and computes name and trace only when asked. */
export class RecordDraft implements Draft {
  constructor(
    readonly sequence: number,
    readonly key: string,
    readonly document: Draft['document'],
    private readonly mapping: LoadedMapping,
    private readonly target: CompiledTarget,
    private readonly context: Context,
    private readonly own: readonly ReadRecord[],
    private readonly derivation: Derivation | undefined,
  ) {}

  get schema(): Draft['schema'] {
    return this.target.schema;
  }

  get name(): string | undefined {
    return displayName(this.mapping, this.context);
  }

  get records(): readonly Place[] {
    return this.own.map(({ table, row }) => rowPlace(table, row));
  }

  get trace(): Trace {
    const origins = originsOf(this.target, this.context, this.own[0]!);
    return (this.derivation?.origins(this.document, origins) ?? origins).trace;
  }
}

/** What people call the records of a document beside its key. */
export function displayName({ display }: LoadedMapping, context: Context): string | undefined {
  const parts = display.flatMap((column) => {
    try {
      return valueFor(context, column) ?? [];
    } catch (fault) {
      if (fault instanceof CellFault) return [];
      throw fault;
    }
  });
  return parts.length > 0 ? parts.join(' ') : undefined;
}
