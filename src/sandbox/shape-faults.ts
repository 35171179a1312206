import { OPERATIONS } from '../generated/operations.js';
import type { SchemaName } from '../generated/schema-types.js';
import type { Issue } from '../issues/issue.js';
import { validate } from '../schema/validate.js';
import type { JsonObject } from '../values/json.js';
import { parsePointer } from '../values/pointer.js';
import type { Call } from './answer.js';
import type { FieldFault } from './refusals.js';

export const required = (field: string): FieldFault => ({ field, text: `The ${field} field is required.` });
const invalid = (field: string): FieldFault => ({ field, text: `The ${field} format is invalid.` });

const faultOf = (issue: Issue): FieldFault => {
  const field = parsePointer(issue.place.pointer ?? '').join('.');
  return issue.code === 'document/required' ? required(field) : invalid(field);
};

/** Faults of a body's shape, as the tolerant view of a schema sees them. */
export const schemaFaults = (schema: SchemaName, body: JsonObject): FieldFault[] =>
  validate(schema, 'tolerant', body).map(faultOf);

/** The same by the schema of the call's operation. */
export function shapeFaults(call: Call): FieldFault[] {
  const { body: schema } = OPERATIONS[call.operation];
  return schema === null ? [] : schemaFaults(schema, call.body);
}
