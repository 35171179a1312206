import type { Client } from '../client/client.js';
import type { Envelope } from '../document/envelope.js';
import { stop } from '../issues/pipeline-error.js';
import { sealEnvelope } from '../pipeline/seal.js';
import type { Journal } from '../send/journal.js';
import type { DocumentKind } from '../send/kind.js';
import { numberAdvice } from '../send/numbering.js';
import { PAYROLL } from '../send/payroll-kind.js';
import type { RunMeta } from '../send/runs.js';
import { type Spooled, spoolRun } from '../send/spool.js';
import type { Context } from './context.js';
import { hashFiles } from './file-hash.js';
import type { Job } from './job.js';
import { companyOf } from './journal-access.js';
import { seriesKeys } from './number-series.js';
import type { Options } from './options.js';
import { type Findings, type Reading, readJob } from './reading.js';
import { programVersion } from './version.js';

/**
 * What the sender must know of a mapping's target.
 * @throws PipelineError('usage', run/not-sendable)
 */
export function kindOf({ target }: Pick<Job['mapping'], 'target'>): DocumentKind {
  return target === 'payroll/payroll' ? PAYROLL : stop('usage', { code: 'run/not-sendable', value: target });
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
function firstNumber({ mapping, params }: Job): { readonly first?: number } {
  const [key] = seriesKeys(mapping.target);
  const first = params.values[`first_${key}`];
  return first === undefined ? {} : { first: Number(first) };
}

async function* sealed(reading: Reading): AsyncGenerator<readonly Envelope[]> {
  for await (const drafts of reading.drafts) yield drafts.map(sealEnvelope);
}

export interface SpooledRun extends Spooled {
  readonly findings: Findings;
}

export interface SpoolCall {
  readonly journal: Journal;
  readonly job: Job;
  readonly url: URL;
  /** Asked where the numbers stand; without one the journal alone decides. */
  readonly client: Client | undefined;
  /** Whether the files were read before and nothing needs saying again. */
  readonly again: boolean;
}

/** Reads the files to the end and lays what is good into the journal, as a draft. */
export async function spoolJob(context: Context, options: Options, call: SpoolCall): Promise<SpooledRun> {
  const { journal, job, url, client, again } = call;
  const reading = readJob(context, job, options, { keep: true, quiet: again });
  const spooled = await spoolRun({
    journal,
    kind: kindOf(job.mapping),
    meta: await metaOf(job, url, options),
    ...(options.testSet !== undefined && { testSet: options.testSet }),
    envelopes: sealed(reading),
    closing: () => {
      const { records, documents, defaults, issues, skipped } = reading.findings();
      return { records, documents, defaults, issues, skipped };
    },
    numbers: { ...firstNumber(job), ...(client && { advice: numberAdvice(client) }) },
    clock: () => context.now().getTime(),
  });
  return { ...spooled, findings: reading.findings() };
}
