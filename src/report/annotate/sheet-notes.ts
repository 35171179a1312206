import { posix } from 'node:path';
import type { Directory } from './directory.js';
import { shapePieces } from './note-shapes.js';
import { type NotesPart, notesPart } from './notes-part.js';
import { encoded, NEW_PART, type Package, type PartContent, relationKind, relationsName } from './package.js';
import {
  freeId,
  NO_RELATIONS,
  NOTES_TYPE,
  SHAPES_EXTENSION,
  SHAPES_TYPE,
  withRelation,
} from './package-lists.js';
import type { NamedRelation } from './patch-sheet.js';
import { ownColumn } from './sheet-columns.js';
import type { SheetEdit } from './sheet-edit.js';

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

/**
 * The notes of one sheet: their texts are one part, the boxes in which Excel shows them another, and the sheet names both.
 * Puts what changes into `parts` and `types`; gives the relationship that the sheet must name, when it has none yet.
 */
export async function addNotes(
  input: Package,
  { relationTypes }: Directory,
  sheetPart: string,
  edit: SheetEdit,
  parts: NewParts,
  types: AddedType[],
): Promise<NamedRelation | undefined> {
  const { survey } = edit;
  const relations = await input.relations(sheetPart);
  const listName = relationsName(sheetPart);
  const list = await input.readIfThere(listName);
  const strict = relationTypes.includes('purl.oclc.org');
  const notesName = relations.find((relation) => relationKind(relation) === 'comments')?.target;
  const oldNotes = notesName === undefined ? undefined : await input.readIfThere(notesName);
  const notes = notesPart(oldNotes, edit.notes, NAMESPACES[strict ? 'strict' : 'transitional']);
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
  { survey, states }: SheetEdit,
): AsyncGenerator<Buffer> {
  const { columns, defaultWidth } = survey;
  const widths = states === undefined ? columns : [ownColumn(states.column, states.width), ...columns];
  const pieces = shapePieces(old?.text, dropped, added, { columns: widths, defaultWidth });
  return encoded(pieces, old?.encoding ?? NEW_PART);
}
