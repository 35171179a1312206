import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { type FileHandle, mkdir, open, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { finished } from 'node:stream/promises';
import type { FormPart } from '../families/family.js';
import { capability, familyOf } from '../families/registry.js';
import { putInPlace } from '../report/put-in-place.js';
import { stop } from '../toolkit/core/issue.js';
import type { JsonObject } from '../toolkit/core/json.js';
import type { Document } from '../toolkit/schema/document.js';
import type { Context } from './context.js';
import { say, tellAccounts } from './events.js';
import { onFiles } from './files.js';
import { familiesOf, type Job, loadJob } from './job.js';
import { createNumbering } from './numbering.js';
import type { CheckOptions } from './options.js';
import { outputOf, refuseOutput } from './outputs.js';
import { type Findings, readJob } from './reading.js';

export interface ConvertOptions extends CheckOptions {
  /** The form of the authority that is written. */
  readonly as?: string;
}

/** Where documents go, one by one. */
interface Sink {
  write(document: Document, numbered: JsonObject): void | Promise<void>;
  /** After each batch: waits for a slow disk. */
  settled?(): Promise<void>;
}

async function writeDocuments(context: Context, job: Job, sink: Sink): Promise<Findings> {
  const numbered = createNumbering(job.params.values);
  const reading = readJob(context, job);
  for await (const documents of reading.documents) {
    for (const document of documents) {
      const writing = sink.write(document, numbered(document));
      if (writing !== undefined) await writing;
    }
    await sink.settled?.();
  }
  return reading.findings();
}

/** Whoever listens gets them. */
const toListener = ({ tell }: Context): Sink => ({
  write: (document, numbered) => tell({ event: 'document', document, numbered }),
});

async function toFile(context: Context, job: Job, temporary: string): Promise<Findings> {
  const file = createWriteStream(temporary);
  const closed = finished(file);
  closed.catch(() => undefined); // looked at below, when all is written
  try {
    return await writeDocuments(context, job, {
      write(document, numbered) {
        file.write(`${JSON.stringify(numbered)}\n`);
        context.tell({ event: 'document', document });
      },
      async settled() {
        if (file.errored) throw file.errored;
        if (file.writableNeedDrain) await once(file, 'drain');
      },
    });
  } finally {
    file.end();
    await closed;
  }
}

async function intoPlace(
  context: Context,
  job: Job,
  options: ConvertOptions,
  output: string,
): Promise<Findings> {
  refuseOutput(context, options, { purpose: 'documents', output, files: job.opened.files });
  const result: { findings?: Findings } = {};
  const written = await putInPlace(
    output,
    async (temporary) => {
      result.findings = await toFile(context, job, temporary);
    },
    outputOf(context, options, 'documents'),
  );
  say(context, 'written', { file: written });
  return result.findings!;
}

/** A file in the form of its authority for each document. */
async function toFolder(context: Context, job: Job, options: ConvertOptions): Promise<Findings> {
  const files = await openFormFiles(context, job, options);
  let incomplete = 0;
  const findings = await writeDocuments(context, job, {
    async write(document, numbered) {
      await files.write(numbered);
      context.tell({ event: 'document', document });
    },
  }).finally(async () => {
    incomplete = await files.close();
  });
  if (incomplete > 0) say(context, 'packagesIncomplete', { count: incomplete });
  say(context, 'written', { file: options.output! });
  return findings;
}

/** `cargue convert FILE...`: the good documents, numbered, one JSON a line. */
export const convert = onFiles<ConvertOptions>(async (context, opened, options) => {
  const job: Job = { ...(await loadJob(context, opened, options)), mendsJson: true };
  const findings =
    options.as !== undefined
      ? await toFolder(context, job, options)
      : options.output === undefined
        ? await writeDocuments(context, job, toListener(context))
        : await intoPlace(context, job, options, options.output);
  tellAccounts(context, findings);
  return findings.errors === 0 ? 'fine' : 'data-errors';
});

/** Personal data in full: for its owner alone. */
const OWN_FOLDER = 0o700;
const OWN_FILE = 0o600;

/** A file that is written part by part, and comes to stand under its name once it is whole. */
interface PartFile {
  write(text: string): Promise<unknown>;
  finish(): Promise<void>;
  drop(): Promise<void>;
}

async function openPartFile(
  place: (make: (temporary: string) => Promise<void>) => Promise<string>,
): Promise<PartFile> {
  const dropped = new Error('dropped');
  let done = (): void => undefined;
  let fail = (_: Error): void => undefined;
  const whole = new Promise<void>((resolve, reject) => {
    done = resolve;
    fail = reject;
  });
  let opened = (_: FileHandle): void => undefined;
  const handle = new Promise<FileHandle>((resolve) => {
    opened = resolve;
  });
  const placed = place(async (temporary) => {
    const parts = await open(temporary, 'w', OWN_FILE);
    opened(parts);
    try {
      await whole;
    } finally {
      await parts.close();
    }
  });
  placed.catch(() => undefined); // told by whoever finishes it
  const parts = await Promise.race([handle, placed.then(() => handle)]);
  return {
    write: (text) => parts.write(text),
    async finish() {
      done();
      await placed;
    },
    async drop() {
      fail(dropped);
      await placed.catch((error: unknown) => {
        if (error !== dropped) throw error;
      });
    },
  };
}

/** Writes documents in the form of their authority, a file each. */
interface FormFiles {
  write(document: JsonObject): Promise<void>;
  /** How many files were not written, as parts of them are missing. */
  close(): Promise<number>;
}

/**
 * Files of a folder that is made when missing, named as their family says; one of an earlier call is written anew.
 * @throws PipelineError('usage', run/no-output, run/not-packages, run/output-exists); `output` when the folder cannot be written
 */
async function openFormFiles(
  context: Context,
  { opened: { files }, mapping, params }: Job,
  options: ConvertOptions,
): Promise<FormFiles> {
  const { output: folder } = options;
  if (folder === undefined) stop('usage', { code: 'run/no-output-folder' });
  const forms = mapping.targets.map(
    async ({ schema }) =>
      (await capability(familyOf(familiesOf(context), schema), 'authority'))?.form ??
      stop('usage', { code: 'run/not-packages', value: schema }),
  );
  const [form, ...others] = await Promise.all(forms);
  if (others.some((one) => one !== form)) stop('usage', { code: 'run/not-packages', value: mapping.name });
  await mkdir(folder, { recursive: true, mode: OWN_FOLDER }).catch((cause: NodeJS.ErrnoException) =>
    stop(
      'output',
      { code: 'run/folder-not-writable', value: folder, params: { reason: cause.code ?? '' } },
      cause,
    ),
  );
  const { mayReplace, placed } = outputOf(context, options, 'package');
  const written = new Set<string>();
  const refuse = (output: string): void => {
    if (!written.has(output.toLowerCase()))
      refuseOutput(context, options, { purpose: 'package', output, files });
  };
  const place = (output: string, make: (temporary: string) => Promise<void>): Promise<string> =>
    putInPlace(output, make, {
      // Two numbers that differ in signs only would have one name.
      mayReplace: async (file) => !written.has(file.toLowerCase()) && mayReplace!(file),
      async placed(file) {
        written.add(file.toLowerCase());
        await placed!(file);
      },
    });
  /** The file that is made of parts and not yet complete. */
  let current: (PartFile & { readonly output: string; next: number }) | undefined;
  let incomplete = 0;
  const drop = async (): Promise<void> => {
    if (current === undefined) return;
    const { drop: dropped } = current;
    current = undefined;
    incomplete += 1;
    await dropped();
  };
  const addPart = async (output: string, { at, of, head, text, tail }: FormPart): Promise<void> => {
    if (current?.output !== output || current.next !== at) {
      await drop();
      if (at !== 1) return; // the file misses one
      refuse(output);
      current = { ...(await openPartFile((make) => place(output, make))), output, next: 1 };
      await current.write(head);
    }
    const file = current;
    await file.write(text);
    file.next += 1;
    if (at < of) return;
    await file.write(tail);
    current = undefined;
    await file.finish();
  };
  return {
    async write(document) {
      const output = join(folder, `${form!.name(document)}.json`);
      const part = form!.part?.(document);
      if (part !== undefined) return addPart(output, part);
      refuse(output);
      const text = form!.text(document, params);
      await place(output, (temporary) => writeFile(temporary, text));
    },
    async close() {
      await drop();
      return incomplete;
    },
  };
}
