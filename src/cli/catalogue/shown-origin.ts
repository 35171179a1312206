import { catalogue, catalogueOrigin, wholeCatalogue } from '../../catalogue/catalogue.js';
import { publishedTable } from '../../catalogue/published-tables.js';
import type { Language } from '../../issues/issue.js';
import { say } from '../say.js';

/** Where a code list comes from and which version it is, as people and programs read it. */
export interface ShownOrigin {
  readonly origin: 'shipped' | 'sample' | 'file' | 'service' | 'absent';
  readonly rows: number;
  readonly source?: string;
  /** ISO instant. */
  readonly at?: string;
  /** First characters of the hash of its rows. */
  readonly version?: string;
}

export function originOf(name: string): ShownOrigin {
  const loaded = catalogueOrigin(name);
  if (loaded !== undefined) {
    const { kind, rows, source, at, hash } = loaded;
    return { origin: kind, rows, source, at, version: hash.slice(0, 8) };
  }
  const rows = catalogue(name)?.rows.length;
  if (rows === undefined) return { origin: 'absent', rows: 0 };
  return { origin: wholeCatalogue(name) === undefined ? 'sample' : 'shipped', rows };
}

export function originText(language: Language, name: string): string {
  const { origin, rows, source = '', at = '', version = '' } = originOf(name);
  switch (origin) {
    case 'absent':
      return say(language, 'originAbsent', { sispro: publishedTable(name)?.sispro ?? '' });
    case 'sample':
      return say(language, 'originSample', { rows });
    case 'shipped':
      return say(language, 'originShipped', { rows });
    default:
      return say(language, 'originLoaded', { rows, source, at: at.slice(0, 10), version });
  }
}
