import { createIssuePrinter } from '../cli/issue-printer.js';
import type { Client } from '../client/client.js';
import { formatPlace, type Issue } from '../core/issue.js';
import type { JsonObject } from '../core/json.js';
import { dateInBogota } from '../core/plain-date.js';
import type { Complete } from '../documents/check-document.js';
import type { Follow } from '../documents/prepare.js';
import type { AskedInvoice } from '../families/events/answer.js';
import { acceptedEvents, eventOf } from '../families/events/family.js';
import type { Registered } from '../families/events/sequence.js';
import { type CareOptions, forDeployment } from '../families/rips/family.js';
import { formatCount, say } from '../messages/texts.js';
import { word } from '../messages/wording.js';
import { type DocumentCounts, sealEnvelope } from '../schema/document.js';
import { ruleEntry } from '../schema/rule-data.js';
import { type Spoolable, type Spooled, spoolRun } from '../send/documents.js';
import type { Journal } from '../send/journal.js';
import { type NumberingOptions, seriesInUse } from '../send/numbering.js';
import type { RunMeta } from '../send/runs.js';
import type { Annotation } from './annotation.js';
import { type Context, programVersion } from './context.js';
import { followFor, kindOf } from './family.js';
import { hashFiles } from './files.js';
import type { Job } from './job.js';
import { maskFor, shownPerson } from './mask.js';
import { seriesKeys } from './numbering.js';
import type { Options } from './options.js';
import { type Findings, type Reading, readJob } from './reading.js';
import { clientFor, companyOf } from './service.js';
import { askStates, type InvoiceStates, invoicesIn } from './states.js';

/** Whether the key of a document is the column that feeds the worker's document number. */
export const keyIsWorker = ({ key, mains, fields }: Job['mapping']): boolean =>
  key.length === 1 &&
  fields.some(
    ({ pointer, sources: [{ kind }] }) =>
      pointer === '/worker/identification_number' &&
      kind.is === 'column' &&
      mains.some(({ identity }) => identity.includes(kind.column)),
  );

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
  const kind = kindOf(job.mapping);
  const advice = client && kind.numbers?.advice?.(client, options.testSet);
  const spooled = await spoolRun({
    journal,
    kind,
    meta: await metaOf(job, url, options),
    ...(options.testSet !== undefined && { testSet: options.testSet }),
    envelopes: shaping.shape(reading),
    closing: () => {
      const { records, documents, columns, defaults, issues, skipped } = reading.findings();
      return { records, documents: withMore(documents, shaping.added), columns, defaults, issues, skipped };
    },
    numbers: {
      ...(first !== undefined && { first }),
      ...(advice !== undefined && { advice }),
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

/** Says what is found when documents are held against the journal. */
export interface JournalRemarks {
  take(issue: Issue): void;
  finish(): void;
  readonly errors: number;
  readonly warnings: number;
}

/** Comparisons with the month before, of which people see a line a group: in a big company there are many. */
const GROUPED: ReadonlySet<string> = new Set([
  'payroll/new-worker',
  'payroll/missing-worker',
  'payroll/salary-changed',
  'payroll/account-changed',
]);

/** How many places of a group are named. */
const NAMED = 3;

interface Group {
  readonly sample: Issue;
  readonly places: string[];
  count: number;
}

export function createJournalRemarks(
  { terminal, language }: Context,
  { mapping }: Pick<Job, 'mapping'>,
  options: Options,
): JournalRemarks {
  const schemas = mapping.targets.map(({ schema }) => schema);
  const mask = maskFor(options, schemas);
  const printer = createIssuePrinter(terminal, { json: options.json === true, mask, extra: ruleEntry });
  const groups = new Map<string, Group>();

  const placeOf = ({ place, documentKey = '' }: Issue): string =>
    place.row === undefined ? shownPerson(options)(documentKey) : formatPlace(place);

  function group(issue: Issue): void {
    const found = groups.get(issue.code) ?? { sample: issue, places: [], count: 0 };
    groups.set(issue.code, found);
    found.count += 1;
    if (found.count <= NAMED) found.places.push(placeOf(issue));
  }

  let grouped = 0;
  return {
    get errors() {
      return printer.errors;
    },
    get warnings() {
      return printer.warnings + grouped;
    },
    take(issue) {
      if (options.json || !GROUPED.has(issue.code)) return printer.print(issue);
      grouped += 1;
      group(issue);
    },
    finish() {
      printer.finish();
      for (const { sample, places, count } of groups.values()) {
        const line = say(language, 'monthGroup', {
          title: word(sample, language).title,
          month: String(sample.params['month'] ?? ''),
          count: formatCount(count, language),
          where: places.join(', ') + (count > NAMED ? ' …' : ''),
        });
        terminal.say(`${terminal.paint('yellow', `! ${say(language, 'warning')}: `)}${line}`);
      }
    },
  };
}
