import { version } from 'node:process';
import type { Client } from '../client/client.js';
import {
  AS_IT_IS,
  type Delivery,
  type Family,
  type Inquiry,
  type KnownResolution,
  type Layout,
  type Shaping,
  type SoftwareSetup,
  type Thing,
} from '../families/family.js';
import { capability } from '../families/registry.js';
import { type PlanInput, type SpoolResult, spoolRun } from '../send/documents.js';
import type { Journal } from '../send/journal.js';
import { type NumberingOptions, seriesInUse } from '../send/numbering.js';
import type { RunMeta } from '../send/runs.js';
import type { Issue } from '../toolkit/core/issue.js';
import { dateInBogota } from '../toolkit/core/plain-date.js';
import type { Complete, Follow } from '../toolkit/documents/phases.js';
import { titlesOf } from '../toolkit/mapping/params.js';
import { type DocumentCounts, documentWith } from '../toolkit/schema/document.js';
import { type Context, programVersion } from './context.js';
import type { Copies } from './copies.js';
import { issueTeller, say } from './events.js';
import { hashFiles } from './files.js';
import { followFor, type Job, maskedIn } from './job.js';
import { lawUsed } from './law-state.js';
import { companyOf, type SendOptions } from './options.js';
import { type Findings, readJob } from './reading.js';
import { clientFor } from './service.js';
import { knownRanges, knownResolutions } from './setup.js';
import { askStates, type States, thingsIn } from './states.js';

/** Whether the key of a document is the column that feeds the leaf of whom it is about. */
export const keyIsSubject = ({ key, mains, fields }: Job['mapping'], { subjectLeaf }: Delivery): boolean =>
  key.length === 1 &&
  fields.some(
    ({ pointer, sources: [{ kind }] }) =>
      pointer === subjectLeaf &&
      kind.is === 'column' &&
      mains.some(({ identity }) => identity.includes(kind.column)),
  );

async function metaOf({ account }: Context, job: Job, url: URL, options: SendOptions): Promise<RunMeta> {
  const { mapping, params } = job;
  const inputs = await hashFiles(job.opened.files, job.opened.edits);
  return {
    company: companyOf(options),
    url: url.href,
    inputs: options.upload ? inputs.map(({ path: _, ...input }) => input) : inputs,
    mapping: { name: mapping.name, sha256: mapping.sha256 },
    params: params.values,
    titles: titlesOf(mapping.params),
    versions: { cargue: programVersion(), node: version },
    law: lawUsed(),
    ...(account !== undefined && { by: account }),
  };
}

/** Where the person wants the numbers to begin, by a parameter. */
export function firstNumber({ params }: Job, { numbers }: Delivery): number | undefined {
  const first = numbers && params.values[numbers.firstParam];
  return first === undefined ? undefined : Number(first);
}

function firstOf(job: Job, kind: Delivery, journal: Journal): NumberingOptions['first'] {
  const first = firstNumber(job, kind);
  if (first === undefined || !kind.numbers?.goesOn) return first;
  return async (series) => ((await seriesInUse(journal, series)) ? undefined : first);
}

const shapedBy = ({ take }: Layout): Shaping => ({
  async *shape(reading) {
    for await (const documents of reading.documents) yield documents.map(take);
  },
  added: 0,
});

/** Documents whose number falls under a resolution that the set-up knows say which one. */
async function* naming(
  documents: AsyncIterable<readonly PlanInput[]>,
  { withResolution }: SoftwareSetup,
  known: readonly KnownResolution[],
): AsyncIterable<readonly PlanInput[]> {
  for await (const batch of documents)
    yield batch.map((document) =>
      documentWith(document, { ...document, body: withResolution(document.body, known) }),
    );
}

const AS_THEY_ARE = shapedBy(AS_IT_IS);

export interface SpooledRun extends SpoolResult {
  /** Of the file, and of the file held against the journal. */
  readonly findings: Findings;
  /** Errors that are said of the blocked documents. */
  readonly refusals: number;
}

export interface SpoolCall {
  readonly journal: Journal;
  readonly job: Job;
  readonly family: Family;
  readonly kind: Delivery;
  readonly url: URL;
  /** Asked where the numbers stand; without one the journal alone decides. */
  readonly client: Client | undefined;
  readonly copies?: Copies | undefined;
  /** @default every document as it is */
  readonly shaping?: Shaping;
  /** Fills in what the file leaves blank. */
  readonly complete?: Complete;
  /** How the documents follow each other. */
  readonly follow?: Follow | undefined;
  /** Where numbers begin. @default as the parameters say */
  readonly first?: NumberingOptions['first'];
}

/** Reads the files to the end and lays what is good into the journal, as a draft. */
export async function spoolJob(context: Context, options: SendOptions, call: SpoolCall): Promise<SpooledRun> {
  const { journal, job, family, kind, url, client, copies, complete, follow, shaping = AS_THEY_ARE } = call;
  const reading = readJob(context, job, { keep: true, copies, complete, follow });
  const remarks = issueTeller(context, maskedIn(context, job.mapping), 'journal');
  const onIssue = (issue: Issue): void => {
    remarks.tell(issue);
    copies?.take({ kind: 'issue', issue });
  };
  const first = call.first ?? firstOf(job, kind, journal);
  const software = (await capability(family, 'setup'))?.software;
  const known = software === undefined ? [] : await knownResolutions(context, options);
  const advice = client && kind.numbers?.advice?.(client, options.testSet);
  const spooled = await spoolRun({
    journal,
    kind,
    meta: await metaOf(context, job, url, options),
    ...(options.testSet !== undefined && { testSet: options.testSet }),
    documents:
      software && known.length > 0 ? naming(shaping.shape(reading), software, known) : shaping.shape(reading),
    closing: () => {
      const { records, documents, columns, styled, defaults, issues, skipped, heldBack, isPart } =
        reading.findings();
      const all = withMore(documents, shaping.added);
      return { records, documents: all, columns, styled, defaults, issues, skipped, heldBack, isPart };
    },
    numbers: {
      ...(first !== undefined && { first }),
      ...(advice !== undefined && { advice }),
    },
    ranges: await knownRanges(context, options),
    keyIsWorker: keyIsSubject(job.mapping, kind),
    onIssue,
    onHeldBack: (sequence, elsewhere) => copies?.outcome(sequence, elsewhere ? 'elsewhere' : 'held-back'),
    clock: () => context.now().getTime(),
  });
  remarks.end();
  const findings = reading.findings();
  return {
    ...spooled,
    refusals: remarks.errors,
    findings: {
      ...findings,
      records: spooled.records,
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
function tellUntold(
  context: Context,
  { untold }: Inquiry,
  things: readonly Thing[],
  known: States['known'],
): void {
  const teller = issueTeller(context);
  for (const thing of things) if (!known.has(thing.id)) teller.tell(untold(thing));
  teller.end();
}

/** Beyond this machine the service is asked before the plan is shown, if a person lets us: what others did decides what is sent. */
async function mayAsk(
  { ask }: Context,
  { dryRun }: SendOptions,
  { url }: SpoolCall,
  count: number,
): Promise<boolean> {
  if (dryRun || ask === undefined || count === 0) return false;
  return ask.confirm({ key: 'askAsk', params: { count, service: url.host } });
}

/** What the service has on the things that the files are about; nothing where it may not be asked. */
async function statesOf(
  context: Context,
  options: SendOptions,
  call: SpoolCall,
  inquiry: Inquiry,
): Promise<States['known']> {
  const { job, url } = call;
  const things = await thingsIn(context, job, inquiry);
  const own =
    call.client === undefined && (await mayAsk(context, options, call, things.length))
      ? await clientFor(context, options, url)
      : undefined;
  const client = call.client ?? own;
  if (client === undefined) return NOTHING_ASKED;
  try {
    const { known } = await askStates(context, options, { client, url, inquiry, things });
    tellUntold(context, inquiry, things, known);
    return known;
  } finally {
    await own?.close();
  }
}

/** Lays documents into the journal in the way of their family, after what the service tells where it may be asked. */
export async function spoolInOrder(
  context: Context,
  options: SendOptions,
  call: SpoolCall,
): Promise<SpooledRun> {
  const { job, family, kind, journal } = call;
  const { mapping, params } = job;
  const inquiry = await capability(family, 'inquiry');
  const told = inquiry && (await statesOf(context, options, call, inquiry));
  const now = context.now();
  const layout = kind.layOut({ params, options: { ...options }, now: now.getTime() });
  const spooled = await spoolJob(context, options, {
    ...call,
    shaping: shapedBy(layout),
    follow: followFor(context, mapping, { params, today: dateInBogota(now), journal, ...(told && { told }) }),
  });
  for (const phrase of layout.notices?.() ?? []) say(context, phrase);
  return spooled;
}
