/** Door `cargue/validate`: documents against the schemas and rules, issues with pointers, wording in two languages. */

export type { SchemaName, SchemaTypes } from './generated/schema-types.js';
export {
  type Checked,
  formatPlace,
  type Issue,
  type Language,
  type Level,
  type Place,
} from './issues/issue.js';
export type { Worded } from './issues/wording.js';
export { isSchemaName, schemaJson, schemaNames } from './schema/registry.js';
export { type View, validate } from './schema/validate.js';
export { type Validator, validator, wordIssue } from './schema/validator.js';
