/** Re-exports the writing half of exceljs. The build replaces this module, so that the rest is not shipped. */
export { default as Workbook } from 'exceljs/lib/doc/workbook.js';
export { default as WorkbookWriter } from 'exceljs/lib/stream/xlsx/workbook-writer.js';
