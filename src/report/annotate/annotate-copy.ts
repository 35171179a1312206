import { realpath } from 'node:fs/promises';
import { basename, resolve } from 'node:path';
import { stop } from '../../toolkit/core/issue.js';
import { type Placing, putInPlace, withTemporary } from '../put-in-place.js';
import { patchWorkbook } from './patch-workbook.js';
import type { Annotations, TextRows } from './sheet-plan.js';
import { placesOf, type TextPlaces, writeTextWorkbook } from './text-workbook.js';

interface AnnotateInput extends Annotations {
  /** The file that was read; never touched. */
  readonly input: string;
  /** An .xlsx file, whatever the input. */
  readonly output: string;
  /** The records of a table in text, header and blank ones included or not: their numbers say where they go. Absent: the input is a workbook. */
  readonly rows?: TextRows;
  readonly placing?: Placing;
}

/**
 * Writes a copy of an input file in which wrong cells are coloured and have a note, and a column says what became of each row.
 * What it does not concern stays byte for byte as it was: charts, pivot tables, macros, other sheets. It can be annotated again.
 * The path differs from `output` when a program has that file open.
 * @throws PipelineError `usage`: `run/output-is-input`; `output`: `report/not-writable`; `input`: what `patchWorkbook` says
 */
export async function annotateCopy(input: AnnotateInput): Promise<{ readonly path: string }> {
  if ((await whereIs(input.input)) === (await whereIs(input.output)))
    stop('usage', { code: 'run/output-is-input', value: input.output });
  const path = await putInPlace(
    input.output,
    (temporary) =>
      input.rows === undefined
        ? patchWorkbook(input.input, temporary, input)
        : annotateText(input, input.rows, temporary),
    input.placing,
  );
  return { path };
}

const whereIs = (path: string): Promise<string> => realpath(path).catch(() => resolve(path));

/** First the table as a workbook, then that is annotated as any other. */
async function annotateText(input: AnnotateInput, rows: TextRows, temporary: string): Promise<void> {
  const places = placesOf(basename(input.input));
  await withTemporary(input.output, async (plain) => {
    const file = basename(input.input);
    const [header] = input.headerRows;
    await writeTextWorkbook(plain, { file, rows, places, header: header?.row ?? 1 });
    await patchWorkbook(plain, temporary, inSheets(input, places));
  });
}

/** Record numbers as places of the workbook. */
function inSheets({ marks, states, headerRows, language }: Annotations, places: TextPlaces): Annotations {
  function* placed<T extends { readonly row: number }>(items: Iterable<T>): Generator<T> {
    for (const item of items) yield { ...item, sheet: places.sheetOf(item.row), row: places.rowOf(item.row) };
  }
  return {
    marks: placed(marks),
    states: placed(states),
    headerRows: placed(headerRows),
    language,
  };
}
