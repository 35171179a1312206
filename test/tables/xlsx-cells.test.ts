import { afterAll, beforeAll, expect, test } from 'vitest';
import type { CellKind } from '../../src/toolkit/tables/table.js';
import { type Folder, makeFolder, readAll } from './input-files.js';
import { sheetOf } from './workbook-parts.js';

let folder: Folder;
beforeAll(async () => {
  folder = await makeFolder();
});
afterAll(() => folder.remove());

const STRINGS = [
  '<t>Ñúñez</t>',
  '<r><rPr><b/></rPr><t>Auxilio </t></r><r><t xml:space="preserve"> de transporte</t></r>',
  '<t>東京</t><rPh sb="0" eb="2"><t>トウキョウ</t></rPh><phoneticPr fontId="1"/>',
  '<t xml:space="preserve">  con espacios </t>',
  '<t>uno_x000D_\ndos _x005F_x000D_ A&amp;B &#241; &lt;</t>',
  '<t xml:space="preserve">   </t>',
  '<t><![CDATA[a < b]]></t>',
  '<t/>',
];
const FORMATS = [0, 14, 22, 46, 'dd/mm/yyyy', '[h]:mm', '0.00', '0.0%', '00000'];

/** Cell as written, without its reference → text and kind; nothing for a blank one. */
const CASES: readonly (readonly [cell: string, text?: string, kind?: CellKind])[] = [
  // strings
  ['<c t="s"><v>0</v></c>', 'Ñúñez', 'text'],
  ['<c t="s"><v>1</v></c>', 'Auxilio  de transporte', 'text'],
  ['<c t="s"><v>2</v></c>', '東京', 'text'],
  ['<c t="s"><v>3</v></c>', 'con espacios', 'text'],
  ['<c t="s"><v>4</v></c>', 'uno\r\ndos _x000D_ A&B ñ <', 'text'],
  ['<c t="s"><v>5</v></c>'],
  ['<c t="s"><v>6</v></c>', 'a < b', 'text'],
  ['<c t="s"><v>7</v></c>'],
  ['<c t="inlineStr"><is><t>dentro</t></is></c>', 'dentro', 'text'],
  ['<c t="inlineStr"><is><r><t>de</t></r><r><t>ntro</t></r><rPh><t>x</t></rPh></is></c>', 'dentro', 'text'],
  ['<c t="inlineStr"><is><t>\u00a0 </t></is></c>'],
  ['<c t="inlineStr"/>'],
  // numbers, as Excel shows them
  ['<c><v>1750905</v></c>', '1750905', 'number'],
  ['<c t="n"><v> 12.5 </v></c>', '12.5', 'number'],
  ['<c s="6"><v>1300.50</v></c>', '1300.50', 'number'],
  ['<c><v>0.10000000000000001</v></c>', '0.1', 'number'],
  ['<c><v>1423500.1000000001</v></c>', '1423500.1', 'number'],
  ['<c><v>123456789012345</v></c>', '123456789012345', 'number'],
  ['<c><v>1234567890123456789</v></c>', '1234567890123460000', 'number'],
  ['<c><v>1.5E+3</v></c>', '1500', 'number'],
  ['<c><v>-2.5e-3</v></c>', '-0.0025', 'number'],
  ['<c><v>1E-999999999</v></c>', '0', 'number'],
  ['<c><v>1E+999999999</v></c>', '1E+999999999', 'text'],
  ['<c><v>-0</v></c>', '0', 'number'],
  ['<c><v>007</v></c>', '7', 'number'],
  ['<c><v>abc</v></c>', 'abc', 'text'],
  ['<c s="7"><v>0.15</v></c>', '15%', 'percent'],
  ['<c s="7"><v>4.1250000000000002E-2</v></c>', '4.125%', 'percent'],
  ['<c s="7"><v>1500000</v></c>', '150000000%', 'percent'],
  ['<c s="8"><v>5001</v></c>', '05001', 'text'],
  ['<c s="8"><v>50010</v></c>', '50010', 'number'],
  ['<c s="8"><v>500100</v></c>', '500100', 'number'],
  ['<c s="8"><v>7.5</v></c>', '7.5', 'number'],
  ['<c s="8"><v>-75</v></c>', '-75', 'number'],
  // blank
  ['<c s="1"/>'],
  ['<c><v></v></c>'],
  // booleans, errors
  ['<c t="b"><v>1</v></c>', 'true', 'boolean'],
  ['<c t="b"><v>0</v></c>', 'false', 'boolean'],
  ['<c t="e"><v>#N/A</v></c>', '#N/A', 'error'],
  // formulas
  ['<c><f>A1*2</f><v>30</v></c>', '30', 'number'],
  ['<c t="str"><f>A1&amp;"x"</f><v>30x con el resto</v></c>', '30x con el resto', 'text'],
  ['<c t="str"><f>""</f><v></v></c>'],
  ['<c t="b"><f>A1=1</f><v>1</v></c>', 'true', 'boolean'],
  ['<c t="e"><f>1/0</f><v>#DIV/0!</v></c>', '#DIV/0!', 'error'],
  ['<c><f>SUM(A1:A9)</f></c>', '=SUM(A1:A9)', 'uncached'],
  ['<c><f>SUM(A1:A9)</f><v/></c>', '=SUM(A1:A9)', 'uncached'],
  ['<c t="str"><f>A1</f></c>', '=A1', 'uncached'],
  ['<c><f t="shared" si="0"/></c>', '=', 'uncached'],
  ['<c s="1"><f>TODAY()</f><v>46327</v></c>', '2026-11-01', 'date'],
  // dates
  ['<c s="1"><v>46327</v></c>', '2026-11-01', 'date'],
  ['<c s="2"><v>46327.5</v></c>', '2026-11-01T12:00:00', 'date'],
  ['<c s="2"><v>46327</v></c>', '2026-11-01T00:00:00', 'date'],
  ['<c s="2"><v>0.25</v></c>', '06:00:00', 'date'],
  ['<c s="4"><v>46327</v></c>', '2026-11-01', 'date'],
  ['<c s="4"><v>0.25</v></c>', '06:00:00', 'date'],
  ['<c s="5"><v>1.25</v></c>', '30:00:00', 'date'],
  ['<c s="3"><v>0.5</v></c>', '12:00:00', 'date'],
  ['<c s="1"><v>60</v></c>', '60', 'number'],
  ['<c s="1"><v>-1</v></c>', '-1', 'number'],
  ['<c s="1"><v>99999999</v></c>', '99999999', 'number'],
  ['<c s="1" t="s"><v>0</v></c>', 'Ñúñez', 'text'],
  ['<c s="99"><v>5</v></c>', '5', 'number'],
  ['<c t="d"><v>2026-10-31</v></c>', '2026-10-31', 'date'],
  ['<c t="d"><v>2026-10-31T00:00:00.000Z</v></c>', '2026-10-31', 'date'],
  ['<c t="d"><v>2026-10-31T08:30:15</v></c>', '2026-10-31T08:30:15', 'date'],
  ['<c t="d"><v>08:30</v></c>', '08:30:00', 'date'],
  ['<c t="d"><v>2026-13-31</v></c>', '2026-13-31', 'text'],
];

/** Each case in a row of its own, in column B, behind a cell that keeps the row from being blank. */
test('cells are read by their type, style and stored value', async () => {
  const rows = CASES.map(([cell], index) => {
    const number = index + 1;
    return `<row r="${number}"><c r="A${number}"><v>1</v></c>${cell.replace('<c', `<c r="B${number}"`)}</row>`;
  });
  const path = await folder.file(
    'cells.xlsx',
    sheetOf(rows.join('\n'), { strings: STRINGS, formats: FORMATS }),
  );
  const [read] = (await readAll(path)).rows;
  expect(read!.map(({ texts, kinds }, index) => [CASES[index]![0], texts[1], kinds?.[1]])).toEqual(
    CASES.map(([cell, text, kind]) => [cell, text, kind]),
  );
});

test('the 1904 base shifts dates by four years and a day', async () => {
  const path = await folder.file(
    '1904.xlsx',
    sheetOf('<row><c s="0"><v>44865</v></c><c s="0"><v>0</v></c></row>', { formats: [14], date1904: true }),
  );
  expect((await readAll(path)).rows[0]![0]!.texts).toEqual(['2026-11-01', '1904-01-01']);
});
