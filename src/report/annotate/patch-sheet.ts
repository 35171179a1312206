import { columnLetter } from '../../values/a1.js';
import { newRow, patchRow } from './patch-row.js';
import { rangeOf } from './ranges.js';
import { withColumnWidth } from './sheet-columns.js';
import type { SheetEdit } from './sheet-edit.js';
import { type SheetItem, sheetItems } from './sheet-items.js';
import { attributeIn, withAttribute } from './xml-attributes.js';
import { nextTag, prefixOf } from './xml-tags.js';

/** A relationship to name in the sheet: its id, and the namespace that such ids have in this file. */
export interface NamedRelation {
  readonly id: string;
  readonly namespace: string;
}

/** What may follow `legacyDrawing` in a sheet (ECMA-376 part 1, 18.3.1.99). */
const AFTER_LEGACY_DRAWING: ReadonlySet<string> = new Set([
  'legacyDrawingHF',
  'drawingHF',
  'picture',
  'oleObjects',
  'controls',
  'webPublishItems',
  'tableParts',
  'extLst',
]);

/** The text of a sheet, changed while it passes. `newDrawing`: the sheet has no shapes for notes yet. */
export async function* patchSheet(
  pieces: AsyncIterable<string>,
  edit: SheetEdit,
  newDrawing: NamedRelation | undefined,
): AsyncGenerator<string> {
  const patcher = new SheetPatcher(edit, newDrawing);
  for await (const items of sheetItems(pieces)) {
    const out: string[] = [];
    for (const item of items) out.push(patcher.take(item));
    yield out.join('');
  }
}

class SheetPatcher {
  readonly #edit: SheetEdit;
  #drawing: NamedRelation | undefined;
  #prefix = '';
  #hasColumns = false;
  #missing = 0;

  constructor(edit: SheetEdit, newDrawing: NamedRelation | undefined) {
    this.#edit = edit;
    this.#drawing = newDrawing;
  }

  take(item: SheetItem): string {
    switch (item.kind) {
      case 'start':
        this.#prefix = prefixOf(nextTag(item.raw, item.start)!.name);
        return item.raw;
      case 'element':
        return this.#element(item);
      case 'rows':
        return this.#columnsBefore(item);
      case 'row':
        return (
          this.#rowsBefore(item.number) + patchRow(item, this.#edit.changeOf(item.number), this.#edit.context)
        );
      case 'rows-end':
        return this.#rowsBefore(Number.POSITIVE_INFINITY) + item.raw;
      case 'end':
        return this.#drawingElement() + item.raw;
    }
  }

  #element({ local, raw, start }: SheetItem): string {
    const { states } = this.#edit;
    if (local === 'dimension') return raw.slice(0, start) + this.#dimension(raw.slice(start));
    if (local === 'cols' && states !== undefined) {
      this.#hasColumns = true;
      return raw.slice(0, start) + withColumnWidth(raw.slice(start), states.column, states.width);
    }
    return AFTER_LEGACY_DRAWING.has(local) ? this.#drawingElement() + raw : raw;
  }

  #dimension(element: string): string {
    const { states, lastRow, context } = this.#edit;
    const range = rangeOf(attributeIn(element, 0, element.length, 'ref') ?? '');
    if (range === undefined) return element;
    const right = Math.max(range.right, states?.column ?? 0, context.widest);
    const bottom = Math.max(range.bottom, lastRow);
    const ref = `${columnLetter(range.left)}${range.top}:${columnLetter(right)}${bottom}`;
    return withAttribute(element, 'ref', ref);
  }

  #columnsBefore({ raw, start }: SheetItem): string {
    const { states } = this.#edit;
    if (this.#hasColumns || states === undefined) return raw;
    const name = `${this.#prefix}cols`;
    return (
      raw.slice(0, start) +
      withColumnWidth(`<${name}></${name}>`, states.column, states.width) +
      raw.slice(start)
    );
  }

  #rowsBefore(number: number): string {
    const { missingRows, changeOf, context } = this.#edit;
    let rows = '';
    while (this.#missing < missingRows.length && missingRows[this.#missing]! < number) {
      const row = missingRows[this.#missing++]!;
      rows += newRow(this.#prefix, row, changeOf(row), context);
    }
    return rows;
  }

  #drawingElement(): string {
    if (this.#drawing === undefined) return '';
    const { id, namespace } = this.#drawing;
    this.#drawing = undefined;
    return `<${this.#prefix}legacyDrawing xmlns:r="${namespace}" r:id="${id}"/>`;
  }
}
