/** Exports `cargue/validate`: checks of documents by schemas and rules, issues with pointers, wording in two languages. */

export type { SchemaName, SchemaTypes } from './generated/schema-types.js';
export {
  type Checked,
  formatPlace,
  type Issue,
  type Language,
  type Level,
  type Place,
} from './toolkit/core/issue.js';
export type { Worded } from './toolkit/messages/wording.js';
export { isSchemaName, schemaJson, schemaNames } from './toolkit/schema/registry.js';
export { addKeywords, type Validator, validate, validator, wordIssue } from './toolkit/schema/validate.js';
export type { View } from './toolkit/schema/views.js';
