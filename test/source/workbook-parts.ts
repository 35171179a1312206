import { posix } from 'node:path';
import { type ZipEntry, zipOf } from '../support/zip-writer.js';

const RELATIONSHIPS = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';

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
  readonly relationships?: string;
}

const xml = (root: string): string => `<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n${root}`;
const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;');

export const sheetXml = (rows: string): string =>
  xml(`<worksheet><sheetData>${rows}</sheetData></worksheet>`);

const styles = (formats: readonly (number | string)[]): string => {
  const codes = formats.map((format, index) =>
    typeof format === 'string' ? `<numFmt numFmtId="${200 + index}" formatCode="${escaped(format)}"/>` : '',
  );
  const cells = formats.map(
    (format, index) => `<xf numFmtId="${typeof format === 'string' ? 200 + index : format}"/>`,
  );
  // A style list and a conditional format with the same elements, which are not those of cells.
  return xml(
    `<styleSheet><numFmts>${codes.join('')}</numFmts><cellStyleXfs><xf numFmtId="14"/></cellStyleXfs>` +
      `<cellXfs>${cells.join('')}</cellXfs><dxfs><dxf><numFmt numFmtId="0" formatCode="dd/mm/yyyy"/></dxf></dxfs></styleSheet>`,
  );
};

/** The entries of an ordinary workbook, in the order that Excel writes them. */
export function workbookEntries(parts: WorkbookParts): ZipEntry[] {
  const type = parts.relationships ?? RELATIONSHIPS;
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
      data: xml(`<Relationships>${relation('rId1', 'officeDocument', 'xl/workbook.xml')}</Relationships>`),
    },
    {
      name: 'xl/workbook.xml',
      data: xml(
        `<workbook xmlns:r="${type}"><workbookPr date1904="${parts.date1904 ? 1 : 0}"/><sheets>${sheets.join('')}</sheets></workbook>`,
      ),
    },
    { name: 'xl/_rels/workbook.xml.rels', data: xml(`<Relationships>${relations.join('')}</Relationships>`) },
  ];
  for (const [index, { rows = '', xml: whole }] of parts.sheets.entries()) {
    const name = posix.resolve('/xl', targets[index]!).slice(1);
    entries.push({ name, data: whole ?? sheetXml(rows) });
  }
  if (parts.formats !== undefined) entries.push({ name: 'xl/styles.xml', data: styles(parts.formats) });
  if (parts.strings !== undefined)
    entries.push({
      name: 'xl/sharedStrings.xml',
      data: xml(`<sst>${parts.strings.map((string) => `<si>${string}</si>`).join('')}</sst>`),
    });
  return entries;
}

export const workbookOf = (parts: WorkbookParts): Buffer => zipOf(workbookEntries(parts));

/** A workbook of one sheet. */
export const sheetOf = (rows: string, parts: Omit<WorkbookParts, 'sheets'> = {}): Buffer =>
  workbookOf({ ...parts, sheets: [{ name: 'Hoja1', rows }] });
