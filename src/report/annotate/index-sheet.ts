import { INDEX, INDEX_SHEET, LEVELS } from '../../generated/texts-report.js';
import type { Language } from '../../toolkit/core/issue.js';
import { unreachable } from '../../toolkit/core/required.js';
import { columnLetter } from '../../toolkit/core/text.js';
import { textXml, xmlText } from '../cell-xml.js';
import { type NewParts, sheetNamespace } from './notes.js';
import { type Directory, encoded, NEW_PART, type Package } from './package.js';
import { noteText, type SheetPlan } from './sheet-plan.js';
import type { StyleBook } from './style-book.js';
import { attributesIn, childNamed, childrenOf, prefixOf, rootOf, withAppended } from './xml-tags.js';

const SHEET_TYPE = 'application/vnd.openxmlformats-officedocument.spreadsheetml.worksheet+xml';
const NAMES: ReadonlySet<string> = new Set(Object.values(INDEX_SHEET));
/** Max hyperlinks of a sheet in Excel. */
const MAX_LINKS = 65_530;
const COLUMN_WIDTHS = [24, 10, 14, 110] as const;

/** Row of the index: one comment of a sheet. */
interface Entry {
  readonly sheet: string;
  readonly cell: string;
  readonly level: 'error' | 'warning';
  readonly text: string;
}

/** Lists the comments of all sheets in order. */
function entriesOf(plans: ReadonlyMap<string, SheetPlan>, sheets: readonly string[]): readonly Entry[] {
  const entries: Entry[] = [];
  for (const sheet of sheets) {
    const { marks, rowMarks } = plans.get(sheet) ?? {};
    const rows = [...new Set([...(marks?.keys() ?? []), ...(rowMarks?.keys() ?? [])])].sort((a, b) => a - b);
    for (const row of rows) {
      const ofRow = [...(marks?.get(row) ?? [])].sort(([a], [b]) => a - b);
      const rowMark = rowMarks?.get(row);
      for (const [column, { level, texts }] of [...(rowMark ? [[0, rowMark] as const] : []), ...ofRow])
        if (texts.length > 0)
          entries.push({ sheet, cell: `${columnLetter(column)}${row}`, level, text: noteText(texts) });
    }
  }
  return entries.slice(0, MAX_LINKS);
}

function* pieces(
  entries: readonly Entry[],
  namespace: string,
  styles: StyleBook,
  language: Language,
): Generator<string> {
  const cols = COLUMN_WIDTHS.map(
    (width, at) => `<col min="${at + 1}" max="${at + 1}" width="${width}" customWidth="1"/>`,
  );
  const heads = [INDEX.sheet, INDEX.cell, INDEX.level, INDEX.text].map((head, at) =>
    textXml(`${columnLetter(at)}1`, head[language], styles.tone('idle')),
  );
  yield `<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n<worksheet xmlns="${namespace}"><sheetViews><sheetView workbookViewId="0"><pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/></sheetView></sheetViews>`;
  yield `<cols>${cols.join('')}</cols><sheetData><row r="1">${heads.join('')}</row>`;
  for (const [at, { sheet, cell: address, level, text }] of entries.entries()) {
    const row = at + 2;
    const tone = styles.tone(level === 'error' ? 'bad' : 'waiting');
    yield `<row r="${row}">${textXml(`A${row}`, sheet)}${textXml(`B${row}`, address)}${textXml(`C${row}`, LEVELS[level][language], tone)}${textXml(`D${row}`, text)}</row>`;
  }
  yield `</sheetData><autoFilter ref="A1:D${entries.length + 1}"/>`;
  if (entries.length > 0) {
    yield '<hyperlinks>';
    for (const [at, { sheet, cell: address }] of entries.entries())
      yield `<hyperlink ref="B${at + 2}" location="${xmlText(`'${sheet.replaceAll("'", "''")}'!${address}`)}" display="${address}"/>`;
    yield '</hyperlinks>';
  }
  yield '</worksheet>';
}

interface IndexSite {
  readonly input: Package;
  readonly directory: Directory;
  readonly plans: ReadonlyMap<string, SheetPlan>;
  readonly styles: StyleBook;
  readonly language: Language;
  readonly parts: NewParts;
  /** Registers a new part in the lists of the package and returns the id of its relationship. */
  readonly relate: (kind: string, part: string, type: string) => string;
}

/**
 * Adds a sheet that lists all comments with links to their cells, if more than one sheet has any. The index
 * of an earlier copy is replaced.
 */
export async function addIndex(site: IndexSite): Promise<void> {
  const { input, directory, plans, styles, language, parts, relate } = site;
  const { sheets, workbook, relationTypes } = directory;
  const known = sheets.find(({ name }) => NAMES.has(name));
  const others = sheets.filter((sheet) => sheet !== known).map(({ name }) => name);
  const entries = entriesOf(plans, others);
  const hasOneSheet = new Set(entries.map(({ sheet }) => sheet)).size < 2;
  if (known === undefined && hasOneSheet) return;
  const part = known?.part ?? input.freeName('xl/worksheets/sheet#.xml', new Set(parts.keys()));
  const namespace = sheetNamespace(directory);
  parts.set(part, () => encoded(pieces(entries, namespace, styles, language), NEW_PART));
  if (known !== undefined) return;
  const id = relate('worksheet', part, SHEET_TYPE);
  const workbookPart = await input.read(workbook);
  const named = withSheet(workbookPart.text, INDEX_SHEET[language], id, relationTypes);
  parts.set(workbook, () => encoded([named], workbookPart.encoding));
}

/** Returns the workbook part with one more sheet at the end, so that indexes of sheets stay valid. */
function withSheet(text: string, name: string, id: string, relationTypes: string): string {
  const root = rootOf(text);
  const list = childNamed(text, root, 'sheets') ?? unreachable('sheets of a workbook');
  const ids = [...childrenOf(text, list)].map((sheet) =>
    Number(attributesIn(text, sheet.start, sheet.tagEnd)['sheetId'] ?? 0),
  );
  const sheet = `<${prefixOf(root.name)}sheet xmlns:r="${relationTypes}" name="${name}" sheetId="${Math.max(0, ...ids) + 1}" r:id="${id}"/>`;
  return withAppended(text, list, sheet);
}
