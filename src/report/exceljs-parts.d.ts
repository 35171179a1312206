declare module 'exceljs/lib/doc/workbook.js' {
  import { Workbook } from 'exceljs';
  export default Workbook;
}

declare module 'exceljs/lib/stream/xlsx/workbook-writer.js' {
  import type { EventEmitter } from 'node:events';
  import type { Style, stream, Worksheet } from 'exceljs';

  /** Adds members that the package's types lack: rows are written to a sheet's stream as XML, since cells are the largest cost. */
  export default class WorkbookWriter extends stream.xlsx.WorkbookWriter {
    readonly styles: { addStyleModel(style: Partial<Style>): number };
    addWorksheet(...how: Parameters<stream.xlsx.WorkbookWriter['addWorksheet']>): StreamedSheet;
  }

  /** To the zip: a stream of a package that is older than `writableLength`. */
  interface Pipe extends EventEmitter {
    readonly _writableState: { readonly length: number };
  }

  export interface StreamedSheet extends Worksheet {
    readonly stream: { readonly pipes: readonly Pipe[]; write(xml: string): void };
    readonly _sheetRelsWriter: {
      addHyperlink(link: { readonly address: string; readonly target: string }): void;
    };
  }
}
