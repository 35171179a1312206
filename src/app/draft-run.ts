import { version } from 'node:process';
import type { Client } from '../client/client.js';
import {
  AS_IT_IS,
  type Delivery,
  type DocumentTransform,
  type Family,
  type Inquiry,
  type KnownResolution,
  type Planner,
  type SoftwareSetup,
  type Subject,
} from '../families/family.js';
import { capability } from '../families/registry.js';
import { type PlanInput, type SpoolResult, spoolRun } from '../send/documents.js';
import type { Journal } from '../send/journal.js';
import { type NumberingOptions, seriesInUse } from '../send/numbering.js';
import type { RunMeta } from '../send/runs.js';
import type { Issue } from '../toolkit/core/issue.js';
import { dateInBogota } from '../toolkit/core/plain-date.js';
import type { Complete, DocumentSequence } from '../toolkit/documents/phases.js';
import { titlesOf } from '../toolkit/mapping/params.js';
import { type DocumentCounts, documentWith } from '../toolkit/schema/document.js';
import { type Context, programVersion } from './context.js';
import type { Copies } from './copies.js';
import { emitIssues, emitMessage, issueEmitter } from './events.js';
import { hashFiles } from './files.js';
import { followFor, type Job, maskedIn } from './job.js';
import { lawUsed } from './law-state.js';
import { companyOf, type SendOptions } from './options.js';
import { type Findings, readJob } from './reading.js';
import { clientFor } from './service.js';
import { knownRanges, knownResolutions } from './setup.js';
import { askStates, type States, subjectsIn } from './states.js';

/** True if the document key is the column that fills the subject's field. */
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
    ...(options.note && { note: options.note }),
    ...(options.upload?.preparers && { preparers: options.upload.preparers }),
    ...(options.upload?.acts && { acts: options.upload.acts }),
  };
}

/** Returns the first number the user set by a parameter. */
export function firstNumber({ params }: Job, { numbers }: Delivery): number | undefined {
  const first = numbers && params.values[numbers.firstParam];
  return first === undefined ? undefined : Number(first);
}

function firstOf(job: Job, kind: Delivery, journal: Journal): NumberingOptions['first'] {
  const first = firstNumber(job, kind);
  if (first === undefined || !kind.numbers?.goesOn) return first;
  return async (series) => ((await seriesInUse(journal, series)) ? undefined : first);
}

const shapedBy = ({ take }: Planner): DocumentTransform => ({
  async *shape(reading) {
    for await (const documents of reading.documents) yield documents.map(take);
  },
  added: 0,
});

/** Adds the resolution to documents whose number is in a known one. */
async function* withResolutions(
  documents: AsyncIterable<readonly PlanInput[]>,
  { withResolution }: SoftwareSetup,
  known: readonly KnownResolution[],
): AsyncIterable<readonly PlanInput[]> {
  for await (const batch of documents)
    yield batch.map((document) =>
      documentWith(document, { ...document, body: withResolution(document.body, known) }),
    );
}

const UNCHANGED = shapedBy(AS_IT_IS);

export interface DraftRun extends SpoolResult {
  /** Results of reading the file and of comparing it with the journal. */
  readonly findings: Findings;
  /** Number of errors of blocked documents. */
  readonly refusals: number;
}

export interface DraftCall {
  readonly journal: Journal;
  readonly job: Job;
  readonly family: Family;
  readonly kind: Delivery;
  readonly url: URL;
  /** Client to ask for the next numbers; if undefined, only the journal decides. */
  readonly client: Client | undefined;
  readonly copies?: Copies | undefined;
  /** @default documents unchanged */
  readonly shaping?: DocumentTransform;
  /** Fills fields the file leaves blank. */
  readonly complete?: Complete;
  /** Order rules of the documents. */
  readonly follow?: DocumentSequence | undefined;
  /** First number of a series. @default from the parameters */
  readonly first?: NumberingOptions['first'];
}

/** Reads the files and plans the good documents in the journal, as a draft. */
export async function draftRun(context: Context, options: SendOptions, call: DraftCall): Promise<DraftRun> {
  const { journal, job, family, kind, url, client, copies, complete, follow, shaping = UNCHANGED } = call;
  const reading = readJob(context, job, { keep: true, copies, complete, follow });
  const remarks = issueEmitter(context, maskedIn(context, job.mapping), 'journal');
  const onIssue = (issue: Issue): void => {
    remarks.emit(issue);
    copies?.take({ kind: 'issue', issue });
  };
  const first = call.first ?? firstOf(job, kind, journal);
  const software = (await capability(family, 'setup'))?.software;
  const known = software === undefined ? [] : await knownResolutions(context, options);
  const advice = client && kind.numbers?.advice?.(client, options.testSet);
  const result = await spoolRun({
    journal,
    kind,
    meta: await metaOf(context, job, url, options),
    ...(options.testSet !== undefined && { testSet: options.testSet }),
    documents:
      software && known.length > 0
        ? withResolutions(shaping.shape(reading), software, known)
        : shaping.shape(reading),
    closing: () => {
      const { records, documents, columns, styled, owned, defaults, issues, skipped, heldBack, isPart } =
        reading.findings();
      const all = withMore(documents, shaping.added);
      return { records, documents: all, columns, styled, owned, defaults, issues, skipped, heldBack, isPart };
    },
    numbers: {
      ...(first !== undefined && { first }),
      ...(advice !== undefined && { advice }),
    },
    ranges: await knownRanges(context, options),
    keyIsWorker: keyIsSubject(job.mapping, kind),
    onIssue,
    onHeldBack: (sequence, isInOtherRun) =>
      copies?.outcome(sequence, isInOtherRun ? 'elsewhere' : 'held-back'),
    clock: () => context.now().getTime(),
  });
  remarks.end();
  const findings = reading.findings();
  return {
    ...result,
    refusals: remarks.errors,
    findings: {
      ...findings,
      records: result.records,
      documents: result.documents,
      warnings: findings.warnings + remarks.warnings,
    },
  };
}

const withMore = ({ planned, made, heldBack }: DocumentCounts, added: number): DocumentCounts => ({
  planned: planned + added,
  made: made + added,
  heldBack,
});

const NO_STATES: States['known'] = new Map();

/** Reports each subject the service returned no state for; only the journal is used for it. */
function emitUnanswered(
  context: Context,
  { unanswered: untold }: Inquiry,
  subjects: readonly Subject[],
  known: States['known'],
): void {
  emitIssues(
    context,
    subjects.filter(({ id }) => !known.has(id)).map((subject) => untold(subject)),
  );
}

/**
 * Asks the user whether a remote service may be queried before the plan: earlier events of others decide what is
 * sent.
 */
async function mayAsk(
  { ask }: Context,
  { dryRun }: SendOptions,
  { url }: DraftCall,
  count: number,
): Promise<boolean> {
  if (dryRun || ask === undefined || count === 0) return false;
  return ask.confirm({ key: 'askAsk', params: { count, service: url.host } });
}

/** Returns the service's states of the subjects in the files; empty if it may not be queried. */
async function statesOf(
  context: Context,
  options: SendOptions,
  call: DraftCall,
  inquiry: Inquiry,
): Promise<States['known']> {
  const { job, url } = call;
  const subjects = await subjectsIn(context, job, inquiry);
  const ownClient =
    call.client === undefined && (await mayAsk(context, options, call, subjects.length))
      ? await clientFor(context, options, url)
      : undefined;
  const client = call.client ?? ownClient;
  if (client === undefined) return NO_STATES;
  try {
    const { known } = await askStates(context, options, { client, url, inquiry, subjects });
    emitUnanswered(context, inquiry, subjects, known);
    return known;
  } finally {
    await ownClient?.close();
  }
}

/** Plans documents with their family's planner, after querying the service if allowed. */
export async function draftInOrder(
  context: Context,
  options: SendOptions,
  call: DraftCall,
): Promise<DraftRun> {
  const { job, family, kind, journal } = call;
  const { mapping, params } = job;
  const inquiry = await capability(family, 'inquiry');
  const known = inquiry && (await statesOf(context, options, call, inquiry));
  const now = context.now();
  const planner = kind.createPlanner({ params, options: { ...options }, now: now.getTime() });
  const draft = await draftRun(context, options, {
    ...call,
    shaping: shapedBy(planner),
    follow: followFor(context, mapping, {
      params,
      today: dateInBogota(now),
      journal,
      ...(known && { registered: known }),
    }),
  });
  for (const phrase of planner.notices?.() ?? []) emitMessage(context, phrase);
  return draft;
}
