import { posix } from 'node:path';
import { readXml } from './xml.js';
import type { ZipArchive } from './zip.js';

/** How one part of a package names another. */
export interface Relationship {
  readonly id: string;
  /** What the standard calls it, the same in transitional and strict files: `worksheet`, `styles`; the whole URI of other types. */
  readonly type: string;
  /** Name of the part it points at, from the root of the zip. */
  readonly target: string;
}

/** The namespaces of relationships in transitional and strict files, without their end. */
const RELATIONSHIPS =
  /^http:\/\/(?:schemas\.openxmlformats\.org\/officeDocument\/2006|purl\.oclc\.org\/ooxml\/officeDocument)\/relationships/;

export const isRelationships = (namespace: string | undefined): boolean =>
  namespace?.replace(RELATIONSHIPS, '') === '';

/** Relationships of a part, or of the package itself (`''`); none when their part is not there. Links to other files are left out. */
export async function readRelationships(zip: ZipArchive, source: string): Promise<readonly Relationship[]> {
  const folder = posix.dirname(source);
  const part = zip.part(posix.join(folder, '_rels', `${posix.basename(source)}.rels`));
  if (part === undefined) return [];
  const relations: Relationship[] = [];
  await readXml(zip, part, {
    open(name, attributes) {
      const target = attributes['Target'];
      if (name !== 'Relationship' || target === undefined || attributes['TargetMode'] === 'External') return;
      relations.push({
        id: attributes['Id'] ?? '',
        type: (attributes['Type'] ?? '').replace(RELATIONSHIPS, '').replace(/^\//, ''),
        target: posix.resolve('/', folder, target).slice(1),
      });
    },
  });
  return relations;
}
