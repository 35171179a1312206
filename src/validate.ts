/** Door `cargue/validate`: documents against the schemas and rules, issues with pointers, wording in two languages. */

export {
  type Checked,
  formatPlace,
  type Issue,
  type Language,
  type Level,
  type Place,
} from './core/issue.js';
export type { SchemaName, SchemaTypes } from './generated/schema-types.js';
export type { Worded } from './messages/wording.js';
export { isSchemaName, schemaJson, schemaNames } from './schema/registry.js';
export { addKeywords, type Validator, validate, validator, wordIssue } from './schema/validate.js';
export type { View } from './schema/views.js';
