import { appendFile, mkdir, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { AnyOptions } from '../../app/any-options.js';
import { putInPlace } from '../../report/put-in-place.js';
import type { Language } from '../../toolkit/core/issue.js';
import { isObject, type JsonObject } from '../../toolkit/core/json.js';
import type { ActName, LoggedEdit } from '../api.js';

/** An upload that nobody touched for so long is removed, in days. */
const MAX_AGE_DAYS = 30;
const DAY_MS = 86_400_000;

/** What an upload is, apart from its files, parameters and edits, which lie beside it. */
export interface UploadState {
  readonly profile?: string;
  readonly demo: boolean;
  readonly language: Language;
  /** Options that every act of it has. */
  readonly fixed: AnyOptions;
  /** Names of the files, in their order. */
  readonly files: readonly string[];
  readonly answers: readonly (readonly [string, string])[];
  /** Counts the changes of files, cells, answers, params and company. */
  readonly revision?: number;
  /** How often the files were others, or their headers. */
  readonly reading: number;
  /** True if the files were inspected with these answers. */
  readonly isInspected: boolean;
  /** The runs that the files were sent in, or prepared for; the latest last. */
  readonly sent: readonly {
    readonly name: ActName;
    readonly run: string;
    /** Revision that was sent. */
    readonly revision?: number;
    /** When, as an ISO instant. */
    readonly at?: string;
  }[];
}

/** An upload as a server left it. */
export interface KeptUpload {
  readonly state: UploadState;
  readonly params: JsonObject;
  readonly edits: readonly LoggedEdit[];
}

/** The folder of an upload, for its owner alone; what is written survives a kill of the program. */
export class UploadStore {
  /** One change after another. */
  private last: Promise<unknown> = Promise.resolve();

  constructor(readonly folder: string) {}

  private get stateFile(): string {
    return join(this.folder, 'upload.json');
  }

  get paramsFile(): string {
    return join(this.folder, 'params.json');
  }

  /** One change a line; `null` takes the one before back. */
  private get editsFile(): string {
    return join(this.folder, 'edits.jsonl');
  }

  /** Files as they came. */
  get inputs(): string {
    return join(this.folder, 'in');
  }

  /** Files that acts write, to be taken away. */
  get outputs(): string {
    return join(this.folder, 'out');
  }

  /** Files that are not here to their end. */
  get partial(): string {
    return join(this.folder, 'partial');
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

  /** Replaces all edits. */
  saveEdits(log: readonly LoggedEdit[]): Promise<void> {
    return this.write(this.editsFile, log.map((entry) => `${JSON.stringify(entry)}\n`).join(''));
  }

  addEdit(entry: LoggedEdit | null): Promise<void> {
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

  /** Returns what a server left here; undefined if there is no file, it is too old, or it cannot be read. */
  async read(now: number): Promise<KeptUpload | undefined> {
    try {
      const state = JSON.parse(await readFile(this.stateFile, 'utf8')) as UploadState;
      const names = await readdir(this.inputs);
      if (names.length === 0 || now - (await this.touched()) > MAX_AGE_DAYS * DAY_MS) return undefined;
      await rm(this.partial, { recursive: true, force: true });
      await this.create();
      const params: unknown = JSON.parse(await readFile(this.paramsFile, 'utf8'));
      const text = await readFile(this.editsFile, 'utf8').catch(() => '');
      return {
        state: { ...state, files: inOrder(names, state.files) },
        params: isObject(params) ? params : {},
        edits: editsIn(text),
      };
    } catch {
      return undefined;
    }
  }

  private async touched(): Promise<number> {
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

  /** Waits until all is written. */
  async settle(): Promise<void> {
    await this.last;
  }

  async remove(): Promise<void> {
    await this.last;
    await rm(this.folder, { recursive: true, force: true });
  }
}

/** Files that are there; those that came in the moment of the kill stand last. */
const inOrder = (names: readonly string[], known: readonly string[]): readonly string[] => [
  ...known.filter((name) => names.includes(name)),
  ...names.filter((name) => !known.includes(name)),
];

/** Returns the edits in force; a line that a kill cut short is the last and was not answered yet. */
function editsIn(text: string): readonly LoggedEdit[] {
  const log: LoggedEdit[] = [];
  for (const line of text.split('\n')) {
    if (line === '') continue;
    try {
      const entry = JSON.parse(line) as LoggedEdit | null;
      if (entry === null) log.pop();
      else log.push(entry);
    } catch {
      break;
    }
  }
  return log;
}
