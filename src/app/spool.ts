import { createIssuePrinter } from '../cli/issue-printer.js';
import type { Options } from '../cli/options.js';
import { formatCount, say } from '../cli/texts.js';
import type { Client } from '../client/client.js';
import { type Issue, stop } from '../core/issue.js';
import type { JsonObject } from '../core/json.js';
import { dateInBogota, isPlainDate, type PlainDate } from '../core/plain-date.js';
import type { Complete } from '../documents/check-document.js';
import type { Follow } from '../documents/prepare.js';
import {
  type AskedInvoice,
  EVENT_QUERIES,
  type EventQuery,
  type InvoiceEvent,
  type QueryName,
} from '../families/events/answer.js';
import { acceptedEvents, eventOf } from '../families/events/kind.js';
import {
  createEventSequence,
  EVENT_CODES,
  type EventCode,
  eventCode,
  type Registered,
} from '../families/events/sequence.js';
import { type CareOptions, forDeployment } from '../families/rips/kind.js';
import { RIPS_GROUPS, type RipsGroup } from '../families/rips/national.js';
import type { CarePackage } from '../families/rips/run-care.js';
import type { ReportedPatient } from '../report/run-report.js';
import { type DocumentCounts, type DocumentFate, sealEnvelope } from '../schema/document.js';
import { type Spoolable, type Spooled, spoolRun } from '../send/documents.js';
import type { Journal } from '../send/journal.js';
import { type NumberingOptions, numberAdvice, seriesInUse } from '../send/numbering.js';
import type { RunMeta } from '../send/runs.js';
import { type Context, programVersion } from './context.js';
import { watchErrands } from './deliver.js';
import { hashFiles } from './files.js';
import { type Job, kindOf } from './job.js';
import { companyOf, createJournalRemarks } from './journal-access.js';
import { type Annotation, type Findings, type Reading, readJob } from './reading.js';
import { clientFor, environmentOf, seriesKeys } from './service.js';

/** Whether the key of a document is the column that feeds the worker's document number. */
export function keyIsWorker({ key, spec }: Pick<Job['mapping'], 'key' | 'spec'>): boolean {
  const worker = (spec.document as { worker?: { identification_number?: { from?: unknown } } }).worker;
  return key.length === 1 && worker?.identification_number?.from === key[0];
}

async function metaOf(job: Job, url: URL, options: Options): Promise<RunMeta> {
  const { mapping, params } = job;
  return {
    company: companyOf(options),
    url: url.href,
    inputs: await hashFiles(job.files),
    mapping: { name: mapping.name, sha256: mapping.sha256 },
    params: params.values,
    versions: { cargue: programVersion(), node: process.version },
  };
}

/** Where the person wants the numbers to begin: parameter `first_<series>`. */
export function firstNumber({ mapping, params }: Job): number | undefined {
  const [key] = seriesKeys(mapping.target);
  const first = params.values[`first_${key}`];
  return first === undefined ? undefined : Number(first);
}

/** What becomes of the documents of a file before they are laid out. */
export interface Shaping {
  shape(reading: Reading): AsyncIterable<readonly Spoolable[]>;
  /** Documents beside those of the file; known once all are shaped. */
  readonly added: number;
}

/** What a shaping may look at. */
export interface ShapingScope {
  readonly journal: Journal;
  readonly testSet: string | undefined;
}

const AS_THEY_ARE: Shaping = {
  async *shape(reading) {
    for await (const drafts of reading.drafts) yield drafts.map(sealEnvelope);
  },
  added: 0,
};

export interface SpooledRun extends Spooled {
  /** Of the file, and of the file held against the journal. */
  readonly findings: Findings;
}

export interface SpoolCall {
  readonly journal: Journal;
  readonly job: Job;
  readonly url: URL;
  /** Asked where the numbers stand; without one the journal alone decides. */
  readonly client: Client | undefined;
  readonly annotation?: Annotation | undefined;
  /** @default every document as it is */
  readonly shaping?: Shaping;
  /** Fills in what the file leaves blank. */
  readonly complete?: Complete;
  /** How the documents follow each other. */
  readonly follow?: Follow;
  /** Where numbers begin. @default as the parameters say */
  readonly first?: NumberingOptions['first'];
}

/** Reads the files to the end and lays what is good into the journal, as a draft. */
export async function spoolJob(context: Context, options: Options, call: SpoolCall): Promise<SpooledRun> {
  const { journal, job, url, client, annotation, complete, follow, shaping = AS_THEY_ARE } = call;
  const reading = readJob(context, job, options, { keep: true, annotation, complete, follow });
  const remarks = createJournalRemarks(context, job, options);
  const onIssue = (issue: Issue): void => {
    remarks.take(issue);
    annotation?.take({ kind: 'issue', issue });
  };
  const first = call.first ?? firstNumber(job);
  const spooled = await spoolRun({
    journal,
    kind: kindOf(job.mapping),
    meta: await metaOf(job, url, options),
    ...(options.testSet !== undefined && { testSet: options.testSet }),
    envelopes: shaping.shape(reading),
    closing: () => {
      const { records, documents, columns, defaults, issues, skipped } = reading.findings();
      return { records, documents: withMore(documents, shaping.added), columns, defaults, issues, skipped };
    },
    numbers: {
      ...(first !== undefined && { first }),
      ...(client && { advice: numberAdvice(client, options.testSet) }),
    },
    keyIsWorker: keyIsWorker(job.mapping),
    onIssue,
    onHeldBack: (sequence, elsewhere) => annotation?.outcome(sequence, elsewhere ? 'elsewhere' : 'held-back'),
    clock: () => context.now().getTime(),
  });
  remarks.finish();
  const findings = reading.findings();
  return {
    ...spooled,
    findings: {
      ...findings,
      documents: spooled.documents,
      warnings: findings.warnings + remarks.warnings,
    },
  };
}

const withMore = ({ planned, made, heldBack }: DocumentCounts, added: number): DocumentCounts => ({
  planned: planned + added,
  made: made + added,
  heldBack,
});

export const isCareJob = ({ mapping }: Pick<Job, 'mapping'>): boolean =>
  mapping.targets.every(({ schema }) => schema === 'rips/attention');

function careOptions({ params }: Job, { booking, paymentConcept }: Options): CareOptions {
  const { note_number_prefix: prefix = '', note_number_width: width = 1 } = params.values;
  return {
    notes: { prefix: String(prefix), width: Number(width) },
    ...(booking !== undefined && { booking }),
    ...(paymentConcept !== undefined && { paymentConcept }),
  };
}

/** Type 1 of the seven; the others are contract, and not observed to work everywhere (service.md 6.6). */
const CONSULTATION = 1;

const hasLaterTypes = (attention: JsonObject): boolean =>
  ((attention['document'] as JsonObject)['services'] as JsonObject[]).some(
    ({ service_type_id: type }) => Number(type) !== CONSULTATION,
  );

/** Lays attentions into the journal as the deployment wants them, numbered on from where the journal is. */
export async function spoolCare(context: Context, options: Options, call: SpoolCall): Promise<SpooledRun> {
  const { job, journal } = call;
  const wishes = careOptions(job, options);
  const now = context.now().getTime();
  let later = false;
  const shaping: Shaping = {
    async *shape(reading) {
      for await (const drafts of reading.drafts)
        yield drafts.map((draft): Spoolable => {
          const envelope = sealEnvelope(draft);
          const attention = envelope.document as unknown as JsonObject;
          later ||= hasLaterTypes(attention);
          return { ...envelope, document: forDeployment(attention, wishes, now) as never };
        });
    },
    added: 0,
  };
  const { first_note_number: first } = job.params.values;
  const spooled = await spoolJob(context, options, {
    ...call,
    shaping,
    // The parameter says where an empty series begins; one in use goes on.
    first: (series) => (first === undefined || seriesInUse(journal, series) ? undefined : Number(first)),
  });
  if (later) context.terminal.say(say(context.language, 'laterTypes'));
  return spooled;
}

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

/** What was told, by CUFE; an invoice that no answer came for is not there. */
interface InvoiceStates {
  readonly known: ReadonlyMap<string, readonly InvoiceEvent[]>;
  /** Whether the service could not be reached, or a person stopped it. */
  readonly stopped: boolean;
}

export interface StateQuestion {
  readonly client: Client;
  readonly url: URL;
  readonly invoices: readonly AskedInvoice[];
  /** @default the list of DIAN, E3 */
  readonly by?: QueryName;
}

/** Asks what is registered of each invoice: other people may have acted (events.md 3). */
export async function askStates(
  context: Context,
  options: Options,
  { client, url, invoices, by = 'dian' }: StateQuestion,
): Promise<InvoiceStates> {
  const query: EventQuery = EVENT_QUERIES[by];
  const environment = environmentOf(context, url, undefined) === 'production' ? 'production' : 'test';
  const known = new Map<string, readonly InvoiceEvent[]>();
  const askable = invoices.flatMap((invoice) => {
    const request = query.request(invoice, environment);
    return request === undefined ? [] : [{ invoice, request }];
  });
  const result = await watchErrands<(typeof askable)[number], readonly InvoiceEvent[]>(context, options, {
    url,
    what: 'askingEvents',
    total: askable.length,
    items: askable,
    repeat: true,
    ask:
      (signal) =>
      async ({ request }) =>
        query.read(await client.call(query.operation, request, { signal })),
    settle: async ({ invoice }, reply) => {
      if (reply.kind === 'done') known.set(invoice.cufe, reply.value);
    },
  });
  return { known, stopped: result.stopped !== undefined || result.interrupted };
}

/** An invoice of the files, as people call it. */
export interface NamedInvoice extends AskedInvoice {
  readonly name: string;
}

/** Whatever the order, every invoice is asked about. */
const ANY_ORDER: Follow = () => ({ is: 'next', before: [], issues: [] });

/**
 * The invoices that sound records of the files name, each once.
 * @param quiet whether what is wrong with the records is left unsaid, as it is said elsewhere
 */
export async function invoicesIn(
  context: Context,
  job: Job,
  options: Options,
  quiet = true,
): Promise<readonly NamedInvoice[]> {
  const invoices = new Map<string, NamedInvoice>();
  const reading = readJob(context, job, options, { quiet, follow: ANY_ORDER });
  for await (const drafts of reading.drafts)
    for (const { document, key, name } of drafts) {
      const { cufe } = eventOf(document as unknown as JsonObject);
      // A list shows the number beside its key; a file has it for its key.
      const number = 'base64_attacheddocument' in document ? key : (name ?? key);
      if (!invoices.has(cufe)) invoices.set(cufe, { cufe, number, name: name ?? key });
    }
  return [...invoices.values()];
}

const NOTHING_ASKED: InvoiceStates['known'] = new Map();

/** Each event of an invoice waits until the one before it is accepted; different invoices go side by side. */
const inTurn = (): Shaping => {
  const last = new Map<string, number>();
  return {
    async *shape(reading: Reading) {
      for await (const drafts of reading.drafts)
        yield drafts.map((draft): Spoolable => {
          const { cufe } = eventOf(draft.document as unknown as JsonObject);
          const after = last.get(cufe);
          last.set(cufe, draft.sequence);
          return { ...sealEnvelope(draft), ...(after !== undefined && { after }) };
        });
    },
    added: 0,
  };
};

/** Invoices that DIAN did not tell of: the journal alone counts, and one is told. */
function sayUnknown(
  { terminal }: Context,
  options: Options,
  invoices: readonly AskedInvoice[],
  known: InvoiceStates['known'],
): void {
  const printer = createIssuePrinter(terminal, { json: options.json === true, mask: (issue) => issue });
  for (const { cufe } of invoices)
    if (!known.has(cufe))
      printer.print({
        code: 'events/state-unknown',
        level: 'warning',
        params: { cufe },
        place: {},
      } satisfies Issue);
  printer.finish();
}

/** Beyond this machine DIAN is asked before the plan is shown, if a person lets us: what others did decides what is sent. */
async function mayAsk(
  { terminal, language, ask }: Context,
  { dryRun }: Options,
  { url }: SpoolCall,
  count: number,
): Promise<boolean> {
  if (dryRun || !terminal.interactive || count === 0) return false;
  return ask.yes(say(language, 'askAsk', { count: formatCount(count, language), service: url.host }));
}

/** What DIAN has on the invoices of the files; nothing where it may not be asked. */
async function stateOf(context: Context, options: Options, call: SpoolCall): Promise<InvoiceStates['known']> {
  const { job, url } = call;
  const invoices = await invoicesIn(context, job, options);
  const own =
    call.client === undefined && (await mayAsk(context, options, call, invoices.length))
      ? await clientFor(context, options, url)
      : undefined;
  const client = call.client ?? own;
  if (client === undefined) return NOTHING_ASKED;
  try {
    const { known } = await askStates(context, options, { client, url, invoices });
    sayUnknown(context, options, invoices, known);
    return known;
  } finally {
    await own?.close();
  }
}

/**
 * Lays events into the journal, each after what is registered already: by the journal, and by the list of DIAN when the
 * service may be asked.
 */
export async function spoolEvents(context: Context, options: Options, call: SpoolCall): Promise<SpooledRun> {
  const { job, journal } = call;
  const known = await stateOf(context, options, call);
  const accepted = acceptedEvents(journal);
  const registered = (cufe: string): readonly Registered[] => {
    const ours = accepted(cufe);
    const listed = known.get(cufe) ?? [];
    // DIAN knows the date; that it was us the journal knows.
    const told = listed.map((event) =>
      ours.some(({ code }) => code === event.code) ? { ...event, ours: true } : event,
    );
    return [...told, ...ours];
  };
  const follow = followFor(job, dateInBogota(context.now()), registered);
  return spoolJob(context, options, { ...call, shaping: inTurn(), ...(follow && { follow }) });
}

/** From what is over to what must be looked at: a patient shows the worst of all packages. */
const WORST_LAST: readonly DocumentFate[] = [
  'accepted',
  'unsent',
  'pending',
  'unknown',
  'held-back',
  'rejected',
];

/** The patients of a run, each once, in SQLite's own temporary file: any run fits in memory. */
export interface PatientTable {
  add(one: CarePackage): void;
  count(group?: RipsGroup): number;
  /** By document. */
  all(): Iterable<ReportedPatient>;
}

interface Row {
  readonly document: string;
  readonly name: string;
  readonly packages: number;
  readonly services: number;
  readonly worst: number;
}

const PAGE = 512;

const bitOf = (group: RipsGroup): number => 1 << RIPS_GROUPS.indexOf(group);

/** Begins anew: a connection has one table of patients. */
export function patientTable(journal: Journal): PatientTable {
  journal.exec(`
    DROP TABLE IF EXISTS temp.patient;
    CREATE TEMP TABLE patient (
      document TEXT PRIMARY KEY, name TEXT NOT NULL, packages INTEGER NOT NULL, services INTEGER NOT NULL,
      worst INTEGER NOT NULL, groups INTEGER NOT NULL
    ) STRICT, WITHOUT ROWID`);
  const add = journal.prepare(`
    INSERT INTO temp.patient VALUES (?, ?, 1, ?, ?, ?) ON CONFLICT (document) DO UPDATE SET
      packages = packages + 1, services = services + excluded.services, worst = max(worst, excluded.worst),
      groups = groups | excluded.groups`);
  const count = journal.prepare('SELECT count(*) AS patients FROM temp.patient WHERE groups & ? OR ? = 0');
  const page = journal.prepare(
    `SELECT document, name, packages, services, worst FROM temp.patient WHERE document > ? ORDER BY document LIMIT ${PAGE}`,
  );
  return {
    add({ document, name, services, state }) {
      const groups = services.reduce((bits, { group }) => bits | bitOf(group), 0);
      add.run(document, name, services.length, WORST_LAST.indexOf(state), groups);
    },
    count(group) {
      const bit = group === undefined ? 0 : bitOf(group);
      return count.first<{ patients: number }>(bit, bit)?.patients ?? 0;
    },
    *all() {
      for (let after = ''; ; ) {
        const rows = page.all<Row>(after);
        for (const { worst, ...patient } of rows) yield { ...patient, state: WORST_LAST[worst]! };
        if (rows.length < PAGE) return;
        after = rows.at(-1)!.document;
      }
    },
  };
}
