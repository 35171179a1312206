import exceljs from 'exceljs';
import { ownSheetName, TEMPLATE_SHEETS, type TemplatePlan } from '../document/template-plan.js';
import type { Language } from '../issues/issue.js';
import { type Placing, putInPlace } from './put-in-place.js';
import { addGuide } from './template-guide.js';
import { addLists, addSheet, listPlaces } from './template-sheet.js';

export interface TemplateOptions {
  readonly file: string;
  readonly language: Language;
  readonly now: Date;
  readonly placing?: Placing;
}

/** The name of a sheet of the template's own, which must not be that of a sheet to fill. */
function ownName({ sheets }: TemplatePlan, name: string): string {
  const isTaken = sheets.some((sheet) => sheet.name.toLowerCase() === name.toLowerCase());
  return ownSheetName(name, isTaken);
}

/**
 * Writes an empty workbook that the mapping of the plan reads: instructions, the sheets to fill, and a hidden one with
 * the words of drop-downs. Returns the name that the file got.
 * @throws PipelineError('output', report/not-writable)
 */
export function writeTemplate(plan: TemplatePlan, options: TemplateOptions): Promise<string> {
  const { file, language, now, placing } = options;
  const book = new exceljs.Workbook();
  book.creator = 'cargue';
  book.lastModifiedBy = 'cargue';
  book.created = now;
  book.modified = now;
  const lists = ownName(plan, TEMPLATE_SHEETS.lists[language]);
  const places = listPlaces(plan, lists);
  addGuide(book, plan, { name: ownName(plan, TEMPLATE_SHEETS.guide[language]), language, now });
  for (const sheet of plan.sheets) addSheet(book, plan, sheet, { places, language });
  addLists(book, plan, lists);
  return putInPlace(file, (temporary) => book.xlsx.writeFile(temporary), placing);
}
