import type { Place } from '../core/issue.js';
import type { JsonObject } from '../core/json.js';
import type { DocumentState } from '../schema/document.js';
import type { Sql } from './database.js';
import { PAGE, pages } from './runs.js';

/** A document of a run with its body, number included. */
export interface RunBody {
  /** Of the document itself; for one that an earlier run had accepted, of the one in that run. */
  readonly id: number;
  readonly sequence: number;
  readonly key: string;
  readonly name?: string;
  readonly schema: string;
  readonly state: DocumentState;
  /** Absent where it never got a number. */
  readonly number?: { readonly prefix: string; readonly consecutive: number };
  readonly documentCode?: string;
  /** The record that it came from. */
  readonly place: Place;
  readonly body: JsonObject;
}

interface BodyRow {
  id: number;
  sequence: number;
  key: string;
  name: string | null;
  schema: string;
  state: DocumentState;
  prefix: string | null;
  consecutive: number | null;
  code: string | null;
  place: string | null;
  body: string;
}

const BODIES = `
  SELECT coalesce(d.earlier, d.id) AS id, d.sequence, d.key, d.name, d.schema, d.state, d.place, c.body,
    o.prefix, o.consecutive, o.document_code AS code
  FROM document d
  JOIN document o ON o.id = coalesce(d.earlier, d.id)
  JOIN run r ON r.id = o.run AND r.purged IS NULL
  JOIN content c ON c.document = o.id
  WHERE d.run = ? AND d.sequence > ? ORDER BY d.sequence LIMIT ${PAGE}`;

/** The documents of a run in order, but those whose run was purged; a page at a time: what is written meanwhile does not disturb. */
export async function* runBodies(journal: Sql, run: string): AsyncIterable<RunBody> {
  for await (const row of pages<BodyRow>(journal, BODIES, run)) yield toBody(row);
}

function toBody({ name, prefix, consecutive, code, place, body, ...row }: BodyRow): RunBody {
  const { column, label, ...record } = place === null ? {} : (JSON.parse(place) as Place);
  return {
    ...row,
    ...(name !== null && { name }),
    ...(consecutive !== null && { number: { prefix: prefix ?? '', consecutive } }),
    ...(code !== null && { documentCode: code }),
    place: record,
    body: JSON.parse(body) as JsonObject,
  };
}

/** Prefix and consecutive joined, as people and DIAN write it. */
export const numberText = ({ number }: Pick<RunBody, 'number'>): string =>
  number === undefined ? '' : `${number.prefix}${number.consecutive}`;
