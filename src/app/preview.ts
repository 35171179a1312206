import { createReadStream } from 'node:fs';
import { link, lstat, mkdir, open, rename } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Client } from '../client/client.js';
import type { Preview } from '../families/family.js';
import { capabilities } from '../families/registry.js';
import { codeOf, withTemporary } from '../report/put-in-place.js';
import type { Journal } from '../send/journal.js';
import { bodyOf, plannedOf } from '../send/planned-document.js';
import { refusePurged } from '../send/runs.js';
import { type Reply, readReply } from '../send/verdict.js';
import { foreignObject } from '../toolkit/core/foreign-json.js';
import { type Issue, type Place, stop, warning } from '../toolkit/core/issue.js';
import type { JsonObject } from '../toolkit/core/json.js';
import type { Context, Outcome, UseCase } from './context.js';
import { emitMessage, emitText, issueEmitter, type PreviewCounts } from './events.js';
import { familiesOf } from './job.js';
import {
  chosenRun,
  makeRequests,
  outcomeOfRequests,
  selectDocuments,
  withJournal,
} from './journal-access.js';
import type { DecisionOptions, ServiceOptions } from './options.js';
import { runName } from './outputs.js';
import { confirmed } from './secrets.js';
import { clientFor, isRemote, serviceAddress } from './service.js';

export interface PreviewOptions extends ServiceOptions, DecisionOptions {
  readonly folder?: string;
  readonly documents?: string;
  readonly only?: readonly string[];
}

const MAGIC = '%PDF-';
const MAX_PART_LENGTH = 40;

/** Returns a safe part of a file name: letters and digits only, so neither a path nor a reserved name. */
const part = (text: string): string => text.replace(/[^A-Za-z0-9]+/g, '_').slice(0, MAX_PART_LENGTH) || 'x';

/** Returns `NOM12-9000100037.pdf`: document number and the employee's ID. */
export const pdfName = (number: string, worker: string): string => `${part(number)}-${part(worker)}.pdf`;

/** Decodes a PDF in base64, plain or as a data URL; undefined if it is none. */
export function decodePdf(text: string): Buffer | undefined {
  const base64 = text.replace(/^data:application\/pdf;base64,/i, '').replace(/\s+/g, '');
  if (!/^[A-Za-z0-9+/]+={0,2}$/.test(base64)) return undefined;
  const bytes = Buffer.from(base64, 'base64');
  return bytes.subarray(0, MAGIC.length).toString('latin1') === MAGIC ? bytes : undefined;
}

const notWritable = (value: string, error: unknown): never =>
  stop('output', { code: 'preview/not-writable', value, params: { reason: codeOf(error) } }, error);

/** Creates the folder, with mode 0700 if it is new. @throws PipelineError('output', preview/not-writable) */
async function makeFolder(folder: string): Promise<void> {
  try {
    await mkdir(folder, { recursive: true, mode: 0o700 });
  } catch (error) {
    notWritable(folder, error);
  }
}

/** Returns what exists under this name: nothing, a PDF, or a file that must not be replaced. */
async function whatIsThere(file: string): Promise<'nothing' | 'pdf' | 'other'> {
  const found = await lstat(file).catch(() => undefined);
  if (found === undefined) return 'nothing';
  if (!found.isFile()) return 'other';
  const handle = await open(file, 'r').catch(() => undefined);
  if (handle === undefined) return 'other';
  try {
    const { buffer } = await handle.read(Buffer.alloc(MAGIC.length), 0, MAGIC.length, 0);
    return buffer.toString('latin1') === MAGIC ? 'pdf' : 'other';
  } finally {
    await handle.close();
  }
}

/** Errors of file systems without hard links. */
const NO_LINKS = new Set(['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EMLINK']);

/**
 * Writes a new file atomically with mode 0600; returns false if the name is taken.
 * @throws PipelineError('output', preview/not-writable)
 */
async function writeNew(folder: string, name: string, bytes: Buffer): Promise<boolean> {
  const file = join(folder, name);
  try {
    return await withTemporary(file, async (temporary) => {
      const handle = await open(temporary, 'r+');
      try {
        await handle.writeFile(bytes);
        await handle.sync();
      } finally {
        await handle.close();
      }
      // Unlike a rename, a link never replaces a file.
      await link(temporary, file).catch((error) =>
        NO_LINKS.has(codeOf(error)) ? rename(temporary, file) : Promise.reject(error),
      );
      return true;
    });
  } catch (error) {
    return codeOf(error) === 'EEXIST' ? false : notWritable(file, error);
  }
}

/** Returns the preview capabilities; the service draws payrolls only (service.md 4.10). */
const previewsOf = async (context: Context): Promise<readonly Preview[]> =>
  (await capabilities(familiesOf(context), 'paper')).flatMap(({ preview }) => preview ?? []);

type Previews = ReturnType<typeof previewsIn>;

function previewsIn(context: Context, folder: string, drawn: readonly Preview[]) {
  const counts: PreviewCounts = { documents: 0, written: 0, there: 0, failed: 0, left: 0 };
  /** Documents whose PDF is still to be downloaded, in order. */
  const open: Wanted[] = [];
  const names = new Set<string>();
  const teller = issueEmitter(context, { schemas: drawn.map(({ schema }) => schema) });

  /** Case-insensitive, as file names on Windows and macOS. */
  const isTaken = ({ file }: Wanted): boolean => names.size === names.add(file.toLowerCase()).size;
  const emit = ({ key, number, file }: Wanted, state: string): void =>
    context.tell({ event: 'preview', key, number: number || null, state, file: join(folder, file) });
  const fail = (document: Wanted, issues: readonly Issue[]): void => {
    counts.failed += 1;
    for (const issue of issues)
      teller.emit({ ...issue, place: { ...document.place, ...issue.place }, documentKey: document.key });
    emit(document, 'failed');
  };
  const error = (
    code: 'preview/name-taken' | 'preview/in-the-way' | 'preview/not-a-pdf',
    value?: string,
  ): Issue[] => [{ code, level: 'error', params: {}, place: {}, ...(value !== undefined && { value }) }];

  return {
    counts,
    open,
    /** Number of documents that need a correction. */
    get errors() {
      return teller.errors;
    },
    async take(document: Wanted): Promise<void> {
      counts.documents += 1;
      if (document.issue !== undefined) return fail(document, [document.issue]);
      if (isTaken(document)) return fail(document, error('preview/name-taken', document.file));
      const there = await whatIsThere(join(folder, document.file));
      if (there === 'other') return fail(document, error('preview/in-the-way', document.file));
      if (there === 'nothing') {
        counts.left += 1;
        open.push(document);
        return;
      }
      counts.there += 1;
      emit(document, 'there');
    },
    async settle(document: Wanted, reply: Reply<string>): Promise<void> {
      counts.left -= 1;
      if (reply.kind === 'refused') return fail(document, reply.issues);
      if (reply.kind === 'unknown') return fail(document, [reply.issue]);
      const bytes = reply.kind === 'done' ? decodePdf(reply.value) : undefined;
      if (bytes === undefined) return fail(document, error('preview/not-a-pdf'));
      if (!(await writeNew(folder, document.file, bytes)))
        return fail(document, error('preview/in-the-way', document.file));
      counts.written += 1;
      emit(document, 'written');
      await context.taken();
    },
    sumUp(run: string): void {
      teller.end();
      context.tell({ event: 'summary', run, folder, previews: counts });
      emitText(context, 'previews', { ...counts });
      emitText(context, 'previewFolder', { folder });
      if (counts.left > 0) emitText(context, 'repeatHint');
    },
  };
}

/** Document to preview, or the issue that prevents it. */
interface Wanted {
  readonly key: string;
  readonly number: string;
  readonly file: string;
  readonly place: Place;
  readonly body: JsonObject;
  /** Undefined if the service draws no such documents. */
  readonly by?: Preview | undefined;
  readonly issue?: Issue | undefined;
}

/** Yields the documents of a run, in any state. */
async function* wantedOfRun(context: Context, journal: Journal, run: string): AsyncIterable<Wanted> {
  const previews = await previewsOf(context);
  for await (const document of plannedOf(journal, run)) {
    const { key, schema, place, series, consecutive } = document;
    const numbered = series !== undefined && consecutive !== undefined;
    const body = { ...bodyOf(document), ...(numbered && { prefix: series.prefix, consecutive }) };
    const number = numbered ? document.number : '';
    const subject = previews.flatMap((preview) => preview.subject(body) ?? [])[0] ?? '';
    const by = previews.find((preview) => preview.schema === schema);
    const issue =
      by === undefined
        ? warning('preview/no-such-kind')
        : !numbered
          ? warning('preview/no-number')
          : undefined;
    yield { key, number, file: pdfName(number, subject), place, body, by, issue };
  }
}

/**
 * Yields the documents of a file as `convert` writes them, one per line.
 * @throws PipelineError('input', preview/bad-line) · PipelineError('usage', run/no-match)
 */
async function* wantedOfFile(context: Context, file: string): AsyncIterable<Wanted> {
  const previews = await previewsOf(context);
  const input = createReadStream(file, 'utf8');
  const lines = createInterface({ input, crlfDelay: Number.POSITIVE_INFINITY });
  let line = 0;
  try {
    for await (const text of lines) {
      line += 1;
      const clean = text.replace(/^\uFEFF/, '').trim();
      if (clean === '') continue;
      const { body, subject, by } =
        documentIn(previews, clean) ??
        stop('input', { code: 'preview/bad-line', params: { line }, place: { file } });
      const number = `${body['prefix'] ?? ''}${body['consecutive'] ?? ''}`;
      const issue = body['consecutive'] === undefined ? warning('preview/no-number') : undefined;
      yield { key: subject, number, file: pdfName(number, subject), place: { file, line }, body, by, issue };
    }
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT')
      stop('usage', { code: 'run/no-match', value: file });
    throw error;
  } finally {
    lines.close();
    input.destroy();
  }
}

function documentIn(
  previews: readonly Preview[],
  text: string,
): { readonly body: JsonObject; readonly subject: string; readonly by: Preview } | undefined {
  const body = foreignObject(text);
  if (body === undefined) return undefined;
  for (const by of previews) {
    const subject = by.subject(body);
    if (subject !== undefined) return { body, subject, by };
  }
  return undefined;
}

const requestPreview =
  (client: Client, abort: AbortSignal) =>
  async ({ body, by }: Wanted): Promise<Reply<string>> =>
    readReply(
      await client.call(by!.operation, { bodyText: JSON.stringify(body) }, { signal: abort }),
      by!.read,
      'preview/refused',
    );

async function fetchAll(context: Context, options: PreviewOptions, previews: Previews): Promise<Outcome> {
  const { open } = previews;
  const url = serviceAddress(context, options);
  const params = { count: String(open.length), url: url.origin };
  if (isRemote(url) && !(await confirmed(context, options, { key: 'askPreview', params }))) return 'fine';
  const client = await clientFor(context, options, url);
  try {
    const result = await makeRequests<Wanted, string>(context, options, {
      url,
      what: 'previewing',
      total: open.length,
      items: open,
      repeat: true,
      ask: (abort) => requestPreview(client, abort),
      settle: previews.settle,
    });
    return outcomeOfRequests(result, previews.counts.left, previews.errors);
  } finally {
    await client.close();
  }
}

/** Downloads the missing previews and reports the counts. */
async function previewAll(
  context: Context,
  options: PreviewOptions,
  documents: Iterable<Wanted> | AsyncIterable<Wanted>,
  name: string,
  run = name,
): Promise<Outcome> {
  const folder = options.folder ?? `vista-previa-${name}`;
  await makeFolder(folder);
  const previews = previewsIn(context, folder, await previewsOf(context));
  const chosen = selectDocuments(options.only);
  for await (const document of documents) if (chosen.has(document.number)) await previews.take(document);
  chosen.refuseUnknown();
  const code =
    previews.open.length === 0
      ? outcomeOfRequests({ interrupted: false }, 0, previews.errors)
      : await fetchAll(context, options, previews);
  previews.sumUp(run);
  return code;
}

/** `cargue preview [RUN]`: downloads a PDF of each document from the service; sends nothing to DIAN. */
export const preview: UseCase<PreviewOptions> = async (context, [id], options) => {
  if (options.documents !== undefined)
    return previewAll(context, options, wantedOfFile(context, options.documents), 'documentos');
  return withJournal(context, options, async (journal) => {
    const chosen = await chosenRun(journal, id);
    if (chosen !== undefined) refusePurged(chosen);
    if (chosen !== undefined)
      return previewAll(
        context,
        options,
        wantedOfRun(context, journal, chosen.id),
        runName(context, chosen),
        chosen.id,
      );
    emitMessage(context, 'noRuns');
    return 'usage';
  });
};
