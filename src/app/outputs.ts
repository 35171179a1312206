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

/** What a file is written for. One that stands there for another purpose is not replaced. */
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

/** A template is there to be filled, and a backup to be kept: none is replaced by the next one. */
const KEPT: ReadonlySet<Purpose> = new Set(['backup', 'key', 'template']);

/** How the name of a file ends, so that what opens it knows what it is. */
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

/** A file that was written here, as it was then: whoever changes it gives it another size or time. */
interface Written {
  readonly name: string;
  readonly purpose: Purpose;
  readonly size: string;
  readonly time: string;
}

const look = (file: string): BigIntStats | undefined =>
  statSync(file, { bigint: true, throwIfNoEntry: false });

/** One list for each folder that was written to. */
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
        // Blank, or cut short by a kill: then the file is taken for somebody else's.
      }
    }
  lists.set(list, found);
  return found;
}

/** Whether cargue wrote the file for this purpose, and nobody has touched it since. */
function isOurs(context: Context, purpose: Purpose, file: string): boolean {
  const known = writtenIn(listOf(context, dirname(file))).get(basename(file));
  const now = look(file);
  return known?.purpose === purpose && `${now?.size}` === known.size && `${now?.mtimeNs}` === known.time;
}

/** Where the workspace cannot be written, the next call asks for --force: that harms nobody. */
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

/** How a file of this purpose comes to its place: over one of its own kind, beside any other. */
export const outputOf = (context: Context, options: OutputOptions, purpose: Purpose): Placing => ({
  mayReplace: async (file) => options.force === true || isOurs(context, purpose, file),
  placed: async (file) => {
    if (!KEPT.has(purpose)) await remember(context, purpose, file);
  },
});

/** One file, however each name is spelt: by a link, or in another case. */
const isSame = (a: string, b: string): boolean => {
  if (resolve(a) === resolve(b)) return true;
  const [one, other] = [look(a), look(b)];
  return one !== undefined && one.ino === other?.ino && one.dev === other.dev;
};

/** Files that a call reads beside its arguments. */
type InputsBeside = Readonly<Partial<Record<'mapping' | 'params' | 'documents' | 'body' | 'ca', string>>>;

/**
 * No input is written over, forced or not: not the files, nor what the call reads beside them, nor a journal.
 * @throws PipelineError('usage', run/output-is-input)
 */
export function refuseInputAsOutput(
  context: Context,
  { mapping, params, documents, body, ca }: InputsBeside,
  output: string,
  files: readonly string[],
): void {
  const beside = [params, documents, body, ca].filter((file) => file !== undefined);
  const ofMapping = mapping !== undefined && look(mapping)?.isFile() ? filesOfMapping(mapping) : [];
  const inputs = [...files, ...beside, ...ofMapping, ...journalFiles(context)];
  if (inputs.some((input) => isSame(input, output)))
    stop('usage', { code: 'run/output-is-input', value: output });
}

/**
 * Refuses, before any work, to write over an input, under a name that says another kind of file, where there is no folder,
 * or over a file that is not ours.
 * @throws PipelineError('usage', run/output-is-input, run/output-ending, run/output-folder or run/output-exists)
 */
export function refuseOutput(
  context: Context,
  options: OutputOptions & InputsBeside,
  {
    purpose,
    output,
    files = [],
  }: { purpose: Purpose; output: string | undefined; files?: readonly string[] },
): void {
  if (output === undefined) return;
  refuseInputAsOutput(context, options, output, files);
  const endings = ENDINGS[purpose];
  if (endings?.includes(extname(output).toLowerCase()) === false)
    stop('usage', { code: 'run/output-ending', value: output, params: { ending: endings[0]! } });
  const folder = dirname(output);
  if (look(folder)?.isDirectory() !== true)
    stop('usage', { code: 'run/output-folder', value: output, params: { folder } });
  // A folder or a device is refused when the file is put in its place.
  if (options.force || look(output)?.isFile() !== true || isOurs(context, purpose, output)) return;
  stop('usage', { code: 'run/output-exists', value: output });
}

const SHORT: Readonly<Record<Environment, string>> = { test: 'pruebas', production: 'produccion' };

/**
 * `900123456-pruebas-2026-10-03-1`: a run by a name that is its own on a machine of many companies, since each journal
 * counts its runs by itself; a company without a name is known by its service.
 */
export function runName(
  context: Context,
  { id, meta, testSet }: Pick<Run, 'id' | 'testSet'> & { readonly meta: Pick<RunMeta, 'company' | 'url'> },
): string {
  const url = new URL(meta.url);
  const company = meta.company === NO_NAME ? url.host : meta.company;
  return `${company.replaceAll(/[^\p{L}\d._-]+/gu, '_')}-${SHORT[environmentOf(context, url, testSet)]}-${id}`;
}

/** `nomina-octubre-2026-reporte-900123456-pruebas-2026-10-03-1.xlsx`, in the current folder. */
export const defaultReportName = (context: Context, run: Run): string => {
  const input = run.meta.inputs[0]?.file;
  const stem = input === undefined ? 'cargue' : basename(input, extname(input));
  return `${stem}-reporte-${runName(context, run)}.xlsx`;
};
