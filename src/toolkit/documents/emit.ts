import { formatPlace, hasErrors, type Issue, isSameSheet, issueOf, NO_ISSUES } from '../core/issue.js';
import type { JsonObject, Writable } from '../core/json.js';
import type { ParamValues } from '../mapping/params.js';
import { rowPlace } from '../mapping/places.js';
import type { CompiledTable, ReadRecord } from '../mapping/record.js';
import { hasTrait, type Note } from '../messages/wording.js';
import { noDocuments, noRecords } from '../schema/document.js';
import type { CheckedDocument, Checks } from './check.js';
import { formatWarnings } from './decide.js';
import { type DraftDocument, toCell } from './document.js';
import { filled } from './footers.js';
import { GeneralCounts } from './general-issues.js';
import { isRecord, type JoinedTable } from './joined-tables.js';
import type { Located } from './locate.js';
import type {
  DocumentSequence,
  Group,
  PrepareEvent,
  SequenceDecision,
  SequenceSource,
  Step,
} from './phases.js';
import { faultOfRecord, hiddenRow, type RowStep } from './read.js';
import { besideOf, detailsOf, displayName, placesOf, RecordDocument } from './record-document.js';
import { createRepeats } from './repeats.js';
import type { RunReader } from './run-reader.js';

/** Min missing required values for which a record's other issues are not reported. */
const MIN_MISSING_VALUES = 3;

/** Max cells of a row that is more likely a heading than a record. */
const MAX_HEADING_CELLS = 2;

const ALREADY_DONE: Note = { key: 'already-done' };

/** Good document whose place in the sequence is undecided. */
interface Candidate {
  readonly group: Group;
  readonly good: DraftDocument;
}

/** Orders and counts the results of files and documents; the only place where documents meet each other. */
export class Emitter {
  private readonly records = noRecords();
  private readonly documents = noDocuments();
  private readonly general = new GeneralCounts();
  private readonly repeats: ReturnType<typeof createRepeats>;
  /** Keys of issues that are reported once for all documents. */
  private readonly reported = new Set<string>();
  private readonly waiting = new Map<SequenceSource, Candidate>();
  private events: PrepareEvent[] = [];

  constructor(
    private readonly checks: Checks,
    private readonly reader: RunReader,
    private readonly sequence: DocumentSequence | undefined,
  ) {
    this.repeats = createRepeats(checks);
  }

  /** Returns the events since the last call. */
  drain(): readonly PrepareEvent[] {
    const { events } = this;
    this.events = [];
    return events;
  }

  begin({ issues, leftAside }: Located): void {
    for (const issue of issues) this.issue(issue);
    for (const { place, note } of leftAside) this.events.push({ kind: 'skipped', place, note });
  }

  /** Takes a step of a joined table, or of one that only states totals. */
  besideStep(table: CompiledTable, step: RowStep): void {
    if (step.is === 'record') return;
    if (step.is === 'skipped' && table.spec.param !== undefined)
      for (const issue of step.issues) this.issue(issue);
    else this.step(step, table.join?.every ? 0 : 1);
  }

  /** Takes an unreadable record of such a table that belongs to no known document. */
  unreadBeside(table: CompiledTable, record: ReadRecord): void {
    const fault = faultOfRecord(record);
    if (fault !== undefined) this.issue(fault);
    if (isRecord(table, record.row)) this.records.heldBack += 1;
  }

  /** Takes a record of a table that only states totals. */
  stating(table: CompiledTable, record: ReadRecord): void {
    if (isRecord(table, record.row)) this.records.skipped += 1;
  }

  async take(
    chunk: readonly Step[],
    documents: readonly CheckedDocument[],
  ): Promise<readonly PrepareEvent[]> {
    const checked = documents.values();
    for (const step of chunk) {
      if (step.is !== 'group') {
        this.step(step, 1);
        continue;
      }
      const { value } = checked.next();
      if (value === undefined) break;
      const emitted = this.document(value);
      if (emitted !== undefined) await emitted;
    }
    return this.drain();
  }

  private step(step: Exclude<Step | RowStep, { is: 'group' | 'record' }>, counted: number): void {
    switch (step.is) {
      case 'formats':
        this.events.push({ kind: 'formats', voted: step.voted });
        for (const issue of formatWarnings(step.voted)) this.issue(issue);
        return;
      case 'skipped':
        this.records.skipped += counted;
        this.events.push({ kind: 'skipped', place: step.place, note: step.note });
        for (const issue of step.issues) this.issue(issue);
        return;
      case 'refused': {
        const { key, place, issues } = step;
        for (const issue of issues) this.issue({ ...issue, documentKey: key });
        this.countHeldBack(1);
        this.events.push({ kind: 'held-back', key, places: [place], beside: [] });
        return;
      }
      case 'issue':
        this.issue(step.issue);
    }
  }

  private issue(issue: Issue): void {
    this.events.push({ kind: 'issue', issue });
  }

  private countHeldBack(records: number): void {
    this.documents.planned += 1;
    this.documents.heldBack += 1;
    this.records.heldBack += records;
  }

  /** Returns a promise only if a sequence decides about the document, since there are many documents. */
  private document(checked: CheckedDocument): Promise<void> | undefined {
    const { group, draft, general } = checked;
    if (group.untrusted.length > 0) {
      for (const issue of group.untrusted) this.issue({ ...issue, documentKey: group.key });
      this.heldBack(group, undefined);
      return undefined;
    }
    for (const { name, columns, stated, computed } of draft?.compared ?? [])
      this.reader.cells.compared(name, columns, stated, computed);
    this.general.add(group, general);
    const repeated =
      draft !== undefined && group.keyIssue === undefined && this.sequence === undefined
        ? this.repeats.judge(group, draft)
        : NO_ISSUES;
    const { asGroup, losses } = checked;
    // Order in which the issues of a document are reported.
    const ofGroup = [...asGroup, ...repeated, ...losses];
    this.issuesOf(group, ofGroup, draft?.issues ?? NO_ISSUES);
    const isGood = group.lacks.length === 0 && !hasErrors(ofGroup);
    const good = isGood && draft?.isGood === true ? draft : undefined;
    if (this.sequence !== undefined) return this.inSequence(this.sequence, group, draft, good);
    this.outcome(group, good, []);
    return undefined;
  }

  /** Emits a document that depends on others. */
  private async inSequence(
    sequence: DocumentSequence,
    group: Group,
    draft: DraftDocument | undefined,
    good: DraftDocument | undefined,
  ): Promise<void> {
    const from: SequenceSource = {
      row: group.records[0].row.number,
      details: detailsOf(this.checks.mapping, group.context),
    };
    if (good !== undefined) return this.decide(sequence, { group, good }, from, true);
    if (draft !== undefined) sequence.heldBack?.(draft.body, from);
    this.outcome(group, undefined, []);
  }

  private async decide(
    sequence: DocumentSequence,
    candidate: Candidate,
    from: SequenceSource,
    mayWait: boolean,
  ): Promise<void> {
    const { group, good } = candidate;
    const [record] = group.records;
    const decision = await sequence.next(good.body, from, mayWait);
    if (decision.is === 'waits') {
      this.waiting.set(from, candidate);
      return;
    }
    for (const issue of issuesOf(decision))
      this.issue({ ...inRecord(toCell(issue, record, good.origins()), record), documentKey: group.key });
    if (decision.is === 'next') {
      this.outcome(group, good, decision.before);
      for (const freed of decision.frees ?? []) await this.decideAgain(sequence, freed, true);
    } else if (decision.is === 'refused') this.outcome(group, undefined, []);
    else {
      this.records.skipped += group.records.length;
      settle(group, true);
      for (const place of placesOf(group.records))
        this.events.push({ kind: 'skipped', place, note: ALREADY_DONE, done: true });
    }
  }

  private async decideAgain(
    sequence: DocumentSequence,
    source: SequenceSource,
    mayWait: boolean,
  ): Promise<void> {
    const candidate = this.waiting.get(source);
    if (candidate === undefined) return;
    this.waiting.delete(source);
    await this.decide(sequence, candidate, source, mayWait);
  }

  /** Decides about the documents that still wait for others, once all were taken. */
  async endSequence(): Promise<readonly PrepareEvent[]> {
    const { sequence } = this;
    if (sequence !== undefined)
      for (const source of sequence.rest?.() ?? []) await this.decideAgain(sequence, source, false);
    return this.drain();
  }

  /** @param before other documents that are made before it */
  private outcome(group: Group, good: DraftDocument | undefined, before: readonly JsonObject[]): void {
    const { records } = group;
    if (good === undefined) {
      this.heldBack(group, displayName(this.checks.mapping, group.context));
      return;
    }
    settle(group, true);
    this.records.used += records.length;
    for (const body of [...before, good.body]) {
      this.documents.planned += 1;
      this.documents.made += 1;
      const document = new RecordDocument(this.documents.made, body, good.target, group, this.checks);
      this.events.push({ kind: 'document', document });
    }
  }

  private heldBack(group: Group, name: string | undefined): void {
    const { key, records } = group;
    settle(group, false);
    this.countHeldBack(records.length);
    const places = placesOf(records);
    this.events.push({
      kind: 'held-back',
      key,
      ...(name !== undefined && { name }),
      places,
      beside: besideOf(group),
    });
  }

  /** Reports the issues of a document. */
  private issuesOf(group: Group, ofGroup: readonly Issue[], found: readonly Issue[]): void {
    const { key, records, joined, keyIssue } = group;
    for (const record of records) this.hidden(record, key);
    for (const { records: beside } of joined) for (const record of beside) this.hidden(record, key);
    // For an almost empty row, the missing key, or that it is hardly filled, covers all other issues.
    const missing = found.filter(isMissing).length;
    const isBare = keyIssue !== undefined && missing >= MIN_MISSING_VALUES;
    const bare = missing > MIN_MISSING_VALUES && records.length === 1 ? hardlyFilled(records[0]) : undefined;
    const all = isBare
      ? ofGroup
      : bare === undefined
        ? withoutBlanksSaid([...ofGroup, ...found])
        : [bare, ...ofGroup, ...found.filter((issue) => !isMissing(issue))];
    const shares = joined.some(({ joinedTable }) => !joinedTable.join.many);
    const isOwn = ({ place }: Issue): boolean =>
      records.some(({ table }) => isSameSheet(table.source, place));
    for (const issue of all) {
      const reported: Writable<Issue> = Object.assign({}, issue);
      reported.documentKey = key;
      if ((shares && !isOwn(issue)) || hasTrait(issue, 'once-a-column')) this.once(reported);
      else this.issue(reported);
    }
  }

  private hidden(record: ReadRecord, key: string): void {
    if (!record.row.hidden || record.table.compiled.spec.hidden_rows === 'include') return;
    this.once(hiddenRow(record, key));
  }

  /** Reports an issue common to many documents once: a wrong parameter, an error in a shared record. */
  private once(issue: Issue): void {
    const { pointer, file, sheet, row, column } = issue.place;
    const about = [issue.value, ...Object.values(issue.params), row === undefined ? pointer : ''];
    const text = hasTrait(issue, 'once-a-column')
      ? [issue.code, file, sheet, column].join('\n')
      : [issue.code, file, sheet, row, column, ...about].join('\n');
    if (this.reported.has(text)) return;
    this.reported.add(text);
    this.issue(issue);
  }

  /** Reports unused records of joined tables, and issues of all documents, once all are made. */
  endDocuments(joinedTables: readonly JoinedTable[]): void {
    for (const joinedTable of joinedTables) {
      const { issues, skipped, counts } = joinedTable.finish();
      for (const issue of issues) this.issue(issue);
      if (joinedTable.table.spec.param !== undefined) continue;
      for (const place of skipped) this.events.push({ kind: 'skipped', place, note: { key: 'unasked' } });
      this.records.used += counts.used;
      this.records.skipped += counts.skipped;
      this.records.heldBack += counts.heldBack;
      this.documents.planned += counts.orphans;
      this.documents.heldBack += counts.orphans;
    }
    const { general, checks, reader } = this;
    for (const issue of [...general.issues(), ...checks.unchecked.issues(), ...reader.batch.finish()])
      this.issue(issue);
  }

  end(defaults: ParamValues): readonly PrepareEvent[] {
    const { columns, issues } = this.reader.finish();
    for (const issue of issues) this.issue(issue);
    const records = { ...this.records, read: this.reader.recordCount };
    this.events.push({ kind: 'end', records, documents: this.documents, columns, defaults });
    return this.drain();
  }
}

function settle({ joined }: Group, isUsed: boolean): void {
  for (const { joinedTable, key, records } of joined) joinedTable.settle(key, records, isUsed);
}

const issuesOf = (decision: Exclude<SequenceDecision, { is: 'waits' }>): readonly Issue[] =>
  decision.is === 'next' ? decision.issues : [decision.issue];

/** Moves an issue of a parameter to the record, since the parameter is right for other records. */
const inRecord = (issue: Issue, { table, row }: ReadRecord): Issue =>
  issue.place.param === undefined ? issue : { ...issue, place: rowPlace(table, row) };

const isMissing = ({ code }: Issue): boolean => code === 'document/required';

/** Returns the issue that replaces all others of a row with hardly any cells. */
function hardlyFilled({ table, row }: ReadRecord): Issue | undefined {
  const cells = filled(row.texts);
  if (cells.length > MAX_HEADING_CELLS || row.json !== undefined) return undefined;
  const value = cells.map(({ text }) => text).join(' · ');
  return { ...issueOf('row/hardly-filled', 'error', {}, rowPlace(table, row)), value };
}

/** Returns the cell, or the member of a JSON file, that an issue is about; undefined if it names none. */
const valuePlace = ({ place }: Issue): string | undefined =>
  place.json === undefined && place.column === undefined ? undefined : formatPlace(place);

/** Drops what is missing because the value that it is a part of is wrong: the hour of a date without one. */
function withoutMissingParts(issues: readonly Issue[]): readonly Issue[] {
  const wrong = new Set(
    issues
      .filter((issue) => issue.level === 'error' && issue.value !== undefined && !isMissing(issue))
      .map(valuePlace),
  );
  wrong.delete(undefined);
  return wrong.size === 0
    ? issues
    : issues.filter((issue) => !isMissing(issue) || !wrong.has(valuePlace(issue)));
}

/** Drops "missing" and "blank" issues of places already covered by a wrong value, a failed check or a blank key. */
function withoutBlanksSaid(all: readonly Issue[]): readonly Issue[] {
  const issues = all.some(isMissing) ? withoutMissingParts(all) : all;
  if (!issues.some((issue) => hasTrait(issue, 'says-blank'))) return issues;
  const placesOfCode = (code: Issue['code']): ReadonlySet<string> =>
    new Set(
      issues
        .filter((issue) => issue.code === code && issue.level === 'error')
        .flatMap(({ place, related = [] }) => [place, ...related].map(formatPlace)),
    );
  const checked = placesOfCode('check/failed');
  const lacking = placesOfCode('row/key-blank');
  return issues.filter((issue) => {
    const at = formatPlace(issue.place);
    const isCovered = checked.has(at) || (issue.code !== 'row/key-blank' && lacking.has(at));
    return !isCovered || !hasTrait(issue, 'says-blank');
  });
}
