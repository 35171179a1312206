import type { DocumentFamily } from '../report/run-report.js';
import type { Journal } from '../send/journal.js';

/** Folder or name of the schema → family; a name goes before its folder. */
const FAMILIES: Readonly<Record<string, DocumentFamily>> = {
  payroll: 'payroll',
  rips: 'care',
  events: 'events',
  'events/seller-reception': 'reception',
};

const familyOfSchema = (schema: string): DocumentFamily =>
  FAMILIES[schema] ?? FAMILIES[schema.split('/')[0]!] ?? 'other';

/** The family of a run's documents, which are all of one; `other` where none was made. */
export function familyOf(journal: Journal, run: string): DocumentFamily {
  const first = journal
    .prepare('SELECT schema FROM document WHERE run = ? ORDER BY sequence LIMIT 1')
    .first<{ schema: string }>(run);
  return first === undefined ? 'other' : familyOfSchema(first.schema);
}
