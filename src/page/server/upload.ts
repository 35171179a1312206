import { randomUUID } from 'node:crypto';
import { createWriteStream, existsSync, rmSync } from 'node:fs';
import { readdir, rename, rm, stat } from 'node:fs/promises';
import { basename, join, parse } from 'node:path';
import { Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { isDeepStrictEqual } from 'node:util';
import type { AnyOptions } from '../../app/any-options.js';
import type { Context, Outcome, UseCase } from '../../app/context.js';
import { withTables } from '../../app/context.js';
import { byWorkers } from '../../app/hand-over.js';
import { monthsLater, type Said } from '../../app/last-params.js';
import { withProfile } from '../../app/profile.js';
import { statusOfSent } from '../../app/status.js';
import { stop } from '../../toolkit/core/issue.js';
import type { JsonObject } from '../../toolkit/core/json.js';
import { UPLOAD } from '../../toolkit/core/limits.js';
import { dateInBogota } from '../../toolkit/core/plain-date.js';
import type {
  ActName,
  Change,
  EditedRow,
  EditsView,
  FilePreviews,
  TableName,
  TableRows,
  UploadedFile,
  UploadView,
} from '../api.js';
import { Act, endAll, Failed, type Secrets } from './act.js';
import { READING } from './act-events.js';
import { Edits } from './edits.js';
import { Reader, ReaderClosed } from './reader.js';
import type { RowsWanted } from './tables.js';
import { type CheckedTable, type ReaderCall, readerContext } from './upload-reader.js';
import { type KeptUpload, type UploadState, UploadStore } from './upload-store.js';

// biome-ignore lint/suspicious/noControlCharactersInRegex: a file's name may not have them
const NOT_IN_NAMES = /[\u0000-\u001f<>:"|?*]/;
const REPORT = 'reporte.xlsx';
const TO_MEND = 'por-corregir.xlsx';
const WORKLIST = 'facturas-pendientes.xlsx';
const READ = 'recepcion.jsonl';
/** A folder: what the ministry answered, document by document. */
const RESULTS = 'resultados';
/** Acts about runs that are over, of which the page may still ask. */
export const MOST_ENDED = 100;
/** Changes of one act whose rows are checked at once; of more the check of the whole tells. */
const MOST_AT_ONCE = 20;

/**
 * Takes what comes into a file of its owner alone.
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

const isOfHeader = (id: string): boolean => id.startsWith('header.');

/** What an upload is sent with, apart from what its own files need. */
export type Surroundings = Omit<Context, 'tell' | 'taken' | 'ask' | 'onInterrupt'>;

const USE_CASES: Readonly<Record<ActName, () => Promise<UseCase<AnyOptions>>>> = {
  inspect: async () => (await import('../../app/inspect.js')).inspect,
  check: async () => (await import('../../app/check.js')).check,
  send: async () => (await import('../../app/send.js')).send,
  adjust: async () => (await import('../../app/adjust.js')).adjust,
  events: async () => (await import('../../app/invoice-events.js')).events,
  reception: async () => (await import('../../app/reception.js')).reception,
  resume: async () => (await import('../../app/resume.js')).resume,
  approve: async () => (await import('../../app/approve.js')).approve,
  status: async () => (await import('../../app/status.js')).status,
  report: async () => (await import('../../app/report.js')).report,
  preview: async () => (await import('../../app/preview.js')).preview,
  email: async () => (await import('../../app/email.js')).email,
  setup: async () => (await import('../../app/setup.js')).setupShow,
  profileAdd: async () => (await import('../../app/profile.js')).profileAdd,
  profileChange: async () => (await import('../../app/profile.js')).profileChange,
  setupSoftware: async () => (await import('../../app/setup.js')).setupSoftware,
  setupResolution: async () => (await import('../../app/setup.js')).setupResolution,
  catalogueImport: async () => (await import('../../app/catalogue.js')).catalogueImport,
  lawImport: async () => (await import('../../app/law.js')).lawImport,
  lawRemove: async () => (await import('../../app/law.js')).lawRemove,
};

/** What no profile has a word in. */
const OF_THIS_MACHINE: ReadonlySet<ActName> = new Set([
  'profileAdd',
  'profileChange',
  'catalogueImport',
  'lawImport',
  'lawRemove',
]);

/** Acts that send the files of an upload. */
const SENDING: ReadonlySet<ActName> = new Set(['send', 'adjust']);

/** What workers do where they are. */
const BY_WORKERS: ReadonlySet<ActName> = new Set(['send', 'resume']);

/** The use case as the command line runs it: with the profile's word, and the tables of this machine. */
export function startAct(
  name: ActName,
  surroundings: Surroundings,
  args: readonly string[],
  options: AnyOptions,
  {
    made,
    secrets,
    revision,
    sentAt,
  }: {
    readonly made?: UseCase<AnyOptions> | undefined;
    readonly secrets?: Secrets;
    readonly revision?: number;
    readonly sentAt?: string;
  } = {},
): Act {
  const useCase: UseCase<AnyOptions> = async (context, files, given) => {
    const work = made ?? (await USE_CASES[name]());
    const call = { context, options: given };
    const whole = OF_THIS_MACHINE.has(name) ? call : await withProfile(call);
    const options = BY_WORKERS.has(name) ? await byWorkers(whole.context, whole.options) : whole.options;
    return withTables(whole.context, () => work(whole.context, files, options));
  };
  return new Act(name, useCase, surroundings, args, options, secrets, revision, sentAt);
}

/** What an upload is begun with. */
interface Beginning {
  readonly profile?: string | undefined;
  /** Options that every act of it has. */
  readonly fixed?: AnyOptions;
  readonly demo?: boolean;
  /** What was given for the company's files before. */
  readonly before?: Said;
}

/** Files of one visitor on their way to documents, in a private folder that outlives the program. */
export class Upload {
  readonly id: string;
  readonly answers = new Map<string, string>();
  params: JsonObject = {};
  private readonly files = new Map<string, UploadedFile>();
  /** The latest of each kind. */
  private readonly acts = new Map<ActName, Act>();
  /** About what became of the files. */
  private readonly ofRuns: Act[] = [];
  /** Reads the files, away from the thread that answers requests. */
  private readonly reader = new Reader();
  private readonly edits = new Edits();
  private revision = 0;
  /** How often the files were others, or their headers. */
  private reading = 0;
  /** True if the files were inspected with these answers. */
  private isInspected = false;
  /** The runs that the files were sent in, or prepared for; the latest last. */
  private sent: UploadState['sent'] = [];
  private isClosed = false;
  /** The tables that the latest check read; the reader knows it by the id of its act. */
  private checked: { readonly act: string; readonly tables: readonly CheckedTable[] } | undefined;

  private constructor(
    readonly visitor: string,
    private readonly store: UploadStore,
    readonly surroundings: Surroundings,
    private beginning: Beginning,
  ) {
    this.id = basename(store.folder);
  }

  static async open(
    visitor: string,
    folder: string,
    surroundings: Surroundings,
    beginning: Beginning,
  ): Promise<Upload> {
    const upload = new Upload(visitor, new UploadStore(folder), surroundings, beginning);
    await upload.store.create();
    await upload.store.saveParams({});
    await upload.save();
    return upload;
  }

  /** Takes an upload up where an earlier server left it. */
  static async restore(
    visitor: string,
    store: UploadStore,
    { state, params, edits }: KeptUpload,
    surroundings: Surroundings,
    beginning: Beginning,
  ): Promise<Upload> {
    const upload = new Upload(visitor, store, surroundings, beginning);
    for (const name of state.files) {
      const { size: bytes } = await stat(upload.pathOf(name));
      upload.files.set(name, { name, bytes });
    }
    for (const [id, value] of state.answers) upload.answers.set(id, value);
    upload.params = params;
    upload.edits.restore(edits);
    upload.revision = state.revision ?? 0;
    upload.reading = state.reading;
    upload.isInspected = state.isInspected;
    upload.sent = state.sent;
    await upload.store.saveEdits(edits);
    if (!upload.isInspected) await upload.start('inspect', {});
    if (!upload.demo) upload.recallSent();
    return upload;
  }

  get profile(): string | undefined {
    return this.beginning.profile;
  }

  get demo(): boolean {
    return this.beginning.demo === true;
  }

  get folder(): string {
    return this.store.folder;
  }

  /** True if a later server has something to take up. */
  get isWorthKeeping(): boolean {
    return !this.demo && this.files.size > 0;
  }

  private save(): Promise<void> {
    const { profile, fixed = {} } = this.beginning;
    return this.store.saveState({
      ...(profile !== undefined && { profile }),
      demo: this.demo,
      language: this.surroundings.language,
      fixed,
      files: [...this.files.keys()],
      answers: [...this.answers],
      revision: this.revision,
      reading: this.reading,
      isInspected: this.isInspected,
      sent: this.sent,
    });
  }

  /** Shows what became of the latest run as if it had just been sent; one that was only prepared is passed over. */
  private recallSent(before = this.sent): void {
    const latest = before.at(-1);
    if (latest === undefined) return;
    const { name, run, revision = this.revision, at: sentAt = new Date().toISOString() } = latest;
    const profile = this.profile === undefined ? {} : { profile: this.profile };
    const options = { ...this.beginning.fixed, ...profile };
    const act = startAct(name, this.surroundings, [run], options, {
      made: statusOfSent,
      revision,
      sentAt,
    });
    this.acts.set(name, act);
    void act.done.then(() => {
      if (act.view().failure.length === 0 || this.acts.get(name) !== act) return;
      this.acts.delete(name);
      this.recallSent(before.slice(0, -1));
    });
  }

  view(): UploadView {
    return {
      id: this.id,
      revision: this.revision,
      hasService: (this.profile ?? this.surroundings.url ?? this.beginning.fixed?.url) !== undefined,
      hasFixedCompany: this.demo || this.hasSent(),
      demo: this.demo,
      profile: this.profile ?? null,
      files: [...this.files.values()],
      answers: Object.fromEntries(this.answers),
      params: this.params,
      before: this.beginning.before?.params ?? {},
      monthsLater: monthsLater(this.beginning.before ?? {}, dateInBogota(new Date())),
      acts: [...this.acts.values()].map((act) => act.view()),
    };
  }

  paths(): readonly string[] {
    return [...this.files.keys()].map((name) => this.pathOf(name));
  }

  pathOf(name: string): string {
    return join(this.store.inputs, name);
  }

  /** Outdates all that was made of the files as they were: a check stops, a plan that waits for a yes is withdrawn. */
  private async touch(): Promise<void> {
    this.revision += 1;
    for (const act of this.acts.values()) if (act.name !== 'inspect') act.withdraw();
    await this.save();
  }

  private isOutdated(act: Act): boolean {
    return act.revision !== this.revision;
  }

  private hasSent(): boolean {
    return [...this.acts.values()].some((act) => act.view().hasBegunToSend);
  }

  /**
   * Takes the files for another company: what it remembers of such files is proposed, the answers given here stay.
   * @throws PipelineError('usage', web/company-fixed) once documents were sent
   */
  async changeCompany(profile: string | undefined, before: Said): Promise<void> {
    if (profile === this.profile) return;
    if (this.demo || this.hasSent()) stop('usage', { code: 'web/company-fixed' });
    this.beginning = { ...this.beginning, profile, before };
    this.forgetReading();
    this.acts.get('inspect')?.stop();
    this.acts.delete('inspect');
    await this.touch();
  }

  /** What a person says of the columns. Under another header they are others: what was said of them is gone. */
  async answer(given: Readonly<Record<string, string>>): Promise<void> {
    if (Object.keys(given).some(isOfHeader)) {
      for (const id of this.answers.keys()) if (!isOfHeader(id)) this.answers.delete(id);
      this.reading += 1;
    }
    for (const [id, value] of Object.entries(given)) {
      const isOfReading = id.startsWith(READING);
      if (value === '' && (isOfReading || isOfHeader(id))) this.answers.delete(id);
      else this.answers.set(id, value);
      if (!isOfReading) this.isInspected = false;
    }
    this.checked = undefined; // it was of other columns, or read otherwise
    await this.touch();
  }

  /** What the files do not say: the month, dates, professionals. */
  async setParams(params: JsonObject): Promise<void> {
    if (isDeepStrictEqual(params, this.params)) return;
    this.params = params;
    await this.touch();
    await this.store.saveParams(params);
  }

  /** Of these files under these headers; what still reads others writes elsewhere. */
  private get mapping(): string {
    return join(this.folder, `mapping-${this.reading}.yaml`);
  }

  private outputOf(name: string): string {
    return join(this.store.outputs, name);
  }

  /** @throws PipelineError('usage', web/not-there) for what is not among the outputs */
  async output(name: string): Promise<string> {
    const names = await this.outputs();
    return names.includes(name) ? this.outputOf(name) : stop('usage', { code: 'web/not-there', value: name });
  }

  /** What can be taken away: the names of the files in `out`. */
  async outputs(): Promise<readonly string[]> {
    const entries = await readdir(this.store.outputs, { withFileTypes: true });
    const results = await readdir(this.outputOf(RESULTS)).catch(() => []);
    return [
      ...entries.filter((entry) => entry.isFile()).map(({ name }) => name),
      ...results.map((name) => `${RESULTS}/${name}`),
    ];
  }

  /**
   * Takes a file as it comes. One of the same name is replaced.
   * @throws PipelineError('usage', web/bad-name or web/too-large or web/too-many)
   */
  async add(given: string, content: NodeJS.ReadableStream): Promise<void> {
    const name = basename(given.replaceAll('\\', '/')).normalize('NFC');
    if (name === '' || name.startsWith('.') || name.length > UPLOAD.maxNameLength || NOT_IN_NAMES.test(name))
      stop('usage', { code: 'web/bad-name', value: given.slice(0, UPLOAD.maxNameLength) });
    if (this.files.size >= UPLOAD.maxFiles && !this.files.has(name))
      stop('usage', { code: 'web/too-many', value: name, params: { most: UPLOAD.maxFiles } });
    this.refuseWhileSending();
    const partial = join(this.store.partial, randomUUID());
    const bytes = await receive(name, content, partial);
    // Before the file: answers and edits of another one would be worse than none.
    await this.forget(name);
    await rename(partial, this.pathOf(name));
    this.files.set(name, { name, bytes });
    await this.save();
  }

  async remove(name: string): Promise<void> {
    this.refuseWhileSending();
    if (!this.files.delete(name)) return;
    await this.forget(name);
    await rm(this.pathOf(name), { force: true });
  }

  /** The files of what is under way are not changed below it. */
  private refuseWhileSending(): void {
    const busy = [...this.acts.values()].find(
      (act) => act.name !== 'inspect' && act.view().state === 'running',
    );
    if (busy !== undefined) stop('usage', { code: 'web/still-running', value: busy.name });
  }

  /** Other files have other columns. */
  private async forget(name: string): Promise<void> {
    this.answers.clear();
    this.forgetReading();
    this.sent = [];
    const touched = this.touch();
    this.acts.clear();
    this.edits.forget(name);
    if (this.reader.isStarted) await this.reader.call('forget', []);
    await this.store.saveEdits(this.edits.log);
    await touched;
  }

  private forgetReading(): void {
    this.checked = undefined;
    this.reading += 1;
    this.isInspected = false;
  }

  private all(): readonly Act[] {
    return [...this.acts.values(), ...this.ofRuns];
  }

  actOf(id: string): Act | undefined {
    return this.all().find((act) => act.id === id);
  }

  latest(name: ActName): Act | undefined {
    return this.acts.get(name);
  }

  /**
   * Begins a use case with the files, as they are answered. An outdated one of its kind is waited for.
   * @throws PipelineError('usage', web/still-running) while one of its kind works on the same revision, or sends
   */
  async start(name: ActName, given: AnyOptions): Promise<Act> {
    for (;;) {
      const before = this.acts.get(name);
      if (before?.view().state !== 'running') break;
      if (!this.isOutdated(before) || before.view().hasBegunToSend)
        stop('usage', { code: 'web/still-running', value: name });
      await before.done;
    }
    const options = this.optionsOf(name, given);
    // Written only where there is something to mend.
    if (options.failed !== undefined) rmSync(options.failed, { force: true });
    const { reading } = this;
    const made = ((): UseCase<AnyOptions> => {
      if (name === 'inspect')
        return this.byReader((call) =>
          this.reader.call('inspect', [call, reading], (changes) => act.take(changes)),
        );
      if (name !== 'check') return this.onceInspected(async (...call) => (await USE_CASES[name]())(...call));
      const checking = this.byReader(async (call) => {
        const { outcome, tables } = await this.reader.call('check', [act.id, call], (changes) =>
          act.take(changes),
        );
        if (tables !== undefined && this.acts.get(name) === act) this.checked = { act: act.id, tables };
        return outcome;
      });
      return this.onceInspected(checking);
    })();
    const { revision } = this;
    const act = startAct(name, this.surroundings, this.paths(), options, { made, revision });
    this.acts.delete(name); // the latest is the last
    this.acts.set(name, act);
    if (name === 'inspect')
      void act.done.then(() => {
        const { failure, outcome } = act.view();
        if (this.acts.get(name) !== act || failure.length > 0 || outcome === 'interrupted') return;
        this.isInspected = true;
        this.saveLater();
      });
    if (SENDING.has(name)) this.keepRunOf(act);
    return act;
  }

  /** Waits for an inspection under way: the mapping that it writes is the one to work with. */
  private onceInspected(work: UseCase<AnyOptions>): UseCase<AnyOptions> {
    return async (context, files, options) => {
      await this.acts.get('inspect')?.done;
      if (this.reader.isClosed) return 'interrupted';
      return work(context, files, {
        ...options,
        ...(existsSync(this.mapping) && { mapping: this.mapping }),
      });
    };
  }

  /** Runs a use case where the files are read. */
  private byReader(work: (call: ReaderCall) => Promise<Outcome>): UseCase<AnyOptions> {
    return async (context, files, options) => {
      try {
        return await work({ context: readerContext(context), files, options });
      } catch (error) {
        if (error instanceof ReaderClosed) return 'interrupted';
        throw error;
      }
    };
  }

  private keepRunOf(act: Act): void {
    const unwatch = act.watch(() => {
      const { name, run, state, revision, startedAt: at } = act.view();
      if (state === 'ended') unwatch();
      if (run === null || run === this.sent.at(-1)?.run) return;
      this.sent = [...this.sent, { name, run, at, ...(revision !== null && { revision }) }];
      this.saveLater();
    });
  }

  /** Saves what an act brought about, of which nobody waits to hear. */
  private saveLater(): void {
    if (!this.isClosed) void this.save().catch(() => undefined);
  }

  /** Does something with the documents of a run that these files made. */
  startOfRun(name: ActName, run: string, given: AnyOptions): Act {
    const profile = this.profile === undefined ? {} : { profile: this.profile };
    const report = this.outputOf(REPORT);
    const folders = { folder: this.outputOf('pdf'), results: this.outputOf(RESULTS) };
    const written = { ...folders, report, output: report, force: true };
    const options = { ...this.beginning.fixed, ...given, ...profile, ...written };
    const act = startAct(name, this.surroundings, [run], options);
    this.ofRuns.push(act);
    const ended = this.ofRuns.filter((one) => one.view().state === 'ended');
    for (const one of ended.slice(0, -MOST_ENDED)) this.ofRuns.splice(this.ofRuns.indexOf(one), 1);
    return act;
  }

  /** The path of a file, or of the zip that it is a part of. */
  private pathTo(name: string): string {
    const [file = ''] = name.split('/', 1);
    return this.files.has(file) ? this.pathOf(file) : stop('usage', { code: 'web/not-there', value: name });
  }

  /** The beginning of every table. */
  previews(): Promise<FilePreviews> {
    return this.reader.call('previews', [this.paths()]);
  }

  /** The tables that the latest check read, in the order of the files. */
  async tables(): Promise<readonly TableName[]> {
    const read = this.checked?.tables ?? [];
    if (read.length === 0) return [];
    const all = await this.reader.call('tables', [this.paths()]);
    return all.filter((one) => read.some(({ file, sheet }) => file === one.file && sheet === one.sheet));
  }

  /** A part of a table, as it was mended. */
  async rows(file: string, given: string | undefined, wanted: RowsWanted): Promise<TableRows> {
    const at = { path: this.pathTo(file), file, sheet: given };
    const { rows, sheet, ...table } = await this.reader.call('rows', [at, wanted]);
    const header = this.checked?.tables.find((one) => one.file === file && one.sheet === sheet)?.header;
    return {
      ...table,
      sheet,
      rows: rows.map((row) => this.edits.laidOver(row, { file, sheet })),
      ...(header && { header }),
    };
  }

  /** Mends what a person says, undone as one; tells what becomes of the rows. */
  async mend(given: readonly Change[]): Promise<EditsView> {
    const before = await this.reader.call('before', [this.withPaths(given)]);
    const changes = given.flatMap((change, at) => {
      const there = before[at];
      return there === undefined ? [] : [{ change: { ...change, sheet: there.sheet }, own: there.text }];
    });
    const added = this.edits.add(changes, this.surroundings.account ?? null);
    if (added !== undefined) {
      await this.touch();
      await this.store.addEdit(added);
    }
    return this.editsView(changes.map(({ change }) => change));
  }

  private withPaths(changes: readonly Change[]): readonly (Change & { readonly path: string })[] {
    return changes.map((change) => ({ ...change, path: this.pathTo(change.file) }));
  }

  /**
   * Leaves a document out: every row that is part of it, as the check knows them.
   * @throws Failed where a check does not get so far as to tell them
   */
  async leaveOut({ file, sheet, row }: EditedRow): Promise<EditsView> {
    const place = { file, row, ...(sheet !== null && { sheet }) };
    if (this.checked === undefined) {
      const latest = this.latest('check');
      const act =
        latest?.view().state === 'running' && !this.isOutdated(latest)
          ? latest
          : await this.start('check', {});
      await act.done;
      if (act.view().failure.length > 0) throw new Failed(act.view().failure);
    }
    // Other files or answers may have come meanwhile.
    const rows =
      (this.checked && (await this.reader.call('rowsWith', [this.checked.act, place]))) ??
      stop('usage', { code: 'web/still-running', value: 'check' });
    return this.mend(rows.map((one) => ({ ...one, sheet: one.sheet ?? null, leftOut: true })));
  }

  /** Takes the last change back. */
  async undo(): Promise<EditsView> {
    const undone = this.edits.undo();
    if (undone.length > 0) {
      await this.touch();
      await this.store.addEdit(null);
    }
    return this.editsView(undone);
  }

  async editsView(changes: readonly Change[] = []): Promise<EditsView> {
    return { log: this.edits.log, checked: await this.checkRows(changes) };
  }

  private async checkRows(changes: readonly Change[]): Promise<EditsView['checked']> {
    const { checked } = this;
    if (checked === undefined || changes.length === 0 || changes.length > MOST_AT_ONCE) return null;
    return this.reader.call('recheck', [checked.act, changes, this.edits.all()]);
  }

  /** A copy of a file as it was mended; the file itself is in its place where nothing was. */
  async mendedCopy(name: string): Promise<string> {
    if (!this.files.has(name)) return stop('usage', { code: 'web/not-there', value: name });
    const { name: stem, ext } = parse(name);
    const output = this.outputOf(`${stem}-corregido${ext}`);
    await this.reader.call('writeMended', [this.pathOf(name), this.edits.all(), output]);
    return output;
  }

  private optionsOf(name: ActName, given: AnyOptions): AnyOptions {
    const params = { params: this.store.paramsFile };
    const edits = this.edits.all();
    const common: AnyOptions = {
      ...this.beginning.fixed,
      ...given,
      ...(edits.length > 0 && { edits }),
      ...(this.profile !== undefined && { profile: this.profile }),
      ...params,
      upload: {},
      force: true,
    };
    const [first, ...others] = this.paths();
    if (name === 'inspect')
      return {
        ...common,
        write: this.mapping,
        ...(first !== undefined && { upload: { name: first } }),
        answer: this.answersOf('columns'),
      };
    const isTable = others.length === 0 && first !== undefined && !/\.(xml|zip|json)$/i.test(first);
    const written = { report: this.outputOf(REPORT), results: this.outputOf(RESULTS) };
    const read: AnyOptions = { ...common, answer: this.answersOf('reading') };
    if (name === 'reception') return { ...read, ...written, output: this.outputOf(READ) };
    return {
      ...read,
      ...(name === 'events' && { worklist: this.outputOf(WORKLIST) }),
      ...(isTable && { annotate: this.outputOf('revisado.xlsx') }),
      ...(isTable && (name === 'check' || name === 'send') && { failed: this.outputOf(TO_MEND) }),
      ...(name !== 'check' && written),
    };
  }

  /** Answers as `ID=VALUE`: what columns are is asked by `inspect`, how cells are read by what reads them. */
  private answersOf(what: 'columns' | 'reading'): readonly string[] {
    return [...this.answers]
      .filter(([id]) => id.startsWith(READING) === (what === 'reading'))
      .map(([id, value]) => `${what === 'reading' ? id.slice(READING.length) : id}=${value}`);
  }

  /** Asks every act once more to stop. */
  hangUp(): void {
    for (const act of this.all()) act.stop();
  }

  /** Ends all work; the folder stays as it is, for a later server. */
  async end(): Promise<void> {
    await Promise.all([endAll(this.all()), this.reader.close()]);
    await this.store.settle();
  }

  /** Ends all work and removes the folder. */
  async close(): Promise<void> {
    await this.end();
    this.isClosed = true;
    await this.store.remove();
  }
}
