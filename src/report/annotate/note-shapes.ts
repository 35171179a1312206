import { cellKey } from './notes-part.js';
import { type ColumnRange, columnWidth } from './sheet-columns.js';
import type { Note } from './sheet-edit.js';
import { MOST_COLUMNS, MOST_ROWS } from './sheet-plan.js';
import { FIRST_LINE } from './texts.js';

/** Widths of a sheet's columns: a note's box is placed by them. */
export interface Geometry {
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

const SHAPE = /<((?:\w+:)?)shape(?:\s[^>]*[^>/])?>[\s\S]*?<\/\1shape>/g;
const SHAPE_ID = /_x0000_s(\d{1,9})\b/g;

/** The shapes part of a sheet without the notes that are dropped, with one shape for each that is added. Not always XML: it is taken as text. */
export function* shapePieces(
  existing: string | undefined,
  dropped: ReadonlySet<string>,
  added: readonly Note[],
  geometry: Geometry,
): Generator<string> {
  const kept = (existing ?? '').replaceAll(SHAPE, (shape) => (dropped.has(noteCell(shape)) ? '' : shape));
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

const BOX_PIXELS = 230;
/** Tahoma 9 within the margins of the box. */
const LETTERS_A_LINE = 34;
const LINE_PIXELS = 15;
const MARGIN_PIXELS = 12;
const ROW_PIXELS = 20;
/** A digit of the default font is so wide, and a column has so much around its digits. */
const DIGIT_PIXELS = 7;
const PADDING_PIXELS = 5;
const POINTS_A_PIXEL = 0.75;

function shapeOf({ row, column, text }: Note, id: number, geometry: Geometry): string {
  const lines = `${FIRST_LINE}\n${text}`
    .split('\n')
    .reduce((sum, line) => sum + Math.max(1, Math.ceil(line.length / LETTERS_A_LINE)), 0);
  const height = lines * LINE_PIXELS + MARGIN_PIXELS;
  const [left, right, rightOffset] = boxColumns(column, geometry);
  const top = Math.max(0, Math.min(row - 2, MOST_ROWS - 1 - Math.ceil(height / ROW_PIXELS) - 1));
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
  const left = Math.min(column + 1, MOST_COLUMNS - 6);
  let rest = BOX_PIXELS + 12;
  let right = left;
  while (right < MOST_COLUMNS - 1 && rest > pixels(right)) rest -= pixels(right++);
  return [left, right, Math.min(rest, pixels(right))];
}
