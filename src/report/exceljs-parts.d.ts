declare module 'exceljs/lib/doc/workbook.js' {
  import { Workbook } from 'exceljs';
  export default Workbook;
}

declare module 'exceljs/lib/stream/xlsx/workbook-writer.js' {
  import { stream } from 'exceljs';

  const WorkbookWriter: typeof stream.xlsx.WorkbookWriter;
  export default WorkbookWriter;
}
