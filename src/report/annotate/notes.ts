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
  EXTENSION_LINE,
  FIRST_LINE,
  noteText,
  ownColumn,
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

/** The notes part of a sheet: what it had, without what an earlier copy wrote, and the new notes. */
interface NotesPart {
  /** Nothing was there to take away, and nothing is new. */
  readonly unchanged: boolean;
  /** Cells, as `row:column`, whose note an earlier copy made; their shapes go as well. */
  readonly dropped: ReadonlySet<string>;
  /** Notes on cells that had none of another author: they need shapes. */
  readonly added: readonly Note[];
  pieces(): Generator<string>;
}

const empty = (namespace: string): string =>
  `<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n<comments xmlns="${namespace}"><authors></authors><commentList></commentList></comments>`;

const cellKey = ({ row, column }: { readonly row: number; readonly column: number }): string =>
  `${row}:${column}`;

/** `namespace` is that of the workbook's own elements. */
function notesPart(existing: PartContent | undefined, notes: readonly Note[], namespace: string): NotesPart {
  const text = existing?.text ?? empty(namespace);
  const root = rootOf(text);
  const prefix = prefixOf(root.name);
  const authorList = childNamed(text, root, 'authors');
  const list = childNamed(text, root, 'commentList');
  const authors =
    authorList === undefined ? [] : [...childrenOf(text, authorList)].map((child) => rawOf(text, child));
  let own = authors.findIndex((author) => unescapeXml(contentOf(author, rootOf(author))) === AUTHOR);

  const kept = new Map<string, string>();
  const dropped = new Set<string>();
  for (const comment of list === undefined ? [] : childrenOf(text, list)) {
    const key = keyOf(text, comment);
    const author = Number(attributeIn(text, comment.start, comment.tagEnd, 'authorId') ?? -1);
    if ((own >= 0 && author === own) || isOurs(rawOf(text, comment))) dropped.add(key);
    else kept.set(key, withoutExtension(rawOf(text, comment)));
  }
  const added: Note[] = [];
  for (const note of notes) {
    const before = kept.size === 0 ? undefined : kept.get(cellKey(note));
    if (before === undefined) added.push(note);
    else kept.set(cellKey(note), extended(before, noteText(note.mark.texts), prefix));
  }
  if (own < 0 && added.length > 0) own = authors.push(`<${prefix}author>${AUTHOR}</${prefix}author>`) - 1;

  return {
    unchanged: dropped.size === 0 && notes.length === 0 && !text.includes(EXTENSION_LINE),
    dropped,
    added,
    *pieces() {
      yield text.slice(0, root.tagEnd);
      yield `<${prefix}authors>${authors.join('')}</${prefix}authors><${prefix}commentList>`;
      yield* kept.values();
      for (const note of added)
        yield `<${prefix}comment ref="${columnLetter(note.column)}${note.row}" authorId="${own}" shapeId="0"><${prefix}text>${run(FIRST_LINE, prefix, true)}${run(`\n${noteText(note.mark.texts)}`, prefix)}</${prefix}text></${prefix}comment>`;
      yield `</${prefix}commentList>`;
      // What follows the list: extensions of later programs.
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

const OUR_START = new RegExp(`^\\s*${FIRST_LINE}\\s*\\n`);
const isOurs = (comment: string): boolean => OUR_START.test(unescapeXml(comment.replaceAll(/<[^<>]*>/g, '')));

/** A person's note with ours below it. */
function extended(comment: string, text: string, prefix: string): string {
  const body = childNamed(comment, rootOf(comment), 'text');
  if (body === undefined || body.contentEnd === body.end) return comment;
  const more = run(`\n${EXTENSION_LINE}\n${text}`, prefix);
  const content = contentOf(comment, body);
  // A text without runs cannot be followed by one.
  const first = childrenOf(comment, body).next().value;
  const runs = first?.local === 't' ? `<${prefix}r>${content}</${prefix}r>` : content;
  return comment.slice(0, body.tagEnd) + runs + more + comment.slice(body.contentEnd);
}

const LINE_END = /(?:\s|&#(?:10|13|x0?[ad]);)$/i;
/** Characters of the longest reference that is a line end. */
const LINE_END_LENGTH = '&#x0a;'.length;

function withoutLineEnds(text: string): string {
  let end = text.length;
  for (;;) {
    const [found] = LINE_END.exec(text.slice(Math.max(0, end - LINE_END_LENGTH), end)) ?? [];
    if (found === undefined) return text.slice(0, end);
    end -= found.length;
  }
}

/** A note as it was before an earlier copy extended it: all from our line on goes. */
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
    // A program that joins runs leaves ours at the end of the person's own.
    const own = withoutLineEnds(comment.slice(child.start, line));
    if (!own.endsWith('>')) runs += own + comment.slice(comment.indexOf('<', line), child.end);
    break;
  }
  return comment.slice(0, body.tagEnd) + runs + comment.slice(body.contentEnd);
}

/** Widths of a sheet's columns: a note's box is placed by them. */
interface Geometry {
  readonly columns: readonly ColumnRange[];
  readonly defaultWidth: number;
}

const ROOT =
  '<xml xmlns:v="urn:schemas-microsoft-com:vml" xmlns:o="urn:schemas-microsoft-com:office:office" xmlns:x="urn:schemas-microsoft-com:office:excel">';
const LAYOUT = (clusters: number): string =>
  `<o:shapelayout v:ext="edit"><o:idmap v:ext="edit" data="${Array.from({ length: clusters }, (_, index) => index + 1).join(',')}"/></o:shapelayout>`;
const TYPE_ID = '_x0000_t202';
const TYPE = `<v:shapetype id="${TYPE_ID}" coordsize="21600,21600" o:spt="202" path="m,l,21600r21600,l21600,xe"><v:stroke joinstyle="miter"/><v:path gradientshapeok="t" o:connecttype="rect"/></v:shapetype>`;
/** Ids go by clusters of so many; the first one of a cluster is left free. */
const CLUSTER = 1024;

const SHAPE_TAG = /<(\/?)((?:\w+:)?)shape(?=[\s>])[^<>]*>/g;
const SHAPE_ID = /_x0000_s(\d{1,9})\b/g;

/** The shapes part of a sheet without the notes that are dropped, with one shape for each that is added. Not always XML: it is taken as text. */
function* shapePieces(
  existing: string | undefined,
  dropped: ReadonlySet<string>,
  added: readonly Note[],
  geometry: Geometry,
): Generator<string> {
  const kept = withoutShapes(existing ?? '', (shape) => dropped.has(noteCell(shape)));
  const ids = [...kept.matchAll(SHAPE_ID)].map((match) => Number(match[1]));
  const first = ids.reduce((most, id) => Math.max(most, id), CLUSTER) + 1;
  const end = kept.lastIndexOf('</');
  if (end < 0) yield ROOT + LAYOUT(Math.floor((first + added.length) / CLUSTER));
  else yield kept.slice(0, end);
  if (!kept.includes(`id="${TYPE_ID}"`)) yield withNamespaces(TYPE, kept);
  for (const [index, note] of added.entries())
    yield withNamespaces(shapeOf(note, first + index, geometry), kept);
  yield end < 0 ? '</xml>' : kept.slice(end);
}

/** Takes shapes out of the text of a part. */
function withoutShapes(part: string, isDropped: (shape: string) => boolean): string {
  let kept = '';
  let at = 0;
  let open: { readonly start: number; readonly prefix: string } | undefined;
  for (const { 0: tag, 1: slash, 2: prefix = '', index } of part.matchAll(SHAPE_TAG)) {
    if (slash === '' && !tag.endsWith('/>')) open ??= { start: index, prefix };
    if (slash === '' || open?.prefix !== prefix) continue;
    const end = index + tag.length;
    if (isDropped(part.slice(open.start, end))) {
      kept += part.slice(at, open.start);
      at = end;
    }
    open = undefined;
  }
  return kept + part.slice(at);
}

/** The cell whose note a shape is; nothing for buttons and pictures. */
function noteCell(shape: string): string {
  if (!/ObjectType\s*=\s*["']Note["']/.test(shape)) return '';
  const row = /<(?:\w+:)?Row>\s*(\d+)/.exec(shape)?.[1];
  const column = /<(?:\w+:)?Column>\s*(\d+)/.exec(shape)?.[1];
  return cellKey({ row: Number(row) + 1, column: Number(column) });
}

/** Where the part that is there does not declare the usual prefixes, the element does. */
function withNamespaces(element: string, part: string): string {
  if (part === '') return element;
  const missing = [...ROOT.matchAll(/ (xmlns:\w)="[^"]*"/g)].filter(
    (match) => !part.includes(`${match[1]}=`),
  );
  return element.replace(/^<[\w:]+/, (name) => name + missing.map(([declaration]) => declaration).join(''));
}

const BOX_PIXELS = 320;
/** Tahoma 9 within the margins of the box. */
const LETTERS_A_LINE = 48;
const LINE_PIXELS = 15;
const MARGIN_PIXELS = 12;
const ROW_PIXELS = 20;
/** A digit of the default font is so wide, and a column has so much around its digits. */
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
    `<v:shape id="_x0000_s${id}" type="#${TYPE_ID}" style="position:absolute;margin-left:60pt;margin-top:2pt;${size};z-index:1;visibility:hidden" fillcolor="#ffffe1" o:insetmode="auto">` +
    '<v:fill color2="#ffffe1"/><v:shadow on="t" color="black" obscured="t"/><v:path o:connecttype="none"/>' +
    '<v:textbox style="mso-direction-alt:auto"><div style="text-align:left"></div></v:textbox>' +
    `<x:ClientData ObjectType="Note"><x:MoveWithCells/><x:SizeWithCells/><x:Anchor>${anchor}</x:Anchor><x:AutoFill>False</x:AutoFill><x:Row>${row - 1}</x:Row><x:Column>${column}</x:Column></x:ClientData></v:shape>`
  );
}

/** From the column at the right, over as many columns as the box is wide: left column, right column, pixels into the right one. */
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

/** Parts to write instead of those that are there, or besides them; by name. */
export type NewParts = Map<string, () => AsyncIterable<Buffer>>;

export interface AddedType {
  readonly of: { readonly part: string } | { readonly extension: string };
  readonly type: string;
}

const NAMESPACES = {
  transitional: 'http://schemas.openxmlformats.org/spreadsheetml/2006/main',
  strict: 'http://purl.oclc.org/ooxml/spreadsheetml/main',
} as const;

/** Of the workbook's own elements. */
export const sheetNamespace = ({ relationTypes }: Directory): string =>
  NAMESPACES[relationTypes.includes('purl.oclc.org') ? 'strict' : 'transitional'];

/**
 * The notes of one sheet: their texts are one part, the boxes in which Excel shows them another, and the sheet names both.
 * Puts what changes into `parts` and `types`; gives the relationship that the sheet must name, when it has none yet.
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
  { survey, own }: SheetEdit,
): AsyncGenerator<Buffer> {
  const { columns, defaultWidth } = survey;
  const widths = [...own.map(({ column, width }) => ownColumn(column, width)), ...columns];
  const pieces = shapePieces(old?.text, dropped, added, { columns: widths, defaultWidth });
  return encoded(pieces, old?.encoding ?? NEW_PART);
}
