import { basename, dirname, extname, join } from 'node:path';
import { placesOf, writeTextWorkbook } from '../report/annotate/text-workbook.js';
import { putInPlace } from '../report/put-in-place.js';
import { stop } from '../toolkit/core/issue.js';
import { complementOf, complementRows, isComplement } from '../toolkit/documents/complement.js';
import { locate } from '../toolkit/documents/locate.js';
import type { Opened } from '../toolkit/documents/opened.js';
import { NO_PARAMS } from '../toolkit/mapping/params.js';
import type { Context, Outcome } from './context.js';
import { emitMessage } from './events.js';
import { loadFiles } from './job.js';
import type { CheckOptions } from './options.js';
import { outputOf, refuseOutput } from './outputs.js';

const batch = (number: number, texts: readonly string[]) => [
  { number, texts: texts.map((text) => (text === '' ? undefined : text)) },
];

/**
 * `--write-complement FILE`: writes the table that the files lack, with a row per key and the other columns blank. A
 * workbook of text cells, since Excel removes leading zeros from a CSV and runs text that looks like a formula.
 */
export async function writeComplement(
  context: Context,
  opened: Opened,
  options: CheckOptions,
  wanted: string,
): Promise<Outcome> {
  const { mapping } = await loadFiles(context, opened, options);
  const output = join(dirname(wanted), `${basename(wanted, extname(wanted))}.xlsx`);
  refuseOutput(context, options, { purpose: 'template', output, files: opened.files });
  const { tables } = await locate(mapping, await opened.inputs(), NO_PARAMS);
  const lacking = [...mapping.tables.values()].find(
    (table) => isComplement(table) && tables.every(({ tableIndex }) => tableIndex !== table.tableIndex),
  );
  if (lacking === undefined)
    return stop('usage', { code: 'run/nothing-lacking', params: { mapping: mapping.name } });
  const complement = complementOf(mapping, lacking, tables);
  let rows = 0;
  async function* records() {
    yield batch(1, complement.titles);
    for await (const row of complementRows(mapping, complement, tables)) yield batch(++rows + 1, row);
  }
  const book = { file: basename(output), rows: records(), places: placesOf(lacking.id), header: 1 };
  const write = async (temporary: string): Promise<void> => void (await writeTextWorkbook(temporary, book));
  const file = await putInPlace(output, write, outputOf(context, options, 'template'));
  emitMessage(context, 'complementWritten', { file, rows });
  return 'fine';
}
