import { createWriteStream } from 'node:fs';
import { appendFile, mkdir, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { putInPlace } from '../report/put-in-place.js';
import type { RunAct } from '../send/runs.js';
import { type Language, stop } from '../toolkit/core/issue.js';
import { isObject, type JsonObject } from '../toolkit/core/json.js';
import { UPLOAD } from '../toolkit/core/limits.js';
import type { ServiceOptions } from './options.js';

/** Max age of an unused upload in days; older ones are removed. */
const MAX_AGE_DAYS = 30;
const DAY_MS = 86_400_000;

// biome-ignore lint/suspicious/noControlCharactersInRegex: a file's name may not have them
const NOT_IN_NAMES = /[\u0000-\u001f<>:"|?*]/;

/** Returns the name under which an upload stores a file. @throws PipelineError('usage', web/bad-name) */
export function uploadName(given: string): string {
  const name = basename(given.replaceAll('\\', '/')).normalize('NFC');
  return name === '' || name.startsWith('.') || name.length > UPLOAD.maxNameLength || NOT_IN_NAMES.test(name)
    ? stop('usage', { code: 'web/bad-name', value: given.slice(0, UPLOAD.maxNameLength) })
    : name;
}

/**
 * Writes a stream to a file of mode 0600 and returns its size.
 * @throws PipelineError('usage', web/too-large)
 */
export async function receive(
  name: string,
  content: NodeJS.ReadableStream,
  file: string,
  maxBytes: number = UPLOAD.maxBytes,
): Promise<number> {
  let bytes = 0;
  const counted = new Transform({
    transform(chunk: Buffer, _, done) {
      bytes += chunk.length;
      done(bytes > maxBytes ? new Error('too large') : null, chunk);
    },
  });
  try {
    await pipeline(content, counted, createWriteStream(file, { mode: 0o600, flags: 'wx' }));
    return bytes;
  } catch (cause) {
    await rm(file, { force: true });
    if (bytes > maxBytes)
      stop('usage', { code: 'web/too-large', value: name, params: { most: maxBytes / 2 ** 20 } }, cause);
    throw cause;
  }
}

/** Findings of the inbox in the files of an upload before anybody opened it. */
export interface UploadFindings {
  readonly state: 'ready' | 'doubts' | 'errors';
  /** Questions and missing values. */
  readonly doubts: number;
  readonly errors: number;
  readonly documents: number;
  /** ISO instant. */
  readonly at: string;
}

/** State of an upload, apart from its files, parameters and edits, which are stored in files next to it. */
export interface UploadState {
  readonly profile?: string;
  readonly demo: boolean;
  readonly language: Language;
  /** Options of every task of the upload. */
  readonly fixed: ServiceOptions;
  readonly files: readonly string[];
  readonly answers: readonly (readonly [string, string])[];
  /** Number of changes of files, cells, answers, params and company. */
  readonly revision?: number;
  /** Number of times that the files or their headers changed. */
  readonly reading: number;
  /** True if the files were inspected with these answers. */
  readonly isInspected: boolean;
  /** People who changed the files or their answers, where several do. */
  readonly people?: readonly string[];
  /** Acts on requests for an approval that were withdrawn. */
  readonly acts?: readonly RunAct[];
  /** Runs that sent or prepared the files; the latest is the last. */
  readonly sent: readonly {
    readonly name: 'send' | 'adjust' | 'reception';
    readonly run: string;
    /** True if it waits for the approval of another person. */
    readonly held?: boolean;
    /** Revision that was sent. */
    readonly revision?: number;
    /** ISO instant of the start. */
    readonly at?: string;
  }[];
  /** Undefined if the upload was opened or changed, or did not come through the inbox. */
  readonly found?: UploadFindings;
}

export interface StoredUpload<Edit> {
  readonly state: UploadState;
  readonly params: JsonObject;
  readonly edits: readonly Edit[];
}

/** Reads and writes the folder of an upload (mode 0700); each write survives a kill of the program. */
export class UploadStore<Edit = never> {
  readonly paramsFile: string;
  /** Folder of the uploaded files, unchanged. */
  readonly inputs: string;
  /** Folder of the files that tasks write. */
  readonly outputs: string;
  /** Folder of files that are still being uploaded. */
  readonly partial: string;
  private readonly stateFile: string;
  /** Log of edits, one JSON entry a line; `null` undoes the previous one. */
  private readonly editsFile: string;
  /** Settles after the last write: writes run one after the other. */
  private last: Promise<unknown> = Promise.resolve();

  constructor(readonly folder: string) {
    this.paramsFile = join(folder, 'params.json');
    this.inputs = join(folder, 'in');
    this.outputs = join(folder, 'out');
    this.partial = join(folder, 'partial');
    this.stateFile = join(folder, 'upload.json');
    this.editsFile = join(folder, 'edits.jsonl');
  }

  async create(): Promise<void> {
    for (const folder of [this.inputs, this.outputs, this.partial])
      await mkdir(folder, { recursive: true, mode: 0o700 });
  }

  saveState(state: UploadState): Promise<void> {
    return this.write(this.stateFile, JSON.stringify(state));
  }

  saveParams(params: JsonObject): Promise<void> {
    return this.write(this.paramsFile, JSON.stringify(params));
  }

  /** Replaces the whole log. */
  saveEdits(log: readonly Edit[]): Promise<void> {
    return this.write(this.editsFile, log.map((entry) => `${JSON.stringify(entry)}\n`).join(''));
  }

  addEdit(entry: Edit | null): Promise<void> {
    return this.inTurn(() => appendFile(this.editsFile, `${JSON.stringify(entry)}\n`, { mode: 0o600 }));
  }

  private write(file: string, text: string): Promise<void> {
    return this.inTurn(async () => {
      await putInPlace(file, (temporary) => writeFile(temporary, text, { mode: 0o600 }));
    });
  }

  private inTurn(work: () => Promise<void>): Promise<void> {
    const done = this.last.then(work);
    this.last = done.catch(() => undefined);
    return done;
  }

  /** Returns the stored upload; undefined if it has no files, is too old, or cannot be read. */
  async read(now: number): Promise<StoredUpload<Edit> | undefined> {
    try {
      const state = JSON.parse(await readFile(this.stateFile, 'utf8')) as UploadState;
      const names = await readdir(this.inputs);
      if (names.length === 0 || now - (await this.lastChange()) > MAX_AGE_DAYS * DAY_MS) return undefined;
      await rm(this.partial, { recursive: true, force: true });
      await this.create();
      const params: unknown = JSON.parse(await readFile(this.paramsFile, 'utf8'));
      const text = await readFile(this.editsFile, 'utf8').catch(() => '');
      return {
        state: { ...state, files: inOrder(names, state.files) },
        params: isObject(params) ? params : {},
        edits: editsIn<Edit>(text),
      };
    } catch {
      return undefined;
    }
  }

  private async lastChange(): Promise<number> {
    const files = [this.stateFile, this.paramsFile, this.editsFile];
    const times = await Promise.all(
      files.map((file) =>
        stat(file).then(
          ({ mtimeMs }) => mtimeMs,
          () => 0,
        ),
      ),
    );
    return Math.max(...times);
  }

  /** Waits for pending writes. */
  async flush(): Promise<void> {
    await this.last;
  }

  async remove(): Promise<void> {
    await this.last;
    await rm(this.folder, { recursive: true, force: true });
  }
}

/** Orders existing files as known; files that arrived just before a kill come last. */
const inOrder = (names: readonly string[], known: readonly string[]): readonly string[] => [
  ...known.filter((name) => names.includes(name)),
  ...names.filter((name) => !known.includes(name)),
];

/** Parses the edits in force. A truncated line can only be the last one, which was never confirmed. */
function editsIn<Edit>(text: string): readonly Edit[] {
  const log: Edit[] = [];
  for (const line of text.split('\n')) {
    if (line === '') continue;
    try {
      const entry = JSON.parse(line) as Edit | null;
      if (entry === null) log.pop();
      else log.push(entry);
    } catch {
      break;
    }
  }
  return log;
}
