import type { Message } from '../messages/texts.js';
import type { LawTableState } from '../schema/law-state.js';

/** Characters of the fingerprint of a key that people compare. */
const KEY_LENGTH = 16;

/** Names what was taken for a law table: a pack with its author and key, or a table of the user's own. */
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

/** Says what a law table is made of. */
export const lawMade = (
  { rows, origins }: Pick<LawTableState, 'rows' | 'origins'>,
  worded: (message: Message) => string,
): string =>
  origins.length === 0
    ? worded({ key: 'originShipped', params: { rows: String(rows) } })
    : origins.map((origin) => worded(originMessage(origin))).join('; ');
