import type { SchemaName, SchemaTypes } from '../generated/schema-types.js';
import type { Trace } from './trace.js';

/** A checked document apart from its fiscal payload: who it is about, where it came from, what it is. */
export interface Envelope<N extends SchemaName = SchemaName> {
  /** Position among the documents made, from 1. */
  readonly sequence: number;
  /** What people call it: the worker's document number. */
  readonly key: string;
  /** What people read beside the key: the worker's name. */
  readonly name?: string;
  readonly schema: N;
  /** Complete but for its number series (`consecutive`), which `convert` and `send` fill. */
  readonly document: SchemaTypes[N];
  readonly trace: Trace;
  /** SHA-256 of the body without number and issue date: the same content has the same hash. */
  readonly hash: string;
}
