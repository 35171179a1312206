import { catalogue } from '../../catalogue/catalogue.js';
import { OPERATIONS } from '../../generated/operations.js';
import type { Issue } from '../../issues/issue.js';
import { validate } from '../../schema/validate.js';
import type { JsonObject } from '../../values/json.js';
import { parsePointer, valueAt } from '../../values/pointer.js';
import type { Call } from '../answer.js';
import type { FieldFault } from '../refusals.js';
import type { DocumentKind } from './document.js';

/** Ids that the service's validator looks up (service.md 4.1, 4.3, 4.4, 4.6); the municipality is not among them. */
const IDS: Readonly<Record<string, string>> = {
  payroll_period_id: 'payroll_periods',
  'worker.type_worker_id': 'type_workers',
  'worker.sub_type_worker_id': 'sub_type_workers',
  'worker.payroll_type_document_identification_id': 'payroll_type_document_identifications',
  'worker.type_contract_id': 'type_contracts',
  'payment.payment_method_id': 'payment_methods',
  'deductions.eps_type_law_deductions_id': 'type_law_deductions',
  'deductions.pension_type_law_deductions_id': 'type_law_deductions',
};

const BANK_DATA = ['bank_name', 'account_type', 'account_number'];

const required = (field: string): FieldFault => ({ field, text: `The ${field} field is required.` });
const invalid = (field: string): FieldFault => ({ field, text: `The ${field} format is invalid.` });
const unknownId = (field: string): FieldFault => ({ field, text: `The selected ${field} is invalid.` });
export const outOfRange = (field: string, from: number, to: number): FieldFault => ({
  field,
  text: `The ${field} must be between ${from} and ${to}.`,
});

const valueOf = (body: JsonObject, field: string): unknown => valueAt(body, `/${field.replaceAll('.', '/')}`);

const faultOf = (issue: Issue): FieldFault => {
  const field = parsePointer(issue.place.pointer ?? '').join('.');
  return issue.code === 'document/required' ? required(field) : invalid(field);
};

/** Faults of the request's shape, as the tolerant view of its schema sees them. */
export function shapeFaults(call: Call): FieldFault[] {
  const { body: schema } = OPERATIONS[call.operation];
  return schema === null ? [] : validate(schema, 'tolerant', call.body).map(faultOf);
}

const rows = new Map<string, ReadonlyMap<string, Readonly<Record<string, string>>>>();

/** Row of a code list by the service's own id, which may come as number or text. */
export function rowById(list: string, id: unknown): Readonly<Record<string, string>> | undefined {
  let byId = rows.get(list);
  if (byId === undefined) {
    byId = new Map(catalogue(list)?.rows.map((row) => [row['id'] ?? '', row]));
    rows.set(list, byId);
  }
  return byId.get(String(id));
}

/** What the service's validator asks beyond shape: known ids, and bank data where the method demands them. */
export function contentFaults(kind: DocumentKind, body: JsonObject): FieldFault[] {
  const faults = Object.entries(IDS)
    .filter(([field, list]) => {
      const id = valueOf(body, field);
      return id !== undefined && rowById(list, id) === undefined;
    })
    .map(([field]) => unknownId(field));
  const method = rowById('payment_methods', valueOf(body, 'payment.payment_method_id'));
  // For a replacement the shape itself demands them.
  if (kind === 'payroll' && method?.['bank_data_required'] === 'SI')
    for (const name of BANK_DATA) if (!valueOf(body, `payment.${name}`)) faults.push(required(`payment.${name}`));
  return faults;
}
