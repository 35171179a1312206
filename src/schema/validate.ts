import type { Issue } from '../issues/issue.js';
import { validatorOf } from './compile.js';
import { issuesOf } from './faults.js';
import type { View } from './views.js';

export type { View } from './views.js';

const NO_ISSUES: readonly Issue[] = Object.freeze([]);

/**
 * Every fault of a document against a schema, in one of its views (schemas/README.md). Each issue has
 * `place.pointer` (of a missing member: where it should stand), `params.field` (the wire name) and
 * `params.title` (its Spanish title). A valid document costs no allocation.
 * Throws on an unknown schema name.
 */
export function validate(name: string, view: View, document: unknown): readonly Issue[] {
  const validator = validatorOf(name, view);
  return validator(document) ? NO_ISSUES : issuesOf(name, document, validator.errors!);
}
