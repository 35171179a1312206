import { posix } from 'node:path';
import { type IssueCode, type Reason, stop } from '../../core/issue.js';
import { MAX_SHEET_NAME_LENGTH } from '../../core/limits.js';
import type { InputFile, RowSource } from '../table.js';
import {
  mergedOverRows,
  mergedUpTo,
  readMerged,
  readSharedStrings,
  readSheet,
  readStyles,
  readView,
  type SheetContext,
} from './sheet.js';
import { isTrue, keyOf, readXml, type ZipArchive, type ZipPart } from './zip.js';

/** Reference of one part of a package to another. */
interface Relationship {
  readonly id: string;
  /** Name of the type, the same in transitional and strict files: `worksheet`, `styles`; the URI of other types. */
  readonly type: string;
  /** Name of the target part, from the root of the zip. */
  readonly target: string;
}

/** Namespaces of relationships in transitional and strict files, without their end. */
const RELATIONSHIPS =
  /^http:\/\/(?:schemas\.openxmlformats\.org\/officeDocument\/2006|purl\.oclc\.org\/ooxml\/officeDocument)\/relationships/;

const isRelationships = (namespace: string | undefined): boolean =>
  namespace?.replace(RELATIONSHIPS, '') === '';

/**
 * Reads the relationships of a part, or of the package (`''`), without links to other files; empty if there are none.
 */
async function readRelationships(zip: ZipArchive, source: string): Promise<readonly Relationship[]> {
  const folder = posix.dirname(source);
  const part = zip.part(posix.join(folder, '_rels', `${posix.basename(source)}.rels`));
  if (part === undefined) return [];
  const relations: Relationship[] = [];
  await readXml(zip, part, {
    open(name, attributes) {
      const target = attributes['Target'];
      if (name !== 'Relationship' || target === undefined || attributes['TargetMode'] === 'External') return;
      relations.push({
        id: attributes['Id'] ?? '',
        type: (attributes['Type'] ?? '').replace(RELATIONSHIPS, '').replace(/^\//, ''),
        target: posix.resolve('/', folder, target).slice(1),
      });
    },
  });
  return relations;
}

interface SheetEntry {
  readonly name: string;
  readonly hidden: boolean;
  /** Empty for a sheet of old macros, which has no part. */
  readonly relationId: string | undefined;
}

/**
 * Opens the workbook of a zip: its worksheets in order, with hidden ones, without chart and macro sheets, for any order
 * of the parts. Strings and styles are read by the first `batches()` and kept until the file is closed.
 * @throws PipelineError `input`: `file/not-a-workbook`, `file/ods`, `file/xlsb`, `file/part-missing`,
 * `file/zip-ambiguous`, `file/too-many-sheets`, and those of zip and XML
 */
export async function openWorkbook(path: string, zip: ZipArchive): Promise<InputFile> {
  const { file } = zip;
  const main = await findWorkbook(zip);
  const { sheets, base1904 } = await readWorkbook(zip, main);
  const relations = await readRelationships(zip, main.name);
  const context = contextReader(zip, relations, base1904);
  if (sheets.length > zip.limits.sheets)
    refuse(zip, {
      code: 'file/too-many-sheets',
      params: { sheets: sheets.length, most: zip.limits.sheets },
    });
  const partsSeen = new Set<string>();
  const byId = new Map(relations.map((relation) => [relation.id, relation]));
  const tables = sheets.flatMap((sheet) => {
    if (sheet.relationId === '') return [];
    const relation = byId.get(sheet.relationId ?? '') ?? missing(zip, sheet.name);
    if (relation.type !== 'worksheet') return [];
    const part = needed(zip, relation.target);
    if (partsSeen.has(keyOf(part.name)))
      refuse(zip, { code: 'file/zip-ambiguous', params: { part: part.name } });
    partsSeen.add(keyOf(part.name));
    return [sheetSource(zip, sheet, part, base1904, context)];
  });
  if (tables.length === 0) await notAWorkbook(zip);
  return { path, file, kind: 'xlsx', tables, close: () => zip.close() };
}

function sheetSource(
  zip: ZipArchive,
  { name, hidden }: SheetEntry,
  part: ZipPart,
  base1904: boolean,
  context: () => Promise<SheetContext>,
): RowSource {
  let known: ReturnType<typeof readMerged> | undefined;
  /** Read once, since it unpacks the whole sheet. */
  const merged = () => {
    known ??= readMerged(zip, part);
    return known;
  };
  return {
    file: zip.file,
    sheet: name,
    hidden,
    ...(base1904 && { base1904 }),
    async *batches() {
      yield* readSheet(zip, part, await context());
    },
    merged: async (upTo) => mergedUpTo(await merged(), upTo),
    mergedDown: async () => mergedOverRows(await merged()),
    view: () => readView(zip, part),
  };
}

/** Creates a function that reads strings and styles once. */
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

async function readWorkbook(
  zip: ZipArchive,
  part: ZipPart,
): Promise<{ readonly sheets: readonly SheetEntry[]; readonly base1904: boolean }> {
  const sheets: SheetEntry[] = [];
  let base1904 = false;
  let root: string | undefined;
  await readXml(zip, part, {
    open(name, attributes, namespaceOf) {
      root ??= name;
      if (name === 'workbookPr') base1904 = isTrue(attributes['date1904']);
      if (name !== 'sheet') return;
      const [, relationId] =
        Object.entries(attributes).find(
          ([key]) => key.endsWith(':id') && isRelationships(namespaceOf(key.slice(0, -':id'.length))),
        ) ?? [];
      const state = attributes['state'] ?? 'visible';
      const sheet = attributes['name'] ?? '';
      if (sheet.length > MAX_SHEET_NAME_LENGTH)
        refuse(zip, { code: 'file/xml-broken', params: { part: part.name } });
      sheets.push({
        name: sheet,
        hidden: state !== 'visible',
        relationId,
      });
    },
  });
  if (root !== 'workbook') await notAWorkbook(zip);
  return { sheets, base1904 };
}

const needed = (zip: ZipArchive, name: string): ZipPart => zip.part(name) ?? missing(zip, name);

const refuse = <C extends IssueCode>(zip: ZipArchive, reason: Reason<C>): never =>
  stop('input', { ...reason, place: { file: zip.file } });

const missing = (zip: ZipArchive, part: string): never =>
  refuse(zip, { code: 'file/part-missing', params: { part } });

/** Kind of a zip without a workbook, by a part that only this kind has. */
const OTHER_ZIPS: readonly (readonly [
  part: string,
  code: 'file/xlsb' | 'file/ods' | 'file/not-a-workbook',
  format: string,
])[] = [
  ['xl/workbook.bin', 'file/xlsb', 'XLSB'],
  ['word/document.xml', 'file/not-a-workbook', 'DOCX'],
  ['ppt/presentation.xml', 'file/not-a-workbook', 'PPTX'],
  ['content.xml', 'file/ods', 'ODS'],
];
const OTHER_ZIP = ['', 'file/not-a-workbook', 'ZIP'] as const;
const OTHER_OPEN_DOCUMENT = /^application\/vnd\.oasis\.opendocument\.(?!spreadsheet)/;

export const isOfficeFile = (zip: ZipArchive): boolean =>
  zip.part('[Content_Types].xml') !== undefined || OTHER_ZIPS.some(([part]) => zip.part(part) !== undefined);

async function notAWorkbook(zip: ZipArchive): Promise<never> {
  const [, code, format] = OTHER_ZIPS.find(([part]) => zip.part(part) !== undefined) ?? OTHER_ZIP;
  for await (const chunk of zip.part('mimetype')?.chunks() ?? [])
    if (OTHER_OPEN_DOCUMENT.test(chunk.toString('latin1')))
      return refuse(zip, { code: 'file/not-a-workbook', params: { format: 'OpenDocument' } });
  return refuse(zip, { code, params: { format } });
}
