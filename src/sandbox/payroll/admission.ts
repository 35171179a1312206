import type { Call } from '../answer.js';
import type { Resolution } from '../companies.js';
import type { FieldFault } from '../refusals.js';
import { shapeFaults } from '../shape-faults.js';
import { type Crash, crashOf, NO_RESOLUTION } from './crashes.js';
import { kindOf, type PayrollDocument, readDocument } from './document.js';
import { contentFaults, outOfRange } from './field-faults.js';
import { mustName, rangeFor } from './ranges.js';

/** What becomes of a document at the service's door, before DIAN sees anything. */
export type Admission =
  | { readonly is: 'admitted'; readonly document: PayrollDocument; readonly range: Resolution }
  | { readonly is: 'invalid'; readonly faults: readonly FieldFault[] }
  | { readonly is: 'crashed'; readonly crash: Crash };

/** First the service's validator, then what its code trips over, then the range of numbers. */
export function admit(call: Call): Admission {
  const { body, company } = call;
  const kind = kindOf(body);
  const shape = shapeFaults(call);
  const faults = kind === undefined ? shape : [...shape, ...contentFaults(kind, body)];
  if (kind !== undefined && mustName(company, kind === 'payroll' ? 9 : 10))
    for (const field of ['resolution_number', 'prefix'])
      if (!body[field] && !faults.some((fault) => fault.field === field))
        faults.push({ field, text: `The ${field} field is required.` });
  if (kind === undefined || faults.length > 0) return { is: 'invalid', faults };

  const document = readDocument(kind, body);
  const range = rangeFor(company, document.typeDocumentId, document.prefix);
  if (range === undefined) return { is: 'crashed', crash: NO_RESOLUTION };
  // The range of notes is not checked (service.md 4.8).
  if (kind === 'payroll' && (document.consecutive < range.from || document.consecutive > range.to))
    return { is: 'invalid', faults: [outOfRange('consecutive', range.from, range.to)] };
  const crash = crashOf(call);
  return crash === undefined ? { is: 'admitted', document, range } : { is: 'crashed', crash };
}
