import { createHash } from 'node:crypto';
import { type BigIntStats, existsSync, readFileSync, statSync } from 'node:fs';
import { appendFile, mkdir, stat } from 'node:fs/promises';
import { basename, dirname, extname, join, resolve } from 'node:path';
import type { Placing } from '../report/put-in-place.js';
import { NO_NAME } from '../send/journal-proof.js';
import type { Run, RunMeta } from '../send/runs.js';
import { stop } from '../toolkit/core/issue.js';
import { filesOfMapping } from '../toolkit/mapping/load.js';
import type { Context } from './context.js';
import type { Environment } from './environment.js';
import { journalFiles } from './journal-access.js';
import type { OutputOptions } from './options.js';
import { environmentOf } from './service.js';

/** Purpose of an output file. A file written for another purpose is not replaced. */
type Purpose =
  | 'annotated'
  | 'backup'
  | 'calendar'
  | 'documents'
  | 'export'
  | 'failed'
  | 'key'
  | 'law'
  | 'overtime'
  | 'package'
  | 'pdf'
  | 'reception'
  | 'report'
  | 'result'
  | 'template'
  | 'trail'
  | 'worklist';

/** Purposes whose files are never replaced: a template is filled in, a backup stored. */
const NEVER_REPLACED: ReadonlySet<Purpose> = new Set(['backup', 'key', 'template']);

const ENDINGS: Readonly<Partial<Record<Purpose, readonly string[]>>> = {
  annotated: ['.xlsx', '.xlsm'],
  calendar: ['.ics'],
  failed: ['.xlsx'],
  overtime: ['.xlsx'],
  pdf: ['.pdf'],
  report: ['.xlsx'],
  template: ['.xlsx'],
  worklist: ['.xlsx'],
};

/** File that cargue wrote, with its size and time then; a change by others shows in them. */
interface Written {
  readonly name: string;
  readonly purpose: Purpose;
  readonly size: string;
  readonly time: string;
}

const statOf = (file: string): BigIntStats | undefined =>
  statSync(file, { bigint: true, throwIfNoEntry: false });

/** Returns the path of the list of files written to a folder. */
const listOf = ({ workspace }: Context, folder: string): string =>
  join(
    workspace,
    'written',
    `${createHash('sha256').update(resolve(folder)).digest('hex').slice(0, 32)}.jsonl`,
  );

const lists = new Map<string, Map<string, Written>>();

function writtenIn(list: string): Map<string, Written> {
  const known = lists.get(list);
  if (known !== undefined) return known;
  const found = new Map<string, Written>();
  if (existsSync(list))
    for (const line of readFileSync(list, 'utf8').split('\n')) {
      try {
        const written = JSON.parse(line) as Written;
        found.set(written.name, written);
      } catch {
        // Blank, or cut short by a kill: the file then counts as foreign.
      }
    }
  lists.set(list, found);
  return found;
}

/** True if cargue wrote the file for this purpose and it is unchanged. */
function isOurs(context: Context, purpose: Purpose, file: string): boolean {
  const known = writtenIn(listOf(context, dirname(file))).get(basename(file));
  const now = statOf(file);
  return known?.purpose === purpose && `${now?.size}` === known.size && `${now?.mtimeNs}` === known.time;
}

/** Records a written file. If the workspace is read-only, the next call asks for --force. */
async function remember(context: Context, purpose: Purpose, file: string): Promise<void> {
  const { size, mtimeNs } = await stat(file, { bigint: true });
  const written: Written = { name: basename(file), purpose, size: `${size}`, time: `${mtimeNs}` };
  const list = listOf(context, dirname(file));
  writtenIn(list).set(written.name, written);
  try {
    await mkdir(dirname(list), { recursive: true, mode: 0o700 });
    await appendFile(list, `${JSON.stringify(written)}\n`, { mode: 0o600 });
  } catch {}
}

/** Returns how a file of this purpose is put in place: it may replace one cargue wrote for the same purpose. */
export const outputOf = (context: Context, options: OutputOptions, purpose: Purpose): Placing => ({
  mayReplace: async (file) => options.force === true || isOurs(context, purpose, file),
  placed: async (file) => {
    if (!NEVER_REPLACED.has(purpose)) await remember(context, purpose, file);
  },
});

/** True if both names are the same file, also by a link or in another case. */
const isSame = (a: string, b: string): boolean => {
  if (resolve(a) === resolve(b)) return true;
  const [first, second] = [statOf(a), statOf(b)];
  return first !== undefined && first.ino === second?.ino && first.dev === second.dev;
};

/** Files a call reads besides its arguments. */
type OtherInputs = Readonly<Partial<Record<'mapping' | 'params' | 'documents' | 'body' | 'ca', string>>>;

/**
 * Refuses to overwrite an input, with or without --force: files, other inputs, or a journal.
 * @throws PipelineError('usage', run/output-is-input)
 */
export function refuseInputAsOutput(
  context: Context,
  { mapping, params, documents, body, ca }: OtherInputs,
  output: string,
  files: readonly string[],
): void {
  const others = [params, documents, body, ca].filter((file) => file !== undefined);
  const ofMapping = mapping !== undefined && statOf(mapping)?.isFile() ? filesOfMapping(mapping) : [];
  const inputs = [...files, ...others, ...ofMapping, ...journalFiles(context)];
  if (inputs.some((input) => isSame(input, output)))
    stop('usage', { code: 'run/output-is-input', value: output });
}

/**
 * Refuses an output before any work: an input, a wrong ending, a missing folder, or a foreign file.
 * @throws PipelineError('usage', run/output-is-input, run/output-ending, run/output-folder or run/output-exists)
 */
export function refuseOutput(
  context: Context,
  options: OutputOptions & OtherInputs,
  {
    purpose,
    output,
    files = [],
  }: { purpose: Purpose; output: string | undefined; files?: readonly string[] },
): void {
  if (output === undefined) return;
  refuseInputAsOutput(context, options, output, files);
  const endings = ENDINGS[purpose] ?? [];
  const [ending] = endings;
  if (ending !== undefined && !endings.includes(extname(output).toLowerCase()))
    stop('usage', { code: 'run/output-ending', value: output, params: { ending } });
  const folder = dirname(output);
  if (statOf(folder)?.isDirectory() !== true)
    stop('usage', { code: 'run/output-folder', value: output, params: { folder } });
  // A folder or a device is refused when the file is put in place.
  if (options.force || statOf(output)?.isFile() !== true || isOurs(context, purpose, output)) return;
  stop('usage', { code: 'run/output-exists', value: output });
}

const SHORT: Readonly<Record<Environment, string>> = { test: 'pruebas', production: 'produccion' };

/**
 * Returns the name of a run that is unique among companies: `900123456-pruebas-2026-10-03-1`. Without a company name
 * the service's host is used.
 */
export function runName(
  context: Context,
  { id, meta, testSet }: Pick<Run, 'id' | 'testSet'> & { readonly meta: Pick<RunMeta, 'company' | 'url'> },
): string {
  const url = new URL(meta.url);
  const company = meta.company === NO_NAME ? url.host : meta.company;
  return `${company.replaceAll(/[^\p{L}\d._-]+/gu, '_')}-${SHORT[environmentOf(context, url, testSet)]}-${id}`;
}

/**
 * Returns the report name, in the current folder: `nomina-octubre-2026-reporte-900123456-pruebas-2026-10-03-1.xlsx`.
 */
export const defaultReportName = (context: Context, run: Run): string => {
  const input = run.meta.inputs[0]?.file;
  const stem = input === undefined ? 'cargue' : basename(input, extname(input));
  return `${stem}-reporte-${runName(context, run)}.xlsx`;
};
