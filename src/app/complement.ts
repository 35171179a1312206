import { writeFile } from 'node:fs/promises';
import { stop } from '../core/issue.js';
import { complementOf, complementRows, isComplement } from '../documents/complement.js';
import { locate, withInputs } from '../documents/locate.js';
import type { ResolvedParams } from '../mapping/params.js';
import { putInPlace } from '../report/put-in-place.js';
import type { Context, Outcome } from './context.js';
import { say } from './events.js';
import { loadFiles } from './job.js';
import type { Options } from './options.js';
import { outputOf, refuseOutput } from './outputs.js';

/** Which rows are missing hangs on no parameter. */
const NO_PARAMS: ResolvedParams = { values: {}, defaults: {}, tables: {} };

const field = (text: string): string => (/[;"\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);

/** `--write-complement FILE`: the table that the files lack, with a row for each of its keys and nothing else filled in. */
export async function writeComplement(
  context: Context,
  patterns: readonly string[],
  options: Options,
  output: string,
): Promise<Outcome> {
  const { files, mapping } = await loadFiles(context, patterns, options);
  refuseOutput(context, options, { purpose: 'template', output, files });
  const lines = await withInputs(files, async (inputs) => {
    const { tables } = await locate(mapping, inputs, NO_PARAMS);
    const lacking = [...mapping.tables.values()].find(
      (table) => isComplement(table) && tables.every(({ slot }) => slot !== table.slot),
    );
    if (lacking === undefined)
      return stop('usage', { code: 'run/nothing-lacking', params: { mapping: mapping.name } });
    const complement = complementOf(mapping, lacking, tables);
    const found = [complement.titles.map(field).join(';')];
    for await (const row of complementRows(mapping, complement, tables)) found.push(row.map(field).join(';'));
    return found;
  });
  // With a byte order mark Excel reads accents as they are.
  const text = `\uFEFF${lines.join('\r\n')}\r\n`;
  const placing = outputOf(context, options, 'template');
  const file = await putInPlace(output, (temporary) => writeFile(temporary, text), placing);
  say(context, 'complementWritten', { file, rows: lines.length - 1 });
  return 'fine';
}
