import type { Issue } from '../issues/issue.js';
import type { JsonObject } from '../values/json.js';

/** What becomes of a document that depends on those before it; issues point into the document. */
export type Followed =
  /** Made, after others that the record did not name. */
  | { readonly is: 'next'; readonly before: readonly JsonObject[]; readonly issues: readonly Issue[] }
  /** Done already: the record is skipped. */
  | { readonly is: 'done'; readonly issue: Issue }
  /** Held back. */
  | { readonly is: 'refused'; readonly issue: Issue };

/** Asked once for each good document, in order. */
export type Follow = (document: JsonObject) => Followed;
