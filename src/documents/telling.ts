import { formatPlace, type Issue, isSameSheet, issueOf, NO_ISSUES } from '../core/issue.js';
import type { JsonObject, Writable } from '../core/json.js';
import type { SchemaName } from '../generated/schema-types.js';
import type { LoadedMapping } from '../mapping/load.js';
import { rowPlace } from '../mapping/places.js';
import type { ReadRecord } from '../mapping/record.js';
import { hasTrait, type Note } from '../messages/wording.js';
import type { Begun } from './begun.js';
import { type Derivation, type Gathered, toCell } from './check-document.js';
import { filled } from './footers.js';
import { hiddenRow } from './read.js';
import { besideOf, displayName, placesOf, RecordDocument } from './record-document.js';
import type { Followed, Tally } from './run.js';

/** So many required values that a record lacks leave little of it. */
const MUCH = 3;

/** Cells of a row that is more likely a heading than a record, at most. */
const HARDLY = 2;

const NO_BODIES: readonly JsonObject[] = [];

const ALREADY_DONE: Note = { key: 'already-done' };

/** Tells what came of documents, and counts them. */
export class Telling {
  private readonly said = new Set<string>();

  constructor(
    private readonly mapping: LoadedMapping,
    private readonly tally: Tally,
    /** What follows from the mapped parts, by schema of the target. */
    private readonly derivations: ReadonlyMap<SchemaName, Derivation>,
  ) {}

  /** Records that cannot be trusted hold back the document that they belong to. */
  tellFaults({ gathered, key, faults }: Begun): void {
    const { tally } = this;
    const { own } = gathered;
    for (const issue of faults) tally.issue({ ...issue, documentKey: key });
    this.countHeldBack(own.length);
    tally.tell({ kind: 'held-back', key, places: placesOf(own), beside: besideOf(gathered) });
    settle(gathered, false);
  }

  /** A record of which no document can be made. */
  tellRefused(record: ReadRecord, key: string, why: readonly Issue[]): void {
    for (const issue of why) this.tally.issue({ ...issue, documentKey: key });
    this.countHeldBack(1);
    const place = rowPlace(record.table, record.row);
    this.tally.tell({ kind: 'held-back', key, places: [place], beside: [] });
  }

  private countHeldBack(records: number): void {
    const { documents, records: all } = this.tally;
    documents.planned += 1;
    documents.heldBack += 1;
    all.heldBack += records;
  }

  /** What is wrong with a document. */
  tellIssues({ gathered: { own, joined }, key, keyIssue, issues, check }: Begun): void {
    for (const record of own) this.tellHidden(record, key);
    for (const { records } of joined) for (const record of records) this.tellHidden(record, key);
    const found = check?.issues ?? NO_ISSUES;
    // Of a row that hardly says anything its lack of a key says all, or that it is hardly filled.
    const missing = found.filter(isMissing).length;
    const isBare = keyIssue !== undefined && missing >= MUCH;
    const bare = missing > MUCH && own.length === 1 ? hardlyFilled(own[0]!) : undefined;
    const all = isBare
      ? issues
      : bare === undefined
        ? withoutBlanksSaid([...issues, ...found])
        : [bare, ...issues, ...found.filter((issue) => !isMissing(issue))];
    const shares = joined.some(({ joinedTable }) => !joinedTable.table.join!.many);
    const isOwn = ({ place }: Issue): boolean => own.some(({ table }) => isSameSheet(table.source, place));
    for (const issue of all) {
      const told: Writable<Issue> = Object.assign({}, issue);
      told.documentKey = key;
      if ((shares && !isOwn(issue)) || hasTrait(issue, 'once-a-column')) this.once(told);
      else this.tally.issue(told);
    }
  }

  private tellHidden(record: ReadRecord, key: string): void {
    if (!record.row.hidden || specOf(this.mapping, record)?.hidden_rows === 'include') return;
    this.once(hiddenRow(record, key));
  }

  /** What spoils many documents alike is said once: a wrong parameter, a fault in a record that many look up. */
  private once(issue: Issue): void {
    const { pointer, file, sheet, row, column } = issue.place;
    const about = [issue.value, ...Object.values(issue.params), row === undefined ? pointer : ''];
    const text = hasTrait(issue, 'once-a-column')
      ? [issue.code, file, sheet, column].join('\n')
      : [issue.code, file, sheet, row, column, ...about].join('\n');
    if (this.said.has(text)) return;
    this.said.add(text);
    this.tally.issue(issue);
  }

  /** What becomes of it. `isGood`: as far as it was looked at by itself. */
  tellOutcome(begun: Begun, isGood: boolean, followed: Followed | undefined): void {
    const { gathered, key, target, check } = begun;
    const { tally, mapping } = this;
    const { own, context } = gathered;
    for (const issue of issuesOf(followed))
      tally.issue({ ...inRecord(toCell(issue, own[0]!, check!.origins()), own[0]!), documentKey: key });
    if (followed?.is === 'done') {
      tally.records.skipped += own.length;
      settle(gathered, true);
      for (const { table, row } of own)
        tally.tell({ kind: 'skipped', place: rowPlace(table, row), note: ALREADY_DONE, done: true });
      return;
    }
    const good = isGood && followed?.is !== 'refused';
    settle(gathered, good);
    if (!good) {
      this.countHeldBack(own.length);
      const name = displayName(mapping, context);
      const places = placesOf(own);
      const beside = besideOf(gathered);
      tally.tell({ kind: 'held-back', key, ...(name !== undefined && { name }), places, beside });
      return;
    }
    tally.records.used += own.length;
    const derivation = this.derivations.get(target!.schema);
    const made = (body: JsonObject): void => {
      tally.documents.planned += 1;
      tally.documents.made += 1;
      const number = tally.documents.made;
      tally.tell({
        kind: 'document',
        document: new RecordDocument(number, key, body, mapping, target!, context, gathered, derivation),
      });
    };
    for (const body of followed?.before ?? NO_BODIES) made(body);
    made(check!.document);
  }
}

function settle({ joined }: Gathered, isUsed: boolean): void {
  for (const { joinedTable, key, records } of joined) joinedTable.settle(key, records, isUsed);
}

const issuesOf = (followed: Followed | undefined): readonly Issue[] =>
  followed === undefined ? NO_ISSUES : followed.is === 'next' ? followed.issues : [followed.issue];

/** An issue of one record whose value is a parameter of all: at the row, since the parameter is right for others. */
const inRecord = (issue: Issue, { table, row }: ReadRecord): Issue =>
  issue.place.param === undefined ? issue : { ...issue, place: rowPlace(table, row) };

const isMissing = ({ code }: Issue): boolean => code === 'document/required';

const specOf = ({ tables }: LoadedMapping, { table }: ReadRecord) =>
  [...tables.values()].find(({ slot }) => slot === table.slot)?.spec;

/** What is said of a row of hardly any cells in place of all that it lacks. */
function hardlyFilled({ table, row }: ReadRecord): Issue | undefined {
  const cells = filled(row.texts);
  if (cells.length > HARDLY || row.json !== undefined) return undefined;
  const value = cells.map(({ text }) => text).join(' · ');
  return { ...issueOf('row/hardly-filled', 'error', {}, rowPlace(table, row)), value };
}

/** Without what only says that something is blank, where the lack of the key, or a check of the mapping, says more of the same cells. */
function withoutBlanksSaid(issues: readonly Issue[]): readonly Issue[] {
  if (!issues.some((issue) => hasTrait(issue, 'says-blank'))) return issues;
  const saidBy = (code: Issue['code']): ReadonlySet<string> =>
    new Set(
      issues
        .filter((issue) => issue.code === code && issue.level === 'error')
        .flatMap(({ place, related = [] }) => [place, ...related].map(formatPlace)),
    );
  const checked = saidBy('check/failed');
  const lacking = saidBy('row/key-blank');
  return issues.filter((issue) => {
    const at = formatPlace(issue.place);
    const isSaid = checked.has(at) || (issue.code !== 'row/key-blank' && lacking.has(at));
    return !isSaid || !hasTrait(issue, 'says-blank');
  });
}
