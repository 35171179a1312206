import { mkdtemp, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import exceljs from 'exceljs';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { annotateCopy } from '../../src/report/annotate/annotate-copy.js';
import type { CellMark, RowState } from '../../src/report/annotate/sheet-plan.js';
import { PipelineError } from '../../src/toolkit/core/issue.js';
import { columnLetter } from '../../src/toolkit/core/text.js';
import { workbookOf } from '../support/edit-workbook.js';
import { cellsOf, faultsOf, loaded, looksOf, notesOf, partsOf } from './annotate-reading.js';
import {
  BOOKS,
  type BookParts,
  bookOf,
  CHART_BOOK,
  EXCEL_SHEET,
  HEADER_ROW,
  NOTED_BOOK,
  STYLES,
} from './annotate-workbooks.js';

const SHEET = 'Nómina & más';
const STATE = 'Estado (cargue)';

let folder: string;
let count = 0;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'cargue-annotate-'));
});
afterAll(() => rm(folder, { recursive: true }));

async function saved(parts: BookParts): Promise<string> {
  const path = join(folder, `book ${++count}.xlsx`);
  await writeFile(path, bookOf(parts));
  return path;
}

interface Say {
  readonly marks?: readonly CellMark[];
  readonly states?: readonly RowState[];
  readonly headers?: readonly { row: number }[];
  readonly language?: 'es' | 'en';
}

async function annotated(
  input: string,
  { marks = [], states = [], headers = [{ row: HEADER_ROW }], language = 'es' }: Say,
): Promise<string> {
  const output = join(folder, `copy ${++count}.xlsx`);
  const { path } = await annotateCopy({ input, output, marks, states, headerRows: headers, language });
  expect(path).toBe(output);
  return path;
}

const mark = (address: string, text = 'no es un número', level: CellMark['level'] = 'error'): CellMark => {
  const [, column, row] = /^([A-Z]*)(\d+)$/.exec(address)!;
  return { row: Number(row), ...(column !== '' && { column }), level, text };
};
const state = (row: number, text = 'Aceptado', of: RowState['state'] = 'accepted'): RowState => ({
  row,
  state: of,
  text,
});

describe.each(BOOKS)('%s', (_, parts) => {
  test('reads as before, with the state column', async () => {
    const input = await saved(parts);
    const before = await cellsOf(input);
    await fc.assert(
      fc.asyncProperty(
        fc.array(
          fc.record({
            row: fc.integer({ min: 1, max: 12 }),
            column: fc.integer({ min: 0, max: 7 }),
            level: fc.constantFrom('error' as const, 'warning' as const),
          }),
          { maxLength: 8 },
        ),
        fc.uniqueArray(fc.integer({ min: HEADER_ROW + 1, max: 12 }), { minLength: 1, maxLength: 6 }),
        async (places, rows) => {
          const marks = places.map(({ row, column, level }) => ({
            row,
            column: columnLetter(column),
            level,
            text: 'ñ & <b> "=1"',
          }));
          const copy = await annotated(input, { marks, states: rows.map((row) => state(row, '=1+1 ñ')) });
          const after = structuredClone(await cellsOf(copy)) as Record<string, Record<string, string>>;
          const [header] = Object.entries(after[SHEET]!).find(([, text]) => text === `text ${STATE}`)!;
          const column = header.replace(/\d+/, '');
          expect(header).toBe(`${column}${HEADER_ROW}`);
          for (const row of rows) {
            expect(after[SHEET]![`${column}${row}`]).toBe('text =1+1 ñ');
            delete after[SHEET]![`${column}${row}`];
          }
          delete after[SHEET]![header];
          expect(after).toEqual(before);
          await rm(copy);
        },
      ),
      { numRuns: 12, seed: 7 },
    );
  });

  test('is a sound package', async () => {
    const copy = await annotated(await saved(parts), {
      marks: [mark('B4'), mark('A11'), mark('5'), mark('D4', 'más', 'warning')],
      states: [state(4)],
    });
    expect(await faultsOf(copy)).toEqual([]);
  });
});

/** A note as it begins when nobody else had one there. */
const ours = (text: string): string => `cargue:\n${text}`;

const textOf = async (path: string, part: string): Promise<string> => (await partsOf(path)).get(part)!.text;
const SHEET_PART = 'xl/worksheets/sheet1.xml';
const ERROR_FILL = { pattern: 'solid', argb: 'FFFAC8C4' };

describe('marked cells', () => {
  test.each([
    ['a date', 'C4', { numFmt: 'mm-dd-yy', bold: false }],
    [
      'money with its border and alignment',
      'D4',
      {
        numFmt: '"$" #,##0.00',
        alignment: { horizontal: 'right', indent: 1 },
        border: { left: { style: 'thin' }, bottom: { style: 'thin' } },
      },
    ],
    ['a header', 'B3', { bold: true }],
    ['a blank cell of a row with a style', 'F3', { bold: true }],
    ['a blank cell of a column with a style', 'E7', { numFmt: '@' }],
    ['a cell of a row that was not there', 'A6', { numFmt: undefined, bold: false }],
    ['a cell of an empty row', 'C8', { numFmt: '@' }],
  ])('%s keeps its looks but for the fill', async (_, address, looks) => {
    const copy = await annotated(await saved({ sheet: EXCEL_SHEET }), { marks: [mark(address)] });
    expect(await looksOf(copy, address)).toMatchObject({ fill: ERROR_FILL, ...looks });
    expect(await notesOf(copy)).toEqual({ [address]: ours('no es un número') });
  });

  test('several marks of a cell are one, of the worst level, each text once', async () => {
    const copy = await annotated(await saved({ sheet: EXCEL_SHEET }), {
      marks: [mark('D4', 'a', 'warning'), mark('D4', 'b'), mark('D4', 'a', 'warning')],
    });
    expect(await notesOf(copy)).toEqual({ D4: ours('a\nb') });
    expect((await looksOf(copy, 'D4')).fill).toEqual(ERROR_FILL);
  });

  test('a mistake of thousands of cells has a note in the first thousand, and its header counts them', async () => {
    const wrong = Array.from({ length: 1_200 }, (_, index) => mark(`D${index + 4}`));
    const copy = await annotated(await saved({ sheet: EXCEL_SHEET }), { marks: wrong });
    const notes = await notesOf(copy);
    expect(notes['D3']).toBe(ours('1200 celdas (las primeras 1000 con nota): no es un número'));
    expect([notes['D1003'], notes['D1004']]).toEqual([ours('no es un número'), undefined]);
    expect((await looksOf(copy, 'D1203')).fill).toEqual(ERROR_FILL);
    expect(Object.keys(notes)).toHaveLength(1_001);
  });

  test('a style is cloned once for each level', async () => {
    const copy = await annotated(await saved({ sheet: EXCEL_SHEET }), {
      marks: [mark('B3'), mark('C3'), mark('D3'), mark('A3', 'x', 'warning')],
    });
    expect(await textOf(copy, 'xl/styles.xml')).toContain('<cellXfs count="8">');
    expect(await textOf(copy, 'xl/styles.xml')).toContain('<fills count="6">');
  });

  test('within merged cells the shown one is marked', async () => {
    const copy = await annotated(await saved({ sheet: EXCEL_SHEET }), { marks: [mark('B5')] });
    expect(await notesOf(copy)).toEqual({ B4: ours('no es un número') });
    expect((await looksOf(copy, 'B4')).fill).toEqual(ERROR_FILL);
  });

  test('long texts end with a sentence, and no more than four are shown', async () => {
    const sentence = 'Nueve palabras que dicen qué pasa en la celda.';
    const long = `${sentence} `.repeat(30);
    const marks = [mark('D4', long), ...['b', 'c', 'd', 'e', 'f'].map((text) => mark('D4', text))];
    const note = (await notesOf(await annotated(await saved({ sheet: EXCEL_SHEET }), { marks })))['D4']!;
    const [, ...lines] = note.split('\n');
    expect(lines).toHaveLength(5);
    expect(lines[0]!.length).toBeLessThanOrEqual(600);
    expect(lines[0]!.replaceAll(sentence, '').trim()).toBe('');
    expect(lines[0]!.split(sentence).length - 1).toBeGreaterThan(10);
    expect(lines[4]).toBe('(+2)');
  });

  test.each([
    ['a place that no sheet has', { row: 0, column: 'A' }, 'run/annotate-beyond-sheet'],
    ['a column beyond the last', { row: 4, column: 'XFE' }, 'run/annotate-beyond-sheet'],
    ['a sheet that is not there', { row: 4, column: 'A', sheet: 'Nada' }, 'file/xml-broken'],
  ])('%s is refused', async (_, place, code) => {
    const input = await saved({ sheet: EXCEL_SHEET });
    const copy = annotated(input, { marks: [{ ...place, level: 'error', text: 'x' }] });
    await expect(copy).rejects.toMatchObject({ issues: [{ code }] });
  });
});

describe('state column', () => {
  const input = () => saved({ sheet: EXCEL_SHEET });

  test('each state has the colour of its meaning; the header looks like its neighbour', async () => {
    const copy = await annotated(await input(), {
      states: [state(4), state(5, 'Rechazado', 'rejected'), state(7, 'Pendiente', 'pending')],
    });
    const looks = await Promise.all(['E4', 'E5', 'E7'].map((address) => looksOf(copy, address)));
    expect(new Set(looks.map(({ fill }) => fill?.argb)).size).toBe(3);
    expect(await looksOf(copy, 'E3')).toEqual(await looksOf(copy, 'D3'));
  });

  test('the ranges of the sheet stay valid', async () => {
    const sheet = await textOf(await annotated(await input(), { states: [state(4), state(12)] }), SHEET_PART);
    expect(sheet).toContain('<dimension ref="A1:E12"/>');
    expect(sheet).toContain(
      '<col min="3" max="4" width="11" style="5" customWidth="1"/><col min="5" max="5" width="18" customWidth="1"/><col min="6" max="16384" width="11" style="5" customWidth="1"/></cols>',
    );
    expect(sheet).toContain('<autoFilter ref="A3:E7"/>');
    expect(sheet).not.toMatch(/<row r="4"[^>]*spans/);
  });

  test.each([
    ['something stands at the right of the header', '<row r="6"><c r="E6"><v>1</v></c></row>', 'F3'],
    ['a cell without address', '<row r="6"><c r="D6"><v>1</v></c><c><v>1</v></c></row>', 'F3'],
    ['an address behind the style', '<row r="6"><c r="A6"/><c s="2" r="E6"><v>1</v></c></row>', 'F3'],
    ['a merged cell covers it', '', 'G3', '<mergeCell ref="D8:F8"/>'],
    ['only a style stands there', '<row r="6"><c r="E6" s="2"/></row>', 'E3'],
    ['something stands far away', '<row r="6"><c r="ZZ6"><v>1</v></c></row>', 'E3'],
    ['something stands above the header only', '<row r="2"><c r="E2"><v>1</v></c></row>', 'E3'],
  ])('free column: %s', async (_, row, expected, merge = '') => {
    const sheet = EXCEL_SHEET.replace(/(?=<row r="7")/, row).replace(
      '</mergeCells>',
      `${merge}</mergeCells>`,
    );
    const cells = await cellsOf(await annotated(await saved({ sheet }), { states: [state(8)] }));
    expect(cells[SHEET]![expected]).toBe(`text ${STATE}`);
  });

  test('a mark of a whole row is noted there, and names its level when there is no state', async () => {
    const copy = await annotated(await input(), {
      marks: [mark('5', 'repetida'), mark('7', 'rara', 'warning')],
      states: [state(5, 'Con errores', 'held-back')],
    });
    const cells = (await cellsOf(copy))[SHEET]!;
    expect([cells['E5'], cells['E7']]).toEqual(['text Con errores', 'text Advertencia']);
    expect(await notesOf(copy)).toEqual({ E5: ours('repetida'), E7: ours('rara') });
  });

  test('texts cannot become formulas, nor break the XML', async () => {
    const text = '=1+1 <&>"\' \u0000 \uD800 ]]> _x0041_ ñ 😀';
    const copy = await annotated(await input(), { states: [state(4, text)], marks: [mark('D4', text)] });
    expect((await cellsOf(copy))[SHEET]!['E4']).toBe('text =1+1 <&>"\'   \uFFFD ]]> _x0041_ ñ 😀');
    expect((await loaded(copy)).worksheets[0]!.getCell('E4').formula).toBeUndefined();
    expect(await faultsOf(copy)).toEqual([]);
  });

  test('codes stand in a column of their own, and go with it', async () => {
    const code = 'ab'.repeat(48);
    const copy = await annotated(await input(), {
      states: [{ ...state(4), code }, state(5, 'Con errores', 'held-back')],
    });
    const cells = (await cellsOf(copy))[SHEET]!;
    expect([cells['E3'], cells['F3']]).toEqual([`text ${STATE}`, 'text Código (cargue)']);
    expect([cells['E4'], cells['F4'], cells['E5'], cells['F5']]).toEqual([
      'text Aceptado',
      `text ${code}`,
      'text Con errores',
      undefined,
    ]);
    const again = await annotated(copy, {
      states: [state(4, 'Rechazado', 'rejected'), { ...state(5), code }],
    });
    const later = (await cellsOf(again))[SHEET]!;
    expect([later['E4'], later['F4'], later['F5']]).toEqual(['text Rechazado', undefined, `text ${code}`]);
    expect(later['G3']).toBeUndefined();
    expect(await faultsOf(again)).toEqual([]);
  });

  test.each([
    ['a filter is put over the table', '', '<autoFilter ref="A3:E7"/>'],
    ['one that is there goes over them too', '<autoFilter ref="A3:D7"/>', '<autoFilter ref="A3:E7"/>'],
    [
      'with what is chosen in it',
      '<autoFilter ref="A3:D6"><filterColumn colId="1"><filters><filter val="x"/></filters></filterColumn></autoFilter>',
      '<autoFilter ref="A3:E6">',
    ],
    ['one of other rows stays', '<autoFilter ref="A2:D7"/>', '<autoFilter ref="A2:D7"/>'],
    ['one of few columns stays', '<autoFilter ref="A3:B7"/>', '<autoFilter ref="A3:B7"/>'],
    ['a protected sheet gets none', '<sheetProtection sheet="1"/>', undefined],
  ])('%s', async (_, element, expected) => {
    const sheet = EXCEL_SHEET.replace(/<autoFilter[^>]*\/>/, element);
    const copy = await annotated(await saved({ sheet }), { states: [state(4), state(7)] });
    const text = await textOf(copy, SHEET_PART);
    expect(text.match(/<autoFilter[^>]*>/)?.[0]).toBe(expected);
    expect(await faultsOf(copy)).toEqual([]);
  });

  test('without states there is none', async () => {
    const copy = await annotated(await input(), { marks: [mark('D4')] });
    expect(await cellsOf(copy)).toEqual(await cellsOf(await input()));
  });
});

test('a column of long numbers gets the room to show them', async () => {
  const rows = [
    ['Documento', 'Sueldo', 'Nota'],
    [9_000_100_000, 1_750_905, 'x'],
  ];
  const output = await annotated(await workbookOf(rows), { states: [state(2)], headers: [{ row: 1 }] });
  const widths = (await loaded(output)).worksheets[0]!.columns.map(({ width }) => width);
  expect(widths[0]).toBeGreaterThanOrEqual(12);
  expect(widths[1]).toBe((await loaded(await workbookOf(rows))).worksheets[0]!.columns[1]!.width);
});

describe('annotated again', () => {
  test('what was said before does not pile up, and cells get their looks back', async () => {
    const input = await saved({ sheet: EXCEL_SHEET });
    const first = await annotated(input, {
      marks: [mark('D4'), mark('C4', 'x', 'warning'), mark('D7'), mark('A6'), mark('5')],
      states: [state(4, 'Rechazado', 'rejected'), state(5, 'viejo', 'unknown'), state(6, 'viejo')],
    });
    const second = await annotated(first, {
      marks: [mark('D7', 'aún')],
      states: [state(4, 'Accepted')],
      language: 'en',
    });
    expect(await notesOf(second)).toEqual({ D7: ours('aún') });
    for (const address of ['C4', 'D4'])
      expect(await looksOf(second, address)).toEqual(await looksOf(input, address));
    expect((await looksOf(second, 'D7')).fill).toEqual(ERROR_FILL);
    expect((await looksOf(second, 'A6')).fill).toBeUndefined();
    expect((await cellsOf(second))[SHEET]).toEqual({
      ...(await cellsOf(input))[SHEET],
      E3: 'text Status (cargue)',
      E4: 'text Accepted',
    });
    expect(await faultsOf(second)).toEqual([]);
  });

  const solid = (colours: string): string =>
    `<fill><patternFill patternType="solid">${colours}</patternFill></fill>`;
  test.each([
    [
      'a colour by its number',
      solid('<fgColor rgb="FFFFFF00"/>'),
      '',
      { pattern: 'solid', argb: 'FFFFFF00' },
    ],
    ['a colour of the palette', solid('<fgColor indexed="10"/>'), '', { pattern: 'solid', indexed: 10 }],
    ['a pattern is not kept', '<fill><patternFill patternType="darkUp"/></fill>', '', undefined],
    [
      'a background that LibreOffice made up',
      solid('<fgColor rgb="FFFAC8C4"/><bgColor rgb="FFFFCCCC"/>'),
      '<fileVersion appName="Calc"/>',
      undefined,
    ],
    [
      'a background that Excel has kept',
      solid('<fgColor rgb="FFFAC8C4"/><bgColor rgb="FFFFCCCC"/>'),
      '<fileVersion appName="xl"/>',
      { pattern: 'solid', argb: 'FFFFCCCC' },
    ],
    ['a background like ours', solid('<fgColor rgb="FFFFE4A1"/><bgColor rgb="FFFAC8C4"/>'), '', undefined],
  ])('the fill that comes back: %s', async (_, fill, version, expected) => {
    const styles = STYLES.replace(/<fill><patternFill patternType="solid">.*?<\/fill>/, fill);
    const input = await saved({ sheet: EXCEL_SHEET, styles, version });
    const second = await annotated(await annotated(input, { marks: [mark('D4')] }), {});
    expect((await looksOf(second, 'D4')).fill).toEqual(expected);
  });

  test('notes whose author a program has lost', async () => {
    const note = (cell: string, text: string): string =>
      `<comment ref="${cell}" authorId="0"><text><r><t>${text}</t></r></text></comment>`;
    const comments = NOTED_BOOK.more![0]!.data.toString().replace(
      /<commentList>.*<\/commentList>/,
      `<commentList>${note('D4', 'cargue:&#10;viejo')}${note('C4', 'mía&#10;--- cargue ---&#10;viejo')}${note('B4', 'cargue: el mío')}</commentList>`,
    );
    const more = [{ name: 'xl/comments1.xml', data: comments }, NOTED_BOOK.more![1]!];
    const copy = await annotated(await saved({ ...NOTED_BOOK, more }), { marks: [mark('A4', 'x')] });
    expect(await notesOf(copy)).toEqual({ C4: 'mía', B4: 'cargue: el mío', A4: ours('x') });
  });

  test('the same words give the same file', async () => {
    const translate: Say = { marks: [mark('D4'), mark('A6')], states: [state(4), state(7, 'x', 'rejected')] };
    const first = await annotated(await saved({ sheet: EXCEL_SHEET }), translate);
    const third = await annotated(await annotated(first, translate), translate);
    const [a, b] = [await partsOf(first), await partsOf(third)];
    expect([...b.keys()].sort()).toEqual([...a.keys()].sort());
    for (const name of a.keys())
      if (name !== 'xl/styles.xml') expect(b.get(name)!.text, name).toBe(a.get(name)!.text);
    const count = (parts: typeof a): string =>
      /<cellXfs count="\d+"/.exec(parts.get('xl/styles.xml')!.text)![0];
    expect(count(b)).toBe(count(await partsOf(await annotated(third, translate))));
  });

  test('a state column that Excel has saved as shared strings is found', async () => {
    const sheet = EXCEL_SHEET.replace(/(<c r="D3".*?<\/c>)/, '$1<c r="E3" t="s"><v>1</v></c>').replace(
      /(<c r="D5".*?<\/c>)/,
      '$1<c r="E5" t="s"><v>2</v></c>',
    );
    const strings = [
      '<t>Documento</t>',
      '<r><t>Status </t></r><r><t>(cargue)</t></r>',
      '<t>old</t>',
      ...Array.from({ length: 4 }, () => '<t>z</t>'),
    ];
    const cells = (await cellsOf(await annotated(await saved({ sheet, strings }), { states: [state(4)] })))[
      SHEET
    ]!;
    expect(Object.entries(cells).filter(([cell]) => /^[E-Z]/.test(cell))).toEqual([
      ['E3', `text ${STATE}`],
      ['E4', 'text Aceptado'],
    ]);
  });

  test('nothing to say leaves nothing', async () => {
    const input = await saved({ sheet: EXCEL_SHEET });
    const second = await annotated(await annotated(input, { marks: [mark('D4')], states: [state(4)] }), {});
    expect(await cellsOf(second)).toEqual(await cellsOf(input));
    expect(await notesOf(second)).toEqual({});
  });
});

describe('what was in the book', () => {
  test('a chart, a table and other parts stay byte for byte, and related', async () => {
    const input = await saved(CHART_BOOK);
    const copy = await annotated(input, { marks: [mark('D4'), mark('A7')] });
    const [before, after] = [await partsOf(input), await partsOf(copy)];
    const changed = [...before]
      .filter(([name, { packed }]) => !packed.equals(after.get(name)!.packed))
      .map(([name]) => name);
    expect(changed.sort()).toEqual(
      ['[Content_Types].xml', SHEET_PART, 'xl/styles.xml', 'xl/worksheets/_rels/sheet1.xml.rels'].sort(),
    );
    const relations = after.get('xl/worksheets/_rels/sheet1.xml.rels')!.text;
    for (const kept of CHART_BOOK.sheetRelations!.match(/<[^>]+>/g)!) expect(relations).toContain(kept);
    expect(after.get(SHEET_PART)!.text).toMatch(/<drawing r:id="rId7"\/><legacyDrawing [^>]*\/><tableParts/);
    expect(await faultsOf(copy)).toEqual([]);
    expect((await loaded(copy)).worksheets[0]!.getTables()).toHaveLength(1);
  });

  test("a table of Excel's goes over the columns of the copy, once", async () => {
    const tableOf = async (path: string) => {
      const text = await textOf(path, 'xl/tables/table1.xml');
      const refs = [...text.matchAll(/ ref="([^"]*)"/g)].map(([, ref]) => ref);
      const columns = [...text.matchAll(/<tableColumn id="(\d+)" name="([^"]*)"/g)];
      const count = /<tableColumns count="(\d+)"/.exec(text)![1];
      return { refs, count, columns: columns.slice(4).map(([, id, name]) => `${id} ${name}`) };
    };
    const code = 'a1b2';
    const first = await annotated(await saved(CHART_BOOK), { states: [state(4), state(7)] });
    expect(await tableOf(first)).toEqual({
      refs: ['A3:E7', 'A3:E7'],
      count: '5',
      columns: ['5 Estado (cargue)'],
    });
    const second = await annotated(first, { states: [{ ...state(4), code }, state(7)] });
    const both = {
      refs: ['A3:F7', 'A3:F7'],
      count: '6',
      columns: ['5 Estado (cargue)', expect.stringMatching(/^6 /)],
    };
    expect(await tableOf(second)).toEqual(both);
    // What a table calls its columns must stand above them.
    const third = await annotated(second, {});
    expect(await tableOf(third)).toEqual(both);
    const sheet = await textOf(third, SHEET_PART);
    expect(sheet).toMatch(/ r="E3"[^>]*><is><t[^>]*>Estado \(cargue\)</);
    expect(sheet).not.toContain('r="E4"');
    for (const copy of [first, second, third]) expect(await faultsOf(copy)).toEqual([]);
    expect((await loaded(second)).worksheets[0]!.getTables()).toHaveLength(1);
  });

  test.each([
    ['of other rows', 'ref="A3:D7" totals', 'ref="A4:D7" totals'],
    ['of other columns', 'ref="A3:D7" totals', 'ref="A3:C7" totals'],
    ['without a header', 'totalsRowShown="0"', 'headerRowCount="0"'],
    ['that a query fills', 'totalsRowShown="0"', 'tableType="queryTable"'],
    ['that calls a column so already', 'name="Sueldo"', 'name="ESTADO (CARGUE)"'],
  ])('a table %s stays as it is', async (_, from, to) => {
    const related = CHART_BOOK.more!.map((part) =>
      part.name === 'xl/tables/table1.xml' ? { ...part, data: String(part.data).replace(from, to) } : part,
    );
    const input = await saved({ ...CHART_BOOK, more: related });
    const copy = await annotated(input, { states: [state(4), state(7)] });
    expect(await textOf(copy, 'xl/tables/table1.xml')).toBe(await textOf(input, 'xl/tables/table1.xml'));
  });

  test("a person's notes stay; ours is added to one, and goes with the next copy", async () => {
    const input = await saved(NOTED_BOOK);
    const first = await annotated(input, { marks: [mark('D4', 'nuevo'), mark('A4', 'otro')] });
    expect(await notesOf(first)).toEqual({ D4: '¿Seguro?\n--- cargue ---\nnuevo', A4: ours('otro') });
    const shapes = (text: string): string[] =>
      [...text.matchAll(/<x:(?:Row|Column)>(\d+)/g)].map(([, at]) => at!);
    expect(shapes(await textOf(first, 'xl/drawings/vmlDrawing1.vml'))).toEqual(['3', '3', '3', '0']);
    const second = await annotated(first, { marks: [mark('D7', 'tres')] });
    expect(await notesOf(second)).toEqual({ D4: '¿Seguro?', D7: ours('tres') });
    expect(shapes(await textOf(second, 'xl/drawings/vmlDrawing1.vml'))).toEqual(['3', '3', '6', '3']);
    expect(await textOf(second, 'xl/comments1.xml')).toContain(
      '<author>Ana Ñáñez</author><author>cargue</author>',
    );
  });

  test('a book of exceljs, with notes and several sheets', async () => {
    const path = join(folder, 'exceljs.xlsx');
    const book = new exceljs.Workbook();
    for (const name of ['Uno', 'Dos']) {
      const sheet = book.addWorksheet(name);
      sheet.addRow(['Documento', 'Sueldo', 'Fecha']);
      sheet.addRow(['0079', 1750905.5, new Date('2026-10-01')]);
      sheet.getCell('B2').note = 'mía';
    }
    await book.xlsx.writeFile(path);
    const output = join(folder, 'exceljs copy.xlsx');
    await annotateCopy({
      input: path,
      output,
      marks: ['Uno', 'Dos'].flatMap((sheet) => [
        { ...mark('B2', sheet), sheet },
        { ...mark('C2', sheet), sheet },
      ]),
      states: [{ ...state(2), sheet: 'Dos' }],
      headerRows: [
        { sheet: 'Uno', row: 1 },
        { sheet: 'Dos', row: 1 },
      ],
      language: 'es',
    });
    const before = await cellsOf(path);
    const { 'Errores (cargue)': index, ...others } = await cellsOf(output);
    expect(others).toEqual({
      Uno: before['Uno'],
      Dos: { ...before['Dos'], D1: `text ${STATE}`, D2: 'text Aceptado' },
    });
    // All notes of all sheets, each linked.
    expect([index!['A2'], index!['B2'], index!['C2'], index!['D2']]).toEqual([
      'text Uno',
      'text B2',
      'text Error',
      'text Uno',
    ]);
    const links = (await textOf(output, 'xl/worksheets/sheet3.xml')).match(/location="[^"]*"/g);
    expect(links).toEqual(["'Uno'!B2", "'Uno'!C2", "'Dos'!B2", "'Dos'!C2"].map((to) => `location="${to}"`));
    // Written anew, not once more.
    const again = join(folder, 'exceljs again.xlsx');
    const headerRows = [{ sheet: 'Uno', row: 1 }];
    const marks = [{ ...mark('B2', 'otra'), sheet: 'Uno' }];
    await annotateCopy({ input: output, output: again, marks, states: [], headerRows, language: 'es' });
    const { 'Errores (cargue)': later } = await cellsOf(again);
    expect([later!['D2'], later!['A3']]).toEqual(['text otra', undefined]);
    expect(await faultsOf(again)).toEqual([]);
    expect(await notesOf(output)).toEqual({ B2: 'mía\n--- cargue ---\nUno', C2: ours('Uno') });
    expect(await notesOf(output, 2)).toEqual({ B2: 'mía\n--- cargue ---\nDos', C2: ours('Dos') });
    expect(await faultsOf(output)).toEqual([]);
  });
});

describe('the file', () => {
  test('is for its owner alone, and the original is not touched', async () => {
    const input = await saved({ sheet: EXCEL_SHEET });
    const before = await readFile(input);
    const copy = await annotated(input, { marks: [mark('D4')] });
    expect((await stat(copy)).mode & 0o777).toBe(0o600);
    expect(await readFile(input)).toEqual(before);
  });

  test.each([
    ['the original itself', (input: string) => input, 'run/output-is-input'],
    ['a folder that is not there', () => join(folder, 'no', 'x.xlsx'), 'report/not-writable'],
  ])('%s is refused', async (_, outputOf, code) => {
    const input = await saved({ sheet: EXCEL_SHEET });
    const copy = annotateCopy({
      input,
      output: outputOf(input),
      marks: [],
      states: [],
      headerRows: [],
      language: 'es',
    });
    const error = await copy.then(
      () => undefined,
      (caught: unknown) => caught,
    );
    expect(error).toBeInstanceOf(PipelineError);
    expect((error as PipelineError).issues[0]!.code).toBe(code);
  });

  test('takes a second name while the first is open elsewhere', async () => {
    const input = await saved({ sheet: EXCEL_SHEET });
    const output = join(folder, 'open.xlsx');
    let calls = 0;
    const { path } = await annotateCopy({
      input,
      output,
      marks: [],
      states: [state(4)],
      headerRows: [{ row: HEADER_ROW }],
      language: 'es',
      placing: {
        rename: (from, to) =>
          calls++ === 0
            ? Promise.reject(Object.assign(new Error(), { code: 'EBUSY', syscall: 'rename' }))
            : rename(from, to),
      },
    });
    expect(path).toBe(join(folder, 'open (2).xlsx'));
    expect((await cellsOf(path))[SHEET]!['E3']).toBe(`text ${STATE}`);
  });

  test.each([
    ['a sheet cut in the middle', EXCEL_SHEET.slice(0, 1500), 'file/xml-broken'],
    [
      'a cell that never ends',
      EXCEL_SHEET.replace('</v></c></row><row r="5"', '</v></row><row r="5"'),
      'file/xml-broken',
    ],
  ])('%s is no copy', async (_, sheet, code) => {
    const error = await annotated(await saved({ sheet }), { marks: [mark('D4')] }).catch(
      (caught: unknown) => caught,
    );
    expect((error as PipelineError).issues?.[0]?.code).toBe(code);
    expect((await readdir(folder)).filter((name) => name.endsWith('.part'))).toEqual([]);
  });
});
