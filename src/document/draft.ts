import type { SchemaName } from '../generated/schema-types.js';
import type { Place } from '../issues/issue.js';
import type { JsonObject } from '../values/json.js';
import type { Trace } from './trace.js';

/** A document made from records and found good; its number series is still to be filled. */
export interface Draft {
  /** Position among the documents made, from 1. */
  readonly sequence: number;
  readonly key: string;
  readonly name?: string;
  readonly schema: SchemaName;
  readonly document: JsonObject;
  /** The records that it was made of. */
  readonly records?: readonly Place[];
  /** Computed when asked for: most documents are never asked. */
  readonly trace: Trace;
}
