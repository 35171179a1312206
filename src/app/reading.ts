import { basename } from 'node:path';
import { createIssuePrinter, type IssuePrinter } from '../cli/issue-printer.js';
import type { Options } from '../cli/options.js';
import { createProgress, type Terminal } from '../cli/terminal.js';
import { formatCount, type Phrase, say } from '../cli/texts.js';
import { hasErrors, type Issue, type Language, type Place, stop, wordPlace } from '../core/issue.js';
import { type JsonObject, valueAt } from '../core/json.js';
import { dateInBogota } from '../core/plain-date.js';
import type { Complete } from '../documents/check-document.js';
import { type Follow, type PrepareEvent, prepare } from '../documents/prepare.js';
import {
  DELETION,
  deletionOf,
  type NoteOptions,
  REPLACEMENT,
  replacementOf,
  saysTheSame,
} from '../families/payroll/adjust-note.js';
import { conflict } from '../families/payroll/kind.js';
import { monthOf, payrollSubject, personOf, plainDocument } from '../families/payroll/subject.js';
import { word } from '../messages/wording.js';
import { annotateCopy } from '../report/annotate/annotate-copy.js';
import type { CellMark, CopyState, HeaderRow, RowState } from '../report/annotate/sheet-plan.js';
import type { Placing } from '../report/put-in-place.js';
import { STATES } from '../report/rows.js';
import type { ReportedState } from '../report/run-report.js';
import {
  type ColumnAccount,
  countColumns,
  type DocumentCounts,
  type Draft,
  noDocuments,
  noRecords,
  type OutcomeCounts,
  type RecordCounts,
  sealEnvelope,
} from '../schema/document.js';
import { ruleEntry } from '../schema/rule-data.js';
import { checkRules } from '../schema/rules.js';
import { validate } from '../schema/validate.js';
import type { Spoolable } from '../send/documents.js';
import { type Known, knownDocuments } from '../send/known-documents.js';
import { openInput } from '../tables/open.js';
import type { Context } from './context.js';
import { FormatList, formatMoney, type Job } from './job.js';
import { outputOf, refuseOutput } from './outputs.js';
import { maskFor, SaidOnce } from './report.js';
import { followFor, type Shaping, type ShapingScope } from './spool.js';

/** What is known once the files have been read to the end. */
export interface Findings {
  readonly records: RecordCounts;
  readonly documents: DocumentCounts;
  /** Every filled column, and what it is for. */
  readonly columns: readonly ColumnAccount[];
  readonly errors: number;
  readonly warnings: number;
  /** Parameters that the call did not give, with the values used. */
  readonly defaults: Readonly<Record<string, unknown>>;
  /** Whether the table itself, and not only a record, has an error. */
  readonly tableErrors: boolean;
  /** Kept only when asked for. */
  readonly issues: readonly Issue[];
  readonly skipped: readonly { readonly place: Place; readonly note: string }[];
}

/** The files of a job on their way to documents, told to whoever watches. */
export interface Reading {
  /** Good documents, batch by batch. Read once. */
  readonly drafts: AsyncIterable<readonly Draft[]>;
  /** Complete when `drafts` is at its end. */
  findings(): Findings;
}

export interface ReadingOptions {
  /** Whether issues and skipped records are kept for a journal. @default false */
  readonly keep?: boolean;
  /** Whether nothing is told, as on a second reading. @default false */
  readonly quiet?: boolean;
  /** Told everything, for a copy of the file. */
  readonly annotation?: Annotation | undefined;
  /** Fills in what the records leave blank. */
  readonly complete?: Complete | undefined;
  /** How its documents follow each other. @default what the kind of the documents says by itself */
  readonly follow?: Follow | undefined;
}

type End = Extract<PrepareEvent, { kind: 'end' }>;
const NO_END: End = {
  kind: 'end',
  records: noRecords(),
  documents: noDocuments(),
  columns: [],
  defaults: {},
};

function printerFor({ terminal }: Context, { mapping }: Job, options: Options): IssuePrinter {
  return createIssuePrinter(terminal, {
    json: options.json === true,
    mask: maskFor(
      options,
      mapping.targets.map(({ schema }) => schema),
    ),
    extra: ruleEntry,
  });
}

/** What was decided without being asked: records left aside, constants that the call did not give. */
function sayAssumed(
  { terminal, language }: Context,
  skips: ReadonlyMap<string, number>,
  { defaults }: End,
  formats: FormatList,
): void {
  for (const [note, count] of skips)
    terminal.say(say(language, 'skippedRows', { note, count: formatCount(count, language) }));
  const read = formats.worded(language);
  if (read.length > 0) terminal.say(say(language, 'formats', { list: read.join('; ') }));
  const list = Object.entries(defaults).map(([name, value]) => `${name}=${String(value)}`);
  if (list.length > 0) terminal.say(say(language, 'defaults', { list: list.join(', ') }));
}

/** Reads the files of a job, printing issues and progress on the way. */
export function readJob(context: Context, job: Job, options: Options, reading: ReadingOptions = {}): Reading {
  const { terminal } = context;
  const { keep = false, quiet = false, annotation, complete } = reading;
  const today = dateInBogota(context.now());
  const follow = reading.follow ?? followFor(job, today);
  const printer = printerFor(context, job, options);
  const issues: Issue[] = [];
  const skipped: { place: Place; note: string }[] = [];
  const skips = new Map<string, number>();
  const counts = { error: 0, warning: 0 };
  let tableErrors = false;
  /** Nothing to do is another thing than nothing to read. */
  let doneBefore = false;
  let end = NO_END;

  const takeIssue = (issue: Issue): void => {
    counts[issue.level] += 1;
    if (issue.level === 'error' && issue.code.startsWith('header/') && issue.documentKey === undefined)
      tableErrors = true;
    if (issue.code === 'events/already-done') doneBefore = true;
    if (keep) issues.push(issue);
    if (!quiet) printer.print(issue);
  };

  const formats = new FormatList();
  const take = (event: PrepareEvent, drafts: Draft[]): void => {
    annotation?.take(event);
    if (event.kind === 'issue') takeIssue(event.issue);
    else if (event.kind === 'document') drafts.push(event.draft);
    else if (event.kind === 'end') end = event;
    else if (event.kind === 'formats') formats.add(event.voted);
    else if (event.kind === 'skipped') {
      skips.set(event.note, (skips.get(event.note) ?? 0) + 1);
      if (keep) skipped.push({ place: event.place, note: event.note });
    }
  };

  async function* drafts(): AsyncGenerator<readonly Draft[]> {
    if (job.chosen !== undefined && !quiet)
      terminal.say(say(context.language, 'mappingChosen', { name: job.chosen }));
    const progress = createProgress(terminal, { what: 'reading' });
    let done = 0;
    for await (const events of prepare({
      ...job,
      today,
      ...(complete && { complete }),
      ...(follow && { follow }),
    })) {
      const batch: Draft[] = [];
      for (const event of events) take(event, batch);
      done += events.length;
      if (!quiet) progress.update(done);
      yield batch;
      await terminal.drained();
    }
    progress.finish();
    if (end.documents.made === 0 && counts.error === 0 && !doneBefore)
      takeIssue({ code: 'run/no-documents', level: 'error', params: { read: end.records.read }, place: {} });
    printer.finish();
    if (!quiet && !options.json) sayAssumed(context, skips, end, formats);
  }

  return {
    drafts: drafts(),
    findings: () => {
      const { records, documents, columns, defaults } = end;
      return {
        records,
        documents,
        columns,
        defaults,
        errors: counts.error,
        warnings: counts.warning,
        tableErrors,
        issues,
        skipped,
      };
    },
  };
}

/** The accounting of DESIGN: records, documents, outcomes, issues. Nothing is lost between two lines. */
export interface Accounts {
  readonly records: RecordCounts;
  readonly documents: DocumentCounts;
  /** Of a run of an older version it is not known. */
  readonly columns?: readonly ColumnAccount[];
  readonly errors: number;
  readonly warnings: number;
  /** Only where something was to be sent. */
  readonly outcomes?: OutcomeCounts;
}

/** `34 = 30 usadas + 2 de control + 2 descartadas`: what there is none of is not said. */
function columnsText(columns: readonly ColumnAccount[], language: Language): string {
  const { filled, ...roles } = countColumns(columns);
  const parts = (['used', 'control', 'declined', 'unread'] as const).flatMap((role) => {
    const count = roles[role];
    const phrase: Phrase = count === 1 ? `${role}Column` : `${role}Columns`;
    return count === 0 && role !== 'used' ? [] : [`${formatCount(count, language)} ${say(language, phrase)}`];
  });
  return `${formatCount(filled, language)} = ${parts.join(' + ')}`;
}

/** Columns of amounts, where documents have totals: only then is the sum of a used one known. */
function amountsOf(columns: readonly ColumnAccount[]): readonly ColumnAccount[] {
  const amounts = columns.filter(({ sum }) => sum !== undefined);
  return amounts.some(({ role }) => role === 'used') ? amounts : [];
}

/** `33 = 29 usadas + 3 de control + 1 descartada`, and how the totals of the files agree; undefined where no document has totals. */
function amountsText(columns: readonly ColumnAccount[], language: Language): string | undefined {
  const amounts = amountsOf(columns);
  if (amounts.length === 0) return undefined;
  const left = amounts.filter(({ role }) => role === 'declined' || role === 'unread');
  const named = left.map(
    ({ place: { label, column }, sum }) => `${label ?? column} ${formatMoney(sum!, language)}`,
  );
  const totals = amounts.flatMap(({ place: { label, column }, total }) =>
    total === undefined
      ? []
      : [
          say(language, Number(total.difference) === 0 ? 'totalAgrees' : 'totalDiffers', {
            label: label ?? column ?? total.name,
            sum: formatMoney(total.computed, language),
            difference: formatMoney(total.difference, language),
          }),
        ],
  );
  const list = [columnsText(amounts, language), named.length > 0 && `(${named.join(', ')})`]
    .filter(Boolean)
    .join(' ');
  return [list, ...totals].join('; ');
}

/** Prints the accounts for people. */
export function sayAccounts(terminal: Terminal, accounts: Accounts): void {
  const { language } = terminal;
  const line = (phrase: Phrase, counts: object): void =>
    terminal.say(
      say(
        language,
        phrase,
        Object.fromEntries(
          Object.entries(counts).map(([name, count]) => [name, formatCount(count as number, language)]),
        ),
      ),
    );
  line('records', accounts.records);
  line('documents', accounts.documents);
  if (accounts.columns !== undefined)
    terminal.say(say(language, 'columns', { list: columnsText(accounts.columns, language) }));
  const amounts = accounts.columns && amountsText(accounts.columns, language);
  if (amounts !== undefined) terminal.say(say(language, 'amounts', { list: amounts }));
  if (accounts.outcomes) line('outcomes', { made: accounts.documents.made, ...accounts.outcomes });
  line('issues', { errors: accounts.errors, warnings: accounts.warnings });
}

/** Counts, by name what no document was made of, and the sums of amounts. */
function columnsEvent(columns: readonly ColumnAccount[]): object {
  const left = columns.filter(({ role }) => role === 'declined' || role === 'unread');
  const flat = ({ place: { file, sheet, column, label }, ...account }: ColumnAccount): object => ({
    file,
    sheet,
    column,
    label,
    ...account,
  });
  const amounts = amountsOf(columns);
  return {
    ...countColumns(columns),
    left: left.map(flat),
    ...(amounts.length > 0 && { amounts: amounts.map(flat) }),
  };
}

/** The accounts as the last object of `--json`. */
export const summaryEvent = (accounts: Accounts, more: Readonly<Record<string, unknown>> = {}): string =>
  JSON.stringify({
    event: 'summary',
    records: accounts.records,
    documents: { ...accounts.documents, ...accounts.outcomes },
    ...(accounts.columns && { columns: columnsEvent(accounts.columns) }),
    issues: { errors: accounts.errors, warnings: accounts.warnings },
    ...more,
  });

/** The accounts to whoever reads: a program or a person. */
export function giveAccounts(terminal: Terminal, json: boolean | undefined, accounts: Accounts): void {
  if (json) terminal.out(summaryEvent(accounts));
  else sayAccounts(terminal, accounts);
}

/** Which documents of a call are meant: all, or those whose numbers were named. */
export interface OnlyThese {
  has(number: string): boolean;
  /** @throws PipelineError('usage', run/unknown-name) when a named number never came by */
  refuseUnknown(): void;
}

/** Numbers as people write them: `nom12` is `NOM12`. */
const fold = (number: string): string => number.replace(/[\s-]/g, '').toUpperCase();

export function onlyThese(numbers: readonly string[] | undefined): OnlyThese {
  if (numbers === undefined) return { has: () => true, refuseUnknown: () => undefined };
  const wanted = new Set(numbers.map(fold));
  const missing = new Set(wanted);
  return {
    has(number) {
      missing.delete(fold(number));
      return wanted.has(fold(number));
    },
    refuseUnknown() {
      const [value] = missing;
      if (value !== undefined)
        stop('usage', { code: 'run/unknown-name', value, params: { list: 'status RUN' } });
    },
  };
}

export interface CorrectionOptions {
  /** Goes to `notes` of every note. */
  readonly reason: string;
}

/** A person whom the file does not have and the journal does. */
interface Vanished {
  readonly known: Known;
  readonly body: JsonObject;
  readonly person: string | undefined;
}

/**
 * Compares the corrected payroll of a month with what the journal has as accepted: nothing for who did not change, a
 * replacement for who did, a new payroll for who is new, a deletion for who is gone. Who is gone and new under another
 * document number is one person: the deletion goes first, and the new payroll only after it. Other deletions are proposals.
 */
export function corrections(
  { mapping, notes }: Job,
  { reason }: CorrectionOptions,
  { journal, testSet }: ShapingScope,
): Shaping {
  const known = knownDocuments(journal, testSet);
  const levels = new Map([...mapping.rules].map(([code, { level }]) => [code, level]));
  const seen = new Set<string>();
  /** Date of issue of each month's documents. */
  const issueDates = new Map<string, string>();
  /** New people of the file: sequences by person. */
  const newcomers = new Map<string, number[]>();
  const counts = { last: 0, added: 0 };

  function noteOptions(before: Known, body: JsonObject, issueDate: string): NoteOptions {
    const { prefix = stop('usage', { code: 'run/needs-note-prefix' }) } = notes;
    const predecessor = {
      number: before.consecutive,
      cune: before.documentCode ?? '',
      issueDate: String(valueAt(body, '/period/issue_date')),
    };
    return { prefix, issueDate, reason, predecessor };
  }

  /** What a note needs and a payroll does not, such as bank data. */
  function errorsOf(note: JsonObject): readonly Issue[] {
    const rules = checkRules(REPLACEMENT, note, { derived: true, levels });
    return [...validate(REPLACEMENT, 'draft', note), ...rules].filter(({ level }) => level === 'error');
  }

  function compared(draft: Draft): Spoolable {
    const { document } = draft;
    const envelope = sealEnvelope(draft);
    const subject = known.inRealm(payrollSubject(document));
    const issueDate = String(valueAt(document, '/period/issue_date'));
    seen.add(subject);
    issueDates.set(monthOf(document), issueDate);
    counts.last = draft.sequence;

    const top = known.top(subject);
    if (top === undefined) {
      const person = personOf(document);
      if (person !== undefined) newcomers.set(person, [...(newcomers.get(person) ?? []), draft.sequence]);
      return envelope;
    }
    if (top.state !== 'accepted') return envelope; // its run must be finished first: the journal says so
    const before = known.body(top.id);
    if (top.hash === envelope.hash || saysTheSame(before, document)) return { ...envelope, accepted: top };
    const note = replacementOf(document, noteOptions(top, before, issueDate));
    const errors = errorsOf(note);
    const { sequence, key, name, trace } = draft;
    return {
      ...sealEnvelope({ sequence, key, ...(name && { name }), trace, schema: REPLACEMENT, document: note }),
      ...(hasErrors(errors) && { refused: errors }),
    };
  }

  function* vanished(heldBack: ReadonlySet<string>): Iterable<Vanished> {
    for (const month of issueDates.keys())
      for (const top of known.ofMonth(known.inRealm(month))) {
        const { worker, novelty } = known.parts(top);
        if (novelty || seen.has(top.subject ?? '') || heldBack.has(worker)) continue;
        const body = known.body(top.id);
        yield { known: top, body, person: personOf(body) };
      }
  }

  /** Of one without a verdict yet it is only said that its run comes first. */
  function deletion({ known: top, body }: Vanished, before?: number): Spoolable {
    counts.last += 1;
    counts.added += 1;
    const issueDate = issueDates.get(monthOf(body))!;
    const open = top.state !== 'accepted';
    return {
      ...sealEnvelope({
        sequence: counts.last,
        key: top.key,
        ...(top.name !== null && { name: top.name }),
        schema: DELETION,
        document: deletionOf(body, noteOptions(top, body, issueDate)),
        trace: new Map(),
      }),
      ...(open && { refused: [conflict(top, '', body, body)], unfinished: top.run }),
      ...(before !== undefined && { before }),
    };
  }

  /** The new document of a person who is gone under the old number; undefined unless it is plain who it is. */
  function renumbered({ person, known: { state } }: Vanished, gone: readonly Vanished[]): number | undefined {
    if (person === undefined || state !== 'accepted') return undefined;
    const [sequence, ...others] = newcomers.get(person) ?? [];
    const alone = others.length === 0 && gone.filter((one) => one.person === person).length === 1;
    return alone ? sequence : undefined;
  }

  function deletions({ errors, issues }: Findings): Spoolable[] {
    const faulty = issues.filter(({ level }) => level === 'error');
    const gone = [...vanished(new Set(faulty.map(({ documentKey = '' }) => plainDocument(documentKey))))];
    const certain: Spoolable[] = [];
    const proposals: Vanished[] = [];
    for (const one of gone) {
      const sequence = renumbered(one, gone);
      if (sequence !== undefined) certain.push(deletion(one, sequence));
      else if (errors === 0 && one.known.state !== 'accepted') certain.push(deletion(one));
      else proposals.push(one);
    }
    // A record with an error may be anybody's: only of people who are found again is it plain what became of them.
    if (errors > 0) return certain;
    return [...certain, ...proposals.map((one) => ({ ...deletion(one), proposed: true }))];
  }

  return {
    async *shape(reading) {
      for await (const drafts of reading.drafts) yield drafts.map(compared);
      yield deletions(reading.findings());
    },
    get added() {
      return counts.added;
    },
  };
}

const GOOD = { es: 'Correcto', en: 'Good' };
const SKIPPED = { es: 'Omitido', en: 'Skipped' };

type At = Pick<Place, 'sheet' | 'row'>;

const at = ({ sheet, row }: At): { sheet?: string; row: number } => ({
  ...(sheet !== undefined && { sheet }),
  row: row!,
});

/** What the annotated copy of an input will say, gathered while the input is read and its documents are sent. */
export class Annotation {
  private readonly marks: CellMark[] = [];
  private readonly states = new Map<string, RowState>();
  private readonly headers = new Map<string, HeaderRow>();
  /** What no cell caused: it is noted at the header. */
  private readonly general: Issue[] = [];
  private readonly once = new SaidOnce();
  private readonly records = new Map<number, readonly Place[]>();

  constructor(
    private readonly input: string,
    private readonly language: Language,
  ) {}

  take(event: PrepareEvent): void {
    if (event.kind === 'issue') this.mark(event.issue);
    else if (event.kind === 'skipped')
      this.set(event.place, 'skipped', `${SKIPPED[this.language]}: ${event.note}`);
    else if (event.kind === 'formats') {
      const { source, header } = event.voted.table;
      const { number } = header.row;
      if (number > 0) this.headers.set(source.sheet ?? '', at({ ...source, row: number }));
    } else if (event.kind === 'held-back') {
      for (const place of event.places) this.set(place, 'held-back', STATES['held-back'][this.language]);
    } else if (event.kind === 'document') {
      const { sequence, records = [] } = event.draft;
      this.records.set(sequence, records);
      for (const place of records) this.set(place, 'good', GOOD[this.language]);
    }
  }

  /** What became of a document that was made. */
  outcome(sequence: number, state: ReportedState, code?: string, issues: readonly Issue[] = []): void {
    const text = [STATES[state][this.language], code].filter(Boolean).join(' ');
    for (const place of this.records.get(sequence) ?? []) this.set(place, state, text);
    const [record] = this.records.get(sequence) ?? [];
    for (const issue of issues) if (!this.once.take(issue, record)) this.mark(issue);
  }

  private mark(issue: Issue): void {
    const { row, column, file } = issue.place;
    if (file !== undefined && file !== basename(this.input)) return;
    if (row === undefined) {
      if (issue.documents !== undefined) this.general.push(issue);
      return;
    }
    const { message } = word(issue, this.language, ruleEntry);
    this.marks.push({
      ...at(issue.place),
      ...(column !== undefined && { column }),
      level: issue.level,
      text: message,
    });
  }

  private set(place: At, state: CopyState, text: string): void {
    if (place.row === undefined) return;
    const where = at(place);
    this.states.set(`${where.sheet ?? ''}\n${where.row}`, { ...where, state, text });
  }

  private *generalMarks(): Iterable<CellMark> {
    for (const issue of [...this.general, ...this.once.finish()]) {
      const header = this.headers.get(issue.place.sheet ?? '') ?? [...this.headers.values()][0];
      if (header === undefined) continue;
      const { message, fix } = word(issue, this.language, ruleEntry);
      yield {
        ...header,
        level: issue.level,
        text: `${wordPlace(issue.place, this.language)}: ${message} ${fix}`,
      };
    }
  }

  /** Writes the copy; returns where. */
  async write(output: string, placing: Placing = {}): Promise<string> {
    const opened = await openInput(this.input);
    try {
      const { path } = await annotateCopy({
        input: this.input,
        output,
        placing,
        marks: [...this.marks, ...this.generalMarks()],
        states: [...this.states.values()],
        headerRows: [...this.headers.values()],
        language: this.language,
        ...(opened.kind === 'csv' && { rows: opened.tables[0]!.batches() }),
      });
      return path;
    } finally {
      await opened.close();
    }
  }
}

/**
 * The copy that `--annotate` asks for, if it does.
 * @throws PipelineError('usage', run/annotate-one-file) for several files
 */
export function annotationFor(
  context: Context,
  files: readonly string[],
  options: Options,
): Annotation | undefined {
  const { annotate } = options;
  if (annotate === undefined) return undefined;
  refuseOutput(context, options, { purpose: 'annotated', output: annotate, files });
  if (files.length > 1) stop('usage', { code: 'run/annotate-one-file', params: { count: files.length } });
  if (/\.(xml|zip)$/i.test(files[0]!)) stop('usage', { code: 'run/annotate-no-table', value: files[0]! });
  return new Annotation(files[0]!, context.language);
}

/** Writes the copy and says where it is. */
export async function writeAnnotation(
  context: Context,
  annotation: Annotation | undefined,
  options: Options,
): Promise<void> {
  const { terminal, language } = context;
  const { annotate } = options;
  if (annotation === undefined || annotate === undefined) return;
  const file = await annotation.write(annotate, outputOf(context, options, 'annotated'));
  terminal.say(say(language, 'annotated', { file }));
}
