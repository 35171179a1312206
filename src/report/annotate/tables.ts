import { fold } from '../../toolkit/core/text.js';
import { asciiXml } from '../cell-xml.js';
import type { NewParts } from './notes.js';
import { encoded, type Package, type PartContent, readable, relationKind } from './package.js';
import type { SheetEdit } from './patch-sheet.js';
import { rangeOf, refOf } from './sheet-plan.js';
import {
  attributeIn,
  attributesIn,
  childNamed,
  childrenOf,
  type Element,
  prefixOf,
  rootOf,
  unescapeXml,
  withAttribute,
} from './xml-tags.js';

/** Widens Excel tables that end where the columns of the copy begin; others stay. */
export async function widenTables(
  input: Package,
  sheetPart: string,
  { copyColumns, header }: Pick<SheetEdit, 'copyColumns' | 'header'>,
  parts: NewParts,
): Promise<void> {
  if (header === undefined || copyColumns.length === 0) return;
  for (const relation of await input.relations(sheetPart)) {
    if (relationKind(relation) !== 'table') continue;
    const part = await input.readIfThere(relation.target);
    if (part === undefined) continue;
    const text = widenedTable(part, copyColumns, header);
    if (text !== undefined) parts.set(relation.target, () => encoded([text], part.encoding));
  }
}

/** Returns a table widened over the columns; undefined if it has other rows, is a query, or is not adjacent. */
function widenedTable(
  { text, encoding }: PartContent,
  copyColumns: SheetEdit['copyColumns'],
  header: number,
): string | undefined {
  const root = rootOf(text);
  const { ref = '', headerRowCount, tableType } = attributesIn(text, root.start, root.tagEnd);
  const range = rangeOf(ref);
  const columns = childNamed(text, root, 'tableColumns');
  if (range === undefined || columns === undefined || range.top !== header) return undefined;
  if (headerRowCount === '0' || (tableType !== undefined && tableType !== 'worksheet')) return undefined;
  const added = copyColumns.filter(({ column }) => column > range.right);
  const right = added.at(-1)?.column;
  if (right === undefined || added.some(({ column }, at) => column !== range.right + 1 + at))
    return undefined;
  const known = [...childrenOf(text, columns)];
  const attributeOf = (child: Element, name: string): string =>
    unescapeXml(readable(attributeIn(text, child.start, child.tagEnd, name) ?? '', encoding));
  const names = new Set(known.map((child) => fold(attributeOf(child, 'name'))));
  if (added.some(({ title }) => names.has(fold(title)))) return undefined;

  const last = Math.max(0, ...known.map((child) => Number(attributeOf(child, 'id'))));
  const prefix = prefixOf(root.name);
  const more = added.map(
    ({ title }, at) => `<${prefix}tableColumn id="${last + 1 + at}" name="${asciiXml(title)}"/>`,
  );
  const over = (tag: string): string => {
    const tagRange = rangeOf(attributeIn(tag, 0, tag.length, 'ref') ?? '');
    return tagRange === undefined ? tag : withAttribute(tag, 'ref', refOf({ ...tagRange, right }));
  };
  const filter = childNamed(text, root, 'autoFilter');
  const count = String(known.length + added.length);
  const edits: readonly (readonly [from: number, to: number, text: string])[] = [
    [root.start, root.tagEnd, over(tagOf(text, root))],
    ...(filter === undefined ? [] : [[filter.start, filter.tagEnd, over(tagOf(text, filter))] as const]),
    [columns.start, columns.tagEnd, withAttribute(tagOf(text, columns), 'count', count)],
    [columns.contentEnd, columns.contentEnd, more.join('')],
  ];
  let done = '';
  let at = 0;
  for (const [from, to, instead] of edits) {
    done += text.slice(at, from) + instead;
    at = to;
  }
  return done + text.slice(at);
}

const tagOf = (text: string, { start, tagEnd }: Element): string => text.slice(start, tagEnd);
