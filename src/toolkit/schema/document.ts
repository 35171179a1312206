import { hash } from 'node:crypto';
import type { Column } from '../../generated/mapping-types.js';
import type { SchemaName, SchemaTypes } from '../../generated/schema-types.js';
import { canonicalText } from '../core/canonical.js';
import type { Issue, Place } from '../core/issue.js';
import type { JsonObject, Pointer } from '../core/json.js';
import { resolved, rootNode, type SchemaNode } from './registry.js';

/** Members that do not count, as a tree of keys; `true` leaves the whole value out, `*` stands for the items of a list. */
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

function outsideOfSchema(name: string): Outside {
  const found = known.get(name) ?? outsideOf(rootNode(name), []);
  known.set(name, found);
  return found;
}

const inside = (outside: Outside, key: string): Outside => (outside[key] as Outside | undefined) ?? NOTHING;

/** The same content with keys in order and without what does not count: equal content gives equal JSON. */
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
 * SHA-256 in hexadecimal of a document without what its schema marks `x-outside-hash`: number and issue date.
 * The same content has the same hash, so that a journal knows it again. Throws on an unknown schema name.
 */
export const contentHash = (name: string, document: unknown): string =>
  hash('sha256', JSON.stringify(canonical(document, outsideOfSchema(name))));

/**
 * planned → sending → accepted | rejected | pending | unknown.
 * pending has a zip key to poll; unknown may or may not have landed and must be asked or sent again unchanged.
 */
export type DocumentState = 'planned' | 'sending' | 'accepted' | 'rejected' | 'pending' | 'unknown';

/** What a person sees of a document: states that carry no answer yet read `unsent`. */
export type OutcomeState = 'accepted' | 'rejected' | 'pending' | 'unknown' | 'unsent';

/** `held-back`: it has no answer and gets none, since what is known here kept it from leaving. */
export type DocumentFate = OutcomeState | 'held-back';

/** What came of a document. */
export interface Outcome {
  readonly sequence: number;
  readonly key: string;
  readonly name?: string;
  readonly state: DocumentFate;
  /** Prefix and consecutive as DIAN joins them: `NOM12`. */
  readonly number?: string;
  /** CUNE, CUV or CUDE. */
  readonly documentCode?: string;
  readonly zipKey?: string;
  readonly attempts: number;
  /** True when an earlier run had it accepted and this one sent nothing. */
  readonly earlier?: boolean;
  /** Number of the accepted note that replaced it, or took it back, later. */
  readonly correctedBy?: string;
  readonly issues: readonly Issue[];
  /** What a person said of it who had looked it up. */
  readonly settled?: Settled;
  /** The first cell of its record. */
  readonly place?: Place;
}

export interface Settled {
  readonly by: string;
  /** `none`, a code or an id, as it was said. */
  readonly word: string;
  /** ISO instant. */
  readonly at: string;
  /** What asking with a code showed: this document, one that nothing contradicts, or nothing, since nobody could be asked. */
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

/** What a filled column is for: `declined` by the mapping with a reason, `unread` by nobody's decision. */
export type ColumnRole = 'used' | 'control' | 'declined' | 'unread';

/** One filled column of the files. */
export interface ColumnAccount {
  readonly place: Place;
  readonly role: ColumnRole;
  /** Filled cells, of a column that is not read. */
  readonly cells?: number;
  /** Of amounts, where documents have totals. */
  readonly sum?: string;
  /** Of a column that states a total: what it comes to over the documents that are compared with it. */
  readonly total?: Reconciled;
  /** Why it is declined. */
  readonly reason?: string;
}

/** A column whose texts are read in a way that not each of them shows by itself. */
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

/** A total that files state, against what the amounts that documents use come to. */
export interface Reconciled {
  /** What mappings call it. */
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
 * A document made from records and found good, as its schema wants it; its number series (`consecutive`) is still to be
 * filled. It becomes a `Spooled` in the journal, and an `Outcome` when it was sent.
 */
export interface Document<N extends SchemaName = SchemaName> {
  /** Position among the documents made, from 1. */
  readonly sequence: number;
  /** What people call it: the worker's document number. */
  readonly key: string;
  /** What people read beside the key: the worker's name. */
  readonly name?: string;
  /** What lists show beside that, such as the seller of an invoice. */
  readonly details?: Readonly<Record<string, string>> | undefined;
  readonly schema: N;
  readonly body: JsonObject;
  /** SHA-256 of the body without number and issue date: the same content has the same hash. */
  readonly hash: string;
  /** The records that it was made of. */
  readonly records?: readonly Place[];
  /** The records that those join, of which other documents may be made too. */
  readonly beside?: readonly Place[];
  /** Those of both that count as records read: no parameters, and nothing that belongs to every document. */
  readonly counted?: readonly Place[];
  readonly trace: Trace;
}

/** The body by the type of its schema, which it was validated against. */
export const typedBody = <N extends SchemaName>({ body }: Document<N>): SchemaTypes[N] =>
  body as SchemaTypes[SchemaName] as SchemaTypes[N];

export const makeDocument = (made: Omit<Document, 'hash'>): Document => ({
  ...made,
  hash: contentHash(made.schema, made.body),
});

/** The same document with other, or more, members. Its hash stays, by which it is known again whatever is sent of it. */
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
 * Which cells fed a leaf; blank cells too, so that "missing" points at the cell to fill. What no cell fed stands at the parameter
 * or the mapping that gave it, a derived total at its record.
 */
export type Trace = ReadonlyMap<Pointer, readonly Place[]>;

/** An item of a list, or something inside one. */
const IN_ITEM = /^(.*\/\d+)(?:\/|$)/;

function below(trace: Trace, pointer: Pointer): readonly Place[] {
  let first: readonly Place[] = [];
  for (const [leaf, places] of trace) {
    if (places.length === 0 || !leaf.startsWith(`${pointer}/`)) continue;
    if (places[0]!.row !== undefined) return places;
    if (first.length === 0) first = places;
  }
  return first;
}

/**
 * The places of a pointer: its own, or for an object or a list those of the first leaf in it that has cells. What an item of a
 * list lacks stands at the item's record. A leaf beside it explains nothing: without any of these there is no place.
 */
export function placesOf(trace: Trace, pointer: Pointer): readonly Place[] {
  const own = trace.get(pointer);
  if (own !== undefined && own.length > 0) return own;
  const inside = pointer === '' ? [] : below(trace, pointer);
  if (inside.length > 0) return inside;
  const item = IN_ITEM.exec(pointer)?.[1];
  const [cell] = item === undefined ? [] : below(trace, item);
  if (cell?.row === undefined) return [];
  const { column: _, label: __, ...record } = cell;
  return [record];
}
