import { posix } from 'node:path';
import { type ZipEntry, zipOf } from '../support/zip-writer.js';

export const TRANSITIONAL = {
  main: 'http://schemas.openxmlformats.org/spreadsheetml/2006/main',
  relationships: 'http://schemas.openxmlformats.org/officeDocument/2006/relationships',
} as const;
export const STRICT = {
  main: 'http://purl.oclc.org/ooxml/spreadsheetml/main',
  relationships: 'http://purl.oclc.org/ooxml/officeDocument/relationships',
} as const;
const PACKAGE = 'http://schemas.openxmlformats.org/package/2006/relationships';

export interface SheetParts {
  readonly name: string;
  readonly state?: string;
  /** What stands between the tags of `sheetData`. */
  readonly rows?: string;
  /** The whole part, instead of `rows`. */
  readonly xml?: string | Buffer;
  /** @default worksheet */
  readonly type?: string;
  /** As written in the relationship. @default worksheets/sheet<n>.xml */
  readonly target?: string;
}

export interface WorkbookParts {
  readonly sheets: readonly SheetParts[];
  /** XML of each shared string, inside `si`. */
  readonly strings?: readonly string[];
  /** Number format of each cell style: an id, or a code. */
  readonly formats?: readonly (number | string)[];
  readonly date1904?: boolean;
  /** @default TRANSITIONAL */
  readonly namespaces?: typeof TRANSITIONAL | typeof STRICT;
  /** What stands behind the sheets in the workbook part. */
  readonly extension?: string;
}

const xml = (root: string): string => `<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n${root}`;
const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;');

export const sheetXml = (rows: string, main: string = TRANSITIONAL.main): string =>
  xml(`<worksheet xmlns="${main}"><sheetData>${rows}</sheetData></worksheet>`);

const styles = (formats: readonly (number | string)[], main: string): string => {
  const codes = formats.map((format, index) =>
    typeof format === 'string' ? `<numFmt numFmtId="${200 + index}" formatCode="${escaped(format)}"/>` : '',
  );
  const cells = formats.map(
    (format, index) => `<xf numFmtId="${typeof format === 'string' ? 200 + index : format}"/>`,
  );
  // A style list and a conditional format with the same elements, which are not those of cells.
  return xml(
    `<styleSheet xmlns="${main}"><numFmts>${codes.join('')}</numFmts><cellStyleXfs><xf numFmtId="14"/></cellStyleXfs>` +
      `<cellXfs>${cells.join('')}</cellXfs><dxfs><dxf><numFmt numFmtId="0" formatCode="dd/mm/yyyy"/></dxf></dxfs></styleSheet>`,
  );
};

/** The entries of an ordinary workbook, in the order that Excel writes them. */
export function workbookEntries(parts: WorkbookParts): ZipEntry[] {
  const { main, relationships: type } = parts.namespaces ?? TRANSITIONAL;
  const relation = (id: string, kind: string, target: string): string =>
    `<Relationship Id="${id}" Type="${type}/${kind}" Target="${target}"/>`;
  const targets = parts.sheets.map(({ target }, index) => target ?? `worksheets/sheet${index + 1}.xml`);
  const sheets = parts.sheets.map(
    ({ name, state = 'visible' }, index) =>
      `<sheet name="${escaped(name)}" sheetId="${index + 1}" state="${state}" r:id="rId${index + 1}"/>`,
  );
  const relations = parts.sheets.map(({ type: kind = 'worksheet' }, index) =>
    relation(`rId${index + 1}`, kind, targets[index]!),
  );
  if (parts.formats !== undefined) relations.push(relation('rIdStyles', 'styles', 'styles.xml'));
  if (parts.strings !== undefined)
    relations.push(relation('rIdStrings', 'sharedStrings', 'sharedStrings.xml'));
  const entries: ZipEntry[] = [
    { name: '[Content_Types].xml', data: xml('<Types/>') },
    {
      name: '_rels/.rels',
      data: xml(
        `<Relationships xmlns="${PACKAGE}">${relation('rId1', 'officeDocument', 'xl/workbook.xml')}</Relationships>`,
      ),
    },
    {
      name: 'xl/workbook.xml',
      data: xml(
        `<workbook xmlns="${main}" xmlns:r="${type}"><workbookPr date1904="${parts.date1904 ? 1 : 0}"/><sheets>${sheets.join('')}</sheets>${parts.extension ?? ''}</workbook>`,
      ),
    },
    {
      name: 'xl/_rels/workbook.xml.rels',
      data: xml(`<Relationships xmlns="${PACKAGE}">${relations.join('')}</Relationships>`),
    },
  ];
  for (const [index, { rows = '', xml: whole }] of parts.sheets.entries()) {
    const name = posix.resolve('/xl', targets[index]!).slice(1);
    entries.push({ name, data: whole ?? sheetXml(rows, main) });
  }
  if (parts.formats !== undefined) entries.push({ name: 'xl/styles.xml', data: styles(parts.formats, main) });
  if (parts.strings !== undefined)
    entries.push({
      name: 'xl/sharedStrings.xml',
      data: xml(`<sst xmlns="${main}">${parts.strings.map((string) => `<si>${string}</si>`).join('')}</sst>`),
    });
  return entries;
}

export const workbookOf = (parts: WorkbookParts): Buffer => zipOf(workbookEntries(parts));

/** A workbook of one sheet. */
export const sheetOf = (rows: string, parts: Omit<WorkbookParts, 'sheets'> = {}): Buffer =>
  workbookOf({ ...parts, sheets: [{ name: 'Hoja1', rows }] });
