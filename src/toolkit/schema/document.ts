import { hash } from 'node:crypto';
import type { Column, Table } from '../../generated/mapping-types.js';
import type { SchemaName, SchemaTypes } from '../../generated/schema-types.js';
import { canonicalText } from '../core/canonical.js';
import type { Issue, Place } from '../core/issue.js';
import type { JsonObject, Pointer } from '../core/json.js';
import { getOrAdd } from '../core/remember.js';
import { resolved, rootNode, type SchemaNode } from './registry.js';

/** Members outside the hash, as a tree of keys: `true` omits the value, `*` means the items of a list. */
interface Outside {
  readonly [key: string]: true | Outside;
}

const NOTHING: Outside = {};

function outsideOf(node: SchemaNode, above: readonly string[]): Outside {
  if (node.$ref !== undefined && above.includes(node.$ref)) return NOTHING;
  const path = node.$ref === undefined ? above : [...above, node.$ref];
  const { properties, items, oneOf, anyOf } = resolved(node);
  const outside: Record<string, true | Outside> = {};
  const add = (key: string, child: SchemaNode): void => {
    const below = resolved(child)['x-outside-hash'] === true ? true : outsideOf(child, path);
    if (below !== NOTHING) outside[key] = below;
  };
  for (const [key, child] of Object.entries(properties ?? {})) add(key, child);
  if (items !== undefined) add('*', items);
  for (const branch of [...(oneOf ?? []), ...(anyOf ?? [])]) Object.assign(outside, outsideOf(branch, path));
  return Object.keys(outside).length === 0 ? NOTHING : outside;
}

const known = new Map<string, Outside>();

const outsideOfSchema = (name: string): Outside => getOrAdd(known, name, () => outsideOf(rootNode(name), []));

const inside = (outside: Outside, key: string): Outside => (outside[key] as Outside | undefined) ?? NOTHING;

/** Returns the content with sorted keys and without omitted members: equal content gives equal JSON. */
function canonical(value: unknown, outside: Outside): unknown {
  if (typeof value === 'string') return canonicalText(value);
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map((item) => canonical(item, inside(outside, '*')));
  const members = value as Readonly<Record<string, unknown>>;
  const kept: Record<string, unknown> = {};
  for (const key of Object.keys(members).sort()) {
    if (outside[key] !== true) kept[key] = canonical(members[key], inside(outside, key));
  }
  return kept;
}

/**
 * Hashes a document without what its schema marks `x-outside-hash` (number, issue date): SHA-256 in
 * hexadecimal. The journal recognises equal content by it. Throws on an unknown schema name.
 */
export const contentHash = (name: string, document: unknown): string =>
  hash('sha256', JSON.stringify(canonical(document, outsideOfSchema(name))));

/**
 * planned → sending → accepted | rejected | pending | unknown.
 * `pending` has a zip key to poll; `unknown` may have arrived and is queried, or sent again unchanged.
 */
export type DocumentState = 'planned' | 'sending' | 'accepted' | 'rejected' | 'pending' | 'unknown';

/** State shown to users: states without a response are `unsent`. */
export type OutcomeState = 'accepted' | 'rejected' | 'pending' | 'unknown' | 'unsent';

/** State of a document in a report; `held-back` was not sent because of an issue found here. */
export type DocumentFate = OutcomeState | 'held-back';

/** Final state of a document of a run. */
export interface Outcome {
  readonly sequence: number;
  readonly key: string;
  readonly name?: string;
  readonly state: DocumentFate;
  /** Prefix and consecutive joined as by DIAN: `NOM12`. */
  readonly number?: string;
  /** CUNE, CUV or CUDE. */
  readonly documentCode?: string;
  readonly zipKey?: string;
  readonly attempts: number;
  /** True if an earlier run had it accepted and this one sent nothing. */
  readonly earlier?: boolean;
  /** Number of the accepted note that later replaced or cancelled it. */
  readonly correctedBy?: string;
  readonly issues: readonly Issue[];
  /** Decision of a user who looked it up. */
  readonly settled?: Settled;
  /** First cell of its record. */
  readonly place?: Place;
}

export interface Settled {
  readonly by: string;
  /** `none`, a code or an id, as given. */
  readonly word: string;
  /** ISO instant. */
  readonly at: string;
  /** Result of a query by code: this document, one that nothing contradicts, or no query was possible. */
  readonly found?: 'ours' | 'open' | 'unasked';
}

/** read = used + skipped + heldBack. */
export interface RecordCounts {
  read: number;
  used: number;
  skipped: number;
  heldBack: number;
}

/** planned = made + heldBack. */
export interface DocumentCounts {
  planned: number;
  made: number;
  heldBack: number;
}

/** Use of a filled column: `declined` by the mapping with a reason, `unread` without a decision. */
export type ColumnRole = 'used' | 'control' | 'declined' | 'unread';

/** One filled column of the files. */
export interface ColumnAccount {
  readonly place: Place;
  readonly role: ColumnRole;
  /** Filled cells of a column that is not read. */
  readonly cells?: number;
  /** Sum of an amount column, if documents have totals. */
  readonly sum?: string;
  /** Comparison of a column that states a total, over its documents. */
  readonly total?: Reconciled;
  /** Reason of a declined column. */
  readonly reason?: string;
}

/** A column whose format cannot be seen in each of its texts. */
export interface StyledColumn extends Pick<Place, 'file' | 'sheet'> {
  /** 0-based. */
  readonly index: number;
  readonly read: NonNullable<Column['read']>;
  readonly style: {
    readonly decimal?: 'comma' | 'dot';
    readonly date?: 'dmy' | 'mdy' | 'ymd';
    readonly mixed?: boolean;
    readonly thousandths?: boolean;
  };
}

/** Value that rows above the records of an owner state, and the columns that it becomes. */
export type OwnerField = NonNullable<Table['owner_rows']>[number];

/** Table whose records have such columns. */
export interface OwnedTable extends Pick<Place, 'file' | 'sheet'> {
  readonly fields: readonly OwnerField[];
}

/** A total stated by files, compared with that of the documents' amounts. */
export interface Reconciled {
  /** Name of the total in mappings. */
  readonly name: string;
  readonly stated: string;
  readonly computed: string;
  readonly difference: string;
}

/** filled = used + control + declined + unread. */
type ColumnCounts = Record<'filled' | ColumnRole, number>;

export function countColumns(columns: readonly ColumnAccount[]): ColumnCounts {
  const counts: ColumnCounts = { filled: columns.length, used: 0, control: 0, declined: 0, unread: 0 };
  for (const { role } of columns) counts[role] += 1;
  return counts;
}

/** made = accepted + rejected + pending + unknown + unsent. */
export type OutcomeCounts = Record<OutcomeState, number>;

export const noRecords = (): RecordCounts => ({ read: 0, used: 0, skipped: 0, heldBack: 0 });
export const noDocuments = (): DocumentCounts => ({ planned: 0, made: 0, heldBack: 0 });
export const noOutcomes = (): OutcomeCounts => ({
  accepted: 0,
  rejected: 0,
  pending: 0,
  unknown: 0,
  unsent: 0,
});

/**
 * A valid document made from records; its number series (`consecutive`) is still empty. The journal stores it
 * as a `PlannedDocument`; sending it gives an `Outcome`.
 */
export interface Document<N extends SchemaName = SchemaName> {
  /** Position among the documents made, from 1. */
  readonly sequence: number;
  /** Key for users: the worker's document number. */
  readonly key: string;
  /** Name next to the key: the worker's name. */
  readonly name?: string;
  /** Further texts for lists, such as the seller of an invoice. */
  readonly details?: Readonly<Record<string, string>> | undefined;
  readonly schema: N;
  readonly body: JsonObject;
  /** SHA-256 of the body without number and issue date: the same content has the same hash. */
  readonly hash: string;
  /** Records of which it was made. */
  readonly records?: readonly Place[];
  /** Joined records, which may belong to other documents as well. */
  readonly beside?: readonly Place[];
  /** Places of both that count as read: neither parameters nor shared records. */
  readonly counted?: readonly Place[];
  readonly trace: Trace;
}

/** Returns the body as the type of its schema, against which it was validated. */
export const typedBody = <N extends SchemaName>({ body }: Document<N>): SchemaTypes[N] =>
  body as SchemaTypes[SchemaName] as SchemaTypes[N];

export const makeDocument = (made: Omit<Document, 'hash'>): Document => ({
  ...made,
  hash: contentHash(made.schema, made.body),
});

/** Returns the document with further members. Its hash stays the identity, whatever is sent. */
export const documentWith = <More extends object>(
  { sequence, key, name, details, schema, body, hash, counted, trace }: Document,
  more: More,
): Document & More => ({
  sequence,
  key,
  ...(name !== undefined && { name }),
  ...(details !== undefined && { details }),
  schema,
  body,
  hash,
  ...(counted !== undefined && { counted }),
  trace,
  ...more,
});

/**
 * Cells that fed each leaf; blank cells too, so that "missing" points at the cell to fill. A leaf without a
 * cell has the place of its parameter or mapping, a derived total that of its record.
 */
export type Trace = ReadonlyMap<Pointer, readonly Place[]>;

/** Pointer of a list item, or of something inside one. */
const IN_ITEM = /^(.*\/\d+)(?:\/|$)/;

function below(trace: Trace, pointer: Pointer): readonly Place[] {
  let first: readonly Place[] = [];
  for (const [leaf, places] of trace) {
    const [place] = places;
    if (place === undefined || !leaf.startsWith(`${pointer}/`)) continue;
    if (place.row !== undefined) return places;
    if (first.length === 0) first = places;
  }
  return first;
}

/**
 * Returns the places of a pointer: its own, else those of the first leaf below with cells, else the record of
 * the list item. Empty if there is none: a neighbouring leaf explains nothing.
 */
export function placesOf(trace: Trace, pointer: Pointer): readonly Place[] {
  const places = trace.get(pointer);
  if (places !== undefined && places.length > 0) return places;
  const inside = pointer === '' ? [] : below(trace, pointer);
  if (inside.length > 0) return inside;
  const item = IN_ITEM.exec(pointer)?.[1];
  const [cell] = item === undefined ? [] : below(trace, item);
  if (cell?.row === undefined) return [];
  const { column: _, label: __, ...record } = cell;
  return [record];
}
