import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { stop } from '../../issues/pipeline-error.js';
import { putInPlace } from '../../report/put-in-place.js';
import type { Context } from '../context.js';
import { journalFile } from '../journal-access.js';
import type { Options } from '../options.js';

/** The addresses of DIAN that the service sends to. */
export interface Addresses {
  readonly payroll: string;
  readonly invoicing: string;
}

export interface RecordedRange {
  /** 9 payroll, 10 adjust notes. */
  readonly type: 9 | 10;
  readonly prefix: string;
  readonly first: number;
  readonly last: number;
}

/**
 * What this machine last configured at the service, which shows none of it by itself. Nothing secret.
 * Someone else may have changed it since.
 */
export interface SetupRecord {
  readonly software?: Addresses & { readonly id: string; readonly at: string };
  readonly ranges: readonly RecordedRange[];
}

const EMPTY: SetupRecord = { ranges: [] };

/** Beside the journal of the same company and address. */
const recordFile = (context: Context, options: Options): string =>
  join(dirname(journalFile(context, options)), 'setup.json');

const isRecord = (value: unknown): value is SetupRecord => {
  const { software, ranges } = (value ?? {}) as Partial<SetupRecord>;
  const texts =
    software === undefined ? [] : [software.id, software.payroll, software.invoicing, software.at];
  return Array.isArray(ranges) && texts.every((text) => typeof text === 'string');
};

/** Empty where there is none, or none that can be read: then nothing is known, and that is said. */
export async function readRecord(context: Context, options: Options): Promise<SetupRecord> {
  try {
    const value: unknown = JSON.parse(await readFile(recordFile(context, options), 'utf8'));
    return isRecord(value) ? value : EMPTY;
  } catch {
    return EMPTY;
  }
}

/** @throws PipelineError('output', report/not-writable) */
export async function writeRecord(context: Context, options: Options, record: SetupRecord): Promise<void> {
  const file = recordFile(context, options);
  await mkdir(dirname(file), { recursive: true, mode: 0o700 }).catch((error) =>
    stop('output', { code: 'report/not-writable', params: { file, reason: error.code } }, error),
  );
  await putInPlace(file, (temporary) => writeFile(temporary, `${JSON.stringify(record, undefined, 2)}\n`));
}

/** The record with a range, which takes the place of that of its type and prefix, or of all of its type. */
export function withRange(record: SetupRecord, range: RecordedRange, alone: boolean): SetupRecord {
  const stay = record.ranges.filter(
    ({ type, prefix }) => type !== range.type || (!alone && prefix !== range.prefix),
  );
  return { ...record, ranges: [...stay, range] };
}
