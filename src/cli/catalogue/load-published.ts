import { shippedCatalogue } from '../../catalogue/catalogue.js';
import type { PublishedTable } from '../../catalogue/published-tables.js';
import { headerIn, PublishedReader, type ReadTable } from '../../catalogue/read-published.js';
import type { Issue } from '../../issues/issue.js';
import { stop } from '../../issues/pipeline-error.js';
import { openInput } from '../../source/open.js';
import type { RowSource } from '../../source/table.js';
import { fold } from '../../values/fold.js';

/** Rows above which a header is not looked for. */
const HEADER_WITHIN = 20;

/** Reads the sheet, when it is the table. */
async function readSheet(table: PublishedTable, sheet: RowSource): Promise<ReadTable | undefined> {
  let reader: PublishedReader | undefined;
  let seen = 0;
  for await (const batch of sheet.batches())
    for (const { texts } of batch) {
      if (reader !== undefined) reader.add(texts);
      else {
        const header = headerIn(table, texts);
        if (header !== undefined) reader = new PublishedReader(table, header, shippedCatalogue(table.name));
        else if (++seen >= HEADER_WITHIN) return undefined;
      }
    }
  return reader?.finish();
}

/**
 * Reads a published table from a workbook or a CSV: the first sheet that has its codes.
 * @throws PipelineError('input', catalogue/no-codes) when none has
 */
export async function loadPublished(path: string, table: PublishedTable): Promise<ReadTable> {
  const input = await openInput(path);
  try {
    for (const sheet of input.tables) {
      const read = await readSheet(table, sheet);
      // Where most codes have another form, it is another table.
      if (read !== undefined && read.table.rows.length > read.refused.count) return read;
    }
    return stop('input', {
      code: 'catalogue/no-codes',
      value: input.file,
      params: { table: table.name, expected: table.code.titles.slice(0, 4).join(', ') },
      place: { file: input.file },
    });
  } finally {
    await input.close();
  }
}

/** What people should know of the codes that were read. */
export function remarksOn(
  { restored, refused, repeated, named }: ReadTable,
  { name, sispro, code }: PublishedTable,
): Issue[] {
  const remark = (id: string, params: Issue['params'], value: string | undefined): Issue => ({
    code: id,
    level: 'warning',
    params: { table: name, ...params },
    place: {},
    ...(value !== undefined && { value }),
  });
  const counted = [
    ['catalogue/rows-refused', refused],
    ['catalogue/zeros-restored', restored],
    ['catalogue/repeated', repeated],
  ] as const;
  return [
    ...(named === undefined || fold(named) === fold(sispro)
      ? []
      : [remark('catalogue/other-name', { expected: sispro }, named)]),
    ...counted
      .filter(([, { count }]) => count > 0)
      .map(([id, { count, first }]) => remark(id, { count, width: code.width ?? '' }, first)),
  ];
}
