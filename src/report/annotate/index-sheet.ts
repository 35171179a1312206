import { INDEX, INDEX_SHEET, LEVELS } from '../../generated/texts-report.js';
import type { Language } from '../../toolkit/core/issue.js';
import { columnLetter } from '../../toolkit/core/text.js';
import { textXml, xmlText } from '../cell-xml.js';
import { type NewParts, sheetNamespace } from './notes.js';
import { type Directory, encoded, NEW_PART, type Package } from './package.js';
import { noteText, type SheetPlan } from './sheet-plan.js';
import type { StyleBook } from './style-book.js';
import {
  attributesIn,
  childNamed,
  childrenOf,
  contentOf,
  prefixOf,
  rootOf,
  withContent,
} from './xml-tags.js';

const SHEET_TYPE = 'application/vnd.openxmlformats-officedocument.spreadsheetml.worksheet+xml';
const NAMES: ReadonlySet<string> = new Set(Object.values(INDEX_SHEET));
/** What a sheet may have. */
const MOST_LINKS = 65_530;
const WIDTHS = [24, 10, 14, 110] as const;

/** A note of some sheet. */
interface Entry {
  readonly sheet: string;
  readonly cell: string;
  readonly level: 'error' | 'warning';
  readonly text: string;
}

/** The notes of all sheets, in order. */
function entriesOf(plans: ReadonlyMap<string, SheetPlan>, sheets: readonly string[]): readonly Entry[] {
  const entries: Entry[] = [];
  for (const sheet of sheets) {
    const { marks, rowMarks } = plans.get(sheet) ?? {};
    const rows = [...new Set([...(marks?.keys() ?? []), ...(rowMarks?.keys() ?? [])])].sort((a, b) => a - b);
    for (const row of rows) {
      const ofRow = [...(marks?.get(row) ?? [])].sort(([a], [b]) => a - b);
      const whole = rowMarks?.get(row);
      for (const [column, { level, texts }] of [...(whole ? [[0, whole] as const] : []), ...ofRow])
        if (texts.length > 0)
          entries.push({ sheet, cell: `${columnLetter(column)}${row}`, level, text: noteText(texts) });
    }
  }
  return entries.slice(0, MOST_LINKS);
}

function* pieces(
  entries: readonly Entry[],
  namespace: string,
  styles: StyleBook,
  language: Language,
): Generator<string> {
  const cols = WIDTHS.map(
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
  /** Names a new part of a kind in the lists of the package; returns the id of the relationship. */
  readonly relate: (kind: string, part: string, type: string) => string;
}

/**
 * A sheet that lists the notes of a workbook, each with a link to its cell, where they stand on more sheets than one. One that
 * an earlier copy has is written anew.
 */
export async function addIndex(site: IndexSite): Promise<void> {
  const { input, directory, plans, styles, language, parts, relate } = site;
  const { sheets, workbook, relationTypes } = directory;
  const known = sheets.find(({ name }) => NAMES.has(name));
  const others = sheets.filter((sheet) => sheet !== known).map(({ name }) => name);
  const entries = entriesOf(plans, others);
  const isOnOne = new Set(entries.map(({ sheet }) => sheet)).size < 2;
  if (known === undefined && isOnOne) return;
  const part = known?.part ?? input.freeName('xl/worksheets/sheet#.xml', new Set(parts.keys()));
  const namespace = sheetNamespace(directory);
  parts.set(part, () => encoded(pieces(entries, namespace, styles, language), NEW_PART));
  if (known !== undefined) return;
  const id = relate('worksheet', part, SHEET_TYPE);
  const book = await input.read(workbook);
  const named = withSheet(book.text, INDEX_SHEET[language], id, relationTypes);
  parts.set(workbook, () => encoded([named], book.encoding));
}

/** The workbook with one more sheet, behind the others: what counts sheets still counts right. */
function withSheet(text: string, name: string, id: string, relationTypes: string): string {
  const root = rootOf(text);
  const list = childNamed(text, root, 'sheets')!;
  const ids = [...childrenOf(text, list)].map((sheet) =>
    Number(attributesIn(text, sheet.start, sheet.tagEnd)['sheetId'] ?? 0),
  );
  const sheet = `<${prefixOf(root.name)}sheet xmlns:r="${relationTypes}" name="${name}" sheetId="${Math.max(0, ...ids) + 1}" r:id="${id}"/>`;
  return (
    text.slice(0, list.start) + withContent(text, list, contentOf(text, list) + sheet) + text.slice(list.end)
  );
}
