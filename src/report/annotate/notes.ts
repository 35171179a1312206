import { posix } from 'node:path';
import { MAX_SHEET_COLUMNS, MAX_SHEET_ROWS } from '../../toolkit/core/limits.js';
import { columnLetter } from '../../toolkit/core/text.js';

import { asciiXml } from '../cell-xml.js';
import {
  type Directory,
  encoded,
  freeId,
  NEW_PART,
  NO_RELATIONS,
  NOTES_TYPE,
  type Package,
  type PartContent,
  relationKind,
  relationsName,
  SHAPES_EXTENSION,
  SHAPES_TYPE,
  withRelation,
} from './package.js';
import type { NamedRelation, Note, SheetEdit } from './patch-sheet.js';
import {
  AUTHOR,
  type ColumnRange,
  columnWidth,
  copyColumnRange,
  EXTENSION_LINE,
  FIRST_LINE,
  noteText,
  rangeOf,
} from './sheet-plan.js';
import {
  attributeIn,
  childNamed,
  childrenOf,
  contentOf,
  type Element,
  prefixOf,
  rawOf,
  rootOf,
  unescapeXml,
} from './xml-tags.js';

/** Comments part of a sheet: existing comments without those of an earlier copy, and the new ones. */
type NotesPart = ReturnType<typeof notesPart>;

const empty = (namespace: string): string =>
  `<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n<comments xmlns="${namespace}"><authors></authors><commentList></commentList></comments>`;

const cellKey = ({ row, column }: { readonly row: number; readonly column: number }): string =>
  `${row}:${column}`;

/** Builds the comments part. `namespace` is that of the workbook's elements. */
function notesPart(existing: PartContent | undefined, notes: readonly Note[], namespace: string) {
  const text = existing?.text ?? empty(namespace);
  const root = rootOf(text);
  const prefix = prefixOf(root.name);
  const authorList = childNamed(text, root, 'authors');
  const list = childNamed(text, root, 'commentList');
  const authors =
    authorList === undefined ? [] : [...childrenOf(text, authorList)].map((child) => rawOf(text, child));
  let ownAuthor = authors.findIndex((author) => unescapeXml(contentOf(author, rootOf(author))) === AUTHOR);

  const commentByCell = new Map<string, string>();
  const dropped = new Set<string>();
  for (const comment of list === undefined ? [] : childrenOf(text, list)) {
    const key = keyOf(text, comment);
    const author = Number(attributeIn(text, comment.start, comment.tagEnd, 'authorId') ?? -1);
    if ((ownAuthor >= 0 && author === ownAuthor) || isOwnComment(rawOf(text, comment))) dropped.add(key);
    else commentByCell.set(key, withoutExtension(rawOf(text, comment)));
  }
  const added: Note[] = [];
  for (const note of notes) {
    const before = commentByCell.size === 0 ? undefined : commentByCell.get(cellKey(note));
    if (before === undefined) added.push(note);
    else commentByCell.set(cellKey(note), withExtension(before, noteText(note.mark.texts), prefix));
  }
  if (ownAuthor < 0 && added.length > 0)
    ownAuthor = authors.push(`<${prefix}author>${AUTHOR}</${prefix}author>`) - 1;

  return {
    /** True if nothing is removed and nothing is added. */
    unchanged: dropped.size === 0 && notes.length === 0 && !text.includes(EXTENSION_LINE),
    /** Cells, as `row:column`, whose comment an earlier copy made; their shapes are removed too. */
    dropped,
    /** Comments on cells without another author's comment: they need shapes. */
    added,
    *pieces(): Generator<string> {
      yield text.slice(0, root.tagEnd);
      yield `<${prefix}authors>${authors.join('')}</${prefix}authors><${prefix}commentList>`;
      yield* commentByCell.values();
      for (const note of added)
        yield `<${prefix}comment ref="${columnLetter(note.column)}${note.row}" authorId="${ownAuthor}" shapeId="0"><${prefix}text>${run(FIRST_LINE, prefix, true)}${run(`\n${noteText(note.mark.texts)}`, prefix)}</${prefix}text></${prefix}comment>`;
      yield `</${prefix}commentList>`;
      // Extensions of later versions may follow the list.
      yield text.slice(list?.end ?? authorList?.end ?? root.contentEnd);
    },
  };
}

function keyOf(text: string, comment: Element): string {
  const range = rangeOf(attributeIn(text, comment.start, comment.tagEnd, 'ref') ?? '');
  return range === undefined ? `at ${comment.start}` : cellKey({ row: range.top, column: range.left });
}

const run = (text: string, prefix: string, bold = false): string =>
  `<${prefix}r><${prefix}rPr>${bold ? `<${prefix}b/>` : ''}<${prefix}sz val="9"/><${prefix}color indexed="81"/><${prefix}rFont val="Tahoma"/><${prefix}family val="2"/></${prefix}rPr>` +
  `<${prefix}t xml:space="preserve">${asciiXml(text)}</${prefix}t></${prefix}r>`;

const OWN_START = new RegExp(`^\\s*${FIRST_LINE}\\s*\\n`);
const isOwnComment = (comment: string): boolean =>
  OWN_START.test(unescapeXml(comment.replaceAll(/<[^<>]*>/g, '')));

/** Appends our text to a comment of a user. */
function withExtension(comment: string, text: string, prefix: string): string {
  const body = childNamed(comment, rootOf(comment), 'text');
  if (body === undefined || body.contentEnd === body.end) return comment;
  const more = run(`\n${EXTENSION_LINE}\n${text}`, prefix);
  const content = contentOf(comment, body);
  // A run cannot follow a text without runs.
  const first = childrenOf(comment, body).next().value;
  const runs = first?.local === 't' ? `<${prefix}r>${content}</${prefix}r>` : content;
  return comment.slice(0, body.tagEnd) + runs + more + comment.slice(body.contentEnd);
}

const LINE_END = /(?:\s|&#(?:10|13|x0?[ad]);)$/i;
/** Max length of a line end: the longest reference. */
const LINE_END_LENGTH = '&#x0a;'.length;

function withoutLineEnds(text: string): string {
  let end = text.length;
  for (;;) {
    const [lineEnd] = LINE_END.exec(text.slice(Math.max(0, end - LINE_END_LENGTH), end)) ?? [];
    if (lineEnd === undefined) return text.slice(0, end);
    end -= lineEnd.length;
  }
}

/** Removes what an earlier copy appended to a comment: everything from our line on. */
function withoutExtension(comment: string): string {
  const line = comment.indexOf(EXTENSION_LINE);
  const body = line < 0 ? undefined : childNamed(comment, rootOf(comment), 'text');
  if (body === undefined) return comment;
  let runs = '';
  for (const child of childrenOf(comment, body)) {
    if (child.end <= line) {
      runs += rawOf(comment, child);
      continue;
    }
    // A program that joins runs puts our text at the end of the user's run.
    const userText = withoutLineEnds(comment.slice(child.start, line));
    if (!userText.endsWith('>')) runs += userText + comment.slice(comment.indexOf('<', line), child.end);
    break;
  }
  return comment.slice(0, body.tagEnd) + runs + comment.slice(body.contentEnd);
}

/** Column widths of a sheet, by which the box of a comment is placed. */
interface Geometry {
  readonly columns: readonly ColumnRange[];
  readonly defaultWidth: number;
}

const SHAPES_ROOT =
  '<xml xmlns:v="urn:schemas-microsoft-com:vml" xmlns:o="urn:schemas-microsoft-com:office:office" xmlns:x="urn:schemas-microsoft-com:office:excel">';
const shapeLayout = (clusters: number): string =>
  `<o:shapelayout v:ext="edit"><o:idmap v:ext="edit" data="${Array.from({ length: clusters }, (_, index) => index + 1).join(',')}"/></o:shapelayout>`;
const SHAPE_TYPE_ID = '_x0000_t202';
const SHAPE_TYPE = `<v:shapetype id="${SHAPE_TYPE_ID}" coordsize="21600,21600" o:spt="202" path="m,l,21600r21600,l21600,xe"><v:stroke joinstyle="miter"/><v:path gradientshapeok="t" o:connecttype="rect"/></v:shapetype>`;
/** Number of ids in a cluster of shapes; the first id of each stays unused. */
const IDS_PER_CLUSTER = 1024;

const SHAPE_TAG = /<(\/?)((?:\w+:)?)shape(?=[\s>])[^<>]*>/g;
const SHAPE_ID = /_x0000_s(\d{1,9})\b/g;

/**
 * Yields the shapes part without those of dropped comments, with a shape for each added one. It is not
 * always XML, so it is edited as text.
 */
function* shapePieces(
  existing: string | undefined,
  dropped: ReadonlySet<string>,
  added: readonly Note[],
  geometry: Geometry,
): Generator<string> {
  const remaining = withoutShapes(existing ?? '', (shape) => dropped.has(noteCell(shape)));
  const ids = [...remaining.matchAll(SHAPE_ID)].map((match) => Number(match[1]));
  const first = ids.reduce((most, id) => Math.max(most, id), IDS_PER_CLUSTER) + 1;
  const end = remaining.lastIndexOf('</');
  if (end < 0) yield SHAPES_ROOT + shapeLayout(Math.floor((first + added.length) / IDS_PER_CLUSTER));
  else yield remaining.slice(0, end);
  if (!remaining.includes(`id="${SHAPE_TYPE_ID}"`)) yield withNamespaces(SHAPE_TYPE, remaining);
  for (const [index, note] of added.entries())
    yield withNamespaces(shapeOf(note, first + index, geometry), remaining);
  yield end < 0 ? '</xml>' : remaining.slice(end);
}

function withoutShapes(part: string, isDropped: (shape: string) => boolean): string {
  let remaining = '';
  let at = 0;
  let open: { readonly start: number; readonly prefix: string } | undefined;
  for (const { 0: tag, 1: slash, 2: prefix = '', index } of part.matchAll(SHAPE_TAG)) {
    if (slash === '' && !tag.endsWith('/>')) open ??= { start: index, prefix };
    if (slash === '' || open?.prefix !== prefix) continue;
    const end = index + tag.length;
    if (isDropped(part.slice(open.start, end))) {
      remaining += part.slice(at, open.start);
      at = end;
    }
    open = undefined;
  }
  return remaining + part.slice(at);
}

/** Returns the cell of a comment's shape; empty for buttons and pictures. */
function noteCell(shape: string): string {
  if (!/ObjectType\s*=\s*["']Note["']/.test(shape)) return '';
  const row = /<(?:\w+:)?Row>\s*(\d+)/.exec(shape)?.[1];
  const column = /<(?:\w+:)?Column>\s*(\d+)/.exec(shape)?.[1];
  return cellKey({ row: Number(row) + 1, column: Number(column) });
}

/** Declares on the element the prefixes that the existing part lacks. */
function withNamespaces(element: string, part: string): string {
  if (part === '') return element;
  const missing = [...SHAPES_ROOT.matchAll(/ (xmlns:\w)="[^"]*"/g)].filter(
    (match) => !part.includes(`${match[1]}=`),
  );
  return element.replace(/^<[\w:]+/, (name) => name + missing.map(([declaration]) => declaration).join(''));
}

const BOX_PIXELS = 320;
/** Letters of Tahoma 9 on a line, within the margins of the box. */
const LETTERS_A_LINE = 48;
const LINE_PIXELS = 15;
const MARGIN_PIXELS = 12;
const ROW_PIXELS = 20;
/** Width of a digit in the default font; a column adds the padding. */
const DIGIT_PIXELS = 7;
const PADDING_PIXELS = 5;
const POINTS_A_PIXEL = 0.75;

function shapeOf({ row, column, mark }: Note, id: number, geometry: Geometry): string {
  const lines = `${FIRST_LINE}\n${noteText(mark.texts)}`
    .split('\n')
    .reduce((sum, line) => sum + Math.max(1, Math.ceil(line.length / LETTERS_A_LINE)), 0);
  const height = lines * LINE_PIXELS + MARGIN_PIXELS;
  const [left, right, rightOffset] = boxColumns(column, geometry);
  const top = Math.max(0, Math.min(row - 2, MAX_SHEET_ROWS - 1 - Math.ceil(height / ROW_PIXELS) - 1));
  const bottom = top + Math.floor((height + 4) / ROW_PIXELS);
  const anchor = [left, 12, top, 4, right, rightOffset, bottom, (height + 4) % ROW_PIXELS].join(', ');
  const size = `width:${BOX_PIXELS * POINTS_A_PIXEL}pt;height:${height * POINTS_A_PIXEL}pt`;
  return (
    `<v:shape id="_x0000_s${id}" type="#${SHAPE_TYPE_ID}" style="position:absolute;margin-left:60pt;margin-top:2pt;${size};z-index:1;visibility:hidden" fillcolor="#ffffe1" o:insetmode="auto">` +
    '<v:fill color2="#ffffe1"/><v:shadow on="t" color="black" obscured="t"/><v:path o:connecttype="none"/>' +
    '<v:textbox style="mso-direction-alt:auto"><div style="text-align:left"></div></v:textbox>' +
    `<x:ClientData ObjectType="Note"><x:MoveWithCells/><x:SizeWithCells/><x:Anchor>${anchor}</x:Anchor><x:AutoFill>False</x:AutoFill><x:Row>${row - 1}</x:Row><x:Column>${column}</x:Column></x:ClientData></v:shape>`
  );
}

/** Returns the left column, the right column and the pixels into the right one, for a box next to a column. */
function boxColumns(column: number, { columns, defaultWidth }: Geometry): readonly [number, number, number] {
  const pixels = (at: number): number => {
    const width = columnWidth(columns, at, defaultWidth);
    return width === 0 ? 0 : Math.round(width * DIGIT_PIXELS) + PADDING_PIXELS;
  };
  const left = Math.min(column + 1, MAX_SHEET_COLUMNS - 6);
  let rest = BOX_PIXELS + 12;
  let right = left;
  while (right < MAX_SHEET_COLUMNS - 1 && rest > pixels(right)) rest -= pixels(right++);
  return [left, right, Math.min(rest, pixels(right))];
}

/** Parts to write, by name: new ones, or replacements. */
export type NewParts = Map<string, () => AsyncIterable<Buffer>>;

export interface AddedType {
  readonly of: { readonly part: string } | { readonly extension: string };
  readonly type: string;
}

const NAMESPACES = {
  transitional: 'http://schemas.openxmlformats.org/spreadsheetml/2006/main',
  strict: 'http://purl.oclc.org/ooxml/spreadsheetml/main',
} as const;

/** Returns the namespace of the workbook's elements. */
export const sheetNamespace = ({ relationTypes }: Directory): string =>
  NAMESPACES[relationTypes.includes('purl.oclc.org') ? 'strict' : 'transitional'];

/**
 * Adds the comments of one sheet: a part with their texts, and one with the boxes in which Excel shows them.
 * Adds changed parts to `parts` and `types`.
 * @returns the relationship that the sheet must name, if it has none yet
 */
export async function addNotes(
  input: Package,
  directory: Directory,
  sheetPart: string,
  edit: SheetEdit,
  parts: NewParts,
  types: AddedType[],
): Promise<NamedRelation | undefined> {
  const { relationTypes } = directory;
  const { survey } = edit;
  const relations = await input.relations(sheetPart);
  const listName = relationsName(sheetPart);
  const list = await input.readIfThere(listName);
  const notesName = relations.find((relation) => relationKind(relation) === 'comments')?.target;
  const oldNotes = notesName === undefined ? undefined : await input.readIfThere(notesName);
  const notes = notesPart(oldNotes, edit.notes, sheetNamespace(directory));
  if (notes.unchanged) return undefined;

  let relationList = list?.text ?? NO_RELATIONS;
  const taken = new Set(parts.keys());
  const related = (id: string, kind: string, part: string): void => {
    const target = posix.relative(posix.dirname(sheetPart), part);
    relationList = withRelation(relationList, { id, type: `${relationTypes}/${kind}`, target });
  };

  const notesTo = notesName ?? input.freeName('xl/comments#.xml', taken);
  if (notesName === undefined) {
    related(freeId(relationList), 'comments', notesTo);
    types.push({ of: { part: notesTo }, type: NOTES_TYPE });
  }
  parts.set(notesTo, () => encoded(notes.pieces(), oldNotes?.encoding ?? NEW_PART));

  const shapesName = relations.find(({ id }) => id === survey.legacyDrawing)?.target;
  const shapesTo = shapesName ?? input.freeName('xl/drawings/vmlDrawing#.vml', taken);
  const shapesId = survey.legacyDrawing ?? freeId(relationList);
  if (shapesName === undefined) {
    related(shapesId, 'vmlDrawing', shapesTo);
    types.push({ of: { extension: SHAPES_EXTENSION }, type: SHAPES_TYPE });
  }
  const oldShapes = shapesName === undefined ? undefined : await input.readIfThere(shapesName);
  parts.set(shapesTo, () => encodedShapes(oldShapes, notes, edit));

  if (relationList !== list?.text)
    parts.set(listName, () => encoded([relationList], list?.encoding ?? NEW_PART));
  return survey.legacyDrawing === undefined ? { id: shapesId, namespace: relationTypes } : undefined;
}

function encodedShapes(
  old: PartContent | undefined,
  { dropped, added }: NotesPart,
  { survey, copyColumns }: SheetEdit,
): AsyncGenerator<Buffer> {
  const { columns, defaultWidth } = survey;
  const widths = [...copyColumns.map(({ column, width }) => copyColumnRange(column, width)), ...columns];
  const pieces = shapePieces(old?.text, dropped, added, { columns: widths, defaultWidth });
  return encoded(pieces, old?.encoding ?? NEW_PART);
}
