import type { Envelope } from '../document/envelope.js';
import { placesOf, type Trace } from '../document/trace.js';
import type { Issue, Place } from '../issues/issue.js';
import type { JsonObject } from '../values/json.js';
import { type Plan, planTally } from './draft.js';
import type { Journal } from './journal.js';
import type { DocumentKind, Series } from './kind.js';
import { type NumberingOptions, numbering } from './numbering.js';
import { completeDraft, insertDraft, nextRunId, type RunCounts, type RunMeta, sweepDrafts } from './runs.js';
import { say } from './say.js';
import type { Standing } from './standing.js';
import { traceToText } from './trace-text.js';

/** A record that the mapping left out on purpose. */
export interface Skipped {
  readonly place: Place;
  readonly note: string;
}

/** What is known when the last envelope is out. */
export interface Closing extends RunCounts {
  /** Of the records and documents held back, and warnings. */
  readonly issues: Iterable<Issue>;
  readonly skipped: Iterable<Skipped>;
}

/** An envelope, with what is known of it beside its standing in the journal. */
export interface Spoolable extends Envelope {
  /** The accepted document that says the same already: nothing is sent. */
  readonly accepted?: { readonly id: number; readonly documentCode: string | null };
  /** Errors found after it was made: it is not sent. */
  readonly refused?: readonly Issue[];
  /** The run that is to be finished first, where that is why it is refused. */
  readonly unfinished?: string;
  /** Leaves only by a yes of its own. */
  readonly proposed?: boolean;
  /** Sequence of an earlier document of the run that may only leave once this one is accepted. */
  readonly before?: number;
  /** Sequence of an earlier document of the run that must be accepted before this one may leave. */
  readonly after?: number;
}

export interface SpoolOptions {
  readonly journal: Journal;
  readonly kind: DocumentKind;
  readonly meta: RunMeta;
  readonly testSet?: string;
  readonly envelopes: AsyncIterable<readonly Spoolable[]>;
  /** Called once, after the last envelope. */
  readonly closing: () => Closing;
  /** Start and advice for the numbers. */
  readonly numbers?: Omit<NumberingOptions, 'journal'>;
  /** Whether the key of a document is the worker's document number. @default false */
  readonly keyIsWorker?: boolean;
  /** Told what is found against the journal: why documents are refused, and warnings, at their cells. */
  readonly onIssue?: (issue: Issue) => void;
  /** Told which documents are held back, by sequence, and whether an unfinished run has them. */
  readonly onHeldBack?: (sequence: number, elsewhere: boolean) => void;
  /** Milliseconds since 1970. @default Date.now */
  readonly clock?: () => number;
}

/** What lies ready to be sent. */
export interface Spooled extends Plan {
  readonly run: string;
  /** Accepted before with the same content: nothing to send. */
  readonly earlier: number;
  /** Held back by what is known here, as the findings of the run say: nobody was asked, so nobody rejected them. */
  readonly blocked: number;
  /** Of the blocked ones, those that an unfinished run has, by that run. */
  readonly unfinished: ReadonlyMap<string, number>;
  /** Planned ones that leave only by a yes of their own, by sequence: why they may be at the service already. */
  readonly doubtful: ReadonlyMap<number, Issue>;
  /** The same, of what the maker of the envelopes proposes. */
  readonly proposed: readonly number[];
  readonly documents: RunCounts['documents'];
}

/**
 * Writes a checked run into the journal, with numbers: a draft, until the sender opens it. All or nothing, whatever
 * interrupts it; an error thrown by `envelopes` comes through and leaves no trace. Needs the sender lock.
 * Memory does not grow with the number of documents.
 */
export async function spoolRun(options: SpoolOptions): Promise<Spooled> {
  const { journal, envelopes, closing, meta, testSet } = options;
  const now = (options.clock ?? Date.now)();
  return journal.longTransaction(async () => {
    sweepDrafts(journal);
    const run = nextRunId(journal, now);
    insertDraft(journal, run, testSet, now);
    const desk = spoolDesk(options, run, now);
    for await (const batch of envelopes) for (const envelope of batch) await desk.take(envelope);
    const { issues, skipped, ...counts } = closing();
    // A person whose record was held back is not missing.
    if (counts.documents.heldBack === 0) desk.finish();
    insertFindings(journal, run, issues, skipped);
    const { planned, made, heldBack } = counts.documents;
    const { blocked } = desk.tally;
    const documents = { planned, made: made - blocked, heldBack: heldBack + blocked };
    const plan = desk.plan();
    const own = options.keyIsWorker ? { ...meta, keyIsWorker: true } : meta;
    completeDraft(journal, run, own, { ...counts, documents }, plan.digest);
    return { run, ...plan, ...desk.tally, documents };
  });
}

function spoolDesk(options: SpoolOptions, run: string, now: number) {
  const { journal, kind, testSet, numbers, keyIsWorker = false } = options;
  const { onIssue = () => undefined, onHeldBack = () => undefined } = options;
  const judge = kind.judge({ journal, run, testSet, keyIsWorker });
  const insert = documentInsert(journal, run, now);
  const remark = findingInsert(journal, run);
  const wait = journal.prepare(
    'UPDATE document SET waits_for = (SELECT max(id) FROM document) WHERE run = ? AND sequence = ?',
  );
  const follow = journal.prepare(
    `UPDATE document SET waits_for = (SELECT id FROM document WHERE run = ? AND sequence = ?)
      WHERE id = (SELECT max(id) FROM document)`,
  );
  const plan = planTally(kind, testSet);
  const tally = {
    earlier: 0,
    blocked: 0,
    unfinished: new Map<string, number>(),
    doubtful: new Map<number, Issue>(),
    proposed: [] as number[],
  };

  const remarkOn = (issue: Issue): void => {
    remark('issue', issue);
    onIssue(issue);
  };
  const nextNumber = numbering({ journal, ...numbers, onIssue: remarkOn });
  /** Sequence → key. */
  const heldBack = new Map<number, string>();
  /** What may only follow a document that is held back is held back with it. */
  function waitsInVain({ after = 0, accepted }: Spoolable): Standing | undefined {
    const number = heldBack.get(after);
    if (number === undefined || accepted !== undefined) return undefined;
    return { is: 'refused', issues: [say('send/predecessor-not-accepted', { number })] };
  }

  return {
    tally,
    plan: plan.finish,
    finish: () => {
      for (const issue of judge.remarks()) remarkOn(issue);
    },
    async take(envelope: Spoolable): Promise<void> {
      const body = envelope.document as unknown as JsonObject;
      const standing = waitsInVain(envelope) ?? overruled(judge.standing(envelope), envelope);
      if (standing.is === 'earlier') {
        tally.earlier += 1;
        insert(envelope, body, standing);
      } else if (standing.is === 'refused') {
        const { unfinished: run } = standing;
        tally.blocked += 1;
        heldBack.set(envelope.sequence, envelope.key);
        if (run !== undefined) tally.unfinished.set(run, (tally.unfinished.get(run) ?? 0) + 1);
        for (const issue of standing.issues) remarkOn(atCell(issue, envelope));
        onHeldBack(envelope.sequence, run !== undefined);
      } else {
        if (standing.doubt !== undefined)
          tally.doubtful.set(envelope.sequence, atCell(standing.doubt, envelope));
        if (envelope.proposed) tally.proposed.push(envelope.sequence);
        if (kind.numbers === undefined) {
          plan.take(envelope, body);
          insert(envelope, body, standing);
        } else {
          const { series, write, text } = kind.numbers;
          const range = series(body);
          const drawn = nextNumber(range);
          const consecutive = typeof drawn === 'number' ? drawn : await drawn;
          const numbered = write(body, consecutive);
          plan.take(envelope, numbered, range);
          insert(envelope, numbered, standing, { ...range, consecutive, text: text?.(numbered) });
        }
        for (const issue of standing.remarks) remarkOn(atCell(issue, envelope));
        if (envelope.before !== undefined) wait.run(run, envelope.before);
        if (envelope.after !== undefined) follow.run(run, envelope.after);
      }
    },
  };
}

/** What the maker of an envelope knows goes before what the journal says of it. */
function overruled(standing: Standing, { refused, unfinished, accepted }: Spoolable): Standing {
  if (refused !== undefined)
    return { is: 'refused', issues: refused, ...(unfinished !== undefined && { unfinished }) };
  return accepted === undefined ? standing : { is: 'earlier', ...accepted };
}

/** The cells behind the leaf that an issue points at; what is said of the whole document stands at its record. */
function atCell(issue: Issue, { trace, key }: Envelope): Issue {
  const { pointer } = issue.place;
  const found = pointer === undefined ? [] : placesOf(trace, pointer);
  const [place, ...related] = found.length > 0 ? found : [recordOf(trace)];
  return {
    ...issue,
    documentKey: key,
    place: { ...place, ...issue.place },
    ...(related.length > 0 && { related: related as Place[] }),
  };
}

function recordOf(trace: Trace): Place | undefined {
  for (const [place] of trace.values()) {
    if (place?.row === undefined) continue;
    const { column, label, ...record } = place;
    return record;
  }
  return undefined;
}

function documentInsert(journal: Journal, run: string, now: number) {
  const document = journal.prepare(`
    INSERT INTO document (run, sequence, key, name, schema, subject, hash, place, type_document_id, prefix, consecutive,
      state, document_code, earlier, updated, period, predecessor, number)
    VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`);
  const content = journal.prepare(
    'INSERT INTO content (document, body, trace) VALUES (last_insert_rowid(), ?, ?)',
  );
  return (
    envelope: Envelope,
    body: JsonObject,
    standing: Exclude<Standing, { is: 'refused' }>,
    number?: Series & { readonly consecutive: number; readonly text: string | undefined },
  ): void => {
    const earlier = standing.is === 'earlier' ? standing : undefined;
    const fresh = standing.is === 'new' ? standing : undefined;
    document.run(
      run,
      envelope.sequence,
      envelope.key,
      envelope.name ?? null,
      envelope.schema,
      standing.subject ?? null,
      envelope.hash,
      firstPlace(envelope.trace),
      number?.typeDocumentId ?? null,
      number?.prefix ?? null,
      number?.consecutive ?? null,
      standing.is === 'new' ? 'planned' : 'accepted',
      earlier?.documentCode ?? null,
      earlier?.id ?? null,
      now,
      fresh?.period ?? null,
      fresh?.predecessor ?? null,
      number?.text ?? null,
    );
    content.run(JSON.stringify(body), traceToText(envelope.trace));
  };
}

/** The first cell that a document came from, as text. */
function firstPlace(trace: Trace): string | null {
  for (const [place] of trace.values()) if (place?.row !== undefined) return JSON.stringify(place);
  return null;
}

function findingInsert(journal: Journal, run: string) {
  const finding = journal.prepare('INSERT INTO finding (run, kind, content) VALUES (?, ?, ?)');
  return (kind: 'issue' | 'skip', content: Issue | Skipped): void => {
    finding.run(run, kind, JSON.stringify(content));
  };
}

function insertFindings(
  journal: Journal,
  run: string,
  issues: Iterable<Issue>,
  skipped: Iterable<Skipped>,
): void {
  const insert = findingInsert(journal, run);
  for (const issue of issues) insert('issue', issue);
  for (const skip of skipped) insert('skip', skip);
}
