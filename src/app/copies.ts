import type { ReportedState } from '../report/run-report.js';
import { type Issue, stop } from '../toolkit/core/issue.js';
import { unreachable } from '../toolkit/core/required.js';
import type { Opened } from '../toolkit/documents/opened.js';
import type { PrepareEvent } from '../toolkit/documents/phases.js';
import { readyNames } from '../toolkit/mapping/shipped.js';
import { Annotation } from './annotation.js';
import type { Context } from './context.js';
import { emitMessage } from './events.js';
import type { Job } from './job.js';
import type { CheckOptions } from './options.js';
import { outputOf, refuseOutput } from './outputs.js';
import { RowsToFix, tablesOf } from './rows-to-fix.js';

/** Copies of the inputs, collected while they are read and their documents are sent. */
export interface Copies {
  take(event: PrepareEvent): void;
  outcome(sequence: number, state: ReportedState, code?: string, issues?: readonly Issue[]): void;
  /** Writes each copy and emits its path. */
  write(): Promise<void>;
}

/** Returns the only table among the files. @throws PipelineError('usage', run/annotate-one-file) */
async function fileOf(opened: Opened, option: string): Promise<string> {
  const [first, ...others] = await tablesOf(opened, option);
  if (others.length > 0)
    stop('usage', { code: 'run/annotate-one-file', params: { option, count: opened.files.length } });
  return first ?? unreachable('table of a file');
}

/** Emits the path of the rows to fix. Names a ready-made mapping, since few rows may not be enough to recognise it. */
export async function emitRowsToFix(
  context: Context,
  file: string,
  mapping: string | undefined,
): Promise<void> {
  const isReady = mapping !== undefined && readyNames().includes(mapping);
  if (isReady) emitMessage(context, 'failedRowsBy', { file, mapping });
  else emitMessage(context, 'failedRows', { file });
}

/**
 * Returns the copies `--annotate` and `--failed` ask for, or undefined if neither is set.
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
    failed === undefined ? undefined : new RowsToFix(opened, await tablesOf(opened, '--failed'), language);
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
      if (annotate !== undefined && annotation !== undefined) {
        const file = await annotation.write(annotate, outputOf(context, options, 'annotated'));
        emitMessage(context, 'annotated', { file });
      }
      if (failed === undefined || rows === undefined) return;
      const file = await rows.write(failed, outputOf(context, options, 'failed'));
      if (file === undefined) return;
      await emitRowsToFix(context, file, options.mapping ?? chosen);
      if (options.deleteMissing) emitMessage(context, 'failedRowsPart');
    },
  };
}
