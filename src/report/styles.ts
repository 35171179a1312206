import type { Alignment, Style } from 'exceljs';
import type { Column, Tone } from './sheet.js';

const FILLS: Readonly<Record<Tone, { readonly fill: string; readonly font: string }>> = {
  good: { fill: 'FFD5F0DC', font: 'FF14532D' },
  bad: { fill: 'FFFBD9D7', font: 'FF8A1C14' },
  waiting: { fill: 'FFFFF0C2', font: 'FF6B4A00' },
  doubt: { fill: 'FFFFDDB8', font: 'FF7A3A00' },
  idle: { fill: 'FFEDEFF2', font: 'FF4B5563' },
};

export interface Styles {
  readonly heading: Partial<Style>;
  readonly countHeading: Partial<Style>;
  readonly link: Partial<Style>;
  readonly kinds: Readonly<Record<Column['kind'], Partial<Style>>>;
  readonly tones: Readonly<Record<Tone, Partial<Style>>>;
}

const FONT = { name: 'Calibri', size: 11 } as const;
/** Text format: a document number stays as it is, and editing `=1+1` does not turn it into a formula. */
const AS_TEXT = '@';

/** A few styles, made anew for each workbook: exceljs caches by object, and may write into them. */
export function makeStyles(): Styles {
  const line = { style: 'hair', color: { argb: 'FFC9CED6' } } as const;
  const body = (more: Partial<Style>): Partial<Style> => ({
    font: { ...FONT },
    border: { bottom: { ...line } },
    alignment: { vertical: 'top' },
    ...more,
  });
  const tone = ({ fill, font }: { fill: string; font: string }): Partial<Style> =>
    body({
      numFmt: AS_TEXT,
      fill: { type: 'pattern', pattern: 'solid', fgColor: { argb: fill } },
      font: { ...FONT, bold: true, color: { argb: font } },
    });
  const heading = (more: Partial<Alignment>): Partial<Style> => ({
    font: { ...FONT, bold: true, color: { argb: 'FFFFFFFF' } },
    fill: { type: 'pattern', pattern: 'solid', fgColor: { argb: 'FF1F3A5F' } },
    alignment: { vertical: 'middle', ...more },
  });
  return {
    heading: heading({}),
    countHeading: heading({ horizontal: 'right', indent: 1 }),
    link: body({ numFmt: AS_TEXT, font: { ...FONT, underline: true, color: { argb: 'FF0B57D0' } } }),
    kinds: {
      code: body({ numFmt: AS_TEXT }),
      // "Fill" is the one alignment that keeps a long text from running over blank neighbours.
      hash: body({
        numFmt: AS_TEXT,
        alignment: { vertical: 'top', horizontal: 'fill' },
        border: { bottom: { ...line }, left: { ...line }, right: { ...line } },
      }),
      long: body({ numFmt: AS_TEXT, alignment: { vertical: 'top', wrapText: true } }),
      count: body({ numFmt: '#,##0', alignment: { vertical: 'top', horizontal: 'right', indent: 1 } }),
    },
    tones: {
      good: tone(FILLS.good),
      bad: tone(FILLS.bad),
      waiting: tone(FILLS.waiting),
      doubt: tone(FILLS.doubt),
      idle: tone(FILLS.idle),
    },
  };
}
