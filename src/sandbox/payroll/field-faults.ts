import { catalogue } from '../../catalogue/catalogue.js';
import type { JsonObject } from '../../values/json.js';
import { member, text } from '../members.js';
import type { FieldFault } from '../refusals.js';
import { required } from '../shape-faults.js';
import type { DocumentKind } from './document.js';

/** Ids that the service's validator looks up (service.md 4.1, 4.3, 4.4, 4.6); the municipality is not among them. */
const IDS: readonly { readonly path: readonly string[]; readonly list: string }[] = [
  { path: ['payroll_period_id'], list: 'payroll_periods' },
  { path: ['worker', 'type_worker_id'], list: 'type_workers' },
  { path: ['worker', 'sub_type_worker_id'], list: 'sub_type_workers' },
  {
    path: ['worker', 'payroll_type_document_identification_id'],
    list: 'payroll_type_document_identifications',
  },
  { path: ['worker', 'type_contract_id'], list: 'type_contracts' },
  { path: ['payment', 'payment_method_id'], list: 'payment_methods' },
  { path: ['deductions', 'eps_type_law_deductions_id'], list: 'type_law_deductions' },
  { path: ['deductions', 'pension_type_law_deductions_id'], list: 'type_law_deductions' },
];

const BANK_DATA = ['bank_name', 'account_type', 'account_number'];

const unknownId = (field: string): FieldFault => ({ field, text: `The selected ${field} is invalid.` });
export const outOfRange = (field: string, from: number, to: number): FieldFault => ({
  field,
  text: `The ${field} must be between ${from} and ${to}.`,
});

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
  const faults = IDS.filter(({ path, list }) => {
    const id = member(body, ...path);
    return id !== undefined && rowById(list, id) === undefined;
  }).map(({ path }) => unknownId(path.join('.')));
  const method = rowById('payment_methods', member(body, 'payment', 'payment_method_id'));
  // For a replacement the shape itself demands them.
  if (kind === 'payroll' && method?.['bank_data_required'] === 'SI')
    for (const name of BANK_DATA)
      if (text(body, 'payment', name) === '') faults.push(required(`payment.${name}`));
  return faults;
}
