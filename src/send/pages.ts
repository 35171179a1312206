import type { Statement } from './database.js';

/** Documents of a page. */
export const PAGE = 256;

/**
 * The rows of a run in the order of its documents, a page at a time: any run fits in memory, and what is written meanwhile
 * does not disturb. The statement takes the run and the sequence to go on after, and gives at most PAGE rows in order.
 */
export function* pages<Row extends { readonly sequence: number }>(
  page: Statement,
  run: string,
): Iterable<Row> {
  for (let after = 0; ; ) {
    const rows = page.all<Row>(run, after);
    yield* rows;
    if (rows.length < PAGE) return;
    after = rows.at(-1)!.sequence;
  }
}
