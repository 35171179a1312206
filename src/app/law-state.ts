import { sha256 } from '../toolkit/core/sha256.js';
import type { Message } from '../toolkit/messages/texts.js';
import { type CatalogueRow, lawLayers, lawLayersOf, requiredCatalogue } from '../toolkit/schema/catalogue.js';
import { csvOf } from '../toolkit/schema/catalogue-text.js';
import { joinedLawKey, type LawOrigin, type LawUsed, lawTables } from '../toolkit/schema/law-tables.js';

/** Law table in force: its period, digest, and origin of rows besides the shipped ones. */
export interface LawTableState {
  readonly name: string;
  readonly rows: number;
  /** The first day, or blank for all days before. */
  readonly first: string;
  /** The last day, or blank for all days to come. */
  readonly last: string;
  /** SHA-256 of its rows in the order of their keys, in hexadecimal. */
  readonly hash: string;
  readonly origins: readonly (LawOrigin & { readonly rows: number })[];
}

/** Compares by code units, so the order is the same on every computer. */
const order = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

const firstOf = ({ year, valid_from: from = '' }: CatalogueRow): string =>
  year === undefined ? from : `${year}-01-01`;
/** Returns the last day of a row; `OPEN`, which sorts last, if it has none. */
const lastOf = ({ year, valid_to: to = '' }: CatalogueRow): string =>
  year === undefined ? to || OPEN : `${year}-12-31`;
const OPEN = '~';

export function lawTableState(name: string): LawTableState {
  const list = requiredCatalogue(name);
  const rows = list.rows.toSorted((a, b) => order(joinedLawKey(name, a), joinedLawKey(name, b)));
  const [first = ''] = rows.map(firstOf).sort(order);
  const last = rows.map(lastOf).sort(order).at(-1) ?? OPEN;
  return {
    name,
    rows: rows.length,
    first,
    last: last === OPEN ? '' : last,
    hash: sha256(csvOf({ columns: list.columns, rows })),
    origins: lawLayersOf(name).map(({ rows, ...origin }) => ({ ...origin, rows: rows.length })),
  };
}

export const lawTableStates = (): readonly LawTableState[] =>
  Object.keys(lawTables()).sort(order).map(lawTableState);

/** Returns the law in force by its digests. */
export const lawUsed = (): LawUsed => ({
  sha256: sha256(
    lawTableStates()
      .map(({ name, hash }) => `${name} ${hash}\n`)
      .join(''),
  ),
  sources: lawLayers().map(({ source, hash, tables }) => ({
    source,
    sha256: hash,
    tables: Object.keys(tables).sort(order),
  })),
});

/** Length of a key fingerprint for users to compare. */
const KEY_LENGTH = 16;

/** Describes an origin: a pack with author and key, or the user's own table. */
function originMessage({
  kind,
  rows,
  source,
  at,
  author = '–',
  key,
}: LawTableState['origins'][number]): Message {
  const params = { rows: String(rows), source, at: at.slice(0, 10) };
  if (kind === 'file') return { key: 'lawOwn', params };
  return key === undefined
    ? { key: 'lawPack', params: { ...params, author } }
    : { key: 'lawPackSigned', params: { ...params, author, key: key.slice(0, KEY_LENGTH) } };
}

export const lawMade = (
  { rows, origins }: Pick<LawTableState, 'rows' | 'origins'>,
  worded: (message: Message) => string,
): string =>
  origins.length === 0
    ? worded({ key: 'originShipped', params: { rows: String(rows) } })
    : origins.map((origin) => worded(originMessage(origin))).join('; ');
