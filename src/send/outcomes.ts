import type { DocumentState, Outcome, Settled } from '../document/outcome.js';
import { placesOf, type Trace } from '../document/trace.js';
import type { Issue, Place } from '../issues/issue.js';
import type { Pointer } from '../values/pointer.js';
import { fateOf, HELD_BACK } from './accounting.js';
import type { Journal } from './journal.js';
import { PAGE, pages } from './pages.js';
import type { Skipped } from './spool.js';
import { traceFromText } from './trace-text.js';

/** An outcome with the first cell of its record. */
export interface JournalOutcome extends Outcome {
  readonly place?: Place;
}

export interface OutcomeOptions {
  /** Leaves of the document that an authority's rule blames, to show the cells behind them; `*` is any item. @default none known */
  readonly blame?: (rule: string) => readonly Pointer[];
}

interface Row {
  id: number;
  sequence: number;
  key: string;
  name: string | null;
  state: DocumentState;
  heldBack: number | null;
  number: string | null;
  documentCode: string | null;
  zipKey: string | null;
  attempts: number;
  earlier: number | null;
  issues: string | null;
  place: string | null;
  settled: string | null;
}

/** Every document of a run in order, with what became of it; a page at a time, so that any run fits in memory. */
export function* outcomes(
  journal: Journal,
  run: string,
  options: OutcomeOptions = {},
): Iterable<JournalOutcome> {
  const page = journal.prepare(`
    SELECT d.id, d.sequence, d.key, d.name, d.state, d.attempts, d.earlier, d.issues, d.place, d.settled,
      ${HELD_BACK} AS heldBack,
      coalesce(d.number, d.prefix || d.consecutive, e.number, e.prefix || e.consecutive,
        json_extract(a.body, '$.consecutive')) AS number,
      d.document_code AS documentCode, d.zip_key AS zipKey
    FROM document d LEFT JOIN document e ON e.id = d.earlier LEFT JOIN answer a ON a.document = coalesce(d.earlier, d.id)
    WHERE d.run = ? AND d.sequence > ? ORDER BY d.sequence LIMIT ${PAGE}`);
  const traceText = journal.prepare('SELECT trace FROM content WHERE document = ?');
  const traceOf = (id: number): Trace =>
    traceFromText(traceText.first<{ trace: string }>(id)?.trace ?? '{"tables":[],"cells":{}}');

  for (const row of pages<Row>(page, run)) yield toOutcome(row, traceOf, options);
}

function toOutcome(row: Row, traceOf: (id: number) => Trace, { blame }: OutcomeOptions): JournalOutcome {
  const place = row.place === null ? undefined : (JSON.parse(row.place) as Place);
  const found = row.issues === null ? [] : (JSON.parse(row.issues) as Issue[]);
  // A code is shown once it is proven; before, it is only something to ask with.
  const proven = row.state === 'accepted' && row.documentCode !== null;
  return {
    sequence: row.sequence,
    key: row.key,
    ...(row.name !== null && { name: row.name }),
    state: fateOf(row.state, row.heldBack),
    ...(row.number !== null && { number: row.number }),
    ...(proven && { documentCode: row.documentCode! }),
    ...(row.zipKey !== null && { zipKey: row.zipKey }),
    attempts: row.attempts,
    ...(row.earlier !== null && { earlier: true }),
    issues: found.length === 0 ? [] : locate(found, row.key, traceOf(row.id), place, blame),
    ...(place !== undefined && { place }),
    ...(row.settled !== null && { settled: JSON.parse(row.settled) as Settled }),
  };
}

/** Gives each issue the cells behind the leaves that it, or its rule, points at; else the first cell of the record. */
function locate(
  issues: readonly Issue[],
  documentKey: string,
  trace: Trace,
  first: Place | undefined,
  blame: OutcomeOptions['blame'],
): readonly Issue[] {
  return issues.map((issue) => {
    const own = issue.place.pointer;
    const blamed = own !== undefined ? [own] : (blame?.(String(issue.params['rule'] ?? '')) ?? []);
    const pointers = blamed.flatMap((pointer) => leavesOf(trace, pointer));
    const [place, ...related] = pointers.flatMap((pointer) =>
      placesOf(trace, pointer).map((cell) => ({ ...cell, pointer })),
    );
    // A leaf that nothing of the records gave is a matter of the run, not of the cell beside it.
    const [about] = blamed;
    return {
      ...issue,
      documentKey,
      place:
        place ??
        (about === undefined ? { ...first, ...issue.place } : about === '' ? {} : { pointer: about }),
      ...(related.length > 0 && { related }),
    };
  });
}

/** The leaves that `*` stands for, of those that cells fed; the pointer itself where there are none. */
function leavesOf(trace: Trace, pointer: Pointer): readonly Pointer[] {
  if (!pointer.includes('/*')) return [pointer];
  const form = pointer.split('/');
  const fits = (leaf: Pointer): boolean => {
    const steps = leaf.split('/');
    return steps.length === form.length && form.every((step, at) => step === '*' || step === steps[at]);
  };
  const found = [...trace.keys()].filter(fits);
  return found.length > 0 ? found : [pointer];
}

/** What was held back or remarked while the run was made. */
export const runIssues = (journal: Journal, run: string): Iterable<Issue> =>
  findings<Issue>(journal, run, 'issue');
export const runSkipped = (journal: Journal, run: string): Iterable<Skipped> =>
  findings<Skipped>(journal, run, 'skip');

function* findings<T>(journal: Journal, run: string, kind: 'issue' | 'skip'): Iterable<T> {
  const page = journal.prepare(
    `SELECT id, content FROM finding WHERE run = ? AND kind = ? AND id > ? ORDER BY id LIMIT ${PAGE}`,
  );
  for (let after = 0; ; ) {
    const rows = page.all<{ id: number; content: string }>(run, kind, after);
    for (const { content } of rows) yield JSON.parse(content) as T;
    if (rows.length < PAGE) return;
    after = rows.at(-1)!.id;
  }
}
