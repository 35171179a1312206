import type { Envelope } from '../document/envelope.js';
import type { Trace } from '../document/trace.js';
import type { Issue, Place } from '../issues/issue.js';
import { sum } from '../values/decimal.js';
import type { JsonObject } from '../values/json.js';
import type { Journal } from './journal.js';
import type { DocumentKind, Totals } from './kind.js';
import { type NumberingOptions, numbering } from './numbering.js';
import { completeDraft, insertDraft, nextRunId, type RunCounts, type RunMeta, sweepDrafts } from './runs.js';
import { say } from './say.js';
import { type Holder, subjectHolders } from './subject-holder.js';
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

export interface SpoolOptions {
  readonly journal: Journal;
  readonly kind: DocumentKind;
  readonly meta: RunMeta;
  readonly testSet?: string;
  readonly envelopes: AsyncIterable<readonly Envelope[]>;
  /** Called once, after the last envelope. */
  readonly closing: () => Closing;
  /** Start and advice for the numbers. */
  readonly numbers?: Omit<NumberingOptions, 'journal'>;
  /** Milliseconds since 1970. @default Date.now */
  readonly clock?: () => number;
}

/** What lies ready to be sent. */
export interface Spooled {
  readonly run: string;
  /** To be sent. */
  readonly planned: number;
  /** Accepted before with the same content: nothing to send. */
  readonly earlier: number;
  /** Not to be sent; the outcomes of the run say why. */
  readonly blocked: number;
  /** Of the planned ones. */
  readonly totals: Totals;
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
    insertFindings(journal, run, issues, skipped);
    completeDraft(journal, run, meta, counts);
    return { run, ...desk.tally };
  });
}

function spoolDesk({ journal, kind, testSet, numbers }: SpoolOptions, run: string, now: number) {
  const nextNumber = numbering({ journal, ...numbers });
  const holderOf = subjectHolders(journal);
  const insert = documentInsert(journal, run, now);
  const tally = {
    planned: 0,
    earlier: 0,
    blocked: 0,
    totals: { accrued: '0.00', deductions: '0.00', net: '0.00' },
  };

  /** What was accepted under one test set says nothing for another, nor for production. */
  const subjectOf = (body: JsonObject): string | undefined => {
    const subject = kind.subject(body);
    return subject === undefined || testSet === undefined ? subject : `${testSet}|${subject}`;
  };

  return {
    tally,
    async take(envelope: Envelope): Promise<void> {
      const body = envelope.document as unknown as JsonObject;
      const subject = subjectOf(body);
      const holder = subject === undefined ? undefined : holderOf(subject);
      if (holder?.state === 'accepted' && holder.hash === envelope.hash) {
        tally.earlier += 1;
        insert(envelope, { subject, body, earlier: holder });
      } else if (holder !== undefined) {
        tally.blocked += 1;
        insert(envelope, { subject, body, blocked: conflict(holder, run) });
      } else {
        const series = kind.series(body);
        const drawn = nextNumber(series);
        const consecutive = typeof drawn === 'number' ? drawn : await drawn;
        tally.planned += 1;
        tally.totals = sumUp(tally.totals, kind.totals(body));
        insert(envelope, { subject, body: { ...body, consecutive }, series, consecutive });
      }
    },
  };
}

function conflict(holder: Holder, run: string): Issue {
  if (holder.run === run) return say('send/month-repeated', { key: holder.key });
  return holder.state === 'accepted'
    ? say('send/month-already-accepted', { number: holder.number, run: holder.run })
    : say('send/unfinished-run', { run: holder.run });
}

const sumUp = (a: Totals, b: Totals): Totals => ({
  accrued: sum([a.accrued, b.accrued]),
  deductions: sum([a.deductions, b.deductions]),
  net: sum([a.net, b.net]),
});

interface Placement {
  readonly subject: string | undefined;
  readonly body: JsonObject;
  readonly series?: { readonly typeDocumentId: number; readonly prefix: string };
  readonly consecutive?: number;
  readonly earlier?: Holder;
  readonly blocked?: Issue;
}

function documentInsert(journal: Journal, run: string, now: number) {
  const document = journal.prepare(`
    INSERT INTO document (run, sequence, key, name, schema, subject, hash, place, type_document_id, prefix, consecutive,
      state, document_code, issues, earlier, updated)
    VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`);
  const content = journal.prepare(
    'INSERT INTO content (document, body, trace) VALUES (last_insert_rowid(), ?, ?)',
  );

  return (envelope: Envelope, { subject, body, series, consecutive, earlier, blocked }: Placement): void => {
    document.run(
      run,
      envelope.sequence,
      envelope.key,
      envelope.name ?? null,
      envelope.schema,
      subject ?? null,
      envelope.hash,
      firstPlace(envelope.trace),
      series?.typeDocumentId ?? null,
      series?.prefix ?? null,
      consecutive ?? null,
      earlier !== undefined ? 'accepted' : blocked !== undefined ? 'rejected' : 'planned',
      earlier?.documentCode ?? null,
      blocked === undefined ? null : JSON.stringify([blocked]),
      earlier?.id ?? null,
      now,
    );
    content.run(JSON.stringify(body), traceToText(envelope.trace));
  };
}

/** The first cell that a document came from, as text. */
function firstPlace(trace: Trace): string | null {
  for (const [place] of trace.values()) if (place !== undefined) return JSON.stringify(place);
  return null;
}

function insertFindings(
  journal: Journal,
  run: string,
  issues: Iterable<Issue>,
  skipped: Iterable<Skipped>,
): void {
  const finding = journal.prepare('INSERT INTO finding (run, kind, content) VALUES (?, ?, ?)');
  for (const issue of issues) finding.run(run, 'issue', JSON.stringify(issue));
  for (const skip of skipped) finding.run(run, 'skip', JSON.stringify(skip));
}
