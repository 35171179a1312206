import type { SchemaName } from '../generated/schema-types.js';
import type { Place } from '../issues/issue.js';
import type { SchemaNode } from '../schema/registry.js';
import type { JsonObject } from '../values/json.js';
import type { Pointer } from '../values/pointer.js';
import type { CompiledColumn } from './columns.js';
import type { Context } from './context.js';
import type { CellFault } from './read/cell-reader.js';
import type { Workbench } from './workbench.js';
import type { YamlPath } from './yaml-source.js';

/** What a record's writing reports: faults of leaves, and, only when asked, which columns fed which pointer. */
export interface WriteLog {
  fault(
    fault: CellFault,
    columns: readonly CompiledColumn[],
    pointer: Pointer | undefined,
    context: Context,
  ): void;
  readonly trace?: Map<Pointer, readonly Place[]>;
  readonly placesOf?: (context: Context, columns: readonly CompiledColumn[]) => readonly Place[];
}

/** What may give a leaf its value, as the mapping says. */
export interface LeafSources {
  readonly columns: readonly CompiledColumn[];
  readonly params: readonly string[];
}

/**
 * Writes one key of the document; says whether a column of the record gave it anything.
 * `pointer` is the parent's, and undefined when no trace is wanted.
 */
export type Writer = (
  context: Context,
  target: JsonObject,
  log: WriteLog,
  pointer: Pointer | undefined,
) => boolean;

/** A leaf that every document must have: one of the sets of columns must be in the file, or the param be given. */
export interface Need {
  readonly pointer: Pointer;
  readonly alternatives: readonly (readonly CompiledColumn[])[];
  readonly param?: string;
}

export interface CompiledNode {
  readonly write: Writer;
  /** Whether the node reads the record at all: a block of constants stands by itself. */
  readonly reads: boolean;
  /** Columns without any of which the record gives the node nothing; undefined when a formula may give something. */
  readonly fedBy: readonly CompiledColumn[] | undefined;
}

/** The workbench of a whole document. */
export interface TreeBench extends Workbench {
  readonly target: SchemaName;
  /** Pointers that rules fill: a mapping never computes a total. */
  readonly derived: ReadonlySet<Pointer>;
  readonly needs: Need[];
  /** By pointer of the leaf, `*` for an item of a list; several blocks may make items of one list. */
  readonly sources: Map<Pointer, LeafSources[]>;
  /** Name of the mapping. */
  readonly mapping: string;
  /** Whether another target of the mapping has the place: a leaf for the one is none for the other. */
  readonly elsewhere: (keys: readonly string[]) => boolean;
}

/** Where the compilation stands: in the mapping file and in the schema. */
export interface Spot {
  readonly path: YamlPath;
  readonly keys: readonly string[];
  readonly node: SchemaNode;
  /** Every document has this place. */
  readonly required: boolean;
  /** It lies in a part that follows from the rest of the document: only what is written here is added to it. */
  readonly partial: boolean;
}
