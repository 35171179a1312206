import { type FileHandle, mkdir, open, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { FormPart } from '../families/family.js';
import { capability, familyOf } from '../families/registry.js';
import { putInPlace } from '../report/put-in-place.js';
import { stop } from '../toolkit/core/issue.js';
import type { JsonObject } from '../toolkit/core/json.js';
import { unreachable } from '../toolkit/core/required.js';
import type { Document } from '../toolkit/schema/document.js';
import type { Context } from './context.js';
import { emitAccounts, emitMessage } from './events.js';
import { onFiles, writeLines } from './files.js';
import { familiesOf, type Job, loadJob } from './job.js';
import { createNumbering } from './numbering.js';
import type { CheckOptions } from './options.js';
import { outputOf, refuseOutput } from './outputs.js';
import { type Findings, readJob } from './reading.js';

export interface ConvertOptions extends CheckOptions {
  /** Form of the authority to write. */
  readonly as?: string;
}

async function writeDocuments(
  context: Context,
  job: Job,
  write: (document: Document, numbered: JsonObject) => void | Promise<void>,
): Promise<Findings> {
  const numbered = createNumbering(job.params.values);
  const reading = readJob(context, job);
  for await (const documents of reading.documents) {
    for (const document of documents) {
      const writing = write(document, numbered(document));
      if (writing !== undefined) await writing;
    }
  }
  return reading.findings();
}

async function intoPlace(
  context: Context,
  job: Job,
  options: ConvertOptions,
  output: string,
): Promise<Findings> {
  refuseOutput(context, options, { purpose: 'documents', output, files: job.opened.files });
  let findings: Findings | undefined;
  const written = await putInPlace(
    output,
    async (temporary) => {
      findings = await writeLines(temporary, (write) =>
        writeDocuments(context, job, (document, numbered) => {
          const writing = write(JSON.stringify(numbered));
          context.tell({ event: 'document', document });
          return writing;
        }),
      );
    },
    outputOf(context, options, 'documents'),
  );
  emitMessage(context, 'written', { file: written });
  return findings ?? unreachable('findings of a written file');
}

/** Writes one file per document, in the form of its authority. */
async function toFolder(context: Context, job: Job, options: ConvertOptions): Promise<Findings> {
  const files = await openFormFiles(context, job, options);
  let incomplete = 0;
  const findings = await writeDocuments(context, job, async (document, numbered) => {
    await files.write(numbered);
    context.tell({ event: 'document', document });
  }).finally(async () => {
    incomplete = await files.close();
  });
  if (incomplete > 0) emitMessage(context, 'packagesIncomplete', { count: incomplete });
  emitMessage(context, 'written', { file: options.output! });
  return findings;
}

/** `cargue convert FILE...`: emits or writes the good documents, numbered, one JSON per line. */
export const convert = onFiles<ConvertOptions>(async (context, opened, options) => {
  const job: Job = { ...(await loadJob(context, opened, options)), mendsJson: true };
  const findings =
    options.as !== undefined
      ? await toFolder(context, job, options)
      : options.output === undefined
        ? await writeDocuments(context, job, (document, numbered) =>
            context.tell({ event: 'document', document, numbered }),
          )
        : await intoPlace(context, job, options, options.output);
  emitAccounts(context, findings);
  return findings.errors === 0 ? 'fine' : 'data-errors';
});

/** Folder mode; the files hold personal data in full. */
const FOLDER_MODE = 0o700;
const FILE_MODE = 0o600;

/** File written in parts, and moved to its name when it is complete. */
type PartFile = Awaited<ReturnType<typeof openPartFile>>;

async function openPartFile(place: (make: (temporary: string) => Promise<void>) => Promise<string>) {
  const dropped = new Error('dropped');
  let done = (): void => undefined;
  let fail = (_: Error): void => undefined;
  const completed = new Promise<void>((resolve, reject) => {
    done = resolve;
    fail = reject;
  });
  let opened = (_: FileHandle): void => undefined;
  const handle = new Promise<FileHandle>((resolve) => {
    opened = resolve;
  });
  const placed = place(async (temporary) => {
    const parts = await open(temporary, 'w', FILE_MODE);
    opened(parts);
    try {
      await completed;
    } finally {
      await parts.close();
    }
  });
  placed.catch(() => undefined); // rethrown by `finish` or `drop`
  const parts = await Promise.race([handle, placed.then(() => handle)]);
  return {
    write: (text: string) => parts.write(text),
    async finish(): Promise<void> {
      done();
      await placed;
    },
    async drop(): Promise<void> {
      fail(dropped);
      await placed.catch((error: unknown) => {
        if (error !== dropped) throw error;
      });
    },
  };
}

/**
 * Creates the folder if needed, and a writer of documents in the form of their authority, one file each, whose name the
 * family gives; files of an earlier call are replaced.
 * @throws PipelineError('usage', run/no-output, run/not-packages, run/output-exists); `output` if the folder cannot
 * be written
 */
async function openFormFiles(
  context: Context,
  { opened: { files }, mapping, params }: Job,
  options: ConvertOptions,
) {
  const { output: folder } = options;
  if (folder === undefined) stop('usage', { code: 'run/no-output-folder' });
  const forms = mapping.targets.map(
    async ({ schema }) =>
      (await capability(familyOf(familiesOf(context), schema), 'authority'))?.form ??
      stop('usage', { code: 'run/not-packages', value: schema }),
  );
  const [form, ...others] = await Promise.all(forms);
  if (form === undefined || others.some((other) => other !== form))
    stop('usage', { code: 'run/not-packages', value: mapping.name });
  await mkdir(folder, { recursive: true, mode: FOLDER_MODE }).catch((cause: NodeJS.ErrnoException) =>
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
      // Numbers that differ only in signs would share a name.
      mayReplace: async (file) => !written.has(file.toLowerCase()) && (await mayReplace?.(file)) === true,
      async placed(file) {
        written.add(file.toLowerCase());
        await placed?.(file);
      },
    });
  /** File written in parts that is not complete yet. */
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
    async write(document: JsonObject): Promise<void> {
      const output = join(folder, `${form.name(document)}.json`);
      const part = form.part?.(document);
      if (part !== undefined) return addPart(output, part);
      refuse(output);
      const text = form.text(document, params);
      await place(output, (temporary) => writeFile(temporary, text));
    },
    /** Returns how many files were not written because parts are missing. */
    async close() {
      await drop();
      return incomplete;
    },
  };
}
