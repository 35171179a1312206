import { type ZipEntry, zipOf } from '../support/zip-writer.js';

/** Workbooks as different programs write them, each with the table that `TABLE` says from row 3 on. */

const MAIN = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';
const RELATIONS = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const DECLARATION = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n';

export const HEADER_ROW = 3;

export interface BookParts {
  /** From `<worksheet` to its end. */
  readonly sheet: string | Buffer;
  readonly strings?: readonly string[];
  /** @default STYLES; an empty text for none */
  readonly styles?: string;
  readonly sheetRelations?: string;
  readonly types?: string;
  readonly workbookRelations?: string;
  readonly more?: readonly ZipEntry[];
  readonly strict?: boolean;
  /** What stands before the sheets of the workbook. */
  readonly version?: string;
}

const font = '<font><sz val="11"/><name val="Calibri"/></font>';
/** Cell styles: 0 plain, 1 date, 2 money on a solid green, 3 on a pattern, 4 bold header, 5 text. */
export const STYLES =
  `<styleSheet xmlns="${MAIN}"><numFmts count="1"><numFmt numFmtId="164" formatCode="&quot;$&quot;\\ #,##0.00"/></numFmts>` +
  `<fonts count="2">${font}<font><b/><sz val="11"/><name val="Calibri"/></font></fonts>` +
  '<fills count="4"><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill>' +
  '<fill><patternFill patternType="solid"><fgColor theme="6" tint="0.6"/><bgColor indexed="64"/></patternFill></fill>' +
  '<fill><patternFill patternType="darkUp"><fgColor rgb="FF0000FF"/></patternFill></fill></fills>' +
  '<borders count="2"><border/><border><left style="thin"/><right/><top/><bottom style="thin"/><diagonal/></border></borders>' +
  '<cellStyleXfs count="1"><xf numFmtId="0" fontId="0" fillId="0" borderId="0"/></cellStyleXfs>' +
  '<cellXfs count="6"><xf numFmtId="0" fontId="0" fillId="0" borderId="0" xfId="0"/>' +
  '<xf numFmtId="14" fontId="0" fillId="0" borderId="0" xfId="0" applyNumberFormat="1"/>' +
  '<xf numFmtId="164" fontId="0" fillId="2" borderId="1" xfId="0" applyFill="1"><alignment horizontal="right" indent="1"/></xf>' +
  '<xf numFmtId="0" fontId="0" fillId="3" borderId="0" xfId="0"/>' +
  '<xf numFmtId="0" fontId="1" fillId="0" borderId="1" xfId="0"/>' +
  '<xf numFmtId="49" fontId="0" fillId="0" borderId="0" xfId="0"/></cellXfs>' +
  '<cellStyles count="1"><cellStyle name="Normal" xfId="0" builtinId="0"/></cellStyles></styleSheet>';

export const STRINGS = [
  '<t>Nómina de octubre</t>',
  '<t>Documento</t>',
  '<t>Nombre</t>',
  '<t>Ingreso</t>',
  '<t>Sueldo</t>',
  '<r><t>Peña &amp; </t></r><r><t>Ñáñez</t></r>',
  '<t xml:space="preserve"> 0079 </t>',
];

const relation = (type: string, id: string, kind: string, target: string): string =>
  `<Relationship Id="${id}" Type="${type}/${kind}" Target="${target}"/>`;
const relationList = (list: string): string =>
  `${DECLARATION}<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">${list}</Relationships>`;

export function bookOf(parts: BookParts): Buffer {
  const { strings = STRINGS, styles = STYLES, strict = false } = parts;
  const main = strict ? 'http://purl.oclc.org/ooxml/spreadsheetml/main' : MAIN;
  const type = strict ? 'http://purl.oclc.org/ooxml/officeDocument/relationships' : RELATIONS;
  const kind = 'application/vnd.openxmlformats-officedocument.spreadsheetml';
  const override = (part: string, of: string): string =>
    `<Override PartName="/xl/${part}" ContentType="${kind}.${of}+xml"/>`;
  const entries: ZipEntry[] = [
    {
      name: '[Content_Types].xml',
      data: `${DECLARATION}<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/>${override('workbook.xml', 'sheet.main')}${override('worksheets/sheet1.xml', 'worksheet')}${override('worksheets/sheet2.xml', 'worksheet')}${styles && override('styles.xml', 'styles')}${override('sharedStrings.xml', 'sharedStrings')}${parts.types ?? ''}</Types>`,
    },
    { name: '_rels/.rels', data: relationList(relation(type, 'rId1', 'officeDocument', 'xl/workbook.xml')) },
    {
      name: 'xl/workbook.xml',
      data: `${DECLARATION}<workbook xmlns="${main}" xmlns:r="${type}">${parts.version ?? ''}<sheets><sheet name="Nómina &amp; más" sheetId="1" r:id="rId1"/><sheet name="Otra" sheetId="2" r:id="rId2"/></sheets></workbook>`,
    },
    {
      name: 'xl/_rels/workbook.xml.rels',
      data: relationList(
        relation(type, 'rId1', 'worksheet', 'worksheets/sheet1.xml') +
          relation(type, 'rId2', 'worksheet', '/xl/worksheets/sheet2.xml') +
          (styles && relation(type, 'rId3', 'styles', 'styles.xml')) +
          relation(type, 'rId4', 'sharedStrings', 'sharedStrings.xml') +
          (parts.workbookRelations ?? ''),
      ),
    },
    {
      name: 'xl/worksheets/sheet1.xml',
      data: typeof parts.sheet === 'string' ? DECLARATION + parts.sheet : parts.sheet,
    },
    {
      name: 'xl/worksheets/sheet2.xml',
      data: `${DECLARATION}<worksheet xmlns="${main}"><sheetData><row r="1"><c r="A1"><v>7</v></c></row></sheetData></worksheet>`,
      stored: true,
    },
    {
      name: 'xl/sharedStrings.xml',
      data: `${DECLARATION}<sst xmlns="${main}">${strings.map((text) => `<si>${text}</si>`).join('')}</sst>`,
    },
    ...(parts.more ?? []),
  ];
  if (styles) entries.push({ name: 'xl/styles.xml', data: DECLARATION + styles });
  if (parts.sheetRelations)
    entries.push({ name: 'xl/worksheets/_rels/sheet1.xml.rels', data: relationList(parts.sheetRelations) });
  return zipOf(entries);
}

/** As Excel writes it: all that a sheet may have around its rows. */
export const EXCEL_ROWS =
  '<row r="1" spans="1:4"><c r="A1" s="4" t="s"><v>0</v></c><c r="B1" s="4"/><c r="C1" s="4"/><c r="D1" s="4"/></row>' +
  '<row r="3" spans="1:4" s="4" customFormat="1" ht="20" customHeight="1"><c r="A3" s="4" t="s"><v>1</v></c><c r="B3" s="4" t="s"><v>2</v></c><c r="C3" s="4" t="s"><v>3</v></c><c r="D3" s="4" t="s"><v>4</v></c></row>' +
  '<row r="4" spans="1:4"><c r="A4" s="5" t="s"><v>6</v></c><c r="B4" t="s"><v>5</v></c><c r="C4" s="1"><v>45931</v></c><c r="D4" s="2"><v>1750905.5</v></c></row>' +
  '<row r="5" spans="1:4" hidden="1"><c r="A5" s="5" t="inlineStr"><is><t>1020</t></is></c><c r="D5" s="3"><f>D4*2</f><v>3501811</v></c></row>' +
  '<row r="7" spans="1:4"><c r="A7" s="5" t="str"><f>"x"&amp;A5</f><v>x1020</v></c><c r="B7" t="e"><v>#N/A</v></c><c r="C7" t="b"><v>1</v></c><c r="D7" s="2"/></row>' +
  '<row r="8"/>';

export const EXCEL_AROUND = {
  before:
    '<sheetPr><tabColor rgb="FF00FF00"/></sheetPr><dimension ref="A1:D8"/><sheetViews><sheetView workbookViewId="0"/></sheetViews><sheetFormatPr defaultRowHeight="15"/><cols><col min="1" max="2" width="18" customWidth="1"/><col min="3" max="16384" width="11" style="5" customWidth="1"/></cols>',
  after:
    '<autoFilter ref="A3:D7"/><mergeCells count="2"><mergeCell ref="A1:D1"/><mergeCell ref="B4:B5"/></mergeCells><conditionalFormatting sqref="D4:D7"><cfRule type="expression" priority="1"><formula>D4&lt;0</formula></cfRule></conditionalFormatting><pageMargins left="0.7" right="0.7" top="0.75" bottom="0.75" header="0.3" footer="0.3"/>',
} as const;

export const EXCEL_SHEET = `<worksheet xmlns="${MAIN}" xmlns:r="${RELATIONS}">${EXCEL_AROUND.before}<sheetData>${EXCEL_ROWS}</sheetData>${EXCEL_AROUND.after}</worksheet>`;

const prefixed = EXCEL_SHEET.replaceAll(/<(\/?)(?=[a-z])/gi, '<$1x:').replace('xmlns=', 'xmlns:x=');

/** Rows and cells without their addresses, empty ones, and things between them. */
const BARE_SHEET = `<worksheet xmlns='${MAIN}'><sheetData><!-- <row r="9"> --><row><c t='s'><v>0</v></c></row>
 <row/><row foo="a>b"><c t="s"><v>1</v></c><c t="s"><v>2</v></c><c t="s"  ><v  >3</v></c><c t="s" ><v>4</v></c></row>
 <row><c t="inlineStr"><is><t><![CDATA[</c></row><c r="Z9">]]></t></is></c><c/><c t="inlineStr"><is><r><t>a</t></r><r><t>b</t></r></is></c></row>
 <row><c r="B5"><v>2</v></c><c><v>3</v></c></row><row r='9'><c r='D9' s='0'><v>1E3</v></c></row></sheetData></worksheet>`;

const DISORDER_SHEET = `<worksheet xmlns="${MAIN}"><sheetData><row r="5"><c r="C5"><v>5</v></c><c r="A5"><v>4</v></c></row><row r="3"><c r="B3" t="s"><v>2</v></c><c r="A3" t="s"><v>1</v></c></row><row r="4"><c r="A4"><v>1</v></c></row></sheetData></worksheet>`;

const utf16 = (text: string): Buffer =>
  Buffer.from(`\uFEFF<?xml version="1.0" encoding="UTF-16"?>${text}`, 'utf16le');

const EMPTY_ROWS = `<worksheet xmlns="${MAIN}"><sheetFormatPr defaultRowHeight="15"/><sheetData /><pageMargins left="0.7" right="0.7" top="0.75" bottom="0.75" header="0.3" footer="0.3"/></worksheet>`;

export const BOOKS: readonly (readonly [name: string, parts: BookParts])[] = [
  ['as Excel writes', { sheet: EXCEL_SHEET }],
  ['with a prefix', { sheet: prefixed }],
  ['without addresses, nor styles', { sheet: BARE_SHEET, styles: '' }],
  ['cells and rows in disorder', { sheet: DISORDER_SHEET }],
  ['UTF-16, low byte first', { sheet: utf16(EXCEL_SHEET) }],
  ['UTF-16, high byte first', { sheet: utf16(EXCEL_SHEET).swap16() }],
  [
    'strict',
    { sheet: EXCEL_SHEET.replace(MAIN, 'http://purl.oclc.org/ooxml/spreadsheetml/main'), strict: true },
  ],
  ['no rows', { sheet: EMPTY_ROWS }],
  [
    'styles with a prefix',
    {
      sheet: EXCEL_SHEET,
      styles: STYLES.replaceAll(/<(\/?)(?=[a-z])/gi, '<$1y:').replace('xmlns=', 'xmlns:y='),
    },
  ],
];

const CHART = `${DECLARATION}<c:chartSpace xmlns:c="http://schemas.openxmlformats.org/drawingml/2006/chart" xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main"><c:chart><c:plotArea><c:layout/><c:barChart><c:barDir val="col"/><c:grouping val="clustered"/><c:ser><c:idx val="0"/><c:order val="0"/><c:val><c:numRef><c:f>'Nómina &amp; más'!$D$4:$D$5</c:f></c:numRef></c:val></c:ser><c:axId val="1"/><c:axId val="2"/></c:barChart><c:catAx><c:axId val="1"/><c:scaling/><c:delete val="0"/><c:axPos val="b"/><c:crossAx val="2"/></c:catAx><c:valAx><c:axId val="2"/><c:scaling/><c:delete val="0"/><c:axPos val="l"/><c:crossAx val="1"/></c:valAx></c:plotArea></c:chart></c:chartSpace>`;
const DRAWING = `${DECLARATION}<xdr:wsDr xmlns:xdr="http://schemas.openxmlformats.org/drawingml/2006/spreadsheetDrawing" xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main"><xdr:twoCellAnchor><xdr:from><xdr:col>0</xdr:col><xdr:colOff>0</xdr:colOff><xdr:row>9</xdr:row><xdr:rowOff>0</xdr:rowOff></xdr:from><xdr:to><xdr:col>4</xdr:col><xdr:colOff>0</xdr:colOff><xdr:row>22</xdr:row><xdr:rowOff>0</xdr:rowOff></xdr:to><xdr:graphicFrame macro=""><xdr:nvGraphicFramePr><xdr:cNvPr id="2" name="Chart 1"/><xdr:cNvGraphicFramePr/></xdr:nvGraphicFramePr><xdr:xfrm><a:off x="0" y="0"/><a:ext cx="0" cy="0"/></xdr:xfrm><a:graphic><a:graphicData uri="http://schemas.openxmlformats.org/drawingml/2006/chart"><c:chart xmlns:c="http://schemas.openxmlformats.org/drawingml/2006/chart" xmlns:r="${RELATIONS}" r:id="rId1"/></a:graphicData></a:graphic></xdr:graphicFrame><xdr:clientData/></xdr:twoCellAnchor></xdr:wsDr>`;

const TABLE = `${DECLARATION}<table xmlns="${MAIN}" id="1" name="Tabla1" displayName="Tabla1" ref="A3:D7" totalsRowShown="0"><autoFilter ref="A3:D7"/><tableColumns count="4"><tableColumn id="1" name="Documento"/><tableColumn id="2" name="Nombre"/><tableColumn id="3" name="Ingreso"/><tableColumn id="4" name="Sueldo"/></tableColumns></table>`;

/** A chart, a table and shapes of form controls: parts that must survive, and stay related. */
export const CHART_BOOK: BookParts = {
  sheet: EXCEL_SHEET.replace('<autoFilter ref="A3:D7"/>', '')
    .replace('<mergeCell ref="B4:B5"/>', '')
    .replace('mergeCells count="2"', 'mergeCells count="1"')
    .replace(
      '</worksheet>',
      '<drawing r:id="rId7"/><tableParts count="1"><tablePart r:id="rId2"/></tableParts></worksheet>',
    ),
  sheetRelations:
    relation(RELATIONS, 'rId7', 'drawing', '../drawings/drawing1.xml') +
    relation(RELATIONS, 'rId2', 'table', '../tables/table1.xml'),
  types:
    '<Override PartName="/xl/drawings/drawing1.xml" ContentType="application/vnd.openxmlformats-officedocument.drawing+xml"/><Override PartName="/xl/charts/chart1.xml" ContentType="application/vnd.openxmlformats-officedocument.drawingml.chart+xml"/><Override PartName="/xl/tables/table1.xml" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.table+xml"/>',
  more: [
    { name: 'xl/drawings/drawing1.xml', data: DRAWING },
    {
      name: 'xl/drawings/_rels/drawing1.xml.rels',
      data: relationList(relation(RELATIONS, 'rId1', 'chart', '../charts/chart1.xml')),
    },
    { name: 'xl/charts/chart1.xml', data: CHART },
    { name: 'xl/tables/table1.xml', data: TABLE },
    { name: 'xl/media/nothing.bin', data: Buffer.alloc(2000, 'png') },
  ],
};

const SHAPES = `<xml xmlns:v="urn:schemas-microsoft-com:vml" xmlns:o="urn:schemas-microsoft-com:office:office" xmlns:x="urn:schemas-microsoft-com:office:excel"><v:shapetype id="_x0000_t202" coordsize="21600,21600" o:spt="202" path="m,l,21600r21600,l21600,xe"/><v:shape id="_x0000_s1026" type="#_x0000_t202" style="position:absolute;width:108pt;height:59pt;visibility:hidden"><br><x:ClientData ObjectType="Note"><x:Row>3</x:Row><x:Column>3</x:Column></x:ClientData></v:shape></xml>`;

/** A note of Ana on D4, whose shapes part is no XML. */
export const NOTED_BOOK: BookParts = {
  sheet: EXCEL_SHEET.replace('</worksheet>', '<legacyDrawing r:id="rId5"/></worksheet>'),
  sheetRelations:
    relation(RELATIONS, 'rId5', 'vmlDrawing', '../drawings/vmlDrawing1.vml') +
    relation(RELATIONS, 'rId6', 'comments', '../comments1.xml'),
  types:
    '<Default Extension="vml" ContentType="application/vnd.openxmlformats-officedocument.vmlDrawing"/><Override PartName="/xl/comments1.xml" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.comments+xml"/>',
  more: [
    {
      name: 'xl/comments1.xml',
      data: `${DECLARATION}<comments xmlns="${MAIN}"><authors><author>Ana Ñáñez</author></authors><commentList><comment ref="D4" authorId="0"><text><t>¿Seguro?</t></text></comment></commentList></comments>`,
    },
    { name: 'xl/drawings/vmlDrawing1.vml', data: SHAPES },
  ],
};
