/** The half of exceljs that writes. The build puts it into this module's place in dist, so that the rest of it is not shipped. */
export { default as Workbook } from 'exceljs/lib/doc/workbook.js';
export { default as WorkbookWriter } from 'exceljs/lib/stream/xlsx/workbook-writer.js';
