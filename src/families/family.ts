import type { Derivation } from '../documents/check-document.js';
import type { SchemaName } from '../generated/schema-types.js';
import type { ResolvedParams } from '../mapping/params.js';
import type { DocumentKind } from '../send/kind.js';

/** All that is peculiar to documents of one kind, so that nothing above has to know which kinds there are. */
export interface Family extends DocumentKind {
  /** Of its documents. */
  readonly schemas: readonly SchemaName[];
  /** What follows from the mapped parts of a document. */
  derive?(params: ResolvedParams): Derivation;
}
