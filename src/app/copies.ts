import type { ReportedState } from '../report/run-report.js';
import { type Issue, stop } from '../toolkit/core/issue.js';
import type { Opened } from '../toolkit/documents/opened.js';
import type { PrepareEvent } from '../toolkit/documents/phases.js';
import { Annotation } from './annotation.js';
import type { Context } from './context.js';
import { say } from './events.js';
import { FailedRows, tablesOf } from './failed.js';
import { type Job, readyMappings } from './job.js';
import type { CheckOptions } from './options.js';
import { outputOf, refuseOutput } from './outputs.js';

/** What is gathered of an input while it is read and its documents are sent. */
export interface Copies {
  take(event: PrepareEvent): void;
  outcome(sequence: number, state: ReportedState, code?: string, issues?: readonly Issue[]): void;
  /** Writes each and says where it is. */
  write(): Promise<void>;
}

/** The one file that a copy is made of. */
async function fileOf(opened: Opened, option: string): Promise<string> {
  const [first, ...others] = await tablesOf(opened, option);
  if (others.length > 0)
    stop('usage', { code: 'run/annotate-one-file', params: { option, count: opened.files.length } });
  return first!;
}

/** Where the rows to mend are; a few rows may not show which ready-made mapping reads them, so it is named. */
export async function sayFailed(context: Context, file: string, mapping: string | undefined): Promise<void> {
  const isReady = mapping !== undefined && (await readyMappings()).includes(mapping);
  if (isReady) say(context, 'failedRowsBy', { file, mapping });
  else say(context, 'failedRows', { file });
}

/**
 * The copies that `--annotate` and `--failed` ask for, if they do.
 * @throws PipelineError('usage', run/annotate-one-file, run/annotate-no-table, run/output-…)
 */
export async function copiesFor(
  context: Context,
  { opened, chosen }: Pick<Job, 'opened' | 'chosen'>,
  options: CheckOptions & { readonly deleteMissing?: boolean },
): Promise<Copies | undefined> {
  const { annotate, failed } = options;
  const { language } = context;
  const { files, edits } = opened;
  refuseOutput(context, options, { purpose: 'annotated', output: annotate, files });
  refuseOutput(context, options, { purpose: 'failed', output: failed, files });
  const annotation =
    annotate === undefined ? undefined : new Annotation(await fileOf(opened, '--annotate'), language, edits);
  const rows =
    failed === undefined ? undefined : new FailedRows(opened, await tablesOf(opened, '--failed'), language);
  if (annotation === undefined && rows === undefined) return undefined;
  return {
    take(event) {
      annotation?.take(event);
      rows?.take(event);
    },
    outcome(...of) {
      annotation?.outcome(...of);
      rows?.outcome(...of);
    },
    async write() {
      if (annotation !== undefined) {
        const file = await annotation.write(annotate!, outputOf(context, options, 'annotated'));
        say(context, 'annotated', { file });
      }
      const file = await rows?.write(failed!, outputOf(context, options, 'failed'));
      if (file === undefined) return;
      await sayFailed(context, file, options.mapping ?? chosen);
      if (options.deleteMissing) say(context, 'failedRowsPart');
    },
  };
}
