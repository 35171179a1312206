import { createIssuePrinter } from '../cli/issue-printer.js';
import type { Client } from '../client/client.js';
import { formatPlace, type Issue, paramOf } from '../core/issue.js';
import { dateInBogota } from '../core/plain-date.js';
import type { Complete } from '../documents/check-document.js';
import type { Follow } from '../documents/prepare.js';
import type { Family, Inquiry, Layout, Thing } from '../families/family.js';
import { formatCount, say } from '../messages/texts.js';
import { hasTrait, word } from '../messages/wording.js';
import { type DocumentCounts, sealEnvelope } from '../schema/document.js';
import { ruleEntry } from '../schema/rule-data.js';
import { type Spoolable, type Spooled, spoolRun } from '../send/documents.js';
import type { Journal } from '../send/journal.js';
import { type NumberingOptions, seriesInUse } from '../send/numbering.js';
import type { RunMeta } from '../send/runs.js';
import type { Annotation } from './annotation.js';
import { type Context, programVersion } from './context.js';
import { maskedIn, sendableFamily } from './family.js';
import { hashFiles } from './files.js';
import type { Job } from './job.js';
import { maskFor, shownPerson } from './mask.js';
import type { Options } from './options.js';
import { type Findings, type Reading, readJob } from './reading.js';
import { clientFor, companyOf } from './service.js';
import { askStates, type States, thingsIn } from './states.js';

/** Whether the key of a document is the column that feeds the leaf of whom it is about. */
export const keyIsSubject = (
  { key, mains, fields }: Job['mapping'],
  { subjectLeaf }: Pick<Family, 'subjectLeaf'>,
): boolean =>
  key.length === 1 &&
  fields.some(
    ({ pointer, sources: [{ kind }] }) =>
      pointer === subjectLeaf &&
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

/** Where the person wants the numbers to begin, by a parameter. */
export function firstNumber({ params }: Job, { numbers }: Pick<Family, 'numbers'>): number | undefined {
  const first = numbers && params.values[numbers.firstParam];
  return first === undefined ? undefined : Number(first);
}

function firstOf(job: Job, family: Family, journal: Journal): NumberingOptions['first'] {
  const first = firstNumber(job, family);
  if (first === undefined || !family.numbers?.goesOn) return first;
  return (series) => (seriesInUse(journal, series) ? undefined : first);
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

const shapedBy = ({ take }: Layout): Shaping => ({
  async *shape(reading) {
    for await (const drafts of reading.drafts) yield drafts.map(take);
  },
  added: 0,
});

const AS_THEY_ARE = shapedBy({ take: sealEnvelope });

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
  const kind = sendableFamily(context, job.mapping);
  const first = call.first ?? firstOf(job, kind, journal);
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
    keyIsWorker: keyIsSubject(job.mapping, kind),
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

const NOTHING_ASKED: States['known'] = new Map();

/** Of what nobody told of, the journal alone counts, and one is told. */
function sayUntold(
  { terminal }: Context,
  options: Options,
  { untold }: Inquiry,
  things: readonly Thing[],
  known: States['known'],
): void {
  const printer = createIssuePrinter(terminal, { json: options.json === true, mask: (issue) => issue });
  for (const thing of things) if (!known.has(thing.id)) printer.print(untold(thing));
  printer.finish();
}

/** Beyond this machine the service is asked before the plan is shown, if a person lets us: what others did decides what is sent. */
async function mayAsk(
  { terminal, language, ask }: Context,
  { dryRun }: Options,
  { url }: SpoolCall,
  count: number,
): Promise<boolean> {
  if (dryRun || !terminal.interactive || count === 0) return false;
  return ask.yes(say(language, 'askAsk', { count: formatCount(count, language), service: url.host }));
}

/** What the service has on the things that the files are about; nothing where it may not be asked. */
async function statesOf(
  context: Context,
  options: Options,
  call: SpoolCall,
  inquiry: Inquiry,
): Promise<States['known']> {
  const { job, url } = call;
  const things = await thingsIn(context, job, options, inquiry);
  const own =
    call.client === undefined && (await mayAsk(context, options, call, things.length))
      ? await clientFor(context, options, url)
      : undefined;
  const client = call.client ?? own;
  if (client === undefined) return NOTHING_ASKED;
  try {
    const { known } = await askStates(context, options, { client, url, inquiry, things });
    sayUntold(context, options, inquiry, things, known);
    return known;
  } finally {
    await own?.close();
  }
}

/** Lays documents into the journal in the way of their family, after what the service tells where it may be asked. */
export async function spoolInOrder(context: Context, options: Options, call: SpoolCall): Promise<SpooledRun> {
  const { job, journal } = call;
  const { params } = job;
  const { inquiry, follow, layOut } = sendableFamily(context, job.mapping);
  const told = inquiry && (await statesOf(context, options, call, inquiry));
  const now = context.now();
  const layout = layOut?.({ params, options: { ...options }, now: now.getTime() });
  const spooled = await spoolJob(context, options, {
    ...call,
    ...(layout && { shaping: shapedBy(layout) }),
    ...(follow && { follow: follow({ params, today: dateInBogota(now), journal, ...(told && { told }) }) }),
  });
  for (const phrase of layout?.notices?.() ?? []) context.terminal.say(say(context.language, phrase));
  return spooled;
}

/** Says what is found when documents are held against the journal. */
export interface JournalRemarks {
  take(issue: Issue): void;
  finish(): void;
  readonly errors: number;
  readonly warnings: number;
}

/** How many places of a group are named. */
const NAMED = 3;

interface Group {
  readonly sample: Issue;
  readonly places: string[];
  count: number;
}

export function createJournalRemarks(
  context: Context,
  { mapping }: Pick<Job, 'mapping'>,
  options: Options,
): JournalRemarks {
  const { terminal, language } = context;
  const mask = maskFor(options, maskedIn(context, mapping));
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
      // In a big company there are many: people see a line a group.
      if (options.json || !hasTrait(issue, 'month-difference')) return printer.print(issue);
      grouped += 1;
      group(issue);
    },
    finish() {
      printer.finish();
      for (const { sample, places, count } of groups.values()) {
        const line = say(language, 'monthGroup', {
          title: word(sample, language).title,
          month: String(paramOf(sample, 'month') ?? ''),
          count: formatCount(count, language),
          where: places.join(', ') + (count > NAMED ? ' …' : ''),
        });
        terminal.say(`${terminal.paint('yellow', `! ${say(language, 'warning')}: `)}${line}`);
      }
    },
  };
}
