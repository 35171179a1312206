import type { Client } from '../client/client.js';
import type { DocumentCounts } from '../document/accounting.js';
import type { Issue } from '../issues/issue.js';
import type { Complete } from '../pipeline/check-document.js';
import type { Follow } from '../pipeline/follow.js';
import { sealEnvelope } from '../pipeline/seal.js';
import type { Journal } from '../send/journal.js';
import { type NumberingOptions, numberAdvice } from '../send/numbering.js';
import type { RunMeta } from '../send/runs.js';
import { type Spoolable, type Spooled, spoolRun } from '../send/spool.js';
import type { Annotation } from './annotation.js';
import type { Context } from './context.js';
import { hashFiles } from './file-hash.js';
import type { Job } from './job.js';
import { companyOf } from './journal-access.js';
import { createJournalRemarks } from './journal-remarks.js';
import { kindOf } from './kinds.js';
import { seriesKeys } from './number-series.js';
import type { Options } from './options.js';
import { type Findings, type Reading, readJob } from './reading.js';
import { programVersion } from './version.js';

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
