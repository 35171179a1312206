import { realpath } from 'node:fs/promises';
import { basename, resolve } from 'node:path';
import { stop } from '../../toolkit/core/issue.js';
import { type Placing, putInPlace, withTemporary } from '../put-in-place.js';
import { patchWorkbook } from './patch-workbook.js';
import type { Annotations, TextRows } from './sheet-plan.js';
import { placesOf, type TextPlaces, writeTextWorkbook } from './text-workbook.js';

interface AnnotateInput extends Annotations {
  /** Input file, which is never changed. */
  readonly input: string;
  /** Path of an .xlsx file, whatever the input is. */
  readonly output: string;
  /** Rows of a table in text, by record number; undefined if the input is a workbook. */
  readonly rows?: TextRows;
  readonly placing?: Placing;
}

/**
 * Writes a copy of an input file with coloured cells, comments, and columns for the outcome of each row.
 * Other parts stay byte for byte: charts, pivot tables, macros, other sheets. A copy can be annotated again.
 * @returns the path, which differs from `output` if another program has that file open
 * @throws PipelineError `usage`: `run/output-is-input`; `output`: `report/not-writable`; `input`: as
 * `patchWorkbook`
 */
export async function annotateCopy(input: AnnotateInput): Promise<{ readonly path: string }> {
  if ((await realPathOf(input.input)) === (await realPathOf(input.output)))
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

const realPathOf = (path: string): Promise<string> => realpath(path).catch(() => resolve(path));

/** Writes the table as a workbook first, then annotates that. */
async function annotateText(input: AnnotateInput, rows: TextRows, temporary: string): Promise<void> {
  const places = placesOf(basename(input.input));
  await withTemporary(input.output, async (plain) => {
    const file = basename(input.input);
    const [header] = input.headerRows;
    await writeTextWorkbook(plain, { file, rows, places, header: header?.row ?? 1 });
    await patchWorkbook(plain, temporary, inSheets(input, places));
  });
}

/** Converts record numbers into sheets and rows. */
function inSheets({ marks, states, headerRows, language }: Annotations, places: TextPlaces): Annotations {
  function* withPlaces<T extends { readonly row: number }>(items: Iterable<T>): Generator<T> {
    for (const item of items) yield { ...item, sheet: places.sheetOf(item.row), row: places.rowOf(item.row) };
  }
  return {
    marks: withPlaces(marks),
    states: withPlaces(states),
    headerRows: withPlaces(headerRows),
    language,
  };
}
