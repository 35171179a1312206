import type { SchemaName } from '../generated/schema-types.js';
import { stop } from '../issues/pipeline-error.js';
import type { LoadedMapping } from '../mapping/load.js';
import { DELETION, REPLACEMENT } from '../payroll/adjust-note.js';
import { EVENTS } from '../send/event-kind.js';
import type { Journal } from '../send/journal.js';
import type { DocumentKind } from '../send/kind.js';
import { PAYROLL } from '../send/payroll-kind.js';
import { RECEPTION } from '../send/reception-kind.js';
import { RIPS } from '../send/rips-kind.js';

const KINDS: Readonly<Partial<Record<SchemaName, DocumentKind>>> = {
  'payroll/payroll': PAYROLL,
  [REPLACEMENT]: PAYROLL,
  [DELETION]: PAYROLL,
  'events/event-by-cufe': EVENTS,
  'events/event-by-document': EVENTS,
  'events/seller-reception': RECEPTION,
  'rips/attention': RIPS,
};

const kindOfSchema = (schema: SchemaName): DocumentKind =>
  KINDS[schema] ?? stop('usage', { code: 'run/not-sendable', value: schema });

/**
 * What the sender must know of a mapping's targets.
 * @throws PipelineError('usage', run/not-sendable)
 */
export function kindOf({ targets }: Pick<LoadedMapping, 'targets'>): DocumentKind {
  const [kind, ...others] = targets.map(({ schema }) => kindOfSchema(schema));
  const other = others.findIndex((one) => one !== kind);
  return other < 0 ? kind! : stop('usage', { code: 'run/not-sendable', value: targets[other + 1]!.schema });
}

/** The kind of a run's documents; that of payrolls for a run without any. */
export function kindOfRun(journal: Journal, run: string): DocumentKind {
  const first = journal
    .prepare('SELECT schema FROM document WHERE run = ? ORDER BY sequence LIMIT 1')
    .first<{ schema: SchemaName }>(run);
  return first === undefined ? PAYROLL : kindOfSchema(first.schema);
}
