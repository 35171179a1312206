import type { PlainChildren } from './zip.js';

/** Builds rows from the events of a sheet's XML. */
export interface RowBuilder {
  /** Number of the last row. */
  number: number;
  /** @param reference the row's `r`; absent, it follows the row before */
  openRow(reference: string | undefined, isHidden: string | undefined): void;
  /**
   * @param reference the cell's `r`; absent, it is next to the previous cell
   * @param style index of its format
   */
  openCell(reference: string | undefined, style: string | undefined): void;
  content(
    type: string | undefined,
    value: string | undefined,
    formula: string | undefined,
    inline: string,
  ): void;
  closeRow(): void;
}

/** Text without markup, references and characters that XML forbids or changes. */
const TEXT = String.raw`[^<&\]\p{C}]*`;
const VALUE = String.raw`"[^"<&\p{C}]*"`;
const NAME = String.raw`[a-zA-Z_][\w.:-]*`;
const SPACE = String.raw`[\t\n ]*`;
/** Number, further attributes, and the slash of a row without cells. */
const ROW = new RegExp(`${SPACE}<row(?: r="(\\d{1,7})")?((?: ${NAME}=${VALUE})*)(/?)>`, 'uy');
/** Reference, style, type, attributes and text of the formula, value and inline text. */
const CELL = new RegExp(
  `${SPACE}<c(?: r="([A-Z]{1,3}\\d{1,7})")?(?: s="(\\d{1,6})")?(?: t="(\\w+)")?(?:/>|>` +
    `(?:<f((?: t="\\w+")?(?: ref="[A-Z\\d:]+")?(?: si="\\d+")?)(?:/>|>(${TEXT})</f>))?` +
    `(?:<v>(${TEXT})</v>)?(?:<is><t(?: xml:space="preserve")?>(${TEXT})</t></is>)?</c>)`,
  'uy',
);
const ATTRIBUTE = new RegExp(` (${NAME})=(${VALUE})`, 'gu');
const END = new RegExp(`${SPACE}</row>`, 'uy');

/** Result for a row that the parser is to read. */
const UNUSUAL = -1;

/**
 * Reads rows as spreadsheet programs write them, several times faster than the parser: elements without prefix, usual
 * attributes in the usual order, no comments, no references. The parser reads the others, one row at a time.
 */
export class PlainRows implements PlainChildren {
  readonly parent = 'sheetData';
  readonly child = 'row';
  /** Attributes other than `r` of the last row, which most rows repeat. */
  private attributes = '';
  private hidden: string | undefined;

  constructor(private readonly rows: RowBuilder) {}

  read(text: string, from: number): number {
    const { rows } = this;
    ROW.lastIndex = from;
    const [, reference, attributes, slash] = ROW.exec(text) ?? [];
    if (attributes === undefined || !this.takeAttributes(attributes)) return UNUSUAL;
    const before = rows.number;
    rows.openRow(reference, this.hidden);
    let at = ROW.lastIndex;
    if (slash === '') {
      at = this.readCells(text, at);
      END.lastIndex = at;
      if (!END.test(text)) {
        rows.number = before;
        return UNUSUAL;
      }
      at = END.lastIndex;
    }
    rows.closeRow();
    return at;
  }

  /** Reads the cells at `from`; returns the end of the last. */
  private readCells(text: string, from: number): number {
    const { rows } = this;
    let at = from;
    CELL.lastIndex = at;
    for (let cell = CELL.exec(text); cell !== null; cell = CELL.exec(text)) {
      at = CELL.lastIndex;
      const [, reference, style, type, shared, formula = shared && '', value, inline = ''] = cell;
      rows.openCell(reference, style);
      rows.content(type, value, formula, inline);
    }
    return at;
  }

  /** Takes the attributes of a row; false if one stands twice or declares a namespace. */
  private takeAttributes(attributes: string): boolean {
    if (attributes === this.attributes) return true;
    const found = [...attributes.matchAll(ATTRIBUTE)].map(
      ([, name = '', value = '']) => [name, value] as const,
    );
    const values = new Map(found);
    if (values.size < found.length || values.has('r') || found.some(([name]) => name.startsWith('xmlns')))
      return false;
    this.attributes = attributes;
    this.hidden = values.get('hidden')?.slice(1, -1);
    return true;
  }
}
