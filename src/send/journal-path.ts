import { createHash } from 'node:crypto';
import { join } from 'node:path';

/** Readable, safe as a folder name, and different for different texts. */
function folder(text: string): string {
  const plain = text
    .toLowerCase()
    .replace(/[^a-z0-9.-]+/g, '_')
    .replace(/^[._]+/, '')
    .slice(0, 60);
  if (plain === text) return plain;
  return `${plain}-${createHash('sha256').update(text).digest('hex').slice(0, 8)}`;
}

/** The journal of one company at one address: `<workspace>/<host>/<company>/journal.db`. */
export function journalPath(of: { workspace: string; url: string; company: string }): string {
  const { host, pathname } = new URL(of.url);
  const address = `${host}${pathname.replace(/\/+$/, '')}`;
  return join(of.workspace, folder(address.replace(':', '_')), folder(of.company), 'journal.db');
}
