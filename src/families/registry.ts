import { addDays, addMonths, lastOfMonth, nthWorkday, type PlainDate } from '../toolkit/core/plain-date.js';
import type { Derive } from '../toolkit/documents/phases.js';
import { ruleAt } from '../toolkit/schema/dated-rows.js';
import { registerFormat } from '../toolkit/tables/formats.js';
import { follow } from './events/follow.js';
import { ATTACHED_DOCUMENTS } from './events/xml/format.js';
import type { Capabilities, Family, Loaders } from './family.js';
import { NOTE } from './rips/attention.js';
import { attentionDerivation } from './rips/attention-parts.js';
import { recordDerivation } from './rips/national-file.js';

const nthDay = (from: PlainDate, count: number): PlainDate => addDays(from, count - 1);

/** Returns the last days of a law's term in the month after a given one; none if the law has no figure for it. */
function termAfter(
  month: string,
  name: string,
  readings: readonly ((from: PlainDate, count: number) => PlainDate | undefined)[],
): readonly PlainDate[] {
  const law = ruleAt('law_terms', lastOfMonth(`${month}-01`), { name });
  if (law.kind === 'missing') return [];
  const days = readings.map((read) => read(`${addMonths(month, 1)}-01`, Number(law.row['amount'])));
  return [...new Set(days.filter((day) => day !== undefined))].sort();
}

/** Individual payrolls and their adjust notes; a run may hold both. */
const PAYROLL: Family = {
  name: 'payroll',
  documents: {
    schemas: ['payroll/payroll', 'payroll/adjust-note-replace', 'payroll/adjust-note-delete'],
    hasPublicKeys: false,
    company: 'above',
    mappings: { template: { name: 'payroll', mapping: 'payroll/multi-sheet' } },
    deadlines: (month) => termAfter(month, 'payroll_transmission', [nthDay, nthWorkday]),
  },
  delivery: async () => (await import('./payroll/delivery.js')).PAYROLL,
  report: async () => (await import('./payroll/report.js')).REPORT,
  corrections: async () => (await import('./payroll/corrections.js')).CORRECTIONS,
  paper: async () => (await import('./payroll/paper.js')).PAPER,
  setup: async () => (await import('./payroll/setup.js')).SETUP,
};

/** RIPS packages without invoice. */
const RIPS: Family = {
  name: 'rips',
  documents: {
    schemas: ['rips/attention'],
    hasPublicKeys: false,
    company: 'unsaid',
    mappings: { ready: { kind: 'json', mapping: 'rips/json', sending: 'rips/json-envio' } },
    derive: (params, _, today) => attentionDerivation(params, today),
    deadlines: (month) => termAfter(month, 'rips_without_invoice', [nthDay]),
  },
  delivery: async () => (await import('./rips/delivery.js')).RIPS,
  report: async () => (await import('./rips/report.js')).REPORT,
  corrections: async () => ({ bySend: { note_type: NOTE, note_number_prefix: 'NA-' } }),
  authority: async () => (await import('./rips/authority.js')).AUTHORITY,
  setup: async () => (await import('./rips/setup.js')).SETUP,
};

/** Packages in the national form, which are checked and converted but never sent. */
const NATIONAL: Family = {
  name: RIPS.name,
  documents: {
    ...RIPS.documents,
    schemas: ['rips/national/record'],
    mappings: {},
    derive: (params, _, today) => recordDerivation(params, today),
  },
  authority: RIPS.authority,
};

/** Acquirer events on received invoices. */
const EVENTS: Family = {
  name: 'events',
  documents: {
    schemas: ['events/event-by-cufe', 'events/event-by-document'],
    hasPublicKeys: true,
    company: { param: 'company_idnumber' },
    deadlines: () => [],
    // The receipt of the invoice, which binds nobody to accept it.
    mappings: {
      ready: {
        kind: 'xml',
        mapping: 'events/attached',
        proposed: { code: '030', params: { event_id: 1 } },
        following: async (journal, today) =>
          (await import('./events/following.js')).following(journal, today),
      },
    },
    follow,
  },
  delivery: async () => (await import('./events/delivery.js')).EVENTS,
  report: async () => (await import('./events/report.js')).REPORT,
  inquiry: async () => (await import('./events/inquiry.js')).INQUIRY,
};

/** Sellers' documents for the service to read; may be sent repeatedly. */
const RECEPTION: Family = {
  name: 'reception',
  documents: {
    schemas: ['events/seller-reception'],
    hasPublicKeys: true,
    company: 'unsaid',
    mappings: {},
    deadlines: () => [],
  },
  delivery: async () => (await import('./events/reception.js')).RECEPTION,
  report: async () => (await import('./events/report.js')).RECEPTION_REPORT,
};

/** Families of the program; the first one is that of a run without documents. */
export const FAMILIES: readonly Family[] = [PAYROLL, RIPS, NATIONAL, EVENTS, RECEPTION];

registerFormat(ATTACHED_DOCUMENTS);

/** Returns the family whose documents follow a schema. */
export const familyOf = (families: readonly Family[], schema: string): Family | undefined =>
  families.find(({ documents }) => documents.schemas.some((name) => name === schema));

/** Creates the derivation for documents of any of these families. */
export const deriveWith =
  (families: readonly Family[]): Derive =>
  (schema, params, today) =>
    familyOf(families, schema)?.documents.derive?.(params, schema, today);

/** Loads a capability of a family; undefined if it has none. */
export const capability = async <K extends keyof Capabilities>(
  family: Loaders | undefined,
  name: K,
): Promise<Capabilities[K] | undefined> => family?.[name]?.();

export async function capabilities<K extends keyof Capabilities>(
  families: readonly Family[],
  name: K,
): Promise<readonly Capabilities[K][]> {
  const found = await Promise.all(families.map((family) => capability(family, name)));
  return found.filter((part) => part !== undefined);
}
