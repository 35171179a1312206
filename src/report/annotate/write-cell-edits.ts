import { columnLetter } from '../../toolkit/core/text.js';
import type { EditedCell, EditedRow } from '../../toolkit/tables/edits.js';
import { asciiXml } from '../cell-xml.js';
import {
  CONTENT_TYPES,
  encoded,
  Package,
  readDirectory,
  relationKind,
  relationsName,
  textOf,
} from './package.js';
import { wellFormed, writePackage } from './patch-workbook.js';
import {
  type CellSpan,
  type ColumnRange,
  columnRanges,
  columnStyle,
  hasFormula,
  type RowSpans,
  spansOf,
} from './sheet-plan.js';
import { type SheetItem, sheetItems } from './survey.js';
import {
  attributeIn,
  attributesIn,
  childNamed,
  childrenOf,
  prefixOf,
  rootOf,
  withAttribute,
} from './xml-tags.js';

/**
 * Writes a copy of a workbook with other values in some cells. The cells keep their style; a formula is
 * replaced by the value, and Excel recalculates the others when it opens the copy. All else stays byte for
 * byte.
 * @throws PipelineError as `patchWorkbook`
 */
export async function writeCellEdits(
  path: string,
  output: string,
  sheets: ReadonlyMap<string, readonly EditedRow[]>,
): Promise<void> {
  const input = await Package.open(path);
  try {
    const directory = await wellFormed(input, '', () => readDirectory(input));
    const parts = new Map<string, () => AsyncIterable<Buffer>>();
    for (const { name, part } of directory.sheets) {
      const rows = sheets.get(name);
      if (rows !== undefined) parts.set(part, () => editedSheet(input, part, rows));
    }
    const without = await dropCalculationChain(input, directory.workbook, parts);
    await writePackage(input, output, parts, undefined, without);
  } finally {
    input.close();
  }
}

/**
 * Drops Excel's calculation chain, which must not name cells without a formula, and requests a
 * recalculation. Returns the dropped part, if any.
 */
async function dropCalculationChain(
  input: Package,
  workbook: string,
  parts: Map<string, () => AsyncIterable<Buffer>>,
): Promise<string | undefined> {
  const changed = async (part: string, change: (text: string) => string): Promise<void> => {
    const { text, encoding } = await wellFormed(input, part, () => input.read(part));
    parts.set(part, () => encoded([change(text)], encoding));
  };
  await changed(workbook, (text) => {
    const calculation = childNamed(text, rootOf(text), 'calcPr');
    if (calculation === undefined) return text;
    const { start, tagEnd } = calculation;
    const tag = withAttribute(text.slice(start, tagEnd), 'fullCalcOnLoad', '1');
    return text.slice(0, start) + tag + text.slice(tagEnd);
  });
  const relations = await wellFormed(input, workbook, () => input.relations(workbook));
  const chain = relations.find((relation) => relationKind(relation) === 'calcChain');
  if (chain === undefined) return undefined;
  await changed(relationsName(workbook), (text) => withoutChild(text, 'Id', chain.id));
  await changed(CONTENT_TYPES, (text) => withoutChild(text, 'PartName', `/${chain.target}`));
  return chain.target;
}

function withoutChild(list: string, attribute: string, value: string): string {
  for (const { start, tagEnd, end } of childrenOf(list, rootOf(list)))
    if (attributesIn(list, start, tagEnd)[attribute] === value) return list.slice(0, start) + list.slice(end);
  return list;
}

async function* editedSheet(
  input: Package,
  part: string,
  rows: readonly EditedRow[],
): AsyncGenerator<Buffer> {
  const text = textOf(input.unpacked(part));
  const editor = new SheetEditor(rows);
  async function* pieces(): AsyncGenerator<string> {
    for await (const items of sheetItems(text.pieces)) yield items.map((item) => editor.take(item)).join('');
  }
  // The encoding is known only after the first piece.
  let first = true;
  for await (const piece of pieces()) {
    if (!first && piece === '') continue;
    first = false;
    yield* encoded([piece], text.encoding);
  }
}

class SheetEditor {
  private columns: readonly ColumnRange[] = [];
  /** Ids of shared formulas whose first cell is replaced: their other cells keep the values only. */
  private readonly orphans = new Set<string>();

  private readonly rows: ReadonlyMap<number, EditedRow>;

  constructor(rows: readonly EditedRow[]) {
    this.rows = new Map(rows.map((row) => [row.number, row]));
  }

  take(item: SheetItem): string {
    const { kind, local, raw, start, number } = item;
    if (kind === 'element' && local === 'cols') this.columns = columnRanges(raw.slice(start));
    if (kind !== 'row') return raw;
    const edit = this.rows.get(number);
    if (edit === undefined && (this.orphans.size === 0 || !raw.includes('shared'))) return raw;
    return this.row(raw, spansOf(raw, start), number, edit === undefined ? NO_EDITS : edit.cells);
  }

  private row(
    raw: string,
    { tag, cells, contentEnd }: RowSpans,
    number: number,
    edits: EditedRow['cells'],
  ): string {
    const prefix = prefixOf(tag.name);
    const there = new Set(cells.map(({ column }) => column));
    const added =
      edits === undefined
        ? []
        : [...edits]
            .filter(([column, { text }]) => text !== '' && !there.has(column))
            .sort(([a], [b]) => a - b);
    const inner: string[] = [];
    let at = tag.end;
    const add = (before: number): void => {
      for (let next = added[0]; next !== undefined && next[0] < before; next = added[0]) {
        added.shift();
        const [column, cell] = next;
        const style = columnStyle(this.columns, column);
        const opening = `<${prefix}c r="${columnLetter(column)}${number}"${style > 0 ? ` s="${style}"` : ''}>`;
        inner.push(withValue(opening, prefix, cell));
      }
    };
    const grows = added.length > 0;
    for (const cell of cells) {
      add(cell.column);
      inner.push(raw.slice(at, cell.start), this.cell(raw, cell, prefix, edits));
      at = cell.end;
    }
    add(Infinity);
    inner.push(raw.slice(at, contentEnd));
    // `spans` lists the columns of the row and is wrong once a cell is added.
    const opening = grows
      ? raw.slice(0, tag.start) + withAttribute(raw.slice(tag.start, tag.end), 'spans', undefined)
      : raw.slice(0, tag.end);
    if (tag.kind !== 'empty') return opening + inner.join('') + raw.slice(contentEnd);
    return grows ? `${opening.replace(/(?<!\s)\s*\/>$/, '>')}${inner.join('')}</${tag.name}>` : raw;
  }

  private cell(raw: string, span: CellSpan, prefix: string, edits: EditedRow['cells']): string {
    const { column, start, tagEnd, end } = span;
    const cell = edits === undefined ? EMPTY : edits.get(column);
    const formula = hasFormula(raw, span) ? sharedFormula(raw.slice(tagEnd, end)) : undefined;
    if (cell === undefined) {
      const isOrphan = formula?.id !== undefined && this.orphans.has(formula.id);
      return isOrphan
        ? raw.slice(start, tagEnd) + raw.slice(tagEnd, end).replace(FORMULA, '')
        : raw.slice(start, end);
    }
    if (formula?.isFirst && formula.id !== undefined) this.orphans.add(formula.id);
    let tag = raw.slice(start, tagEnd);
    for (const name of ['t', 'cm', 'vm']) tag = withAttribute(tag, name, undefined);
    return withValue(tag.replace(/(?<!\s)\s*\/?>$/, '>'), prefix, cell);
  }
}

const EMPTY: EditedCell = { text: '', kind: 'text' };
const NO_EDITS: ReadonlyMap<number, EditedCell> = new Map();

const FORMULA = /<(\w+:)?f(\s[^>]*)?(\/>|>[^<]*<\/(\w+:)?f>)/;

/** Returns the id of a cell's shared formula, and whether the cell defines it. */
function sharedFormula(
  content: string,
): { readonly id: string | undefined; readonly isFirst: boolean } | undefined {
  const [formula] = FORMULA.exec(content) ?? [];
  if (formula === undefined) return undefined;
  const end = formula.indexOf('>') + 1;
  if (attributeIn(formula, 0, end, 't') !== 'shared') return undefined;
  return {
    id: attributeIn(formula, 0, end, 'si'),
    isFirst: attributeIn(formula, 0, end, 'ref') !== undefined,
  };
}

/** Returns a cell with a value, given its opening tag. */
function withValue(opening: string, prefix: string, { text, kind }: EditedCell): string {
  if (text === '') return opening.replace(/>$/, '/>');
  const closing = `</${prefix}c>`;
  if (kind === 'number') return `${opening}<${prefix}v>${text}</${prefix}v>${closing}`;
  return `${withAttribute(opening, 't', 'inlineStr')}<${prefix}is><${prefix}t xml:space="preserve">${asciiXml(text)}</${prefix}t></${prefix}is>${closing}`;
}
