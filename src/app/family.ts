import { stop } from '../core/issue.js';
import { isPlainDate, type PlainDate } from '../core/plain-date.js';
import type { Follow } from '../documents/prepare.js';
import { EVENTS, RECEPTION } from '../families/events/family.js';
import {
  createEventSequence,
  EVENT_CODES,
  type EventCode,
  eventCode,
  type Registered,
} from '../families/events/sequence.js';
import { DELETION, REPLACEMENT } from '../families/payroll/adjust-note.js';
import { PAYROLL } from '../families/payroll/family.js';
import { RIPS } from '../families/rips/family.js';
import type { SchemaName } from '../generated/schema-types.js';
import type { LoadedMapping } from '../mapping/load.js';
import type { DocumentFamily } from '../report/run-report.js';
import type { Journal } from '../send/journal.js';
import type { DocumentKind } from '../send/kind.js';
import type { Job } from './job.js';

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

export const isCareJob = ({ mapping }: Pick<Job, 'mapping'>): boolean =>
  mapping.targets.every(({ schema }) => schema === 'rips/attention');

export const isEventJob = ({ mapping }: Pick<Job, 'mapping'>): boolean =>
  mapping.targets.every(({ schema }) => schema.startsWith('events/event-'));

const CODES: ReadonlySet<string> = new Set(Object.values(EVENT_CODES));

const codeOf = (given: unknown): EventCode | undefined =>
  CODES.has(String(given)) ? (given as EventCode) : eventCode(given);

/**
 * The events that the parameters of a run say are registered: `already_registered`, a list of {cufe, event, date}.
 * @throws PipelineError('usage', param/wrong)
 */
function givenEvents({ params }: Pick<Job, 'params'>): ReadonlyMap<string, readonly Registered[]> {
  const found = new Map<string, Registered[]>();
  for (const { cufe, event, date } of params.tables['already_registered'] ?? []) {
    const code = codeOf(event);
    // What is not understood would be registered twice.
    if (typeof cufe !== 'string' || code === undefined)
      return stop('usage', {
        code: 'param/wrong',
        value: JSON.stringify({ cufe, event }),
        params: { name: 'already_registered', type: '{cufe, event, date}' },
      });
    const one = { code, ...(typeof date === 'string' && isPlainDate(date) && { date }) };
    const key = cufe.toLowerCase();
    found.set(key, [...(found.get(key) ?? []), one]);
  }
  return found;
}

/** Of two that tell of one event the first stands. */
const eachOnce = (events: readonly Registered[]): readonly Registered[] =>
  events.filter(({ code }, at) => events.findIndex((one) => one.code === code) === at);

/**
 * How the events of a job follow each other; undefined for documents of another kind.
 * @param registered what journal and service tell of an invoice; undefined when nothing was asked
 */
export function followFor(
  job: Pick<Job, 'mapping' | 'params'>,
  today: PlainDate,
  registered: (cufe: string) => readonly Registered[] = () => [],
): Follow | undefined {
  if (!isEventJob(job)) return undefined;
  const { sender, expand } = job.params.values;
  const given = givenEvents(job);
  return createEventSequence({
    registered: (cufe) => eachOnce([...registered(cufe), ...(given.get(cufe) ?? [])]),
    today,
    senders: ['comprador', ...(typeof sender === 'string' ? [sender] : [])],
    expand: expand === true,
  });
}
