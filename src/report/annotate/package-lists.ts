import type { Relation } from './package.js';
import { attributesIn } from './xml-attributes.js';
import { childrenOf, contentOf, prefixOf, rootOf, withContent } from './xml-tags.js';

/** The two lists in which a new part must be named: content types, and the relationships of the part that uses it. */

export const CONTENT_TYPES = '[Content_Types].xml';
export const NOTES_TYPE = 'application/vnd.openxmlformats-officedocument.spreadsheetml.comments+xml';
export const STYLES_TYPE = 'application/vnd.openxmlformats-officedocument.spreadsheetml.styles+xml';
export const SHAPES_TYPE = 'application/vnd.openxmlformats-officedocument.vmlDrawing';
export const SHAPES_EXTENSION = 'vml';

const DECLARATION = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n';
export const NO_RELATIONS = `${DECLARATION}<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"></Relationships>`;

const attribute = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;');

function withChild(list: string, name: string, attributes: Readonly<Record<string, string>>): string {
  const root = rootOf(list);
  const written = Object.entries(attributes).map(([key, value]) => ` ${key}="${attribute(value)}"`);
  const child = `<${prefixOf(root.name)}${name}${written.join('')}/>`;
  return (
    list.slice(0, root.start) + withContent(list, root, contentOf(list, root) + child) + list.slice(root.end)
  );
}

/** The content types with one more for a part, or for all of an extension. */
export function withContentType(
  types: string,
  of: { part: string } | { extension: string },
  type: string,
): string {
  const [name, key, value] =
    'part' in of
      ? (['Override', 'PartName', `/${of.part}`] as const)
      : (['Default', 'Extension', of.extension] as const);
  for (const child of childrenOf(types, rootOf(types)))
    if (attributesIn(types, child.start, child.tagEnd)[key]?.toLowerCase() === value.toLowerCase())
      return types;
  return withChild(types, name, { [key]: value, ContentType: type });
}

/** The relationships with one more; its `target` is relative to the part that has them. */
export const withRelation = (relations: string, { id, type, target }: Relation): string =>
  withChild(relations, 'Relationship', { Id: id, Type: type, Target: target });

/** An id that no relationship of the list has. */
export function freeId(relations: string): string {
  const ids = new Set(
    [...childrenOf(relations, rootOf(relations))].map(
      (child) => attributesIn(relations, child.start, child.tagEnd)['Id'],
    ),
  );
  for (let n = 1; ; n++) if (!ids.has(`rId${n}`)) return `rId${n}`;
}
