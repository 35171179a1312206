import { stop } from '../../issues/pipeline-error.js';
import type { InputFile, RowSource } from '../table.js';
import { type Relationship, readRelationships } from './relationships.js';
import { readSharedStrings } from './shared-strings.js';
import { readSheet, type SheetContext } from './sheet.js';
import { readStyles } from './styles.js';
import { isTrue, localName, readXml } from './xml.js';
import type { ZipArchive, ZipPart } from './zip.js';

interface SheetEntry {
  readonly name: string;
  readonly hidden: boolean;
  readonly relationId: string;
}

interface WorkbookPart {
  readonly sheets: readonly SheetEntry[];
  readonly base1904: boolean;
}

/**
 * Opens a workbook, and closes its zip when it is none: its worksheets in order, hidden ones too, chart and macro sheets left out. Any order of the parts in the zip will do.
 * Strings and styles are read at the first `batches()` and kept until the file is closed.
 * @throws PipelineError `input`: `file/not-a-workbook`, `file/part-missing`, and what zip and XML can say.
 */
export async function openWorkbook(path: string, zip: ZipArchive): Promise<InputFile> {
  const { file } = zip;
  try {
    const main = await findWorkbook(zip);
    const { sheets, base1904 } = await readWorkbook(zip, main);
    const relations = await readRelationships(zip, main.name);
    const context = contextReader(zip, relations, base1904);
    const tables = sheets.flatMap((sheet) => {
      const relation = relations.find(({ id }) => id === sheet.relationId) ?? missing(zip, sheet.name);
      return relation.type === 'worksheet'
        ? [sheetSource(zip, sheet, needed(zip, relation.target), context)]
        : [];
    });
    if (tables.length === 0) notAWorkbook(zip);
    return { path, file, kind: 'xlsx', tables, close: () => zip.close() };
  } catch (cause) {
    await zip.close();
    throw cause;
  }
}

function sheetSource(
  zip: ZipArchive,
  { name, hidden }: SheetEntry,
  part: ZipPart,
  context: () => Promise<SheetContext>,
): RowSource {
  return {
    file: zip.file,
    sheet: name,
    hidden,
    async *batches() {
      yield* readSheet(zip, part, await context());
    },
  };
}

/** Reads strings and styles once, when the first sheet asks for them. */
function contextReader(
  zip: ZipArchive,
  relations: readonly Relationship[],
  base1904: boolean,
): () => Promise<SheetContext> {
  const partOf = (type: string): ZipPart | undefined => {
    const relation = relations.find((candidate) => candidate.type === type);
    return relation && needed(zip, relation.target);
  };
  const read = async (): Promise<SheetContext> => {
    const styles = partOf('styles');
    const strings = partOf('sharedStrings');
    return {
      formats: styles === undefined ? [] : await readStyles(zip, styles),
      strings: strings === undefined ? () => undefined : await readSharedStrings(zip, strings),
      base1904,
    };
  };
  let context: Promise<SheetContext> | undefined;
  return () => {
    context ??= read();
    return context;
  };
}

async function findWorkbook(zip: ZipArchive): Promise<ZipPart> {
  const relations = await readRelationships(zip, '');
  const target = relations.find(({ type }) => type === 'officeDocument')?.target ?? 'xl/workbook.xml';
  const part = zip.part(target);
  return part === undefined || target.endsWith('.bin') ? notAWorkbook(zip) : part;
}

async function readWorkbook(zip: ZipArchive, part: ZipPart): Promise<WorkbookPart> {
  const sheets: SheetEntry[] = [];
  let base1904 = false;
  let root: string | undefined;
  await readXml(zip, part, {
    open(name, attributes) {
      const local = localName(name);
      root ??= local;
      if (root !== 'workbook') notAWorkbook(zip);
      if (local === 'workbookPr') base1904 = isTrue(attributes['date1904']);
      if (local !== 'sheet') return;
      // The relation's attribute is the one with a prefix, whatever that is: usually `r:id`.
      const [, relationId] = Object.entries(attributes).find(([key]) => key.endsWith(':id')) ?? [];
      const state = attributes['state'] ?? 'visible';
      sheets.push({
        name: attributes['name'] ?? '',
        hidden: state !== 'visible',
        relationId: relationId ?? '',
      });
    },
  });
  return { sheets, base1904 };
}

const needed = (zip: ZipArchive, name: string): ZipPart => zip.part(name) ?? missing(zip, name);

const missing = (zip: ZipArchive, part: string): never =>
  stop('input', { code: 'file/part-missing', params: { part }, place: { file: zip.file } });

/** What a zip without a workbook seems to be, by a part that only this kind has. */
const OTHER_ZIPS: readonly (readonly [string, string])[] = [
  ['xl/workbook.bin', 'XLSB'],
  ['word/document.xml', 'DOCX'],
  ['ppt/presentation.xml', 'PPTX'],
  ['content.xml', 'ODS'],
];

/** Whether the zip is a file of an office program, XML parts and all. */
export const isOfficeFile = (zip: ZipArchive): boolean =>
  zip.part('[Content_Types].xml') !== undefined || OTHER_ZIPS.some(([part]) => zip.part(part) !== undefined);

function notAWorkbook(zip: ZipArchive): never {
  const format = OTHER_ZIPS.find(([part]) => zip.part(part) !== undefined)?.[1] ?? 'ZIP';
  return stop('input', { code: 'file/not-a-workbook', params: { format }, place: { file: zip.file } });
}
