import type { SchemaName } from '../generated/schema-types.js';
import type { Place } from '../toolkit/core/issue.js';
import type { JsonObject } from '../toolkit/core/json.js';
import type { DocumentState } from '../toolkit/schema/document.js';
import type { Sql } from './database.js';
import type { Series } from './kind.js';
import { PAGE, pages } from './runs.js';
import type { Ids, Made, Position } from './state-machine.js';

/** Document in the journal, with its number and position. */
export interface PlannedDocument {
  readonly id: number;
  readonly sequence: number;
  readonly key: string;
  /** Name of the person it is about, as its file gives it. */
  readonly name?: string;
  readonly schema: SchemaName;
  readonly hash: string;
  /** Exact text that is sent. */
  readonly body: string;
  /** Number as users know it; the key if it has none. */
  readonly number: string;
  readonly series?: Series;
  readonly consecutive?: number;
  /** Time of the last change of state, in ms. */
  readonly updated: number;
  readonly position: Position;
}

/** Parses the body; the journal holds only valid ones. */
export const bodyOf = ({ body }: Pick<PlannedDocument, 'body'>): JsonObject => JSON.parse(body) as JsonObject;

export interface PlannedRow {
  readonly id: number;
  readonly sequence: number;
  readonly key: string;
  readonly name: string | null;
  readonly schema: SchemaName;
  readonly hash: string;
  readonly body: string;
  readonly number: string;
  readonly typeDocumentId: number | null;
  readonly prefix: string | null;
  readonly consecutive: number | null;
  readonly updated: number;
  readonly state: DocumentState;
  readonly doubt: number;
  readonly documentCode: string | null;
  readonly zipKey: string | null;
  readonly made: string | null;
}

/** Columns selected of a document `d` and its `content`; `o` is the document whose number and code it has. */
const plannedColumns = (o = 'd'): string => `
  ${o}.id, d.sequence, d.key, d.name, d.schema, d.hash, c.body, coalesce(${o}.number, ${o}.prefix || ${o}.consecutive, ${o}.key) AS number,
  ${o}.type_document_id AS "typeDocumentId", ${o}.prefix, ${o}.consecutive, d.updated, d.state, d.doubt,
  ${o}.document_code AS "documentCode", ${o}.zip_key AS "zipKey", ${o}.made`;

/** Value of `document.doubt` in a restored journal, which may lack later results. */
export const RESTORED = 2;

export const doubtOf = ({ doubt, restored }: Position): number => (restored ? RESTORED : doubt ? 1 : 0);

/** Formats the ids of a position, with their evidence, for `document.made`. */
export function idsToText({ made, shownStages, settledId, spentIds }: Ids): string | null {
  return made === undefined && spentIds === undefined
    ? null
    : JSON.stringify({ ...made, shownStages, settledId, spentIds });
}

export function idsFromText(text: string | null): Ids {
  if (text === null) return {};
  const { shownStages, settledId, spentIds, ...made } = JSON.parse(text) as Made & Omit<Ids, 'made'>;
  return {
    made,
    ...(shownStages !== undefined && { shownStages }),
    ...(settledId !== undefined && { settledId }),
    ...(spentIds !== undefined && { spentIds }),
  };
}

const toPlanned = (row: PlannedRow): PlannedDocument => ({
  id: row.id,
  sequence: row.sequence,
  key: row.key,
  ...(row.name !== null && { name: row.name }),
  schema: row.schema,
  hash: row.hash,
  body: row.body,
  number: row.number,
  ...(row.typeDocumentId !== null && {
    series: { typeDocumentId: row.typeDocumentId, prefix: row.prefix ?? '' },
  }),
  ...(row.consecutive !== null && { consecutive: row.consecutive }),
  updated: row.updated,
  position: {
    state: row.state,
    doubt: row.doubt > 0,
    ...(row.doubt === RESTORED && { restored: true }),
    ...(row.documentCode !== null && { documentCode: row.documentCode }),
    ...(row.zipKey !== null && { zipKey: row.zipKey }),
    ...idsFromText(row.made),
  },
});

/** SQL of a page of a run's documents that fulfil a condition, by sequence. */
export const plannedPage = (condition: string): string => `
  SELECT ${plannedColumns()} FROM document d JOIN content c ON c.document = d.id
  WHERE d.run = ? AND d.sequence > ? AND ${condition} ORDER BY d.sequence LIMIT ${PAGE}`;

/** Yields the documents of a run page by page; writes in between do not disturb. */
export async function* plannedBy(journal: Sql, page: string, run: string): AsyncIterable<PlannedDocument> {
  for await (const row of pages<PlannedRow>(journal, page, run)) yield toPlanned(row);
}

/** Document of a run, sent or not, with its record's place. */
export interface PlannedDocumentOfRun extends PlannedDocument {
  readonly place: Place;
}

const CORRECTED = `
  SELECT p.id, coalesce(p.number, p.prefix || p.consecutive) AS number, coalesce(n.number, n.prefix || n.consecutive) AS by
  FROM document n JOIN document p ON p.id = n.predecessor
  WHERE p.id IN (SELECT coalesce(earlier, id) FROM document WHERE run = ?) AND n.state = 'accepted' AND n.earlier IS NULL
  ORDER BY p.id, n.id`;

interface Corrected {
  readonly id: number;
  readonly number: string;
  /** Number of the accepted note that replaced or deleted it. */
  readonly by: string;
}

/** Returns the documents of a run, or of what it repeats, that were corrected since; by id in the journal. */
export const correctedIn = async (journal: Sql, run: string): Promise<ReadonlyMap<number, Corrected>> =>
  new Map((await journal.all<Corrected>(CORRECTED, run)).map((corrected) => [corrected.id, corrected]));

const ALL = `
  SELECT ${plannedColumns('o')}, d.place
  FROM document d
  JOIN document o ON o.id = coalesce(d.earlier, d.id)
  JOIN run r ON r.id = o.run AND r.purged IS NULL
  JOIN content c ON c.document = o.id
  WHERE d.run = ? AND d.sequence > ? ORDER BY d.sequence LIMIT ${PAGE}`;

/**
 * Yields the documents of a run in order, without those of purged runs. A document that an earlier run had accepted
 * has that run's id, number and code.
 */
export async function* plannedOf(journal: Sql, run: string): AsyncIterable<PlannedDocumentOfRun> {
  for await (const row of pages<PlannedRow & { readonly place: string | null }>(journal, ALL, run)) {
    const { column, label, ...place } = row.place === null ? {} : (JSON.parse(row.place) as Place);
    yield { ...toPlanned(row), place };
  }
}
